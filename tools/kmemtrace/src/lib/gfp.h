/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of gfp flags, whose bits are others in each release of the kernel.
 */
#ifndef KMEMTRACE_GFP_H
#define KMEMTRACE_GFP_H

#include <stdint.h>

/* Room for the names of all flags. */
#define GFP_NAMES_LEN	1024

const char *gfp_names(char *buf, const char *release, uint64_t flags);

#endif /* KMEMTRACE_GFP_H */
