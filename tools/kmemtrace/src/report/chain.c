// SPDX-License-Identifier: GPL-2.0
/*
 * A chain: traces of one boot, one after the other. Each is opened twice: once for its first
 * time, which gives the order, and once to be read. One is open at a time.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "common/memory.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"
#include "report/chain.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/reading.h"

/* A trace may begin that many nanoseconds before the end of the one before. */
#define MAX_OVERLAP	1000000000

/* The time is CLOCK_MONOTONIC: a boot sets it to 0, and frees all memory. */
static const struct id {
	const char *key, *complaint;
} ids[] = {
	{ "host", "is of another machine than" },
	{ "boot_id", "is of another boot than" },
	{ "build_id", "is of another kernel than" },
};

#define NR_IDS	(sizeof(ids) / sizeof(*ids))

static char *must_copy(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		out_of_memory();
	return copy;
}

/* ---- the order ---- */

/* Return a number of the first row of a relation; 0: it has none. */
static uint64_t first_number(const struct kmemtrace_trace *trace, const char *relation,
			     const char *column)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = relation };
	struct kmemtrace_relation *rows = relation_open(trace, &query);
	uint64_t number;

	kmemtrace_relation_next(rows);
	number = cell_number(rows, column);
	kmemtrace_relation_close(rows);
	return number;
}

/* Find the time of the first record. Return 0, or -errno after a message. */
static int begin_of_events(struct kmemtrace_trace *trace, int64_t *begin)
{
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	int ret = kmemtrace_records_open(trace, &records);

	if (!ret)
		ret = kmemtrace_records_next(records, &record);
	if (ret == 1)
		*begin = record->time;
	kmemtrace_records_close(records);
	if (!ret)
		warnx("%s: has no record", kmemtrace_get_machine(trace)->name);
	return ret == 1 ? 0 : ret ? ret : -ENODATA;
}

static int begin_of_counters(struct kmemtrace_trace *trace, int64_t *begin)
{
	int ret = kmemtrace_read_counters(trace);

	if (ret)
		return ret;
	if (!first_number(trace, "readings", "readings")) {
		warnx("%s: has no reading", kmemtrace_get_machine(trace)->name);
		return -ENODATA;
	}
	*begin = first_number(trace, "readings", "origin_ns");
	return 0;
}

static void identify(struct link *link, const struct kmemtrace_trace *trace)
{
	const char *value;
	size_t i;

	for (i = 0; i < NR_IDS; i++) {
		value = kmemtrace_metadata(trace, ids[i].key);
		link->ids[i] = value ? must_copy(value) : NULL;
	}
}

/*
 * Return whether a trace of kmemtraced --rotate has no books: they are written while the trace
 * is recorded, from the trace before.
 */
static bool lacks_books(const struct kmemtrace_trace *trace)
{
	return kmemtrace_metadata(trace, "follows") && !kmemtrace_get_machine(trace)->has_books;
}

static int begin_of(struct link *link, struct kmemtrace_trace *trace)
{
	return link->has_events ? begin_of_events(trace, &link->begin) :
				  begin_of_counters(trace, &link->begin);
}

/* Look at one trace. Return 0, or -errno after a message. */
static int survey(struct link *link, const char *path)
{
	struct kmemtrace_trace *trace;
	int ret = reading_open(&trace, path);

	if (ret)
		return ret;
	*link = (struct link) {
		.path = path, .has_events = kmemtrace_get_machine(trace)->nr_cpus,
	};
	link->lacks_books = link->has_events && lacks_books(trace);
	if (!link->lacks_books)
		ret = begin_of(link, trace);
	if (!link->lacks_books && !ret)
		identify(link, trace);
	kmemtrace_close(trace);
	return ret;
}

static int by_begin(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Return why two traces can't be in one chain, or NULL. */
static const char *mismatch(const struct link *a, const struct link *b)
{
	size_t i;

	for (i = 0; i < NR_IDS; i++)
		if (a->ids[i] && b->ids[i] && strcmp(a->ids[i], b->ids[i]))
			return ids[i].complaint;
	if (a->has_events != b->has_events)
		return a->has_events ? "has counters, but no event, other than" :
				       "has events, other than";
	return NULL;
}

/* Return 0, or -EINVAL after a message. */
static int check_links(const struct chain *c)
{
	const char *why;
	size_t i;

	if (c->nr < 2) {
		if (c->nr_left_out)
			warnx("traces left out, since their books.out is missing: %zu",
			      c->nr_left_out);
		warnx("--growth needs two traces or more, and %s could be read",
		      c->nr ? "only one" : "none");
		return -EINVAL;
	}
	for (i = 1; i < c->nr; i++) {
		why = mismatch(&c->links[0], &c->links[i]);
		if (!why)
			continue;
		warnx("%s: %s %s; --growth compares traces of one boot",
		      c->links[i].path, why, c->links[0].path);
		return -EINVAL;
	}
	return 0;
}

static void leave_out(struct chain *c, const char *path)
{
	c->left_out = must_grow_list(c->left_out, c->nr_left_out, sizeof(*c->left_out));
	c->left_out[c->nr_left_out++] = path;
}

/**
 * chain_open - find the order of traces
 * @c: result, to be closed also after an error
 * @paths: their directories, in any order; NULL is the last one
 *
 * A directory that can't be read is counted after a message. A trace without the books that it
 * needs is left out.
 *
 * Return: 0, or -errno after a message.
 */
int chain_open(struct chain *c, char **paths)
{
	int ret;

	*c = (struct chain) { .nr = 0 };
#ifdef M_MMAP_THRESHOLD
	/*
	 * Let the C library return the large arrays of a trace that is closed. By default it keeps
	 * them on its heap after a while: 400 traces took 170 MB instead of 25.
	 */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
	for (; *paths; paths++) {
		c->links = must_grow_list(c->links, c->nr, sizeof(*c->links));
		ret = survey(&c->links[c->nr], *paths);
		if (ret == -EINTR || ret == -ENOMEM)
			return ret;
		if (ret)
			c->failed++;
		else if (c->links[c->nr].lacks_books)
			leave_out(c, *paths);
		else
			c->nr++;
	}
	ret = check_links(c);
	if (ret)
		return ret;
	c->has_events = c->links[0].has_events;
	qsort(c->links, c->nr, sizeof(*c->links), by_begin);
	return 0;
}

/* ---- the reading ---- */

static void take_link_doubts(struct link *link, const struct kmemtrace_trace *trace)
{
	const char *doubt;

	while ((doubt = kmemtrace_doubt(trace, link->nr_doubts))) {
		link->doubts = must_grow_list(link->doubts, link->nr_doubts,
					      sizeof(*link->doubts));
		link->doubts[link->nr_doubts++] = must_copy(doubt);
	}
}

static void describe(struct link *link, const struct link *before,
		     const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_summary *sum = kmemtrace_get_summary(trace);

	if (link->has_events) {
		link->begin = sum->first;
		link->end = sum->last;
		link->lost = sum->lost;
		link->has_baseline = first_number(trace, "baseline", "complete");
		/* A trace of the boot begins with its first phase. */
		link->knows_older = link->has_baseline ||
				    first_number(trace, "phases", "phase") == KMEMTRACE_PHASE_ARMED ||
				    (kmemtrace_get_machine(trace)->has_books && before &&
				     before->knows_older);
	} else {
		link->end = link->begin + first_number(trace, "readings", "last_ns");
	}
	take_link_doubts(link, trace);
}

/* Return whether two traces are one after the other. */
static bool are_apart(const struct link *a, const struct link *b)
{
	uint64_t length = (uint64_t)a->end - (uint64_t)a->begin;
	uint64_t shared;

	if (b->begin > a->end || (b->begin == a->end && b->end > a->end))
		return true;
	shared = (uint64_t)a->end - (uint64_t)b->begin;
	return b->end > a->end && shared < MAX_OVERLAP && shared < length / 2;
}

static int check_order(const struct link *before, const struct link *link)
{
	if (!before || are_apart(before, link))
		return 0;
	warnx("%s: begins before the end of %s; --growth compares traces that follow each other",
	      link->path, before->path);
	return -EINVAL;
}

/* Open and read the trace of a link. Return 0, or -errno after a message. */
static int read_link(struct link *link, const struct link *before,
		     struct kmemtrace_trace **trace)
{
	int ret = reading_open(trace, link->path);

	if (!ret)
		ret = reading_read(*trace);
	if (!ret)
		describe(link, before, *trace);
	return ret;
}

static void free_link(struct link *link)
{
	size_t i;

	for (i = 0; i < link->nr_doubts; i++)
		free(link->doubts[i]);
	free(link->doubts);
	for (i = 0; i < NR_IDS; i++)
		free(link->ids[i]);
}

/**
 * chain_read - read all traces, the earliest first
 * @c: the chain; a trace that can't be read is removed and counted after a message
 * @take: called for each trace; returns 0, or -errno after a message, which ends the reading
 * @arg: for @take
 *
 * Return: 0, or -errno after a message.
 */
int chain_read(struct chain *c, chain_take *take, void *arg)
{
	size_t i, nr = c->nr;
	int bad, ret = 0;

	c->nr = 0;
	for (i = 0; i < nr; i++) {
		struct kmemtrace_trace *trace = NULL;
		const struct link *before = c->nr ? &c->links[c->nr - 1] : NULL;
		struct link link = c->links[i];

		bad = ret ? ret : read_link(&link, before, &trace);
		if (!bad)
			ret = check_order(before, &link);
		if (!bad && !ret) {
			c->links[c->nr++] = link;
			ret = take(arg, &link, trace);
		} else {
			c->failed++;
			free_link(&link);
		}
		kmemtrace_close(trace);
	}
	return ret ? ret : check_links(c);
}

/* Return nanoseconds from the begin of the first trace to the end of the last one. */
uint64_t chain_span(const struct chain *c)
{
	return (uint64_t)c->links[c->nr - 1].end - (uint64_t)c->links[0].begin;
}

/* Return the part of chain_span() in which one of the traces recorded. */
uint64_t chain_recorded(const struct chain *c)
{
	uint64_t gaps = 0;
	size_t i;

	for (i = 1; i < c->nr; i++)
		if (c->links[i].begin > c->links[i - 1].end)
			gaps += (uint64_t)c->links[i].begin - (uint64_t)c->links[i - 1].end;
	return chain_span(c) - gaps;
}

/* Free what chain_open() and chain_read() allocated. */
void chain_close(struct chain *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free_link(&c->links[i]);
	free(c->links);
	free(c->left_out);
}
