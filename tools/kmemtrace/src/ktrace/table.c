// SPDX-License-Identifier: GPL-2.0
/*
 * View: the types of events, by their number.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "ktrace/view.h"
#include "report/format.h"

static int by_events(const void *a, const void *b)
{
	const struct type * const *x = a, * const *y = b;
	int order;

	if ((*x)->events != (*y)->events)
		return (*x)->events > (*y)->events ? -1 : 1;
	order = strcmp((*x)->name, (*y)->name);
	return order ? order : (int)(*x)->id - (int)(*y)->id;
}

/* List the types that have events, most frequent first. Return how many, or -ENOMEM. */
static ssize_t sort_types(const struct ktrace *t, const struct type ***sorted)
{
	const struct type **list = context_calloc(t->ctx, t->types.nr + 1, sizeof(*list));
	size_t i, nr = 0;

	*sorted = list;
	if (!list)
		return -ENOMEM;
	for (i = 0; i < t->types.nr; i++)
		if (t->types.list[i].events)
			list[nr++] = &t->types.list[i];
	qsort(list, nr, sizeof(*list), by_events);
	return nr;
}

/* Return the nanoseconds of the part of the trace that the options choose. */
static uint64_t chosen_span(const struct ktrace *t)
{
	const struct interval *i = &t->selection.between;
	uint64_t begin = i->has_begin ? i->begin : 0, end = ktrace_since(t, t->last);

	if (i->has_end && i->end < end)
		end = i->end;
	return end > begin ? end - begin : 0;
}

/* Write the events per second. */
static const char *rate_text(char *buf, uint64_t events, uint64_t span)
{
	if (span)
		format_number(buf, (double)events * 1e9 / (double)span + 0.5);
	else
		strcpy(buf, "-");
	return buf;
}

static void print_type_row(const struct ktrace *t, const struct type *type, uint64_t span,
			   FILE *out)
{
	char rate[FORMAT_LEN];

	fprintf(out, "  %14s %13s %6s %6.1f %6s  ", NUMBER(type->events),
		rate_text(rate, type->events, span), BYTES(type->bytes),
		(double)type->bytes / (double)type->events,
		PERCENT(type->events, t->selected));
	text_print(type->name, out);
	putc('\n', out);
}

/* Print the verdict and the types of events. */
int table_text(struct ktrace *t, FILE *out)
{
	uint64_t span = chosen_span(t);
	const struct type **list;
	ssize_t i, nr = sort_types(t, &list);

	if (nr < 0)
		return nr;
	head_text(t, out);
	if (nr)
		fprintf(out, "\nEvents %9s %13s %6s %6s %6s  name\n", "count", "per s", "bytes",
			"mean", "share");
	for (i = 0; i < nr; i++)
		print_type_row(t, list[i], span, out);
	free(list);
	return 0;
}

static void row_json(const struct type *type, struct json *j)
{
	json_begin_flat(j, NULL, '{');
	json_put_u64(j, "id", type->id);
	json_put_text(j, "name", type->name);
	json_put_text(j, "format", type->format);
	json_put_u64(j, "events", type->events);
	json_put_u64(j, "bytes", type->bytes);
	json_end(j, '}');
}

/* Print the verdict and the types of events as JSON. */
int table_json(struct ktrace *t, FILE *out)
{
	struct json j = { .out = out };
	const struct type **list;
	ssize_t i, nr = sort_types(t, &list);

	if (nr < 0)
		return nr;
	json_begin(&j, NULL, '{');
	json_put_u64(&j, "schema_version", KTRACE_SCHEMA_VERSION);
	head_json(t, &j);
	json_begin(&j, "types", '[');
	for (i = 0; i < nr; i++)
		row_json(list[i], &j);
	json_end(&j, ']');
	json_end(&j, '}');
	free(list);
	return 0;
}
