// SPDX-License-Identifier: GPL-2.0
/*
 * The bytes of a stream, from a plain file or from one in zstd's seekable format.
 *
 * Of a compressed file, the table says where its frames are; where there is none, all
 * are decompressed once to find them. What is read comes from frames that were
 * decompressed as a whole, and whose checksums were right.
 */
#include "config.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "common/names.h"
#include "common/seekable.h"
#include "read/input.h"

/* Bytes to read at a time while it isn't known how many are needed. */
#define CHUNK		(16 * 1024)

/**
 * struct frame - where a frame begins
 * @at: in the file
 * @offset: in the stream
 */
struct frame {
	uint64_t at, offset;
};

/**
 * struct seekable - a compressed file
 * @zstd: decompresses
 * @frames: one more than there are, which begins where the last ends
 * @nr: how many
 * @max_stored: bytes of the largest, in the file
 * @max_bytes: likewise, in the stream
 * @stored: a frame
 * @bytes: what it holds
 * @loaded: which one that is, or @nr
 */
struct seekable {
	ZSTD_DCtx *zstd;
	struct frame *frames;
	size_t nr;
	size_t max_stored, max_bytes;
	unsigned char *stored, *bytes;
	size_t loaded;
};

static bool has_at(const struct input *in, void *buf, size_t len, uint64_t at)
{
	return file_read(&in->file, buf, len, at) == (ssize_t)len;
}

static void set_fault(struct input *in, enum input_fault fault, uint64_t at)
{
	in->fault = fault;
	in->fault_at = at;
}

/* ---- where frames are ---- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Could kmemtraced have made a frame of this size? */
static bool is_possible(uint64_t stored, uint64_t bytes)
{
	return bytes <= SEEKABLE_MAX_FRAME &&
	       stored <= ZSTD_compressBound(SEEKABLE_MAX_FRAME);
}

/* Behind the last frame stands where the next would begin. */
static int add_frame(struct input *in, uint64_t stored, uint64_t bytes)
{
	struct seekable *z = in->zst;
	struct frame *f = context_grow_list(in->ctx, z->frames, z->nr + 1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	z->frames = f;
	f = &z->frames[z->nr++];
	f[1] = (struct frame) { f->at + stored, f->offset + bytes };
	z->max_stored = larger(z->max_stored, stored);
	z->max_bytes = larger(z->max_bytes, bytes);
	return 0;
}

/**
 * struct table - where the table is
 * @at: in the file, with its header
 * @entries: bytes of them
 * @words: 32-bit words of an entry
 */
struct table {
	uint64_t at, entries;
	unsigned int words;
};

static bool find_table(const struct input *in, struct table *table)
{
	struct seekable_header header;
	struct seekable_footer footer;
	uint64_t around = sizeof(header) + sizeof(footer);
	uint64_t file_size = in->file.size;

	if (file_size < around ||
	    !has_at(in, &footer, sizeof(footer), file_size - sizeof(footer)) ||
	    le32toh(footer.magic) != SEEKABLE_FOOTER_MAGIC ||
	    footer.descriptor & ~(SEEKABLE_CHECKSUMS | SEEKABLE_UNUSED))
		return false;
	table->words = footer.descriptor & SEEKABLE_CHECKSUMS ? 3 : 2;
	table->entries = UINT64_C(4) * table->words * le32toh(footer.nr);
	if (table->entries > file_size - around)
		return false;
	table->at = file_size - around - table->entries;
	return has_at(in, &header, sizeof(header), table->at) &&
	       le32toh(header.magic) == SEEKABLE_HEADER_MAGIC &&
	       le32toh(header.size) == table->entries + sizeof(footer);
}

/* 0: the table can't be right. */
static int add_entries(struct input *in, const struct table *table,
		       const uint32_t *entries)
{
	const struct seekable *z = in->zst;
	uint64_t i, stored, bytes;

	for (i = 0; i < table->entries / 4; i += table->words) {
		stored = le32toh(entries[i]);
		bytes = le32toh(entries[i + 1]);
		if (!is_possible(stored, bytes))
			return 0;
		if (add_frame(in, stored, bytes))
			return -ENOMEM;
	}
	return z->frames[z->nr].at == table->at;
}

/* Returns 1 when the file has a table and its frames are where that says. */
static int use_table(struct input *in)
{
	struct table table;
	uint32_t *entries;
	int ret;

	if (!find_table(in, &table))
		return 0;
	entries = context_realloc(in->ctx, NULL, 1, table.entries + 1);
	if (!entries)
		return -ENOMEM;
	ret = has_at(in, entries, table.entries,
		     table.at + sizeof(struct seekable_header)) ?
		add_entries(in, &table, entries) : 0;
	free(entries);
	return ret;
}

/*
 * Find the frames by decompressing all. What ends that is the file's end, or a frame
 * that is damaged.
 */
static int scan(struct input *in)
{
	struct seekable *z = in->zst;
	char from[CHUNK], to[CHUNK];
	ZSTD_inBuffer src = { from, 0, 0 };
	ZSTD_outBuffer dst = { to, sizeof(to), 0 };
	uint64_t at = 0, bytes = 0, stored;
	size_t left;
	ssize_t n;

	z->nr = 0;
	for (;;) {
		if (src.pos == src.size && dst.pos < dst.size) {
			n = file_read(&in->file, from, sizeof(from), at);
			if (n < 0)
				return n;
			set_fault(in, INPUT_CUT, z->frames[z->nr].at);
			if (!n)
				return 0;
			src = (ZSTD_inBuffer) { from, n, 0 };
			at += n;
		}
		dst.pos = 0;
		left = ZSTD_decompressStream(z->zstd, &dst, &src);
		stored = at - (src.size - src.pos) - z->frames[z->nr].at;
		bytes += dst.pos;
		if (ZSTD_isError(left) || !is_possible(stored, bytes)) {
			set_fault(in, INPUT_DAMAGED, z->frames[z->nr].at);
			return 0;
		}
		if (!left) {
			if (add_frame(in, stored, bytes))
				return -ENOMEM;
			bytes = 0;
		}
	}
}

static int open_seekable(struct input *in)
{
	struct seekable *z = context_calloc(in->ctx, 1, sizeof(*z));
	int ret;

	in->zst = z;
	if (!z)
		return -ENOMEM;
	z->zstd = ZSTD_createDCtx();
	z->frames = context_calloc(in->ctx, 2, sizeof(*z->frames));
	if (!z->zstd || !z->frames)
		return context_fail(in->ctx, -ENOMEM);
	ZSTD_DCtx_setParameter(z->zstd, ZSTD_d_windowLogMax, SEEKABLE_MAX_LOG);
	ret = use_table(in);
	if (!ret)
		ret = scan(in);
	if (ret < 0)
		return ret;
	in->size = z->frames[z->nr].offset;
	z->loaded = z->nr;
	z->stored = context_realloc(in->ctx, NULL, 1, z->max_stored + 1);
	z->bytes = context_realloc(in->ctx, NULL, 1, z->max_bytes + 1);
	return z->stored && z->bytes ? 0 : -ENOMEM;
}

/**
 * input_open - open the file of a stream
 * @in: result; input_close() it also after an error
 * @ctx: the context of the trace
 * @files: where it is
 * @name: its name, which says whether it is compressed
 *
 * Return: 0; -ENOENT: there is none; or -errno after a message.
 */
int input_open(struct input *in, struct context *ctx, struct files *files,
	       const char *name)
{
	int ret;

	*in = (struct input) { .ctx = ctx };
	ret = file_open(&in->file, files, ctx, name);
	in->size = in->file.size;
	if (!ret && name_is_compressed(name))
		ret = open_seekable(in);
	return ret;
}

/* ---- what is in them ---- */

/* The frame that has this byte of the stream. */
static size_t frame_of(const struct seekable *z, uint64_t offset)
{
	size_t low = 0, high = z->nr, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (z->frames[mid].offset <= offset)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Returns whether there is something to copy. */
static int load(struct input *in, size_t nr)
{
	struct seekable *z = in->zst;
	const struct frame *f = &z->frames[nr];
	size_t stored = f[1].at - f->at, bytes = f[1].offset - f->offset;
	ssize_t n;

	if (z->loaded == nr)
		return 1;
	z->loaded = z->nr;
	n = file_read(&in->file, z->stored, stored, f->at);
	if (n < 0)
		return n;
	if ((size_t)n != stored ||
	    ZSTD_decompressDCtx(z->zstd, z->bytes, bytes, z->stored,
				stored) != bytes) {
		set_fault(in, INPUT_DAMAGED, f->at);
		return 0;
	}
	z->loaded = nr;
	return 1;
}

static ssize_t read_frames(struct input *in, char *buf, size_t len,
			   uint64_t offset)
{
	const struct seekable *z = in->zst;
	const struct frame *f;
	size_t n, done = 0;
	int ret;

	for (; done < len && offset < in->size; done += n, offset += n) {
		f = &z->frames[frame_of(z, offset)];
		ret = load(in, f - z->frames);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
		n = f[1].offset - offset;
		if (n > len - done)
			n = len - done;
		memcpy(buf + done, z->bytes + (offset - f->offset), n);
	}
	return done;
}

/**
 * input_read - read bytes of a stream
 * @in: the stream
 * @buf: to here
 * @len: so many
 * @offset: from there on
 *
 * Return: how many; less than @len at the stream's end only, where @in->fault is the
 * reason if it shouldn't be there. Or -errno.
 */
ssize_t input_read(struct input *in, void *buf, size_t len, uint64_t offset)
{
	return in->zst ? read_frames(in, buf, len, offset) :
			 file_read(&in->file, buf, len, offset);
}

/* Decompress as much of a frame as is needed for its first @len bytes. */
static size_t peek_frame(const struct input *in, void *buf, size_t len,
			 uint64_t at)
{
	ZSTD_DCtx *zstd = in->zst->zstd;
	ZSTD_outBuffer dst = { buf, len, 0 };
	ZSTD_inBuffer src;
	char from[CHUNK];
	size_t left = 1;
	ssize_t n;

	ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only);
	while (dst.pos < len && left && !ZSTD_isError(left)) {
		n = file_read(&in->file, from, sizeof(from), at);
		if (n <= 0)
			break;
		src = (ZSTD_inBuffer) { from, n, 0 };
		at += n;
		left = ZSTD_decompressStream(zstd, &dst, &src);
	}
	return dst.pos;
}

/**
 * input_peek - read a few bytes of a stream, at best where a frame begins
 * @in: the stream
 * @buf: to here
 * @len: so many
 * @offset: from there on
 *
 * As input_read(), but a frame that begins there isn't decompressed as a whole, and
 * its checksum isn't looked at.
 *
 * Return: as input_read().
 */
ssize_t input_peek(struct input *in, void *buf, size_t len, uint64_t offset)
{
	const struct seekable *z = in->zst;
	const struct frame *f;

	if (z && offset < in->size) {
		f = &z->frames[frame_of(z, offset)];
		if (f->offset == offset &&
		    peek_frame(in, buf, len, f->at) == len)
			return len;
	}
	return input_read(in, buf, len, offset);
}

/* Give back what input_open() took, however far it came. */
void input_close(struct input *in)
{
	struct seekable *z = in->zst;

	file_close(&in->file);
	if (!z)
		return;
	ZSTD_freeDCtx(z->zstd);
	free(z->frames);
	free(z->stored);
	free(z->bytes);
	free(z);
}
