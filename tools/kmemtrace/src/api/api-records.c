// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: the records of a trace. kmemtrace.h says what the functions
 * do.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "api/api.h"
#include "common/memory.h"
#include "read/merge.h"
#include "read/streams.h"

/**
 * struct kmemtrace_records - a place in a trace
 * @streams: of all CPUs
 * @maps: for their times
 * @merge: the place
 * @until: time of the last records that are wanted
 * @record: the current one
 * @raw: all of its bytes
 */
struct kmemtrace_records {
	struct streams streams;
	struct timemaps maps;
	struct merge merge;
	int64_t until;
	struct kmemtrace_record record;
	uint64_t raw[EVENT_MAX_SIZE / sizeof(uint64_t)];
};

int kmemtrace_records_open(struct kmemtrace_trace *trace,
			   struct kmemtrace_records **records)
{
	struct kmemtrace_records *r = must_calloc(1, sizeof(*r));
	int ret;

	trace->is_used = true;
	ret = streams_open(&r->streams, &trace->t.dir, &r->maps);
	if (!ret)
		ret = merge_init(&r->merge, &trace->t.ctx, r->streams.readers,
				 r->streams.nr);
	r->until = trace_until(&trace->options, r->merge.time);
	if (ret) {
		kmemtrace_records_close(r);
		r = NULL;
	}
	*records = r;
	return ret;
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

/* How much of a record's tail is made of words? The name of a cache is text. */
static size_t words_of(const struct record *rec)
{
	size_t nr = rec->tail_size / sizeof(uint64_t);

	if (rec->ev->event_id == KMEMTRACE_EVENT_CACHE && nr)
		return 1;
	return nr;
}

static void set_raw(struct kmemtrace_records *r, const struct record *rec)
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

static void set_record(struct kmemtrace_records *r)
{
	const struct record *rec = &r->merge.cur->rec;

	r->record = (struct kmemtrace_record) {
		.size = sizeof(r->record),
		.time = r->merge.time,
		.cpu = r->merge.cur->cpu,
		.id = rec->ev->event_id,
	};
	set_raw(r, rec);
	switch (rec->ev->event_id) {
	case KMEMTRACE_EVENT_ALLOC:
	case KMEMTRACE_EVENT_FREE:
	case KMEMTRACE_EVENT_FAILED:
		set_event(&r->record, rec);
	}
}

int kmemtrace_records_next(struct kmemtrace_records *records,
			   const struct kmemtrace_record **record)
{
	int ret = merge_next(&records->merge);

	*record = NULL;
	if (ret <= 0 || records->merge.time > records->until)
		return ret < 0 ? ret : 0;
	set_record(records);
	*record = &records->record;
	return 1;
}
