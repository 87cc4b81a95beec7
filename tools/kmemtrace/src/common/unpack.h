/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that comes as one stream becomes a directory.
 */
#ifndef KMEMTRACE_UNPACK_H
#define KMEMTRACE_UNPACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What it is called on a command line, and in messages. */
#define STDIN_OPERAND	"-"
#define STDIN_NAME	"standard input"

int unpack(FILE *in, const char *dir, bool *cut);
const char *unpack_stdin(bool (*look)(uint64_t bytes), bool *cut);
void unpack_die(int sig);

#endif /* KMEMTRACE_UNPACK_H */
