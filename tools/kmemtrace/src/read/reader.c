// SPDX-License-Identifier: GPL-2.0
/*
 * reader.c - read the stream of one CPU record by record
 *
 * Each length is checked against the bytes that remain.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/clocks.h"
#include "read/reader.h"

/* Set where reader_peek_quick() stops: it needs whole records of this machine's order. */
static void set_quick_end(struct reader *r)
{
	r->quick_end = r->buf;
	if (r->order == ORDER_NATIVE && r->end >= EVENT_MAX_SIZE)
		r->quick_end = r->buf + (r->end - EVENT_MAX_SIZE + 1);
}

/* Read more behind the rest in the buffer. */
static void read_more(struct reader *r)
{
	ssize_t n = input_read(&r->in, r->buf + r->end, r->buf_size - r->end,
			       r->begin + r->end);

	if (n >= 0) {
		r->end += n;
		return;
	}
	context_say(r->ctx, "%s: read: %s", r->path, strerror(-n));
	r->error = n;
}

/*
 * Go to a place in the buffer. It is where the next record begins, too, until that is known.
 */
static void go_to(struct reader *r, const unsigned char *at)
{
	r->at = at;
	r->next = at;
}

/* Most bytes to read at a time from a stream that is still arriving. */
#define ARRIVING_BUFFER	(64 * 1024)

/* Let the buffer of a stream that arrives be as large as what waits, within limits. */
static void grow_buffer(struct reader *r)
{
	const size_t at = r->at - r->buf, next = r->next - r->buf;
	const uint64_t waiting = r->in.size - r->begin;
	size_t size = waiting < ARRIVING_BUFFER ? waiting : ARRIVING_BUFFER;
	unsigned char *buf;

	if (size <= r->buf_size)
		return;
	buf = context_realloc(r->ctx, r->memory, 1, size + 1);
	if (!buf) {
		r->error = -ENOMEM;
		return;
	}
	r->memory = buf;
	r->buf = buf;
	r->buf_size = size;
	r->at = buf + at;
	r->next = buf + next;
}

/* ---- blocks that are read ahead ---- */

/*
 * Bytes of the room before a block: what remains of the block before it is copied there, so that a
 * record is never in two parts.
 */
#define BLOCK_ROOM	EVENT_MAX_SIZE

/* Read the next block, in any thread. */
static bool read_block(struct fetch *fetch, unsigned int block)
{
	struct reader_blocks *next = (struct reader_blocks *)fetch;
	struct reader_block *b = &next->list[block];

	b->offset = next->offset;
	b->len = input_read(next->in, b->memory + BLOCK_ROOM, next->size, b->offset);
	if (b->len > 0)
		next->offset += b->len;
	return b->len > 0 && next->offset < next->in->size;
}

/* Let the blocks behind the buffer be read. */
static void want_blocks(struct reader *r)
{
	if (!r->fetcher || r->error || r->begin + r->end >= r->in.size)
		return;
	r->blocks.offset = r->begin + r->end;
	fetcher_want(r->fetcher, &r->blocks.fetch);
}

/* Make a block the buffer. It begins with the @rest of the buffer. */
static void use_block(struct reader *r, struct reader_block *b, size_t rest)
{
	const size_t next = r->next - r->at;
	unsigned char *memory = b->memory;

	r->begin += r->at - r->buf;
	r->buf = memory + BLOCK_ROOM - rest;
	memcpy(r->buf, r->at, rest);
	b->memory = r->memory;
	r->memory = memory;
	r->buf_size = rest + r->blocks.size;
	r->end = rest + b->len;
	r->at = r->buf;
	r->next = r->buf + next;
}

/* Make the next block the buffer. Return false, with nothing done, if it was not read. */
static bool take_block(struct reader *r)
{
	const size_t rest = r->end - (size_t)(r->at - r->buf);
	const struct reader_block *b;
	int nr;

	if (!r->fetcher)
		return false;
	nr = fetcher_take(r->fetcher, &r->blocks.fetch);
	if (nr < 0)
		return false;
	b = &r->blocks.list[nr];
	if (b->len <= 0 || b->offset != r->begin + r->end || rest > BLOCK_ROOM) {
		fetcher_clear(r->fetcher, &r->blocks.fetch);
		return false;
	}
	use_block(r, &r->blocks.list[nr], rest);
	fetcher_give(r->fetcher, &r->blocks.fetch);
	return true;
}

/* Move the rest to the front of the buffer and read more behind it. */
static void move_rest(struct reader *r)
{
	size_t moved = r->at - r->buf;

	memmove(r->buf, r->at, r->end - moved);
	r->at = r->buf;
	r->next -= moved;
	r->begin += moved;
	r->end -= moved;
	if (!r->error)
		read_more(r);
}

/*
 * Let the buffer begin with the current record, and have more behind it. An error stays, because
 * a stream that went on after it could lack records.
 */
static int refill(struct reader *r)
{
	if (r->may_grow && !r->error)
		grow_buffer(r);
	if (!take_block(r)) {
		move_rest(r);
		want_blocks(r);
	}
	set_quick_end(r);
	return r->error;
}

/*
 * Let @r->rec.ev be the current record. A record is unaligned in a damaged stream only: then it is
 * a copy, as in a foreign byte order.
 */
static void set_current_event(struct reader *r)
{
	if (r->order == ORDER_NATIVE && reader_is_aligned(r->at)) {
		r->rec.ev = (const struct kmemtrace_event *)r->at;
	} else {
		event_decode(r->at, r->order, &r->decoded);
		r->rec.ev = &r->decoded;
	}
	r->rec.tail = r->at + EVENT_MIN_SIZE;
}

/* After the current record, if there is one, got another place. */
static void move_record(struct reader *r)
{
	if (r->rec.ev)
		set_current_event(r);
}

/* Return memory for a block and the room before it; NULL: there is none. */
static unsigned char *block_memory(const struct reader *r)
{
	return context_realloc(r->ctx, NULL, 1, BLOCK_ROOM + r->blocks.size + 1);
}

/* Use the memory of a block for the buffer. */
static void move_buffer(struct reader *r, unsigned char *memory)
{
	const size_t at = r->at - r->buf, next = r->next - r->buf;

	memcpy(memory + BLOCK_ROOM, r->buf, r->end);
	free(r->memory);
	r->memory = memory;
	r->buf = memory + BLOCK_ROOM;
	r->buf_size = r->blocks.size;
	r->at = r->buf + at;
	r->next = r->buf + next;
	set_quick_end(r);
	move_record(r);
}

/**
 * reader_read_ahead - let other threads read blocks of a stream before they are needed
 * @r: an open reader of a complete file
 * @fetcher: gets the blocks
 * @block: bytes of a block, at least those of the buffer, and a multiple of 8
 *
 * Does nothing for a short stream, or one whose frames are large. reader_stop_ahead() must follow.
 */
void reader_read_ahead(struct reader *r, struct fetcher *fetcher, size_t block)
{
	struct reader_blocks *next = &r->blocks;
	unsigned char *memory;
	size_t i;

	if (r->in.size <= block || !input_detach(&r->in))
		return;
	*next = (struct reader_blocks) { .fetch.run = read_block, .in = &r->in, .size = block };
	for (i = 0; i < FETCH_BLOCKS; i++)
		next->list[i].memory = block_memory(r);
	memory = block_memory(r);
	if (memory)
		move_buffer(r, memory);
	if (context_error(r->ctx))
		return;
	r->fetcher = fetcher;
	want_blocks(r);
}

/* End that, when no other thread works. */
void reader_stop_ahead(struct reader *r)
{
	size_t i;

	if (r->fetcher)
		fetcher_clear(r->fetcher, &r->blocks.fetch);
	r->fetcher = NULL;
	for (i = 0; i < FETCH_BLOCKS; i++)
		free(r->blocks.list[i].memory);
	r->blocks = (struct reader_blocks) { .in = NULL };
}

/* Find the byte order from the first record, if it is unknown. Return 0 or -EILSEQ. */
static int find_order(struct reader *r)
{
	if (r->order == ORDER_UNKNOWN && r->end >= EVENT_MIN_SIZE)
		r->order = event_order(r->buf);
	r->rec.order = r->order;
	set_quick_end(r);
	if (r->order != ORDER_UNKNOWN || r->end < EVENT_MIN_SIZE)
		return 0;
	r->error = -EILSEQ;
	context_say(r->ctx, "%s: not a kmemtrace stream: the size of its first record is possible in neither byte order",
		    r->path);
	return -EILSEQ;
}

/* A stream that is shorter needs no larger buffer. */
static int allocate_buffer(struct reader *r, size_t size)
{
	r->buf_size = r->in.size < size ? r->in.size : size;
	r->memory = context_realloc(r->ctx, NULL, 1, r->buf_size + 1);
	r->buf = r->memory;
	go_to(r, r->buf);
	return r->buf ? 0 : -ENOMEM;
}

static int set_up(struct reader *r, struct files *files, const char *name,
		  size_t buf_size, struct decoder *decoder)
{
	int ret;

	r->path = files_label_of(files, name);
	if (!r->path)
		return context_fail(r->ctx, -ENOMEM);
	ret = input_open(&r->in, r->ctx, files, name, decoder);
	if (ret == -ENOENT)
		context_say(r->ctx, "%s: open: %s", r->path, strerror(-ret));
	if (!ret)
		ret = allocate_buffer(r, buf_size);
	return ret ? ret : refill(r);
}

/* reader_open() for a stream that shares a decoder, see input_open(). */
int reader_open_shared(struct reader *r, struct context *ctx, struct files *files,
		       const char *name, unsigned int cpu, enum byte_order order,
		       size_t buf_size, struct decoder *decoder)
{
	int ret;

	*r = (struct reader) {
		.ctx = ctx,
		.cpu = cpu,
		.order = order,
	};
	ret = set_up(r, files, name, buf_size, decoder);
	return ret ? ret : find_order(r);
}

/**
 * reader_open - open the stream of one CPU
 * @r: the reader to set up; reader_close() it also after an error
 * @ctx: the context of the trace
 * @files: where the stream is
 * @name: name of its file
 * @cpu: number of the CPU
 * @order: byte order, or ORDER_UNKNOWN to find it from the first record
 * @buf_size: bytes to read at a time, EVENT_MAX_SIZE at least; READER_MIN_BUFFER where
 *	reader_peek_time() must find the same for any size
 *
 * Return: 0, or -errno after a message. -EILSEQ: the byte order can't be known.
 */
int reader_open(struct reader *r, struct context *ctx, struct files *files,
		const char *name, unsigned int cpu, enum byte_order order,
		size_t buf_size)
{
	return reader_open_shared(r, ctx, files, name, cpu, order, buf_size, NULL);
}

/**
 * reader_open_arriving - open the stream of one CPU whose file is still arriving
 * @r: the reader to set up; reader_close() it also after an error
 * @ctx: the context of the trace
 * @files: where the stream is
 * @name: name of its file
 * @cpu: number of the CPU
 * @order: byte order, or ORDER_UNKNOWN to find it from the first record
 * @decoder: as for input_open()
 *
 * reader_update() tells the reader what has arrived. Set its maps before the first record. If they
 * are not @r->growing, a record whose time may still change is not read.
 *
 * Return: 0, or -errno after a message.
 */
int reader_open_arriving(struct reader *r, struct context *ctx, struct files *files,
			 const char *name, unsigned int cpu, enum byte_order order,
			 struct decoder *decoder)
{
	int ret;

	*r = (struct reader) {
		.ctx = ctx,
		.cpu = cpu,
		.order = order,
		.path = files_label_of(files, name),
		.reached = INT64_MAX,
		.is_arriving = true,
		.may_grow = true,
	};
	if (!r->path)
		return context_fail(ctx, -ENOMEM);
	ret = input_open_arriving(&r->in, ctx, files, name, decoder);
	if (ret)
		return ret;
	r->rec.order = order;
	return allocate_buffer(r, ARRIVING_BUFFER);
}

/**
 * reader_update - take over how much of a stream has arrived
 * @r: a reader that reader_open_arriving() opened
 * @grows: more bytes, or clocks, may arrive
 *
 * Return: 0, or -errno after a message.
 */
int reader_update(struct reader *r, bool grows)
{
	r->is_arriving = grows;
	return input_update(&r->in, grows);
}

/* Go back to where reader_open() left the reader. Return 0, or -errno after a message. */
int reader_rewind(struct reader *r)
{
	r->rec = (struct record) { .order = r->order };
	r->span = (struct timespan) { .length = 0 };
	r->map = NULL;
	r->first_map = NULL;
	r->fault = READER_OK;
	r->rejected = 0;
	r->begin = 0;
	r->pads = 0;
	r->end = 0;
	go_to(r, r->buf);
	return refill(r);
}

/* Return the fault of a file that is incomplete or damaged, else @otherwise. */
static enum reader_fault file_fault(const struct reader *r,
				    enum reader_fault otherwise)
{
	if (r->in.fault == INPUT_CUT)
		return READER_CUT;
	return r->in.fault == INPUT_DAMAGED ? READER_DAMAGED : otherwise;
}

static void clear_record(struct reader *r)
{
	r->rec = (struct record) { 0 };
	r->next = r->at;
}

static int end_of_stream(struct reader *r, enum reader_fault fault)
{
	r->fault = fault == READER_BAD_SIZE ? fault : file_fault(r, fault);
	clear_record(r);
	return 0;
}

/* Wait for more bytes, or for a clock. The time of the last record is still needed. */
static int wait_for_bytes(struct reader *r, int64_t reached)
{
	const int64_t time = r->rec.time;

	clear_record(r);
	r->rec.time = time;
	r->reached = reached;
	return -EAGAIN;
}

/* End the stream, unless more bytes may arrive. */
static int end_of_bytes(struct reader *r, enum reader_fault fault)
{
	return r->in.grows ? wait_for_bytes(r, INT64_MAX) : end_of_stream(r, fault);
}

/* Find a whole record where the buffer ends. Return as reader_next(). */
static int next_slow(struct reader *r)
{
	size_t size;
	int ret;

	ret = refill(r);
	if (!ret)
		ret = find_order(r);
	if (ret) {
		clear_record(r);
		return ret;
	}
	if (!r->end)
		return end_of_bytes(r, r->begin == r->in.size ? READER_OK :
								READER_TRUNCATED);
	/* The order is unknown if the file is too short for a record. */
	if (r->end < EVENT_PAD_SIZE || r->order == ORDER_UNKNOWN ||
	    (r->end < EVENT_MIN_SIZE && !event_is_pad(r->buf)))
		return end_of_bytes(r, READER_TRUNCATED);
	size = event_size(r->buf, r->order);
	if (!event_size_possible(r->buf, size))
		return end_of_stream(r, READER_BAD_SIZE);
	if (size > r->end)
		return end_of_bytes(r, READER_TRUNCATED);
	return 1;
}

static void set_padding(struct reader *r, const unsigned char *bytes)
{
	const size_t size = r->next - bytes;

	r->pads += size;
	r->rec = (struct record) {
		.tail = bytes,
		.tail_size = size,
		.order = r->order,
	};
}

/* The clock at the beginning of a sub-buffer applies to all of its records. */
static const struct timemap *map_from(const struct reader *r,
				      const unsigned char *bytes,
				      const struct timemap *before)
{
	const struct timemap *map;

	if (!r->maps || bytes[0] != KMEMTRACE_EVENT_CLOCK)
		return before;
	map = bytes[1] < TIMEMAP_CLOCKS ? &r->maps->of[bytes[1]] : NULL;
	return map && map->nr ? map : NULL;
}

/* Set the span of timestamps that are converted alike; none after a change of clocks. */
static void set_span(struct reader *r, const struct timemap *map)
{
	if (map != r->first_map || map != r->map)
		r->span.length = 0;
	else if (map)
		r->span = timemap_span(map, r->hint);
	else
		r->span = (struct timespan) {
			.length = UINT64_MAX,
			.as_is = true,
		};
}

/*
 * Convert the timestamp of a record to which @map applies to nanoseconds. After a change of clocks,
 * time must not go back: their pairs have errors.
 */
static int64_t time_of_record(struct reader *r, const struct timemap *map, int64_t timestamp)
{
	int64_t time = map ? timemap_ns(map, &r->hint, timestamp) : timestamp;

	set_span(r, map);
	return map != r->first_map && time < r->before_change ?
	       r->before_change : time;
}

static void set_current_record(struct reader *r, const unsigned char *bytes)
{
	const struct timemap *map;

	if (r->growing && bytes[0] == KMEMTRACE_EVENT_CLOCK)
		clocks_follow(r->growing, r->ctx, bytes, r->order, r->cpu);
	map = map_from(r, bytes, r->map);
	if (map != r->map) {
		if (!r->first_map)
			r->first_map = map;
		else if (r->map == r->first_map)
			r->before_change = r->rec.time;
	}
	r->map = map;
	r->ahead = NULL;
	r->rec.tail_size = (size_t)(r->next - bytes) - EVENT_MIN_SIZE;
	r->rec.order = r->order;
	set_current_event(r);
	r->rec.time = time_of_record(r, r->map, r->rec.ev->timestamp);
}

/*
 * Return where in the buffer the record after the one at @pos begins; 0: there is none, or
 * its first EVENT_MIN_SIZE bytes are not before @end.
 */
static size_t next_pos(const struct reader *r, size_t pos, size_t end)
{
	const unsigned char *bytes;

	do {
		pos += event_size(r->buf + pos, r->order);
		bytes = r->buf + pos;
		if (pos + EVENT_PAD_SIZE > end ||
		    !event_size_possible(bytes, event_size(bytes, r->order)))
			return 0;
	} while (event_is_pad(bytes));
	return pos + EVENT_MIN_SIZE <= end ? pos : 0;
}

/*
 * Return whether it is known how the timestamp of a record is converted. A time before the
 * first pair is wrong, unless the stream begins with it: then it is not needed exactly.
 */
static bool is_time_known(const struct reader *r, const struct timemap *map,
			  const unsigned char *bytes)
{
	uint64_t time = event_time(bytes, r->order);

	return map && (timemap_knows(map, time) || (r->first_map && time < map->pairs[0].time));
}

/*
 * Return whether the current record of a stream that arrives may be read: its time is final.
 * A record that is later than the next one has a wrong time, see merge.c: it is not kept.
 */
static bool is_final(struct reader *r)
{
	const struct timemap *map = map_from(r, r->at, r->map);
	const unsigned char *bytes;
	size_t next;

	if (event_is_pad(r->at) || is_time_known(r, map, r->at))
		return true;
	next = next_pos(r, r->at - r->buf, r->end);
	if (!next && !refill(r))
		next = next_pos(r, 0, r->end);
	bytes = r->buf + next;
	return next && is_time_known(r, map_from(r, bytes, map), bytes);
}

/* Wait until the time of the current record is final. */
static int wait_for_clock(struct reader *r)
{
	const struct timemap *map = map_from(r, r->at, r->map);

	return wait_for_bytes(r, map && map->nr ? (int64_t)map->pairs[map->nr - 1].ns :
						 INT64_MIN);
}

/**
 * reader_next_any - go to the next record or pad
 * @r: an open reader
 *
 * Does what reader_next() does, but stops at pads, too. At a pad, @r->rec.ev is NULL, and
 * @r->rec.tail has all of its bytes.
 *
 * Return: 1 with a record or pad; otherwise as reader_next().
 */
int reader_next_any(struct reader *r)
{
	size_t size;
	int ret;

	r->at = r->next;
	if (r->end - (size_t)(r->at - r->buf) >= EVENT_MAX_SIZE) {
		size = event_size(r->at, r->order);
		if (!event_size_possible(r->at, size))
			return end_of_stream(r, READER_BAD_SIZE);
	} else {
		ret = next_slow(r);
		if (ret <= 0)
			return ret;
		size = event_size(r->at, r->order);
	}
	if (r->is_arriving && !r->growing && !is_final(r))
		return wait_for_clock(r);
	r->next = r->at + size;
	if (event_is_pad(r->at))
		set_padding(r, r->at);
	else
		set_current_record(r, r->at);
	return 1;
}

/* Return whether the current record is damaged: its time is not one of the trace. */
static bool is_out_of_bounds(const struct reader *r)
{
	return r->maps && r->maps->has_bounds &&
	       (r->rec.time < r->maps->earliest || r->rec.time > r->maps->latest);
}

/* Do what reader_next() does outside the usual case. */
int reader_next_slow(struct reader *r)
{
	int ret;

	do {
		ret = reader_next_any(r);
		if (ret <= 0)
			return ret;
		if (r->rec.ev && !is_out_of_bounds(r))
			return ret;
		r->rejected += !!r->rec.ev;
	} while (true);
}

/* Refill the buffer. The current record stays it. The next call of refill() returns the error. */
static void refill_behind(struct reader *r)
{
	refill(r);
	move_record(r);
}

/*
 * Bytes from the begin of the current record on in which reader_peek_time() looks. Buffers have
 * various sizes, at least this one. What is found must not depend on that.
 */
#define PEEK_MAX	READER_MIN_BUFFER

/* Return whether all bytes in which reader_peek_time() looks were read. */
static bool has_peek_bytes(const struct reader *r)
{
	return r->end - (size_t)(r->at - r->buf) >= PEEK_MAX;
}

/* Return where the record @ahead records further on begins; 0 as for next_pos(). */
static size_t find_ahead(const struct reader *r, unsigned int ahead,
			 const struct timemap **map)
{
	size_t pos = r->at - r->buf, end = has_peek_bytes(r) ? pos + PEEK_MAX : r->end;

	*map = r->map;
	do {
		pos = next_pos(r, pos, end);
		if (pos)
			*map = map_from(r, r->buf + pos, *map);
	} while (pos && --ahead);
	return pos;
}

/**
 * reader_peek_time - look ahead at the time of a record
 * @r: a reader with a current record
 * @ahead: how many records further on, a few
 * @time: result
 *
 * Return: false if there is no such record soon, or if it can't be read; in the second case,
 * reader_next() returns the error soon.
 */
bool reader_peek_time(struct reader *r, unsigned int ahead, int64_t *time)
{
	const struct timemap *map;
	size_t pos = find_ahead(r, ahead, &map);

	if (!pos && !has_peek_bytes(r)) {
		refill_behind(r);
		pos = find_ahead(r, ahead, &map);
	}
	if (!pos)
		return false;
	*time = time_of_record(r, map, event_time(r->buf + pos, r->order));
	return true;
}

/* Undo reader_open(), also after an error. Call it once. */
void reader_close(struct reader *r)
{
	input_close(&r->in);
	free(r->path);
	free(r->memory);
}
