/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decompress the frames of streams that one thread reads, in bounded memory.
 */
#ifndef KMEMTRACE_DECODER_H
#define KMEMTRACE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"

/* So many bytes of contents are never in pieces. */
#define DECODER_ALWAYS_HELD	(UINT64_C(8) << 20)

/**
 * struct decoder - shared by the compressed streams that one thread reads
 * @zstd: decompresses
 * @input_bytes: of all files
 * @has_one: it has one stream, whose frames are small: contents stay in its own memory until the
 *	next frame
 *
 * Zeroed memory has nothing yet; decoder_free() it.
 */
struct decoder {
	struct ZSTD_DCtx_s *zstd;
	uint64_t input_bytes;
	bool has_one;

	/* private: */
	struct ZSTD_CCtx_s *packer;
	struct scratch {
		unsigned char *bytes;
		size_t size;
	} stored, frame, packed;
	uint64_t held;
};

/**
 * struct unpacked - the contents of a frame
 * @size: bytes
 *
 * Zeroed memory holds nothing.
 */
struct unpacked {
	size_t size;

	/* private: @is_lent: @bytes are those of the decoder */
	unsigned char *bytes;
	uint32_t *pieces;
	bool is_lent;
};

int decoder_init(struct decoder *d, struct context *ctx);
void decoder_shrink(struct decoder *d);
void decoder_free(struct decoder *d);
void *decoder_room(struct decoder *d, struct context *ctx, size_t size);
int decoder_unpack(struct decoder *d, struct context *ctx, struct unpacked *u,
		   size_t stored, size_t size);
int unpacked_read(const struct unpacked *u, struct decoder *d, void *buf, size_t len,
		  size_t at);
void unpacked_free(struct unpacked *u, struct decoder *d);

#endif /* KMEMTRACE_DECODER_H */
