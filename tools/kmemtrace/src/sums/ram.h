/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What RAM is used for, by the counters of /proc/meminfo.
 */
#ifndef KMEMTRACE_RAM_H
#define KMEMTRACE_RAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most counters of a part. */
#define RAM_COUNTERS	3

/**
 * struct ram_part - a part of MemTotal
 * @name: what it is
 * @counters: that add up to it; a kernel may lack all but the first
 * @less: a counter that these include where they are larger; NULL: they include none
 */
struct ram_part {
	const char *name;
	const char *counters[RAM_COUNTERS];
	const char *less;
};

extern const struct ram_part ram_parts[];
extern const size_t ram_nr_parts;

/* Sets the bytes of a counter; 0 and false: the kernel doesn't have it. */
typedef bool ram_counter(const void *arg, const char *name, int64_t *bytes);

bool ram_part_bytes(const struct ram_part *part, ram_counter *counter, const void *arg,
		    int64_t *bytes);
bool ram_rest(ram_counter *counter, const void *arg, int64_t *bytes);

#endif /* KMEMTRACE_RAM_H */
