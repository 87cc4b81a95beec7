/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helper functions of the kernel: they allocate for those who call them.
 */
#ifndef KMEMTRACE_HELPERS_H
#define KMEMTRACE_HELPERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

bool function_matches(const char *symbol, const char *pattern);
size_t helpers_before(const struct symbols *symbols, const uint64_t *frames, size_t nr);

#endif /* KMEMTRACE_HELPERS_H */
