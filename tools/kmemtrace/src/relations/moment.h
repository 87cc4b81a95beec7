/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moments: the figures that all kinds of allocations had then. Kinds keep their numbers, so that
 * the changes between two moments are known for groups of any properties.
 */
#ifndef KMEMTRACE_RELATIONS_MOMENT_H
#define KMEMTRACE_RELATIONS_MOMENT_H

#include "kmemtrace.h"
#include "sums/table.h"

/**
 * struct kmemtrace_moment - the figures of a moment
 * @trace: the trace
 * @time: of its last record then
 * @rows: the sums, by number of the kind
 * @oldest: time of the oldest live memory by number of the kind; INT64_MAX: none, or unknown
 * @nr: entries of @rows and @oldest
 * @owners: how many there are
 */
struct kmemtrace_moment {
	const struct kmemtrace_trace *trace;
	int64_t time;
	struct row *rows;
	int64_t *oldest;
	uint32_t nr;
	unsigned int owners;
};

/* Return the sums of a kind. A kind that came later, or no moment, has none. */
static inline const struct row *moment_row(const struct kmemtrace_moment *m, uint32_t kind)
{
	static const struct row none;

	return m && kind < m->nr ? &m->rows[kind] : &none;
}

#endif /* KMEMTRACE_RELATIONS_MOMENT_H */
