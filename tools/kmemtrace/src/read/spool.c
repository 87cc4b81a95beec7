// SPDX-License-Identifier: GPL-2.0
/*
 * spool.c - the files of a trace that comes as one stream of packets
 *
 * The bytes of a file wait in memory, in blocks. If too many bytes wait, full blocks go to
 * one temporary file, which has no name: it is gone when the process ends in any way. Each
 * file of the trace is a list of its parts.
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
#include "common/tempfile.h"
#include "common/text.h"
#include "read/packets.h"
#include "read/spool.h"

/* Bytes to copy at a time. */
#define CHUNK		(64 * 1024)

/* Most bytes of a block, and the fewest where there are many files. */
#define MAX_BLOCK	CHUNK
#define MIN_BLOCK	512

/* Bytes that may wait in memory before blocks go to the temporary file; tests set less. */
uint64_t spool_room = SPOOL_ROOM;

/**
 * struct part - bytes of a file that follow each other
 * @offset: in the file
 * @block: the bytes; NULL: they are in the temporary file
 * @at: in the temporary file
 * @room: bytes that @block has room for
 */
struct part {
	uint64_t offset;
	unsigned char *block;
	uint64_t at;
	size_t room;
};

/* ---- the end ---- */

static bool is_ended(struct spool *s)
{
	if (!s->is_cut)
		s->is_cut = s->watch ? s->watch->look(s->watch->arg, s->read) :
				       context_check(s->ctx);
	return s->is_cut;
}

static int end_of_input(struct spool *s)
{
	if (is_ended(s))
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

static int refuse(const struct spool *s, const char *line)
{
	char text[PACKET_MAX_LINE];

	context_say(s->ctx, "%s: offset %" PRIu64 ": '%s' has no place in a kmemtrace stream",
		    s->label, s->read, text_printable(text, sizeof(text), line));
	return -EILSEQ;
}

/* ---- the list of files ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct spooled *)a)->name, ((const struct spooled *)b)->name);
}

/* Return the file of this name, or NULL. */
struct spooled *spool_find(const struct spool *s, const char *name)
{
	struct spooled key, **found;

	snprintf(key.name, sizeof(key.name), "%s", name);
	found = tfind(&key, &s->tree, by_name);
	return found ? *found : NULL;
}

/* Return a new file of this name; NULL: no memory. */
static struct spooled *add_file(struct spool *s, const char *name)
{
	struct spooled *f, **list;

	list = context_grow_list(s->ctx, s->list, s->nr, sizeof(*list));
	if (!list)
		return NULL;
	s->list = list;
	f = context_calloc(s->ctx, 1, sizeof(*f));
	if (!f)
		return NULL;
	snprintf(f->name, sizeof(f->name), "%s", name);
	if (!tsearch(f, &s->tree, by_name)) {
		free(f);
		context_fail(s->ctx, -ENOMEM);
		return NULL;
	}
	list[s->nr++] = f;
	return f;
}

/* ---- parts ---- */

static uint64_t end_of(const struct spooled *f, size_t i)
{
	return i + 1 < f->nr ? f->parts[i + 1].offset : f->size;
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
			drop_stored(s, f->parts[i].at, end_of(f, i) - f->parts[i].offset);
		free(f->parts[i].block);
	}
	f->first += nr;
	/* Without an error check: then the file only stays as large as it is. */
	if (s->written && !s->stored && !ftruncate(s->fd, 0) && !lseek(s->fd, 0, SEEK_SET))
		s->written = 0;
}

/* Forget all bytes of a file. */
static void clear_file(struct spool *s, struct spooled *f)
{
	drop_parts(s, f, f->nr - f->first);
	free(f->parts);
	f->parts = NULL;
	f->first = 0;
	f->nr = 0;
	f->room = 0;
	f->size = 0;
}

/* Return a new part at the end of a file; NULL: no memory. */
static struct part *add_part(struct spool *s, struct spooled *f)
{
	size_t room = f->room ? 2 * f->room : 1;
	struct part *parts;

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
	f->parts[f->nr] = (struct part) { .offset = f->size };
	return &f->parts[f->nr++];
}

/* Return the bytes of a new block: all files together have room for one each. */
static size_t block_size(const struct spool *s)
{
	uint64_t size = spool_room / (2 * (s->nr + 1));

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
	struct part *part = &f->parts[f->nr - 1];
	size_t size = f->size - part->offset;
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
static ssize_t make_room(struct spool *s, struct spooled *f)
{
	struct part *part = f->nr > f->first ? &f->parts[f->nr - 1] : NULL;
	int err;

	if (part && part->block && f->size - part->offset < part->room)
		return part->room - (f->size - part->offset);
	if (part && part->block && s->held > spool_room) {
		err = store_block(s, f);
		if (err)
			return err;
	}
	part = add_part(s, f);
	if (!part)
		return -ENOMEM;
	part->room = block_size(s);
	part->block = context_realloc(s->ctx, NULL, 1, part->room);
	if (!part->block) {
		f->nr--;
		return -ENOMEM;
	}
	s->held += part->room;
	return part->room;
}

static int append(struct spool *s, struct spooled *f, const char *bytes, size_t size)
{
	struct part *part;
	ssize_t room;
	size_t n;

	for (; size; bytes += n, size -= n) {
		room = make_room(s, f);
		if (room < 0)
			return room;
		part = &f->parts[f->nr - 1];
		n = (size_t)room < size ? (size_t)room : size;
		memcpy(part->block + (f->size - part->offset), bytes, n);
		f->size += n;
	}
	return 0;
}

/* ---- packets ---- */

/* Return 1 with a line, without its newline; 0 at the end of the input; or -errno. */
static int read_line(struct spool *s, char *line)
{
	size_t len = 0;
	int c;

	do {
		c = getc(s->in);
		line[len++] = c;
	} while (c != EOF && c != '\n' && len < PACKET_MAX_LINE);
	line[len - 1] = '\0';
	if (c == EOF)
		return end_of_input(s);
	if (c != '\n' || strlen(line) != len - 1)
		return refuse(s, line);
	return 1;
}

/* Take the line that begins a packet. Return 1; 0: the last packet was read; or -errno. */
static int begin_packet(struct spool *s)
{
	char line[PACKET_MAX_LINE] = "", name[PACKET_MAX_LINE];
	int ret = read_line(s, line);

	if (ret <= 0 || !strcmp(line, PACKET_END))
		return ret < 0 ? ret : 0;
	memcpy(name, line, sizeof(name));
	if (!packet_parse(name, &s->left))
		return refuse(s, line);
	s->read += strlen(line) + 1;
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->is_in_packet = true;
	if (!strcmp(name, PACKET_METADATA)) {
		s->file = &s->next;
		return 1;
	}
	s->file = spool_find(s, name);
	if (!s->file)
		s->file = add_file(s, name);
	return s->file ? 1 : -ENOMEM;
}

/* Let a packet replace a file, once all of the packet is there. */
static int replace(struct spool *s)
{
	struct spooled *f = spool_find(s, s->name);

	if (!f)
		f = add_file(s, s->name);
	if (!f)
		return -ENOMEM;
	clear_file(s, f);
	f->parts = s->next.parts;
	f->nr = s->next.nr;
	f->room = s->next.room;
	f->size = s->next.size;
	f->version++;
	s->next = (struct spooled) { .size = 0 };
	return 0;
}

static int end_packet(struct spool *s)
{
	s->is_in_packet = false;
	return s->file == &s->next ? replace(s) : 0;
}

/* Take bytes of a packet. Return 1; 0: the input has ended; or -errno. */
static int take_bytes(struct spool *s)
{
	size_t n, want = s->left < CHUNK ? s->left : CHUNK;
	char buf[CHUNK];
	int err;

	n = fread(buf, 1, want, s->in);
	s->read += n;
	s->left -= n;
	err = append(s, s->file, buf, n);
	if (err)
		return err;
	if (n < want)
		return end_of_input(s);
	return !is_ended(s);
}

/* Take bytes of a packet, or its end. Return 1; 0: the input has ended; or -errno. */
static int take_packet(struct spool *s)
{
	int ret = s->left ? take_bytes(s) : 1;

	if (ret > 0 && !s->left)
		ret = end_packet(s) ?: 1;
	if (ret < 0)
		context_say(s->ctx, "%s: %s: %s", s->label, s->name, strerror(-ret));
	return ret;
}

/* Take the line that begins the stream. Return 1; 0: the input has ended; or -errno. */
static int begin_stream(struct spool *s)
{
	char line[PACKET_MAX_LINE];
	int ret = read_line(s, line);

	if (ret > 0 && strcmp(line, PACKET_MAGIC))
		return refuse(s, line);
	if (ret > 0)
		s->read += strlen(line) + 1;
	s->is_begun = true;
	return ret;
}

/**
 * spool_begin - begin to read a trace from a stream
 * @s: result; spool_free() it
 * @ctx: the context of the trace
 * @in: the stream
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
	int ret;

	if (s->is_over)
		return 0;
	if (!s->is_begun)
		ret = begin_stream(s);
	else
		ret = s->is_in_packet ? take_packet(s) : begin_packet(s);
	if (ret > 0 && !s->is_in_packet && is_ended(s))
		ret = 0;
	if (!ret)
		ret = context_error(s->ctx);
	s->is_over = ret <= 0;
	return ret;
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
	s->is_over |= is_ended(s);
}

static void free_parts(struct spooled *f)
{
	size_t i;

	for (i = f->first; i < f->nr; i++)
		free(f->parts[i].block);
	free(f->parts);
}

static void free_file(void *file)
{
	free_parts(file);
	free(file);
}

/* Undo spool_begin(). */
void spool_free(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free_parts(&s->next);
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

/* Return the part that has this byte, which was not forgotten. */
static size_t part_of(const struct spooled *f, uint64_t at)
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
	size_t i = part_of(f, at), done = 0, want;
	const struct part *part;
	ssize_t n;

	if (len && (f->first == f->nr || at < f->parts[f->first].offset))
		return -EIO;
	for (; done < len; i++, done += want) {
		part = &f->parts[i];
		want = end_of(f, i) - (at + done) < len - done ?
		       end_of(f, i) - (at + done) : len - done;
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

	while (f->first + nr + 1 < f->nr && f->parts[f->first + nr + 1].offset <= end)
		nr++;
	if (nr)
		drop_parts(s, f, nr);
}
