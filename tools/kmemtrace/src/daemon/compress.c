// SPDX-License-Identifier: GPL-2.0
/*
 * compress.c - write a stream in the seekable format of zstd: frames and a table of them
 */
#include "config.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "common/seekable.h"
#include "daemon/compress.h"

/* A fast level: meanwhile the buffers of the kernel fill. */
#define LEVEL		(-1)

/*
 * A frame begins with a block of so many bytes: they have the clock of the sub-buffer, which is
 * needed before any other record. Other blocks have 128 KiB.
 */
#define FIRST_BLOCK	128

/**
 * struct compressor - the frames of one stream
 * @zstd: compresses
 * @frame: the last frame
 * @bound: the most bytes of a frame
 * @table: the table that will follow the frames
 * @nr: entries in @table
 * @room: entries that @table has memory for, more than @nr once there is a frame
 * @last: the entry of the last frame
 */
struct compressor {
	ZSTD_CCtx *zstd;
	void *frame;
	size_t bound;
	unsigned char *table;
	size_t nr, room;
	struct seekable_entry last;
};

static size_t table_size(size_t nr)
{
	return sizeof(struct seekable_header) +
	       nr * sizeof(struct seekable_entry) +
	       sizeof(struct seekable_footer);
}

static int grow_table(struct compressor *c)
{
	size_t room = 2 * c->nr + 64;
	unsigned char *table;

	if (c->nr < c->room)
		return 0;
	table = realloc(c->table, table_size(room));
	if (!table)
		return -ENOMEM;
	c->table = table;
	c->room = room;
	return 0;
}

/* libzstd allocates its memory for the first frame; no later frame is larger. */
static int warm_up(struct compressor *c, size_t max)
{
	const void *frame;
	void *zeros = calloc(1, max);
	ssize_t ret = zeros ? compressor_frame(c, zeros, max, &frame) : -ENOMEM;

	free(zeros);
	return ret < 0 ? ret : 0;
}

/**
 * compressor_new - allocate all memory that a stream needs
 * @max: bytes of its largest frame, before compression
 *
 * Return: a compressor, to be compressor_free()d; NULL: no memory.
 */
struct compressor *compressor_new(size_t max)
{
	struct compressor *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->bound = ZSTD_compressBound(max) + FIRST_BLOCK;
	c->frame = malloc(c->bound);
	c->zstd = ZSTD_createCCtx();
	if (!c->frame || !c->zstd)
		goto free_it;
	ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_checksumFlag, 1);
	if (!warm_up(c, max))
		return c;
free_it:
	compressor_free(c);
	return NULL;
}

/* Return the most bytes that another frame and the table behind it take. */
size_t compressor_room(const struct compressor *c)
{
	return c->bound + table_size(c->nr + 1);
}

/* Compress the data up to @end, and end the block, or the frame. Return whether it worked. */
static bool compress_to(struct compressor *c, ZSTD_inBuffer *from, size_t end, ZSTD_outBuffer *to,
			ZSTD_EndDirective what)
{
	from->size = end;
	return !ZSTD_compressStream2(c->zstd, to, from, what);
}

/**
 * compressor_frame - compress data into a frame
 * @c: the stream
 * @data: the next bytes of the stream
 * @len: how many
 * @frame: result, valid until the next call
 *
 * Return: bytes of the frame, or -errno.
 */
ssize_t compressor_frame(struct compressor *c, const void *data, size_t len,
			 const void **frame)
{
	ZSTD_inBuffer from = { .src = data };
	ZSTD_outBuffer to = { .dst = c->frame, .size = c->bound };

	if (grow_table(c))
		return -ENOMEM;
	ZSTD_CCtx_reset(c->zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(c->zstd, len);
	if (len > FIRST_BLOCK && !compress_to(c, &from, FIRST_BLOCK, &to, ZSTD_e_flush))
		return -ENOMEM;
	if (!compress_to(c, &from, len, &to, ZSTD_e_end))
		return -ENOMEM;
	c->last = (struct seekable_entry) { htole32(to.pos), htole32(len) };
	*frame = c->frame;
	return to.pos;
}

/* Add the last frame, which is in the file now, to the table. */
void compressor_keep(struct compressor *c)
{
	memcpy(c->table + sizeof(struct seekable_header) +
	       c->nr * sizeof(c->last), &c->last, sizeof(c->last));
	c->nr++;
}

/**
 * compressor_table - make the table that ends the file
 * @c: the stream
 * @table: result, belongs to @c
 *
 * Return: its bytes.
 */
size_t compressor_table(struct compressor *c, const void **table)
{
	size_t size = table_size(c->nr);
	struct seekable_header header = {
		.magic = htole32(SEEKABLE_HEADER_MAGIC),
		.size = htole32(size - sizeof(header)),
	};
	struct seekable_footer footer = {
		.nr = htole32(c->nr),
		.magic = htole32(SEEKABLE_FOOTER_MAGIC),
	};

	memcpy(c->table, &header, sizeof(header));
	memcpy(c->table + size - sizeof(footer), &footer, sizeof(footer));
	*table = c->table;
	return size;
}

void compressor_free(struct compressor *c)
{
	if (!c)
		return;
	ZSTD_freeCCtx(c->zstd);
	free(c->frame);
	free(c->table);
	free(c);
}
