// SPDX-License-Identifier: GPL-2.0
/*
 * The model and the picture of kmemtrace-top, without a terminal. kmemtrace-gen writes the
 * streams.
 */
#include "test.h"

#include <stdbool.h>

#include "kmemtrace.h"
#include "top/picture.h"
#include "top/model.h"

static const struct key_help keys[] = {
	{ "q", "quit", "end the program" },
	{ "s", "sort", "sort by the next column" },
	{ NULL, NULL, NULL },
};

/* The stream, and how much of it was fed. */
static char *bytes;
static size_t size, fed;

static struct kmemtrace_trace *trace;
static struct top top;

/* ---- the stream ---- */

static void read_stream(const char *options)
{
	char *command, *name = test_file("", 0);
	FILE *f;

	assert_true(asprintf(&command, "$EMULATOR ./kmemtrace-gen %s - >%s 2>/dev/null",
			     options, name) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	f = fopen(name, "r");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	rewind(f);
	free(bytes);
	bytes = malloc(size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, size, f), size);
	fclose(f);
	test_file_remove(name);
	fed = 0;
}

/* Feed the stream up to one part in 100, and take over the state of the trace. */
static void feed(size_t part)
{
	size_t end = size * part / 100;

	assert_int_equal(kmemtrace_feed(trace, bytes + fed, end - fed), 0);
	fed = end;
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(top_take(&top, trace), 0);
}

static int begin(void **state)
{
	(void)state;
	read_stream("--abi 2 --events 60000 --cpus 3 --before 500 --flush 1000000");
	assert_int_equal(kmemtrace_open_live(&trace, NULL), 0);
	assert_int_equal(top_open(&top), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	top_close(&top);
	kmemtrace_close(trace);
	return 0;
}

static void make(size_t width, size_t height);
static bool shows(const char *text);

/* ---- the model ---- */

static const struct top_row *find(const char *name)
{
	size_t i;

	for (i = 0; i < top.nr_rows; i++)
		if (!strcmp(top.rows[i].name, name))
			return &top.rows[i];
	return NULL;
}

/* The rows of each grouping must add up to the total of the allocator. */
static void test_sums(void **state)
{
	(void)state;
	feed(60);
	for (top.space = 0; top.space < KMEMTRACE_NR_SPACES; top.space++) {
		const struct kmemtrace_row *total = kmemtrace_total(trace, top.space);

		for (top.group = 0; top.group < top_nr_groups; top.group++) {
			unsigned int group = top.group;
			uint64_t live = 0, objects = 0, waste = 0;
			size_t i;

			if (!top_can_group(&top, group))
				continue;
			assert_int_equal(top_arrange(&top, trace), 0);
			assert_int_equal(top.group, group);
			for (i = 0; i < top.nr_rows; i++) {
				live += top.rows[i].live;
				objects += top.rows[i].objects;
				waste += top.rows[i].waste;
			}
			assert_true(live > 0);
			assert_int_equal(live, total->live_bytes_alloc);
			assert_int_equal(objects, total->live);
			assert_int_equal(waste, total->live_bytes_alloc - total->live_bytes_req);
			assert_int_equal(top.totals[top.space].live, live);
			assert_int_equal(top.totals[top.space].objects, objects);
		}
	}
}

/* Each row must equal that of the library. */
static void test_rows(void **state)
{
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;
	size_t i;

	(void)state;
	feed(30);
	feed(60);
	assert_int_equal(kmemtrace_aggregate(trace, 0, KMEMTRACE_BY_SITE, KMEMTRACE_LIVE, &rows), 0);
	for (i = 0; (row = kmemtrace_rows_get(rows, i)); i++) {
		const struct top_row *mine = find(row->name);

		assert_non_null(mine);
		assert_int_equal(mine->live, row->live_bytes_alloc);
		assert_int_equal(mine->objects, row->live);
	}
	assert_int_equal(top.nr_rows, i);
	assert_int_equal(top.nr_all, i);
	kmemtrace_rows_close(rows);
}

static int64_t sum_of_changes(void)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < top.nr_rows; i++)
		sum += top.rows[i].change;
	return sum;
}

/* Changes count from the first state, and then from the mark, in each grouping. */
static void test_mark(void **state)
{
	uint64_t first, second;

	(void)state;
	feed(20);
	first = top.totals[0].live;
	assert_int_equal(sum_of_changes(), 0);
	feed(40);
	second = top.totals[0].live;
	assert_true(second != first);
	assert_int_equal(top.totals[0].change, second - first);
	assert_int_equal(sum_of_changes(), second - first);
	top_mark(&top);
	assert_int_equal(top_arrange(&top, trace), 0);
	assert_int_equal(sum_of_changes(), 0);
	assert_int_equal(top.head.marked, top.head.time);
	feed(50);
	top.group = top_find_group("cache");
	assert_int_equal(top_arrange(&top, trace), 0);
	assert_int_equal(sum_of_changes(), (int64_t)(top.totals[0].live - second));
	assert_int_equal(top.totals[0].change, (int64_t)(top.totals[0].live - second));
}

/* Rates are differences by the times of the records. */
static void test_rates(void **state)
{
	uint64_t events, live, time;
	double sum = 0, expected;
	size_t i;

	(void)state;
	feed(20);
	assert_true(top.head.rate == 0);
	events = top.head.events;
	live = top.totals[0].live;
	time = top.head.time;
	feed(40);
	assert_int_equal(top.head.step, top.head.time - time);
	expected = (double)(top.head.events - events) * 1e9 / (double)top.head.step;
	assert_true(top.head.rate > expected * 0.999 && top.head.rate < expected * 1.001);
	expected = (double)(int64_t)(top.totals[0].live - live) * 1e9 / (double)top.head.step;
	for (i = 0; i < top.nr_rows; i++)
		sum += top.rows[i].rate;
	assert_true(sum - expected < 1 && expected - sum < 1);
	assert_true(top.totals[0].rate - expected < 1 && expected - top.totals[0].rate < 1);
	assert_true(top.totals[0].allocs > 0 && top.totals[0].frees > 0);
}

static int take_oldest(void *arg, const struct kmemtrace_object *object)
{
	int64_t *oldest = arg;

	if (object->time < *oldest)
		*oldest = object->time;
	return 0;
}

static void test_oldest(void **state)
{
	int64_t oldest = INT64_MAX;
	uint64_t most = 0;
	size_t i;

	(void)state;
	feed(60);
	assert_int_equal(kmemtrace_each_live(trace, 0, take_oldest, &oldest), 0);
	for (i = 0; i < top.nr_rows; i++) {
		assert_int_equal(top.rows[i].age == NO_AGE, !top.rows[i].objects);
		if (top.rows[i].age != NO_AGE && top.rows[i].age > most)
			most = top.rows[i].age;
	}
	assert_int_equal(most, kmemtrace_get_summary(trace)->last - oldest);
}

static void test_orders(void **state)
{
	size_t i;

	(void)state;
	feed(30);
	feed(60);
	for (top.sort = 0; top.sort < top_nr_sorts; top.sort++) {
		assert_int_equal(top_arrange(&top, trace), 0);
		assert_true(top.nr_rows > 100);
		for (i = 1; i < top.nr_rows; i++)
			assert_true(top_sorts[top.sort].compare(&top.rows[i - 1], &top.rows[i]) < 0);
	}
	top.sort = top_find_sort("waste");
	assert_int_equal(top_arrange(&top, trace), 0);
	for (i = 1; i < top.nr_rows; i++)
		assert_true(top.rows[i - 1].waste >= top.rows[i].waste);
	assert_int_equal(top_find_sort("size"), -1);
	assert_int_equal(top_find_group("size"), -1);
}

static void test_filter(void **state)
{
	size_t i, all;

	(void)state;
	feed(60);
	all = top.nr_rows;
	snprintf(top.filter, sizeof(top.filter), "SITE_12");
	assert_int_equal(top_arrange(&top, trace), 0);
	assert_true(top.nr_rows > 0 && top.nr_rows < all);
	assert_int_equal(top.nr_all, all);
	for (i = 0; i < top.nr_rows; i++)
		assert_non_null(strstr(top.rows[i].name, "site_12"));
}

/* Pages have no caches, and without a vmlinux there are no directories. */
static void test_groups(void **state)
{
	(void)state;
	feed(60);
	assert_true(top_can_group(&top, top_find_group("cache")));
	assert_false(top_can_group(&top, top_find_group("dir")));
	top.space = KMEMTRACE_SPACE_PAGES;
	top.group = top_find_group("cache");
	assert_int_equal(top_arrange(&top, trace), 0);
	assert_int_equal(top.group, top_find_group("site"));
}

static void test_end(void **state)
{
	(void)state;
	feed(50);
	assert_int_equal(top.head.state, TOP_RUNS);
	assert_int_equal(top.head.nr_doubts, 0);
	feed(100);
	assert_int_equal(top.head.state, TOP_ENDED);
	assert_string_equal(top.head.kernel, "6.12.0-generated generated");
}

/* Of 20 sub-buffers, CPU 2 had three unread. */
static void test_fill(void **state)
{
	(void)state;
	feed(50);
	assert_true(top.head.has_fill);
	assert_int_equal(top.head.fullest, 2);
	assert_true(top.head.fill > 0.149 && top.head.fill < 0.151);
	make(80, 24);
	assert_true(shows("at most 15.0% of a buffer was unread, that of cpu2"));
}

static void test_broken_off(void **state)
{
	(void)state;
	feed(50);
	assert_int_equal(kmemtrace_feed_end(trace), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(top_take(&top, trace), 0);
	assert_int_equal(top.head.state, TOP_CUT);
	assert_true(top.head.nr_doubts > 0);
	assert_string_equal(top.head.doubt, "stream ends before the trace does");
}

/* ---- the picture ---- */

static struct picture picture;

static void make(size_t width, size_t height)
{
	size_t i;

	picture_free(&picture);
	picture.width = width;
	picture.height = height;
	picture.keys = keys;
	if (!picture.message)
		picture.message = "";
	assert_int_equal(picture_make(&picture, &top), 0);
	for (i = 0; i < height; i++)
		assert_true(strlen(picture.lines[i].text) <= width);
}

static bool shows(const char *text)
{
	size_t i;

	for (i = 0; i < picture.height; i++)
		if (strstr(picture.lines[i].text, text))
			return true;
	return false;
}

static int end_picture(void **state)
{
	picture_free(&picture);
	picture = (struct picture) { .width = 0 };
	return end(state);
}

static void test_picture(void **state)
{
	(void)state;
	make(80, 24);
	assert_true(shows("[WAITING]"));
	feed(60);
	make(80, 24);
	assert_true(shows("[LIVE]"));
	assert_true(shows("complete so far, 0 events lost"));
	assert_true(shows("call sites of slab by live"));
	assert_true(shows("LIVE*"));
	assert_true(shows(top.rows[0].name));
	assert_false(shows("ALLOCS/s  OLDEST"));
	assert_int_equal(picture.nr_shown, 13);
	assert_true(shows("q quit  s sort"));
	picture.is_frozen = true;
	make(200, 60);
	assert_true(shows("[FROZEN]"));
	assert_true(shows("ALLOCS/s  OLDEST"));
	assert_int_equal(picture.nr_shown, 49);
}

/* The list is scrolled to its last row, and no further. */
static void test_scrolling(void **state)
{
	(void)state;
	feed(60);
	picture.first = 1000000;
	make(80, 24);
	assert_int_equal(picture.first + picture.nr_shown, top.nr_rows);
	assert_true(shows(top.rows[top.nr_rows - 1].name));
}

/* Any size of a terminal will do. */
static void test_sizes(void **state)
{
	size_t width, height;

	(void)state;
	feed(60);
	for (width = 0; width < 220; width += 7)
		for (height = 0; height < 70; height += 3)
			make(width, height);
	picture.shows_help = true;
	for (width = 0; width < 220; width += 7)
		for (height = 0; height < 70; height += 3)
			make(width, height);
	make(80, 24);
	assert_true(shows("sort by the next column"));
	make(5000, 24);
}

static void test_hostile_names(void **state)
{
	size_t i, j;

	(void)state;
	feed(60);
	top.rows[0].name = "a\033[2Jb\rc\xff";
	snprintf(top.head.doubt, sizeof(top.head.doubt), "d\033]0;e\a");
	snprintf(top.head.kernel, sizeof(top.head.kernel), "f\bg");
	top.head.nr_doubts = 1;
	picture.message = "h\ni";
	make(80, 24);
	for (i = 0; i < picture.height; i++)
		for (j = 0; picture.lines[i].text[j]; j++)
			assert_in_range(picture.lines[i].text[j], ' ', '~');
	assert_true(shows("a?[2Jb?c?"));
	assert_true(shows("d?]0;e?"));
	assert_true(shows("f?g"));
	assert_true(shows("h?i"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, begin, end),
		cmocka_unit_test_setup_teardown(test_rows, begin, end),
		cmocka_unit_test_setup_teardown(test_mark, begin, end),
		cmocka_unit_test_setup_teardown(test_rates, begin, end),
		cmocka_unit_test_setup_teardown(test_oldest, begin, end),
		cmocka_unit_test_setup_teardown(test_orders, begin, end),
		cmocka_unit_test_setup_teardown(test_filter, begin, end),
		cmocka_unit_test_setup_teardown(test_groups, begin, end),
		cmocka_unit_test_setup_teardown(test_end, begin, end),
		cmocka_unit_test_setup_teardown(test_fill, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_broken_off, begin, end),
		cmocka_unit_test_setup_teardown(test_picture, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_scrolling, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_sizes, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_hostile_names, begin, end_picture),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	free(bytes);
	return ret;
}
