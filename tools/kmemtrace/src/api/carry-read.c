// SPDX-License-Identifier: GPL-2.0
/*
 * carry-read.c - begin a trace with the books of the one before, see common/booksfile.h
 *
 * kmemtraced ends one trace and begins the next while events go on. For a moment it writes each
 * stream to both, and the books say how far each stream of the trace before is in them. So
 * each record is taken once.
 */
#include "config.h"

#include <stdlib.h>

#include "api/carry.h"
#include "ledger/ledger.h"
#include "common/booksfile.h"

/* Bytes to read at a time. */
#define BUFFER	(256 * 1024)

static int by_cpu_number(const void *a, const void *b)
{
	const struct cpu_summary *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static struct cpu_summary *find_cpu(const struct trace *t, int32_t number)
{
	const struct cpu_summary key = { .cpu = number };

	if (number < 0 || !t->dir.nr_cpus)
		return NULL;
	return bsearch(&key, t->cpus, t->dir.nr_cpus, sizeof(key), by_cpu_number);
}

/*
 * The last @overlap bytes of the stream before are the first ones of this stream. A CPU without
 * a stream here had no records any more.
 */
static void take_cpu(struct trace *t, const struct books_cpu *before)
{
	struct cpu_summary *cpu = find_cpu(t, before->cpu);
	uint64_t overlap = 0, untaken = before->bytes - before->taken;

	if (before->taken > before->bytes)
		return;
	if (cpu)
		tracedir_meta_cpu(&t->dir, "overlap.cpu", cpu->cpu, &overlap);
	if (untaken > overlap)
		t->carried.missing += untaken - overlap;
	else if (cpu)
		cpu->carried = overlap - untaken;
}

static void take_books_head(struct trace *t, const struct books_head *head)
{
	t->carried.has_head = true;
	t->carried.traces = head->traces;
	t->carried.lost = head->lost;
	t->carried.is_incomplete = head->incomplete;
	t->carried.one_of = head->sample ? head->sample : 1;
}

/* Take a record of the first part. Return false if it is none. */
static bool take_first(struct trace *t, const struct kmemtrace_event *ev)
{
	if (ev->event_id == KMEMTRACE_EVENT_CLOCK)
		return true;
	if (ev->event_id != KMEMTRACE_EVENT_SNAPSHOT)
		return false;
	if (ev->type_id == BOOKS_TYPE_CPU)
		take_cpu(t, (const void *)ev);
	else if (ev->type_id == BOOKS_TYPE_HEAD)
		take_books_head(t, (const void *)ev);
	else
		return false;
	return true;
}

/* The books have no events. */
static bool is_expected(const struct kmemtrace_event *ev)
{
	return ev->event_id == KMEMTRACE_EVENT_SNAPSHOT ||
	       ev->event_id == KMEMTRACE_EVENT_CACHE ||
	       ev->event_id == KMEMTRACE_EVENT_STACK ||
	       ev->event_id == KMEMTRACE_EVENT_CGROUP ||
	       ev->event_id == KMEMTRACE_EVENT_REFERENCE;
}

/**
 * carry_open - find the books of the trace before, and read what they say of its streams
 * @c: result; carry_close() it also after an error
 * @t: the trace, whose CPUs are listed
 *
 * Return: 0, also if there are no books; or -errno after a message.
 */
int carry_open(struct carry *c, struct trace *t)
{
	int ret;

	*c = (struct carry) { .t = t, .end = INT64_MAX };
	if (!t->dir.has_books)
		return 0;
	t->carried.is_there = true;
	ret = reader_open(&c->r, &t->ctx, t->dir.files, BOOKS_FILE, 0, ORDER_UNKNOWN, BUFFER);
	if (ret)
		return ret;
	c->left = reader_next(&c->r);
	if (c->left > 0)
		c->end = c->r.rec.time;
	while (c->left > 0 && take_first(t, c->r.rec.ev))
		c->left = reader_next(&c->r);
	return c->left < 0 ? c->left : 0;
}

/**
 * carry_take - take what was live when the trace before ended
 * @c: the books, after carry_open()
 * @first: time of the first record of this trace
 *
 * Return: 0, or -errno after a message.
 */
int carry_take(struct carry *c, int64_t first)
{
	struct ledger *l = &c->t->ledger;
	int ret;

	if (!c->t->carried.is_there)
		return 0;
	l->takes_books = true;
	while (c->left > 0 && is_expected(c->r.rec.ev)) {
		ledger_event(l, &c->r.rec, 0, first);
		ret = context_check(&c->t->ctx);
		c->left = ret ? ret : reader_next(&c->r);
	}
	l->takes_books = false;
	c->t->carried.is_damaged = c->left > 0 || c->r.fault || !c->t->carried.has_head;
	return c->left < 0 ? c->left : 0;
}

/* Undo carry_open(). */
void carry_close(struct carry *c)
{
	reader_close(&c->r);
}

/**
 * carry_skip - skip the records of a stream that are in the books
 * @t: the trace, after carry_open()
 * @r: the stream, before its first record
 *
 * Return: 0, or -errno after a message.
 */
int carry_skip(struct trace *t, struct reader *r)
{
	struct cpu_summary *cpu = &t->cpus[r->index];
	uint64_t end = cpu->carried;
	int ret = 1;

	while (ret > 0 && reader_end(r) < end) {
		ret = reader_next(r);
		if (ret > 0)
			ledger_skip(&t->ledger, &r->rec, r->cpu);
		if (ret > 0 && r->rec.ev->event_id == KMEMTRACE_EVENT_CLOCK)
			trace_take(t, r);
		if (ret > 0 && r->rec.ev->event_id == KMEMTRACE_EVENT_LOST)
			cpu->lost_before += ((const struct kmemtrace_lost *)r->rec.ev)->records;
	}
	if (!ret && reader_offset(r) < end)
		t->carried.missing += end - reader_offset(r);
	return ret < 0 ? ret : 0;
}
