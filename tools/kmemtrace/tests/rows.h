/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the rows of relations, for tests in C.
 */
#ifndef KMEMTRACE_TEST_ROWS_H
#define KMEMTRACE_TEST_ROWS_H

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kmemtrace.h"

/* Return an open relation, with the rows that meet a condition or NULL. */
static inline struct kmemtrace_relation *open_rows(const struct kmemtrace_trace *trace,
						   const char *relation, const char *where)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = relation, .where = where,
	};
	struct kmemtrace_relation *rows;
	char *problem;

	if (kmemtrace_relation_open(trace, &query, &rows, &problem))
		errx(EXIT_FAILURE, "%s: %s", relation, problem ? problem : "can't be opened");
	return rows;
}

/* Return how many rows meet a condition or, if that is NULL, how many there are. */
static inline size_t count_rows(const struct kmemtrace_trace *trace, const char *relation,
				const char *where)
{
	struct kmemtrace_relation *rows = open_rows(trace, relation, where);
	const size_t nr = kmemtrace_relation_rows(rows);

	kmemtrace_relation_close(rows);
	return nr;
}

/* Return the number of a column, which the relation has. */
static inline size_t column_of(const struct kmemtrace_relation *rows, const char *column)
{
	const int i = kmemtrace_relation_find(rows, column);

	if (i < 0)
		errx(EXIT_FAILURE, "there is no column '%s'", column);
	return i;
}

/* Return a number of the present row; 0: it has none. */
static inline uint64_t number_in(struct kmemtrace_relation *rows, const char *column)
{
	struct kmemtrace_field value = { .number = 0 };

	kmemtrace_relation_value(rows, column_of(rows, column), &value);
	return value.number;
}

/* Return a text of the present row, or NULL. */
static inline const char *text_in(struct kmemtrace_relation *rows, const char *column)
{
	struct kmemtrace_field value = { .text = NULL };

	kmemtrace_relation_value(rows, column_of(rows, column), &value);
	return value.text;
}

/* Return the number that identifies a text of the present row, such as an enumerator. */
static inline uint64_t identity_in(struct kmemtrace_relation *rows, const char *column)
{
	struct kmemtrace_field value;

	kmemtrace_relation_identity(rows, column_of(rows, column), &value);
	return value.number;
}

/* Return whether the present row has a value in a column. */
static inline bool has_in(struct kmemtrace_relation *rows, const char *column)
{
	struct kmemtrace_field value;

	return kmemtrace_relation_value(rows, column_of(rows, column), &value);
}

/* Return the condition of rows of an allocator. */
static inline const char *where_of(int space)
{
	static const char * const where[] = {
		[KMEMTRACE_SPACE_SLAB] = "allocator=slab",
		[KMEMTRACE_SPACE_PAGES] = "allocator=pages",
		[KMEMTRACE_SPACE_PERCPU] = "allocator=percpu",
		[KMEMTRACE_SPACE_VMALLOC] = "allocator=vmalloc",
	};

	return where[space];
}

/* Return the sum of a column over the rows that meet a condition, which is a printf() format. */
__attribute__((format(printf, 4, 5)))
static inline uint64_t sum_where(const struct kmemtrace_trace *trace, const char *relation,
				 const char *column, const char *where, ...)
{
	struct kmemtrace_relation *rows;
	char condition[256];
	uint64_t sum = 0;
	va_list args;

	va_start(args, where);
	vsnprintf(condition, sizeof(condition), where, args);
	va_end(args);
	rows = open_rows(trace, relation, condition);
	while (kmemtrace_relation_next(rows))
		sum += number_in(rows, column);
	kmemtrace_relation_close(rows);
	return sum;
}

/* Return the sum of a column over the rows of an allocator. */
static inline uint64_t sum_of_rows(const struct kmemtrace_trace *trace, const char *relation,
				   int space, const char *column)
{
	return sum_where(trace, relation, column, "%s", where_of(space));
}

/* Return a figure of all allocations of an allocator. */
static inline uint64_t figure_of(const struct kmemtrace_trace *trace, int space, const char *column)
{
	return sum_of_rows(trace, "totals", space, column);
}

#endif /* KMEMTRACE_TEST_ROWS_H */
