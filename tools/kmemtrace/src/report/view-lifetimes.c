// SPDX-License-Identifier: GPL-2.0
/*
 * Views: lifetimes by call site, and the pairs of call sites with the shortest ones.
 */
#include "config.h"

#include "report/format.h"
#include "report/groups.h"
#include "report/spans.h"
#include "report/view.h"

static const char * const step_names[KMEMTRACE_LIFETIME_STEPS] = {
	"<1us", "<10us", "<100us", "<1ms", "<10ms", "<100ms", "<1s", "more",
};

/* Return the allocations; or the lifetimes, if there are more: blocks are freed in parts. */
static uint64_t nr_begun(const struct kmemtrace_lifetime *sum, uint64_t allocs)
{
	uint64_t ended = span_ended(sum);

	return allocs > ended ? allocs : ended;
}

/* ---- lifetimes ---- */

static void print_heading(FILE *out, const char *first)
{
	unsigned int i;

	fprintf(out, "%s      freed in 1 ms    mean", first);
	for (i = 0; i < KMEMTRACE_LIFETIME_STEPS; i++)
		fprintf(out, " %6s", step_names[i]);
}

static void print_steps(const struct kmemtrace_lifetime *sum, uint64_t allocs, FILE *out)
{
	uint64_t ended = span_ended(sum);
	unsigned int i;

	fprintf(out, "%11s %7s %7s", NUMBER(ended),
		PERCENT(span_short(sum), nr_begun(sum, allocs)),
		TIME(span_mean(sum)));
	for (i = 0; i < KMEMTRACE_LIFETIME_STEPS; i++)
		fprintf(out, " %6s", sum->ended[i] ?
			PERCENT(sum->ended[i], ended) : "-");
}

static void print_spaces(const struct report *r, const struct spans *all, FILE *out)
{
	uint64_t allocs;
	int i;

	print_title(r, out, "Lifetimes of memory that was allocated and freed in the trace");
	print_heading(out, "  allocations        ");
	fputc('\n', out);
	for (i = 0; i < NR_SPACES; i++) {
		if (!space_is_used(r, i))
			continue;
		allocs = kmemtrace_total(r->trace, i)->allocs;
		fprintf(out, "%13s  %-7s", NUMBER(allocs), space_infos[i].name);
		print_steps(&all[i].sum, allocs, out);
		fputc('\n', out);
	}
}

static void print_sites(const struct report *r, enum kmemtrace_space space,
			const struct spans *s, FILE *out)
{
	size_t i;

	if (!s->nr)
		return;
	print_title(r, out, "%s: lifetimes at %zu of %zu %s%s, by frees",
		    space_infos[space].title, view_limit(r, s->nr), s->nr,
		    group_of_sites(r)->rows, title_suffix(r));
	print_heading(out, "  allocations");
	fprintf(out, "  %s\n", group_of_sites(r)->column);
	for (i = 0; i < view_limit(r, s->nr); i++) {
		const struct span *span = &s->list[i];

		fprintf(out, "%13s", NUMBER(span->allocs));
		print_steps(&span->sum, span->allocs, out);
		fprintf(out, "  ");
		print_span_site(r, span, out);
	}
}

void lifetimes_text(const struct report *r, FILE *out)
{
	struct spans all[NR_SPACES];
	int i;

	for (i = 0; i < NR_SPACES; i++)
		spans_collect(&all[i], r, i, false, span_ended);
	print_spaces(r, all, out);
	for (i = 0; i < NR_SPACES; i++) {
		print_sites(r, i, &all[i], out);
		spans_free(&all[i]);
	}
}

/* ---- churn ---- */

static void print_pair(const struct report *r, const struct span *pair, FILE *out)
{
	fprintf(out, "  %11s %6s %9s %7s %7s  ", NUMBER(span_short(&pair->sum)),
		PERCENT(span_short(&pair->sum), span_ended(&pair->sum)),
		BYTES(pair->sum.bytes), step_names[span_median(&pair->sum)],
		TIME(span_mean(&pair->sum)));
	print_span(r, pair, out);
}

static void print_pairs(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct spans s;
	size_t i, nr = 0;

	spans_collect(&s, r, space, true, span_short);
	while (nr < s.nr && span_short(&s.list[nr].sum))
		nr++;
	if (nr) {
		print_title(r, out, "%s: churn, %zu of %zu pairs of %s%s, by lives of less than 1 ms",
			    space_infos[space].title, view_limit(r, nr), nr,
			    group_of_sites(r)->rows, title_suffix(r));
		fprintf(out, "  short lives  ratio all bytes  median    mean  allocated at, freed at\n");
	}
	for (i = 0; i < view_limit(r, nr); i++)
		print_pair(r, &s.list[i], out);
	spans_free(&s);
}

void churn_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_pairs(r, i, out);
}
