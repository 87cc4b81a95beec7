/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What grew over the traces of a chain.
 */
#ifndef KMEMTRACE_GROWTH_H
#define KMEMTRACE_GROWTH_H

#include <json-c/json.h>

#include "report/carry.h"
#include "report/chain.h"
#include "report/document.h"
#include "report/functions.h"
#include "report/report.h"
#include "report/trend.h"

/* Where a row of memory is: an allocator, or one of the tables of kmemtraced --counters. */
#define GROWTH_ALLOCINFO	(NR_SPACES + 0)
#define GROWTH_SLABINFO		(NR_SPACES + 1)

/**
 * struct growth_live - live memory
 * @bytes: allocated bytes
 * @objects: objects, pages or areas
 */
struct growth_live {
	uint64_t bytes, objects;
};

/**
 * struct growth_row - a call site, or a group of them
 * @name: its name in printable characters
 * @function: the function that tells it from other rows of this name; NULL: the name does
 * @place: an allocator, by enum kmemtrace_space, or GROWTH_*
 * @is_nameless: no call site of it is known: it is listed behind the others
 * @has_older: it has memory that only a baseline shows. Its values before the first trace that
 *	knows older memory mean nothing
 * @start: index of its first value in @bytes
 * @first: its live memory at the end of the first trace, or of that of @start
 * @last: its live memory at the end of the last trace
 * @number: index in the rows of struct growth
 * @falls: traces at whose end it had fewer bytes than at the end of the one before
 * @bytes: its bytes at the times of struct growth
 * @trend: the trend of @bytes, an hour; only of rows that are listed
 * @weight: orders the list
 */
struct growth_row {
	char *name;
	const struct function *function;
	int place;
	uint32_t number;
	bool is_nameless, has_older;
	size_t start;
	struct growth_live first, last;
	uint64_t falls;
	uint64_t bytes[TREND_MAX];
	struct trend trend;
	double weight;

	/*
	 * private: in the trace that is read, and in the first one that knows older memory; whether
	 * it is in the list of struct growth
	 */
	struct growth_live now, base;
	bool is_live;
	uint64_t base_falls;
};

/* Opens the debug information of a trace; returns 0, or -errno after a message. */
typedef int growth_source(struct source **source, struct kmemtrace_trace *trace);

/**
 * struct growth - what grew
 * @how: how to show it; it has no trace
 * @open_source: opens the debug information of a trace, or NULL
 * @has_all: list also what shrank at times
 * @chain: the traces
 * @rows: all rows
 * @nr: entries of @rows
 * @list: the listed rows, in order
 * @nr_listed: entries of @list
 * @times: times of the values of a row: the end of each trace, or of some of many
 * @nr_times: entries of @times
 * @grew: rows that grew and never shrank
 * @shrank: rows that shrank at times
 */
struct growth {
	const struct report *how;
	growth_source *open_source;
	bool has_all;
	struct chain chain;
	struct growth_row **rows, **list;
	size_t nr, nr_listed;
	int64_t times[TREND_MAX];
	size_t nr_times;
	uint64_t grew, shrank;

	/*
	 * private: rows by name, those with live memory in the trace that is read or in the one
	 * before, the functions, the call sites of live memory, the spacing of @times, the time of
	 * the first trace that knows older memory
	 */
	void *tree;
	struct growth_row **live;
	size_t nr_live;
	struct functions functions;
	struct carried_sites carried[NR_SPACES];
	size_t nr_read, nr_links, slot;
	uint64_t length;
	bool has_base;
	size_t base;
};

/* What grew, and the chain, as tables. */
extern const struct document_table grown_tables[];

int growth_read(struct growth *g, const struct report *how, char **paths, bool has_all,
		growth_source *open_source);
void growth_free(struct growth *g);
void grown_text(const struct growth *g, FILE *out);
const char *growth_place(const struct growth_row *row);
void grown_print_json(const struct growth *g, FILE *out);
json_object *grown_schema(void);

#endif /* KMEMTRACE_GROWTH_H */
