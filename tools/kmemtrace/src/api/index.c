// SPDX-License-Identifier: GPL-2.0
/*
 * index.c - write the index of a stored trace, and begin to read where it says
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "api/index.h"
#include "api/sources.h"
#include "books/checkpoint.h"
#include "books/ledger.h"
#include "common/booksfile.h"
#include "common/file.h"
#include "kmemtrace.h"

#define LEVEL		3

/*
 * Changes between two moments: reading so many takes about a tenth of a second. There are fewer
 * moments where the file would take more than this part of the streams.
 */
#define MIN_EVENTS	3000000
#define PART		64

/* A state has no more bytes than the streams and these. */
#define MIN_BYTES	(1024 * 1024)

static const char magic[8] = "kmtindex";

/* Return the most bytes of the contents of a frame. */
static uint64_t max_bytes(const struct streams *s)
{
	uint64_t sum = MIN_BYTES;
	size_t i;

	for (i = 0; i < s->nr; i++)
		sum += s->readers[i].in.size;
	return sum;
}

/* ---- what the index is of ---- */

/* A file is the same as long as its size and the time of its last change are. */
static void list_file(struct archive *a, const struct file *f, bool is_there)
{
	archive_number(a, is_there ? f->size : UINT64_MAX, UINT64_MAX);
	archive_number(a, is_there ? (uint64_t)f->changed : 0, UINT64_MAX);
}

static void list_named(const struct index *ix, struct archive *a, const char *name)
{
	struct file f;
	int ret = file_open(&f, ix->t->dir.files, a->ctx, name);

	list_file(a, &f, !ret);
	file_close(&f);
}

/* List the files that the reading depends on; @anew: as they are now, not as they were opened. */
static void list_files(const struct index *ix, struct archive *a, bool anew)
{
	size_t i;

	*a = (struct archive) { .ctx = &ix->t->ctx };
	for (i = 0; i < ix->s->nr; i++) {
		const struct reader *r = &ix->s->readers[i];

		archive_number(a, r->cpu, UINT64_MAX);
		if (anew)
			list_named(ix, a, ix->t->dir.cpus[r->index].file);
		else
			list_file(a, &r->in.file, true);
	}
	list_named(ix, a, "metadata");
	list_named(ix, a, BOOKS_FILE);
}

/* Return whether no file has changed since it was opened. */
static bool are_same(const struct index *ix)
{
	struct archive now;
	bool same;

	list_files(ix, &now, true);
	same = now.size == ix->files.size && !now.is_damaged &&
	       !memcmp(now.bytes, ix->files.bytes, now.size);
	archive_free(&now);
	return same;
}

/* Store bytes, or expect the stored ones to be the same. @why_not: what to say if they differ. */
static void archive_same(struct index *ix, struct archive *a, const void *bytes, size_t size,
			 const char *why_not)
{
	const size_t nr = archive_count(a, size, 1);

	if (!a->reads) {
		archive_bytes(a, (void *)bytes, size);
		return;
	}
	if (a->is_damaged)
		return;
	archive_expect(a, nr == size && !memcmp(a->bytes + a->at, bytes, size));
	if (a->is_damaged)
		ix->why_not = why_not;
	else
		a->at += size;
}

/* The state has structures of this program, and follows its rules. */
static void archive_program(struct index *ix, struct archive *a)
{
	const uint64_t program[] = { SOURCES_SUM, sizeof(struct ledger), ORDER_NATIVE };

	archive_same(ix, a, program, sizeof(program), "it is of another version of the program");
}

/* ---- the state of the reading ---- */

static void archive_loss(struct loss *loss, struct archive *a)
{
	archive_value(a, &loss->cpu);
	archive_value(a, &loss->records);
	archive_value(a, &loss->nested);
	archive_value(a, &loss->since);
	archive_value(a, &loss->until);
}

/* Only what the records say: the rest is in the metadata, or is found at the end. */
static void archive_cpu(struct cpu_summary *cpu, struct archive *a)
{
	archive_value(a, &cpu->lost_reported);
	archive_value(a, &cpu->lost_before);
	archive_value(a, &cpu->nested);
	archive_bool(a, &cpu->numbered);
	archive_value(a, &cpu->subbufs);
	archive_value(a, &cpu->subbufs_before);
	archive_value(a, &cpu->subbufs_missing);
	archive_value(a, &cpu->carried);
}

static void archive_carried(struct carried *carried, struct archive *a)
{
	archive_bool(a, &carried->is_there);
	archive_bool(a, &carried->has_head);
	archive_bool(a, &carried->is_damaged);
	archive_bool(a, &carried->is_incomplete);
	archive_value(a, &carried->traces);
	archive_value(a, &carried->lost);
	archive_value(a, &carried->missing);
	carried->one_of = archive_number(a, carried->one_of, UINT32_MAX);
}

static void archive_trace(struct trace *t, struct archive *a)
{
	size_t i;

	archive_value(a, &t->first);
	archive_value(a, &t->uncertainty);
	archive_value(a, &t->nr_losses);
	for (i = 0; i < TRACE_MAX_LOSSES; i++)
		archive_loss(&t->losses[i], a);
	for (i = 0; i < t->dir.nr_cpus; i++)
		archive_cpu(&t->cpus[i], a);
	archive_carried(&t->carried, a);
	own_archive(&t->ledger.own, a);
	checkpoint_archive(&t->ledger, a);
}

static int archive_streams(struct streams *s, struct archive *a)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++)
		ret = reader_archive(&s->readers[i], a);
	return ret;
}

/* ---- write it ---- */

static int fail(const struct index *ix, int err)
{
	context_say(&ix->t->ctx, "%s/%s: %s", ix->t->dir.name, INDEX_FILE_NEW, strerror(-err));
	return err;
}

static int write_all(struct index *ix, const void *bytes, size_t size)
{
	int ret = file_write_all(ix->fd, bytes, size);

	if (ret)
		return fail(ix, ret);
	ix->at += size;
	return 0;
}

static int compress(struct index *ix, ZSTD_CCtx *zstd, const struct archive *a, void *to,
		    size_t bound, struct index_frame *frame)
{
	size_t stored;

	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
	stored = ZSTD_compress2(zstd, to, bound, a->bytes, a->size);
	if (ZSTD_isError(stored))
		return context_fail(a->ctx, -ENOMEM);
	*frame = (struct index_frame) { ix->at, stored, a->size };
	return write_all(ix, to, stored);
}

/* Append a frame. Return 0, or -errno after a message. */
static int write_frame(struct index *ix, const struct archive *a, struct index_frame *frame)
{
	const size_t bound = ZSTD_compressBound(a->size);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	void *to = context_realloc(a->ctx, NULL, 1, bound);
	int ret = zstd && to ? compress(ix, zstd, a, to, bound, frame) :
			       context_fail(a->ctx, -ENOMEM);

	ZSTD_freeCCtx(zstd);
	free(to);
	return ret;
}

/* Return how many events the next moment waits for, after a frame of so many bytes. */
static uint64_t events_after(const struct index *ix, uint64_t stored)
{
	const uint64_t wanted = ix->t->options.index_events;
	const uint64_t nr = stored * PART / sizeof(struct kmemtrace_event);

	if (wanted != KMEMTRACE_INDEX_DEFAULT)
		return wanted;
	return nr > MIN_EVENTS ? nr : MIN_EVENTS;
}

/**
 * index_begin - begin to write the index of a trace
 * @ix: result; index_close() it also after an error
 * @t: the trace
 * @s: its streams
 * @m: the merged streams
 *
 * Return: 0, or -errno after a message.
 */
int index_begin(struct index *ix, struct trace *t, struct streams *s, struct merge *m)
{
	*ix = (struct index) {
		.t = t, .s = s, .m = m, .fd = -1,
	};
	ix->pause_after = events_after(ix, 0);
	if (!files_can_write(t->dir.files)) {
		context_say(&t->ctx, "%s: no index can be beside a stream", t->dir.name);
		return -EINVAL;
	}
	list_files(ix, &ix->files, false);
	ix->fd = files_create(t->dir.files, &t->ctx, INDEX_FILE_NEW,
			      s->nr ? t->dir.cpus[s->readers->index].file : "metadata");
	return ix->fd < 0 ? ix->fd : 0;
}

static int add_point(struct index *ix, const struct archive *a, int64_t time)
{
	struct index_point *points = context_grow_list(a->ctx, ix->points, ix->nr,
						       sizeof(*points));
	int ret;

	if (!points)
		return -ENOMEM;
	ix->points = points;
	points[ix->nr] = (struct index_point) { .time = time };
	ret = write_frame(ix, a, &points[ix->nr].frame);
	if (!ret)
		ix->nr++;
	return ret;
}

/* What was the current record is the next one, unless it was taken. */
static void archive_place(struct index *ix, struct archive *a, bool *is_taken)
{
	archive_bool(a, is_taken);
	merge_archive(ix->m, a);
}

/*
 * A record that was not taken will be counted once more. All other threads wait, so the number may
 * change for a moment.
 */
static int archive_state(struct index *ix, struct archive *a, bool is_taken)
{
	struct reader *r = ix->m->cur;
	int ret;

	r->events -= !is_taken;
	archive_trace(ix->t, a);
	ret = archive_streams(ix->s, a);
	archive_place(ix, a, &is_taken);
	r->events += !is_taken;
	return ret;
}

/*
 * Return whether the state can be stored here. A record that was not taken will be read once more.
 * So it must be an event: of those, only the number was counted.
 */
static bool is_fit(const struct index *ix, bool is_taken)
{
	const uint8_t id = ix->m->cur->rec.ev->event_id;

	return (is_taken || id == KMEMTRACE_EVENT_ALLOC || id == KMEMTRACE_EVENT_FREE) &&
	       checkpoint_is_possible(&ix->t->ledger);
}

/**
 * index_add - add the current moment
 * @ix: the index, between two batches of the ledger
 * @is_taken: the current record was taken
 *
 * A state that can't be stored, or is larger than all that was read, is left out.
 *
 * Return: 0, or -errno after a message.
 */
int index_add(struct index *ix, bool is_taken)
{
	struct archive a = { .ctx = &ix->t->ctx };
	int ret;

	reader_complete(ix->m->cur);
	ix->pause_after = events_after(ix, 0);
	if (!is_fit(ix, is_taken))
		return 0;
	ret = ledger_update(&ix->t->ledger);
	if (!ret)
		ret = archive_state(ix, &a, is_taken);
	if (!ret && !a.is_damaged && a.size <= max_bytes(ix->s)) {
		ret = add_point(ix, &a, ix->m->time);
		if (!ret)
			ix->pause_after = events_after(ix, ix->points[ix->nr - 1].frame.stored);
	}
	archive_free(&a);
	return ret;
}

static void archive_points(struct index *ix, struct archive *a)
{
	uint64_t end = 0;
	size_t i;

	ix->nr = archive_count(a, ix->nr, sizeof(*ix->points));
	ix->points = archive_list(a, ix->points, ix->nr, sizeof(*ix->points));
	for (i = 0; !a->is_damaged && i < ix->nr; i++) {
		const struct index_point *point = &ix->points[i];

		archive_expect(a, point->frame.at == end &&
				  (!i || point->time >= point[-1].time));
		end += point->frame.stored;
	}
	if (a->is_damaged)
		ix->nr = 0;
}

static void archive_table(struct index *ix, struct archive *a)
{
	archive_program(ix, a);
	archive_same(ix, a, ix->files.bytes, ix->files.size,
		     "the trace has changed since, or was copied");
	if (!a->is_damaged)
		timemaps_archive(&ix->t->maps, a);
	archive_value(a, &ix->t->first);
	archive_points(ix, a);
}

/**
 * index_end - complete the index
 * @ix: the index
 *
 * Return: 0, or -errno after a message.
 */
int index_end(struct index *ix)
{
	struct files *files = ix->t->dir.files;
	struct archive a = { .ctx = &ix->t->ctx };
	struct index_end end = { .table = { 0 } };
	int ret;

	memcpy(end.magic, magic, sizeof(magic));
	archive_table(ix, &a);
	ret = write_frame(ix, &a, &end.table);
	archive_free(&a);
	if (!ret)
		ret = write_all(ix, &end, sizeof(end));
	if (!ret && fsync(ix->fd))
		ret = fail(ix, -errno);
	if (!ret && !are_same(ix)) {
		context_say(a.ctx, "%s: no index: the trace changed while it was read",
			    ix->t->dir.name);
		ret = -EBUSY;
	}
	if (!ret)
		ret = files_rename(files, &ix->t->ctx, INDEX_FILE_NEW, INDEX_FILE);
	if (ret)
		return ret;
	close(ix->fd);
	ix->fd = -1;
	return 0;
}

/* ---- use it ---- */

/* Decompress a frame into an archive. Return 0 or -errno; -EILSEQ: it is damaged. */
static int read_frame(const struct index *ix, const struct index_frame *frame, struct archive *a)
{
	const struct file *f = &ix->file;
	unsigned char *stored;
	int ret = 0;

	*a = (struct archive) { .ctx = &ix->t->ctx, .reads = true, .size = frame->bytes };
	if (frame->at > f->size || frame->stored > f->size - frame->at ||
	    frame->bytes > max_bytes(ix->s))
		return -EILSEQ;
	stored = context_realloc(a->ctx, NULL, 1, frame->stored + 1);
	a->bytes = context_realloc(a->ctx, NULL, 1, frame->bytes + 1);
	if (!stored || !a->bytes)
		ret = -ENOMEM;
	else if (file_read(f, stored, frame->stored, frame->at) != (ssize_t)frame->stored ||
		 ZSTD_decompress(a->bytes, frame->bytes, stored, frame->stored) != frame->bytes)
		ret = -EILSEQ;
	free(stored);
	return ret;
}

static int read_table(struct index *ix)
{
	const struct file *f = &ix->file;
	struct index_end end;
	struct archive a;
	int ret;

	if (f->size < sizeof(end) ||
	    file_read(f, &end, sizeof(end), f->size - sizeof(end)) != sizeof(end) ||
	    memcmp(end.magic, magic, sizeof(magic)))
		return -EILSEQ;
	ret = read_frame(ix, &end.table, &a);
	if (!ret) {
		archive_table(ix, &a);
		ret = a.is_damaged || a.at != a.size ? -EILSEQ : 0;
	}
	archive_free(&a);
	return ret;
}

/* Say why the index is not used. Return 0; but without memory, -errno. */
static int ignore(struct index *ix, int err)
{
	struct trace *t = ix->t;

	if (context_error(&t->ctx))
		return context_error(&t->ctx);
	context_say(&t->ctx, "%s/%s: ignored, %s; kmemtrace-report --index writes a new one",
		    t->dir.name, INDEX_FILE, ix->why_not ? ix->why_not :
		    err == -EILSEQ ? "it is damaged" : strerror(-err));
	index_close(ix);
	timemaps_close(&t->maps);
	t->maps = (struct timemaps) { .nr_held = 0 };
	return 0;
}

/**
 * index_open - open the index beside a trace
 * @ix: result; without an index that is valid, it has no moment. index_close() it also after an
 *	error
 * @t: the trace; its maps are those of the index, if that is valid
 * @s: its streams, opened
 *
 * Return: 0, or -errno.
 */
int index_open(struct index *ix, struct trace *t, struct streams *s)
{
	int ret;

	*ix = (struct index) { .t = t, .s = s, .fd = -1 };
	if (!files_can_write(t->dir.files))
		return 0;
	/* An index that can't be opened is no reason not to read the trace. */
	if (file_open(&ix->file, t->dir.files, &t->ctx, INDEX_FILE))
		return context_error(&t->ctx);
	list_files(ix, &ix->files, false);
	ret = read_table(ix);
	if (ret)
		return ignore(ix, ret);
	ix->is_valid = true;
	streams_set_times(s, &t->dir, &t->maps);
	return 0;
}

/* Return the last moment up to a time, or NULL. */
const struct index_point *index_find(const struct index *ix, int64_t until)
{
	size_t low = 0, high = ix->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (ix->points[mid].time <= until)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &ix->points[low - 1] : NULL;
}

static int restore(struct index *ix, struct merge *m, struct archive *a)
{
	struct trace *t = ix->t;
	bool is_taken = false;
	int ret;

	ix->m = m;
	archive_trace(t, a);
	ret = archive_streams(ix->s, a);
	if (!ret && !a->is_damaged)
		ret = merge_init(m, &t->ctx, ix->s->readers, ix->s->nr);
	if (!ret && !a->is_damaged)
		archive_place(ix, a, &is_taken);
	if (!ret && is_taken)
		archive_expect(a, merge_next(m) == 1);
	if (!ret && (a->is_damaged || a->at != a->size))
		ret = -EILSEQ;
	return ret;
}

/**
 * index_go_to - restore the state of the reading
 * @ix: the index
 * @m: result: the merged streams, at the first record that was not taken. merge_free() it also
 *	after an error
 * @point: one of its moments
 *
 * Return: 0, or -errno, then the ledger can only be freed; -EILSEQ, after a message: the index is
 *	damaged.
 */
int index_go_to(struct index *ix, struct merge *m, const struct index_point *point)
{
	struct archive a;
	int ret;

	*m = (struct merge) { .time = 0 };
	ret = read_frame(ix, &point->frame, &a);
	if (!ret)
		ret = restore(ix, m, &a);
	archive_free(&a);
	if (context_error(&ix->t->ctx))
		return context_error(&ix->t->ctx);
	if (ret == -EILSEQ)
		ignore(ix, ret);
	return ret;
}

/* Free all memory; a file that index_end() did not complete is removed. */
void index_close(struct index *ix)
{
	/* The lock is held until the file has no name any more. */
	if (ix->fd >= 0) {
		files_rename(ix->t->dir.files, &ix->t->ctx, INDEX_FILE_NEW, NULL);
		close(ix->fd);
	}
	file_close(&ix->file);
	free(ix->points);
	if (ix->t)
		archive_free(&ix->files);
	*ix = (struct index) { .fd = -1 };
}
