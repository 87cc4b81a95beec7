// SPDX-License-Identifier: GPL-2.0
/*
 * What profiles have: the stacks of allocations, and figures of each.
 *
 * Most traces have no calls above the call site: then the stack is the function alone.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/stack.h"
#include "report/table.h"
#include "report/view.h"

/* Ends a frame: no name contains it. */
#define FRAME_END	'\n'

/* ---- rows and measures ---- */

/* The columns of the relation; figures follow, then the frames of call paths. */
enum { STACK_ALLOCATOR, STACK_SITE, STACK_FUNCTION, STACK_FIGURES };

#define FIGURES	"live_bytes,live,peak_bytes,bytes,allocs"

/* Add the measures of an allocator. */
static void add_measures(struct stacks *s, enum kmemtrace_space space)
{
	char *allocator = kmemtrace_relation_text(s->relation, STACK_ALLOCATOR, space);
	const struct kmemtrace_column *column;
	struct measure *m;
	size_t i;

	if (!allocator)
		out_of_memory();
	for (i = STACK_FIGURES; (column = kmemtrace_relation_column(s->relation, i)) &&
	     column->type == KMEMTRACE_NUMBER; i++) {
		m = &s->measures[s->nr_measures++];
		*m = (struct measure) { .space = space, .column = column, .number = i };
		if (asprintf(&m->name, "%s_%s", allocator, column->name) < 0)
			out_of_memory();
	}
	free(allocator);
}

/**
 * stacks_open - group allocations by their stacks
 * @s: result, for stacks_close()
 * @e: the export
 *
 * Return: as kmemtrace_relation_open().
 */
int stacks_open(struct stacks *s, const struct export *e)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query),
		.relation = e->by_source ? "sites" : "paths",
		.columns = e->by_source ? "allocator,address,function," FIGURES :
					  "allocator,caller_address,function," FIGURES ",frames",
	};
	int space, ret;

	*s = (struct stacks) { .e = e };
	ret = kmemtrace_relation_open(e->r.trace, &query, &s->relation, NULL);
	for (space = 0; !ret && space < NR_SPACES; space++)
		if (e->r.is_used[space])
			add_measures(s, space);
	return ret;
}

/* Free what stacks_open() allocated. */
void stacks_close(struct stacks *s)
{
	kmemtrace_relation_close(s->relation);
	while (s->nr_measures)
		free(s->measures[--s->nr_measures].name);
}

/* Return a measure of the present row; 0: it is a row of another allocator. */
uint64_t stacks_value(const struct stacks *s, const struct measure *m)
{
	struct kmemtrace_field space, value;

	kmemtrace_relation_identity(s->relation, STACK_ALLOCATOR, &space);
	kmemtrace_relation_identity(s->relation, m->number, &value);
	return space.number == m->space ? value.number : 0;
}

const char *measure_unit(const struct measure *m)
{
	return m->column->unit == KMEMTRACE_BYTES ? "bytes" : "count";
}

/* ---- frames ---- */

/* Add frames without an address. */
static void add_names(struct stack *stack, size_t nr)
{
	while (nr-- && stack->nr < STACK_MAX - 1)
		stack->frames[stack->nr++] = (struct stack_frame) { .has_site = false };
}

/* Print directories and file, or the module where there is no source. */
static void write_source(struct stack *stack, const struct site *site, FILE *out)
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

/* Add a frame with an address. Unknown functions differ in their addresses. */
static void add_site(struct stack *stack, const struct stacks *s, uint64_t address, FILE *out)
{
	const struct site site = site_find(&s->e->r, address);
	char *function = NULL;

	if (site.note || site.ref.name) {
		function = kmemtrace_relation_text(s->relation, STACK_FUNCTION, address);
		if (!function)
			out_of_memory();
		fputs(function, out);
		free(function);
	} else {
		callsite_print(address, &site.ref, out);
	}
	putc(FRAME_END, out);
	stack->frames[stack->nr++] = (struct stack_frame) { .has_site = true, .site = site };
}

/* Add the frames of a call path. */
static void add_calls(struct stack *stack, const struct stacks *s, FILE *out)
{
	struct calls calls;
	size_t nr;

	calls_of_row(&calls, &s->e->r, s->relation);
	if (calls.is_cut || calls.is_unknown) {
		fprintf(out, "(%s callers)%c", calls.is_cut ? "more" : "unknown", FRAME_END);
		add_names(stack, 1);
	}
	nr = calls.nr < STACK_MAX - 1 ? calls.nr : STACK_MAX - 1;
	while (nr)
		add_site(stack, s, calls.addresses[--nr], out);
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
 * stack_find - find the stack of the present row
 * @stack: result, for stack_free(); its strings are valid until then
 * @s: all stacks
 */
void stack_find(struct stack *stack, const struct stacks *s)
{
	struct kmemtrace_field address;
	struct site site;
	size_t size;
	FILE *out;

	stack->nr = 0;
	out = open_memstream(&stack->text, &size);
	if (!out)
		out_of_memory();
	if (s->e->by_source) {
		kmemtrace_relation_identity(s->relation, STACK_SITE, &address);
		site = site_find(&s->e->r, address.number);
		write_source(stack, &site, out);
		add_site(stack, s, address.number, out);
	} else {
		add_calls(stack, s, out);
	}
	if (fclose(out))
		out_of_memory();
	split(stack);
}

/* Free the strings of a stack. */
void stack_free(struct stack *stack)
{
	free(stack->text);
}

/* Return the number of a key. Set whether it was added. Without memory, end the program. */
uint64_t must_intern(struct intern *in, const void *key, size_t len, bool *is_new)
{
	const size_t before = in->nr;
	const uint64_t number = intern(in, key, len);

	if (number == INTERN_NO_MEMORY)
		out_of_memory();
	*is_new = in->nr > before;
	return number;
}
