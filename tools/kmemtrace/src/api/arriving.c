// SPDX-License-Identifier: GPL-2.0
/*
 * arriving.c - the streams of a trace that arrives, merged as far as they have arrived
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "api/arriving.h"
#include "common/text.h"

/* Most bytes of the metadata, as in tracedir.c. */
#define MAX_METADATA	(16 << 20)

#define FLUSHED		"flushed_ns: "

static unsigned int version_of_metadata(const struct spool *s)
{
	const struct spooled *f = spool_find(s, PACKET_METADATA);

	return f ? f->version : 0;
}

/**
 * arriving_find_flush - take over the time of a flush, if other metadata have arrived
 * @files: the stream
 * @ctx: the context of the trace
 * @flush: the last flush, zeroed before the first call
 *
 * Return: 0, or -errno after a message.
 */
int arriving_find_flush(struct files *files, struct context *ctx, struct flush *flush)
{
	const unsigned int version = version_of_metadata(files_stream(files));
	char *line, *begin;
	struct text text;
	uint64_t ns = 0;
	int ret;

	if (version == flush->version)
		return 0;
	flush->version = version;
	ret = files_read(files, ctx, PACKET_METADATA, MAX_METADATA, &text);
	begin = text.at;
	while (!ret && text.at && (line = text_line(&text)))
		if (!strncmp(line, FLUSHED, strlen(FLUSHED)))
			ns = strtoull(line + strlen(FLUSHED), NULL, 10);
	free(begin);
	if (ns <= INT64_MAX && ns > flush->ns)
		flush->ns = ns;
	return ret;
}

/**
 * arriving_begin - begin to read a trace
 * @a: result; arriving_close() it also after an error
 * @t: the trace, with its context
 * @files: the stream, which must stay until then
 * @follows: see struct arriving
 *
 * Return: 0 or -errno.
 */
int arriving_begin(struct arriving *a, struct trace *t, struct files *files, bool follows)
{
	*a = (struct arriving) {
		.t = t, .files = files, .spool = files_stream(files), .follows = follows,
	};
	if (!follows)
		timemaps_begin(&t->maps);
	return merge_init(&a->merge, &t->ctx, NULL, 0);
}

/* ---- what has arrived ---- */

static int add_stream(struct arriving *a, struct spooled *f)
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
	ret = reader_open_arriving(&s->r, &t->ctx, a->files, f->name, f->cpu, t->order,
				   &a->decoder);
	s->r.maps = &t->maps;
	if (a->follows)
		s->r.growing = &t->maps;
	else
		clocks_begin(&s->clocks, &t->dir, &s->r.in, f->cpu, t->order);
	return ret;
}

/* Parse the metadata, and list the files, if any of that has changed. Return 0 or -errno. */
static int list_files(struct arriving *a)
{
	const unsigned int version = version_of_metadata(a->spool);
	int ret = 0;

	if (a->nr_files == a->spool->nr && a->metadata == version)
		return 0;
	a->metadata = version;
	ret = trace_list_again(a->t, a->files);
	for (; !ret && a->nr_files < a->spool->nr; a->nr_files++)
		if (a->spool->list[a->nr_files]->cpu >= 0)
			ret = add_stream(a, a->spool->list[a->nr_files]);
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

/**
 * arriving_update - take over what has arrived
 * @a: the reading
 *
 * Return: 0, or -errno after a message.
 */
int arriving_update(struct arriving *a)
{
	int ret = list_files(a);
	size_t i;

	a->has_all = a->spool->is_over;
	for (i = 0; !ret && i < a->nr; i++) {
		trace_number(a->t, &a->streams[i]->r);
		ret = reader_update(&a->streams[i]->r, !a->has_all);
		if (!ret && !a->follows)
			ret = take_clocks(a, a->streams[i]);
	}
	return ret;
}

/* ---- records ---- */

/* Return whether a stream has a record, or may have none. */
static bool is_readable(const struct stream *s)
{
	return s->r.in.size >= EVENT_MIN_SIZE || !s->r.in.grows;
}

/* Merge the streams that have begun, too. Return 0 or -errno. */
static int merge_streams(struct arriving *a)
{
	struct reader **list;
	size_t i, nr = 0;
	int ret = 0;

	list = context_calloc(&a->t->ctx, a->nr + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < a->nr; i++) {
		if (a->streams[i]->is_merged || !is_readable(a->streams[i]))
			continue;
		a->streams[i]->is_merged = true;
		list[nr++] = &a->streams[i]->r;
	}
	if (nr)
		ret = merge_add(&a->merge, list, nr);
	free(list);
	return ret;
}

/**
 * arriving_resume - merge what has arrived
 * @a: the reading, after arriving_update()
 * @reached: no record from before this time arrives any more
 *
 * Return: 0, or -errno after a message.
 */
int arriving_resume(struct arriving *a, int64_t reached)
{
	struct trace *t = a->t;
	int ret = merge_streams(a);
	size_t i;

	if (!ret)
		ret = merge_resume(&a->merge, reached);
	for (i = 0; t->order == ORDER_UNKNOWN && i < a->nr; i++)
		t->order = a->streams[i]->r.order;
	return ret;
}

/**
 * arriving_forget - forget bytes that are not needed any more
 * @a: the reading
 * @is_read: no more records are read; else those that were not taken stay
 *
 * Clocks that were not found stay, too.
 */
void arriving_forget(struct arriving *a, bool is_read)
{
	const struct stream *s;
	uint64_t end;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		s = a->streams[i];
		end = is_read || s->r.fault ? s->r.in.size : reader_offset(&s->r);
		if (!a->follows && !s->clocks.is_over && end > s->clocks.offset)
			end = s->clocks.offset;
		spooled_forget(a->spool, s->file, input_kept(&s->r.in, end));
	}
}

/* Return the sums over all streams. */
struct streams_progress arriving_progress(const struct arriving *a)
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

/* Sum up what the streams said so far. */
void arriving_take_streams(const struct arriving *a)
{
	size_t i;

	for (i = 0; i < a->nr; i++)
		trace_take_stream(a->t, &a->streams[i]->r);
	trace_sum_losses(a->t);
}

/* Undo arriving_begin(). */
void arriving_close(struct arriving *a)
{
	size_t i;

	for (i = 0; i < a->nr; i++) {
		reader_close(&a->streams[i]->r);
		free(a->streams[i]);
	}
	free(a->streams);
	decoder_free(&a->decoder);
	merge_free(&a->merge);
}
