// SPDX-License-Identifier: GPL-2.0
/*
 * Views: lifetimes by call site, the pairs of call sites with the shortest ones, and those whose
 * memory is freed on another CPU.
 */
#include "config.h"

#include "report/format.h"
#include "report/groups.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* The steps of lifetimes: each column has what ended in all steps up to its own. */
static const struct {
	const char *column, *name;
} steps[] = {
	{ "ended_in_1us", "<1us" }, { "ended_in_10us", "<10us" }, { "ended_in_100us", "<100us" },
	{ "ended_in_1ms", "<1ms" }, { "ended_in_10ms", "<10ms" }, { "ended_in_100ms", "<100ms" },
	{ "ended_in_1s", "<1s" }, { "ended", "more" },
};

#define NR_STEPS	(sizeof(steps) / sizeof(*steps))

/* ---- lifetimes ---- */

/* Print the figures of lifetimes, and the part that ended in each step. */
static void print_lifetimes(struct text_table *t, struct kmemtrace_relation *row)
{
	const uint64_t ended = cell_number(row, "ended");
	uint64_t before = 0, until;
	size_t i;

	text_columns(t, row, "ended=freed,short_ratio=in 1 ms,mean_ns");
	for (i = 0; i < NR_STEPS; i++, before = until) {
		until = cell_number(row, steps[i].column);
		fputs(until > before ? PERCENT(until - before, ended) : "-",
		      text_cell(t, 6, steps[i].name));
	}
}

static void print_lifetime_totals(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "lifetime_totals");
	struct text_table t = { .r = r, .out = out };

	print_title(r, out, "Lifetimes of memory that was allocated and freed in the trace");
	while (text_table_next(&t, totals)) {
		if (!r->is_used[cell_number(totals, "allocator")])
			continue;
		text_columns(&t, totals, "allocs,allocator=");
		print_lifetimes(&t, totals);
		text_line_end(&t);
	}
	kmemtrace_relation_close(totals);
}

static void print_lifetime_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *sites = open_part(r, "lifetimes", WHERE(space, "ended>0"));
	const size_t nr = listed_rows(sites);
	struct text_table t = { .r = r, .out = out };

	if (kmemtrace_relation_rows(sites))
		print_title(r, out, "%s: lifetimes at %zu of %zu %s%s, by frees",
			    space_infos[space].title, view_limit(r, nr), nr,
			    group_of_sites(r)->rows, title_suffix(r));
	while (text_table_next(&t, sites)) {
		text_columns(&t, sites, "allocs");
		print_lifetimes(&t, sites);
		print_key(sites, text_cell(&t, -1, group_of_sites(r)->column));
		text_line_end(&t);
	}
	kmemtrace_relation_close(sites);
}

void lifetimes_text(const struct report *r, FILE *out)
{
	int i;

	print_lifetime_totals(r, out);
	for (i = 0; i < NR_SPACES; i++)
		print_lifetime_sites(r, i, out);
}

/* ---- pairs of call sites ---- */

/* Print the pairs of each allocator. @what they have, and in which @order they are */
static void print_pairs(const struct report *r, const char *member, const char *what,
			const char *order, const char *columns, FILE *out)
{
	struct kmemtrace_relation *pairs;
	size_t nr;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		pairs = open_part(r, member, WHERE(i, NULL));
		nr = kmemtrace_relation_rows(pairs);
		if (nr)
			print_title(r, out, "%s: %s, %zu of %zu pairs of %s%s%s",
				    space_infos[i].title, what, view_limit(r, nr), nr,
				    group_of_sites(r)->rows, title_suffix(r), order);
		relation_text(r, pairs, columns, "allocated at, freed at", out);
		kmemtrace_relation_close(pairs);
	}
}

void churn_text(const struct report *r, FILE *out)
{
	print_pairs(r, "churn", "churn", ", by lives of less than 1 ms",
		    "ended_in_1ms=short lives,short_ratio=ratio,freed_bytes,median_below_ns=median below,mean_ns",
		    out);
}

/* ---- frees on another CPU ---- */

static void print_cpu_pairs(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const uint64_t frees = total_figure(r, space, "frees");
	const uint64_t remote = total_figure(r, space, "remote_frees");
	struct kmemtrace_relation *pairs;
	size_t i;

	fprintf(out, "  %-6s %s of %s frees (%s)", space_infos[space].name, NUMBER(remote),
		NUMBER(frees), PERCENT(remote, frees));
	pairs = open_part(r, "cpu_pairs", WHERE(space, NULL));
	for (i = 0; kmemtrace_relation_next(pairs); i++)
		fprintf(out, "%s cpu%u->cpu%u %s", !i ? ":" : i % 4 ? "," : ",\n        ",
			(unsigned int)cell_number(pairs, "alloc_cpu"),
			(unsigned int)cell_number(pairs, "free_cpu"),
			NUMBER(cell_number(pairs, "remote_frees")));
	fputc('\n', out);
	kmemtrace_relation_close(pairs);
}

void cpus_text(const struct report *r, FILE *out)
{
	int i;

	if (kmemtrace_get_machine(r->trace)->nr_cpus < 2)
		return;
	print_title(r, out, "Remote: freed on another CPU than allocated");
	for (i = 0; i < NR_SPACES; i++)
		if (r->is_used[i])
			print_cpu_pairs(r, i, out);
	print_pairs(r, "remote", "freed on another CPU", "", "remote_frees,remote_ratio=ratio",
		    out);
}
