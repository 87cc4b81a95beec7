// SPDX-License-Identifier: GPL-2.0
/*
 * The progress on a terminal while a trace is read.
 */
#include "test.h"

#include "report/watch.h"

#define SECOND	UINT64_C(1000000000)

static void assert_text(uint64_t bytes, uint64_t size, uint64_t events,
			uint64_t ns, const char *want)
{
	const struct kmemtrace_progress p = {
		.bytes = bytes, .total = size, .events = events,
	};
	char text[WATCH_TEXT_LEN];

	assert_string_equal(watch_text(text, &p, ns), want);
}

static void test_text(void **state)
{
	(void)state;
	assert_text(0, 1024, 0, SECOND, "0% of 1.0K, 0 events/s");
	assert_text(512, 1024, 3000, 3 * SECOND, "50% of 1.0K, 1,000 events/s, 0:04 left");
	assert_text(128, 8192, 1, 2 * SECOND, "2% of 8.0K, 0 events/s, 2:07 left");
	assert_text(1024, 1024, 9, SECOND / 2, "100% of 1.0K, 18 events/s, 0:01 left");
	assert_text(4096, 1024, 9, SECOND / 2, "100% of 1.0K, 18 events/s, 0:01 left");
	assert_text(0, 0, 0, 1, "100% of 0B, 0 events/s, 0:01 left");
}

/* The buffer has room for the largest trace and the longest time. */
static void test_room(void **state)
{
	const struct kmemtrace_progress p = {
		.bytes = UINT64_MAX / 100000,
		.total = UINT64_MAX,
		.events = UINT64_MAX / SECOND,
	};
	char text[WATCH_TEXT_LEN];

	(void)state;
	assert_text(1, UINT64_MAX, 0, SECOND, "0% of 16E, 0 events/s");
	assert_non_null(strstr(watch_text(text, &p, 1), ",744,0"));
	assert_non_null(strstr(text, " events/s, 0:01 left"));
	assert_non_null(strstr(watch_text(text, &p, SECOND), ", 1666:40 left"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
