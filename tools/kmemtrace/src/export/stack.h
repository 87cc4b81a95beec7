/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What profiles have: the stacks of allocations, and measures of each.
 *
 * A stack is a call path, or the path of the source of a call site. Each allocator has measures
 * of its own: no program that adds up a profile adds up the bytes of two allocators, of which one
 * takes its memory from the other.
 */
#ifndef KMEMTRACE_STACK_H
#define KMEMTRACE_STACK_H

#include "common/intern.h"
#include "export/export.h"
#include "report/site.h"

#define STACK_MAX	64
#define MEASURES_MAX	(NR_SPACES * 5)

/**
 * struct measure - a figure of an allocator
 * @space: the allocator
 * @column: the figure
 * @number: number of its column in the relation of struct stacks
 * @name: both names, such as slab_live_bytes
 */
struct measure {
	enum kmemtrace_space space;
	const struct kmemtrace_column *column;
	size_t number;
	char *name;
};

/**
 * struct stacks - all stacks
 * @e: the export
 * @relation: has a row for each
 * @measures: those of the allocators that the trace has
 * @nr_measures: entries of @measures
 */
struct stacks {
	const struct export *e;
	struct kmemtrace_relation *relation;
	struct measure measures[MEASURES_MAX];
	size_t nr_measures;
};

/**
 * struct stack_frame - a frame
 * @name: its name
 * @has_site: it has an address
 * @site: the address, if @has_site
 */
struct stack_frame {
	const char *name;
	bool has_site;
	struct site site;
};

/**
 * struct stack - a stack
 * @frames: the frames, the outermost first
 * @nr: entries of @frames, at least 1; the last one is a call site
 */
struct stack {
	struct stack_frame frames[STACK_MAX];
	size_t nr;

	/* private: */
	char *text;
};

int stacks_open(struct stacks *s, const struct export *e);
void stacks_close(struct stacks *s);
uint64_t stacks_value(const struct stacks *s, const struct measure *m);
const char *measure_unit(const struct measure *m);
void stack_find(struct stack *stack, const struct stacks *s);
void stack_free(struct stack *stack);

uint64_t must_intern(struct intern *in, const void *key, size_t len, bool *is_new);

#endif /* KMEMTRACE_STACK_H */
