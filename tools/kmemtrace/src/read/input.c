// SPDX-License-Identifier: GPL-2.0
/*
 * input.c - the bytes of a stream, from a plain file or one in zstd's seekable format
 *
 * The table at the end of a compressed file says where its frames are. A file without a
 * table is decompressed once to find them. While a file arrives, its frames are found one after
 * the other. Bytes are read from frames that were decompressed as a whole and whose checksums
 * were right.
 */
#include "config.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "common/names.h"
#include "common/seekable.h"
#include "read/input.h"

/* Bytes to read at a time if the needed number is unknown, and to read first of a frame. */
#define CHUNK		(16 * 1024)
#define FIRST		256

/*
 * No stream of kmemtraced is larger than its file by this factor: an empty page that a
 * flush has published takes about 70 bytes. The first frames may have more.
 */
#define MAX_RATIO	1024
#define RATIO_FROM	(64 * 1024)

/**
 * struct frame - where a frame begins
 * @at: in the file
 * @offset: in the stream
 */
struct frame {
	uint64_t at, offset;
};

#define NO_FRAME	SIZE_MAX

/*
 * Bytes of the contents of the largest frame of a stream that other threads read; the frame itself
 * has half of that. Sub-buffers have 448 KiB by default.
 */
#define DETACHED_MAX	(512 * 1024)

/**
 * struct seekable - a compressed file
 * @frames: one more than there are, which begins where the last one ends
 * @nr: how many there are
 * @good: frames before the first one that is known to be damaged
 * @loaded: number of the frame in memory, or NO_FRAME
 * @contents: of that frame
 * @needed: of a file that arrives: bytes that must wait before the next frame is looked for
 * @own: the decoder of a stream that shares none
 */
struct seekable {
	struct frame *frames;
	size_t nr, good, loaded;
	uint64_t needed;
	struct unpacked contents;
	struct decoder own;
};

static bool has_at(const struct input *in, void *buf, size_t len, uint64_t at)
{
	return file_read(&in->file, buf, len, at) == (ssize_t)len;
}

static void set_fault(struct input *in, enum input_fault fault, uint64_t at)
{
	in->fault = fault;
	in->fault_at = at;
	in->grows = false;
}

/* ---- the places of frames ---- */

/* Return the frame that has this byte of the stream. */
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

/* Return whether kmemtraced may have written such a frame after those that are known. */
static bool is_possible_frame(const struct seekable *z, uint64_t stored, uint64_t bytes)
{
	const struct frame *f = &z->frames[z->nr];

	return bytes <= SEEKABLE_MAX_FRAME &&
	       stored <= ZSTD_compressBound(SEEKABLE_MAX_FRAME) &&
	       f->offset + bytes <= RATIO_FROM + MAX_RATIO * (f->at + stored);
}

/* Append a frame; the entry behind it says where the next one would begin. */
static int add_frame(struct input *in, uint64_t stored, uint64_t bytes)
{
	struct seekable *z = in->zst;
	struct frame *f = context_grow_list(in->ctx, z->frames, z->nr + 1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	z->frames = f;
	f = &z->frames[z->nr++];
	f[1] = (struct frame) { f->at + stored, f->offset + bytes };
	return 0;
}

/**
 * struct seek_table - the place of the table
 * @at: in the file, with its header
 * @entries: bytes of them
 * @words: 32-bit words of an entry
 */
struct seek_table {
	uint64_t at, entries;
	unsigned int words;
};

/* Find where the table of a file begins, by its end. Return whether there may be one. */
static bool find_footer(const struct input *in, struct seek_table *table)
{
	struct seekable_footer footer;
	uint64_t around = sizeof(struct seekable_header) + sizeof(footer);
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
	return true;
}

/* Return whether there is a table where its end says. */
static bool has_table(const struct input *in, const struct seek_table *table)
{
	struct seekable_header header;

	return has_at(in, &header, sizeof(header), table->at) &&
	       le32toh(header.magic) == SEEKABLE_HEADER_MAGIC &&
	       le32toh(header.size) == table->entries + sizeof(struct seekable_footer);
}

/* Return 1; 0: the table is wrong; or -errno. */
static int add_entries(struct input *in, const struct seek_table *table,
		       const uint32_t *entries)
{
	const struct seekable *z = in->zst;
	uint64_t i, stored, bytes;

	for (i = 0; i < table->entries / 4; i += table->words) {
		stored = le32toh(entries[i]);
		bytes = le32toh(entries[i + 1]);
		if (!is_possible_frame(z, stored, bytes))
			return 0;
		if (add_frame(in, stored, bytes))
			return -ENOMEM;
	}
	return z->frames[z->nr].at == table->at;
}

/* Return 1 if the file has a table and frames at its offsets; 0 if not; or -errno. */
static int use_table(struct input *in)
{
	struct seek_table table;
	uint32_t *entries;
	int ret;

	if (!find_footer(in, &table) || !has_table(in, &table))
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

/* Find the frames by decompressing them, up to the end of the file or a damaged frame. */
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
	ZSTD_DCtx_reset(in->decoder->zstd, ZSTD_reset_session_only);
	for (;;) {
		if (src.pos == src.size && dst.pos < dst.size) {
			n = context_check(in->ctx);
			if (!n)
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
		left = ZSTD_decompressStream(in->decoder->zstd, &dst, &src);
		stored = at - (src.size - src.pos) - z->frames[z->nr].at;
		bytes += dst.pos;
		if (ZSTD_isError(left) || !is_possible_frame(z, stored, bytes)) {
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

/* Allocate what a compressed file needs. Return 0 or -errno. */
static int init_seekable(struct input *in, struct decoder *decoder)
{
	struct seekable *z = context_calloc(in->ctx, 1, sizeof(*z));

	in->zst = z;
	if (!z)
		return -ENOMEM;
	z->loaded = NO_FRAME;
	z->good = NO_FRAME;
	in->decoder = decoder ? decoder : &z->own;
	in->decoder->input_bytes += in->file.size;
	z->frames = context_calloc(in->ctx, 2, sizeof(*z->frames));
	return z->frames ? decoder_init(in->decoder, in->ctx) : -ENOMEM;
}

static int open_seekable(struct input *in, struct decoder *decoder)
{
	int ret = init_seekable(in, decoder);

	if (!ret)
		ret = use_table(in);
	if (!ret) {
		ret = scan(in);
		decoder_shrink(in->decoder);
	}
	if (!ret)
		ret = decoder_init(in->decoder, in->ctx);
	if (ret < 0)
		return ret;
	in->size = in->zst->frames[in->zst->nr].offset;
	return 0;
}

/**
 * input_open - open the file of a stream
 * @in: result; input_close() it also after an error
 * @ctx: the context of the trace
 * @files: where it is
 * @name: its name, which says whether it is compressed
 * @decoder: shared by all streams that the same thread reads, and to be freed after them;
 *	NULL: the stream has its own
 *
 * Return: 0; -ENOENT: there is none; or -errno after a message.
 */
int input_open(struct input *in, struct context *ctx, struct files *files,
	       const char *name, struct decoder *decoder)
{
	int ret;

	*in = (struct input) { .ctx = ctx };
	ret = file_open(&in->file, files, ctx, name);
	in->size = in->file.size;
	if (!ret && name_is_compressed(name))
		ret = open_seekable(in, decoder);
	return ret;
}

/* ---- files that are still arriving ---- */

/* Return the bytes of a frame's contents, which few frames don't say; -1: it is damaged. */
static int64_t contents_of(struct decoder *d, const void *frame, size_t stored)
{
	unsigned long long bytes = ZSTD_getFrameContentSize(frame, stored);
	ZSTD_inBuffer src = { frame, stored, 0 };
	ZSTD_outBuffer dst;
	char to[CHUNK];
	size_t left = 1;

	if (bytes != ZSTD_CONTENTSIZE_UNKNOWN)
		return bytes <= SEEKABLE_MAX_FRAME ? (int64_t)bytes : -1;
	ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
	for (bytes = 0; left && bytes <= SEEKABLE_MAX_FRAME; bytes += dst.pos) {
		dst = (ZSTD_outBuffer) { to, sizeof(to), 0 };
		left = ZSTD_decompressStream(d->zstd, &dst, &src);
		if (ZSTD_isError(left) || (left && !dst.pos))
			return -1;
	}
	return bytes;
}

/*
 * Read the next frame into the room of the decoder. Return its bytes; 0: it has not arrived; or
 * -errno. -EILSEQ: it is damaged.
 */
static ssize_t read_frame(struct input *in, void **frame)
{
	const uint64_t at = in->zst->frames[in->zst->nr].at, left = in->file.size - at;
	size_t len, ret, most = ZSTD_compressBound(SEEKABLE_MAX_FRAME);
	ssize_t n;

	for (len = FIRST; len / 2 < most; len *= 2) {
		n = len < left ? len : left;
		*frame = decoder_room(in->decoder, in->ctx, n);
		if (!*frame)
			return -ENOMEM;
		n = file_read(&in->file, *frame, n, at);
		if (n < 0)
			return n;
		ret = ZSTD_findFrameCompressedSize(*frame, n);
		if (!ZSTD_isError(ret))
			return ret;
		if (ZSTD_getErrorCode(ret) != ZSTD_error_srcSize_wrong)
			return -EILSEQ;
		if ((uint64_t)n == left)
			return 0;
	}
	return -EILSEQ;
}

/* Find the next frame. Return 1; 0: it has not arrived, or is damaged; or -errno. */
static int take_frame(struct input *in)
{
	struct seekable *z = in->zst;
	const uint64_t at = z->frames[z->nr].at, left = in->file.size - at;
	int64_t bytes = -1;
	void *frame;
	ssize_t n;

	if (!left || in->fault || (in->grows && left < z->needed))
		return 0;
	n = read_frame(in, &frame);
	if (n > 0)
		bytes = contents_of(in->decoder, frame, n);
	if (n == -EILSEQ || (n > 0 && (bytes < 0 || !is_possible_frame(z, n, bytes)))) {
		set_fault(in, INPUT_DAMAGED, at);
		return 0;
	}
	/* kmemtraced sends whole frames. Others may send single bytes, with a flush behind each. */
	z->needed = n ? 0 : 2 * left;
	if (n <= 0)
		return n;
	return add_frame(in, n, bytes) ? -ENOMEM : 1;
}

/*
 * Return whether the last frame is the table that ends a file. Nothing before that frame is read:
 * it may have been forgotten.
 */
static bool ends_with_table(const struct input *in)
{
	const struct seekable *z = in->zst;
	const struct frame *last;
	struct seek_table table;

	if (!z->nr)
		return false;
	last = &z->frames[z->nr - 1];
	return last[1].at == in->file.size &&
	       last[1].at - last->at >= sizeof(struct seekable_header) +
					sizeof(struct seekable_footer) &&
	       find_footer(in, &table) && table.at == last->at && has_table(in, &table);
}

/* Find the frames that have arrived. Return 0 or -errno. */
static int find_frames(struct input *in)
{
	int ret;

	do
		ret = take_frame(in);
	while (ret > 0);
	in->size = in->zst->frames[in->zst->nr].offset;
	if (!ret && !in->grows && !in->fault && !ends_with_table(in))
		set_fault(in, INPUT_CUT, in->zst->frames[in->zst->nr].at);
	return ret;
}

/**
 * input_open_arriving - open the file of a stream that arrives
 * @in: result; input_close() it also after an error
 * @ctx: the context of the trace
 * @files: where it is
 * @name: its name, which says whether it is compressed
 * @decoder: as for input_open()
 *
 * Return: as input_open().
 */
int input_open_arriving(struct input *in, struct context *ctx, struct files *files,
			const char *name, struct decoder *decoder)
{
	int ret;

	*in = (struct input) { .ctx = ctx, .grows = true };
	ret = file_open(&in->file, files, ctx, name);
	if (!ret && name_is_compressed(name))
		ret = init_seekable(in, decoder);
	return ret ? ret : input_update(in, true);
}

/**
 * input_update - take over how much of a stream has arrived
 * @in: the stream
 * @grows: more bytes may arrive
 *
 * Return: 0 or -errno.
 */
int input_update(struct input *in, bool grows)
{
	file_update(&in->file);
	in->grows = grows && !in->fault;
	if (in->zst)
		return find_frames(in);
	in->size = in->file.size;
	return 0;
}

/* Return where in its file a stream must be kept if bytes from @offset on are still read. */
uint64_t input_kept(const struct input *in, uint64_t offset)
{
	const struct seekable *z = in->zst;

	if (!z)
		return offset;
	/* Nothing behind a damaged frame is read. */
	return in->fault && offset >= in->size ? in->file.size :
						 z->frames[frame_of(z, offset)].at;
}

/* ---- the contents of frames ---- */

static void unload(struct input *in)
{
	unpacked_free(&in->zst->contents, in->decoder);
	in->zst->loaded = NO_FRAME;
}

/* Decompress a frame. Return 0; -EILSEQ: the frame is damaged; or another -errno. */
static int unpack(struct input *in, size_t nr)
{
	const struct frame *f = &in->zst->frames[nr];
	size_t stored = f[1].at - f->at, bytes = f[1].offset - f->offset;
	void *room = decoder_room(in->decoder, in->ctx, stored);
	ssize_t n;

	if (!room)
		return -ENOMEM;
	n = file_read(&in->file, room, stored, f->at);
	if (n < 0)
		return n;
	if ((size_t)n != stored)
		return -EILSEQ;
	return decoder_unpack(in->decoder, in->ctx, &in->zst->contents, stored, bytes);
}

/* Return 1 if the frame is in memory, 0 if the stream ends before it, or -errno. */
static int load(struct input *in, size_t nr)
{
	struct seekable *z = in->zst;
	int err;

	if (z->loaded == nr)
		return 1;
	unload(in);
	if (nr >= z->good)
		return 0;
	err = unpack(in, nr);
	if (!err) {
		z->loaded = nr;
		return 1;
	}
	unload(in);
	if (err != -EILSEQ)
		return err;
	set_fault(in, INPUT_DAMAGED, z->frames[nr].at);
	z->good = nr;
	return 0;
}

static ssize_t read_frames(struct input *in, char *buf, size_t len,
			   uint64_t offset)
{
	struct seekable *z = in->zst;
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
		ret = unpacked_read(&z->contents, in->decoder, buf + done, n,
				    offset - f->offset);
		if (ret)
			return ret;
		/* Streams are read from their beginning to their end. */
		if (offset + n == f[1].offset)
			unload(in);
	}
	return done;
}

/**
 * input_detach - prepare a stream for threads that read others at the same time
 * @in: the stream, whose file is complete
 *
 * A compressed stream gets its own decoder, which needs more memory.
 *
 * Return: false, with nothing done, if it would need much more, or if there is no memory.
 */
bool input_detach(struct input *in)
{
	struct seekable *z = in->zst;
	const struct frame *f = z ? z->frames : NULL;
	size_t i;

	for (i = 0; z && i < z->nr; i++, f++)
		if (f[1].at - f->at > DETACHED_MAX / 2 || f[1].offset - f->offset > DETACHED_MAX)
			return false;
	if (!z || in->decoder == &z->own)
		return true;
	if (decoder_init(&z->own, in->ctx))
		return false;
	unload(in);
	z->own.has_one = true;
	in->decoder = &z->own;
	return true;
}

/**
 * input_read - read bytes of a stream
 * @in: the stream
 * @buf: receives the bytes
 * @len: how many
 * @offset: where in the stream they begin
 *
 * Return: how many were read, less than @len at the end of the stream only, where
 * @in->fault says whether the stream ends early; or -errno.
 */
ssize_t input_read(struct input *in, void *buf, size_t len, uint64_t offset)
{
	return in->zst ? read_frames(in, buf, len, offset) :
			 file_read(&in->file, buf, len, offset);
}

/* Decompress the first @len bytes of a frame. Return how many there are. */
static size_t peek_frame(const struct input *in, void *buf, size_t len,
			 uint64_t at)
{
	ZSTD_DCtx *zstd = in->decoder->zstd;
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
 * input_peek - read a few bytes of a stream, preferably where a frame begins
 * @in: the stream
 * @buf: receives the bytes
 * @len: how many
 * @offset: where in the stream they begin
 *
 * Does what input_read() does, but decompresses only the beginning of a frame that begins
 * at @offset, and does not verify its checksum.
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

/* Undo input_open() or input_open_arriving(), also after an error. */
void input_close(struct input *in)
{
	struct seekable *z = in->zst;

	file_close(&in->file);
	if (!z)
		return;
	unpacked_free(&z->contents, in->decoder);
	decoder_free(&z->own);
	free(z->frames);
	free(z);
}
