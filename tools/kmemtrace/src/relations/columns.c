// SPDX-License-Identifier: GPL-2.0
/*
 * columns.c - columns that many relations have
 */
#include "config.h"

#include "api/api-who.h"
#include "relations/columns.h"

#define DEFINE_MEMBER_GETTER(name, type, to)						\
bool name(const struct kmemtrace_relation *r, const void *row, unsigned int offset,	\
	  struct kmemtrace_field *value)						\
{											\
	(void)r;									\
	value->to = *(const type *)((const char *)row + offset);			\
	return true;									\
}

DEFINE_MEMBER_GETTER(member_u64, uint64_t, number)
DEFINE_MEMBER_GETTER(member_u32, uint32_t, number)
DEFINE_MEMBER_GETTER(member_i64, int64_t, signed_number)
DEFINE_MEMBER_GETTER(member_int, int, signed_number)
DEFINE_MEMBER_GETTER(member_bool, bool, number)
DEFINE_MEMBER_GETTER(member_real, double, real)

bool member_string(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		   struct kmemtrace_field *value)
{
	(void)r;
	value->number = (uintptr_t)*(const char * const *)((const char *)row + offset);
	return value->number;
}

/* A time of CLOCK_MONOTONIC, a member at @offset, after the first record. */
bool column_time(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	value->signed_number = after_first(r, *(const int64_t *)((const char *)row + offset));
	return true;
}

/* The same; 0 stands for none. */
bool column_time_if_set(const struct kmemtrace_relation *r, const void *row,
			    unsigned int offset, struct kmemtrace_field *value)
{
	return column_time(r, row, offset, value) &&
	       *(const int64_t *)((const char *)row + offset);
}

/* A number, a member at @offset; 0 stands for none. */
bool column_if_set(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		       struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return value->number;
}

/* A call site, a member at @offset. */
bool column_site(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return value->number != NO_SITE;
}

bool column_file(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	return column_site(r, row, offset, value) && file_of_site(r, value);
}

bool column_line(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	return column_site(r, row, offset, value) && line_of_site(r, value);
}

bool column_inlined(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		    struct kmemtrace_field *value)
{
	return column_site(r, row, offset, value) && inlined_of_site(r, value);
}

/* A call path whose callers are known, a member at @offset. */
bool column_path(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		 struct kmemtrace_field *value)
{
	value->number = *(const uint32_t *)((const char *)row + offset);
	return api_path(r->trace, value->number).depth;
}
