// SPDX-License-Identifier: GPL-2.0
/*
 * Views: the kernel's counters over time, what grew, call sites and slab caches.
 */
#include "config.h"

#include <string.h>
#include <time.h>

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Columns of the chart of everything, and of that of a row. */
#define COLUMNS		46
#define ROW_COLUMNS	16

/* Rows of the overview. */
#define BRIEF_ROWS	5

/* The counters of /proc/meminfo that tell about the kernel's memory. */
static const char * const charted[] = {
	"MemFree", "MemAvailable", "Cached", "AnonPages", "Slab", "Unaccounted", "SUnreclaim",
	"KernelStack", "PageTables", "VmallocUsed", "Percpu",
};

/* Those of them that the overview has. */
#define BRIEF_CHARTED	6

#define SITES	"table=allocinfo,is_total=false"
#define CACHES	"table=slabinfo,is_total=false"

/* Return the relation readings at its row. */
static struct kmemtrace_relation *open_readings(const struct report *r)
{
	struct kmemtrace_relation *readings = relation_of(r, "readings");

	kmemtrace_relation_next(readings);
	return readings;
}

/* ---- charts ---- */

/**
 * struct charts - what the charts of counters are made of
 * @steps: the relation counter_steps: all steps of each counter, in the order of the kernel
 * @nr_steps: steps of each
 */
struct charts {
	struct kmemtrace_relation *steps;
	size_t nr_steps;
};

static struct charts charts_open(const struct report *r)
{
	struct kmemtrace_relation *readings = open_readings(r);
	const struct charts charts = {
		.steps = relation_of(r, "counter_steps"),
		.nr_steps = cell_number(readings, "steps"),
	};

	kmemtrace_relation_close(readings);
	return charts;
}

static uint64_t most_at(const struct charts *charts, uint64_t number, size_t step)
{
	kmemtrace_relation_go(charts->steps, number * charts->nr_steps + step);
	return cell_number(charts->steps, "most");
}

static void print_counter_chart(const struct charts *charts, struct kmemtrace_relation *counter,
				unsigned int columns, FILE *out)
{
	const uint64_t number = cell_number(counter, "number"), peak = cell_number(counter, "peak");
	const size_t nr = charts->nr_steps;
	uint64_t most, n;
	size_t i, step;

	putc('|', out);
	for (i = 0; i < columns && nr; i++) {
		step = i * nr / columns;
		most = most_at(charts, number, step);
		while (++step < (i + 1) * nr / columns) {
			n = most_at(charts, number, step);
			if (n > most)
				most = n;
		}
		putc(format_level(most, peak), out);
	}
	putc('|', out);
}

/* Write a duration in the unit that fits. */
static const char *duration(char *buf, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {
		{ 2 * 86400, "days" }, { 2 * 3600, "hours" }, { 120, "minutes" }, { 0, "seconds" },
	};
	static const double length[] = { 86400, 3600, 60, 1 };
	size_t i = 0;

	while (seconds < units[i].seconds)
		i++;
	snprintf(buf, FORMAT_LEN, "%.1f %s", seconds / length[i], units[i].name);
	return buf;
}

static double seconds_of(struct kmemtrace_relation *readings)
{
	return (double)cell_number(readings, "last_ns") / 1e9;
}

/* Print how often and when the counters were read. */
void print_readings(const struct report *r, FILE *out)
{
	char length[FORMAT_LEN], date[32] = "an unknown time";
	struct kmemtrace_relation *readings;
	time_t begin;
	struct tm tm;

	if (!has_counters(r))
		return;
	readings = open_readings(r);
	begin = cell_number(readings, "seconds");
	if (gmtime_r(&begin, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fprintf(out, "  counters %s in %s, from %s\n",
		COUNT(cell_number(readings, "readings"), "reading", "readings"),
		duration(length, seconds_of(readings)),
		date);
	kmemtrace_relation_close(readings);
}

static bool is_cache(struct kmemtrace_relation *counter)
{
	return has_cell(counter, "object_size");
}

/* Go to a row of /proc/meminfo. Return false: there is none. */
static bool go_to_meminfo(struct kmemtrace_relation *meminfo, const char *name)
{
	const char *text;

	kmemtrace_relation_rewind(meminfo);
	while (kmemtrace_relation_next(meminfo)) {
		text = cell_text(meminfo, "name");
		if (text && !strcmp(text, name))
			return true;
	}
	return false;
}

static void print_charted(const struct charts *charts, struct kmemtrace_relation *counter,
			  const char *name, const char *title, struct text_table *t)
{
	fputs(name, text_cell(t, -12, title));
	print_counter_chart(charts, counter, COLUMNS, text_cell(t, -1, ""));
	text_columns(t, counter, "peak~,first~,value~=now");
	text_line_end(t);
}

static void print_counter_timeline(const struct report *r, size_t nr, FILE *out)
{
	struct kmemtrace_relation *readings = open_readings(r);
	struct kmemtrace_relation *totals = relation_of(r, "counters", .where = "is_total=true");
	struct kmemtrace_relation *meminfo = relation_of(r, "counters", .where = "table=meminfo");
	const struct charts charts = charts_open(r);
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	char length[FORMAT_LEN], title[80];
	size_t i;

	snprintf(title, sizeof(title), "Counters: %s, from zero to the peak",
		 duration(length, seconds_of(readings)));
	while (text_table_pass(&t)) {
		kmemtrace_relation_rewind(totals);
		while (kmemtrace_relation_next(totals))
			if (cell_number(totals, "peak"))
				print_charted(&charts, totals, is_cache(totals) ?
					      "slab objects" : "call sites", title, &t);
		for (i = 0; i < nr; i++)
			if (go_to_meminfo(meminfo, charted[i]))
				print_charted(&charts, meminfo, charted[i], title, &t);
	}
	kmemtrace_relation_close(charts.steps);
	kmemtrace_relation_close(meminfo);
	kmemtrace_relation_close(totals);
	kmemtrace_relation_close(readings);
}

/* ---- rows as text ---- */

/* Print the name of a counter, and of a call site its module and its place. */
void print_counter_name(struct kmemtrace_relation *counter, const char *before_place, FILE *out)
{
	print_cell(counter, "name", out);
	if (has_cell(counter, "module")) {
		fprintf(out, " [");
		print_cell(counter, "module", out);
		putc(']', out);
	}
	if (has_cell(counter, "place")) {
		fputs(before_place, out);
		print_cell(counter, "place", out);
	}
}

static void print_name_of_counter(struct kmemtrace_relation *counter, FILE *out)
{
	print_counter_name(counter, "  ", out);
	fputs(is_cache(counter) ? "  (cache)" : "", out);
}

/* ---- the ends of a trace of events ---- */

/* Print what a counter had at both ends. If kmemtraced was killed, there is one. */
static void print_ends_of(struct text_table *t, struct kmemtrace_relation *counter, bool is_twice,
			  const char *name)
{
	text_columns(t, counter, is_twice ? "first~=begin,value~=end,change~" : "first~=begin");
	fputs(name, text_cell(t, -1, is_twice ? "" : "(those of the end are missing)"));
}

/* Print the sum of a table, and the largest counters. */
static void print_ends_of_table(struct text_table *t, bool is_twice, const char *name,
				const char *sum, const char *counters)
{
	struct kmemtrace_relation *total = relation_of(t->r, "counters", .where = sum), *rows;

	kmemtrace_relation_next(total);
	if (cell_number(total, "peak")) {
		print_ends_of(t, total, is_twice, name);
		text_line_end(t);
		rows = relation_of(t->r, "counters", .where = counters, .sort = "peak",
				   .limit = brief_limit(t->r, SIZE_MAX, BRIEF_ROWS));
		while (kmemtrace_relation_next(rows)) {
			print_ends_of(t, rows, is_twice, "  ");
			print_name_of_counter(rows, t->cell);
			text_line_end(t);
		}
		kmemtrace_relation_close(rows);
	}
	kmemtrace_relation_close(total);
}

/* Print when the ends were read: kmemtraced may have begun later than the trace. */
static void print_ends_title(const struct report *r, struct kmemtrace_relation *readings,
			     bool is_twice, FILE *out)
{
	const int64_t first = since(r, cell_number(readings, "origin_ns"));
	const int64_t last = first + cell_number(readings, "last_ns");
	char begin[FORMAT_LEN], end[FORMAT_LEN];

	snprintf(begin, sizeof(begin), "%.3f s", (double)first / 1e9);
	snprintf(end, sizeof(end), "%.3f s", (double)last / 1e9);
	if (!r->sum->events)
		print_title(r, out, "Counters of the kernel");
	else
		print_title(r, out, "Counters of the kernel, %s%s%s after the first event", begin,
			    is_twice ? " and " : "", is_twice ? end : "");
}

static void print_ends(const struct report *r, size_t nr_charted, FILE *out)
{
	struct kmemtrace_relation *readings = open_readings(r);
	struct kmemtrace_relation *meminfo = relation_of(r, "counters", .where = "table=meminfo");
	const uint64_t nr = cell_number(readings, "readings");
	struct text_table t = { .r = r, .out = out };
	size_t i;

	if (nr)
		print_ends_title(r, readings, nr > 1, out);
	while (text_table_pass(&t)) {
		print_ends_of_table(&t, nr > 1, "slab objects", "table=slabinfo,is_total=true",
				    CACHES);
		print_ends_of_table(&t, nr > 1, "call sites", "table=allocinfo,is_total=true", SITES);
		for (i = 0; i < nr_charted; i++) {
			if (!go_to_meminfo(meminfo, charted[i]))
				continue;
			print_ends_of(&t, meminfo, nr > 1, charted[i]);
			text_line_end(&t);
		}
	}
	kmemtrace_relation_close(meminfo);
	kmemtrace_relation_close(readings);
}

/* Return how many call sites and slab caches there are. */
static size_t nr_watched(const struct report *r)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = COUNTERS_OF_MEMORY);
	const size_t nr = kmemtrace_relation_rows(counters);

	kmemtrace_relation_close(counters);
	return nr;
}

/* Return whether the trace has more of the kernel's counters than sums. */
bool has_watched(const struct report *r)
{
	return has_counters(r) && nr_watched(r);
}

/* Two readings make no chart. */
void counters_text(const struct report *r, FILE *out)
{
	const size_t all = sizeof(charted) / sizeof(*charted), nr = brief_limit(r, all, all);

	if (has_events(r))
		print_ends(r, nr, out);
	else
		print_counter_timeline(r, nr, out);
}

/* The counters are those of all memory, whatever matches the filters. */
void counters_brief(const struct report *r, FILE *out)
{
	if (!has_events(r))
		print_counter_timeline(r, BRIEF_CHARTED, out);
	else if (has_watched(r) && !is_filtered(r))
		print_ends(r, 0, out);
}

/* ---- lists as text ---- */

/* Print the first counters of a relation, and close it. */
static void print_counters(const struct report *r, struct kmemtrace_relation *counters,
			   const char *columns, FILE *out)
{
	const struct charts charts = charts_open(r);
	struct text_table t = { .r = r, .out = out };

	while (text_table_next(&t, counters)) {
		text_columns(&t, counters, columns);
		print_counter_chart(&charts, counters, ROW_COLUMNS, text_cell(&t, -1, ""));
		print_name_of_counter(counters, text_cell(&t, -1, "call site or cache"));
		text_line_end(&t);
	}
	kmemtrace_relation_close(charts.steps);
	kmemtrace_relation_close(counters);
}

/* The columns that all lists have. */
#define CHANGE_COLUMNS	"value~=now,change~"

/* Free memory may grow; only growth of what somebody allocated is worth a look. */
static void print_growth(const struct report *r, size_t usual, FILE *out)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = COUNTERS_OF_MEMORY ",is_growing=true",
			    .sort = "per_hour", .limit = brief_limit(r, SIZE_MAX, usual));
	const size_t nr = kmemtrace_relation_rows(counters);

	print_title(r, out, "Growth: %s of %s call sites and slab caches grew all the time",
		    NUMBER(nr), NUMBER(nr_watched(r)));
	print_counters(r, counters, "per_hour~,falls=fell," CHANGE_COLUMNS, out);
}

static void print_counter_change(const struct report *r, size_t usual, FILE *out)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = COUNTERS_OF_MEMORY ",change>0",
			    .sort = "change", .limit = brief_limit(r, SIZE_MAX, usual));
	const size_t nr = kmemtrace_relation_rows(counters);

	print_title(r, out, "Larger than in the first reading: %s of %s", NUMBER(nr),
		    NUMBER(nr_watched(r)));
	print_counters(r, counters, CHANGE_COLUMNS, out);
}

void growth_text(const struct report *r, FILE *out)
{
	print_growth(r, r->limit, out);
	print_counter_change(r, r->limit, out);
}

void growth_brief(const struct report *r, FILE *out)
{
	print_growth(r, BRIEF_ROWS, out);
	print_counter_change(r, BRIEF_ROWS, out);
}

static bool sorts_by(const struct report *r, const char *figure)
{
	return !strcmp(r->sort->name, figure);
}

/* --sort has more keys than counters have values. */
static void print_table(const struct report *r, const char *where, const char *title,
			const char *unit, size_t usual, FILE *out)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = where,
			    .sort = sorts_by(r, "peak_bytes") ? "peak" :
				    sorts_by(r, "allocs") ? "count" : "value",
			    .limit = brief_limit(r, SIZE_MAX, usual));
	const size_t nr = kmemtrace_relation_rows(counters);
	char columns[64];

	if (nr)
		print_title(r, out, "%s: %zu of %s, by %s", title, brief_limit(r, nr, usual),
			    NUMBER(nr), sorts_by(r, "peak_bytes") ? "bytes live at the peak" :
					sorts_by(r, "allocs") ? unit : "bytes live now");
	snprintf(columns, sizeof(columns), "count=%s,peak~," CHANGE_COLUMNS, unit);
	print_counters(r, counters, columns, out);
}

void allocinfo_text(const struct report *r, FILE *out)
{
	print_table(r, SITES, "Call sites", "allocations", r->limit, out);
}

void allocinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, SITES, "Call sites", "allocations", BRIEF_ROWS, out);
}

void slabinfo_text(const struct report *r, FILE *out)
{
	print_table(r, CACHES, "Slab caches", "objects", r->limit, out);
}

void slabinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, CACHES, "Slab caches", "objects", BRIEF_ROWS, out);
}
