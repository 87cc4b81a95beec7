/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which allocations are of interest, as a user says it.
 */
#ifndef KMEMTRACE_FILTER_H
#define KMEMTRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/names.h"

/**
 * enum filter_key - what an allocation is chosen by
 * @FILTER_SITE: a pattern that the function of its call site fits
 * @FILTER_MODULE: name of the module in which that is, "kernel" for the kernel itself
 * @FILTER_CACHE: a pattern that a name of its slab cache fits
 * @FILTER_TYPE: the interface, or several of them: kmalloc,pages
 * @FILTER_CPU: where it was allocated: 0,2-3
 * @FILTER_SIZE: bytes asked for: 100, 64-1K, 4K-, -63
 */
enum filter_key {
	FILTER_SITE,
	FILTER_MODULE,
	FILTER_CACHE,
	FILTER_TYPE,
	FILTER_CPU,
	FILTER_SIZE,
	/* private: */
	NR_FILTERS
};

/**
 * struct filter - what an allocation must have; zeroed memory lets all of them pass
 * @texts: by enum filter_key, as given to filter_set(); NULL: not in force
 * @types: bits by enum kmemtrace_type_id
 * @cpus: a bit for each
 * @min: bytes asked for
 * @max: bytes asked for
 */
struct filter {
	const char *texts[NR_FILTERS];

	/* private: what the texts say */
	unsigned int types;
	uint64_t cpus[MAX_CPU / 64 + 1];
	uint64_t min, max;
};

/* What the keys are called, as an option and in JSON. */
extern const char * const filter_names[NR_FILTERS];

int filter_set(struct filter *f, enum filter_key key, const char *text);
bool filter_is_set(const struct filter *f);

#endif /* KMEMTRACE_FILTER_H */
