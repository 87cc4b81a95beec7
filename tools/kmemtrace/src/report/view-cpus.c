// SPDX-License-Identifier: GPL-2.0
/*
 * View: memory that was freed on another CPU than it was allocated on.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/spans.h"
#include "report/view.h"

/**
 * struct pairs - pairs of CPUs
 * @list: those with the most frees first
 * @nr: entries of @list
 */
struct pairs {
	const struct kmemtrace_cpu_pair **list;
	size_t nr;
};

static int by_frees(const void *a, const void *b)
{
	const struct kmemtrace_cpu_pair *x = *(const struct kmemtrace_cpu_pair * const *)a;
	const struct kmemtrace_cpu_pair *y = *(const struct kmemtrace_cpu_pair * const *)b;

	if (x->frees != y->frees)
		return x->frees > y->frees ? -1 : 1;
	if (x->alloc_cpu != y->alloc_cpu)
		return x->alloc_cpu < y->alloc_cpu ? -1 : 1;
	return (x->free_cpu > y->free_cpu) - (x->free_cpu < y->free_cpu);
}

/* Return the pairs of CPUs; free their list. */
static struct pairs pairs_of(const struct report *r, enum kmemtrace_space space)
{
	const struct kmemtrace_cpu_pair *pair;
	struct pairs p = { .nr = 0 };

	while ((pair = kmemtrace_get_cpu_pair(r->trace, space, p.nr))) {
		p.list = must_grow_list(p.list, p.nr, sizeof(*p.list));
		p.list[p.nr++] = pair;
	}
	if (p.nr)
		qsort(p.list, p.nr, sizeof(*p.list), by_frees);
	return p;
}

static void print_cpu_pairs(const struct report *r, enum kmemtrace_space space,
			    FILE *out)
{
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);
	struct pairs p = pairs_of(r, space);
	size_t i;

	fprintf(out, "  %-6s %s of %s frees (%s)", space_infos[space].name,
		NUMBER(t->remote_frees), NUMBER(t->frees),
		PERCENT(t->remote_frees, t->frees));
	for (i = 0; i < view_limit(r, p.nr); i++)
		fprintf(out, "%s cpu%u->cpu%u %s",
			!i ? ":" : i % 4 ? "," : ",\n        ",
			p.list[i]->alloc_cpu, p.list[i]->free_cpu,
			NUMBER(p.list[i]->frees));
	fputc('\n', out);
	free(p.list);
}

/* Print the pairs of call sites with the most such frees. */
static void print_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct spans s;
	size_t i, nr = 0;

	spans_collect(&s, r, space, true, span_remote);
	while (nr < s.nr && s.list[nr].sum.remote)
		nr++;
	if (nr) {
		print_title(r, out, "%s: freed on another CPU, %zu of %zu pairs of %s%s",
			    space_infos[space].title, view_limit(r, nr), nr,
			    r->group->rows, title_suffix(r));
		fprintf(out, "       remote  ratio  allocated at, freed at\n");
	}
	for (i = 0; i < view_limit(r, nr); i++) {
		const struct kmemtrace_lifetime *sum = &s.list[i].sum;

		fprintf(out, "  %11s %6s  ", NUMBER(sum->remote),
			PERCENT(sum->remote, span_ended(sum)));
		print_span(r, &s.list[i], out);
	}
	spans_free(&s);
}

void cpus_text(const struct report *r, FILE *out)
{
	int i;

	if (!kmemtrace_get_cpu(r->trace, 1))
		return;
	print_title(r, out, "Remote: freed on another CPU than allocated");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_cpu_pairs(r, i, out);
	for (i = 0; i < NR_SPACES; i++)
		print_sites(r, i, out);
}
