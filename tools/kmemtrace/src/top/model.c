// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - what kmemtrace-top shows
 *
 * Once a second the figures of all kinds of allocations are kept as a moment. The library makes the
 * rows of it, and their changes since the moment of the mark and since the one before.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text.h"
#include "top/model.h"

/* Finding the oldest memory, or suspects, visits all live objects: it may take this part of the time. */
#define SEARCH_PART	100

/* Name the CPU that is late once this many bytes wait for it. */
#define MANY_WAIT	(1024 * 1024)

const char * const top_spaces[KMEMTRACE_NR_SPACES] = { "slab", "pages", "percpu", "vmalloc" };

/* ---- how to group and to sort ---- */

static const struct group_key caches = {
	.name = "cache", .rows = "slab caches", .column = "cache", .is_of_slab = true,
};

/* Return a way to group, or NULL behind the last one. */
const struct group_key *top_group(size_t i)
{
	static const char * const names[] = {
		"site", "function", "cache", "module", "dir", "file", "task", "process", "cgroup",
	};

	if (i >= sizeof(names) / sizeof(*names))
		return NULL;
	return group_key_find(names[i]) ?: &caches;
}

/* Return the way to group with a name, or NULL. */
const struct group_key *top_find_group(const char *name)
{
	size_t i;

	for (i = 0; top_group(i); i++)
		if (!strcmp(top_group(i)->name, name))
			break;
	return top_group(i);
}

static bool can_group(const struct top *top, const struct kmemtrace_trace *trace,
		      const struct group_key *key)
{
	return (!key->needs_source || top->source) && !(key->with & ~kmemtrace_get_with(trace)) &&
	       (!key->is_of_slab || top->space == KMEMTRACE_SPACE_SLAB);
}

/* Return the next way to group that the trace has. */
const struct group_key *top_next_group(const struct top *top, const struct kmemtrace_trace *trace)
{
	size_t i = 0;

	while (top_group(i) != top->group)
		i++;
	do
		i = top_group(i + 1) ? i + 1 : 0;
	while (!can_group(top, trace, top_group(i)));
	return top_group(i);
}

/* Return whether a column has the standard errors of another one. */
static bool is_error(const char *name)
{
	const struct kmemtrace_column *of;
	size_t i;

	for (i = 0; (of = kmemtrace_get_relation_column("modules", i)); i++)
		if (of->error && !strcmp(of->error, name))
			return true;
	return false;
}

/* Which tasks have exited is known when a trace has ended. */
static bool is_of_end(const char *name)
{
	return !strcmp(name, "exited_bytes");
}

/* Return a column to sort by, or NULL behind the last one: the figures that all groups have. */
const char *top_sort(size_t i)
{
	const struct kmemtrace_column *c;
	const char *name;
	size_t column;

	for (column = 0; (c = kmemtrace_get_relation_column("modules", column)); column++) {
		name = c->name;
		if (c->unit != KMEMTRACE_NO_UNIT && !is_error(name) && !is_of_end(name) && !i--)
			return name;
	}
	return i ? NULL : TOP_BY_NAME;
}

/* Return the column to sort by with this name, or NULL. */
const char *top_find_sort(const char *name)
{
	size_t i;

	for (i = 0; top_sort(i); i++)
		if (!strcmp(top_sort(i), name))
			break;
	return top_sort(i);
}

/* ---- rows ---- */

/* Print the pattern of texts that contain another one, in any case. */
static void print_pattern(const char *text, FILE *out)
{
	putc('*', out);
	for (; *text; text++)
		if (isalpha((unsigned char)*text))
			fprintf(out, "[%c%c]", tolower((unsigned char)*text),
				toupper((unsigned char)*text));
		else if (strchr("*?[", *text))
			fprintf(out, "[%c]", *text);
		else
			fprintf(out, "%s%c", *text == ',' ? "\\" : "", *text);
	putc('*', out);
}

/* Return the condition that rows meet, to be freed, or NULL. */
static char *condition(const struct top *top)
{
	char filter[TOP_MAX_TEXT], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "allocator=%s", top_spaces[top->space]);
	if (*top->filter) {
		fprintf(out, ",%s~", top->group->name);
		memcpy(filter, top->filter, sizeof(filter));
		text_parse(filter);
		print_pattern(filter, out);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Let a relation have the rows of a query, and the figures of the model. Return 0 or -errno. */
static int open_rows(const struct top *top, const struct kmemtrace_trace *trace,
		     struct kmemtrace_query *q, struct kmemtrace_relation **rows)
{
	kmemtrace_relation_close(*rows);
	q->size = sizeof(*q);
	q->at = top->now;
	q->since = top->mark;
	q->before = top->before;
	return kmemtrace_relation_open(trace, q, rows, NULL);
}

/**
 * top_arrange - make the rows anew, after another choice of the user
 * @top: the model, after top_take()
 * @trace: the trace
 *
 * Return: 0 or -errno.
 */
int top_arrange(struct top *top, const struct kmemtrace_trace *trace)
{
	struct kmemtrace_query totals = { .relation = "totals" }, rows = { .relation = "sites" };
	char *where;
	int ret;

	if (!can_group(top, trace, top->group))
		top->group = top_group(0);
	where = condition(top);
	if (!where)
		return -ENOMEM;
	rows.group_by = top->group->name;
	rows.where = where;
	rows.sort = strcmp(top->sort, TOP_BY_NAME) ? top->sort : rows.group_by;
	ret = open_rows(top, trace, &totals, &top->totals);
	if (!ret)
		ret = open_rows(top, trace, &rows, &top->rows);
	free(where);
	return ret;
}

size_t top_nr_rows(const struct top *top)
{
	return top->rows ? kmemtrace_relation_rows(top->rows) : 0;
}

/* ---- the trace as a whole ---- */

static double per_second(double change, uint64_t ns)
{
	return ns ? change * 1e9 / (double)ns : 0;
}

/* Find the CPU whose buffer has the largest part unread. Return 0 or -errno. */
static int take_fill(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "cpus", .where = "unread_ratio>=0",
		.sort = "unread_ratio", .limit = 1, .columns = "cpu,unread_ratio",
	};
	struct kmemtrace_field cpu, ratio;
	struct kmemtrace_relation *cpus;
	int ret = kmemtrace_relation_open(trace, &query, &cpus, NULL);

	if (ret)
		return ret;
	head->has_fill = kmemtrace_relation_next(cpus);
	if (head->has_fill) {
		kmemtrace_relation_value(cpus, 0, &cpu);
		kmemtrace_relation_value(cpus, 1, &ratio);
		head->fullest = cpu.number;
		head->fill = ratio.real;
	}
	kmemtrace_relation_close(cpus);
	return 0;
}

/* Count the findings that may be errors. Return 0 or -errno. */
static int take_errors(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "trace", .columns = "unexplained",
	};
	struct kmemtrace_relation *row;
	struct kmemtrace_field errors = { .number = 0 };
	int ret = kmemtrace_relation_open(trace, &query, &row, NULL);

	if (ret)
		return ret;
	if (kmemtrace_relation_next(row))
		kmemtrace_relation_value(row, 0, &errors);
	head->errors = errors.number;
	kmemtrace_relation_close(row);
	return 0;
}

static void take_doubts(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const char *doubt = kmemtrace_doubt(trace, 0);

	text_printable(head->doubt, sizeof(head->doubt), doubt ? doubt : "");
	for (head->nr_doubts = 0; kmemtrace_doubt(trace, head->nr_doubts); )
		head->nr_doubts++;
}

static void take_kernel(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const char *release = kmemtrace_metadata(trace, "kernel_release");
	const char *machine = kmemtrace_metadata(trace, "machine");
	char text[TOP_MAX_TEXT];

	snprintf(text, sizeof(text), "%s %s", release ? release : "unknown kernel",
		 machine ? machine : "");
	text_printable(head->kernel, sizeof(head->kernel), text);
}

static void take_head(struct top *top, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_summary *sum = kmemtrace_get_summary(trace);
	const struct kmemtrace_live *live = kmemtrace_get_live(trace);
	struct top_head *head = &top->head;

	head->step = head->last && sum->last > head->last ?
		     (uint64_t)sum->last - (uint64_t)head->last : 0;
	head->rate = per_second((double)(sum->events - head->events), head->step);
	head->events = sum->events;
	head->lost = sum->lost;
	head->time = (uint64_t)sum->last - (uint64_t)sum->first;
	head->state = TOP_RUNS;
	if (live && live->is_over)
		head->state = live->is_cut ? TOP_CUT : TOP_ENDED;
	head->waits_for = live && live->waiting > MANY_WAIT ? live->waits_for : -1;
	head->sample = kmemtrace_get_machine(trace)->sample;
	head->page_size = kmemtrace_get_machine(trace)->page_size;
	take_kernel(head, trace);
	take_doubts(head, trace);
	head->last = sum->last;
}

/* Find the oldest memory of the allocator that is shown, if there is time for it. */
static int find_oldest(struct top *top)
{
	uint64_t begin = now_ns(), end;
	int ret;

	if (top->oldest_of == (int)top->space && begin < top->oldest_at)
		return 0;
	ret = kmemtrace_moment_find_oldest(top->now, top->space);
	end = now_ns();
	top->oldest_of = top->space;
	top->oldest_at = end + SEARCH_PART * (end - begin);
	return ret;
}

/* Find the suspects, if there is time for it. Return 0 or -errno. */
static int find_suspects(struct top *top, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "suspects", .where = "is_suspect=true",
		.limit = TOP_SUSPECTS,
	};
	const uint64_t begin = now_ns();
	uint64_t end;
	int ret;

	if (top->head.state == TOP_RUNS && begin < top->suspects_at)
		return 0;
	kmemtrace_relation_close(top->suspects);
	ret = kmemtrace_relation_open(trace, &query, &top->suspects, NULL);
	end = now_ns();
	top->suspects_at = end + SEARCH_PART * (end - begin);
	return ret;
}

/* ---- public interface ---- */

/* Make an empty model. */
void top_open(struct top *top)
{
	*top = (struct top) {
		.head.waits_for = -1, .group = top_group(0), .sort = top_sort(0), .oldest_of = -1,
	};
}

/* Return whether a second of the trace is over since the last top_take(), or there was none. */
bool top_is_second(const struct top *top, const struct kmemtrace_trace *trace)
{
	return top->head.state == TOP_EMPTY ||
	       kmemtrace_get_summary(trace)->last - top->head.last >= 1000000000;
}

/**
 * top_take - take over the state of a trace
 * @top: the model
 * @trace: the trace, after kmemtrace_update() returned 1
 *
 * The first state is the first mark, but not that of a trace which has ended: then changes count
 * from the beginning.
 *
 * Return: 0 or -errno.
 */
int top_take(struct top *top, const struct kmemtrace_trace *trace)
{
	bool is_first = top->head.state == TOP_EMPTY;
	int ret;

	take_head(top, trace);
	kmemtrace_moment_drop(top->before);
	top->before = top->now;
	ret = kmemtrace_moment_take(trace, top->before, &top->now);
	if (!ret)
		ret = take_fill(&top->head, trace);
	if (!ret)
		ret = take_errors(&top->head, trace);
	if (ret)
		return ret;
	if (is_first && top->head.state == TOP_RUNS)
		top_mark(top);
	ret = find_oldest(top);
	if (!ret)
		ret = find_suspects(top, trace);
	return ret ? ret : top_arrange(top, trace);
}

/* Let changes count from now on; top_arrange() shows them. */
void top_mark(struct top *top)
{
	top->head.marked = top->head.time;
	kmemtrace_moment_drop(top->mark);
	top->mark = top->now ? kmemtrace_moment_keep(top->now) : NULL;
}

void top_close(struct top *top)
{
	kmemtrace_relation_close(top->totals);
	kmemtrace_relation_close(top->suspects);
	kmemtrace_relation_close(top->rows);
	kmemtrace_moment_drop(top->now);
	kmemtrace_moment_drop(top->before);
	kmemtrace_moment_drop(top->mark);
}
