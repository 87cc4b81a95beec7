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

static void print_lifetime_heading(FILE *out, const char *first)
{
	size_t i;

	fprintf(out, "%s      freed in 1 ms    mean", first);
	for (i = 0; i < NR_STEPS; i++)
		fprintf(out, " %6s", steps[i].name);
}

static void print_steps(struct kmemtrace_relation *row, FILE *out)
{
	const uint64_t ended = cell_number(row, "ended"), allocs = cell_number(row, "allocs");
	uint64_t before = 0, until;
	size_t i;

	/* There are more lifetimes than allocations where blocks are freed in parts. */
	fprintf(out, "%11s %7s %7s", NUMBER(ended),
		PERCENT(cell_number(row, "ended_in_1ms"), allocs > ended ? allocs : ended),
		TIME(cell_number(row, "mean_ns")));
	for (i = 0; i < NR_STEPS; i++, before = until) {
		until = cell_number(row, steps[i].column);
		fprintf(out, " %6s", until > before ? PERCENT(until - before, ended) : "-");
	}
}

static void print_lifetime_totals(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "lifetime_totals");

	print_title(r, out, "Lifetimes of memory that was allocated and freed in the trace");
	print_lifetime_heading(out, "  allocations        ");
	fputc('\n', out);
	while (kmemtrace_relation_next(totals)) {
		if (!r->is_used[cell_number(totals, "allocator")])
			continue;
		fprintf(out, "%13s  %-7s", NUMBER(cell_number(totals, "allocs")),
			space_infos[cell_number(totals, "allocator")].name);
		print_steps(totals, out);
		fputc('\n', out);
	}
	kmemtrace_relation_close(totals);
}

static void print_lifetime_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *sites = open_part(r, "lifetimes", WHERE(space, "ended>0"));
	const size_t nr = kmemtrace_relation_rows(sites);

	if (nr) {
		print_title(r, out, "%s: lifetimes at %zu of %zu %s%s, by frees",
			    space_infos[space].title, view_limit(r, nr), nr,
			    group_of_sites(r)->rows, title_suffix(r));
		print_lifetime_heading(out, "  allocations");
		fprintf(out, "  %s\n", group_of_sites(r)->column);
	}
	while (kmemtrace_relation_next(sites)) {
		fprintf(out, "%13s", NUMBER(cell_number(sites, "allocs")));
		print_steps(sites, out);
		fputs("  ", out);
		print_key(sites, out);
		fputc('\n', out);
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

/* ---- churn ---- */

/* Return the name of the step of the median. */
static const char *median_of(struct kmemtrace_relation *pair)
{
	const uint64_t ended = cell_number(pair, "ended");
	size_t i;

	for (i = 0; i + 1 < NR_STEPS; i++)
		if (cell_number(pair, steps[i].column) >= ended - ended / 2)
			break;
	return steps[i].name;
}

static void print_pairs(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *pairs = open_part(r, "churn", WHERE(space, NULL));
	const size_t nr = kmemtrace_relation_rows(pairs);

	if (nr) {
		print_title(r, out, "%s: churn, %zu of %zu pairs of %s%s, by lives of less than 1 ms",
			    space_infos[space].title, view_limit(r, nr), nr,
			    group_of_sites(r)->rows, title_suffix(r));
		fprintf(out, "  short lives  ratio all bytes  median    mean  allocated at, freed at\n");
	}
	while (kmemtrace_relation_next(pairs)) {
		fprintf(out, "  %11s %6s", NUMBER(cell_number(pairs, "ended_in_1ms")),
			PERCENT(cell_number(pairs, "ended_in_1ms"), cell_number(pairs, "ended")));
		print_column(r, pairs, "freed_bytes", 9, out);
		fprintf(out, " %7s", median_of(pairs));
		print_column(r, pairs, "mean_ns", 7, out);
		fputs("  ", out);
		print_keys(pairs, out);
		fputc('\n', out);
	}
	kmemtrace_relation_close(pairs);
}

void churn_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_pairs(r, i, out);
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

/* Print the pairs of call sites with the most such frees. */
static void print_remote(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *pairs = open_part(r, "remote", WHERE(space, NULL));
	const size_t nr = kmemtrace_relation_rows(pairs);

	if (nr) {
		print_title(r, out, "%s: freed on another CPU, %zu of %zu pairs of %s%s",
			    space_infos[space].title, view_limit(r, nr), nr,
			    group_of_sites(r)->rows, title_suffix(r));
		fprintf(out, "       remote  ratio  allocated at, freed at\n");
	}
	while (kmemtrace_relation_next(pairs)) {
		fprintf(out, "  %11s %6s  ", NUMBER(cell_number(pairs, "remote_frees")),
			PERCENT(cell_number(pairs, "remote_frees"), cell_number(pairs, "ended")));
		print_keys(pairs, out);
		fputc('\n', out);
	}
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
	for (i = 0; i < NR_SPACES; i++)
		print_remote(r, i, out);
}
