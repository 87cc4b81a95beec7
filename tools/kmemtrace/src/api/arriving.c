// SPDX-License-Identifier: GPL-2.0
/*
 * arriving.c - read a trace that comes as a stream, while it arrives
 *
 * kmemtraced says now and then in the metadata that all records up to a flush were sent.
 * Those of all CPUs are merged up to that time, and their bytes are forgotten. Other bytes
 * wait in the spool. The report is the same as on a trace that is stored: a record is read
 * once it is known how its timestamp is converted, and which records are before it.
 *
 * If the order of the records, or what they mean, depends on the end of the trace, all of the
 * stream is received first.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/arriving.h"
#include "api/stored.h"
#include "books/ledger.h"
#include "books/pipeline.h"
#include "common/names.h"
#include "read/clocks.h"
#include "read/merge.h"
#include "read/spool.h"

/* By so much a record may be later than its time says, and clocks may differ. */
#define MARGIN_NS	20000000

/* Most bytes of the metadata, as in tracedir.c. */
#define MAX_METADATA	(16 << 20)

/* Pieces to receive at a time while records are read. */
#define PIECES		64

/*
 * A flush makes work for each CPU. So many bytes of each file must have arrived since the last
 * one, on average, so that the work is in proportion to the bytes.
 */
#define FLUSH_BYTES	64

#define FLUSHED		"flushed_ns: "

/**
 * struct stream - the stream of a CPU
 * @r: reads its records
 * @clocks: finds its clocks, ahead of @r
 * @file: what has arrived
 */
struct stream {
	struct reader r;
	struct clock_search clocks;
	struct spooled *file;
};

/**
 * struct arriving - the reading of a trace that arrives
 * @t: the trace
 * @spool: what has arrived
 * @streams: by the order of their first packets
 * @nr: entries of @streams
 * @nr_files: files of @spool that were looked at
 * @merge: the streams as one
 * @decoder: decompresses all of them
 * @metadata: version of the metadata that was parsed last
 * @flushed: all records up to this time have arrived
 * @read: bytes that had arrived then
 * @has_all: all of the trace has arrived
 * @error: the stream can't be read on
 */
struct arriving {
	struct trace *t;
	struct spool *spool;
	struct stream **streams;
	size_t nr, nr_files;
	struct merge merge;
	struct decoder decoder;
	unsigned int metadata;
	uint64_t flushed, read;
	bool has_all;
	int error;
};

/* ---- what has arrived ---- */

/* Find the time of the last flush in the metadata; 0: there was none. Return 0 or -errno. */
static int find_flush(struct files *files, struct context *ctx, uint64_t *flushed)
{
	struct text text;
	char *line, *begin;
	int ret = files_read(files, ctx, "metadata", MAX_METADATA, &text);

	*flushed = 0;
	begin = text.at;
	while (!ret && text.at && (line = text_line(&text)))
		if (!strncmp(line, FLUSHED, strlen(FLUSHED)))
			*flushed = strtoull(line + strlen(FLUSHED), NULL, 10);
	free(begin);
	if (*flushed > INT64_MAX)
		*flushed = 0;
	return ret;
}

static unsigned int version_of_metadata(const struct spool *s)
{
	const struct spooled *f = spool_find(s, PACKET_METADATA);

	return f ? f->version : 0;
}

static bool has_stream(const struct spool *s)
{
	unsigned int cpu;
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (name_is_stream(s->list[i]->name, &cpu))
			return true;
	return false;
}

/**
 * arriving_begin - receive a stream up to the first flush
 * @files: the stream
 * @ctx: the context of the trace
 *
 * Return: 0, also where it has ended; or -errno after a message.
 */
int arriving_begin(struct files *files, struct context *ctx)
{
	struct spool *s = files_stream(files);
	unsigned int version = 0;
	uint64_t flushed = 0;
	int ret = 1;

	while (ret > 0 && !(flushed && has_stream(s))) {
		ret = spool_pull(s);
		if (ret <= 0 || version == version_of_metadata(s))
			continue;
		version = version_of_metadata(s);
		if (find_flush(files, ctx, &flushed))
			return context_error(ctx) ? context_error(ctx) : -EINVAL;
	}
	return ret < 0 ? ret : 0;
}

/* Forget what was read: records, and clocks that may be ahead of them. */
static void forget(struct arriving *a, bool is_read)
{
	const struct stream *s;
	uint64_t end;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		s = a->streams[i];
		end = is_read ? s->r.in.size : reader_offset(&s->r);
		if (!s->clocks.is_over && end > s->clocks.offset)
			end = s->clocks.offset;
		spooled_forget(a->spool, s->file, input_kept(&s->r.in, end));
	}
}

/* Return whether a flush would be too soon after the last one. */
static bool is_early(const struct arriving *a)
{
	return a->spool->read - a->read < FLUSH_BYTES * a->spool->nr;
}

/* Receive the stream up to the next flush, or to its end. Return 0 or -errno. */
static int receive(struct arriving *a)
{
	uint64_t flushed = a->flushed;
	int ret = a->error;

	while (!ret && !a->spool->is_over && (flushed <= a->flushed || is_early(a))) {
		if (a->metadata != version_of_metadata(a->spool)) {
			a->metadata = version_of_metadata(a->spool);
			ret = find_flush(a->t->dir.files, &a->t->ctx, &flushed);
			continue;
		}
		ret = spool_pull(a->spool);
		ret = ret < 0 ? ret : 0;
	}
	if (flushed > a->flushed)
		a->flushed = flushed;
	a->read = a->spool->read;
	return ret ? ret : a->error;
}

/* Records that have arrived are complete up to this time. */
static int64_t reached(const struct arriving *a)
{
	if (a->has_all)
		return INT64_MAX;
	return a->flushed > MARGIN_NS ? a->flushed - MARGIN_NS : 0;
}

static int add_stream(struct arriving *a, struct spooled *f, unsigned int cpu)
{
	struct trace *t = a->t;
	struct stream *s, **list;
	int ret;

	list = context_grow_list(&t->ctx, a->streams, a->nr, sizeof(*list));
	if (!list)
		return -ENOMEM;
	a->streams = list;
	s = context_calloc(&t->ctx, 1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	a->streams[a->nr++] = s;
	s->file = f;
	ret = reader_open_arriving(&s->r, &t->ctx, t->dir.files, f->name, cpu, t->dir.order,
				   &a->decoder);
	s->r.maps = &t->maps;
	clocks_begin(&s->clocks, &t->dir, &s->r.in, cpu, t->dir.order);
	return ret;
}

static int add_streams(struct arriving *a)
{
	const struct spool *s = a->spool;
	unsigned int cpu;
	int ret = 0;

	for (; !ret && a->nr_files < s->nr; a->nr_files++)
		if (name_is_stream(s->list[a->nr_files]->name, &cpu))
			ret = add_stream(a, s->list[a->nr_files], cpu);
	return ret;
}

static int take_clocks(struct arriving *a, struct stream *s)
{
	struct kmemtrace_clock clock;
	struct timepair pair;
	int ret = 0;

	while (!ret && clocks_next(&s->clocks, &clock) > 0) {
		pair = clocks_pair(&clock);
		ret = timemaps_hold(&a->t->maps, &a->t->ctx, clock.clock, s->r.cpu, &pair,
				    clock.frequency);
	}
	return ret;
}

/* Make what has arrived known to the readers and to the maps. Return 0 or -errno. */
static int take_arrived(struct arriving *a)
{
	struct trace *t = a->t;
	size_t i;
	int ret;

	a->has_all = a->spool->is_over;
	ret = trace_list_again(t, t->dir.files);
	if (!ret)
		ret = add_streams(a);
	for (i = 0; !ret && i < a->nr; i++) {
		trace_number(t, &a->streams[i]->r);
		ret = reader_update(&a->streams[i]->r, !a->has_all);
		if (!ret)
			ret = take_clocks(a, a->streams[i]);
	}
	if (ret)
		return ret;
	return a->has_all ? timemaps_end(&t->maps, &t->dir) :
			    timemaps_settle(&t->maps, &t->ctx, reached(a),
					    a->merge.begun ? a->merge.time : 0);
}

/* ---- records ---- */

static int add_readers(struct arriving *a, size_t from)
{
	struct reader **list;
	size_t i;
	int ret;

	if (from == a->nr)
		return 0;
	list = context_calloc(&a->t->ctx, a->nr - from, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = from; i < a->nr; i++)
		list[i - from] = &a->streams[i]->r;
	ret = merge_add(&a->merge, list, a->nr - from);
	free(list);
	return ret;
}

/* Go on once more has arrived. Return 0, or -errno after a message. */
static int wait(void *arg)
{
	struct arriving *a = arg;
	size_t nr = a->nr;
	int ret;

	if (a->has_all)
		return context_fail(&a->t->ctx, -EINVAL);
	forget(a, false);
	ret = receive(a);
	if (!ret)
		ret = take_arrived(a);
	if (!ret)
		ret = add_readers(a, nr);
	return ret ? ret : merge_resume(&a->merge, reached(a));
}

static void take_other(void *arg, const struct reader *r)
{
	const struct arriving *a = arg;

	trace_take(a->t, r);
}

static struct streams_progress progress(const struct arriving *a)
{
	struct streams_progress sum = { 0 };
	size_t i;

	for (i = 0; i < a->nr; i++) {
		sum.bytes += reader_offset(&a->streams[i]->r);
		sum.size += a->streams[i]->r.in.size;
		sum.events += a->streams[i]->r.events;
	}
	return sum;
}

static bool has_room(const struct arriving *a)
{
	return a->spool->held < spool_room / 2;
}

/*
 * While the stream arrives, receive what is there, so that its writer need not wait, but not so
 * much that a temporary file is needed. A signal ends the stream, and later the reading.
 */
static bool look(void *arg)
{
	struct arriving *a = arg;
	int i, ret = 1;

	if (a->spool->is_over)
		return a->t->options.look && stored_look(a->t, progress(a));
	for (i = 0; ret > 0 && i < PIECES && has_room(a) && spool_is_ready(a->spool); i++)
		ret = spool_pull(a->spool);
	if (ret < 0)
		a->error = ret;
	spool_look(a->spool);
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
		if (t->dir.cpus[i].file && !begins_usually(t, &t->dir.cpus[i]))
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

static int load_symbols(struct trace *t)
{
	symbols_free(&t->symbols);
	t->symbols = (struct symbols) { .nr = 0 };
	return symbols_load(&t->symbols, &t->ctx, t->dir.files);
}

/* Receive the rest of the stream, and read the trace as one that is stored. */
static int read_stored(struct trace *t, const struct trace_options *options)
{
	int ret = spool_pull_all(files_stream(t->dir.files));

	if (!ret)
		ret = trace_list_again(t, t->dir.files);
	if (!ret)
		ret = load_symbols(t);
	return ret ? ret : stored_read(t, options);
}

/*
 * Receive until the clocks say when all streams begin. Return 1; 0: only the end of the trace
 * says that; or -errno.
 */
static int begin(struct arriving *a)
{
	int ret = 0;

	timemaps_begin(&a->t->maps);
	while (!ret && !a->spool->is_over && !has_times(a)) {
		ret = receive(a);
		if (!ret && !a->spool->is_over)
			ret = take_arrived(a);
	}
	return ret ? ret : !a->spool->is_over;
}

static void end(struct arriving *a)
{
	size_t i;

	for (i = 0; i < a->nr; i++) {
		reader_close(&a->streams[i]->r);
		free(a->streams[i]);
	}
	free(a->streams);
	a->streams = NULL;
	a->nr = 0;
	decoder_free(&a->decoder);
}

/* Receive what follows the last record that is wanted: the end of the metadata counts. */
static int receive_rest(struct arriving *a)
{
	int ret = 0;

	while (!ret && !a->has_all) {
		forget(a, true);
		ret = receive(a);
		if (!ret)
			ret = take_arrived(a);
	}
	return ret;
}

/* Wait until the first record is known. Return 0 or -errno. */
static int find_first(struct arriving *a)
{
	int ret = merge_init(&a->merge, &a->t->ctx, NULL, 0);

	if (!ret)
		ret = add_readers(a, 0);
	if (!ret)
		ret = merge_resume(&a->merge, reached(a));
	while (!ret && !a->merge.begun && !a->has_all)
		ret = wait(a);
	return ret;
}

static int read_records(struct arriving *a)
{
	const struct pipeline_user user = {
		.each = take_other, .look = look, .wait = wait, .arg = a,
	};
	struct trace *t = a->t;
	int ret = find_first(a);

	t->first = a->merge.time;
	t->ledger.begin = t->first;
	if (t->options.is_late)
		t->selection.begin = trace_time_after(t->first, t->options.from);
	if (!ret && t->options.has_cells)
		ret = ledger_count_cells(&t->ledger, t->first);
	if (!ret)
		ret = pipeline_run(&t->ledger, &a->merge, stored_last_time(t), &user);
	if (!ret)
		ret = receive_rest(a);
	return ret;
}

static int follow(struct arriving *a, const struct trace_options *options)
{
	struct trace *t = a->t;
	int ret = trace_begin(t, options);
	size_t i;

	/* From here on, look() ends the stream or the reading. */
	t->ctx.interrupt = NULL;
	t->ledger.patient = t->dir.nr_cpus > 1;
	if (!ret) {
		stored_select(t);
		ret = read_records(a);
	}
	stored_take_end(t, &a->merge);
	merge_free(&a->merge);
	trace_sum_losses(t);
	for (i = 0; i < a->nr; i++)
		trace_take_stream(t, &a->streams[i]->r);
	if (!ret)
		ret = load_symbols(t);
	return ret ? ret : trace_load_aliases(t);
}

/**
 * arriving_read - read the streams of a trace that arrives
 * @t: the trace, after arriving_begin(); call trace_free() also after an error
 * @options: how to read it
 *
 * Return: 0, or -errno after a message.
 */
int arriving_read(struct trace *t, const struct trace_options *options)
{
	struct arriving a = { .t = t, .spool = files_stream(t->dir.files) };
	int ret = 0;

	if (!a.spool->is_over && is_usual(t, options)) {
		ret = begin(&a);
		if (ret > 0)
			ret = follow(&a, options) ?: 1;
		end(&a);
	}
	if (ret)
		return ret < 0 ? ret : 0;
	timemaps_close(&t->maps);
	t->maps = (struct timemaps) { .nr_held = 0 };
	return context_error(&t->ctx) ? context_error(&t->ctx) : read_stored(t, options);
}
