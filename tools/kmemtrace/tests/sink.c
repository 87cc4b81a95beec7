// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a written trace.
 */
#include "config.h"

#include <err.h>

#include "common/memory.h"
#include "common/names.h"
#include "common/packet.h"
#include "daemon/compress.h"
#include "sink.h"

/**
 * sink_open - begin a file
 * @s: result
 * @dir: its directory, or SINK_STDOUT
 * @name: its name
 * @room: most bytes of one write
 * @compress: compress each write into a frame, as kmemtraced -z does
 */
void sink_open(struct sink *s, const char *dir, const char *name, size_t room,
	       bool compress)
{
	char *path;

	*s = (struct sink) {
		.to = stdout,
		.packets = !strcmp(dir, SINK_STDOUT),
		.compressor = compress ? compressor_new(room) : NULL,
		.piece = must_calloc(1, room + 1),
		.room = room,
	};
	if ((compress && !s->compressor) ||
	    asprintf(&s->name, "%s%s", name, compress ? SUFFIX_COMPRESSED : "") < 0 ||
	    asprintf(&path, "%s/%s", dir, s->name) < 0)
		errx(EXIT_UNUSABLE, "out of memory");
	if (!s->packets)
		s->to = fopen(path, "we");
	if (!s->to)
		err(EXIT_UNUSABLE, "%s", path);
	free(path);
}

static void put(const struct sink *s, const void *data, size_t len)
{
	if (s->packets)
		fprintf(s->to, "%s %zu\n", s->name, len);
	if (fwrite(data, 1, len, s->to) != len)
		err(EXIT_UNUSABLE, "%s", s->name);
}

/* End the current piece. */
void sink_flush(struct sink *s)
{
	const void *frame = s->piece;
	ssize_t len = s->len;

	if (!len)
		return;
	if (s->compressor)
		len = compressor_frame(s->compressor, s->piece, len, &frame);
	if (len < 0)
		errx(EXIT_UNUSABLE, "%s: can't be compressed", s->name);
	put(s, frame, len);
	if (s->compressor)
		compressor_keep(s->compressor);
	s->len = 0;
}

/* End the file. */
void sink_close(struct sink *s)
{
	const void *table;
	size_t len;

	sink_flush(s);
	if (s->compressor) {
		len = compressor_table(s->compressor, &table);
		put(s, table, len);
	}
	if (s->packets ? fflush(s->to) : fclose(s->to))
		err(EXIT_UNUSABLE, "%s", s->name);
	compressor_free(s->compressor);
	free(s->piece);
	free(s->name);
}
