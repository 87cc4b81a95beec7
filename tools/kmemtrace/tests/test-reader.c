// SPDX-License-Identifier: GPL-2.0
/*
 * The reader and the merge: whole and damaged streams, the order of time.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>

#include "read/merge.h"
#include "read/reader.h"
#include "test-files.h"

/* A small buffer: a stream of a few hundred records needs many reads. */
#define BUF_SIZE	(2 * EVENT_MAX_SIZE)

static void encode(unsigned char *rec, enum byte_order order, uint64_t ptr,
		   int64_t time)
{
	struct kmemtrace_event ev = {
		.event_id = KMEMTRACE_EVENT_ALLOC,
		.event_size = 56,
		.node = -1,
		.call_site = 1,
		.ptr = ptr,
		.bytes_req = 1,
		.bytes_alloc = 8,
		.timestamp = time,
	};

	event_encode(&ev, order, rec);
}

/* Read to the end. Return how many records there were. */
static unsigned int drain(struct reader *r, const void *data, size_t len,
			  enum byte_order order)
{
	char *name = test_file(data, len);
	unsigned int nr = 0;

	assert_int_equal(reader_open(r, &test_ctx, test_files(), name, 3, order, BUF_SIZE), 0);
	while (reader_next(r) == 1)
		nr++;
	assert_null(r->rec.ev);
	test_file_remove(name);
	return nr;
}

static void check_whole(enum byte_order order)
{
	enum { NR = 1000 };
	static unsigned char data[NR * 56];
	struct reader r;
	char *name;
	unsigned int i;

	for (i = 0; i < NR; i++)
		encode(data + i * 56, order, i + 1, i);
	name = test_file(data, sizeof(data));
	assert_int_equal(reader_open(&r, &test_ctx, test_files(), name, 3, ORDER_UNKNOWN, BUF_SIZE), 0);
	assert_int_equal(r.order, order);
	for (i = 0; i < NR; i++) {
		assert_int_equal(reader_next(&r), 1);
		assert_int_equal(r.rec.ev->ptr, i + 1);
		assert_int_equal(reader_offset(&r), i * 56);
	}
	assert_int_equal(reader_next(&r), 0);
	assert_int_equal(r.fault, READER_OK);
	assert_int_equal(reader_offset(&r), sizeof(data));
	reader_close(&r);
	test_file_remove(name);
}

static void test_whole(void **state)
{
	(void)state;
	check_whole(ORDER_LITTLE);
	check_whole(ORDER_BIG);
}

static void test_empty(void **state)
{
	struct reader r;

	(void)state;
	assert_int_equal(drain(&r, "", 0, ORDER_UNKNOWN), 0);
	assert_int_equal(r.fault, READER_OK);
	reader_close(&r);
}

static void test_truncated(void **state)
{
	unsigned char data[2 * 56];
	struct reader r;
	size_t len;

	(void)state;
	encode(data, ORDER_LITTLE, 1, 1);
	encode(data + 56, ORDER_LITTLE, 2, 2);
	for (len = 1; len < sizeof(data); len++) {
		if (len == 56)
			continue;
		assert_int_equal(drain(&r, data, len, ORDER_UNKNOWN), len / 56);
		assert_int_equal(r.fault, READER_TRUNCATED);
		assert_int_equal(reader_offset(&r), len / 56 * 56);
		reader_close(&r);
	}
}

static void set_size(unsigned char *rec, unsigned int size)
{
	rec[2] = size & 0xff;
	rec[3] = size >> 8;
}

static void test_bad_size(void **state)
{
	static const unsigned int sizes[] = { 0, 8, 55, 4097, 65535 };
	static unsigned char data[3 * 56 + 2 * EVENT_MAX_SIZE];
	struct reader r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		encode(data, ORDER_LITTLE, 1, 1);
		encode(data + 56, ORDER_LITTLE, 2, 2);
		encode(data + 112, ORDER_LITTLE, 3, 3);
		set_size(data + 56, sizes[i]);
		/* Near the end of the file, and far from it. */
		assert_int_equal(drain(&r, data, 168, ORDER_UNKNOWN), 1);
		assert_int_equal(r.fault, READER_BAD_SIZE);
		assert_int_equal(reader_offset(&r), 56);
		reader_close(&r);
		assert_int_equal(drain(&r, data, sizeof(data), ORDER_LITTLE), 1);
		assert_int_equal(r.fault, READER_BAD_SIZE);
		reader_close(&r);
	}
}

/* Records of a later ABI: the tail behind the known fields is skipped. */
static void test_longer(void **state)
{
	unsigned char data[64 + 56 + 72] = { 0 };
	struct reader r;

	(void)state;
	encode(data, ORDER_LITTLE, 1, 1);
	set_size(data, 64);
	encode(data + 64, ORDER_LITTLE, 2, 2);
	encode(data + 120, ORDER_LITTLE, 3, 3);
	set_size(data + 120, 72);
	assert_int_equal(drain(&r, data, sizeof(data), ORDER_UNKNOWN), 3);
	assert_int_equal(r.fault, READER_OK);
	reader_close(&r);

	/* The size of the last record exceeds the file. */
	set_size(data + 120, 80);
	assert_int_equal(drain(&r, data, sizeof(data), ORDER_UNKNOWN), 2);
	assert_int_equal(r.fault, READER_TRUNCATED);
	reader_close(&r);
}

/* Write a pad of @size bytes into a buffer that is zero. */
static void put_pad(unsigned char *data, enum byte_order order,
		    unsigned int size)
{
	data[0] = KMEMTRACE_EVENT_PAD;
	data[order == ORDER_LITTLE ? 2 : 3] = size & 0xff;
	data[order == ORDER_LITTLE ? 3 : 2] = size >> 8;
}

/* Write records of several sizes, with pads between them and at the end. */
static size_t put_padded(unsigned char *data, enum byte_order order,
			 unsigned int nr, uint64_t *pads)
{
	unsigned int i, size;
	size_t at = 0;

	for (i = 0; i < nr; i++) {
		encode(data + at, order, i + 1, 7 * i);
		event_encode_word(1000 + i, order, data + at + 56);
		size = 56 + i % 3 * 8;
		data[at + (order == ORDER_LITTLE ? 2 : 3)] = size;
		at += size;
		for (size = i % 5 ? 0 : 8 << i % 10; size && size <= 4096;
		     size *= 16) {
			put_pad(data + at, order, size);
			at += size;
			*pads += size;
		}
	}
	return at;
}

static void check_padded(enum byte_order order)
{
	enum { NR = 500 };
	static unsigned char data[NR * (72 + 2200)];
	uint64_t pads = 0;
	struct reader r;
	unsigned int i;
	int64_t time;
	size_t len;
	char *name;

	memset(data, 0, sizeof(data));
	len = put_padded(data, order, NR, &pads);
	name = test_file(data, len);
	assert_int_equal(reader_open(&r, &test_ctx, test_files(), name, 3, ORDER_UNKNOWN, BUF_SIZE), 0);
	for (i = 0; i < NR; i++) {
		assert_int_equal(reader_next(&r), 1);
		assert_int_equal(r.rec.ev->ptr, i + 1);
		assert_int_equal(r.rec.tail_size, i % 3 * 8);
		assert_int_equal(record_word(&r.rec, 0), i % 3 ? 1000 + i : 0);
		assert_int_equal(reader_peek_time(&r, 1, &time), i + 1 < NR);
		if (i + 1 < NR)
			assert_int_equal(time, 7 * (i + 1));
		assert_int_equal(r.rec.ev->ptr, i + 1);
		assert_int_equal(record_word(&r.rec, 0), i % 3 ? 1000 + i : 0);
	}
	assert_int_equal(reader_next(&r), 0);
	assert_int_equal(r.fault, READER_OK);
	assert_int_equal(reader_offset(&r), len);
	assert_int_equal(r.pads, pads);
	reader_close(&r);
	test_file_remove(name);
}

static void test_padded(void **state)
{
	(void)state;
	check_padded(ORDER_LITTLE);
	check_padded(ORDER_BIG);
}

/* Pads that are cut or have impossible sizes, and streams of pads alone. */
static void test_bad_pads(void **state)
{
	unsigned char data[56 + 64] = { 0 };
	struct reader r;

	(void)state;
	encode(data, ORDER_LITTLE, 1, 1);
	put_pad(data + 56, ORDER_LITTLE, 64);
	assert_int_equal(drain(&r, data, sizeof(data), ORDER_UNKNOWN), 1);
	assert_int_equal(r.fault, READER_OK);
	reader_close(&r);
	assert_int_equal(drain(&r, data, 56 + 63, ORDER_UNKNOWN), 1);
	assert_int_equal(r.fault, READER_TRUNCATED);
	assert_int_equal(reader_offset(&r), 56);
	reader_close(&r);
	assert_int_equal(drain(&r, data, 56 + 7, ORDER_UNKNOWN), 1);
	assert_int_equal(r.fault, READER_TRUNCATED);
	reader_close(&r);
	put_pad(data + 56, ORDER_LITTLE, 7);
	assert_int_equal(drain(&r, data, sizeof(data), ORDER_UNKNOWN), 1);
	assert_int_equal(r.fault, READER_BAD_SIZE);
	reader_close(&r);

	memset(data, 0, sizeof(data));
	put_pad(data, ORDER_LITTLE, 16);
	assert_int_equal(drain(&r, data, 16, ORDER_UNKNOWN), 0);
	assert_int_equal(r.fault, READER_TRUNCATED);
	reader_close(&r);
	assert_int_equal(drain(&r, data, 16, ORDER_LITTLE), 0);
	assert_int_equal(r.fault, READER_OK);
	reader_close(&r);
}

static void test_foreign(void **state)
{
	static const char text[] =
		"This is a text of more than fifty-six bytes, not a stream.";
	char *name = test_file(text, sizeof(text));
	struct reader r;

	(void)state;
	assert_int_equal(reader_open(&r, &test_ctx, test_files(), name, 0, ORDER_UNKNOWN, BUF_SIZE),
			 -EILSEQ);
	reader_close(&r);
	test_file_remove(name);
	assert_int_equal(reader_open(&r, &test_ctx, test_files(), "/nonexistent", 0, ORDER_UNKNOWN,
				     BUF_SIZE), -ENOENT);
	reader_close(&r);
}

/* Open streams with the times in @times; -1 ends each. */
static void open_streams(struct reader *readers, const int64_t times[][8],
			 unsigned int nr)
{
	unsigned char data[8 * 56];
	unsigned int i, n;
	char *name;

	for (i = 0; i < nr; i++) {
		for (n = 0; times[i][n] != -1; n++)
			encode(data + n * 56, ORDER_LITTLE, 10 * i + n + 1,
			       times[i][n]);
		name = test_file(data, n * 56);
		assert_int_equal(reader_open(&readers[i], &test_ctx, test_files(), name, i,
					     ORDER_LITTLE, BUF_SIZE), 0);
		test_file_remove(name);
	}
}

/* A record of the merged stream. */
struct merged {
	int64_t time;
	uint64_t ptr;
};

/* Merge four streams: expect these records, and this number of backward times. */
static void check_merge(const int64_t (*times)[8], const struct merged *expected,
			size_t nr, uint64_t backwards)
{
	struct reader readers[4];
	struct merge m;
	size_t i;

	open_streams(readers, times, 4);
	assert_int_equal(merge_init(&m, &test_ctx, readers, 4), 0);
	for (i = 0; i < nr; i++) {
		assert_int_equal(merge_next(&m), 1);
		assert_int_equal(m.time, expected[i].time);
		assert_int_equal(m.cur->rec.ev->ptr, expected[i].ptr);
	}
	assert_int_equal(merge_next(&m), 0);
	assert_int_equal(m.time, expected[nr - 1].time);
	assert_int_equal(m.backwards, backwards);
	merge_free(&m);
	for (i = 0; i < 4; i++)
		reader_close(&readers[i]);
}

static void test_merge(void **state)
{
	static const int64_t times[4][8] = {
		{ 5, 7, 9, 9, -1 },
		{ -1 },
		{ 1, 7, 20, -1 },
		{ 6, 3, 8, -1 },	/* the clock goes back once */
	};
	static const struct merged expected[] = {
		{ 1, 21 }, { 5, 1 }, { 6, 31 }, { 6, 32 }, { 7, 2 }, { 7, 22 },
		{ 8, 33 }, { 9, 3 }, { 9, 4 }, { 20, 23 },
	};

	(void)state;
	check_merge(times, expected, sizeof(expected) / sizeof(*expected), 1);
}

/*
 * One wrong time, far in the future, at each place of a stream: the record keeps its
 * place, and the other records keep their times.
 */
static void test_astray(void **state)
{
	static const int64_t times[4][8] = {
		{ 10, INT64_MAX, 30, 50, -1 },
		{ INT64_MAX, 20, 40, 60, -1 },
		{ 15, 25, 1 << 20, 35, -1 },
		{ 90, -1 },
	};
	static const struct merged expected[] = {
		{ 10, 1 }, { 10, 2 }, { 15, 21 }, { 20, 11 }, { 20, 12 },
		{ 25, 22 }, { 25, 23 }, { 30, 3 }, { 35, 24 }, { 40, 13 },
		{ 50, 4 }, { 60, 14 }, { 90, 31 },
	};

	(void)state;
	check_merge(times, expected, sizeof(expected) / sizeof(*expected), 3);
}

/* No time is after the largest one. */
static void test_end_of_time(void **state)
{
	static const int64_t times[4][8] = {
		{ INT64_MAX - 1, INT64_MIN + 5, INT64_MAX, -1 },
		{ -1 }, { -1 }, { -1 },
	};
	static const struct merged expected[] = {
		{ INT64_MAX - 1, 1 }, { INT64_MAX - 1, 2 }, { INT64_MAX, 3 },
	};

	(void)state;
	check_merge(times, expected, sizeof(expected) / sizeof(*expected), 1);
}

/* Write a stream of @nr records and of a part of one, with @data as a buffer. Return its name. */
static char *cut_stream(unsigned char *data, unsigned int nr, enum byte_order order)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		encode(data + i * 56, order, i + 1, 7 * i);
	return test_file(data, nr * 56 + 20);
}

/* reader_peek_time() works at each record, and changes none. */
static void check_peek(enum byte_order order)
{
	enum { NR = 1000 };
	static unsigned char data[NR * 56 + 20];
	char *name = cut_stream(data, NR, order);
	unsigned int i, ahead;
	struct reader r;
	int64_t time;

	assert_int_equal(reader_open(&r, &test_ctx, test_files(), name, 3, order, BUF_SIZE), 0);
	for (i = 0; i < NR; i++) {
		assert_int_equal(reader_next(&r), 1);
		for (ahead = 1; ahead <= 2; ahead++) {
			assert_int_equal(reader_peek_time(&r, ahead, &time),
					 i + ahead < NR);
			if (i + ahead < NR)
				assert_int_equal(time, 7 * (i + ahead));
		}
		assert_int_equal(r.rec.ev->ptr, i + 1);
		assert_int_equal(reader_offset(&r), i * 56);
	}
	assert_int_equal(reader_next(&r), 0);
	assert_int_equal(r.fault, READER_TRUNCATED);
	reader_close(&r);
	test_file_remove(name);
}

/* Read a stream of many blocks, of which each @one_in is read before it is needed. */
static void check_ahead(enum byte_order order, unsigned int one_in)
{
	enum { NR = 30000 };
	static unsigned char data[NR * 56 + 20];
	char *name = cut_stream(data, NR, order);
	unsigned int i, blocks = 0, nr_ahead = 0;
	struct fetcher fetcher;
	struct reader r;
	int64_t time;

	assert_int_equal(reader_open(&r, &test_ctx, test_files(), name, 3, order, BUF_SIZE), 0);
	assert_int_equal(reader_next(&r), 1);
	fetcher_init(&fetcher);
	reader_read_ahead(&r, &fetcher, 100000);
	for (i = 0; i < NR; i++) {
		if (i)
			assert_int_equal(reader_next(&r), 1);
		if (fetcher.last && blocks++ % one_in == 0)
			nr_ahead += fetcher_work(&fetcher);
		assert_int_equal(r.rec.ev->ptr, i + 1);
		assert_int_equal(reader_offset(&r), i * 56);
		if (i % 7 == 0 && i + 1 < NR) {
			assert_true(reader_peek_time(&r, 1, &time));
			assert_int_equal(time, 7 * (i + 1));
		}
	}
	assert_int_equal(reader_next(&r), 0);
	assert_int_equal(r.fault, READER_TRUNCATED);
	assert_true(nr_ahead >= 3);
	reader_stop_ahead(&r);
	fetcher_destroy(&fetcher);
	reader_close(&r);
	test_file_remove(name);
}

static void test_ahead(void **state)
{
	(void)state;
	check_ahead(ORDER_LITTLE, 1);
	check_ahead(ORDER_BIG, 1);
	/* A block that nobody read is asked for at each record until it is needed. */
	check_ahead(ORDER_LITTLE, 3000);
}

static void test_peek(void **state)
{
	(void)state;
	check_peek(ORDER_LITTLE);
	check_peek(ORDER_BIG);
}

/* Open a stream of a clock at time 5 and the allocation of @ptr at @time. */
static void open_clocked(struct reader *r, unsigned int cpu,
			 uint64_t uncertainty, uint64_t ptr, int64_t time)
{
	unsigned char data[2 * 56];
	struct kmemtrace_clock clock = {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.event_size = 56,
		.cpu = cpu,
		.uncertainty = uncertainty,
		.timestamp = 5,
	};
	char *name;

	event_encode((void *)&clock, ORDER_BIG, data);
	encode(data + 56, ORDER_BIG, ptr, time);
	name = test_file(data, sizeof(data));
	assert_int_equal(reader_open(r, &test_ctx, test_files(), name, cpu, ORDER_BIG, BUF_SIZE), 0);
	test_file_remove(name);
}

enum { NR_UNREAD = 1000 };

/* Open a stream whose file is much larger than the buffer. */
static char *open_long(struct reader *r, unsigned int nr_read)
{
	static unsigned char data[NR_UNREAD * 56];
	unsigned int i;
	char *name;

	for (i = 0; i < NR_UNREAD; i++)
		encode(data + i * 56, ORDER_NATIVE, i + 1, i);
	name = test_file(data, sizeof(data));
	assert_int_equal(reader_open(r, &test_ctx, test_files(), name, 3, ORDER_NATIVE, BUF_SIZE), 0);
	for (i = 0; i < nr_read; i++)
		assert_int_equal(reader_next(r), 1);
	return name;
}

/* Let all further reads fail. */
static void break_file(const struct reader *r)
{
	int fd = open("/dev/null", O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, r->in.file.fd), r->in.file.fd);
	close(fd);
}

/* Expect the next records, each of them once, then the error, which stays. */
static void expect_error(struct reader *r, uint64_t ptr)
{
	int i, ret;

	while ((ret = reader_next(r)) == 1)
		assert_int_equal(r->rec.ev->ptr, ++ptr);
	for (i = 0; i < 3; i++) {
		assert_int_equal(ret, -EBADF);
		assert_null(r->rec.ev);
		assert_true(r->at <= r->buf + r->end);
		ret = reader_next(r);
	}
	assert_in_range(ptr, 2, BUF_SIZE / 56);
}

static void test_read_error(void **state)
{
	struct reader r;
	char *name;

	(void)state;
	name = open_long(&r, 2);
	break_file(&r);
	expect_error(&r, 2);
	assert_int_equal(reader_rewind(&r), -EBADF);
	reader_close(&r);
	test_file_remove(name);
}

/* A peek that fails leaves the current record and those in the buffer as they are. */
static void test_peek_error(void **state)
{
	struct reader r;
	int64_t time;
	char *name;

	(void)state;
	name = open_long(&r, 20);
	break_file(&r);
	assert_false(reader_peek_time(&r, BUF_SIZE / 56, &time));
	assert_int_equal(r.rec.ev->ptr, 20);
	assert_true(reader_peek_time(&r, 1, &time));
	assert_int_equal(time, 20);
	expect_error(&r, 20);
	reader_close(&r);
	test_file_remove(name);
}

/* A file that becomes shorter while it is read is truncated. */
static void test_shortened(void **state)
{
	struct reader r;
	char *name;

	(void)state;
	name = open_long(&r, 2);
	assert_int_equal(truncate(name, 500 * 56), 0);
	while (reader_next(&r) == 1)
		;
	assert_int_equal(reader_offset(&r), 500 * 56);
	assert_int_equal(r.fault, READER_TRUNCATED);
	reader_close(&r);
	test_file_remove(name);
}

static uint64_t window_of(uint64_t uncertainty0, uint64_t uncertainty1)
{
	struct reader readers[2];
	struct merge m;
	uint64_t window;
	int i;

	open_clocked(&readers[0], 0, uncertainty0, 2, 10);
	open_clocked(&readers[1], 1, uncertainty1, 1, 20);
	assert_int_equal(merge_init(&m, &test_ctx, readers, 2), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(merge_next(&m), 1);
	window = m.window;
	merge_free(&m);
	for (i = 0; i < 2; i++)
		reader_close(&readers[i]);
	return window;
}

/* The window follows the worst clock, within limits. */
static void test_window(void **state)
{
	(void)state;
	assert_int_equal(window_of(0, 0), MERGE_WINDOW_NS);
	assert_int_equal(window_of(0, MERGE_WINDOW_NS - 1), MERGE_WINDOW_NS);
	assert_int_equal(window_of(4000000, 0), 4000000);
	assert_int_equal(window_of(0, 4000000), 4000000);
	assert_int_equal(window_of(0, UINT64_MAX), MERGE_MAX_WINDOW_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bad_size),
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_padded),
		cmocka_unit_test(test_bad_pads),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_astray),
		cmocka_unit_test(test_end_of_time),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_ahead),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_read_error),
		cmocka_unit_test(test_peek_error),
		cmocka_unit_test(test_shortened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
