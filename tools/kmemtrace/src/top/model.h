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
#include "report/source.h"

/* The age of a row that has no live memory, or whose oldest is not known yet. */
#define NO_AGE	UINT64_MAX

/**
 * struct top_row - allocations of one group
 * @name: its name, in printable characters
 * @live: live bytes
 * @objects: live objects or pages
 * @change: live bytes, less those at the mark
 * @rate: change of live bytes a second
 * @allocs: allocations a second
 * @age: nanoseconds since the oldest live allocation, or NO_AGE
 * @waste: live bytes that nobody requested
 */
struct top_row {
	const char *name;
	uint64_t live, objects;
	int64_t change;
	double rate, allocs;
	uint64_t age, waste;
};

/**
 * struct top_total - all allocations of one allocator
 * @is_used: there are any
 * @live: live bytes
 * @objects: live objects or pages
 * @change: live bytes, less those at the mark
 * @rate: change of live bytes a second
 * @allocs: allocations a second
 * @frees: frees a second
 * @waste: live bytes that nobody requested
 * @failed: failed allocations
 */
struct top_total {
	bool is_used;
	uint64_t live, objects;
	int64_t change;
	double rate, allocs, frees;
	uint64_t waste, failed;
};

/**
 * enum top_state - what the trace does
 * @TOP_EMPTY: nothing has arrived
 * @TOP_RUNS: it is being recorded
 * @TOP_ENDED: all of it has arrived
 * @TOP_CUT: it broke off
 */
enum top_state { TOP_EMPTY, TOP_RUNS, TOP_ENDED, TOP_CUT };

#define TOP_MAX_TEXT	256

/**
 * struct top_head - the trace as a whole
 * @state: what it does
 * @kernel: release and machine
 * @time: nanoseconds since its first record
 * @step: nanoseconds since the last state, by the times of records
 * @marked: @time at the mark
 * @events: events that were read
 * @rate: events a second
 * @lost: events that were lost
 * @doubt: the first reason why it is incomplete; "": there is none
 * @nr_doubts: how many there are
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
	uint64_t time, step, marked;
	uint64_t events;
	double rate;
	uint64_t lost;
	char doubt[TOP_MAX_TEXT];
	size_t nr_doubts;
	bool has_fill;
	double fill;
	unsigned int fullest;
	int waits_for;
	unsigned int sample;
	uint64_t page_size;
};

/* How to group: rows of this table. */
struct top_group {
	const char *name;
	const char *title, *column;
	bool needs_source, is_of_slab;
	/* enum kmemtrace_with; 0: any trace */
	unsigned int with;
};

extern const struct top_group top_groups[];
extern const unsigned int top_nr_groups;

/* Orders of rows, largest first; names come in alphabetic order. */
struct top_sort {
	const char *name;
	int (*compare)(const void *a, const void *b);
};

extern const struct top_sort top_sorts[];
extern const unsigned int top_nr_sorts;

extern const char * const top_spaces[KMEMTRACE_NR_SPACES];

/**
 * struct top - the model
 * @head: the trace as a whole
 * @totals: by allocator
 * @rows: groups of @space that match @filter, in the order of @sort
 * @nr_rows: entries of @rows
 * @nr_all: groups of @space
 * @space: enum kmemtrace_space
 * @group: index in top_groups
 * @sort: index in top_sorts
 * @filter: a row's name must contain it, in any case
 * @with: what is recorded with each event, bits of enum kmemtrace_with
 * @source: file and line of call sites; NULL: there is no vmlinux
 */
struct top {
	struct top_head head;
	struct top_total totals[KMEMTRACE_NR_SPACES];
	struct top_row *rows;
	size_t nr_rows, nr_all;
	unsigned int space, group, sort;
	char filter[TOP_MAX_TEXT];
	unsigned int with;
	struct source *source;

	/* private: see model.c */
	struct top_pairs *pairs;
};

int top_open(struct top *top);
bool top_is_second(const struct top *top, const struct kmemtrace_trace *trace);
int top_take(struct top *top, const struct kmemtrace_trace *trace);
int top_arrange(struct top *top, const struct kmemtrace_trace *trace);
void top_mark(struct top *top);
void top_close(struct top *top);

int top_find_group(const char *name);
int top_find_sort(const char *name);
bool top_can_group(const struct top *top, unsigned int group);

#endif /* KMEMTRACE_TOP_MODEL_H */
