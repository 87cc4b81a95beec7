// SPDX-License-Identifier: GPL-2.0
/*
 * libkmemtrace's traces that are still being recorded: at each time they have the sums that
 * the whole trace has at that time. kmemtrace-gen writes the streams.
 */
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>

#include "kmemtrace-records.h"
#include "rows.h"

/* Relations that don't depend on the order in which kinds are found. */
static const struct {
	const char *name;
	bool needs_symbols;
} relations[] = {
	{ "totals", false }, { "sites", false }, { "functions", true }, { "modules", true },
	{ "caches", false }, { "sizes", false }, { "gfp", false }, { "timeline", false },
	{ "phases", false }, { "lifetimes", false }, { "cpu_pairs", false },
};

/* The stream that is fed, and how much of it was. */
static char *bytes;
static size_t size, fed;

static char text[256];

static void keep_text(void *arg, const char *message)
{
	(void)arg;
	snprintf(text, sizeof(text), "%s", message);
}

/* ---- the stream ---- */

/* Read the stream that a command writes. */
static void read_output(const char *writer)
{
	char *command, *name = test_file("", 0);
	FILE *f;

	assert_true(asprintf(&command, "(%s) >%s 2>/dev/null", writer, name) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	free(bytes);
	f = fopen(name, "r");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	rewind(f);
	bytes = malloc(size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, size, f), size);
	fclose(f);
	fed = 0;
	test_file_remove(name);
}

/* Let kmemtrace-gen write a stream, and read it. Where an emulator runs tests, it is $EMULATOR. */
static void generate(const char *options)
{
	char *command;

	assert_true(asprintf(&command, "$EMULATOR ./kmemtrace-gen %s -", options) > 0);
	read_output(command);
	free(command);
}

/* The same by kmemtrace-asm, with one CPU and a line for each record. */
static void assemble(const char *records)
{
	char *command;

	assert_true(asprintf(&command,
			     "dir=$(mktemp -d) && echo '%s' | $EMULATOR ./kmemtrace-asm $dir && "
			     "echo kmemtrace-stream 1 && echo metadata 15 && echo abi_version: 2 && "
			     "echo cpu0.out $(wc -c <$dir/cpu0.out) && cat $dir/cpu0.out && "
			     "echo end && rm -r $dir", records) > 0);
	read_output(command);
	free(command);
}

static struct kmemtrace_trace *begin(void)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .say = keep_text,
	};
	struct kmemtrace_trace *trace;

	assert_int_equal(kmemtrace_open_live(&trace, &options), 0);
	assert_null(kmemtrace_get_summary(trace));
	assert_int_equal(kmemtrace_set_cells(trace, true), 0);
	assert_null(kmemtrace_get_cells(trace));
	return trace;
}

/* Feed bytes up to @end, in pieces of odd sizes. */
static void feed(struct kmemtrace_trace *trace, size_t end)
{
	size_t piece = 1;

	for (; fed < end; fed += piece, piece = piece % 70001 * 3 + 1) {
		if (piece > end - fed)
			piece = end - fed;
		assert_int_equal(kmemtrace_feed(trace, bytes + fed, piece), 0);
	}
}

/* Read what was fed as a stream that has ended, up to a time after its begin. */
static struct kmemtrace_trace *read_fed(const struct kmemtrace_summary *until)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .say = keep_text,
	};
	FILE *in = fmemopen(bytes, size, "r");
	struct kmemtrace_trace *trace;

	assert_non_null(in);
	assert_int_equal(kmemtrace_open_stream(&trace, in, &options), 0);
	fclose(in);
	if (until)
		assert_int_equal(kmemtrace_set_end(trace, until->last - until->first), 0);
	assert_int_equal(kmemtrace_set_cells(trace, true), 0);
	assert_int_equal(kmemtrace_read(trace), 0);
	return trace;
}

/* ---- comparisons ---- */

/*
 * Symbols may come late: without them, call sites have no function and no offset. The names of
 * merged caches come at the end.
 */
static void assert_same_value(struct kmemtrace_relation *a, struct kmemtrace_relation *b, size_t i,
			      bool has_symbols)
{
	const struct kmemtrace_column *column = kmemtrace_relation_column(a, i);
	struct kmemtrace_field x, y;

	if (!has_symbols && (column->type == KMEMTRACE_TEXT || !strcmp(column->name, "offset")))
		return;
	if (!strcmp(column->name, "merged") || !strcmp(column->name, "merged_caches"))
		return;
	assert_int_equal(kmemtrace_relation_value(a, i, &x), kmemtrace_relation_value(b, i, &y));
	if (column->type != KMEMTRACE_TEXT)
		assert_int_equal(x.number, y.number);
	else if (x.text)
		assert_string_equal(x.text, y.text);
}

static void assert_same_rows(const struct kmemtrace_trace *live,
			     const struct kmemtrace_trace *read, const char *relation)
{
	const bool has_symbols = kmemtrace_get_summary(live)->symbols;
	struct kmemtrace_relation *a = open_rows(live, relation, NULL);
	struct kmemtrace_relation *b = open_rows(read, relation, NULL);
	size_t i;

	assert_int_equal(kmemtrace_relation_rows(a), kmemtrace_relation_rows(b));
	while (kmemtrace_relation_next(a)) {
		assert_true(kmemtrace_relation_next(b));
		for (i = 0; kmemtrace_relation_column(a, i); i++)
			assert_same_value(a, b, i, has_symbols);
	}
	kmemtrace_relation_close(a);
	kmemtrace_relation_close(b);
}

/* A cell without the number of its kind: traces that are read in other parts have others. */
struct plain_cell {
	uint64_t site, space, size, gfp, cache, flags;
	uint64_t born, ended;
	uint64_t nr, req, alloc, calls;
};

/* The cells of a trace, in one order. */
struct plain_cells {
	struct kmemtrace_kind *kinds;
	struct plain_cell *cells;
	size_t nr_kinds, nr;
};

/* Make room for one more entry in a list of @nr: double the room at each power of two. */
static void *grow(void *list, size_t nr, size_t entry)
{
	if (nr & (nr - 1))
		return list;
	list = realloc(list, (nr ? 2 * nr : 1) * entry);
	assert_non_null(list);
	return list;
}

static int append_kind(void *arg, const struct kmemtrace_kind *kind)
{
	struct plain_cells *p = arg;

	p->kinds = grow(p->kinds, p->nr_kinds, sizeof(*p->kinds));
	p->kinds[p->nr_kinds++] = *kind;
	return 0;
}

static int append_cell(void *arg, const struct kmemtrace_cell *cell)
{
	struct plain_cells *p = arg;
	const struct kmemtrace_kind *kind = &p->kinds[cell->kind];

	p->cells = grow(p->cells, p->nr, sizeof(*p->cells));
	p->cells[p->nr++] = (struct plain_cell) {
		kind->call_site, kind->space, kind->bytes_alloc, kind->gfp_flags, kind->cache,
		kind->is_free | kind->is_older << 1, cell->born, cell->ended, cell->nr,
		cell->bytes_req, cell->bytes_alloc, cell->calls,
	};
	return 0;
}

static int compare_cells(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct plain_cell));
}

static struct plain_cells list_cells(const struct kmemtrace_trace *trace)
{
	struct plain_cells p = { .nr = 0 };

	assert_int_equal(kmemtrace_each_kind(trace, append_kind, &p), 0);
	assert_int_equal(kmemtrace_each_cell(trace, append_cell, &p), 0);
	assert_true(p.nr > 0);
	assert_true(p.nr <= kmemtrace_get_cells(trace)->nr);
	qsort(p.cells, p.nr, sizeof(*p.cells), compare_cells);
	return p;
}

/* Memory that never ends is what is live at the end. */
static void assert_cells_live(const struct kmemtrace_trace *trace, const struct plain_cells *p)
{
	uint64_t nr = 0, req = 0, alloc = 0;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		if (p->cells[i].ended != KMEMTRACE_NEVER)
			continue;
		nr += p->cells[i].nr;
		req += p->cells[i].req;
		alloc += p->cells[i].alloc;
	}
	for (i = 0; i < KMEMTRACE_NR_SPACES; i++) {
		nr -= figure_of(trace, i, "live");
		req -= figure_of(trace, i, "live_bytes_req");
		alloc -= figure_of(trace, i, "live_bytes");
	}
	assert_int_equal(nr, 0);
	assert_int_equal(req, 0);
	assert_int_equal(alloc, 0);
}

static void assert_same_cells(const struct kmemtrace_trace *live,
			      const struct kmemtrace_trace *read)
{
	const struct kmemtrace_cells *a = kmemtrace_get_cells(live);
	const struct kmemtrace_cells *b = kmemtrace_get_cells(read);
	struct plain_cells x = list_cells(live), y = list_cells(read);

	assert_int_equal(a->begin, b->begin);
	assert_int_equal(a->step_ns, b->step_ns);
	assert_int_equal(a->nr_steps, b->nr_steps);
	assert_int_equal(x.nr, y.nr);
	assert_memory_equal(x.cells, y.cells, x.nr * sizeof(*x.cells));
	assert_cells_live(read, &y);
	free(x.kinds);
	free(x.cells);
	free(y.kinds);
	free(y.cells);
}

static void assert_same(const struct kmemtrace_trace *live,
			const struct kmemtrace_trace *read)
{
	const struct kmemtrace_summary *a = kmemtrace_get_summary(live);
	const struct kmemtrace_summary *b = kmemtrace_get_summary(read);
	size_t i;

	assert_int_equal(a->events, b->events);
	assert_int_equal(a->first, b->first);
	assert_int_equal(a->last, b->last);
	assert_int_equal(a->lost, b->lost);
	assert_int_equal(a->own_pages, b->own_pages);
	assert_same_cells(live, read);
	for (i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		if (a->symbols || !relations[i].needs_symbols)
			assert_same_rows(live, read, relations[i].name);
}

static void assert_same_doubts(const struct kmemtrace_trace *live,
			       const struct kmemtrace_trace *read)
{
	const char *a, *b;
	size_t i = 0;

	do {
		a = kmemtrace_doubt(live, i);
		b = kmemtrace_doubt(read, i++);
		assert_int_equal(!!a, !!b);
		if (a)
			assert_string_equal(a, b);
	} while (a);
}

/* ---- tests ---- */

/* Updates after each part of a stream have the sums of the trace up to that time. */
static void compare_all(const char *options, int parts)
{
	struct kmemtrace_trace *live, *read;
	int64_t before = 0;
	int i, updates = 0;

	generate(options);
	live = begin();
	for (i = 1; i <= parts; i++) {
		feed(live, size * i / parts);
		if (kmemtrace_update(live) != 1)
			continue;
		if (i == parts || kmemtrace_get_summary(live)->last == before)
			continue;
		updates++;
		before = kmemtrace_get_summary(live)->last;
		assert_null(kmemtrace_doubt(live, 0));
		read = read_fed(kmemtrace_get_summary(live));
		assert_same(live, read);
		kmemtrace_close(read);
	}
	assert_true(updates >= parts / 2);
	assert_true(kmemtrace_get_live(live)->is_over);
	assert_false(kmemtrace_get_live(live)->is_cut);
	assert_int_equal(kmemtrace_get_live(live)->received, size);
	assert_int_equal(kmemtrace_get_live(live)->waiting, 0);
	read = read_fed(NULL);
	assert_same(live, read);
	assert_int_equal(kmemtrace_get_cells(live)->nr, kmemtrace_get_cells(read)->nr);
	assert_same_doubts(live, read);
	kmemtrace_close(read);
	kmemtrace_close(live);
}

static void test_flushed(void **state)
{
	(void)state;
	compare_all("--abi 2 --events 60000 --cpus 3 --before 500 --flush 1000000", 12);
}

static void test_compressed(void **state)
{
	(void)state;
	compare_all("--abi 2 --events 60000 --cpus 3 --before 500 --flush 1000000 --compress", 6);
}

/* The weights of a sample are applied once, however often sums are added up. */
static void test_sample(void **state)
{
	(void)state;
	compare_all("--abi 2 --events 60000 --cpus 3 --before 500 --flush 1000000 --sample 4", 12);
}

static void test_other_machine(void **state)
{
	(void)state;
	compare_all("--abi 2 --events 60000 --cpus 2 --flush 1000000 --order big --bits 32", 6);
}

static void test_version_1(void **state)
{
	(void)state;
	compare_all("--events 40000 --cpus 2 --flush 1000000", 6);
}

/* Without flushes, a CPU has reached the time of its last record. */
static void test_no_flush(void **state)
{
	(void)state;
	compare_all("--abi 2 --events 60000 --cpus 2 --subbuf 16384", 10);
}

/* The last phase of a boot goes on, and so does the step in which it began. */
static void test_phases(void **state)
{
	struct kmemtrace_relation *rows;
	struct kmemtrace_trace *live, *read;
	int i;

	(void)state;
	assemble("0 phase 1       56  1 0          0       0   0    0     1000\n"
		 "0 alloc kmalloc 56 -1 0xffff1010 0x10000 500 512  0xcc0 1010\n"
		 "0 free  kmalloc 56 -1 0xffff1010 0x10000 0   0    0     1020\n"
		 "0 alloc kmalloc 56 -1 0xffff1010 0x11000 8   8    0xcc0 1030\n"
		 "0 phase 3       56  1 0          0       0   0    0     1040\n"
		 "0 alloc kmalloc 56 -1 0xffff1010 0x12000 60  64   0xcc0 1050\n"
		 "0 free  kmalloc 56 -1 0xffff1010 0x12000 0   0    0     1060\n"
		 "0 alloc kmalloc 56 -1 0xffff1010 0x13000 30  32   0xcc0 1070");
	live = begin();
	feed(live, size - 4);
	kmemtrace_update(live);
	assert_int_equal(kmemtrace_update(live), 1);
	assert_int_equal(kmemtrace_get_summary(live)->events, 6);
	read = read_fed(kmemtrace_get_summary(live));
	for (i = 0; i < 2; i++) {
		assert_same(live, read);
		rows = open_rows(live, "timeline", where_of(KMEMTRACE_SPACE_SLAB));
		assert_true(kmemtrace_relation_go(rows, 0));
		assert_int_equal(number_in(rows, "most_bytes"), 512);
		kmemtrace_relation_close(rows);
		rows = open_rows(live, "phases", where_of(KMEMTRACE_SPACE_SLAB));
		assert_true(kmemtrace_relation_go(rows, 1));
		assert_int_equal(number_in(rows, "most_bytes"), 72);
		assert_int_equal(number_in(rows, "live_bytes"), 40);
		assert_false(kmemtrace_relation_next(rows));
		kmemtrace_relation_close(rows);
		feed(live, size);
		assert_int_equal(kmemtrace_update(live), 1);
	}
	kmemtrace_close(read);
	kmemtrace_close(live);
}

/* The times of a CPU may step back when more is learnt of its clock, by less than the window. */
static void test_clock(void **state)
{
	static const struct {
		int64_t ns;
		bool is_fine;
	} pairs[] = {
		{ 1000990000, true },
		{ 1000890000, false },
	};
	struct kmemtrace_trace *trace;
	char *records;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_true(asprintf(&records,
			"0 clock 0       56  0 1000000    0       1000 0 1000   1000000\n"
			"0 alloc kmalloc 56 -1 0xffff1010 0x10000 8    8 0xcc0  1001000000\n"
			"0 clock 0       56  0 %" PRId64 " 1      1000 0 5000   1001000100\n"
			"0 alloc kmalloc 56 -1 0xffff1010 0x11000 8    8 0xcc0  1001000200",
			pairs[i].ns) > 0);
		assemble(records);
		free(records);
		trace = begin();
		feed(trace, size - 4);
		kmemtrace_update(trace);
		assert_int_equal(kmemtrace_update(trace), 1);
		assert_int_equal(kmemtrace_get_summary(trace)->events, 2);
		if (pairs[i].is_fine)
			assert_null(kmemtrace_doubt(trace, 0));
		else
			assert_non_null(strstr(kmemtrace_doubt(trace, 0), "backwards"));
		kmemtrace_close(trace);
	}
}

static void test_cut(void **state)
{
	struct kmemtrace_trace *trace;

	(void)state;
	generate("--abi 2 --events 20000 --cpus 2 --flush 1000000");
	trace = begin();
	feed(trace, size / 2);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_null(kmemtrace_doubt(trace, 0));
	assert_int_equal(kmemtrace_feed_end(trace), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_true(kmemtrace_get_live(trace)->is_cut);
	assert_string_equal(kmemtrace_doubt(trace, 0), "stream ends before the trace does");
	assert_int_equal(kmemtrace_update(trace), 1);
	kmemtrace_close(trace);
}

static void test_no_trace(void **state)
{
	struct kmemtrace_trace *trace = begin();

	(void)state;
	assert_int_equal(kmemtrace_update(trace), 0);
	assert_int_equal(kmemtrace_feed(trace, "kmemtrace-stream 1\n", 19), 0);
	assert_int_equal(kmemtrace_update(trace), 0);
	assert_int_equal(kmemtrace_feed_end(trace), 0);
	assert_int_equal(kmemtrace_update(trace), -ENOENT);
	assert_int_equal(kmemtrace_update(trace), -ENOENT);
	kmemtrace_close(trace);
}

static void refuse(const char *stream, const char *expected)
{
	struct kmemtrace_trace *trace = begin();

	assert_int_equal(kmemtrace_feed(trace, stream, strlen(stream)), -EILSEQ);
	assert_string_equal(text, expected);
	assert_int_equal(kmemtrace_error(trace), -EILSEQ);
	kmemtrace_close(trace);
}

static void test_refused(void **state)
{
	(void)state;
	refuse("cpu0.out 3\nabc", "stream: offset 0: 'cpu0.out 3' has no place in a kmemtrace stream: expected what kmemtraced -o - or ktraced -o - writes");
	refuse("kmemtrace-stream 1\n../x 3\nabc",
	       "stream: offset 19: '../x 3' has no place in a kmemtrace stream: expected the name and the size of a file");
	refuse("kmemtrace-stream 1\ncpu0.out -3\n",
	       "stream: offset 19: 'cpu0.out -3' has no place in a kmemtrace stream: expected the name and the size of a file");
}

/* The weight of what was counted can't change. */
static void test_changed(void **state)
{
	static const char changed[] = "metadata 25\nabi_version: 2\nsample: 2\n";
	struct kmemtrace_trace *trace;

	(void)state;
	assemble("0 clock 0       56  0 1000       0       100 0 0     1000\n"
		 "0 alloc kmalloc 56 -1 0xffff1010 0x10000 8   8 0xcc0 2000");
	trace = begin();
	feed(trace, size - 4);
	kmemtrace_update(trace);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(kmemtrace_feed(trace, changed, strlen(changed)), 0);
	assert_int_equal(kmemtrace_update(trace), -EINVAL);
	assert_non_null(strstr(text, "the sample has changed"));
	kmemtrace_close(trace);
}

static int take_object(void *arg, const struct kmemtrace_object *object)
{
	int64_t *oldest = arg;

	if (object->time < *oldest)
		*oldest = object->time;
	return 0;
}

/* The oldest live memory of the rows of a moment is that of all objects. */
static void test_oldest(void **state)
{
	struct kmemtrace_moment *moment;
	struct kmemtrace_trace *trace;
	int space;

	(void)state;
	generate("--abi 2 --events 20000 --cpus 2 --before 50 --flush 1000000");
	trace = begin();
	feed(trace, size / 2);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(kmemtrace_moment_take(trace, NULL, &moment), 0);
	for (space = 0; space < KMEMTRACE_NR_SPACES; space++) {
		const struct kmemtrace_query query = {
			.size = sizeof(query), .relation = "sites", .at = moment,
			.where = where_of(space),
		};
		int64_t oldest = INT64_MAX;
		struct kmemtrace_relation *rows;
		uint64_t most = 0;

		assert_int_equal(kmemtrace_each_live(trace, space, take_object, &oldest), 0);
		assert_int_equal(kmemtrace_moment_find_oldest(moment, space), 0);
		assert_int_equal(kmemtrace_relation_open(trace, &query, &rows, NULL), 0);
		while (kmemtrace_relation_next(rows))
			if (number_in(rows, "oldest_ns") > most)
				most = number_in(rows, "oldest_ns");
		assert_int_equal(most, kmemtrace_get_summary(trace)->last - oldest);
		kmemtrace_relation_close(rows);
	}
	kmemtrace_moment_drop(moment);
	kmemtrace_close(trace);
}

/* Feed the next packet of the stream, or leave it out. Return whether there is one. */
static bool feed_packet(struct kmemtrace_trace *trace, bool is_left_out)
{
	char *line = bytes + fed, *end = memchr(line, '\n', size - fed);
	size_t packet;

	if (!end || !strncmp(line, "end\n", 4))
		return false;
	packet = end - line + 1 + strtoull(strchr(line, ' ') + 1, NULL, 10);
	if (!is_left_out)
		assert_int_equal(kmemtrace_feed(trace, line, packet), 0);
	fed += packet;
	return true;
}

/* A CPU without events holds nobody back: flushes say that it has none. */
static void test_idle(void **state)
{
	bool was_there = false, is_cpu1 = false;
	struct kmemtrace_trace *trace;
	uint64_t flushed;

	(void)state;
	generate("--abi 2 --events 20000 --cpus 2 --flush 1000000");
	trace = begin();
	feed(trace, strlen("kmemtrace-stream 1\n"));
	do {
		was_there |= is_cpu1;
		is_cpu1 = !strncmp(bytes + fed, "cpu1", 4);
	} while (feed_packet(trace, was_there && is_cpu1) && fed < size / 2);
	assert_int_equal(kmemtrace_update(trace), 1);
	flushed = strtoull(kmemtrace_metadata(trace, "flushed_ns"), NULL, 10);
	assert_true(flushed > 2000000);
	assert_true((uint64_t)kmemtrace_get_summary(trace)->last > flushed - 100000);
	kmemtrace_close(trace);
}

/* A CPU that is later than all others by too much is not waited for. */
static void test_forced(void **state)
{
	bool is_late = false, was_there = false;
	struct kmemtrace_trace *trace;

	(void)state;
	generate("--abi 2 --events 2600000 --cpus 2 --subbuf 16384");
	trace = begin();
	feed(trace, strlen("kmemtrace-stream 1\n"));
	do {
		is_late = was_there && !strncmp(bytes + fed, "cpu1", 4);
		was_there |= !strncmp(bytes + fed, "cpu1", 4);
	} while (feed_packet(trace, is_late));
	assert_int_equal(kmemtrace_update(trace), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_true(kmemtrace_get_live(trace)->was_forced);
	assert_int_equal(kmemtrace_get_live(trace)->waiting, 0);
	assert_int_equal(kmemtrace_get_live(trace)->waits_for, 0);
	kmemtrace_close(trace);
}

/* The CPU that holds the others back is known. */
static void test_waits(void **state)
{
	struct kmemtrace_trace *trace;

	(void)state;
	generate("--abi 2 --events 20000 --cpus 2 --subbuf 16384");
	trace = begin();
	feed(trace, strlen("kmemtrace-stream 1\n"));
	while (strncmp(bytes + fed, "cpu1", 4))
		feed_packet(trace, false);
	feed_packet(trace, false);
	while (feed_packet(trace, !strncmp(bytes + fed, "cpu1", 4)))
		;
	assert_int_equal(kmemtrace_update(trace), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(kmemtrace_get_live(trace)->waits_for, 1);
	assert_true(kmemtrace_get_live(trace)->waiting > 0);
	assert_false(kmemtrace_get_live(trace)->was_forced);
	kmemtrace_close(trace);
}

/* A stream with a damaged frame ends there. Nobody waits for it. */
static void test_damaged(void **state)
{
	struct kmemtrace_trace *trace;
	int nr = 0;

	(void)state;
	generate("--abi 2 --events 60000 --cpus 2 --subbuf 16384 --compress");
	trace = begin();
	feed(trace, strlen("kmemtrace-stream 1\n"));
	do {
		if (!strncmp(bytes + fed, "cpu1", 4) && ++nr == 3)
			bytes[fed + 300] ^= 0x55;
	} while (feed_packet(trace, false));
	assert_true(nr > 3);
	assert_int_equal(kmemtrace_update(trace), 0);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(kmemtrace_get_live(trace)->waits_for, 0);
	assert_int_equal(kmemtrace_get_live(trace)->waiting, 0);
	assert_true(kmemtrace_get_summary(trace)->events > 30000);
	assert_non_null(strstr(kmemtrace_doubt(trace, 0), "damaged"));
	kmemtrace_close(trace);
}

/* Functions for stored traces refuse a live one. */
static void test_other_functions(void **state)
{
	const struct kmemtrace_query lives = { .size = sizeof(lives), .relation = "lives" };
	struct kmemtrace_trace *trace = begin();
	struct kmemtrace_relation *relation;
	struct kmemtrace_records *records;
	struct kmemtrace_stream *stream;

	(void)state;
	assert_int_equal(kmemtrace_read(trace), -EINVAL);
	assert_int_equal(kmemtrace_set_end(trace, 1), -EBUSY);
	assert_int_equal(kmemtrace_set_begin(trace, 1), -EBUSY);
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_SITE, "f"), -EBUSY);
	assert_int_equal(kmemtrace_relation_follow(trace, &lives, NULL, NULL, &relation,
						   NULL), -EBUSY);
	assert_int_equal(kmemtrace_records_open(trace, &records), -EINVAL);
	assert_int_equal(kmemtrace_stream_open(&stream, trace, 0), -EINVAL);
	kmemtrace_close(trace);
}

static int count_cell(void *arg, const struct kmemtrace_cell *cell)
{
	(void)cell;
	++*(size_t *)arg;
	return 0;
}

/* Cells are counted from the begin or not at all, and a trace without records has none. */
static void test_cells(void **state)
{
	struct kmemtrace_trace *trace = begin();
	size_t nr = 0;

	(void)state;
	generate("--abi 2 --events 20000 --cpus 2 --flush 1000000");
	assert_int_equal(kmemtrace_set_cells(trace, false), 0);
	feed(trace, size / 2);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_int_equal(kmemtrace_set_cells(trace, true), -EBUSY);
	assert_null(kmemtrace_get_cells(trace));
	assert_int_equal(kmemtrace_each_cell(trace, count_cell, &nr), -ENODATA);
	kmemtrace_close(trace);

	trace = begin();
	assert_int_equal(kmemtrace_feed(trace, "kmemtrace-stream 1\ncpu0.out 0\n", 30), 0);
	kmemtrace_update(trace);
	assert_int_equal(kmemtrace_update(trace), 1);
	assert_non_null(kmemtrace_get_cells(trace));
	assert_int_equal(kmemtrace_each_cell(trace, count_cell, &nr), 0);
	assert_int_equal(nr, 0);
	kmemtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flushed),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_no_flush),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_no_trace),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_oldest),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_other_functions),
		cmocka_unit_test(test_cells),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	free(bytes);
	return ret;
}
