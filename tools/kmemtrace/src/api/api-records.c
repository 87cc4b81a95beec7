// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: the records of a trace. kmemtrace-records.h describes the functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "common/names.h"
#include "read/files.h"
#include "read/merge.h"
#include "read/streams.h"

/* Bytes to read at a time from the stream of one CPU. */
#define BUF_SIZE	(256 * 1024)

static_assert((int)KMEMTRACE_FAULT_NONE == READER_OK &&
	      (int)KMEMTRACE_FAULT_TRUNCATED == READER_TRUNCATED &&
	      (int)KMEMTRACE_FAULT_SIZE == READER_BAD_SIZE &&
	      (int)KMEMTRACE_FAULT_CUT == READER_CUT &&
	      (int)KMEMTRACE_FAULT_DAMAGED == READER_DAMAGED, "enum kmemtrace_fault");

/**
 * struct current - the current record
 * @record: the public structure
 * @raw: all of its bytes
 */
struct current {
	struct kmemtrace_record record;
	uint64_t raw[EVENT_MAX_SIZE / sizeof(uint64_t)];
};

/**
 * struct kmemtrace_records - a place in a trace
 * @streams: streams of all CPUs
 * @maps: clocks of @streams
 * @merge: the place
 * @until: time of the last records to return
 * @current: the current record
 */
struct kmemtrace_records {
	struct streams streams;
	struct timemaps maps;
	struct merge merge;
	int64_t until;
	struct current current;
};

/* ---- one record ---- */

/* Return how many words of a record's tail are numbers. The others are a name. */
static size_t words_of(const struct record *rec)
{
	size_t nr = rec->tail_size / sizeof(uint64_t);

	switch (rec->ev->event_id) {
	case KMEMTRACE_EVENT_CACHE:
		return nr ? 1 : 0;
	case KMEMTRACE_EVENT_TASK:
	case KMEMTRACE_EVENT_CGROUP:
	case KMEMTRACE_EVENT_REFERENCE:
		return 0;
	}
	return nr;
}

static void set_raw(struct current *r, const struct record *rec)
{
	uint64_t *tail = r->raw + EVENT_MIN_SIZE / sizeof(*tail);
	size_t i, nr = words_of(rec), done = nr * sizeof(*tail);

	memcpy(r->raw, rec->ev, EVENT_MIN_SIZE);
	for (i = 0; i < nr; i++)
		tail[i] = record_word(rec, i);
	memcpy(tail + nr, rec->tail + done, rec->tail_size - done);
	r->record.raw = r->raw;
	r->record.raw_size = EVENT_MIN_SIZE + rec->tail_size;
}

static void set_event(struct kmemtrace_record *record, const struct record *rec)
{
	const struct kmemtrace_event *ev = rec->ev;

	record->api = ev->type_id;
	record->node = ev->node;
	record->call_site = ev->call_site;
	record->ptr = ev->ptr;
	record->bytes_req = ev->bytes_req;
	record->bytes_alloc = ev->bytes_alloc;
	record->gfp_flags = ev->gfp_flags;
	if (ev->event_id == KMEMTRACE_EVENT_ALLOC)
		record->cache = record_word(rec, 0);
}

static void set_record(struct current *r, const struct reader *reader, int64_t time)
{
	const struct record *rec = &reader->rec;

	r->record = (struct kmemtrace_record) {
		.size = sizeof(r->record),
		.time = time,
		.cpu = reader->cpu,
		.id = rec->ev->event_id,
		.offset = reader_offset(reader),
	};
	set_raw(r, rec);
	switch (rec->ev->event_id) {
	case KMEMTRACE_EVENT_ALLOC:
	case KMEMTRACE_EVENT_FREE:
	case KMEMTRACE_EVENT_FAILED:
		set_event(&r->record, rec);
	}
}

static void set_pad(struct current *r, const struct reader *reader)
{
	r->record = (struct kmemtrace_record) {
		.size = sizeof(r->record),
		.cpu = reader->cpu,
		.id = KMEMTRACE_RECORD_PAD,
		.raw = reader->rec.tail,
		.raw_size = reader->rec.tail_size,
		.offset = reader_offset(reader),
	};
}

/* ---- all streams ---- */

int kmemtrace_records_open(struct kmemtrace_trace *trace,
			   struct kmemtrace_records **records)
{
	struct kmemtrace_records *r;
	int ret;

	*records = NULL;
	if (trace->live || trace->is_gone)
		return -EINVAL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	trace->is_used = true;
	ret = streams_open(&r->streams, &trace->t.dir);
	if (!ret)
		ret = streams_find_times(&r->streams, &trace->t.dir, &r->maps);
	if (!ret)
		ret = merge_init(&r->merge, &trace->t.ctx, r->streams.readers,
				 r->streams.nr);
	r->until = trace_until(&trace->reading, r->merge.time);
	if (!ret)
		ret = kmemtrace_error(trace);
	if (ret) {
		kmemtrace_records_close(r);
		return ret;
	}
	*records = r;
	return 0;
}

void kmemtrace_records_close(struct kmemtrace_records *records)
{
	if (!records)
		return;
	merge_free(&records->merge);
	streams_close(&records->streams);
	timemaps_close(&records->maps);
	free(records);
}

int kmemtrace_records_next(struct kmemtrace_records *records,
			   const struct kmemtrace_record **record)
{
	int ret = merge_next(&records->merge);

	*record = NULL;
	if (ret <= 0 || records->merge.time > records->until)
		return ret < 0 ? ret : 0;
	set_record(&records->current, records->merge.cur, records->merge.time);
	*record = &records->current.record;
	return 1;
}

/* ---- one stream ---- */

/**
 * struct kmemtrace_stream - the stream of one CPU
 * @ctx: its context, where there is no trace
 * @options: how to open it, where there is no trace
 * @files: the place of its file, where there is no trace
 * @reader: the place in it
 * @state: result of kmemtrace_stream_get_state()
 * @current: the current record
 */
struct kmemtrace_stream {
	struct context ctx;
	struct kmemtrace_options options;
	struct files *files;
	struct reader reader;
	struct kmemtrace_stream_state state;
	struct current current;
};

/* Open @name. Frees @s after an error. */
static int open_stream(struct kmemtrace_stream **stream, struct kmemtrace_stream *s,
		       struct context *ctx, struct files *files, const char *name,
		       enum byte_order order)
{
	unsigned int cpu = s->state.cpu < 0 ? 0 : s->state.cpu;
	int ret = reader_open(&s->reader, ctx, files, name, cpu, order, BUF_SIZE);

	if (ret) {
		kmemtrace_stream_close(s);
		return ret;
	}
	*stream = s;
	return 0;
}

int kmemtrace_stream_cpu(const struct kmemtrace_trace *trace, size_t i)
{
	return i < trace->t.dir.nr_cpus ? (int)trace->t.dir.cpus[i].cpu : -1;
}

int kmemtrace_stream_open(struct kmemtrace_stream **stream,
			  struct kmemtrace_trace *trace, size_t i)
{
	const struct tracedir *dir = &trace->t.dir;
	struct kmemtrace_stream *s;
	enum stream_state found;
	int ret;

	*stream = NULL;
	if (trace->live || trace->is_gone)
		return -EINVAL;
	if (i >= dir->nr_cpus || dir->cpus[i].state == STREAM_MISSING)
		return -ENOENT;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->state.cpu = dir->cpus[i].cpu;
	if (!tracedir_meta_cpu(dir, "bytes.cpu", dir->cpus[i].cpu, &s->state.saved))
		s->state.saved = UINT64_MAX;
	ret = open_stream(stream, s, &trace->t.ctx, dir->files, dir->cpus[i].file, dir->order);
	if (ret)
		return ret;
	found = dir->cpus[i].state == STREAM_THERE ? streams_judge(dir, &s->reader) :
						    dir->cpus[i].state;
	s->state.problem = tracedir_stream_problem(found);
	return 0;
}

/* Ask the program whether to go on. Return true to end. */
static bool end_opening_records(void *arg)
{
	const struct kmemtrace_progress progress = {
		.size = sizeof(progress),
		.stage = KMEMTRACE_OPENING,
	};
	const struct kmemtrace_stream *s = arg;

	return s->options.watch(s->options.arg, &progress);
}

int kmemtrace_stream_open_file(struct kmemtrace_stream **stream, const char *path,
			       const struct kmemtrace_options *options)
{
	struct kmemtrace_stream *s = calloc(1, sizeof(*s));
	unsigned int cpu;
	int ret;

	*stream = NULL;
	if (!s)
		return -ENOMEM;
	ret = api_set_options(&s->options, options);
	if (ret) {
		free(s);
		return ret;
	}
	s->ctx.say = s->options.say;
	s->ctx.arg = s->options.arg;
	if (s->options.watch) {
		s->ctx.interrupt = end_opening_records;
		s->ctx.interrupt_arg = s;
	}
	s->state.cpu = name_is_stream(path, &cpu) ? (int64_t)cpu : -1;
	s->state.saved = UINT64_MAX;
	ret = files_open_here(&s->files, &s->ctx);
	if (ret) {
		kmemtrace_stream_close(s);
		return ret;
	}
	return open_stream(stream, s, &s->ctx, s->files, path, ORDER_UNKNOWN);
}

int kmemtrace_stream_next(struct kmemtrace_stream *stream,
			  const struct kmemtrace_record **record)
{
	struct reader *r = &stream->reader;
	int ret = reader_next_any(r);

	*record = NULL;
	if (ret <= 0)
		return ret;
	if (r->rec.ev)
		set_record(&stream->current, r, r->rec.time);
	else
		set_pad(&stream->current, r);
	*record = &stream->current.record;
	return 1;
}

const struct kmemtrace_stream_state *
kmemtrace_stream_get_state(struct kmemtrace_stream *stream)
{
	const struct reader *r = &stream->reader;
	struct kmemtrace_stream_state *state = &stream->state;

	state->size = sizeof(*state);
	state->name = r->path;
	state->offset = reader_offset(r);
	state->bytes = r->in.size;
	if (state->saved == UINT64_MAX)
		state->saved = state->bytes;
	state->fault = r->fault;
	state->fault_offset = r->in.fault_at;
	return state;
}

void kmemtrace_stream_close(struct kmemtrace_stream *stream)
{
	if (!stream)
		return;
	reader_close(&stream->reader);
	files_put(stream->files);
	free(stream);
}
