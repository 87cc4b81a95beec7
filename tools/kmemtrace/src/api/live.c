// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - read a trace while it arrives
 *
 * The records of all CPUs are read in the order of time, up to the time that all CPUs have
 * reached: no earlier record can arrive any more. A CPU has reached the time of its last
 * record, and, as the metadata says now and then, the time of a flush: what was recorded
 * before that has arrived.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/live.h"
#include "books/ledger.h"
#include "books/pipeline.h"

/* If more bytes than this wait for late CPUs, the others go on without them. */
#define MAX_WAITING	(UINT64_C(64) << 20)

/**
 * live_open - begin to read a trace
 * @live: result; live_close() it also after an error
 * @t: the trace, with its context and zeros
 * @label: what messages call it
 *
 * Return: 0 or -errno.
 */
int live_open(struct live *live, struct trace *t, const char *label)
{
	int ret;

	*live = (struct live) { .t = t };
	t->is_growing = true;
	ret = files_open_arrival(&live->files, &t->ctx, label);
	if (ret)
		return ret;
	live->arrival = files_arrival(live->files);
	return merge_init(&live->merge, &t->ctx, NULL, 0);
}

/* ---- files ---- */

static void number_readers(struct live *live)
{
	size_t i;

	for (i = 0; i < live->nr_readers; i++)
		trace_number(live->t, live->readers[i]);
}

/* List the files, and parse the metadata, anew. */
static int open_dir(struct live *live)
{
	int ret = trace_list_again(live->t, live->files);

	if (!ret)
		number_readers(live);
	return ret;
}

/* Return whether another version of a file has arrived. */
static bool is_new(const struct live *live, const char *name, unsigned int *version)
{
	const struct arrived *f = arrival_find(live->arrival, name);
	bool differs = f && f->version != *version;

	if (differs)
		*version = f->version;
	return differs;
}

static int load_symbols(struct live *live)
{
	bool is_changed = is_new(live, "kallsyms", &live->kallsyms);

	is_changed |= is_new(live, "modules", &live->modules);
	if (!is_changed)
		return 0;
	symbols_free(&live->t->symbols);
	live->t->symbols = (struct symbols) { .nr = 0 };
	return symbols_load(&live->t->symbols, &live->t->ctx, live->files);
}

static void take_flush(struct live *live)
{
	uint64_t ns;

	if (tracedir_meta_u64(&live->t->dir, "flushed_ns", &ns) && ns <= INT64_MAX &&
	    (int64_t)ns > live->reached)
		live->reached = ns;
}

static bool has_stream(const struct arrival *a)
{
	size_t i;

	for (i = 0; i < a->nr; i++)
		if (a->list[i]->cpu >= 0)
			return true;
	return false;
}

/* Read the files that have changed. Return 0 or -errno. */
static int take_files(struct live *live)
{
	bool is_changed = is_new(live, "metadata", &live->metadata);
	int ret = 0;

	is_changed |= live->nr_files != live->arrival->nr;
	live->nr_files = live->arrival->nr;
	if (is_changed) {
		ret = open_dir(live);
		take_flush(live);
	}
	return ret ? ret : load_symbols(live);
}

/* ---- streams ---- */

/* Return whether a reader can find the byte order of a stream. */
static bool is_readable(const struct arrived *f)
{
	return f->cpu >= 0 && (f->queue.is_closed || queue_waiting(&f->queue) >= EVENT_MIN_SIZE);
}

static int add_reader(struct live *live, struct arrived *f)
{
	struct trace *t = live->t;
	struct reader *r, **list;
	char *label;
	int ret;

	list = context_grow_list(&t->ctx, live->readers, live->nr_readers, sizeof(*list));
	if (!list)
		return -ENOMEM;
	live->readers = list;
	r = context_calloc(&t->ctx, 1, sizeof(*r));
	label = files_label_of(live->files, f->name);
	if (!r || !label) {
		free(r);
		free(label);
		return context_fail(&t->ctx, -ENOMEM);
	}
	live->readers[live->nr_readers++] = r;
	f->has_reader = true;
	ret = reader_open_queue(r, &t->ctx, label, &f->queue, f->cpu, t->order);
	free(label);
	if (t->order == ORDER_UNKNOWN)
		t->order = r->order;
	r->maps = &t->maps;
	r->growing = &t->maps;
	return ret;
}

/* Add the streams that have begun to arrive. Return 0 or -errno. */
static int add_readers(struct live *live)
{
	size_t i, old = live->nr_readers;
	int ret = 0;

	for (i = 0; !ret && i < live->arrival->nr; i++)
		if (!live->arrival->list[i]->has_reader &&
		    is_readable(live->arrival->list[i]))
			ret = add_reader(live, live->arrival->list[i]);
	number_readers(live);
	if (ret || live->nr_readers == old)
		return ret;
	return merge_add(&live->merge, live->readers + old, live->nr_readers - old);
}

/* ---- records ---- */

static int begin(struct live *live)
{
	const struct trace_options options = { .threads = 1 };
	int ret = trace_begin(live->t, &options);

	live->t->ledger.patient = true;
	live->is_begun = !ret;
	if (!ret && live->has_cells)
		ret = ledger_count_cells(&live->t->ledger, 0);
	return ret;
}

/* Find out which ABI version the trace has, and when it begins. */
static void begin_records(struct live *live)
{
	struct trace *t = live->t;
	size_t i;

	if (live->has_first || !live->merge.begun)
		return;
	live->has_first = true;
	t->first = live->merge.time;
	t->ledger.cells.begin = t->first;
	t->ledger.is_abi1 = t->dir.abi_version == 1;
	for (i = 0; !t->dir.abi_version && i < live->nr_readers; i++)
		if (live->readers[i]->rec.ev)
			t->ledger.is_abi1 = event_abi(live->readers[i]->rec.ev) == 1;
}

static void take_other(void *arg, const struct reader *r)
{
	const struct live *live = arg;

	trace_take(live->t, r);
}

/* Take all records before the time that all CPUs have reached. Return as pipeline_advance(). */
static int take_records(struct live *live, int64_t reached)
{
	const struct pipeline_user user = { .each = take_other, .arg = live };
	int ret = merge_resume(&live->merge, reached);

	if (ret)
		return ret;
	begin_records(live);
	return pipeline_advance(&live->t->ledger, &live->merge, &user);
}

static int take_all(struct live *live)
{
	int ret = take_records(live, live->reached);

	if (ret != -EAGAIN || arrival_waiting(live->arrival) <= MAX_WAITING)
		return ret;
	live->was_forced = true;
	return take_records(live, INT64_MAX);
}

/* ---- sums ---- */

static void take_streams(struct live *live)
{
	struct trace *t = live->t;
	size_t i;

	t->last = live->merge.time;
	t->backwards = live->merge.backwards;
	for (i = 0; i < live->nr_readers; i++)
		trace_take_stream(t, live->readers[i]);
	trace_sum_losses(t);
}

static int end(struct live *live)
{
	struct trace *t = live->t;

	live->is_done = true;
	t->is_growing = false;
	t->options.is_input_cut = !live->arrival->is_whole;
	return trace_load_aliases(t);
}

/**
 * live_update - read what has arrived
 * @live: the reading
 *
 * Return: 1: the counters of the trace are valid; 0: no stream has arrived; or -errno.
 */
int live_update(struct live *live)
{
	struct trace *t = live->t;
	bool is_over = live->arrival->is_over, was_there = live->has_streams;
	int ret;

	if (live->is_done)
		return 1;
	live->has_streams = has_stream(live->arrival);
	if (!live->has_streams)
		return is_over ? -ENOENT : 0;
	ret = take_files(live);
	if (ret)
		return ret;
	/* Without a flush, wait a little for the first records of all CPUs. */
	if (!live->reached && !was_there && !is_over)
		return 0;
	if (!live->is_begun)
		ret = begin(live);
	if (!ret)
		ret = add_readers(live);
	if (!ret)
		ret = take_all(live);
	take_streams(live);
	if (!ret && is_over) {
		ret = ledger_end(&t->ledger, live->merge.time);
		return ret ? ret : end(live) ?: 1;
	}
	if (ret && ret != -EAGAIN)
		return ret;
	ret = ledger_update(&t->ledger);
	return ret ? ret : 1;
}

/* Undo live_open(), before trace_free(). */
void live_close(struct live *live)
{
	size_t i;

	for (i = 0; i < live->nr_readers; i++) {
		reader_close(live->readers[i]);
		free(live->readers[i]);
	}
	free(live->readers);
	merge_free(&live->merge);
	files_put(live->files);
}
