// SPDX-License-Identifier: GPL-2.0
/*
 * The decoder: byte orders and the limits of record sizes.
 */
#include "test.h"

#include "common/records.h"
#include "read/event.h"

static const struct kmemtrace_event sample = {
	.event_id = KMEMTRACE_EVENT_ALLOC,
	.type_id = KMEMTRACE_TYPE_CACHE,
	.event_size = 56,
	.node = -1,
	.call_site = UINT64_C(0xffffffff81234567),
	.ptr = UINT64_C(0xffff888012345678),
	.bytes_req = 0x0102030405060708,
	.bytes_alloc = 0x1112131415161718,
	.gfp_flags = 0xcc0,
	.timestamp = 0x2122232425262728,
};

/* The layout of the ABI, byte by byte. */
static void test_bytes(void **state)
{
	static const unsigned char big[56] = {
		1, 1, 0, 56, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0x81, 0x23, 0x45, 0x67,
		0xff, 0xff, 0x88, 0x80, 0x12, 0x34, 0x56, 0x78,
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
		0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0xc0,
		0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
	};
	unsigned char rec[57];
	struct kmemtrace_event ev;

	(void)state;
	event_encode(&sample, ORDER_BIG, rec + 1);
	assert_memory_equal(rec + 1, big, sizeof(big));
	event_decode(rec + 1, ORDER_BIG, &ev);
	assert_memory_equal(&ev, &sample, sizeof(ev));

	event_encode(&sample, ORDER_LITTLE, rec);
	assert_int_equal(rec[2], 56);
	assert_int_equal(rec[8], 0x67);
	assert_int_equal(rec[55], 0x21);
	event_decode(rec, ORDER_LITTLE, &ev);
	assert_memory_equal(&ev, &sample, sizeof(ev));
}

static enum byte_order order_of(unsigned int byte2, unsigned int byte3)
{
	unsigned char rec[56] = { 1, 0, byte2, byte3 };

	return event_order(rec);
}

static void test_order(void **state)
{
	(void)state;
	assert_int_equal(order_of(56, 0), ORDER_LITTLE);
	assert_int_equal(order_of(0, 56), ORDER_BIG);
	assert_int_equal(order_of(64, 0), ORDER_LITTLE);
	assert_int_equal(order_of(0x08, 0x01), ORDER_LITTLE);
	assert_int_equal(order_of(0x01, 0x08), ORDER_BIG);
	assert_int_equal(order_of(0x00, 0x10), ORDER_LITTLE);
	assert_int_equal(order_of(0, 0), ORDER_UNKNOWN);
	assert_int_equal(order_of(48, 0), ORDER_UNKNOWN);
	assert_int_equal(order_of(60, 0), ORDER_UNKNOWN);
	assert_int_equal(order_of(0xff, 0xff), ORDER_UNKNOWN);
	assert_int_equal(order_of(0x08, 0x08), ORDER_UNKNOWN);
}

/* 0x0808 is the only size that is possible in both orders. */
static void test_order_is_unique(void **state)
{
	unsigned int size;

	(void)state;
	for (size = EVENT_MIN_SIZE; size <= EVENT_MAX_SIZE; size += 8) {
		if (size == 0x0808)
			continue;
		assert_int_equal(order_of(size & 0xff, size >> 8),
				 ORDER_LITTLE);
		assert_int_equal(order_of(size >> 8, size & 0xff), ORDER_BIG);
	}
}

/* The words of a tail are read, and 0 behind it. */
static void check_words(enum byte_order order)
{
	unsigned char bytes[8 + 8 + 7 + 1];
	struct record rec = {
		.tail = bytes + 1, .tail_size = 23, .order = order,
	};

	memset(bytes, 0xff, sizeof(bytes));
	event_encode_word(0x0102030405060708, order, bytes + 1);
	event_encode_word(UINT64_C(0xfffefdfcfbfaf9f8), order, bytes + 9);
	assert_int_equal(bytes[1], order == ORDER_BIG ? 1 : 8);
	assert_int_equal(record_word(&rec, 0), 0x0102030405060708);
	assert_int_equal(record_word(&rec, 1), UINT64_C(0xfffefdfcfbfaf9f8));
	assert_int_equal(record_word(&rec, 2), 0);
	assert_int_equal(record_word(&rec, SIZE_MAX), 0);
	rec.tail_size = 0;
	assert_int_equal(record_word(&rec, 0), 0);
}

static void test_words(void **state)
{
	(void)state;
	check_words(ORDER_LITTLE);
	check_words(ORDER_BIG);
}

static void test_sizes(void **state)
{
	static const unsigned char pad = KMEMTRACE_EVENT_PAD;
	static const unsigned char clock = KMEMTRACE_EVENT_CLOCK;

	(void)state;
	assert_false(event_size_possible(&pad, 7));
	assert_true(event_size_possible(&pad, 8));
	assert_false(event_size_possible(&clock, 55));
	assert_true(event_size_possible(&clock, 56));
	assert_true(event_size_possible(&clock, EVENT_MAX_SIZE));
	assert_false(event_size_possible(&pad, EVENT_MAX_SIZE + 1));
	assert_false(event_size_possible(&clock, EVENT_MAX_SIZE + 1));
}

/* Assert that the fields follow each other, from the second byte on, without a gap. */
static void check_layout(const struct record_layout *l)
{
	const struct record_field *f = l->fields;
	size_t at = l->first < 0 ? offsetof(struct kmemtrace_event, type_id) :
				   offsetof(struct kmemtrace_event, node);

	for (; f->name; f++) {
		if (at == offsetof(struct kmemtrace_event, event_size))
			at = offsetof(struct kmemtrace_event, node);
		if (at == offsetof(struct kmemtrace_event, timestamp))
			at = sizeof(struct kmemtrace_event);
		if (f->offset != at)
			fail_msg("%s.%s: at %zu, expected %zu", l->name, f->name, f->offset, at);
		at += f->size;
	}
	assert_true(l->size <= at || at == offsetof(struct kmemtrace_event, timestamp));
}

static void test_layouts(void **state)
{
	const struct record_layout *l;

	(void)state;
	for (l = record_layouts; l->name; l++) {
		check_layout(l);
		assert_ptr_equal(record_layout(l->id, l->first < 0 ? 0 : l->first), l);
	}
	assert_null(record_layout(KMEMTRACE_EVENT_SNAPSHOT, 5));
	assert_null(record_layout(KMEMTRACE_EVENT_PAD, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_is_unique),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
