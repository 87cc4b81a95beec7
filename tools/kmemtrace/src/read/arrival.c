// SPDX-License-Identifier: GPL-2.0
/*
 * arrival.c - the files of a trace while it arrives as packets
 *
 * The bytes of streams wait in queues until they are read, and are gone then. All other
 * files stay in memory. A packet of them counts once all of it is there.
 *
 * The stream is not trusted, as in spool.c.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "common/text.h"
#include "read/arrival.h"
#include "read/packets.h"

/* ---- files ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct arrived *)a)->name, ((const struct arrived *)b)->name);
}

/* Return the file of this name, or NULL. */
struct arrived *arrival_find(const struct arrival *a, const char *name)
{
	struct arrived key, **found;

	snprintf(key.name, sizeof(key.name), "%s", name);
	found = tfind(&key, &a->tree, by_name);
	return found ? *found : NULL;
}

static void free_file(void *file)
{
	struct arrived *f = file;

	queue_free(&f->queue);
	free(f->text);
	free(f->next);
	free(f);
}

static struct arrived *new_file(struct context *ctx, const char *name)
{
	struct arrived *f = context_calloc(ctx, 1, sizeof(*f));
	unsigned int cpu;

	if (!f)
		return NULL;
	snprintf(f->name, sizeof(f->name), "%s", name);
	f->cpu = name_is_stream(name, &cpu) ? (int)cpu : -1;
	if (f->cpu >= 0 && queue_init(&f->queue, ctx, name_is_compressed(name))) {
		free_file(f);
		return NULL;
	}
	return f;
}

static struct arrived *add_file(struct arrival *a, struct context *ctx, const char *name)
{
	struct arrived *f, **list = context_grow_list(ctx, a->list, a->nr, sizeof(*list));

	if (!list)
		return NULL;
	a->list = list;
	f = new_file(ctx, name);
	if (!f)
		return NULL;
	if (!tsearch(f, &a->tree, by_name)) {
		free_file(f);
		context_fail(ctx, -ENOMEM);
		return NULL;
	}
	list[a->nr++] = f;
	return f;
}

/* Call @each with the name of each file, until it returns something other than 0. */
int arrival_each(const struct arrival *a, int (*each)(void *arg, const char *name), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < a->nr; i++)
		ret = each(arg, a->list[i]->name);
	return ret;
}

/* Read bytes of a file that is no stream; it has as many from @at on. Return @len. */
ssize_t arrived_read(const struct arrived *f, void *buf, size_t len, uint64_t at)
{
	memcpy(buf, f->text + at, len);
	return len;
}

/* Return the bytes that wait in all queues. */
uint64_t arrival_waiting(const struct arrival *a)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < a->nr; i++)
		sum += queue_waiting(&a->list[i]->queue);
	return sum;
}

/* ---- packets ---- */

static int refuse(const struct arrival *a, const struct context *ctx, const char *line)
{
	char text[PACKET_MAX_LINE];

	context_say(ctx, "%s: offset %" PRIu64 ": '%s' has no place in a kmemtrace stream",
		    a->label, a->received, text_printable(text, sizeof(text), line));
	return -EILSEQ;
}

/* A packet of a text replaces it, or follows it. The bytes are kept until it is whole. */
static int begin_text(struct arrived *f, struct context *ctx, uint64_t len)
{
	size_t kept = strcmp(f->name, PACKET_METADATA) ? f->size : 0;
	char *next;

	if (len > ARRIVAL_MAX_FILE - kept) {
		context_say(ctx, "%s: has more than %" PRIu64 " bytes", f->name,
			    ARRIVAL_MAX_FILE);
		return context_fail(ctx, -EFBIG);
	}
	f->next_size = kept;
	if (kept + len + 1 <= f->next_room)
		return 0;
	next = context_realloc(ctx, f->next, 1, kept + len + 1);
	if (!next)
		return -ENOMEM;
	f->next = next;
	f->next_room = kept + len + 1;
	if (kept)
		memcpy(f->next, f->text, kept);
	return 0;
}

static int end_text(struct arrived *f, struct context *ctx)
{
	char *text = context_realloc(ctx, f->text, 1, f->next_size + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, f->next, f->next_size);
	f->text = text;
	f->size = f->next_size;
	f->version++;
	return 0;
}

static int begin_packet(struct arrival *a, struct context *ctx, char *line)
{
	char name[PACKET_MAX_LINE];

	memcpy(name, line, sizeof(name));
	if (!packet_parse(name, &a->left))
		return refuse(a, ctx, line);
	a->file = arrival_find(a, name);
	if (!a->file)
		a->file = add_file(a, ctx, name);
	if (!a->file)
		return context_error(ctx);
	return a->file->cpu >= 0 ? 0 : begin_text(a->file, ctx, a->left);
}

static int end_packet(struct arrival *a, struct context *ctx)
{
	struct arrived *f = a->file;

	a->file = NULL;
	return f->cpu >= 0 ? 0 : end_text(f, ctx);
}

static int take_line(struct arrival *a, struct context *ctx)
{
	a->line[a->line_size] = '\0';
	if (strlen(a->line) != a->line_size)
		return refuse(a, ctx, a->line);
	a->line_size = 0;
	if (!a->is_begun) {
		a->is_begun = true;
		return strcmp(a->line, PACKET_MAGIC) ? refuse(a, ctx, a->line) : 0;
	}
	if (strcmp(a->line, PACKET_END))
		return begin_packet(a, ctx, a->line);
	a->is_whole = true;
	arrival_end(a);
	return 0;
}

/* Take the bytes of a line. Return how many, or -errno. */
static ssize_t take_header(struct arrival *a, struct context *ctx, const char *bytes,
			   size_t size)
{
	size_t i;
	int ret;

	for (i = 0; i < size && bytes[i] != '\n'; i++) {
		if (a->line_size == PACKET_MAX_LINE - 1) {
			a->line[a->line_size] = '\0';
			return refuse(a, ctx, a->line);
		}
		a->line[a->line_size++] = bytes[i];
	}
	if (i == size)
		return i;
	ret = take_line(a, ctx);
	return ret ? ret : (ssize_t)i + 1;
}

/* Take the bytes of a packet. Return how many, or -errno. */
static ssize_t take_contents(struct arrival *a, struct context *ctx, const char *bytes,
			     size_t size)
{
	struct arrived *f = a->file;
	int ret = 0;

	if (size > a->left)
		size = a->left;
	if (f->cpu >= 0) {
		ret = queue_put(&f->queue, ctx, bytes, size);
	} else {
		memcpy(f->next + f->next_size, bytes, size);
		f->next_size += size;
	}
	a->left -= size;
	return ret ? ret : (ssize_t)size;
}

/**
 * arrival_put - take bytes of the stream
 * @a: the files so far; zeroed memory, but for @a->label, has none
 * @ctx: the context of the trace
 * @bytes: the bytes
 * @size: how many
 *
 * Bytes after the end of the trace are ignored.
 *
 * Return: 0, or -errno after a message.
 */
int arrival_put(struct arrival *a, struct context *ctx, const char *bytes, size_t size)
{
	ssize_t n = 0;
	int ret = 0;

	while (!ret && n >= 0 && size && !a->is_over) {
		n = a->file ? take_contents(a, ctx, bytes, size) :
			      take_header(a, ctx, bytes, size);
		if (n < 0)
			break;
		a->received += n;
		bytes += n;
		size -= n;
		if (a->file && !a->left)
			ret = end_packet(a, ctx);
	}
	return n < 0 ? context_fail(ctx, n) : ret;
}

/* No more bytes will arrive: the streams end where they are. */
void arrival_end(struct arrival *a)
{
	size_t i;

	a->is_over = true;
	for (i = 0; i < a->nr; i++)
		a->list[i]->queue.is_closed = true;
}

void arrival_free(struct arrival *a)
{
	tdestroy(a->tree, free_file);
	free(a->list);
	free(a->label);
	*a = (struct arrival) { .received = 0 };
}
