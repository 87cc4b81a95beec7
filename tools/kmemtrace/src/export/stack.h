/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of a call site: its calls, or the path of its source.
 */
#ifndef KMEMTRACE_STACK_H
#define KMEMTRACE_STACK_H

#include "export/export.h"
#include "report/site.h"

#define STACK_MAX	64

/**
 * struct stack_frame - a frame
 * @name: its name in printable ASCII
 * @has_site: it has an address
 * @site: the address, if @has_site
 */
struct stack_frame {
	const char *name;
	bool has_site;
	struct site site;
};

/**
 * struct stack - the stack of a call site
 * @frames: the frames, the outermost first
 * @nr: entries of @frames, at least 1; the last one is the call site
 */
struct stack {
	struct stack_frame frames[STACK_MAX];
	size_t nr;

	/* private: */
	char *text;
};

int stack_rows(const struct export *e, enum kmemtrace_space space, struct kmemtrace_rows **rows);
void stack_find(struct stack *stack, const struct export *e, const struct kmemtrace_row *row);
void stack_free(struct stack *stack);

#endif /* KMEMTRACE_STACK_H */
