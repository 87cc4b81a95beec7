// SPDX-License-Identifier: GPL-2.0
/*
 * once.c - read a trace that comes as a stream to its end, while it arrives
 *
 * The results are the same as those of a trace that is stored: a record is read once it is
 * known how its timestamp is converted, and which records are before it.
 *
 * If the order of the records, or what they mean, depends on the end of the trace, all of the
 * stream is received first.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/arriving.h"
#include "api/once.h"
#include "api/stored.h"
#include "ledger/ledger.h"
#include "ledger/pipeline.h"

/* A record may arrive this much later than its time, and clocks may differ by as much. */
#define MARGIN_NS	20000000

/* Pieces to receive at a time while records are read. */
#define PIECES		64

/*
 * A flush makes work for each CPU. The work stays in proportion to the stream: a flush is taken
 * once this many bytes of each file have arrived since the last one, on average.
 */
#define FLUSH_BYTES	64

/**
 * struct once - the reading of a trace
 * @a: the streams
 * @read: bytes that had arrived at the last flush
 * @error: the stream can't be read on
 */
struct once {
	struct arriving a;
	uint64_t read;
	int error;
};

/* ---- what has arrived ---- */

/**
 * once_begin - receive a stream up to the first flush
 * @files: the stream
 * @ctx: the context of the trace
 *
 * Return: 0, also where it has ended; or -errno after a message.
 */
int once_begin(struct files *files, struct context *ctx)
{
	struct spool *s = files_stream(files);
	struct flush flush = { .ns = 0 };
	int ret = 1;

	while (ret > 0 && !(flush.ns && spool_has_stream(s))) {
		ret = spool_pull(s);
		if (ret > 0 && arriving_find_flush(files, ctx, &flush))
			return context_error(ctx) ? context_error(ctx) : -EINVAL;
	}
	return ret < 0 ? ret : 0;
}

/* Return whether a flush would be too soon after the last one. */
static bool is_early(const struct once *o)
{
	return o->a.spool->read - o->read < FLUSH_BYTES * o->a.spool->nr;
}

/* Receive the stream up to the next flush, or to its end. Return 0 or -errno. */
static int receive(struct once *o)
{
	struct arriving *a = &o->a;
	const uint64_t before = a->flush.ns;
	int ret = o->error;

	if (!ret)
		ret = arriving_find_flush(a->files, &a->t->ctx, &a->flush);
	while (!ret && !a->spool->is_over && (a->flush.ns <= before || is_early(o))) {
		ret = spool_pull(a->spool);
		if (ret >= 0)
			ret = arriving_find_flush(a->files, &a->t->ctx, &a->flush);
	}
	o->read = a->spool->read;
	return ret;
}

/* Records that have arrived are complete up to this time. */
static int64_t reached(const struct arriving *a)
{
	if (a->has_all)
		return INT64_MAX;
	return a->flush.ns > MARGIN_NS ? a->flush.ns - MARGIN_NS : 0;
}

/* Make what has arrived known to the readers and to the maps. Return 0 or -errno. */
static int take_arrived(struct arriving *a)
{
	struct trace *t = a->t;
	int ret = arriving_update(a);

	if (ret)
		return ret;
	return a->has_all ? timemaps_end(&t->maps, &t->dir) :
			    timemaps_settle(&t->maps, &t->ctx, reached(a),
					    a->merge.begun ? a->merge.time : 0);
}

/* ---- records ---- */

/* Go on once more has arrived. Return 0, or -errno after a message. */
static int wait_for_more(void *arg)
{
	struct once *o = arg;
	int ret;

	if (o->a.has_all)
		return context_fail(&o->a.t->ctx, -EINVAL);
	arriving_forget(&o->a, false);
	ret = receive(o);
	if (!ret)
		ret = take_arrived(&o->a);
	return ret ? ret : arriving_resume(&o->a, reached(&o->a));
}

static void take_once_record(void *arg, const struct reader *r)
{
	const struct once *o = arg;

	trace_take(o->a.t, r);
}

static bool has_room(const struct spool *s)
{
	return s->held < spool_room / 2;
}

/*
 * While the stream arrives, receive what is there, so that its writer need not wait, but not so
 * much that a temporary file is needed. A signal ends the stream, and later the reading.
 */
static bool receive_pending(void *arg)
{
	struct once *o = arg;
	struct spool *s = o->a.spool;
	struct trace *t = o->a.t;
	int i, ret = 1;

	if (s->is_over)
		return t->options.look && stored_look(t, arriving_progress(&o->a));
	for (i = 0; ret > 0 && i < PIECES && has_room(s) && spool_is_ready(s); i++)
		ret = spool_pull(s);
	if (ret < 0)
		o->error = ret;
	spool_look(s);
	return false;
}

/* ---- which streams are read while they arrive ---- */

/*
 * Return whether a stream begins with a clock, and with no boot: own_find() reads a boot
 * ahead.
 */
static bool begins_usually(struct trace *t, const struct trace_cpu *c)
{
	struct reader r;
	bool usual = false;

	if (!reader_open(&r, &t->ctx, t->dir.files, c->file, c->cpu, t->dir.order,
			 4 * EVENT_MAX_SIZE)) {
		usual = !reader_next(&r) ||
			(r.rec.ev->event_id == KMEMTRACE_EVENT_CLOCK &&
			 (!reader_next(&r) || r.rec.ev->event_id != KMEMTRACE_EVENT_PHASE));
	}
	reader_close(&r);
	return usual;
}

/*
 * Return whether a trace can be read while it arrives. Filters by name need all names, which
 * may follow what they are for.
 */
static bool is_usual(struct trace *t, const struct trace_options *options)
{
	const struct filter *filter = &options->filter;
	uint64_t until;
	size_t i;

	if (filter->texts[FILTER_SITE] || filter->texts[FILTER_MODULE] ||
	    filter->texts[FILTER_CACHE] || filter->texts[FILTER_CGROUP] ||
	    filter->texts[FILTER_STACK])
		return false;
	if (trace_overwrites(t) || t->dir.has_books || t->dir.order == ORDER_UNKNOWN ||
	    t->dir.abi_version < 2 || tracedir_meta_u64(&t->dir, "until_ns", &until))
		return false;
	for (i = 0; i < t->dir.nr_cpus; i++)
		if (t->dir.cpus[i].state == STREAM_THERE && !begins_usually(t, &t->dir.cpus[i]))
			return false;
	return true;
}

/* Return whether the clocks say when each stream begins. */
static bool has_times(const struct arriving *a)
{
	const struct timemap *map;
	unsigned char bytes[EVENT_MIN_SIZE];
	uint64_t time;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		struct input *in = &a->streams[i]->r.in;

		if (in->size < sizeof(bytes))
			continue;
		if (input_read(in, bytes, sizeof(bytes), 0) != sizeof(bytes) ||
		    bytes[1] >= TIMEMAP_CLOCKS)
			return false;
		map = &a->t->maps.of[bytes[1]];
		time = event_time(bytes, a->t->dir.order);
		if (!map->nr || time < map->pairs[0].time)
			return false;
	}
	return a->nr;
}

/* ---- all of it ---- */

/* Receive the rest of the stream, and read the trace as one that is stored. */
static int read_stored(struct trace *t, const struct trace_options *options)
{
	int ret = spool_pull_all(files_stream(t->dir.files));

	if (!ret)
		ret = trace_list_again(t, t->dir.files);
	if (!ret)
		ret = symbols_load(&t->symbols, &t->ctx, t->dir.files);
	return ret ? ret : stored_read(t, options);
}

/*
 * Receive until the clocks say when all streams begin. Return 1; 0: only the end of the trace
 * says that; or -errno.
 */
static int receive_clocks(struct once *o)
{
	const struct spool *s = o->a.spool;
	int ret = 0;

	while (!ret && !s->is_over && !has_times(&o->a)) {
		ret = receive(o);
		if (!ret && !s->is_over)
			ret = take_arrived(&o->a);
	}
	return ret ? ret : !s->is_over;
}

/* Receive what follows the last record that is wanted: the end of the metadata counts. */
static int receive_rest(struct once *o)
{
	int ret = 0;

	while (!ret && !o->a.has_all) {
		arriving_forget(&o->a, true);
		ret = receive(o);
		if (!ret)
			ret = take_arrived(&o->a);
	}
	return ret;
}

/* Wait until the first record is known. Return 0 or -errno. */
static int find_first(struct once *o)
{
	int ret = arriving_resume(&o->a, reached(&o->a));

	while (!ret && !o->a.merge.begun && !o->a.has_all)
		ret = wait_for_more(o);
	return ret;
}

static int read_records(struct once *o)
{
	const struct pipeline_user user = {
		.each = take_once_record, .look = receive_pending, .wait = wait_for_more, .arg = o,
	};
	struct trace *t = o->a.t;
	int ret = find_first(o);

	t->first = o->a.merge.time;
	t->ledger.begin = t->first;
	if (t->options.is_late)
		t->selection.begin = trace_time_after(t->first, t->options.from);
	if (!ret && t->options.has_cells)
		ret = ledger_count_cells(&t->ledger, t->first);
	if (!ret)
		ret = pipeline_run(&t->ledger, &o->a.merge, stored_last_time(t), &user);
	if (!ret)
		ret = receive_rest(o);
	return ret;
}

static int read_arriving(struct once *o, const struct trace_options *options)
{
	struct trace *t = o->a.t;
	int ret = trace_begin(t, options);

	/* From here on, receive_pending() ends the stream or the reading. */
	t->ctx.interrupt = NULL;
	t->ledger.patient = t->dir.nr_cpus > 1;
	if (!ret) {
		stored_select(t);
		ret = read_records(o);
	}
	stored_take_end(t, &o->a.merge);
	arriving_take_streams(&o->a);
	if (!ret)
		ret = symbols_load(&t->symbols, &t->ctx, t->dir.files);
	return ret ? ret : trace_load_rest(t);
}

/**
 * once_read - read the streams of a trace that arrives
 * @t: the trace, after once_begin(); call trace_free() also after an error
 * @options: how to read it
 *
 * Return: 0, or -errno after a message.
 */
int once_read(struct trace *t, const struct trace_options *options)
{
	struct once o = { .read = 0 };
	int ret = 0;

	if (!files_stream(t->dir.files)->is_over && is_usual(t, options)) {
		ret = arriving_begin(&o.a, t, t->dir.files, false);
		if (!ret)
			ret = receive_clocks(&o);
		if (ret > 0)
			ret = read_arriving(&o, options) ?: 1;
		arriving_close(&o.a);
	}
	if (ret)
		return ret < 0 ? ret : 0;
	timemaps_close(&t->maps);
	t->maps = (struct timemaps) { .nr_held = 0 };
	return context_error(&t->ctx) ? context_error(&t->ctx) : read_stored(t, options);
}
