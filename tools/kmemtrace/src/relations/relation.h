/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations: whatever the library knows, as tables of typed columns.
 *
 * A relation is a row of a table in relations.c. A column is a row of the table of its relation:
 * its name, type, unit and description, and where its value is. Programs make text, JSON, Parquet,
 * options and manuals of these rows, and name no column but where they draw a picture.
 */
#ifndef KMEMTRACE_RELATION_H
#define KMEMTRACE_RELATION_H

#include <stddef.h>
#include <stdio.h>

#include "api/handle.h"

struct kmemtrace_relation;

/* Sets the value of a row, of a text its identity. Returns false: there is none. */
typedef bool column_getter(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			   struct kmemtrace_field *value);

/* Return a member at an offset; a string is its own identity. */
column_getter member_u64, member_u32, member_i64, member_int, member_bool, member_real,
	      member_string;

/* Returns the function for a member. */
#define MEMBER_GETTER(type, member)					\
	_Generic(((type *)0)->member,					\
		 unsigned long: sizeof(long) == 8 ? member_u64 : member_u32,	\
		 unsigned long long: member_u64,			\
		 unsigned int: member_u32,				\
		 long: sizeof(long) == 8 ? member_i64 : member_int,	\
		 long long: member_i64,					\
		 int: member_int,					\
		 bool: member_bool,					\
		 double: member_real,					\
		 const char *: member_string)

/* The value is a member of the row. */
#define MEMBER(type, name)	.get = MEMBER_GETTER(type, name), .arg = offsetof(type, name)

/**
 * enum column_only - where groups of allocations have a column
 * @IN_ANY_TRACE: always
 * @IN_A_SAMPLE: in a sample, which has standard errors
 * @OF_MOMENTS: in a query that compares moments
 * @OF_SUSPECTS: in the relation suspects
 * @OF_COUNTED: not in the relation own
 * @WITH_SURVIVORS: in a trace that says which tasks exist at its end
 */
enum column_only { IN_ANY_TRACE, IN_A_SAMPLE, OF_MOMENTS, OF_SUSPECTS, OF_COUNTED, WITH_SURVIVORS };

/**
 * struct column - a column
 * @name: its name
 * @heading: its name for people
 * @help: a sentence that describes it
 * @type: enum kmemtrace_type
 * @unit: enum kmemtrace_unit
 * @is_key: it is a part of the key
 * @dims: of groups of allocations: bits of enum dim, see groups.c; one of them must be in the
 *	groups. 0: all groups have the column
 * @key_of: those of @dims of which it is the key
 * @is_optional: a row may have no value
 * @error: name of the column with its standard error, or NULL
 * @only: where groups of allocations have it
 * @get: sets the value
 * @arg: for @get
 * @print: of a text: prints that of an identity
 */
struct column {
	const char *name, *heading, *help;
	int type, unit;
	bool is_key, is_optional;
	unsigned int dims, key_of;
	const char *error;
	enum column_only only;
	column_getter *get;
	unsigned int arg;
	void (*print)(const struct kmemtrace_relation *r, uint64_t identity, FILE *out);
};

/**
 * struct relation - a relation
 * @info: what the interface says of it
 * @columns: its columns
 * @nr_columns: entries of @columns
 * @row_size: bytes of a row
 * @fill: adds the rows; returns 0 or -errno. NULL: the reading passes them on
 * @follow: before the reading: lets it call @pass of the relation for each row
 * @compare: their order
 * @is_rest: a row is what no other row has: it is the last one of its allocator in any order, and
 *	no limit leaves it out. NULL: there is none
 * @group_by: columns that make the groups, where these are allocations; else NULL
 * @group_dims: if it may be grouped by one of some dimensions only: bits of enum dim; else 0
 * @space: the only allocator that it has; NR_SPACES: it may have all
 * @is_of_counters: kmemtrace_read_counters() is enough for it
 * @is_of_suspects: it has the columns OF_SUSPECTS
 * @is_of_own: it has what kmemtrace itself allocated
 */
struct relation {
	struct kmemtrace_relation_info info;
	const struct column *columns;
	size_t nr_columns;
	size_t row_size;
	int (*fill)(struct kmemtrace_relation *r);
	int (*follow)(struct kmemtrace_trace *trace, struct kmemtrace_relation *r);
	int (*compare)(const void *a, const void *b);
	bool (*is_rest)(const struct kmemtrace_relation *r, const void *row);
	const char *group_by;
	unsigned int group_dims;
	int space;
	bool is_of_counters, is_of_suspects, is_of_own;
};

#define COLUMNS(list)	.columns = list, .nr_columns = sizeof(list) / sizeof(*(list))
#define INFO(n, h, ...)	.info = { .size = sizeof(struct kmemtrace_relation_info), .name = n, .help = h, \
				  __VA_ARGS__ }
#define SINGLE(n, h)	INFO(n, h, .is_single = true)

/**
 * struct kmemtrace_relation - an open relation
 * @relation: which one
 * @trace: the trace
 * @columns: those that it has
 * @interface: the same for the interface
 * @nr_columns: entries of both
 * @rows: the rows, in order
 * @nr: how many
 * @shown: how many of them are in the limit
 * @next: number of the next row
 * @row: the present row, or NULL
 * @texts: the texts of the present row, by column
 * @has_texts: there are any
 * @conditions: what all rows meet
 * @nr_conditions: entries of @conditions
 * @pass: passes on a row that the reading made to @each, if it meets the conditions; returns 0 or
 *	-errno
 * @each: of kmemtrace_relation_follow()
 * @arg: for @each
 * @at: the moment that groups have the figures of; NULL: now
 * @since: the moment from which changes count, or NULL
 * @before: the moment since which there are rates, or NULL
 * @grouping: what groups.c needs; NULL: the rows are no groups of allocations
 */
struct kmemtrace_relation {
	const struct relation *relation;
	const struct kmemtrace_trace *trace;
	const struct column **columns;
	struct kmemtrace_column *interface;
	size_t nr_columns;
	char *rows;
	size_t nr, shown, next;
	const void *row;
	char **texts;
	bool has_texts;
	struct condition *conditions;
	size_t nr_conditions;
	int (*pass)(struct kmemtrace_relation *r, const void *row);
	int (*each)(void *arg, struct kmemtrace_relation *relation);
	void *arg;
	const struct kmemtrace_moment *at, *since, *before;
	struct grouping *grouping;
};

/**
 * struct relation_list - the relations of a file
 * @list: the relations
 * @nr: how many
 */
struct relation_list {
	const struct relation *list;
	size_t nr;
};

#define RELATIONS(name, array)							\
	const struct relation_list name = { array, sizeof(array) / sizeof(*(array)) }

extern const struct relation_list trace_relations, address_relations, cpu_relations,
	time_relations, finding_relations, counter_relations, ram_relations, group_relations, span_relations,
	percentile_relations, object_relations, reference_relations;

const struct relation *relation_at(size_t i);
int relation_add(struct kmemtrace_relation *r, const void *row);
void relation_merge(struct kmemtrace_relation *r, int (*compare)(const void *a, const void *b),
		    void (*add)(void *sum, const void *row));

#endif /* KMEMTRACE_RELATION_H */
