/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns that many relations have, and macros for the others.
 */
#ifndef KMEMTRACE_RELATIONS_COLUMNS_H
#define KMEMTRACE_RELATIONS_COLUMNS_H

#include "relations/relation.h"
#include "relations/texts.h"

column_getter column_time, column_time_if_set, column_if_set, column_site, column_file,
	      column_line, column_inlined, column_path;

/* Return how long a time is after another one. Files may have any times. */
static inline int64_t time_since(int64_t begin, int64_t time)
{
	return (int64_t)((uint64_t)time - (uint64_t)begin);
}

static inline int64_t after_first(const struct kmemtrace_relation *r, int64_t time)
{
	return time_since(r->trace->t.first, time);
}

#define KEY	.is_key = true
#define MAYBE	.is_optional = true

#define COLUMN(n, h, t, u, place, text, ...)					\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .unit = KMEMTRACE_##u, place,	\
	  .help = text, __VA_ARGS__ }

#define TIME_AT(type, member)	.get = column_time, .arg = offsetof(type, member)
#define TIME_IF(type, member)	.get = column_time_if_set, .arg = offsetof(type, member)
#define PATH_AT(type, member)	.get = column_path, .arg = offsetof(type, member)
#define NUMBER_IF(type, member)	.get = column_if_set, .arg = offsetof(type, member)

#define ALLOCATOR(type)								\
	COLUMN("allocator", "allocator", TEXT, NO_UNIT, MEMBER(type, space),	\
	       "slab, pages, percpu or vmalloc; never add up bytes of different ones",	\
	       KEY, .print = write_allocator)

#define AT_SITE(n, h, t, getter, printer, row, member, text, ...)		\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .get = getter,	\
	  .arg = offsetof(row, member), .print = printer, .help = text, __VA_ARGS__ }

#define SITE(p, row, member, of, ...)						\
	AT_SITE(p "site", "call site", TEXT, column_site, write_site, row, member,	\
		"function, offset and module of the call site " of, __VA_ARGS__),	\
	AT_SITE(p "address", "address", ADDRESS, column_site, NULL, row, member,	\
		"address of that call site, a return address", __VA_ARGS__),	\
	AT_SITE(p "function", "function", TEXT, column_site, write_function, row, member,	\
		"function and module of that call site", MAYBE),		\
	AT_SITE(p "module", "module", TEXT, column_site, write_module, row, member,	\
		"module of that call site, or kernel", MAYBE),			\
	AT_SITE(p "file", "file", TEXT, column_file, write_string, row, member,	\
		"source file of that call site, with a vmlinux", MAYBE),	\
	AT_SITE(p "line", "line", NUMBER, column_line, NULL, row, member,		\
		"line in that file", MAYBE),						\
	AT_SITE(p "inlined", "inlined in", TEXT, column_inlined, write_string, row, member,	\
		INLINED_HELP, MAYBE)

#define FRAMES_HELP	"return addresses of the call path; none: unknown"
#define INLINED_HELP	"if the function of that line is inlined: it, and the lines that call it, the innermost first"

/* Numbers that tell apart what may have the same name. */
#define TASK_ID_HELP	"number of the task in the trace, under one of its names, as the kernel may use a pid again; 0: unknown"
#define CGROUP_ID_HELP	"number of the cgroup in the kernel; none: the memory is charged to no cgroup"
#define CACHE_ID_HELP	"number of the slab cache in the trace, as several may have one name; 0: none"

#define LIST(info, list, type, f, order)					\
	{ info, COLUMNS(list), .row_size = sizeof(type), .fill = f, .compare = order, \
	  .space = NR_SPACES }

#endif /* KMEMTRACE_RELATIONS_COLUMNS_H */
