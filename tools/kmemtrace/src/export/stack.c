// SPDX-License-Identifier: GPL-2.0
/*
 * The stack of a call site: its calls, or the path of its source.
 *
 * A trace has no calls above the call site: the stack of its calls is the function alone.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/stack.h"

/* Ends a frame: no name contains it. */
#define FRAME_END	'\n'

/* Print directories and file, or the module where there is no source. */
static void print_path(const struct site *site, FILE *out)
{
	const char *c;

	if (!site->line.file) {
		print_site_module(site, out);
		putc(FRAME_END, out);
		return;
	}
	for (c = site->line.file; *c; c++)
		putc(*c == '/' ? FRAME_END : *c >= ' ' && *c <= '~' ? *c : '?', out);
	putc(FRAME_END, out);
}

static void print_frames(const struct export *e, const struct site *site, FILE *out)
{
	if (e->by_source)
		print_path(site, out);
	if (site->note || site->ref.name)
		callsite_print_full(&site->ref, site->note, out);
	else
		callsite_print(site->addr, &site->ref, out);
}

/* Split the text into frames. Of a path that is too deep, the rest is one frame. */
static void split(struct stack *stack)
{
	char *at = stack->text, *end;

	for (; (end = strchr(at, FRAME_END)); at = end + 1) {
		*end = '\0';
		if (*at && stack->nr < STACK_MAX - 1)
			stack->frames[stack->nr++] = at;
	}
	stack->frames[stack->nr++] = at;
}

/**
 * stack_find - find the stack of a call site
 * @stack: result, for stack_free(); its strings are valid until then
 * @e: the export
 * @call_site: address of the call site
 */
void stack_find(struct stack *stack, const struct export *e, uint64_t call_site)
{
	size_t size;
	FILE *out;

	*stack = (struct stack) { .site = site_find(&e->r, call_site) };
	out = open_memstream(&stack->text, &size);
	if (out)
		print_frames(e, &stack->site, out);
	if (!out || fclose(out))
		out_of_memory();
	split(stack);
}

/* Free the strings of a stack. */
void stack_free(struct stack *stack)
{
	free(stack->text);
}
