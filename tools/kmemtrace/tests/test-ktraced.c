// SPDX-License-Identifier: GPL-2.0
/*
 * ktraced: patterns of markers, the count of losses, and mapped buffers.
 */
#include "test.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "daemon/mapping.h"
#include "ktrace-daemon/buffer.h"
#include "ktrace-daemon/losses.h"
#include "ktrace-daemon/patterns.h"
#include "linux/ktrace.h"

/* ---- patterns ---- */

static void check_text(const struct patterns *p, const char *want)
{
	char *text = patterns_text(p);

	assert_string_equal(text, want);
	free(text);
}

static void test_text(void **state)
{
	struct patterns p = { 0 };

	(void)state;
	check_text(&p, "");
	assert_int_equal(patterns_add(&p, "kmalloc"), 0);
	check_text(&p, "kmalloc");
	assert_int_equal(patterns_add(&p, "sched_*,[a-c]?"), 0);
	assert_int_equal(patterns_add(&p, "kmalloc"), 0);
	check_text(&p, "kmalloc,sched_*,[a-c]?,kmalloc");
	patterns_free(&p);
	check_text(&p, "");
}

static void test_bad_patterns(void **state)
{
	static const char *const bad[] = {
		"", ",", "a,", ",a", "a,,b", " a", "a b", "a\n", "a\tb", "caf\xc3\xa9",
		"[", "a[bc", "a[]", "a\\",
	};
	struct patterns p = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(patterns_add(&p, bad[i]), -EINVAL);
	patterns_free(&p);
}

static const char info_text[] =
	"version 1\n"
	"16 1 sched_switch \"prev %s next %s\"\n"
	"17 0 kmalloc \"size %zu\"\n"
	"18 - gone \"a line\\012 and net_rx \\042%d\\042\"\n"
	"65535 0 empty \"\"\n"
	"66 x odd \"\"\n"
	"no marker\n"
	"\n";

/* Assert which of the patterns match a marker: a digit for each. */
static void check_match(const char *list, const char *info, const char *want)
{
	FILE *f = fmemopen((void *)info, strlen(info) + !*info, "r");
	struct patterns p = { 0 };
	size_t i;

	assert_non_null(f);
	assert_int_equal(patterns_add(&p, list), 0);
	assert_int_equal(patterns_match(&p, f), 0);
	fclose(f);
	assert_int_equal(p.n, strlen(want));
	for (i = 0; i < p.n; i++)
		if (p.list[i].matches != (want[i] == '1'))
			fail_msg("%s: the result for %s is wrong", list, p.list[i].text);
	patterns_free(&p);
}

static void test_match(void **state)
{
	(void)state;
	check_match("sched_switch,kmalloc,gone,empty", info_text, "1111");
	check_match("sched,malloc,net_rx,version,1,odd,marker,no", info_text, "00000000");
	check_match("*,sched_*,?malloc,[kl]malloc,[!k]malloc,e????", info_text, "111101");
	check_match("kmalloc", "version 1\n", "0");
}

/* ---- losses ---- */

/* A stream, as the kernel writes it. */
static _Alignas(8) char stream[4096];
static size_t stream_len;

static void put(unsigned int id, size_t size, const void *record, size_t len)
{
	const struct ktrace_head head = { .id = id, .size = size };

	assert_true(stream_len + size <= sizeof(stream));
	memset(stream + stream_len, 0, size);
	memcpy(stream + stream_len, record ? record : &head, record ? len : sizeof(head));
	stream_len += size;
}

static void put_clock(uint64_t sequence, uint64_t events)
{
	const struct ktrace_clock clock = {
		.head = { .id = KTRACE_ID_CLOCK, .size = sizeof(clock) },
		.events = events,
		.sequence = sequence,
	};

	put(0, sizeof(clock), &clock, sizeof(clock));
}

/* Events of several sizes. */
static void put_events(unsigned int n)
{
	while (n--)
		put(KTRACE_ID_FIRST + n, 8 + 8 * (n % 4), NULL, 0);
}

/* End a sub-buffer, and count it. */
static void count(struct tally *t)
{
	put(KTRACE_ID_PAD, 40, NULL, 0);
	losses_count(t, stream, stream_len);
	stream_len = 0;
}

static void check_tally(const struct tally *t, uint64_t events, uint64_t lost,
			uint64_t before, uint64_t skipped)
{
	assert_int_equal(t->events, events);
	assert_int_equal(t->lost.records, lost);
	assert_int_equal(t->lost.bytes, 0);
	assert_int_equal(t->before, before);
	assert_int_equal(t->skipped, skipped);
}

static void test_complete(void **state)
{
	struct tally t = { 0 };

	(void)state;
	put_clock(0, 0);
	put_events(3);
	count(&t);
	put_clock(1, 3);
	put_events(5);
	/* This one precedes an event that comes late. */
	put_clock(1, 8);
	put_events(1);
	count(&t);
	check_tally(&t, 9, 0, 0, 0);
	assert_int_equal(t.sequence, 1);
}

static void test_lost(void **state)
{
	struct tally t = { 0 };

	(void)state;
	/* Two events came in an NMI before the first record. */
	put_clock(0, 2);
	put_events(3);
	put_clock(0, 6);
	put_events(1);
	count(&t);
	check_tally(&t, 7, 3, 0, 0);
	put_clock(1, 107);
	put_events(1);
	count(&t);
	check_tally(&t, 108, 103, 0, 0);
}

/* Sub-buffers are missing: others replaced them, or another process read them. */
static void test_skipped(void **state)
{
	struct tally t = { 0 };

	(void)state;
	put_clock(40, 1000);
	put_events(2);
	count(&t);
	put_clock(41, 1003);
	put_events(2);
	count(&t);
	put_clock(50, 1105);
	count(&t);
	check_tally(&t, 1105, 1, 1000, 100);
}

/* The rest of a sub-buffer whose beginning was returned before. */
static void test_rest(void **state)
{
	struct tally t = { 0 };

	(void)state;
	put_clock(0, 0);
	put_events(2);
	losses_count(&t, stream, stream_len);
	stream_len = 0;
	put_events(3);
	count(&t);
	put_clock(1, 5);
	count(&t);
	check_tally(&t, 5, 0, 0, 0);
}

/* Tracing was switched off and on meanwhile. */
static void test_restart(void **state)
{
	struct tally t = { 0 };

	(void)state;
	put_clock(7, 50);
	put_events(2);
	count(&t);
	put_clock(0, 0);
	put_events(1);
	count(&t);
	check_tally(&t, 1, 0, 50, 0);
}

/* Nothing is read beyond the data, and nothing loops. */
static void test_malformed(void **state)
{
	static const unsigned int sizes[] = { 0, 4, 7, 9, 12, 48, 65528, 65535 };
	struct tally t;
	size_t i, len;
	char *copy;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct ktrace_head head = { .id = 20, .size = sizes[i] };

		t = (struct tally) { 0 };
		put_clock(0, 0);
		put_events(1);
		put(0, 40, &head, sizeof(head));
		losses_count(&t, stream, stream_len);
		stream_len = 0;
		check_tally(&t, 1, 0, 0, 0);
	}
	put_clock(0, 9);
	for (len = 0; len < sizeof(struct ktrace_clock); len++) {
		copy = malloc(len + 1);
		assert_non_null(copy);
		memcpy(copy, stream, len);
		t = (struct tally) { 0 };
		losses_count(&t, copy, len);
		check_tally(&t, 0, 0, 0, 0);
		free(copy);
	}
	stream_len = 0;
	/* A short CLOCK, and an id that this program doesn't know. */
	put(KTRACE_ID_CLOCK, 16, NULL, 0);
	put(KTRACE_ID_FIRST - 1, 16, NULL, 0);
	t = (struct tally) { 0 };
	count(&t);
	check_tally(&t, 0, 0, 0, 0);
	assert_false(t.began);
}

static void test_parse(void **state)
{
	static const char *const bad[] = {
		"", "\n", "cpu1\n", "cpu1 2\n", "cpu1 2 3\n", "total 1 2 3\n", "cpu 1 2 3\n",
	};
	struct overrun o = { 0 };
	size_t i;

	(void)state;
	assert_true(losses_parse("cpu12 300 20 18446744073709551615\n", &o));
	assert_int_equal(o.cpu, 12);
	assert_int_equal(o.events, 300);
	assert_int_equal(o.all.records, 20);
	assert_int_equal(o.all.bytes, UINT64_MAX);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(losses_parse(bad[i], &o));
}

/* Assert what is missing, when the kernel counts 200 events, @lost of them lost. */
static void check_missing(const struct tally *t, enum extent extent, bool overwrites,
			  uint64_t lost, uint64_t want, uint64_t bytes,
			  uint64_t overwritten)
{
	struct overrun o = { .events = 200, .all = { .records = lost, .bytes = 10 * lost } };

	losses_missing(&o, t, extent, overwrites);
	assert_int_equal(o.all.records, want);
	assert_int_equal(o.all.bytes, bytes);
	assert_int_equal(o.overwritten, overwritten);
}

static void test_missing(void **state)
{
	const struct tally none = { 0 };
	const struct tally whole = { .began = true, .events = 200 };
	const struct tally cut = { .began = true, .events = 190, .lost.records = 3 };
	const struct tally later = {
		.began = true, .events = 200, .lost.records = 1, .before = 50, .skipped = 9,
	};

	(void)state;
	check_missing(&whole, EXTENT_ALL, false, 0, 0, 0, 0);
	/* Ten events more are lost at the end, or may be in the buffer still. */
	check_missing(&cut, EXTENT_ALL, false, 13, 13, 130, 0);
	check_missing(&cut, EXTENT_CUT, false, 13, 3, 30, 0);
	check_missing(&cut, EXTENT_GROWS, false, 13, 3, 30, 0);
	/* Another process read what came before. */
	check_missing(&later, EXTENT_ALL, false, 20, 10, 100, 0);
	/* The newest events replaced it. */
	check_missing(&later, EXTENT_ALL, true, 60, 1, 10, 59);
	/* An empty stream: all is lost, or another process read it. */
	check_missing(&none, EXTENT_ALL, false, 200, 200, 2000, 0);
	check_missing(&none, EXTENT_ALL, false, 20, 0, 0, 0);
	check_missing(&none, EXTENT_CUT, false, 200, 0, 0, 0);
}

/* ---- buffers ---- */

#define SUBBUF_SIZE	4096
#define N_SUBBUFS	4

/*
 * The kernel's buffer, as the file @fd: positions; the error of an ioctl other than
 * GET_SIZE, and how often it comes.
 */
static struct {
	int fd;
	uint64_t consumed, produced;
	int err, times;
} buffer;

static int get(uint64_t *value, uint64_t number)
{
	*value = number;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	uint64_t *value;
	va_list args;

	assert_int_equal(fd, buffer.fd);
	va_start(args, request);
	value = va_arg(args, uint64_t *);
	va_end(args);
	if (request == KTRACE_BUF_GET_SIZE)
		return get(value, SUBBUF_SIZE * N_SUBBUFS);
	if (buffer.times) {
		buffer.times--;
		errno = buffer.err;
		return -1;
	}
	if (request == KTRACE_BUF_GET_CONSUMED)
		return get(value, buffer.consumed);
	if (request == KTRACE_BUF_GET_PRODUCED)
		return get(value, buffer.produced);
	assert_int_equal(request, KTRACE_BUF_PUT_CONSUMED);
	assert_true(*value > buffer.consumed && *value <= buffer.produced);
	buffer.consumed = *value;
	return 0;
}

/* Each sub-buffer begins with its number. */
static void open_buffer(struct mapping *m, int err, int times)
{
	uint64_t i;

	buffer.fd = memfd_create("buffer", MFD_CLOEXEC);
	assert_true(buffer.fd >= 0);
	assert_int_equal(ftruncate(buffer.fd, SUBBUF_SIZE * N_SUBBUFS), 0);
	for (i = 0; i < N_SUBBUFS; i++)
		assert_int_equal(pwrite(buffer.fd, &i, sizeof(i), i * SUBBUF_SIZE), sizeof(i));
	buffer.consumed = 0;
	buffer.produced = 0;
	buffer.err = err;
	buffer.times = times;
	*m = (struct mapping) { .fd = buffer.fd };
}

static void close_buffer(struct mapping *m)
{
	mapping_unmap(m);
	assert_int_equal(close(buffer.fd), 0);
}

static void test_buffer(void **state)
{
	const void *data;
	struct mapping m;
	uint64_t i;

	(void)state;
	open_buffer(&m, 0, 0);
	assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	for (i = 0; i < 2 * N_SUBBUFS; i++) {
		/* A part was read before; the last bytes are not used. */
		buffer.consumed = i * SUBBUF_SIZE + (i == 3 ? 800 : 0);
		buffer.produced = (i + 1) * SUBBUF_SIZE - 96;
		assert_int_equal(buffer_next(&m, &data), buffer.produced - buffer.consumed);
		assert_ptr_equal(data, m.map + buffer.consumed % (SUBBUF_SIZE * N_SUBBUFS));
		if (i != 3)
			assert_int_equal(*(const uint64_t *)data, i % N_SUBBUFS);
		assert_int_equal(buffer_consume(&m), 0);
		assert_int_equal(buffer.consumed, buffer.produced);
		assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	}
	close_buffer(&m);
}

/* A buffer that was replaced is mapped again; one that is always stale is given up. */
static void test_stale(void **state)
{
	const void *data;
	struct mapping m;

	(void)state;
	open_buffer(&m, ESTALE, 1);
	buffer.produced = 64;
	assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	assert_null(m.map);
	assert_int_equal(buffer_next(&m, &data), 64);
	buffer.times = 2;
	assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	assert_int_equal(buffer_next(&m, &data), -ESTALE);
	close_buffer(&m);
}

static void test_no_buffer(void **state)
{
	const void *data;
	struct mapping m;

	(void)state;
	open_buffer(&m, ENXIO, 2);
	assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	assert_int_equal(buffer_next(&m, &data), -EAGAIN);
	buffer.produced = 64;
	assert_int_equal(buffer_next(&m, &data), 64);
	close_buffer(&m);
}

/* Positions that make no sense: the buffer isn't used. */
static void test_bad_positions(void **state)
{
	static const uint64_t bad[][2] = {
		{ 0, SUBBUF_SIZE * N_SUBBUFS + 8 },
		{ SUBBUF_SIZE * N_SUBBUFS - 64, SUBBUF_SIZE * N_SUBBUFS + 8 },
		{ 64, 0 },
		{ 0, UINT64_MAX },
	};
	const void *data;
	struct mapping m;
	size_t i;

	(void)state;
	open_buffer(&m, 0, 0);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		buffer.consumed = bad[i][0];
		buffer.produced = bad[i][1];
		assert_int_equal(buffer_next(&m, &data), -ENODATA);
	}
	close_buffer(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_bad_patterns),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_no_buffer),
		cmocka_unit_test(test_bad_positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
