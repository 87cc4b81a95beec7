/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of call paths and memory cgroups, which all streams of a trace share.
 */
#ifndef KMEMTRACE_NUMBERS_H
#define KMEMTRACE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/lookup.h"

/**
 * enum number_of - what has a number
 * @NUMBER_OF_STACK: a call path
 * @NUMBER_OF_CGROUP: a memory cgroup
 */
enum number_of {
	NUMBER_OF_STACK,
	NUMBER_OF_CGROUP,
	/* private: */
	NR_NUMBERS_OF
};

/**
 * struct number - a number
 * @number: the number
 * @of: enum number_of
 * @generation: of a call path, how often tracing was switched on again before it
 * @is_used: an event has it
 * @is_named: a record says what it means
 * @meaning: hash of that
 */
struct number {
	uint64_t number;
	uint32_t of, generation;
	bool is_used, is_named;
	uint64_t meaning;
};

/**
 * struct numbers - the numbers of a trace; zeros: none
 * @nr_unnamed: those that are used, but not named; after numbers_end()
 * @unnamed: one of these
 */
struct numbers {
	uint64_t nr_unnamed[NR_NUMBERS_OF];
	uint64_t unnamed[NR_NUMBERS_OF];

	/* private: */
	struct lookup lookup;
	struct number *list;
	uint32_t nr;
};

void numbers_use(struct numbers *n, enum number_of of, uint32_t generation, uint64_t number);
bool numbers_name(struct numbers *n, enum number_of of, uint32_t generation, uint64_t number,
		  const void *meaning, size_t size);
void numbers_end(struct numbers *n);
void numbers_free(struct numbers *n);

#endif /* KMEMTRACE_NUMBERS_H */
