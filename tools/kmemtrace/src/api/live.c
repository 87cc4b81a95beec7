// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - read a trace as far as it has arrived
 *
 * Records are taken up to the last flush, or without flushes up to the last record of each CPU.
 * The clocks are followed as the records are read: the time of the last one need not be certain.
 */
#include "config.h"

#include <errno.h>

#include "api/live.h"
#include "ledger/ledger.h"
#include "ledger/pipeline.h"

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
	struct files *files;
	int ret = files_begin_stream(&files, &t->ctx, NULL, label, NULL);

	t->is_growing = true;
	return ret ? ret : arriving_begin(&live->a, t, files, true);
}

/* ---- symbols ---- */

/* Return whether another version of a file has arrived. */
static bool is_new(const struct live *live, const char *name, unsigned int *version)
{
	const struct spooled *f = spool_find(live->a.spool, name);
	bool differs = f && f->version != *version;

	if (differs)
		*version = f->version;
	return differs;
}

static int load_symbols(struct live *live)
{
	struct trace *t = live->a.t;
	/* The last line counts at the end, even if it is not whole. */
	bool is_changed = live->a.has_all;

	is_changed |= is_new(live, "kallsyms", &live->kallsyms);
	is_changed |= is_new(live, "modules", &live->modules);
	return is_changed ? symbols_load(&t->symbols, &t->ctx, live->a.files) : 0;
}

/* ---- records ---- */

static int begin_ledger(struct live *live)
{
	const struct trace_options options = {
		.threads = 1, .counts_own = live->counts_own,
	};
	struct trace *t = live->a.t;
	int ret = trace_begin(t, &options);

	t->ledger.patient = true;
	live->is_begun = !ret;
	if (!ret && live->has_cells)
		ret = ledger_count_cells(&t->ledger, 0);
	return ret;
}

/* Find out which ABI version the trace has, and when it begins. */
static void begin_records(struct live *live)
{
	const struct arriving *a = &live->a;
	struct trace *t = a->t;
	const struct reader *r;
	size_t i;

	if (live->has_first || !a->merge.begun)
		return;
	live->has_first = true;
	t->first = a->merge.time;
	t->ledger.cells.begin = t->first;
	t->ledger.is_abi1 = t->dir.abi_version == 1;
	for (i = 0; !t->dir.abi_version && i < a->nr; i++) {
		r = &a->streams[i]->r;
		if (r->rec.ev)
			t->ledger.is_abi1 = event_abi(r->rec.ev) == 1;
	}
}

static void take_live_record(void *arg, const struct reader *r)
{
	const struct live *live = arg;

	trace_take(live->a.t, r);
}

/* Take all records before the time that all CPUs have reached. Return as pipeline_advance(). */
static int take_live_records(struct live *live, int64_t reached)
{
	const struct pipeline_user user = { .each = take_live_record, .arg = live };
	struct arriving *a = &live->a;
	int ret = arriving_resume(a, reached);

	if (ret)
		return ret;
	begin_records(live);
	ret = pipeline_advance(&a->t->ledger, &a->merge, &user);
	arriving_forget(a, false);
	return ret;
}

/* Return the bytes of records that wait for those of other CPUs. */
uint64_t live_waiting(const struct live *live)
{
	const struct arriving *a = &live->a;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		const struct reader *r = &a->streams[i]->r;

		if (!r->fault)
			sum += r->in.size - reader_offset(r);
	}
	return sum;
}

static int take_all(struct live *live)
{
	int ret = take_live_records(live, live->a.flush.ns);

	if (ret != -EAGAIN || live_waiting(live) <= MAX_WAITING)
		return ret;
	live->was_forced = true;
	return take_live_records(live, INT64_MAX);
}

/* ---- sums ---- */

static int end_trace(struct live *live)
{
	struct trace *t = live->a.t;

	live->is_done = true;
	t->is_growing = false;
	t->options.is_input_cut = live->a.spool->is_cut;
	return trace_load_rest(t);
}

/**
 * live_update - read what has arrived
 * @live: the reading
 *
 * Return: 1: the counters of the trace are valid; 0: no stream has arrived; or -errno.
 */
int live_update(struct live *live)
{
	struct arriving *a = &live->a;
	struct trace *t = a->t;
	bool was_there = live->has_streams;
	int ret;

	if (live->is_done)
		return 1;
	live->has_streams = spool_has_stream(a->spool);
	if (!live->has_streams)
		return a->spool->is_over ? -ENOENT : 0;
	ret = arriving_update(a);
	if (!ret)
		ret = arriving_find_flush(a->files, &t->ctx, &a->flush);
	if (!ret)
		ret = load_symbols(live);
	if (ret)
		return ret;
	/* Without a flush, wait a little for the first records of all CPUs. */
	if (!a->flush.ns && !was_there && !a->has_all)
		return 0;
	if (!live->is_begun)
		ret = begin_ledger(live);
	if (!ret)
		ret = take_all(live);
	t->last = a->merge.time;
	t->backwards = a->merge.backwards;
	arriving_take_streams(a);
	if (!ret && a->has_all) {
		ret = ledger_end(&t->ledger, a->merge.time);
		return ret ? ret : end_trace(live) ?: 1;
	}
	if (ret && ret != -EAGAIN)
		return ret;
	ret = ledger_update(&t->ledger);
	return ret ? ret : 1;
}

/* Undo live_open(), before trace_free(). */
void live_close(struct live *live)
{
	struct files *files = live->a.files;

	arriving_close(&live->a);
	files_put(files);
}
