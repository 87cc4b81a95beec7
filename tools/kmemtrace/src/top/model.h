/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kmemtrace-top shows: the totals and the rows of one second. Nothing here draws.
 */
#ifndef KMEMTRACE_TOP_MODEL_H
#define KMEMTRACE_TOP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmemtrace.h"
#include "report/groups.h"
#include "report/source.h"

/**
 * enum top_state - what the trace does
 * @TOP_EMPTY: nothing has arrived
 * @TOP_RUNS: it is being recorded
 * @TOP_ENDED: all of it has arrived
 * @TOP_CUT: it broke off
 */
enum top_state { TOP_EMPTY, TOP_RUNS, TOP_ENDED, TOP_CUT };

#define TOP_MAX_TEXT	256

/* Most suspects that are shown. */
#define TOP_SUSPECTS	3

/* Rows are sorted by their names. */
#define TOP_BY_NAME	"name"

/**
 * struct top_head - the trace as a whole
 * @state: what it does
 * @kernel: release and machine
 * @last: time of its last record
 * @time: nanoseconds since its first record
 * @step: nanoseconds since the last state, by the times of records
 * @marked: @time at the mark
 * @events: events that were read
 * @rate: events a second
 * @lost: events that were lost
 * @doubt: the first reason why it is incomplete; "": there is none
 * @nr_doubts: how many there are
 * @errors: findings that may be errors
 * @has_fill: the fill of the buffers is known
 * @fill: part of its buffer that the fullest CPU had unread, 1: all of it
 * @fullest: that CPU
 * @waits_for: CPU that holds the others back; -1: none
 * @sample: it has one of so many slab objects below the size of a page; 1: all
 * @page_size: bytes
 */
struct top_head {
	enum top_state state;
	char kernel[TOP_MAX_TEXT];
	int64_t last;
	uint64_t time, step, marked;
	uint64_t events;
	double rate;
	uint64_t lost;
	char doubt[TOP_MAX_TEXT];
	size_t nr_doubts;
	uint64_t errors;
	bool has_fill;
	double fill;
	unsigned int fullest;
	int waits_for;
	unsigned int sample;
	uint64_t page_size;
};

extern const char * const top_spaces[KMEMTRACE_NR_SPACES];

/**
 * struct top - the model
 * @head: the trace as a whole
 * @totals: a row for each allocator; NULL: nothing has arrived
 * @suspects: the first TOP_SUSPECTS of them, as they were when there was time to find them; or NULL
 * @rows: groups of @space that match @filter, in the order of @sort
 * @space: enum kmemtrace_space
 * @group: how to group, see top_group()
 * @sort: column that sorts, or TOP_BY_NAME
 * @filter: a row's name must contain it, in any case
 * @source: file and line of call sites; NULL: there is no vmlinux
 */
struct top {
	struct top_head head;
	struct kmemtrace_relation *totals, *suspects, *rows;
	unsigned int space;
	const struct group_key *group;
	const char *sort;
	char filter[TOP_MAX_TEXT];
	struct source *source;

	/* private: what is shown, the state before it, that of the mark; what is searched at times */
	struct kmemtrace_moment *now, *before, *mark;
	uint64_t oldest_at, suspects_at;
	int oldest_of;
};

void top_open(struct top *top);
bool top_is_second(const struct top *top, const struct kmemtrace_trace *trace);
int top_take(struct top *top, const struct kmemtrace_trace *trace);
int top_arrange(struct top *top, const struct kmemtrace_trace *trace);
void top_mark(struct top *top);
void top_close(struct top *top);

const struct group_key *top_group(size_t i);
const struct group_key *top_find_group(const char *name);
const struct group_key *top_next_group(const struct top *top, const struct kmemtrace_trace *trace);
const char *top_sort(size_t i);
const char *top_find_sort(const char *name);
size_t top_nr_rows(const struct top *top);

#endif /* KMEMTRACE_TOP_MODEL_H */
