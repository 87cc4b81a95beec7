// SPDX-License-Identifier: GPL-2.0
/*
 * View: what grew over the traces of a chain.
 */
#include "config.h"

#include "common/text.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/text-table.h"
#include "report/view.h"

/* Columns of the chart of a row. */
#define COLUMNS		16

/* Incomplete traces that are named. */
#define MAX_NAMED	5

/* Return the name of the allocator or the table that a row belongs to. */
const char *growth_place(const struct growth_row *row)
{
	if (row->place == GROWTH_ALLOCINFO)
		return "allocinfo";
	return row->place == GROWTH_SLABINFO ? "slabinfo" : space_infos[row->place].name;
}

/* ---- the traces ---- */

static bool is_uncertain(const struct growth *g, size_t i)
{
	return g->chain.links[i].nr_doubts;
}

static bool has_no_baseline(const struct growth *g, size_t i)
{
	return g->chain.has_events && !g->chain.links[i].knows_older;
}

static size_t count_links(const struct growth *g, bool (*is)(const struct growth *g, size_t i))
{
	size_t i, nr = 0;

	for (i = 0; i < g->chain.nr; i++)
		nr += is(g, i);
	return nr;
}

static void print_link(const struct link *link, FILE *out)
{
	fprintf(out, "  ");
	text_print(link->path, out);
	if (link->nr_doubts) {
		fprintf(out, ": ");
		text_print(link->doubts[0], out);
	}
	if (link->nr_doubts > 1)
		fprintf(out, "; %zu more reasons", link->nr_doubts - 1);
	putc('\n', out);
}

/* Name the first traces of which something is true. */
static void print_links(const struct growth *g, bool (*is)(const struct growth *g, size_t i),
			const char *what, FILE *out)
{
	size_t nr = count_links(g, is), i, left = MAX_NAMED;

	if (!nr)
		return;
	fprintf(out, "%s%s: %zu of %zu traces%s\n", g->how->style->bad, what, nr, g->chain.nr,
		g->how->style->end);
	for (i = 0; i < g->chain.nr && left; i++) {
		if (!is(g, i))
			continue;
		print_link(&g->chain.links[i], out);
		left--;
	}
	if (nr > MAX_NAMED)
		fprintf(out, "  and %zu more\n", nr - MAX_NAMED);
}

/* Name the first traces that are left out. */
static void print_left_out(const struct growth *g, FILE *out)
{
	const struct chain *c = &g->chain;
	size_t i;

	if (!c->nr_left_out)
		return;
	fprintf(out, "%sleft out, since books.out is missing:", g->how->style->bad);
	for (i = 0; i < c->nr_left_out && i < MAX_NAMED; i++) {
		putc(' ', out);
		text_print(c->left_out[i], out);
	}
	if (i < c->nr_left_out)
		fprintf(out, " and %zu more", c->nr_left_out - i);
	fprintf(out, "%s\n", g->how->style->end);
}

/* Write a duration in hours, or in the unit that fits a shorter one. */
static const char *format_hours(char *buf, uint64_t ns)
{
	if (ns < UINT64_C(3600000000000))
		return format_time(buf, ns);
	snprintf(buf, FORMAT_LEN, "%.1f hours", (double)ns / 3600e9);
	return buf;
}

static void print_chain(const struct growth *g, FILE *out)
{
	const struct style *style = g->how->style;
	uint64_t span = chain_span(&g->chain), recorded = chain_recorded(&g->chain);
	char hours[FORMAT_LEN];

	fprintf(out, "%s%zu traces%s of one boot, %s, of which %s is recorded\n", style->title,
		g->chain.nr, style->end, format_hours(hours, span), PERCENT(recorded, span));
	if (g->chain.failed)
		fprintf(out, "%sunreadable: %zu of %zu directories%s\n", style->bad,
			g->chain.failed, g->chain.failed + g->chain.nr, style->end);
	print_left_out(g, out);
	print_links(g, is_uncertain, "INCOMPLETE", out);
	print_links(g, has_no_baseline, "without a baseline, so older memory is missing", out);
	if (g->nr_times < g->chain.nr)
		fprintf(out, "rates and chances are those of the ends of %zu traces\n",
			g->nr_times);
}

/* ---- the list ---- */

static void print_growth_chart(const struct growth *g, const struct growth_row *row, FILE *out)
{
	uint64_t most = 0;
	size_t i, at;

	for (i = row->start; i < g->nr_times; i++)
		if (row->bytes[i] > most)
			most = row->bytes[i];
	putc('|', out);
	/* The last value of each part; with fewer values than columns, some are repeated. */
	for (i = 1; i <= COLUMNS; i++) {
		at = (i * g->nr_times + COLUMNS - 1) / COLUMNS - 1;
		putc(at < row->start ? ' ' : format_level(row->bytes[at], most), out);
	}
	putc('|', out);
}

static const char *format_rate(char *buf, double rate)
{
	bool falls = rate < 0;

	buf[0] = '-';
	rate = (falls ? -rate : rate) + 0.5;
	format_bytes(buf + falls, rate < 1e18 ? (uint64_t)rate : UINT64_MAX);
	return buf;
}

static const char *format_chance(char *buf, double chance)
{
	if (chance < 0.0001)
		snprintf(buf, FORMAT_LEN, "<0.01%%");
	else
		snprintf(buf, FORMAT_LEN, "%.*f%%", chance < 0.01 ? 2 : 1, chance * 100);
	return buf;
}

static void print_grown(const struct growth *g, const struct growth_row *row, struct text_table *t)
{
	char rate[FORMAT_LEN + 1], chance[FORMAT_LEN];

	fputs(format_rate(rate, row->trend.slope), text_cell(t, 0, "per hour"));
	fputs(format_chance(chance, row->trend.chance), text_cell(t, 0, "by chance"));
	if (g->has_all)
		fputs(NUMBER(row->falls), text_cell(t, 0, "fell"));
	fputs(BYTES(row->last.bytes), text_cell(t, 6, "now"));
	fputs(CHANGE(format_bytes, row->first.bytes, row->last.bytes), text_cell(t, 6, "change"));
	fputs(CHANGE(format_number, row->first.objects, row->last.objects),
	      text_cell(t, 10, "objects"));
	print_growth_chart(g, row, text_cell(t, -1, ""));
	fputs(growth_place(row), text_cell(t, -1, "allocator"));
	fputs(row->name, text_cell(t, -1, g->chain.has_events ? g->how->group->column :
								"call site or cache"));
	text_line_end(t);
}

static void print_grown_list(const struct growth *g, FILE *out)
{
	struct report how = *g->how;
	struct text_table t = { .r = &how, .out = out };
	size_t i, nr = view_limit(&how, g->nr_listed);

	for (i = 0; i < g->chain.nr; i++)
		how.lost += g->chain.links[i].lost;
	print_title(&how, out, "Growth: %s of %s %s grew and never shrank", NUMBER(g->grew),
		    NUMBER(g->nr), g->chain.has_events ? how.group->rows :
							 "call sites and slab caches");
	fprintf(out, "  %s shrank at times, %s stayed the same\n", NUMBER(g->shrank),
		NUMBER(g->nr - g->grew - g->shrank));
	while (text_table_pass(&t))
		for (i = 0; i < nr; i++)
			print_grown(g, g->list[i], &t);
	if (nr && nr < g->nr_listed)
		fprintf(out, "  and %zu more\n", g->nr_listed - nr);
}

/* Print what grew. */
void grown_text(const struct growth *g, FILE *out)
{
	print_chain(g, out);
	print_grown_list(g, out);
}
