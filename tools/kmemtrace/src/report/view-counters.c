// SPDX-License-Identifier: GPL-2.0
/*
 * Views: the kernel's counters over time, what grew, call sites and slab caches.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "common/memory.h"
#include "common/text.h"
#include "report/format.h"
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

/**
 * struct valued - a row and the value that orders it
 * @row: its number
 * @value: the value
 */
struct valued {
	size_t row;
	double value;
};

/**
 * struct rows - some rows, in the order of a list
 * @r: the report
 * @list: the rows
 * @nr: how many
 */
struct rows {
	const struct report *r;
	struct valued *list;
	size_t nr;
};

static const struct kmemtrace_counter *row_at(const struct rows *rows, size_t i)
{
	return kmemtrace_get_counter(rows->r->trace, rows->list[i].row);
}

/* ---- lists of rows ---- */

typedef bool row_is_wanted(const struct kmemtrace_counter *c);
typedef double row_value(const struct report *r, const struct kmemtrace_counter *c);

static bool is_site(const struct kmemtrace_counter *c)
{
	return c->table == KMEMTRACE_COUNTER_SITE && !c->is_total;
}

static bool is_cache(const struct kmemtrace_counter *c)
{
	return c->table == KMEMTRACE_COUNTER_CACHE && !c->is_total;
}

/* Free memory may grow; only growth of what somebody allocated is worth a look. */
static bool is_growing(const struct kmemtrace_counter *c)
{
	return c->is_growing && (is_site(c) || is_cache(c));
}

static bool is_larger(const struct kmemtrace_counter *c)
{
	return c->value > c->first && (is_site(c) || is_cache(c));
}

static bool sorts_by(const struct report *r, const char *figure)
{
	return !strcmp(r->sort->name, figure);
}

/* --sort has more keys than counters have values. */
static double sorted_value(const struct report *r, const struct kmemtrace_counter *c)
{
	if (sorts_by(r, "peak_bytes"))
		return c->peak;
	return sorts_by(r, "allocs") ? c->count : c->value;
}

static double rate_of(const struct report *r, const struct kmemtrace_counter *c)
{
	(void)r;
	return c->per_hour;
}

static double change_of(const struct report *r, const struct kmemtrace_counter *c)
{
	(void)r;
	return (double)c->value - (double)c->first;
}

/* Rows of the same value keep their order. */
static int by_value(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static void rows_collect(struct rows *rows, const struct report *r, row_is_wanted *wanted,
			 row_value *value)
{
	const struct kmemtrace_counter *c;
	size_t i;

	*rows = (struct rows) { .r = r };
	for (i = 0; (c = kmemtrace_get_counter(r->trace, i)); i++) {
		if (!wanted(c))
			continue;
		rows->list = must_grow_list(rows->list, rows->nr, sizeof(*rows->list));
		rows->list[rows->nr++] = (struct valued) { i, value(r, c) };
	}
	if (rows->nr)
		qsort(rows->list, rows->nr, sizeof(*rows->list), by_value);
}

/* ---- charts ---- */

static uint64_t most_at(const struct report *r, size_t row, size_t step)
{
	uint64_t least, most = 0;

	kmemtrace_counter_step(r->trace, row, step, &least, &most);
	return most;
}

static void print_chart(const struct report *r, size_t row, unsigned int columns, FILE *out)
{
	size_t nr = kmemtrace_get_counters(r->trace)->nr_steps, i, step;
	uint64_t peak = kmemtrace_get_counter(r->trace, row)->peak, most, n;

	putc('|', out);
	for (i = 0; i < columns && nr; i++) {
		step = i * nr / columns;
		most = most_at(r, row, step);
		while (++step < (i + 1) * nr / columns) {
			n = most_at(r, row, step);
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

static double seconds_of(const struct kmemtrace_counters *c)
{
	return (double)((uint64_t)c->end - (uint64_t)c->begin) / 1e9;
}

/* Print how often and when the counters were read. */
void print_readings(const struct report *r, FILE *out)
{
	const struct kmemtrace_counters *c = kmemtrace_get_counters(r->trace);
	char length[FORMAT_LEN], date[32] = "an unknown time";
	time_t begin;
	struct tm tm;

	if (!c)
		return;
	begin = c->seconds;
	if (gmtime_r(&begin, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fprintf(out, "  counters %s readings in %s, from %s\n", NUMBER(c->readings),
		duration(length, seconds_of(c)), date);
}

static void print_charted(const struct report *r, size_t row, const char *name, FILE *out)
{
	const struct kmemtrace_counter *c = kmemtrace_get_counter(r->trace, row);

	fprintf(out, "  %-12s ", name);
	print_chart(r, row, COLUMNS, out);
	fprintf(out, " %6s %6s %6s\n", BYTES(c->peak), BYTES(c->first), BYTES(c->value));
}

static void print_totals(const struct report *r, FILE *out)
{
	static const char * const names[] = { "call sites", "slab objects" };
	const struct kmemtrace_counter *c;
	size_t i;

	for (i = 0; (c = kmemtrace_get_counter(r->trace, i)) && c->is_total; i++)
		if (c->peak)
			print_charted(r, i, names[c->table], out);
}

/* Return the number of a row of /proc/meminfo; @found: whether there is one. */
static size_t find_meminfo(const struct report *r, const char *name, bool *found)
{
	const struct kmemtrace_counter *c;
	size_t i;

	for (i = 0; (c = kmemtrace_get_counter(r->trace, i)); i++)
		if (c->table == KMEMTRACE_COUNTER_MEMINFO && !strcmp(c->name, name))
			break;
	*found = c;
	return i;
}

static void print_timeline(const struct report *r, size_t nr, FILE *out)
{
	const struct kmemtrace_counters *c = kmemtrace_get_counters(r->trace);
	char length[FORMAT_LEN], title[80];
	size_t i, row;
	bool found;

	if (!c->nr_steps)
		return;
	snprintf(title, sizeof(title), "Counters: %s, from zero to the peak",
		 duration(length, seconds_of(c)));
	print_title(r, out, "%-*s   peak  first    now", COLUMNS + 17, title);
	print_totals(r, out);
	for (i = 0; i < nr; i++) {
		row = find_meminfo(r, charted[i], &found);
		if (found)
			print_charted(r, row, charted[i], out);
	}
}

/* ---- rows as text ---- */

static void print_name(const struct kmemtrace_counter *c, FILE *out)
{
	text_print(c->name, out);
	if (c->module) {
		fprintf(out, " [");
		text_print(c->module, out);
		putc(']', out);
	}
	if (c->place) {
		fprintf(out, "  ");
		text_print(c->place, out);
	}
	if (is_cache(c))
		fprintf(out, "  (cache)");
	putc('\n', out);
}

/* Print what all lists have, and the name. */
static void print_row(const struct report *r, size_t row, FILE *out)
{
	const struct kmemtrace_counter *c = kmemtrace_get_counter(r->trace, row);

	fprintf(out, " %6s %7s ", BYTES(c->value), CHANGE(format_bytes, c->first, c->value));
	print_chart(r, row, ROW_COLUMNS, out);
	fprintf(out, "  ");
	print_name(c, out);
}

/* ---- the ends of a trace of events ---- */

/* The largest at either end. */
static double peak_of(const struct report *r, const struct kmemtrace_counter *c)
{
	(void)r;
	return c->peak;
}

/* Print what a row had at both ends. If kmemtraced was killed, there is one. */
static void print_ends_of(const struct report *r, const struct kmemtrace_counter *c, FILE *out)
{
	fprintf(out, "  %6s", BYTES(c->first));
	if (kmemtrace_get_counters(r->trace)->readings > 1)
		fprintf(out, " %6s %7s", BYTES(c->value),
			CHANGE(format_bytes, c->first, c->value));
	fprintf(out, "  ");
}

/* Print the sum of a table, and its largest rows. */
static void print_ends_of_table(const struct report *r, enum kmemtrace_counter_table table,
				const char *name, row_is_wanted *wanted, FILE *out)
{
	const struct kmemtrace_counter *total = kmemtrace_get_counter(r->trace, table);
	struct rows rows;
	size_t i;

	if (!total->peak)
		return;
	print_ends_of(r, total, out);
	fprintf(out, "%s\n", name);
	rows_collect(&rows, r, wanted, peak_of);
	for (i = 0; i < brief_limit(r, rows.nr, BRIEF_ROWS); i++) {
		print_ends_of(r, row_at(&rows, i), out);
		fprintf(out, "  ");
		print_name(row_at(&rows, i), out);
	}
	free(rows.list);
}

/* Print when the ends were read: kmemtraced may have begun later than the trace. */
static void print_ends_title(const struct report *r, bool is_twice, FILE *out)
{
	const struct kmemtrace_counters *c = kmemtrace_get_counters(r->trace);
	char begin[FORMAT_LEN], end[FORMAT_LEN];

	snprintf(begin, sizeof(begin), "%.3f s", (double)(int64_t)since(r, c->begin) / 1e9);
	snprintf(end, sizeof(end), "%.3f s", (double)(int64_t)since(r, c->end) / 1e9);
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
	const uint64_t readings = kmemtrace_get_counters(r->trace)->readings;
	size_t i, row;
	bool found;

	if (!readings)
		return;
	print_ends_title(r, readings > 1, out);
	print_ends_of_table(r, KMEMTRACE_COUNTER_CACHE, "slab objects", is_cache, out);
	print_ends_of_table(r, KMEMTRACE_COUNTER_SITE, "call sites", is_site, out);
	for (i = 0; i < nr_charted; i++) {
		row = find_meminfo(r, charted[i], &found);
		if (!found)
			continue;
		print_ends_of(r, kmemtrace_get_counter(r->trace, row), out);
		fprintf(out, "%s\n", charted[i]);
	}
}

/* Two readings make no chart. */
void counters_text(const struct report *r, FILE *out)
{
	const size_t nr = sizeof(charted) / sizeof(*charted);

	if (has_events(r))
		print_ends(r, nr, out);
	else
		print_timeline(r, nr, out);
}

/* The counters are those of all memory, whatever matches the filters. */
void counters_brief(const struct report *r, FILE *out)
{
	if (!has_events(r))
		print_timeline(r, BRIEF_CHARTED, out);
	else if (has_counters(r) && !is_filtered(r))
		print_ends(r, 0, out);
}

/* ---- lists as text ---- */

static const char *signed_rate(char *buf, double per_hour)
{
	return format_bytes(buf, per_hour < 1e18 ? (uint64_t)(per_hour + 0.5) : UINT64_MAX);
}

static void print_growing(const struct rows *rows, size_t i, FILE *out)
{
	const struct kmemtrace_counter *c = row_at(rows, i);
	char rate[FORMAT_LEN];

	fprintf(out, "  %8s %5s", signed_rate(rate, c->per_hour), c->falls ? "" : "never");
	print_row(rows->r, rows->list[i].row, out);
}

static void print_counted(const struct rows *rows, size_t i, FILE *out)
{
	const struct kmemtrace_counter *c = row_at(rows, i);

	fprintf(out, "  %11s %6s", NUMBER(c->count), BYTES(c->peak));
	print_row(rows->r, rows->list[i].row, out);
}

static void print_larger(const struct rows *rows, size_t i, FILE *out)
{
	print_row(rows->r, rows->list[i].row, out);
}

static void print_rows(const struct rows *rows, size_t limit,
		       void (*print)(const struct rows *rows, size_t i, FILE *out), FILE *out)
{
	size_t i;

	for (i = 0; i < rows->nr && i < limit; i++)
		print(rows, i, out);
}

/* Return how many call sites and slab caches there are. */
static size_t nr_watched(const struct report *r)
{
	const struct kmemtrace_counter *c;
	size_t i, nr = 0;

	for (i = 0; (c = kmemtrace_get_counter(r->trace, i)); i++)
		nr += is_site(c) || is_cache(c);
	return nr;
}

#define ROW_HEADING	"    now  change  %-18s call site or cache\n"

static void print_growth(const struct report *r, size_t usual, FILE *out)
{
	struct rows rows;

	rows_collect(&rows, r, is_growing, rate_of);
	print_title(r, out, "Growth: %s of %s call sites and slab caches grew all the time",
		    NUMBER(rows.nr), NUMBER(nr_watched(r)));
	if (rows.nr)
		fprintf(out, "  per hour  fell" ROW_HEADING, "");
	print_rows(&rows, brief_limit(r, rows.nr, usual), print_growing, out);
	free(rows.list);
}

static void print_change(const struct report *r, size_t usual, FILE *out)
{
	struct rows rows;

	rows_collect(&rows, r, is_larger, change_of);
	print_title(r, out, "Larger than in the first reading: %s of %s",
		    NUMBER(rows.nr), NUMBER(nr_watched(r)));
	if (rows.nr)
		fprintf(out, ROW_HEADING, "");
	print_rows(&rows, brief_limit(r, rows.nr, usual), print_larger, out);
	free(rows.list);
}

void growth_text(const struct report *r, FILE *out)
{
	print_growth(r, SIZE_MAX, out);
	print_change(r, SIZE_MAX, out);
}

void growth_brief(const struct report *r, FILE *out)
{
	print_growth(r, BRIEF_ROWS, out);
	print_change(r, BRIEF_ROWS, out);
}

static void print_table(const struct report *r, row_is_wanted *wanted, const char *title,
			const char *unit, size_t usual, FILE *out)
{
	struct rows rows;

	rows_collect(&rows, r, wanted, sorted_value);
	if (rows.nr) {
		print_title(r, out, "%s: %zu of %s, by %s", title,
			    brief_limit(r, rows.nr, usual), NUMBER(rows.nr),
			    sorts_by(r, "peak_bytes") ? "bytes live at the peak" :
			    sorts_by(r, "allocs") ? unit : "bytes live now");
		fprintf(out, "  %11s   peak" ROW_HEADING, unit, "");
	}
	print_rows(&rows, brief_limit(r, rows.nr, usual), print_counted, out);
	free(rows.list);
}

void allocinfo_text(const struct report *r, FILE *out)
{
	print_table(r, is_site, "Call sites", "allocations", SIZE_MAX, out);
}

void allocinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, is_site, "Call sites", "allocations", BRIEF_ROWS, out);
}

void slabinfo_text(const struct report *r, FILE *out)
{
	print_table(r, is_cache, "Slab caches", "objects", SIZE_MAX, out);
}

void slabinfo_brief(const struct report *r, FILE *out)
{
	print_table(r, is_cache, "Slab caches", "objects", BRIEF_ROWS, out);
}
