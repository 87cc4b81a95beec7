// SPDX-License-Identifier: GPL-2.0
/*
 * The model and the picture of kmemtrace-top, without a terminal. kmemtrace-gen writes the
 * streams.
 */
#include "test.h"

#include <locale.h>
#include <stdbool.h>

#include "kmemtrace-records.h"
#include "rows.h"
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
	top_open(&top);
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

/* Return what the present row of a relation has in a column; 0: nothing. */
static struct kmemtrace_field value_of(struct kmemtrace_relation *rows, const char *column)
{
	struct kmemtrace_field value;
	const int i = kmemtrace_relation_find(rows, column);

	assert_true(i >= 0);
	kmemtrace_relation_value(rows, i, &value);
	return value;
}

static const char *name_of_row(void)
{
	return value_of(top.rows, top.group->name).text;
}

/* Go to the row with this name. */
static bool find(const char *name)
{
	kmemtrace_relation_rewind(top.rows);
	while (kmemtrace_relation_next(top.rows))
		if (!strcmp(name_of_row(), name))
			return true;
	return false;
}

/* Go to the totals of an allocator, and return what they have. */
static struct kmemtrace_field total(int space, const char *column)
{
	kmemtrace_relation_rewind(top.totals);
	do
		assert_true(kmemtrace_relation_next(top.totals));
	while (strcmp(value_of(top.totals, "allocator").text, top_spaces[space]));
	return value_of(top.totals, column);
}

/* Return the sum of a column of whole numbers over all rows. */
static int64_t sum_of(const char *column)
{
	int64_t sum = 0;

	kmemtrace_relation_rewind(top.rows);
	while (kmemtrace_relation_next(top.rows))
		sum += value_of(top.rows, column).signed_number;
	return sum;
}

static void arrange(void)
{
	assert_int_equal(top_arrange(&top, trace), 0);
}

/* The rows of each grouping must add up to the total of the allocator. */
static void test_sums(void **state)
{
	(void)state;
	feed(60);
	for (top.space = 0; top.space < KMEMTRACE_NR_SPACES; top.space++) {
		const uint64_t live = figure_of(trace, top.space, "live");
		const uint64_t bytes_live = figure_of(trace, top.space, "live_bytes");

		top.group = top_group(0);
		do {
			const struct group_key *group = top.group;

			arrange();
			assert_ptr_equal(top.group, group);
			assert_true(bytes_live > 0);
			assert_int_equal(sum_of("live_bytes"), bytes_live);
			assert_int_equal(sum_of("live"), live);
			assert_int_equal(sum_of("live_wasted"),
					 figure_of(trace, top.space, "live_wasted"));
			assert_int_equal(total(top.space, "live_bytes").number, bytes_live);
			assert_int_equal(total(top.space, "live").number, live);
			top.group = top_next_group(&top, trace);
		} while (top.group != top_group(0));
	}
}

/* Each row must equal that of the library. */
static void test_rows(void **state)
{
	struct kmemtrace_relation *rows;
	struct kmemtrace_field site;

	(void)state;
	feed(30);
	feed(60);
	rows = open_rows(trace, "sites", "allocator=slab");
	while (kmemtrace_relation_next(rows)) {
		kmemtrace_relation_value(rows, kmemtrace_relation_find(rows, "site"), &site);
		assert_true(find(site.text));
		assert_int_equal(number_in(top.rows, "address"), number_in(rows, "address"));
		assert_int_equal(number_in(top.rows, "live_bytes"), number_in(rows, "live_bytes"));
		assert_int_equal(number_in(top.rows, "live"), number_in(rows, "live"));
	}
	assert_int_equal(top_nr_rows(&top), kmemtrace_relation_rows(rows));
	kmemtrace_relation_close(rows);
}

/* Changes count from the first state, and then from the mark, in each grouping. */
static void test_mark(void **state)
{
	uint64_t first, second;

	(void)state;
	feed(20);
	first = total(0, "live_bytes").number;
	assert_int_equal(sum_of("change_bytes"), 0);
	feed(40);
	second = total(0, "live_bytes").number;
	assert_true(second != first);
	assert_int_equal(total(0, "change_bytes").signed_number, second - first);
	assert_int_equal(sum_of("change_bytes"), second - first);
	top_mark(&top);
	arrange();
	assert_int_equal(sum_of("change_bytes"), 0);
	assert_int_equal(total(0, "change_bytes").signed_number, 0);
	assert_int_equal(top.head.marked, top.head.time);
	feed(50);
	do {
		arrange();
		first = total(0, "live_bytes").number;
		assert_int_equal(sum_of("change_bytes"), (int64_t)(first - second));
		assert_int_equal(total(0, "change_bytes").signed_number, (int64_t)(first - second));
		top.group = top_next_group(&top, trace);
	} while (top.group != top_group(0));
}

/* What was read after a second is not shown before the next one, in any grouping. */
static void test_frozen(void **state)
{
	uint64_t live;

	(void)state;
	feed(20);
	live = total(0, "live_bytes").number;
	assert_int_equal(kmemtrace_feed(trace, bytes + fed, size / 5), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_true(figure_of(trace, 0, "live_bytes") != live);
	top.group = top_find_group("function");
	arrange();
	assert_int_equal(sum_of("live_bytes"), live);
	assert_int_equal(total(0, "live_bytes").number, live);
}

/* The rate of a column, in the totals and as the sum of the rows, must be this change a second. */
static void expect_rate(const char *column, double change)
{
	const double expected = change * 1e9 / (double)top.head.step;
	double sum = 0;

	assert_true(change != 0);
	kmemtrace_relation_rewind(top.rows);
	while (kmemtrace_relation_next(top.rows))
		sum += value_of(top.rows, column).real;
	assert_true(sum - expected < 1 && expected - sum < 1);
	sum = total(0, column).real;
	assert_true(sum - expected < 1 && expected - sum < 1);
}

/* Rates are differences by the times of the records, since the last state. */
static void test_rates(void **state)
{
	uint64_t events, live, allocs, frees, time;
	double expected;
	int i;

	(void)state;
	feed(20);
	assert_true(top.head.rate == 0);
	assert_true(total(0, "allocs_per_second").real == 0);
	for (i = 40; i < 90; i += 20) {
		events = top.head.events;
		live = total(0, "live_bytes").number;
		allocs = total(0, "allocs").number;
		frees = total(0, "frees").number;
		time = top.head.time;
		feed(i);
		assert_int_equal(top.head.step, top.head.time - time);
		expected = (double)(top.head.events - events) * 1e9 / (double)top.head.step;
		assert_true(top.head.rate > expected * 0.999 && top.head.rate < expected * 1.001);
		expect_rate("change_bytes_per_second",
			    (double)(int64_t)(total(0, "live_bytes").number - live));
		expect_rate("allocs_per_second", (double)(total(0, "allocs").number - allocs));
		expect_rate("frees_per_second", (double)(total(0, "frees").number - frees));
	}
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
	struct kmemtrace_field age;
	uint64_t most = 0;
	int column;

	(void)state;
	feed(60);
	assert_int_equal(kmemtrace_each_live(trace, 0, take_oldest, &oldest), 0);
	column = kmemtrace_relation_find(top.rows, "oldest_ns");
	kmemtrace_relation_rewind(top.rows);
	while (kmemtrace_relation_next(top.rows)) {
		assert_int_equal(kmemtrace_relation_value(top.rows, column, &age),
				 value_of(top.rows, "live").number != 0);
		if (age.number > most)
			most = age.number;
	}
	assert_int_equal(most, kmemtrace_get_summary(trace)->last - oldest);
}

/* Return whether the value of a row may follow that of another one. */
static bool may_follow(const struct kmemtrace_column *column, const struct kmemtrace_field *value,
		       const struct kmemtrace_field *last)
{
	switch (column->type) {
	case KMEMTRACE_TEXT:	return strcmp(last->text, value->text) < 0;
	case KMEMTRACE_SIGNED:	return last->signed_number >= value->signed_number;
	case KMEMTRACE_REAL:	return last->real >= value->real;
	default:		return last->number >= value->number;
	}
}

static void test_orders(void **state)
{
	const struct kmemtrace_column *column;
	struct kmemtrace_field value, last;
	char *text = NULL;
	size_t sort;
	int i;

	(void)state;
	feed(30);
	feed(60);
	for (sort = 0; (top.sort = top_sort(sort)); sort++) {
		arrange();
		assert_true(top_nr_rows(&top) > 100);
		i = kmemtrace_relation_find(top.rows, !strcmp(top.sort, TOP_BY_NAME) ? "site" : top.sort);
		column = kmemtrace_relation_column(top.rows, i);
		for (last.text = NULL; kmemtrace_relation_next(top.rows); last = value) {
			kmemtrace_relation_value(top.rows, i, &value);
			assert_true(!last.text || kmemtrace_relation_is_rest(top.rows) ||
				    may_follow(column, &value, &last));
			free(text);
			text = strdup(value.text ? value.text : "");
			value.text = text;
		}
	}
	free(text);
	assert_null(top_find_sort("size"));
	assert_null(top_find_sort("live_bytes_error"));
	assert_ptr_equal(top_find_sort("bytes"), top_sort(5));
	assert_null(top_find_group("size"));
}

/* The figure that sorts the rows is shown, also if it has no column by itself. */
static void test_order_is_shown(void **state)
{
	static const struct {
		const char *sort, *heading, *title;
	} orders[] = {
		{ "bytes", "ALLOCATED*", "by allocated," },
		{ "peak_bytes", "PEAK*", "by peak," },
		{ "frees_per_second", "FREES/s*", "by frees/s," },
	};
	size_t i;

	(void)state;
	feed(60);
	for (i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		top.sort = top_find_sort(orders[i].sort);
		arrange();
		make(80, 24);
		assert_true(shows(orders[i].heading));
		assert_true(shows(orders[i].title));
	}
}

/* The next column is one that rows may have. */
static void test_next_order(void **state)
{
	static const char * const orders[] = {
		"live_bytes", "live", "change_bytes", "change_bytes_per_second",
		"allocs_per_second", "frees_per_second", "oldest_ns", "live_wasted", TOP_BY_NAME,
		"live_bytes",
	};
	size_t i;

	(void)state;
	for (i = 1; i < sizeof(orders) / sizeof(*orders); i++)
		assert_string_equal(picture_next_sort(orders[i - 1]), orders[i]);
	assert_string_equal(picture_next_sort("avoidable"), "live_bytes");
}

static void test_filter(void **state)
{
	static const char * const filters[] = { "SITE_12", "ite_12+", "[" };
	static const char * const none[] = { "site,12", "si*12", "s?te", "\\", "site\\_12" };
	size_t i, all;

	(void)state;
	feed(60);
	all = top_nr_rows(&top);
	for (i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		snprintf(top.filter, sizeof(top.filter), "%s", filters[i]);
		arrange();
		assert_true(top_nr_rows(&top) > 0 && top_nr_rows(&top) < all);
		while (kmemtrace_relation_next(top.rows))
			assert_non_null(strcasestr(name_of_row(), filters[i]));
	}
	for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
		snprintf(top.filter, sizeof(top.filter), "%s", none[i]);
		arrange();
		assert_int_equal(top_nr_rows(&top), 0);
	}
}

/* Pages have no caches, and without a vmlinux there are no directories. */
static void test_groups(void **state)
{
	(void)state;
	feed(60);
	top.group = top_find_group("cache");
	arrange();
	assert_ptr_equal(top.group, top_find_group("cache"));
	top.group = top_find_group("dir");
	arrange();
	assert_ptr_equal(top.group, top_find_group("site"));
	top.space = KMEMTRACE_SPACE_PAGES;
	top.group = top_find_group("cache");
	arrange();
	assert_ptr_equal(top.group, top_find_group("site"));
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
		assert_true(mbstowcs(NULL, picture.lines[i].text, 0) <= width);
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
	assert_true(shows("call sites of slab by live bytes"));
	assert_true(shows("LIVE*"));
	kmemtrace_relation_rewind(top.rows);
	assert_true(kmemtrace_relation_next(top.rows));
	assert_true(shows(name_of_row()));
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
	char last[TOP_MAX_TEXT] = "";

	(void)state;
	feed(60);
	picture.first = 1000000;
	make(80, 24);
	assert_int_equal(picture.first + picture.nr_shown, top_nr_rows(&top));
	kmemtrace_relation_rewind(top.rows);
	while (kmemtrace_relation_next(top.rows))
		snprintf(last, sizeof(last), "%s", name_of_row());
	assert_true(shows(last));
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
	snprintf(top.head.doubt, sizeof(top.head.doubt), "a\033[2Jb\rc\xff""d\033]0;e\a");
	snprintf(top.head.kernel, sizeof(top.head.kernel), "f\bg");
	top.head.nr_doubts = 1;
	picture.message = "h\ni";
	make(80, 24);
	for (i = 0; i < picture.height; i++)
		for (j = 0; picture.lines[i].text[j]; j++)
			assert_in_range(picture.lines[i].text[j], ' ', '~');
	assert_true(shows("a?[2Jb?c?d?]0;e?"));
	assert_true(shows("f?g"));
	assert_true(shows("h?i"));
}

/* Characters may have several bytes, and two columns; none is cut, and none is a command. */
static void test_characters(void **state)
{
	const char *line;

	(void)state;
	feed(60);
	snprintf(top.head.kernel, sizeof(top.head.kernel), "b\u00f6\u65e5\u672c\xc2\x85\xc3");
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	make(80, 24);
	line = picture.lines[0].text;
	assert_non_null(strstr(line, "b\u00f6\u65e5\u672c??  "));
	/* The state is at the right end: each wide character is one column more than it has letters. */
	assert_int_equal(mbstowcs(NULL, line, 0), 80 - 2);
	assert_non_null(strstr(line, "[LIVE]"));
	make(5, 24);
	assert_string_equal(picture.lines[0].text, "b\u00f6\u65e5");
	make(4, 24);
	assert_string_equal(picture.lines[0].text, "b\u00f6\u65e5");
	make(3, 24);
	assert_string_equal(picture.lines[0].text, "b\u00f6");
	setlocale(LC_CTYPE, "C");
	make(80, 24);
	assert_true(shows("b????????"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, begin, end),
		cmocka_unit_test_setup_teardown(test_rows, begin, end),
		cmocka_unit_test_setup_teardown(test_mark, begin, end),
		cmocka_unit_test_setup_teardown(test_frozen, begin, end),
		cmocka_unit_test_setup_teardown(test_rates, begin, end),
		cmocka_unit_test_setup_teardown(test_oldest, begin, end),
		cmocka_unit_test_setup_teardown(test_orders, begin, end),
		cmocka_unit_test_setup_teardown(test_filter, begin, end),
		cmocka_unit_test_setup_teardown(test_groups, begin, end),
		cmocka_unit_test_setup_teardown(test_order_is_shown, begin, end),
		cmocka_unit_test(test_next_order),
		cmocka_unit_test_setup_teardown(test_end, begin, end),
		cmocka_unit_test_setup_teardown(test_fill, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_broken_off, begin, end),
		cmocka_unit_test_setup_teardown(test_picture, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_scrolling, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_sizes, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_hostile_names, begin, end_picture),
		cmocka_unit_test_setup_teardown(test_characters, begin, end_picture),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	free(bytes);
	return ret;
}
