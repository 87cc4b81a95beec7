/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The header line of a packet.
 */
#ifndef KMEMTRACE_PACKETS_H
#define KMEMTRACE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

bool packet_parse(char *line, uint64_t *len);

#endif /* KMEMTRACE_PACKETS_H */
