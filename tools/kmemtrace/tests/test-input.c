// SPDX-License-Identifier: GPL-2.0
/*
 * Read the bytes of plain and compressed streams, and of compressed files that are cut,
 * damaged, or make false claims.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <zstd.h>

#include "common/seekable.h"
#include "daemon/compress.h"
#include "read/input.h"
#include "test-files.h"

#define FRAME		5000
#define NR		9
/* The last frame is shorter. */
#define SIZE		(NR * FRAME - 1234)
#define MAX_FILE	(2 * SIZE + 4096)

/* A stream, its file, and the offsets of its frames in the file. */
struct sample {
	unsigned char stream[SIZE];
	unsigned char file[MAX_FILE];
	size_t at[NR + 1];
	size_t len;
};

static struct sample sample;

/* Fill the stream with bytes of which half can't be compressed. */
static void fill(unsigned char *data, size_t len)
{
	uint64_t x = 1;
	size_t i;

	for (i = 0; i < len; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		data[i] = i & 1 ? x : i >> 8;
	}
}

static void append(struct sample *s, const void *data, size_t len)
{
	assert_true(s->len + len <= sizeof(s->file));
	memcpy(s->file + s->len, data, len);
	s->len += len;
}

static int make_sample(void **state)
{
	struct compressor *c = compressor_new(FRAME);
	struct sample *s = &sample;
	size_t i, n, len;
	const void *data;

	(void)state;
	assert_non_null(c);
	fill(s->stream, SIZE);
	for (i = 0; i < NR; i++) {
		s->at[i] = s->len;
		n = i + 1 < NR ? FRAME : SIZE - i * FRAME;
		len = compressor_frame(c, s->stream + i * FRAME, n, &data);
		assert_true(s->len + len + 17 + 8 * (i + 1) <=
			    s->len + compressor_room(c));
		append(s, data, len);
		compressor_keep(c);
	}
	s->at[NR] = s->len;
	len = compressor_table(c, &data);
	append(s, data, len);
	compressor_free(c);
	return 0;
}

static char *name_it(const void *data, size_t len)
{
	char *name = test_file(data, len), *zst;

	assert_true(asprintf(&zst, "%s.zst", name) > 0);
	assert_int_equal(rename(name, zst), 0);
	free(name);
	return zst;
}

static void open_sample(struct input *in, const void *file, size_t len)
{
	char *name = name_it(file, len);

	assert_int_equal(input_open(in, &test_ctx, test_files(), name, NULL), 0);
	test_file_remove(name);
}

/* Read all of the stream in pieces. Return how many bytes there are. */
static size_t drain(struct input *in, size_t piece)
{
	static unsigned char out[SIZE + FRAME];
	size_t len = 0;
	ssize_t n;

	while ((n = input_read(in, out + len, piece, len)) > 0)
		len += n;
	assert_int_equal(n, 0);
	assert_true(len <= SIZE);
	assert_memory_equal(out, sample.stream, len);
	return len;
}

static void check_read(struct input *in)
{
	static const size_t pieces[] = { 1, 56, 4096, FRAME, 3 * FRAME + 1 };
	size_t i;

	assert_int_equal(in->size, SIZE);
	for (i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
		assert_int_equal(drain(in, pieces[i]), SIZE);
	assert_int_equal(in->fault, INPUT_OK);
}

static void test_read(void **state)
{
	struct input in;
	char *name;

	(void)state;
	open_sample(&in, sample.file, sample.len);
	check_read(&in);
	input_close(&in);

	name = test_file(sample.stream, SIZE);
	assert_int_equal(input_open(&in, &test_ctx, test_files(), name, NULL), 0);
	check_read(&in);
	input_close(&in);
	test_file_remove(name);
	assert_int_equal(input_open(&in, &test_ctx, test_files(), name = strdup("/nonexistent.zst"), NULL),
			 -ENOENT);
	input_close(&in);
	free(name);
}

/* Bytes can be read from anywhere, forwards and backwards. */
static void test_peek(void **state)
{
	unsigned char out[56];
	struct input in;
	size_t at, want;
	int i;

	(void)state;
	open_sample(&in, sample.file, sample.len);
	for (i = 0; i < 2000; i++) {
		at = i * (size_t)7919 % (SIZE + 10);
		if (i % 3)
			at -= at % FRAME;
		want = at > SIZE ? 0 : SIZE - at < 56 ? SIZE - at : 56;
		assert_int_equal(input_peek(&in, out, 56, at), want);
		assert_memory_equal(out, sample.stream + (want ? at : 0), want);
	}
	assert_int_equal(input_peek(&in, out, 56, UINT64_MAX), 0);
	input_close(&in);
}

/* zstd itself restores the stream. */
static void test_zstd(void **state)
{
	static unsigned char out[SIZE];
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	ZSTD_outBuffer to = { out, sizeof(out), 0 };
	ZSTD_inBuffer from = { sample.file, sample.len, 0 };

	(void)state;
	while (from.pos < from.size)
		assert_false(ZSTD_isError(ZSTD_decompressStream(zstd, &to, &from)));
	assert_int_equal(to.pos, SIZE);
	assert_memory_equal(out, sample.stream, SIZE);
	assert_int_equal(ZSTD_getFrameContentSize(sample.file, sample.len), FRAME);
	ZSTD_freeDCtx(zstd);
}

/* Return how many whole frames the first @len bytes of the file have. */
static size_t frames_in(size_t len)
{
	size_t nr = 0;

	while (nr < NR && sample.at[nr + 1] <= len)
		nr++;
	return nr;
}

static size_t bytes_of(size_t frames)
{
	return frames < NR ? frames * FRAME : SIZE;
}

/* A file without its table is read up to the last whole frame, for any cut. */
static void test_cut(void **state)
{
	size_t len, step, nr;
	struct input in;

	(void)state;
	for (len = 0; len < sample.len; len += step) {
		nr = frames_in(len);
		open_sample(&in, sample.file, len);
		assert_int_equal(in.size, bytes_of(nr));
		assert_int_equal(drain(&in, 3000), bytes_of(nr));
		assert_int_equal(in.fault, INPUT_CUT);
		assert_int_equal(in.fault_at, sample.at[nr]);
		input_close(&in);
		/* Near the begin of each frame, try each byte. */
		step = len < sample.at[nr] + 20 || len > sample.at[NR] ? 1 : 97;
	}
}

/*
 * A flipped bit loses its frame and those behind it, with or without a table. A few bits
 * have no meaning. Return whether this bit has one.
 */
static bool check_flip(size_t at, size_t len)
{
	size_t left, nr = frames_in(at);
	struct input in;

	sample.file[at] ^= 0x40;
	open_sample(&in, sample.file, len);
	left = drain(&in, 3000);
	input_close(&in);
	sample.file[at] ^= 0x40;
	if (left == SIZE)
		return false;
	assert_int_equal(left, bytes_of(nr));
	assert_int_equal(in.fault_at, sample.at[nr]);
	assert_int_equal(in.fault, INPUT_DAMAGED);
	return true;
}

static void test_flipped(void **state)
{
	unsigned int flips = 0, seen = 0;
	size_t at;

	(void)state;
	for (at = 0; at < sample.at[NR]; at += at % 500 < 20 ? 1 : 37) {
		flips += 2;
		seen += check_flip(at, sample.len);
		seen += check_flip(at, sample.at[NR]);
	}
	assert_true(seen > flips * 9 / 10);
}

/*
 * A table that can't be right is ignored, and all frames are found without it. A table with
 * a wrong size of a frame loses that frame and those behind it.
 */
static void test_bad_table(void **state)
{
	size_t at, entry, want;
	struct input in;

	(void)state;
	for (at = sample.at[NR]; at < sample.len; at++) {
		/* These bits of the descriptor have no meaning. */
		if (at == sample.len - 5)
			continue;
		entry = at - sample.at[NR] - sizeof(struct seekable_header);
		want = SIZE;
		/* The highest byte makes the frame larger than any. */
		if (entry < NR * 8 && entry % 8 >= 4 && entry % 8 < 7)
			want = entry / 8 * FRAME;
		sample.file[at] ^= 0x02;
		open_sample(&in, sample.file, sample.len);
		assert_int_equal(drain(&in, 3000), want);
		assert_int_not_equal(in.fault, INPUT_OK);
		input_close(&in);
		sample.file[at] ^= 0x02;
	}
}

/* Other programs write tables with checksums. */
static void test_checksums(void **state)
{
	static unsigned char file[MAX_FILE];
	size_t i, len = sample.at[NR];
	const unsigned char *table = sample.file + len + 8;
	const uint32_t head[2] = {
		htole32(SEEKABLE_HEADER_MAGIC), htole32(NR * 12 + 9),
	};
	struct input in;

	(void)state;
	memcpy(file, sample.file, len);
	memcpy(file + len, head, 8);
	len += 8;
	for (i = 0; i < NR; i++, len += 12)
		memcpy(file + len, table + 8 * i, 8);
	memcpy(file + len, sample.file + sample.len - 9, 9);
	file[len + 4] = SEEKABLE_CHECKSUMS;
	open_sample(&in, file, len + 9);
	check_read(&in);
	input_close(&in);
}

/* A header, or the table, claims a frame that is larger than any. */
static void test_absurd(void **state)
{
	/* One segment of 2^62 bytes, in a raw block of one. */
	static const unsigned char huge[] = {
		0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x40,
		9, 0, 0, 'x',
	};
	/* 65 MiB of one byte, in blocks of 128 KiB. */
	static unsigned char bomb[6 + 65 * 8 * 4] = {
		0x28, 0xb5, 0x2f, 0xfd, 0, 0x38,
	};
	unsigned char out[1];
	struct input in;
	uint32_t nr;
	size_t i;

	(void)state;
	open_sample(&in, huge, sizeof(huge));
	assert_int_equal(in.size, 0);
	assert_int_equal(in.fault, INPUT_DAMAGED);
	assert_int_equal(input_read(&in, out, 1, 0), 0);
	input_close(&in);

	for (i = 6; i < sizeof(bomb); i += 4)
		memcpy(bomb + i, "\x02\x00\x10", 4);
	bomb[sizeof(bomb) - 4] |= 1;
	open_sample(&in, bomb, sizeof(bomb));
	assert_int_equal(in.size, 0);
	assert_int_equal(in.fault, INPUT_DAMAGED);
	input_close(&in);

	/* The first entry's frame, and the number of entries. */
	sample.file[sample.at[NR] + 8 + 7] = 0xff;
	open_sample(&in, sample.file, sample.len);
	assert_int_equal(drain(&in, FRAME), SIZE);
	input_close(&in);
	sample.file[sample.at[NR] + 8 + 7] = 0;
	nr = 0xffffffff;
	memcpy(sample.file + sample.len - 9, &nr, 4);
	open_sample(&in, sample.file, sample.len);
	assert_int_equal(drain(&in, FRAME), SIZE);
	assert_int_equal(in.fault, INPUT_CUT);
	input_close(&in);
	nr = htole32(NR);
	memcpy(sample.file + sample.len - 9, &nr, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_zstd),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_bad_table),
		cmocka_unit_test(test_checksums),
		cmocka_unit_test(test_absurd),
	};

	return cmocka_run_group_tests(tests, make_sample, NULL);
}
