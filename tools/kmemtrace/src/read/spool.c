// SPDX-License-Identifier: GPL-2.0
/*
 * spool.c - the files of a trace that comes as one stream of packets
 *
 * The bytes of a file wait in memory, in blocks. If too many bytes wait, full blocks go to
 * one temporary file, which has no name: it is gone when the process ends in any way. Each
 * file of the trace is a list of its parts.
 *
 * A packet of a file that is no stream counts once all of it is there.
 *
 * The stream is not trusted: a name must be one that a file of a trace may have, and a
 * length is only a number of bytes to copy.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/names.h"
#include "common/tempfile.h"
#include "read/packets.h"
#include "read/spool.h"

/* Bytes to copy at a time. */
#define CHUNK		(64 * 1024)

/* Most bytes of a block, and the fewest. */
#define MAX_BLOCK	CHUNK
#define MIN_BLOCK	64

/* Bytes that may wait in memory before blocks go to the temporary file; tests set less. */
uint64_t spool_room = SPOOL_ROOM;

/**
 * struct spooled_part - bytes of a file that follow each other
 * @offset: among all bytes of the file that arrived
 * @block: the bytes; NULL: they are in the temporary file
 * @at: in the temporary file
 * @room: bytes that @block has room for
 */
struct spooled_part {
	uint64_t offset;
	unsigned char *block;
	uint64_t at;
	size_t room;
};

/* ---- the list of files ---- */

static int by_spooled_name(const void *a, const void *b)
{
	return strcmp(((const struct spooled *)a)->name, ((const struct spooled *)b)->name);
}

/* Return whether a file is there: a stream, or a whole packet of another file. */
static bool is_there(const struct spooled *f)
{
	return f->cpu >= 0 || f->version;
}

/* Return the file of this name; NULL: it is not there. */
struct spooled *spool_find(const struct spool *s, const char *name)
{
	struct spooled key, **found;

	snprintf(key.name, sizeof(key.name), "%s", name);
	found = tfind(&key, &s->tree, by_spooled_name);
	return found && is_there(*found) ? *found : NULL;
}

/* Return a new file of this name, for which the list has room; NULL: no memory. */
static struct spooled *add_file(struct spool *s, const char *name)
{
	struct spooled *f, **list;
	unsigned int cpu;

	list = context_grow_list(s->ctx, s->list, s->nr, sizeof(*list));
	if (!list)
		return NULL;
	s->list = list;
	f = context_calloc(s->ctx, 1, sizeof(*f));
	if (!f)
		return NULL;
	snprintf(f->name, sizeof(f->name), "%s", name);
	f->cpu = name_is_stream(name, &cpu) ? (int)cpu : -1;
	if (!tsearch(f, &s->tree, by_spooled_name)) {
		free(f);
		context_fail(s->ctx, -ENOMEM);
		return NULL;
	}
	if (is_there(f))
		list[s->nr++] = f;
	return f;
}

/* ---- parts ---- */

static uint64_t end_of_part(const struct spooled *f, size_t i)
{
	return i + 1 < f->nr ? f->parts[i + 1].offset : f->end;
}

/* Forget bytes of the temporary file. Without an error check: then they only stay on the disk. */
static void drop_stored(struct spool *s, uint64_t at, uint64_t size)
{
	s->stored -= size;
	fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, size);
}

/* Forget parts at the front of a list. */
static void drop_parts(struct spool *s, struct spooled *f, size_t nr)
{
	size_t i;

	for (i = f->first; i < f->first + nr; i++) {
		if (f->parts[i].block)
			s->held -= f->parts[i].room;
		else
			drop_stored(s, f->parts[i].at, end_of_part(f, i) - f->parts[i].offset);
		free(f->parts[i].block);
	}
	f->first += nr;
	/* Without an error check: then the file only stays as large as it is. */
	if (s->written && !s->stored && !ftruncate(s->fd, 0) && !lseek(s->fd, 0, SEEK_SET))
		s->written = 0;
}

/* Return a new part at the end of a file; NULL: no memory. */
static struct spooled_part *add_part(struct spool *s, struct spooled *f)
{
	size_t room = f->room ? 2 * f->room : 1;
	struct spooled_part *parts;

	if (f->nr == f->room && f->first > f->room / 2) {
		memmove(f->parts, f->parts + f->first,
			(f->nr - f->first) * sizeof(*f->parts));
		f->nr -= f->first;
		f->first = 0;
	}
	if (f->nr == f->room) {
		parts = context_realloc(s->ctx, f->parts, room, sizeof(*parts));
		if (!parts)
			return NULL;
		f->parts = parts;
		f->room = room;
	}
	f->parts[f->nr] = (struct spooled_part) { .offset = f->end };
	return &f->parts[f->nr++];
}

/* Return how many bytes may wait in memory. */
static uint64_t room_in_memory(const struct spool *s)
{
	return s->in ? spool_room : SPOOL_FED_ROOM;
}

/*
 * Return the bytes of a new block: as many as follow in the packet or wait in the file, but all
 * files together have room for one each.
 */
static size_t block_size(const struct spool *s, const struct spooled *f)
{
	const uint64_t waiting = f->first < f->nr ? f->end - f->parts[f->first].offset : 0;
	const uint64_t most = room_in_memory(s) / (2 * (s->nr + 1));
	uint64_t size = s->left > waiting ? s->left : waiting;

	if (size > most)
		size = most;
	if (size > MAX_BLOCK)
		return MAX_BLOCK;
	return size < MIN_BLOCK ? MIN_BLOCK : size;
}

static int create_file(struct spool *s)
{
	int err;

	if (s->fd >= 0)
		return 0;
	s->fd = tempfile_create();
	if (s->fd >= 0)
		return 0;
	err = -errno;
	context_say_errno(s->ctx, "%s: more than %" PRIu64 " MB wait for the events of other CPUs, and no temporary file in $TMPDIR or /var/tmp",
			  s->label, spool_room >> 20);
	return err;
}

/* Write the last block of a file to the temporary file. */
static int store_block(struct spool *s, struct spooled *f)
{
	struct spooled_part *part = &f->parts[f->nr - 1];
	size_t size = f->end - part->offset;
	int err = create_file(s);

	if (!err)
		err = file_write_all(s->fd, part->block, size);
	if (err)
		return err;
	free(part->block);
	part->block = NULL;
	s->held -= part->room;
	part->at = s->written;
	s->written += size;
	s->stored += size;
	return 0;
}

/* Return how many bytes the last block of a file has room for, after it got some; or -errno. */
static ssize_t room_of_last_block(struct spool *s, struct spooled *f)
{
	struct spooled_part *part = f->nr > f->first ? &f->parts[f->nr - 1] : NULL;
	size_t size;
	int err;

	if (part && part->block && f->end - part->offset < part->room)
		return part->room - (f->end - part->offset);
	if (part && part->block && s->held > room_in_memory(s)) {
		err = s->in ? store_block(s, f) : -EFBIG;
		if (err)
			return err;
	}
	size = block_size(s, f);
	part = add_part(s, f);
	if (!part)
		return -ENOMEM;
	part->room = size;
	part->block = context_realloc(s->ctx, NULL, 1, part->room);
	if (!part->block) {
		f->nr--;
		return -ENOMEM;
	}
	s->held += part->room;
	return part->room;
}

/* ---- packets ---- */

static int refuse_line(const struct spool *s, const char *line)
{
	context_say(s->ctx, "%s: offset %" PRIu64 ": '%s' has no place in a kmemtrace stream: expected %s",
		    s->label, s->read, line, s->is_begun ? "the name and the size of a file" :
		    "what kmemtraced -o - or ktraced -o - writes");
	return -EILSEQ;
}

/* Take the line that begins a packet. */
static int begin_packet(struct spool *s)
{
	char name[PACKET_MAX_LINE];

	memcpy(name, s->line, sizeof(name));
	if (!packet_parse(name, &s->left))
		return refuse_line(s, s->line);
	s->file = spool_find(s, name);
	if (!s->file)
		s->file = add_file(s, name);
	return s->file ? 0 : -ENOMEM;
}

/* Let a packet of the metadata replace the file, and others be appended to theirs. */
static void end_packet(struct spool *s)
{
	struct spooled *f = s->file;

	s->file = NULL;
	if (f->cpu >= 0)
		return;
	if (!strcmp(f->name, PACKET_METADATA)) {
		spooled_forget(s, f, f->size);
		f->begin += f->size;
	}
	f->size = f->end - f->begin;
	if (!f->version++)
		s->list[s->nr++] = f;
}

static int take_line(struct spool *s)
{
	s->line[s->line_size] = '\0';
	if (strlen(s->line) != s->line_size)
		return refuse_line(s, s->line);
	s->line_size = 0;
	if (!s->is_begun) {
		s->is_begun = !strcmp(s->line, PACKET_MAGIC);
		return s->is_begun ? 0 : refuse_line(s, s->line);
	}
	s->is_over = !strcmp(s->line, PACKET_END);
	return s->is_over ? 0 : begin_packet(s);
}

/* Take bytes of a line. Return how many, or -errno. */
static ssize_t take_header(struct spool *s, const char *bytes, size_t size)
{
	size_t i;
	int ret;

	for (i = 0; i < size && bytes[i] != '\n'; i++) {
		s->line[s->line_size] = bytes[i];
		if (++s->line_size == PACKET_MAX_LINE) {
			s->line[PACKET_MAX_LINE - 1] = '\0';
			return refuse_line(s, s->line);
		}
	}
	if (i == size)
		return i;
	ret = take_line(s);
	return ret ? ret : (ssize_t)i + 1;
}

/* Take bytes of a packet. Return how many, or -errno after a message. */
static ssize_t take_contents(struct spool *s, const char *bytes, size_t size)
{
	struct spooled *f = s->file;
	const struct spooled_part *part;
	ssize_t n = room_of_last_block(s, f);

	if (n < 0) {
		context_say(s->ctx, "%s: %s: %s", s->label, f->name, strerror(-n));
		return n;
	}
	if (size > (size_t)n)
		size = n;
	if (size > s->left)
		size = s->left;
	part = &f->parts[f->nr - 1];
	memcpy(part->block + (f->end - part->offset), bytes, size);
	f->end += size;
	if (f->cpu >= 0)
		f->size = f->end;
	s->left -= size;
	return size;
}

/**
 * spool_put - take bytes of the stream
 * @s: the files so far
 * @bytes: the bytes that follow those of the last call, cut anywhere
 * @size: how many; those after the end of the trace are ignored
 *
 * Return: 0, or -errno after a message. -EFBIG: more than SPOOL_FED_ROOM would wait.
 */
int spool_put(struct spool *s, const char *bytes, size_t size)
{
	ssize_t n;

	for (; size && !s->is_over; bytes += n, size -= n) {
		n = s->file ? take_contents(s, bytes, size) : take_header(s, bytes, size);
		if (n < 0)
			return n;
		s->read += n;
		if (s->file && !s->left)
			end_packet(s);
	}
	return 0;
}

/* No more bytes follow. */
void spool_end(struct spool *s)
{
	s->is_cut |= !s->is_over;
	s->is_over = true;
}

/* ---- the input ---- */

static bool is_cut_short(struct spool *s)
{
	if (!s->is_cut)
		s->is_cut = s->watch ? s->watch->look(s->watch->arg, s->read) :
				       context_check(s->ctx);
	return s->is_cut;
}

static int end_of_input(struct spool *s)
{
	if (is_cut_short(s))
		return 0;
	if (ferror(s->in)) {
		context_say_errno(s->ctx, "%s: offset %" PRIu64, s->label, s->read);
		return -EIO;
	}
	context_say(s->ctx, "%s: offset %" PRIu64 ": the stream ends before the trace does",
		    s->label, s->read);
	s->is_cut = true;
	return 0;
}

/* Read a line, or bytes of a packet. Return whether the input has as many. */
static bool read_line_or_bytes(struct spool *s, char *buf, size_t *size)
{
	const size_t want = s->left < CHUNK ? s->left : CHUNK;
	int c;

	if (s->file) {
		*size = fread(buf, 1, want, s->in);
		return *size == want;
	}
	for (*size = 0; *size < PACKET_MAX_LINE; ) {
		c = getc(s->in);
		if (c == EOF)
			return false;
		buf[(*size)++] = c;
		if (c == '\n')
			break;
	}
	return true;
}

/**
 * spool_begin - begin a trace that comes as a stream
 * @s: result; spool_free() it
 * @ctx: the context of the trace
 * @in: spool_pull() reads the stream from here; NULL: spool_put() takes it, and all of it waits in
 *	memory
 * @label: what messages call it
 * @watch: callback that follows the reading; NULL: the callback of @ctx ends it
 *
 * All of these must stay until the stream has ended.
 */
void spool_begin(struct spool *s, struct context *ctx, FILE *in, const char *label,
		 const struct spool_watch *watch)
{
	*s = (struct spool) {
		.fd = -1, .ctx = ctx, .in = in, .label = label, .watch = watch,
	};
}

/**
 * spool_pull - read a piece of the stream
 * @s: the files so far
 *
 * Return: 1; 0: the stream has ended, also where @s->is_cut; or -errno after a message.
 */
int spool_pull(struct spool *s)
{
	char buf[CHUNK];
	size_t size;
	bool is_whole;
	int ret;

	if (s->is_over)
		return 0;
	is_whole = read_line_or_bytes(s, buf, &size);
	ret = spool_put(s, buf, size);
	if (!ret && !s->is_over) {
		if (!is_whole)
			ret = end_of_input(s);
		s->is_over = !is_whole || is_cut_short(s);
	}
	if (!ret)
		ret = context_error(s->ctx);
	s->is_over |= ret < 0;
	return ret ? ret : !s->is_over;
}

/* Read the rest of the stream. Return 0, also where @s->is_cut; or -errno after a message. */
int spool_pull_all(struct spool *s)
{
	int ret;

	do
		ret = spool_pull(s);
	while (ret > 0);
	return ret;
}

/* Return whether more of the stream is there: spool_pull() waits for the end of a piece only. */
bool spool_is_ready(const struct spool *s)
{
	struct pollfd p = { .fd = fileno(s->in), .events = POLLIN };

	return !s->is_over && p.fd >= 0 && poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

/* Let the stream end here, where @s->watch asks for that. */
void spool_look(struct spool *s)
{
	s->is_over |= is_cut_short(s);
}

static void free_file(void *file)
{
	struct spooled *f = file;
	size_t i;

	for (i = f->first; i < f->nr; i++)
		free(f->parts[i].block);
	free(f->parts);
	free(f);
}

/* Undo spool_begin(). */
void spool_free(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	tdestroy(s->tree, free_file);
	free(s->list);
}

/* ---- files ---- */

/* Call @each with the name of each file, until it returns something other than 0. */
int spool_each(const struct spool *s, int (*each)(void *arg, const char *name), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < s->nr; i++)
		ret = each(arg, s->list[i]->name);
	return ret;
}

/* Return whether there is a stream. */
bool spool_has_stream(const struct spool *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->list[i]->cpu >= 0)
			return true;
	return false;
}

/* Return the part that has this byte, which was not forgotten. */
static size_t part_with_byte(const struct spooled *f, uint64_t at)
{
	size_t low = f->first, high = f->nr, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (f->parts[mid].offset <= at)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/**
 * spooled_read - read bytes of a file
 * @s: where it is
 * @f: the file
 * @buf: receives the bytes
 * @len: how many; the file has as many from @at on
 * @at: where in the file they begin; spooled_forget() was not called for them
 *
 * Return: @len, or -errno; -EIO also where bytes were forgotten.
 */
ssize_t spooled_read(const struct spool *s, const struct spooled *f, void *buf, size_t len,
		     uint64_t at)
{
	size_t i, done = 0, want;
	const struct spooled_part *part;
	ssize_t n;

	at += f->begin;
	i = part_with_byte(f, at);
	if (len && (f->first == f->nr || at < f->parts[f->first].offset))
		return -EIO;
	for (; done < len; i++, done += want) {
		part = &f->parts[i];
		want = end_of_part(f, i) - (at + done) < len - done ?
		       end_of_part(f, i) - (at + done) : len - done;
		n = want;
		if (part->block)
			memcpy((char *)buf + done, part->block + (at + done - part->offset), want);
		else
			n = file_read_at(s->fd, (char *)buf + done, want,
					 part->at + (at + done - part->offset));
		if (n != (ssize_t)want)
			return n < 0 ? n : -EIO;
	}
	return len;
}

/* Forget the bytes of a file before @end: they are not read again. */
void spooled_forget(struct spool *s, struct spooled *f, uint64_t end)
{
	size_t nr = 0;

	end += f->begin;
	while (f->first + nr + 1 < f->nr && f->parts[f->first + nr + 1].offset <= end)
		nr++;
	if (nr)
		drop_parts(s, f, nr);
}
