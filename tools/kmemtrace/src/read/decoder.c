// SPDX-License-Identifier: GPL-2.0
/*
 * decoder.c - decompress frames in bounded memory
 *
 * The sub-buffers of many CPUs overlap in time: while one frame of a stream is read, a
 * frame of each other stream is open, too. As long as their contents are not much larger
 * than the files, they stay in memory uncompressed. Beyond that they stay in small
 * compressed pieces, each of which is decompressed when it is read. So no frame is
 * decompressed twice, and memory is bounded by the size of the file.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "common/seekable.h"
#include "read/decoder.h"

/* Limits of uncompressed contents: bytes, and multiple of the bytes of all files. */
#define HELD_FACTOR	4

#define PIECE		(16 * 1024)
#define LEVEL		1

static void *grow_scratch(struct scratch *s, struct context *ctx, size_t size)
{
	unsigned char *bytes;

	if (s->size >= size && s->bytes)
		return s->bytes;
	bytes = context_realloc(ctx, NULL, 1, size + 1);
	if (!bytes)
		return NULL;
	free(s->bytes);
	*s = (struct scratch) { bytes, size };
	return bytes;
}

/* Make a decoder ready, unless it is. Return 0 or -ENOMEM. */
int decoder_init(struct decoder *d, struct context *ctx)
{
	if (d->zstd)
		return 0;
	d->zstd = ZSTD_createDCtx();
	if (!d->zstd)
		return context_fail(ctx, -ENOMEM);
	ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, SEEKABLE_MAX_LOG);
	return 0;
}

/* Release the window of a frame that was decompressed in pieces; decoder_init() it again. */
void decoder_shrink(struct decoder *d)
{
	ZSTD_freeDCtx(d->zstd);
	d->zstd = NULL;
}

void decoder_free(struct decoder *d)
{
	ZSTD_freeDCtx(d->zstd);
	ZSTD_freeCCtx(d->packer);
	free(d->stored.bytes);
	free(d->frame.bytes);
	free(d->packed.bytes);
	*d = (struct decoder) { .zstd = NULL };
}

/* Return room for a frame as it is stored, for decoder_unpack(); NULL: no memory. */
void *decoder_room(struct decoder *d, struct context *ctx, size_t size)
{
	return grow_scratch(&d->stored, ctx, size);
}

static bool may_hold(const struct decoder *d, size_t size)
{
	return d->held + size <= DECODER_ALWAYS_HELD + HELD_FACTOR * d->input_bytes;
}

static size_t count_pieces(size_t size)
{
	return (size + PIECE - 1) / PIECE;
}

static size_t piece_size(size_t size, size_t i)
{
	return size - i * PIECE < PIECE ? size - i * PIECE : PIECE;
}

/* Compress @from piece by piece; @pieces gets where they end. Return all their bytes. */
static size_t pack_pieces(struct decoder *d, uint32_t *pieces, const unsigned char *from,
			  size_t size)
{
	size_t i, ret, len = 0, nr = count_pieces(size);

	for (i = 0; i < nr; i++) {
		ret = ZSTD_compressCCtx(d->packer, d->packed.bytes + len,
					d->packed.size - len, from + i * PIECE,
					piece_size(size, i), LEVEL);
		if (ZSTD_isError(ret))
			return 0;
		len += ret;
		pieces[i] = len;
	}
	return len;
}

/* Let @u hold contents in pieces. Return 0 or -ENOMEM. */
static int pack(struct decoder *d, struct context *ctx, struct unpacked *u,
		const unsigned char *from, size_t size)
{
	size_t len, nr = count_pieces(size);

	if (!d->packer)
		d->packer = ZSTD_createCCtx();
	u->pieces = context_calloc(ctx, nr, sizeof(*u->pieces));
	if (!d->packer || !u->pieces ||
	    !grow_scratch(&d->packed, ctx, nr * ZSTD_compressBound(PIECE)))
		return context_fail(ctx, -ENOMEM);
	len = pack_pieces(d, u->pieces, from, size);
	if (!len)
		return context_fail(ctx, -ENOMEM);
	u->bytes = context_realloc(ctx, NULL, 1, len);
	if (!u->bytes)
		return -ENOMEM;
	memcpy(u->bytes, d->packed.bytes, len);
	return 0;
}

/**
 * decoder_unpack - decompress the frame in decoder_room()
 * @d: the decoder
 * @ctx: the context of the trace
 * @u: result: its contents, the caller calls unpacked_free() also after an error
 * @stored: bytes of the frame
 * @size: bytes of its contents
 *
 * Return: 0; -EILSEQ: the frame is damaged, or has contents of another size; -ENOMEM.
 */
int decoder_unpack(struct decoder *d, struct context *ctx, struct unpacked *u,
		   size_t stored, size_t size)
{
	bool is_held = !d->has_one && may_hold(d, size);
	unsigned char *bytes;
	int ret = 0;

	*u = (struct unpacked) { .size = 0 };
	bytes = is_held ? context_realloc(ctx, NULL, 1, size + 1) :
			  grow_scratch(&d->frame, ctx, size);
	if (!bytes)
		return -ENOMEM;
	if (ZSTD_decompressDCtx(d->zstd, bytes, size, d->stored.bytes, stored) != size)
		ret = -EILSEQ;
	if (is_held || d->has_one) {
		u->bytes = bytes;
		u->size = size;
		u->is_lent = d->has_one;
		d->held += size;
	} else if (!ret) {
		ret = pack(d, ctx, u, bytes, size);
		u->size = size;
	}
	return ret;
}

/* Decompress a piece into the decoder's scratch memory; NULL: it is damaged. */
static const unsigned char *unpack_piece(const struct unpacked *u, struct decoder *d,
					 size_t i)
{
	size_t begin = i ? u->pieces[i - 1] : 0, size = piece_size(u->size, i);

	if (ZSTD_decompressDCtx(d->zstd, d->packed.bytes, size, u->bytes + begin,
				u->pieces[i] - begin) != size)
		return NULL;
	return d->packed.bytes;
}

/**
 * unpacked_read - read from the contents of a frame
 * @u: the contents
 * @d: the decoder that holds them
 * @buf: receives the bytes
 * @len: how many; the contents have as many from @at on
 * @at: where in the contents they begin
 *
 * Return: 0 or -EILSEQ.
 */
int unpacked_read(const struct unpacked *u, struct decoder *d, void *buf, size_t len,
		  size_t at)
{
	const unsigned char *piece;
	size_t n;

	if (!u->pieces) {
		memcpy(buf, u->bytes + at, len);
		return 0;
	}
	for (; len; len -= n, at += n, buf = (char *)buf + n) {
		n = PIECE - at % PIECE < len ? PIECE - at % PIECE : len;
		piece = unpack_piece(u, d, at / PIECE);
		if (!piece)
			return -EILSEQ;
		memcpy(buf, piece + at % PIECE, n);
	}
	return 0;
}

/* Release the contents of a frame. */
void unpacked_free(struct unpacked *u, struct decoder *d)
{
	if (!u->pieces)
		d->held -= u->size;
	if (!u->is_lent)
		free(u->bytes);
	free(u->pieces);
	*u = (struct unpacked) { .size = 0 };
}
