/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions and caches in several kernels.
 */
#ifndef KMEMTRACE_RENAMES_H
#define KMEMTRACE_RENAMES_H

/* Bytes of the longest name, with its final 0; longer ones are cut. */
#define RENAMES_MAX	512

void renames_function(char name[RENAMES_MAX], const char *function);
void renames_cache(char name[RENAMES_MAX], const char *cache);
int renames_compare(const char *a, const char *b);

#endif /* KMEMTRACE_RENAMES_H */
