/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the files of a trace.
 */
#ifndef KMEMTRACE_NAMES_H
#define KMEMTRACE_NAMES_H

#include <stdbool.h>

/* The ledger stores CPU numbers in 16 bits; Linux has 8192 CPUs at most. */
#define MAX_CPU	65535

/* The end of the name of a compressed stream. */
#define SUFFIX_COMPRESSED	".zst"

/* Room for the name of a stream. */
#define NAME_MAX_STREAM		32

void name_stream(char name[NAME_MAX_STREAM], unsigned int cpu, bool is_compressed);
void name_saved_stream(char name[NAME_MAX_STREAM], unsigned int cpu, const char *compression);
bool name_is_compressed(const char *path);
bool name_is_books(const char *path);
bool name_is_stream(const char *path, unsigned int *cpu);
bool name_is_trace_file(const char *name);

#endif /* KMEMTRACE_NAMES_H */
