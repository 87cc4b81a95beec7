// SPDX-License-Identifier: GPL-2.0
/*
 * columns.c - columns that many relations have
 */
#include "config.h"

#include "relations/columns.h"

/* A time of CLOCK_MONOTONIC, a member at @offset, after the first record. */
bool column_time(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_value *value)
{
	value->signed_number = *(const int64_t *)((const char *)row + offset) - r->trace->t.first;
	return true;
}

/* The same; 0 stands for none. */
bool column_time_if_set(const struct kmemtrace_relation *r, const void *row,
			    unsigned int offset, struct kmemtrace_value *value)
{
	return column_time(r, row, offset, value) &&
	       *(const int64_t *)((const char *)row + offset);
}

/* A number, a member at @offset; 0 stands for none. */
bool column_if_set(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		       struct kmemtrace_value *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return value->number;
}

/* A call site, a member at @offset. */
bool column_site(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_value *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return value->number != KMEMTRACE_NO_SITE;
}

bool column_file(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_value *value)
{
	const char *file;
	unsigned int line;

	if (!column_site(r, row, offset, value) || !source_of_site(r, value->number, &file, &line))
		return false;
	value->number = (uintptr_t)file;
	return true;
}

bool column_line(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_value *value)
{
	const char *file;
	unsigned int line;

	if (!column_site(r, row, offset, value) || !source_of_site(r, value->number, &file, &line))
		return false;
	value->number = line;
	return true;
}
