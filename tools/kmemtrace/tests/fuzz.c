// SPDX-License-Identifier: GPL-2.0
/*
 * Read any input with the check, the report and the exporter. None may crash, and the sums of
 * the report must add up. An input is a stream of kmemtraced -o -; an input that begins like
 * an ELF file is a vmlinux.
 *
 * A fuzzing engine calls this file (see scripts/fuzz); fuzz-main.c calls it for known files.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "common/bits.h"
#include "common/memory.h"
#include "daemon/outdir.h"
#include "export/export.h"
#include "fuzz.h"
#include "html/page.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"
#include "read/files.h"
#include "report/diff.h"
#include "report/document.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/reading.h"
#include "report/relations.h"
#include "report/trend.h"
#include "report/view.h"
#include "report/views.h"
#include "report/watch.h"
#include "top/model.h"
#include "top/picture.h"
#include "rows.h"
#include "save-files.h"

/* Bytes that a page or a document may have, and more of them for each byte of the input. */
#define OUTPUT_BYTES	(1 << 20)
#define OUTPUT_TIMES	512

/* The trace for a vmlinux has NR_SITES call sites, at a distance of SITE_STEP bytes. */
#define SITE_STEP	16
#define NR_SITES	32
#define STEXT		UINT64_C(0xffffffff81000000)

/* Directories of an input, of the trace before it, and of the trace of any vmlinux; /dev/null. */
static char *work, *before_dir, *sites_dir;
static FILE *null;
static struct kmemtrace_trace *sites;
static const char *filters[NR_FILTERS];

/* Make a directory in $TMPDIR or /tmp, and return its path. */
static char *make_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path;

	if (asprintf(&path, "%s/kmemtrace-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(path))
		err(EXIT_UNUSABLE, "no temporary directory");
	return path;
}

static FILE *create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	if (!f)
		err(EXIT_UNUSABLE, "%s", path);
	return f;
}

static void finish(FILE *f)
{
	if (fclose(f))
		err(EXIT_UNUSABLE, "write");
}

/* Remove all files of a trace. */
static void clear(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || outdir_clear(fd))
		err(EXIT_UNUSABLE, "%s", dir);
	close(fd);
}

/* ---- a trace ---- */

/* Let a number choose the views and their options. */
static struct report report_of(const struct kmemtrace_trace *t, struct source *source,
			       uint64_t number)
{
	struct report r = {
		.filters = filters,
		.address = "the address",
		.source = source,
		.limit = number % 16 + 1,
		.is_limited = number % 2,
		.style = &style_coloured,
	};
	const struct kmemtrace_column *figures;
	uint64_t i;
	size_t nr;

	reading_show(&r, t);
	number /= 16;
	figures = figures_list(&nr);
	r.sort = &figures[number % 16 % nr];
	number /= 16;
	r.is_bottom_up = hash_u64(number) >> 63;
	for (i = hash_u64(number) >> 32 & 15, r.group = group_keys; i && r.group[1].name; i--)
		r.group++;
	if (r.group->needs_source && !source)
		r.group = group_keys;
	return r;
}

static void check_sums(const struct report *r)
{
	struct diff d;

	diff_init(&d, r, r, NULL);
	diff_text(&d, null);
	diff_print_json(&d, null);
	if (!diff_is_empty(&d))
		errx(EXIT_FAILURE, "the trace differs from itself");
	diff_free(&d);
}

/*
 * The peak is the highest point of the timeline, its owners add up to it, and the timeline
 * ends with the live memory at the end.
 */
static bool history_adds_up(const struct kmemtrace_trace *t, enum kmemtrace_space space)
{
	struct kmemtrace_relation *steps = open_rows(t, "timeline", where_of(space));
	uint64_t most = 0, live = 0;

	while (kmemtrace_relation_next(steps)) {
		live = number_in(steps, "live_bytes");
		if (number_in(steps, "most_bytes") > most)
			most = number_in(steps, "most_bytes");
	}
	kmemtrace_relation_close(steps);
	return figure_of(t, space, "peak_bytes") == most &&
	       sum_of_rows(t, "sites", space, "peak_bytes") == most &&
	       sum_of_rows(t, "sites", space, "live_bytes") == live;
}

/* Return whether sums are of the live memory of some age, other figures of all. */
static bool is_aged(void)
{
	return filters[KMEMTRACE_FILTER_OLDER] || filters[KMEMTRACE_FILTER_YOUNGER];
}

/* Let a number choose the filters and the times; it sets each with a chance of one in eight. */
static void choose_part(struct kmemtrace_trace *t, uint64_t number)
{
	static const char * const texts[NR_FILTERS] = {
		[KMEMTRACE_FILTER_SITE] = "site_*[13579]",
		[KMEMTRACE_FILTER_MODULE] = "kernel",
		[KMEMTRACE_FILTER_CACHE] = "alias-1?",
		[KMEMTRACE_FILTER_TYPE] = "kmalloc,pages,vmalloc",
		[KMEMTRACE_FILTER_CPU] = "1",
		[KMEMTRACE_FILTER_SIZE] = "-1K",
		[KMEMTRACE_FILTER_TASK] = "*[13579]",
		[KMEMTRACE_FILTER_CGROUP] = "/",
		[KMEMTRACE_FILTER_STACK] = "*[24680]",
		[KMEMTRACE_FILTER_OLDER] = "0.0001",
		[KMEMTRACE_FILTER_YOUNGER] = "0.01",
	};
	uint64_t who = hash_u64(number) >> 32;
	bool is_chosen;
	int i;

	for (i = 0; i < NR_FILTERS; i++) {
		is_chosen = !(i < KMEMTRACE_FILTER_TASK ? number % 8 : who % 8);
		filters[i] = is_chosen ? texts[i] : NULL;
		kmemtrace_set_filter(t, i, filters[i]);
		if (i < KMEMTRACE_FILTER_TASK)
			number /= 8;
		else
			who /= 8;
	}
	if (!(number % 8))
		kmemtrace_set_end(t, number / 8 % (1 << 20));
	if (!(number / (8 << 20) % 8))
		kmemtrace_set_begin(t, number / 8 % (1 << 20) / 2);
}

static char *json_of(const struct report *r)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		err(EXIT_UNUSABLE, "open_memstream");
	report_print_json(r, out);
	if (fclose(out))
		errx(EXIT_UNUSABLE, "out of memory");
	return text;
}

/* Print the overview and all views, in all formats. */
static void show(const struct report *r)
{
	struct report whole = *r;

	report_text(r, null);
	if (views_choose(&whole.views, "all"))
		exit(EXIT_UNUSABLE);
	report_text(&whole, null);
	report_folded(r, null);
	free(json_of(r));
	if (!is_aged())
		check_sums(r);
}

/*
 * Read the part of the trace in an input that @number chooses, while the input arrives if @once.
 * Return NULL if it has none.
 */
static struct kmemtrace_trace *read_input(const uint8_t *data, size_t size, uint64_t number,
					  unsigned int threads, bool once)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = "input", .once = once,
	};
	FILE *in = fmemopen((void *)data, size, "r");
	struct kmemtrace_trace *t;

	if (!in)
		err(EXIT_UNUSABLE, "fmemopen");
	if (!kmemtrace_open_stream(&t, in, &options)) {
		kmemtrace_set_threads(t, threads);
		choose_part(t, number / (1 << 14));
		/* The records of a trace that arrives are gone. */
		if (!once)
			kmemtrace_set_address(t, 0xffff888000001000);
		if (kmemtrace_read(t)) {
			kmemtrace_close(t);
			t = NULL;
		}
	}
	fclose(in);
	return t;
}

/* The number of threads must not change the report. */
static void be_same(const struct report *before, const struct kmemtrace_trace *t)
{
	char *expected = json_of(before), *got;
	struct report r = *before;

	reading_show(&r, t);
	got = json_of(&r);
	if (strcmp(expected, got))
		errx(EXIT_FAILURE, "more threads change the report");
	free(expected);
	free(got);
}

/* Print all of a trace, whose sums must add up. Return how. */
static struct report try_views(struct kmemtrace_trace *t, uint64_t number)
{
	const struct report r = report_of(t, NULL, number);
	int space;

	for (space = 0; !is_aged() && space < NR_SPACES; space++)
		if (!history_adds_up(t, space))
			errx(EXIT_FAILURE, "the timeline of allocator %d doesn't add up",
			     space);
	show(&r);
	return r;
}

static void try_report(const uint8_t *data, size_t size, uint64_t number)
{
	struct kmemtrace_trace *t = read_input(data, size, number, 1, false), *again;
	struct report r;

	if (!t)
		return;
	r = try_views(t, number);
	if (!(number / 1024 % 16)) {
		again = read_input(data, size, number, 2, false);
		if (!again)
			errx(EXIT_FAILURE, "2 threads can't read it");
		be_same(&r, again);
		kmemtrace_close(again);
	}
	kmemtrace_close(t);
}

/* Read an input while it arrives, where it says up to which time all of it has arrived. */
static void try_arriving(const uint8_t *data, size_t size, uint64_t number)
{
	static const char flushed[] = "flushed_ns: ";
	struct kmemtrace_trace *t;

	if (!memmem(data, size, flushed, strlen(flushed)))
		return;
	t = read_input(data, size, number, number % 2 + 1, true);
	if (t)
		try_views(t, number);
	kmemtrace_close(t);
}

/* ---- the library ---- */

/* Return whether a record counts as an event. */
static bool is_event(const struct kmemtrace_record *record)
{
	return record->id == KMEMTRACE_RECORD_ALLOC ||
	       record->id == KMEMTRACE_RECORD_FREE ||
	       record->id == KMEMTRACE_RECORD_FAILED;
}

static uint64_t count_events(struct kmemtrace_trace *trace)
{
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	uint64_t events = 0;

	if (kmemtrace_records_open(trace, &records))
		exit(EXIT_FAILURE);
	while (kmemtrace_records_next(records, &record) > 0)
		events += is_event(record);
	kmemtrace_records_close(records);
	return events;
}

/* Each event counts, but those of the time that other CPUs have overwritten. */
static void check_events(struct kmemtrace_trace *trace)
{
	const uint64_t all = count_events(trace);
	const uint64_t events = kmemtrace_get_summary(trace)->events;

	if (kmemtrace_metadata(trace, "overwrites") ? events > all : events != all)
		errx(EXIT_FAILURE, "%" PRIu64 " events, not %" PRIu64, events, all);
}

/* A sum of live objects. */
struct live_sum {
	uint64_t nr, bytes;
};

static int count_live(void *sum, const struct kmemtrace_object *object)
{
	struct live_sum *live = sum;

	live->nr += object->weight * (object->pages ? object->pages : 1);
	live->bytes += object->weight * object->bytes_alloc;
	return 0;
}

/**
 * struct lives - sums of lives
 * @live: bytes of those that are live, by allocator
 * @is_short: one requested more than it got
 */
struct lives {
	uint64_t live[NR_SPACES];
	bool is_short;
};

static int add_life(void *arg, struct kmemtrace_relation *life)
{
	struct lives *sum = arg;
	struct kmemtrace_field value;
	const uint64_t bytes = number_in(life, "bytes");
	size_t i;
	int space;

	for (i = 0; kmemtrace_relation_column(life, i); i++)
		kmemtrace_relation_value(life, i, &value);
	kmemtrace_relation_identity(life, kmemtrace_relation_find(life, "allocator"), &value);
	space = (int)value.number;
	if (!has_in(life, "died_ns"))
		sum->live[space] += number_in(life, "weight") * bytes;
	if (number_in(life, "bytes_req") > bytes && has_in(life, "born_ns") &&
	    space != KMEMTRACE_SPACE_SLAB)
		sum->is_short = true;
	return 0;
}

/* Only a record that is short itself makes a life that requested more than it got. */
static bool has_short(const struct kmemtrace_trace *trace)
{
	struct kmemtrace_relation *rows = open_rows(trace, "findings", "class=short");
	const bool found = kmemtrace_relation_next(rows);

	kmemtrace_relation_close(rows);
	return found;
}

/* The list of live objects, the rows of each relation and the total must agree. */
static void balance(const struct kmemtrace_trace *trace, int space)
{
	static const char * const relations[] = {
		"sites", "functions", "modules", "caches", "sizes", "gfp", "paths", "tasks", "processes",
		"cgroups",
	};
	static const char * const columns[] = { "allocs", "live", "live_bytes" };
	struct live_sum sum = { .nr = 0 };
	size_t i, j;

	kmemtrace_each_live(trace, space, count_live, &sum);
	if (sum.nr != figure_of(trace, space, "live") ||
	    sum.bytes != figure_of(trace, space, "live_bytes"))
		errx(EXIT_FAILURE, "allocator %d: %" PRIu64 " live, not %" PRIu64, space, sum.nr,
		     figure_of(trace, space, "live"));
	for (i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		for (j = 0; j < sizeof(columns) / sizeof(*columns); j++)
			if ((strcmp(relations[i], "caches") || !space) &&
			    sum_of_rows(trace, relations[i], space, columns[j]) !=
			    figure_of(trace, space, columns[j]))
				errx(EXIT_FAILURE, "allocator %d: the %s of %s don't add up", space,
				     columns[j], relations[i]);
}

/* The sums of the cells of one allocator. */
struct cell_sums {
	int space;
	uint64_t live, allocs;
	uint8_t *spaces;
	size_t nr;
};

static int list_space(void *arg, const struct kmemtrace_kind *kind)
{
	struct cell_sums *sums = arg;

	sums->spaces = must_grow_list(sums->spaces, sums->nr, 1);
	sums->spaces[sums->nr++] = kind->space;
	return 0;
}

static int add_cell(void *arg, const struct kmemtrace_cell *cell)
{
	struct cell_sums *sums = arg;

	if (cell->ended == KMEMTRACE_NEVER && sums->spaces[cell->kind] == sums->space) {
		sums->live += cell->nr;
		sums->allocs += cell->calls;
	}
	return 0;
}

/* The cells that never end and the total must agree. */
static void balance_cells(const struct kmemtrace_trace *trace, int space)
{
	const uint64_t live = figure_of(trace, space, "live");
	const uint64_t allocs = figure_of(trace, space, "allocs");
	struct cell_sums sums = { .space = space };

	if (!kmemtrace_get_cells(trace))
		return;
	kmemtrace_each_kind(trace, list_space, &sums);
	kmemtrace_each_cell(trace, add_cell, &sums);
	free(sums.spaces);
	if (sums.live != live || sums.allocs != allocs)
		errx(EXIT_FAILURE, "allocator %d: cells have %" PRIu64 " live of %" PRIu64 ", not %" PRIu64 " of %" PRIu64,
		     space, sums.live, sums.allocs, live, allocs);
}

static void try_library(bool has_cells)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = "lives" };
	struct lives sum = { .is_short = false };
	struct kmemtrace_relation *lives;
	struct kmemtrace_trace *trace;
	int space;

	if (kmemtrace_open(&trace, work, NULL))
		return;
	kmemtrace_set_cells(trace, has_cells);
	if (kmemtrace_relation_follow(trace, &query, add_life, &sum, &lives, NULL))
		errx(EXIT_FAILURE, "the lives can't be followed");
	if (!kmemtrace_read(trace)) {
		check_events(trace);
		if (sum.is_short && !has_short(trace))
			errx(EXIT_FAILURE, "a life requested more than it got");
		for (space = 0; space < NR_SPACES; space++)
			balance(trace, space);
		for (space = 0; space < NR_SPACES; space++) {
			balance_cells(trace, space);
			if (sum.live[space] != figure_of(trace, space, "live_bytes"))
				errx(EXIT_FAILURE, "lives of allocator %d don't add up", space);
		}
	}
	kmemtrace_relation_close(lives);
	kmemtrace_close(trace);
}

/* ---- pages and all relations ---- */

/* Fail if the output is not bounded by the bytes of the input. */
static void check_output(const char *what, size_t len, size_t size)
{
	if (len > OUTPUT_BYTES + OUTPUT_TIMES * size)
		errx(EXIT_FAILURE, "%s of %zu bytes, of an input of %zu", what, len, size);
}

/* Print the page of a trace, and of the trace compared with itself. */
static void try_page(const struct report *r, size_t size)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		err(EXIT_UNUSABLE, "open_memstream");
	page_print(r, NULL, out);
	if (fclose(out))
		errx(EXIT_UNUSABLE, "out of memory");
	check_output("a page", len, size);
	free(text);
	page_print(r, r, null);
}

static void try_relations(const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_relation_info *info;
	struct kmemtrace_query query = { .size = sizeof(query) };
	struct kmemtrace_relation *rows;
	size_t i;

	for (i = 0; (info = kmemtrace_get_relation_info(i)); i++) {
		query.relation = info->name;
		if (kmemtrace_relation_open(trace, &query, &rows, NULL))
			continue;
		relation_print_csv(rows, null);
		kmemtrace_relation_rewind(rows);
		relation_print_json(rows, info->is_single, null);
		kmemtrace_relation_close(rows);
	}
}

/* Read the trace in the folder of the input, with its cells. */
static void try_shown(uint64_t number, size_t size)
{
	struct kmemtrace_trace *trace;
	struct report r;
	char *text;

	if (kmemtrace_open(&trace, work, NULL))
		return;
	kmemtrace_set_cells(trace, true);
	choose_part(trace, number);
	if (!kmemtrace_read(trace)) {
		r = report_of(trace, NULL, number);
		try_page(&r, size);
		try_relations(trace);
		text = json_of(&r);
		check_output("a document", strlen(text), size);
		free(text);
	}
	kmemtrace_close(trace);
}

/* ---- a chain ---- */

static void copy_metadata(void)
{
	char path[4096], bytes[4096];
	FILE *from, *to;
	size_t len;

	snprintf(path, sizeof(path), "%s/metadata", work);
	from = fopen(path, "re");
	if (!from)
		return;
	to = create(before_dir, "metadata");
	len = fread(bytes, 1, sizeof(bytes), from);
	fwrite(bytes, 1, len, to);
	finish(to);
	fclose(from);
}

/* Make a trace of an event before all others, of the same machine. */
static void make_before(void)
{
	FILE *f = create(before_dir, "cpu0.out");

	fwrite(&(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_ALLOC,
		.type_id = KMEMTRACE_TYPE_KMALLOC,
		.event_size = sizeof(struct kmemtrace_event),
		.node = -1,
		.call_site = STEXT + 1,
		.ptr = 0x10000,
		.bytes_req = 8,
		.bytes_alloc = 8,
	}, sizeof(struct kmemtrace_event), 1, f);
	finish(f);
	copy_metadata();
}

/* Show what grew from that trace to the input. */
static void try_growth(uint64_t number)
{
	const struct report how = {
		.filters = filters, .limit = number % 16 + 1, .is_limited = number / 16 % 2,
		.group = group_keys, .style = &style_coloured,
	};
	char *paths[3] = { before_dir, work };
	const double times[] = { 0, (double)(number % 7), 10, 20 };
	const uint64_t values[] = { number % 5, number / 5 % 5, number / 25 % 5, number };
	const struct kmemtrace_progress progress = { .bytes = number, .size = number / 2 };
	char text[4096];
	struct growth g;

	memset(filters, 0, sizeof(filters));
	make_before();
	if (!growth_read(&g, &how, paths, number / 32 % 2, NULL)) {
		grown_text(&g, null);
		grown_print_json(&g, null);
		tables_print_csv(grown_tables, grown_tables->member, &g, null);
	}
	growth_free(&g);
	clear(before_dir);
	trend_fit(times, values, sizeof(values) / sizeof(*values));
	watch_text(text, &progress, number);
}

/* ---- exports ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Return the names of all relations, separated by commas. */
static const char *all_tables(void)
{
	const struct kmemtrace_relation_info *info;
	static char names[4096];
	size_t i, len = 0;

	for (i = 0; (info = kmemtrace_get_relation_info(i)); i++)
		len += snprintf(names + len, sizeof(names) - len, "%s%s", i ? "," : "", info->name);
	return names;
}

/* Export the trace in the folder of the input, in the format that a number chooses. */
static void try_export(uint64_t number)
{
	static const struct format * const formats[] = {
		&format_ctf, &format_parquet, &format_pprof, &format_speedscope,
	};
	const struct format *format = formats[number % 4];
	struct kmemtrace_trace *trace;
	struct export e = {
		.r = { .filters = filters, .style = &style_plain },
		.by_source = number / 4 % 2,
		.tables = all_tables(),
	};
	char path[4096];
	int ret;

	if (kmemtrace_open(&trace, work, NULL))
		return;
	snprintf(path, sizeof(path), "%s-output", work);
	e.path = path;
	e.r.trace = trace;
	choose_part(trace, number / 8);
	ret = format->begin ? format->begin(&e) : 0;
	if (!ret)
		ret = kmemtrace_read(trace);
	if (!ret) {
		reading_show(&e.r, trace);
		if (format->end(&e))
			errx(EXIT_FAILURE, "%s: failed", format->name);
	}
	if (format->free)
		format->free(&e);
	kmemtrace_close(trace);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- a stream ---- */

/* Check the trace of an input. */
static void try_check(const uint8_t *data, size_t size)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = "input",
	};
	FILE *in = fmemopen((void *)data, size, "r");
	struct kmemtrace_trace *trace;

	if (!in)
		err(EXIT_UNUSABLE, "fmemopen");
	if (!kmemtrace_open_stream(&trace, in, &options))
		check_trace(trace, NULL);
	kmemtrace_close(trace);
	fclose(in);
}

/* Read the trace of an input from a directory. */
static void try_dir(const uint8_t *data, size_t size, uint64_t number)
{
	FILE *in = fmemopen((void *)data, size, "r");
	struct context ctx = { .say = NULL };
	struct files *files;

	if (!in)
		err(EXIT_UNUSABLE, "fmemopen");
	if (!files_open_stream(&files, &ctx, in, "input", NULL)) {
		save_files(files, &ctx, work);
		try_library(false);
		try_library(true);
		try_export(number / 4096);
		try_shown(number / 4096, size);
		try_growth(number / 4096);
		clear(work);
	}
	files_put(files);
	fclose(in);
}

/* ---- a live view ---- */

/* Let the model take over a state. Return whether it could. */
static bool take(struct top *top, struct kmemtrace_trace *t)
{
	struct kmemtrace_field value;
	uint64_t live = 0;

	if (kmemtrace_update(t) != 1)
		return false;
	if (top_take(top, t))
		errx(EXIT_FAILURE, "kmemtrace-top can't show it");
	for (; kmemtrace_relation_next(top->rows); live += value.number)
		kmemtrace_relation_value(top->rows,
					 kmemtrace_relation_find(top->rows, "live_bytes"), &value);
	if (live != figure_of(t, top->space, "live_bytes"))
		errx(EXIT_FAILURE, "the rows of kmemtrace-top don't add up");
	return true;
}

static void draw(const struct top *top)
{
	static const struct key_help no_keys = { .name = NULL };
	struct picture pic = { .width = 80, .height = 24, .message = "", .keys = &no_keys };

	if (picture_make(&pic, top))
		errx(EXIT_UNUSABLE, "out of memory");
	picture_free(&pic);
}

/* Feed a stream in three pieces. */
static void try_live(const uint8_t *data, size_t size, uint64_t number)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = "input",
	};
	struct kmemtrace_trace *t;
	struct top top;
	size_t i, end, at = 0;

	if (kmemtrace_open_live(&t, &options))
		errx(EXIT_UNUSABLE, "out of memory");
	top_open(&top);
	top.space = number % NR_SPACES;
	top.group = top_group(number / NR_SPACES % 16) ?: top.group;
	top.sort = top_sort(number % 32) ?: top.sort;
	for (i = 1; i <= 3 && !kmemtrace_error(t); i++, at = end) {
		end = size * i / 3;
		if (!kmemtrace_feed(t, data + at, end - at) && take(&top, t))
			draw(&top);
	}
	if (!kmemtrace_feed_end(t) && take(&top, t))
		draw(&top);
	top_close(&top);
	kmemtrace_close(t);
}

static void try_stream(const uint8_t *data, size_t size, uint64_t number)
{
	try_check(data, size);
	try_live(data, size, number);
	try_report(data, size, number);
	try_arriving(data, size, number);
	if (!(number / 512 % 8))
		try_dir(data, size, number);
}

/* ---- a vmlinux ---- */

/* Write a trace with all call sites, each with live memory. */
static void make_sites(void)
{
	FILE *f;
	int i;

	sites_dir = make_dir();
	f = create(sites_dir, "kallsyms");
	fprintf(f, "%" PRIx64 " T _stext\n", STEXT);
	finish(f);
	f = create(sites_dir, "cpu0.out");
	for (i = 0; i < NR_SITES; i++)
		fwrite(&(struct kmemtrace_event) {
			.event_id = KMEMTRACE_EVENT_ALLOC,
			.type_id = KMEMTRACE_TYPE_KMALLOC,
			.event_size = sizeof(struct kmemtrace_event),
			.node = -1,
			.call_site = STEXT + 1 + i * SITE_STEP,
			.ptr = 0x10000 + 16 * i,
			.bytes_req = 8,
			.bytes_alloc = 8,
			.timestamp = 1000 + i,
		}, sizeof(struct kmemtrace_event), 1, f);
	finish(f);
	if (kmemtrace_open(&sites, sites_dir, NULL) || kmemtrace_read(sites))
		exit(EXIT_UNUSABLE);
	clear(sites_dir);
	rmdir(sites_dir);
}

static void try_vmlinux(const uint8_t *data, size_t size, uint64_t number)
{
	char path[4096];
	const struct source_files files = { .vmlinux = path, .is_needed = true };
	struct source *source;
	struct report r;
	FILE *f = create(work, "vmlinux");

	fwrite(data, 1, size, f);
	finish(f);
	snprintf(path, sizeof(path), "%s/vmlinux", work);
	if (!source_open_files(&source, &files, sites)) {
		memset(filters, 0, sizeof(filters));
		r = report_of(sites, source, number);
		show(&r);
		source_close(source);
	}
	unlink(path);
}

/* ---- entry points of the engine ---- */

/* libdw leaks memory of damaged files. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libdw.so";
}

/* FNV-1a */
static uint64_t hash_bytes(const uint8_t *data, size_t size)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (size--)
		hash = (hash ^ *data++) * UINT64_C(0x100000001b3);
	return hash_u64(hash) >> 16;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	null = fopen("/dev/null", "we");
	work = make_dir();
	before_dir = make_dir();
	if (!null)
		err(EXIT_UNUSABLE, "/dev/null");
	make_sites();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t number = hash_bytes(data, size);

	if (!size)
		return 0;
	if (*data == FUZZ_ELF)
		try_vmlinux(data, size, number);
	else
		try_stream(data, size, number);
	return 0;
}
