// SPDX-License-Identifier: GPL-2.0
/*
 * spool.c - the files of a trace that came as one stream of packets
 *
 * All packets go to one temporary file, which has no name: it is gone when the process
 * ends in any way. Each file of the trace is a list of its parts.
 *
 * The stream is not trusted: a name must be one that a file of a trace may have, and a
 * length is only a number of bytes to copy.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/packet.h"
#include "common/tempfile.h"
#include "common/text.h"
#include "read/packets.h"
#include "read/spool.h"

/* Bytes to copy at a time. */
#define CHUNK		(64 * 1024)

/**
 * struct part - bytes of a file that follow each other in the temporary file
 * @at: in the temporary file
 * @offset: in the file
 */
struct part {
	uint64_t at, offset;
};

/**
 * struct spooled - a file
 * @name: its name
 * @size: its bytes
 * @parts: where they are
 * @nr: parts
 */
struct spooled {
	char name[PACKET_MAX_LINE];
	uint64_t size;
	struct part *parts;
	size_t nr;
};

/**
 * struct unpacker - the reading of a stream
 * @s: the result
 * @ctx: the context of the trace
 * @in: the stream
 * @label: what messages call it
 * @watch: callback that follows the reading
 */
struct unpacker {
	struct spool *s;
	struct context *ctx;
	FILE *in;
	const char *label;
	const struct spool_watch *watch;
};

/* ---- the end ---- */

static bool is_ended(const struct unpacker *u)
{
	const struct spool_watch *watch = u->watch;
	struct spool *s = u->s;

	if (!s->is_cut)
		s->is_cut = watch ? watch->look(watch->arg, s->read) :
				    context_check(u->ctx);
	return s->is_cut;
}

static int end_of_input(const struct unpacker *u)
{
	if (is_ended(u))
		return 0;
	if (ferror(u->in)) {
		context_say_errno(u->ctx, "%s: offset %" PRIu64, u->label, u->s->read);
		return -EIO;
	}
	context_say(u->ctx, "%s: offset %" PRIu64 ": the stream ends before the trace does",
		    u->label, u->s->read);
	u->s->is_cut = true;
	return 0;
}

static int refuse(const struct unpacker *u, const char *line)
{
	char text[PACKET_MAX_LINE];

	context_say(u->ctx, "%s: offset %" PRIu64 ": '%s' has no place in a kmemtrace stream",
		    u->label, u->s->read, text_printable(text, sizeof(text), line));
	return -EILSEQ;
}

/* ---- packets ---- */

/* Return 1 with a line, without its newline; 0 at the end of the input; or -errno. */
static int read_line(const struct unpacker *u, char *line)
{
	size_t len = 0;
	int c;

	do {
		c = getc(u->in);
		line[len++] = c;
	} while (c != EOF && c != '\n' && len < PACKET_MAX_LINE);
	line[len - 1] = '\0';
	if (c == EOF)
		return end_of_input(u);
	if (c != '\n' || strlen(line) != len - 1)
		return refuse(u, line);
	return 1;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct spooled *)a)->name, ((const struct spooled *)b)->name);
}

/* Return the file of this name, or NULL. */
static struct spooled *find(const struct spool *s, const char *name)
{
	struct spooled key, **found;

	snprintf(key.name, sizeof(key.name), "%s", name);
	found = tfind(&key, &s->tree, by_name);
	return found ? *found : NULL;
}

/* Return a new file of this name; NULL: no memory. */
static struct spooled *add_file(struct spool *s, struct context *ctx, const char *name)
{
	struct spooled *f, **list;

	list = context_grow_list(ctx, s->list, s->nr, sizeof(*list));
	if (!list)
		return NULL;
	s->list = list;
	f = context_calloc(ctx, 1, sizeof(*f));
	if (!f)
		return NULL;
	snprintf(f->name, sizeof(f->name), "%s", name);
	if (!tsearch(f, &s->tree, by_name)) {
		free(f);
		context_fail(ctx, -ENOMEM);
		return NULL;
	}
	list[s->nr++] = f;
	return f;
}

static int add_part(struct spooled *f, struct context *ctx, uint64_t at)
{
	struct part *parts = context_grow_list(ctx, f->parts, f->nr, sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	f->parts = parts;
	parts[f->nr++] = (struct part) { at, f->size };
	return 0;
}

/* Append a packet to @f. Return 1 if all of it was there, 0 at the end, or -errno. */
static int copy(const struct unpacker *u, struct spooled *f, uint64_t len)
{
	struct spool *s = u->s;
	char buf[CHUNK];
	size_t n, want;
	int err = len ? add_part(f, u->ctx, s->written) : 0;

	for (; !err && len; len -= n) {
		want = len < sizeof(buf) ? len : sizeof(buf);
		n = fread(buf, 1, want, u->in);
		s->read += n;
		err = file_write_all(s->fd, buf, n);
		if (err)
			return err;
		s->written += n;
		f->size += n;
		if (n < want)
			return end_of_input(u);
		if (is_ended(u))
			return 0;
	}
	return err ? err : 1;
}

static int append(const struct unpacker *u, const char *name, uint64_t len)
{
	struct spooled *f = find(u->s, name);

	if (!f)
		f = add_file(u->s, u->ctx, name);
	return f ? copy(u, f, len) : -ENOMEM;
}

/* Let a packet replace a file, once all of the packet is there. */
static int replace(const struct unpacker *u, const char *name, uint64_t len)
{
	struct spooled new = { .nr = 0 }, *f = find(u->s, name);
	int ret = copy(u, &new, len);

	if (ret > 0 && !f) {
		f = add_file(u->s, u->ctx, name);
		ret = f ? ret : -ENOMEM;
	}
	if (ret <= 0) {
		free(new.parts);
		return ret;
	}
	free(f->parts);
	f->parts = new.parts;
	f->nr = new.nr;
	f->size = new.size;
	return ret;
}

static int take_packet(const struct unpacker *u, const char *name, uint64_t len)
{
	return strcmp(name, PACKET_METADATA) ? append(u, name, len) :
					       replace(u, name, len);
}

/* Return 1 after a packet, 0 after the last one, or -errno. */
static int next_packet(const struct unpacker *u)
{
	char line[PACKET_MAX_LINE] = "", name[PACKET_MAX_LINE];
	uint64_t len;
	int ret = read_line(u, line);

	if (ret <= 0 || !strcmp(line, PACKET_END))
		return ret < 0 ? ret : 0;
	memcpy(name, line, sizeof(name));
	if (!packet_parse(name, &len))
		return refuse(u, line);
	u->s->read += strlen(line) + 1;
	ret = take_packet(u, name, len);
	if (ret < 0)
		context_say(u->ctx, "%s: %s: %s", u->label, name, strerror(-ret));
	return ret;
}

static int take_apart(const struct unpacker *u)
{
	char line[PACKET_MAX_LINE];
	int ret = read_line(u, line);

	if (ret > 0 && strcmp(line, PACKET_MAGIC))
		return refuse(u, line);
	u->s->read += strlen(line) + 1;
	while (ret > 0) {
		ret = next_packet(u);
		if (ret > 0 && is_ended(u))
			ret = 0;
	}
	return ret < 0 ? ret : context_error(u->ctx);
}

/**
 * spool_read - read a trace from a stream
 * @s: result; spool_free() it also after an error
 * @ctx: the context of the trace
 * @in: the stream
 * @label: what messages call it
 * @watch: callback that follows the reading; NULL: the callback of @ctx ends it
 *
 * Return: 0, also where @s->is_cut; or -errno after a message.
 */
int spool_read(struct spool *s, struct context *ctx, FILE *in, const char *label,
	       const struct spool_watch *watch)
{
	const struct unpacker u = {
		.s = s, .ctx = ctx, .in = in, .label = label, .watch = watch,
	};
	int err;

	*s = (struct spool) { .fd = tempfile_create() };
	if (s->fd >= 0)
		return take_apart(&u);
	err = -errno;
	context_say_errno(ctx, "%s: no temporary file in $TMPDIR or /var/tmp", label);
	return err;
}

static void free_file(void *file)
{
	struct spooled *f = file;

	free(f->parts);
	free(f);
}

/* Undo spool_read(). */
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

/* Return the file of this name, or NULL. */
const struct spooled *spool_find(const struct spool *s, const char *name)
{
	return find(s, name);
}

uint64_t spooled_size(const struct spooled *f)
{
	return f->size;
}

/* Return the part that has this byte. */
static size_t part_of(const struct spooled *f, uint64_t at)
{
	size_t low = 0, high = f->nr, mid;

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
 * @at: where in the file they begin
 *
 * Return: @len, or -errno.
 */
ssize_t spooled_read(const struct spool *s, const struct spooled *f, void *buf, size_t len,
		     uint64_t at)
{
	size_t i = part_of(f, at), done = 0, want;
	uint64_t end;
	ssize_t n;

	for (; done < len; i++, done += want) {
		end = i + 1 < f->nr ? f->parts[i + 1].offset : f->size;
		want = end - (at + done) < len - done ? end - (at + done) : len - done;
		n = file_read_at(s->fd, (char *)buf + done, want,
				 f->parts[i].at + (at + done - f->parts[i].offset));
		if (n != (ssize_t)want)
			return n < 0 ? n : -EIO;
	}
	return len;
}
