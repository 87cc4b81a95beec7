/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What profiles measure at each call site.
 *
 * Each allocator has measures of its own: no program that adds up a profile adds up the
 * bytes of two allocators, of which one takes its memory from the other.
 */
#ifndef KMEMTRACE_MEASURES_H
#define KMEMTRACE_MEASURES_H

#include "report/report.h"

/**
 * struct measure - a measure
 * @name: after the name of the allocator and an underscore
 * @title: the same for people
 * @unit: of its values
 * @of: returns the value of a row
 */
struct measure {
	const char *name, *title, *unit;
	uint64_t (*of)(const struct kmemtrace_row *row);
};

#define NR_MEASURES	5

extern const struct measure measures[NR_MEASURES];

#endif /* KMEMTRACE_MEASURES_H */
