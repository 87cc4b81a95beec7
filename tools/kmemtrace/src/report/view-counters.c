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
	"MemFree", "MemAvailable", "Cached", "AnonPages", "Slab", "SUnreclaim",
	"KernelStack", "PageTables", "VmallocUsed", "Percpu",
};

/* Those of them that the overview has. */
#define BRIEF_CHARTED	5

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
	fprintf(out, "  counters %s readings in %s, from %s\n",
		NUMBER(cell_number(readings, "readings")), duration(length, seconds_of(readings)),
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
	bool is_found = false;
	char *text;

	kmemtrace_relation_rewind(meminfo);
	while (!is_found && kmemtrace_relation_next(meminfo)) {
		text = cell_text(meminfo, "name");
		is_found = !strcmp(text, name);
		free(text);
	}
	return is_found;
}

static void print_charted(const struct charts *charts, struct kmemtrace_relation *counter,
			  const char *name, FILE *out)
{
	fprintf(out, "  %-12s ", name);
	print_counter_chart(charts, counter, COLUMNS, out);
	fprintf(out, " %6s %6s %6s\n", BYTES(cell_number(counter, "peak")),
		BYTES(cell_number(counter, "first")), BYTES(cell_number(counter, "value")));
}

static void print_counter_timeline(const struct report *r, size_t nr, FILE *out)
{
	struct kmemtrace_relation *readings = open_readings(r);
	struct kmemtrace_relation *totals = relation_of(r, "counters", .where = "is_total=true");
	struct kmemtrace_relation *meminfo = relation_of(r, "counters", .where = "table=meminfo");
	const struct charts charts = charts_open(r);
	char length[FORMAT_LEN], title[80];
	size_t i;

	if (charts.nr_steps) {
		snprintf(title, sizeof(title), "Counters: %s, from zero to the peak",
			 duration(length, seconds_of(readings)));
		print_title(r, out, "%-*s   peak  first    now", COLUMNS + 17, title);
	}
	while (kmemtrace_relation_next(totals))
		if (cell_number(totals, "peak"))
			print_charted(&charts, totals,
				      is_cache(totals) ? "slab objects" : "call sites", out);
	for (i = 0; i < nr; i++)
		if (go_to_meminfo(meminfo, charted[i]))
			print_charted(&charts, meminfo, charted[i], out);
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
	fputs(is_cache(counter) ? "  (cache)\n" : "\n", out);
}

/* Print what all lists have, and the name. */
static void print_counter(const struct charts *charts, struct kmemtrace_relation *counter,
			  FILE *out)
{
	const uint64_t first = cell_number(counter, "first"), value = cell_number(counter, "value");

	fprintf(out, " %6s %7s ", BYTES(value), CHANGE(format_bytes, first, value));
	print_counter_chart(charts, counter, ROW_COLUMNS, out);
	fprintf(out, "  ");
	print_name_of_counter(counter, out);
}

/* ---- the ends of a trace of events ---- */

/* Print what a counter had at both ends. If kmemtraced was killed, there is one. */
static void print_ends_of(struct kmemtrace_relation *counter, bool is_twice, FILE *out)
{
	const uint64_t first = cell_number(counter, "first"), value = cell_number(counter, "value");

	fprintf(out, "  %6s", BYTES(first));
	if (is_twice)
		fprintf(out, " %6s %7s", BYTES(value), CHANGE(format_bytes, first, value));
	fprintf(out, "  ");
}

/* Print the sum of a table, and the largest counters. */
static void print_ends_of_table(const struct report *r, const char *sum, const char *name,
				const char *counters, bool is_twice, FILE *out)
{
	struct kmemtrace_relation *total = relation_of(r, "counters", .where = sum), *rows;

	kmemtrace_relation_next(total);
	if (cell_number(total, "peak")) {
		print_ends_of(total, is_twice, out);
		fprintf(out, "%s\n", name);
		rows = relation_of(r, "counters", .where = counters, .sort = "peak",
				   .limit = brief_limit(r, SIZE_MAX, BRIEF_ROWS));
		while (kmemtrace_relation_next(rows)) {
			print_ends_of(rows, is_twice, out);
			fprintf(out, "  ");
			print_name_of_counter(rows, out);
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
	fprintf(out, "   begin%s\n", is_twice ? "    end  change" :
					 "  (those of the end are missing)");
}

static void print_ends(const struct report *r, size_t nr_charted, FILE *out)
{
	struct kmemtrace_relation *readings = open_readings(r), *meminfo;
	const uint64_t nr = cell_number(readings, "readings");
	size_t i;

	if (nr) {
		print_ends_title(r, readings, nr > 1, out);
		print_ends_of_table(r, "table=slabinfo,is_total=true", "slab objects", CACHES,
				    nr > 1, out);
		print_ends_of_table(r, "table=allocinfo,is_total=true", "call sites", SITES,
				    nr > 1, out);
		meminfo = relation_of(r, "counters", .where = "table=meminfo");
		for (i = 0; i < nr_charted; i++) {
			if (!go_to_meminfo(meminfo, charted[i]))
				continue;
			print_ends_of(meminfo, nr > 1, out);
			fprintf(out, "%s\n", charted[i]);
		}
		kmemtrace_relation_close(meminfo);
	}
	kmemtrace_relation_close(readings);
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
	else if (has_counters(r) && !is_filtered(r))
		print_ends(r, 0, out);
}

/* ---- lists as text ---- */

static void print_growing(struct kmemtrace_relation *counter, FILE *out)
{
	fprintf(out, "  %8s %5s", BYTES(cell_number(counter, "per_hour")),
		cell_number(counter, "falls") ? "" : "never");
}

static void print_counted(struct kmemtrace_relation *counter, FILE *out)
{
	fprintf(out, "  %11s %6s", NUMBER(cell_number(counter, "count")),
		BYTES(cell_number(counter, "peak")));
}

/* Print the first counters of a relation; @print: what precedes, or NULL. */
static void print_counters(const struct report *r, struct kmemtrace_relation *counters,
			   size_t limit,
			   void (*print)(struct kmemtrace_relation *counter, FILE *out), FILE *out)
{
	const struct charts charts = charts_open(r);

	while (limit-- && kmemtrace_relation_next(counters)) {
		if (print)
			print(counters, out);
		print_counter(&charts, counters, out);
	}
	kmemtrace_relation_close(charts.steps);
	kmemtrace_relation_close(counters);
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

#define ROW_HEADING	"    now  change  %-18s call site or cache\n"

/* Free memory may grow; only growth of what somebody allocated is worth a look. */
static void print_growth(const struct report *r, size_t usual, FILE *out)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = COUNTERS_OF_MEMORY ",is_growing=true",
			    .sort = "per_hour");
	const size_t nr = kmemtrace_relation_rows(counters);

	print_title(r, out, "Growth: %s of %s call sites and slab caches grew all the time",
		    NUMBER(nr), NUMBER(nr_watched(r)));
	if (nr)
		fprintf(out, "  per hour  fell" ROW_HEADING, "");
	print_counters(r, counters, brief_limit(r, nr, usual), print_growing, out);
}

static void print_counter_change(const struct report *r, size_t usual, FILE *out)
{
	struct kmemtrace_relation *counters =
		relation_of(r, "counters", .where = COUNTERS_OF_MEMORY ",change>0",
			    .sort = "change");
	const size_t nr = kmemtrace_relation_rows(counters);

	print_title(r, out, "Larger than in the first reading: %s of %s", NUMBER(nr),
		    NUMBER(nr_watched(r)));
	if (nr)
		fprintf(out, ROW_HEADING, "");
	print_counters(r, counters, brief_limit(r, nr, usual), NULL, out);
}

void growth_text(const struct report *r, FILE *out)
{
	print_growth(r, SIZE_MAX, out);
	print_counter_change(r, SIZE_MAX, out);
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
				    sorts_by(r, "allocs") ? "count" : "value");
	const size_t nr = kmemtrace_relation_rows(counters);

	if (nr) {
		print_title(r, out, "%s: %zu of %s, by %s", title, brief_limit(r, nr, usual),
			    NUMBER(nr), sorts_by(r, "peak_bytes") ? "bytes live at the peak" :
					sorts_by(r, "allocs") ? unit : "bytes live now");
		fprintf(out, "  %11s   peak" ROW_HEADING, unit, "");
	}
	print_counters(r, counters, brief_limit(r, nr, usual), print_counted, out);
}

void allocinfo_text(const struct report *r, FILE *out)
{
	print_table(r, SITES, "Call sites", "allocations", SIZE_MAX, out);
}

void allocinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, SITES, "Call sites", "allocations", BRIEF_ROWS, out);
}

void slabinfo_text(const struct report *r, FILE *out)
{
	print_table(r, CACHES, "Slab caches", "objects", SIZE_MAX, out);
}

void slabinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, CACHES, "Slab caches", "objects", BRIEF_ROWS, out);
}
