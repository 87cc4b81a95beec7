// SPDX-License-Identifier: GPL-2.0
/*
 * The stream of one CPU: buffered reads, every length checked against what is
 * there.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "reader.h"

/* Move what is left to the front of the buffer and read behind it. */
static int refill(struct reader *r)
{
	size_t left = r->end - r->pos;
	ssize_t n;

	memmove(r->buf, r->buf + r->pos, left);
	r->pos = 0;
	r->end = left;
	while (r->end < r->buf_size) {
		n = read(r->fd, r->buf + r->end, r->buf_size - r->end);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			n = -errno;
			warn("%s: read", r->path);
			return n;
		}
		if (!n)
			break;
		r->end += n;
	}
	return 0;
}

static int find_order(struct reader *r)
{
	if (r->end < EVENT_MIN_SIZE)
		return 0;
	r->order = event_order(r->buf);
	if (r->order != ORDER_UNKNOWN)
		return 0;
	warnx("%s: not a kmemtrace stream: the size of its first record is possible in neither byte order",
	      r->path);
	return -EILSEQ;
}

/**
 * reader_open - open the stream of one CPU
 * @r: the reader to set up; reader_close() it also after an error
 * @path: the file
 * @cpu: number of the CPU
 * @order: byte order, or ORDER_UNKNOWN to find it from the first record
 * @buf_size: bytes to read at a time, EVENT_MAX_SIZE at least
 *
 * Return: 0, or -errno after a message. -EILSEQ: the byte order can't be known.
 */
int reader_open(struct reader *r, const char *path, unsigned int cpu,
		enum byte_order order, size_t buf_size)
{
	struct stat st;
	int ret;

	memset(r, 0, sizeof(*r));
	r->cpu = cpu;
	r->order = order;
	r->buf_size = buf_size;
	r->fd = file_open_regular(path);
	if (r->fd < 0) {
		if (r->fd == -ENOENT)
			warnx("%s: open: %s", path, strerror(ENOENT));
		return r->fd;
	}
	r->path = strdup(path);
	r->buf = malloc(buf_size);
	if (!r->path || !r->buf)
		return -ENOMEM;
	if (fstat(r->fd, &st) < 0) {
		ret = -errno;
		warn("%s: stat", path);
		return ret;
	}
	r->file_size = st.st_size;

	ret = refill(r);
	if (!ret && order == ORDER_UNKNOWN)
		ret = find_order(r);
	return ret;
}

static int end_of_stream(struct reader *r, enum reader_fault fault)
{
	r->fault = fault;
	r->ev = NULL;
	r->ev_size = 0;
	return 0;
}

/* The rare part of reader_next(): at the buffer's end, or a size that is odd. */
static int next_slow(struct reader *r)
{
	size_t size;
	int ret;

	ret = refill(r);
	if (ret)
		return ret;
	if (r->pos == r->end)
		return end_of_stream(r, READER_OK);
	if (r->end < EVENT_MIN_SIZE)
		return end_of_stream(r, READER_TRUNCATED);
	size = event_size(r->buf, r->order);
	if (size < EVENT_MIN_SIZE || size > EVENT_MAX_SIZE)
		return end_of_stream(r, READER_BAD_SIZE);
	if (size > r->end)
		return end_of_stream(r, READER_TRUNCATED);
	return 1;
}

/**
 * reader_next - go to the next record
 * @r: an open reader
 *
 * Sets @r->ev and @r->offset. At the end @r->fault says whether all of the file
 * was read, and @r->offset stands where reading stopped.
 *
 * Return: 1 with a record, 0 at the end, -errno after a message.
 */
int reader_next(struct reader *r)
{
	const unsigned char *rec;
	size_t left;
	int ret;

	r->pos += r->ev_size;
	r->offset += r->ev_size;
	left = r->end - r->pos;
	rec = r->buf + r->pos;
	if (left >= EVENT_MAX_SIZE) {
		r->ev_size = event_size(rec, r->order);
		if (r->ev_size < EVENT_MIN_SIZE || r->ev_size > EVENT_MAX_SIZE)
			return end_of_stream(r, READER_BAD_SIZE);
	} else {
		ret = next_slow(r);
		if (ret <= 0)
			return ret;
		rec = r->buf;
		r->ev_size = event_size(rec, r->order);
	}

	/* Only in a damaged stream is a record not aligned. */
	if (r->order == ORDER_NATIVE &&
	    (uintptr_t)rec % _Alignof(struct kmemtrace_event) == 0) {
		r->ev = (const struct kmemtrace_event *)rec;
	} else {
		event_decode(rec, r->order, &r->decoded);
		r->ev = &r->decoded;
	}
	return 1;
}

/*
 * Refill, and let the current record be found where it is then. One that was
 * decoded doesn't move.
 */
static bool refill_behind(struct reader *r)
{
	bool moves = r->ev != &r->decoded;
	int ret = refill(r);

	if (moves)
		r->ev = (const struct kmemtrace_event *)r->buf;
	return !ret;
}

/**
 * reader_peek_time - the time of a record further on
 * @r: a reader with a current record
 * @ahead: how many records on, a few
 * @time: result
 *
 * Return: false when there is no such record.
 */
bool reader_peek_time(struct reader *r, unsigned int ahead, int64_t *time)
{
	size_t at = r->ev_size, size;

	for (;;) {
		if (r->pos + at + EVENT_MIN_SIZE > r->end &&
		    (!refill_behind(r) || at + EVENT_MIN_SIZE > r->end))
			return false;
		size = event_size(r->buf + r->pos + at, r->order);
		if (size < EVENT_MIN_SIZE || size > EVENT_MAX_SIZE)
			return false;
		if (!--ahead)
			break;
		at += size;
	}
	*time = event_time(r->buf + r->pos + at, r->order);
	return true;
}

/**
 * reader_peek_ptr - guess what a record further on is about
 * @r: a reader with a current record
 * @ahead: how many records on, if all are as long as this one
 *
 * Return: the address in that record, 0 when it was not read yet. A hint:
 * nothing of it was checked.
 */
uint64_t reader_peek_ptr(const struct reader *r, unsigned int ahead)
{
	size_t pos = r->pos + ahead * r->ev_size;

	if (pos + EVENT_MIN_SIZE > r->end)
		return 0;
	return event_ptr(r->buf + pos, r->order);
}

/* Give back what reader_open() took, however far it came; not twice. */
void reader_close(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	free(r->buf);
}
