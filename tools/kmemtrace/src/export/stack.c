// SPDX-License-Identifier: GPL-2.0
/*
 * The stack of a call site: its calls, or the path of its source.
 *
 * Most traces have no calls above the call site: then the stack is the function alone.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/stack.h"

/* Ends a frame: no name contains it. */
#define FRAME_END	'\n'

/* ---- rows ---- */

/* Unless stacks are paths of the source, each call path has a row. */
static bool keys_of(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	const struct export *e = arg;

	keys[0] = kind->call_site;
	keys[1] = e->by_source ? 0 : kind->path;
	return true;
}

/**
 * stack_rows - group the allocations of an allocator by their stack
 * @e: the export
 * @space: the allocator
 * @rows: result, for stack_find()
 *
 * Return: as kmemtrace_group().
 */
int stack_rows(const struct export *e, enum kmemtrace_space space, struct kmemtrace_rows **rows)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping),
		.keys = keys_of,
		.arg = (void *)e,
	};

	return kmemtrace_group(e->r.trace, space, &grouping, KMEMTRACE_KEYS, rows);
}

/* ---- frames ---- */

/* Add frames without an address. */
static void add_names(struct stack *stack, size_t nr)
{
	while (nr-- && stack->nr < STACK_MAX - 1)
		stack->frames[stack->nr++] = (struct stack_frame) { .has_site = false };
}

/* Print directories and file, or the module where there is no source. */
static void print_source(struct stack *stack, const struct site *site, FILE *out)
{
	const char *c, *last = site->line.file;
	size_t nr = 0;

	if (!site->line.file) {
		print_site_module(site, out);
		putc(FRAME_END, out);
		add_names(stack, 1);
		return;
	}
	/* Of a path that is too deep, the rest is one frame. */
	for (c = site->line.file; *c; c++) {
		if (*c != '/') {
			putc(*c >= ' ' && *c <= '~' ? *c : '?', out);
			continue;
		}
		if (nr == STACK_MAX - 3) {
			putc('/', out);
		} else if (c > last) {
			putc(FRAME_END, out);
			nr++;
		}
		last = c + 1;
	}
	putc(FRAME_END, out);
	add_names(stack, nr + 1);
}

/* Add a frame with an address. */
static void add_site(struct stack *stack, const struct site *site, FILE *out)
{
	if (site->note || site->ref.name)
		callsite_print_full(&site->ref, site->note, out);
	else
		callsite_print(site->addr, &site->ref, out);
	putc(FRAME_END, out);
	stack->frames[stack->nr++] = (struct stack_frame) { .has_site = true, .site = *site };
}

/* Add the frames of a call path. Return whether it has any. */
static bool add_calls(struct stack *stack, const struct export *e, uint64_t number, FILE *out)
{
	const struct kmemtrace_call_path *path = kmemtrace_get_path(e->r.trace, number);
	struct site site;
	size_t i;

	if (!path->depth && path->number)
		fprintf(out, "(unknown callers)%c", FRAME_END);
	else if (path->is_cut)
		fprintf(out, "(more callers)%c", FRAME_END);
	if (path->is_cut || (!path->depth && path->number))
		add_names(stack, 1);
	for (i = path->depth; i-- > 0;) {
		site = site_find(&e->r, path->frames[i]);
		add_site(stack, &site, out);
	}
	return path->depth;
}

/* Set the names of the frames. */
static void split(struct stack *stack)
{
	char *at = stack->text, *end;
	size_t i;

	for (i = 0; i < stack->nr; i++, at = end + 1) {
		end = strchr(at, FRAME_END);
		*end = '\0';
		stack->frames[i].name = at;
	}
}

/**
 * stack_find - find the stack of a row
 * @stack: result, for stack_free(); its strings are valid until then
 * @e: the export
 * @row: a row of stack_rows()
 */
void stack_find(struct stack *stack, const struct export *e, const struct kmemtrace_row *row)
{
	const struct site site = site_find(&e->r, row->key);
	size_t size;
	FILE *out;

	stack->nr = 0;
	out = open_memstream(&stack->text, &size);
	if (!out)
		out_of_memory();
	if (e->by_source)
		print_source(stack, &site, out);
	if (!add_calls(stack, e, row->second_key, out))
		add_site(stack, &site, out);
	if (fclose(out))
		out_of_memory();
	split(stack);
}

/* Free the strings of a stack. */
void stack_free(struct stack *stack)
{
	free(stack->text);
}
