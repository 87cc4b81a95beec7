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
 * struct stack - the stack of a call site
 * @site: the call site
 * @frames: names of the frames in printable ASCII, the outermost first
 * @nr: entries of @frames, at least 1; the last one is the function
 */
struct stack {
	struct site site;
	const char *frames[STACK_MAX];
	size_t nr;

	/* private: */
	char *text;
};

void stack_find(struct stack *stack, const struct export *e, uint64_t call_site);
void stack_free(struct stack *stack);

#endif /* KMEMTRACE_STACK_H */
