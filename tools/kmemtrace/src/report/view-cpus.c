// SPDX-License-Identifier: GPL-2.0
/*
 * View: what was freed on another CPU than allocated.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/spans.h"
#include "report/view.h"

static int by_remote(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->remote != y->remote)
		return x->remote > y->remote ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* A sorted copy of the CPU pairs; to be freed. */
static struct row *cpu_pairs(const struct stats *s, enum space space)
{
	const struct table *t = &s->cpus[space];
	struct row *pairs = must_calloc(t->nr + 1, sizeof(*pairs));

	if (t->nr)
		memcpy(pairs, t->rows, t->nr * sizeof(*pairs));
	qsort(pairs, t->nr, sizeof(*pairs), by_remote);
	return pairs;
}

static void print_cpu_pairs(const struct report *r, enum space space,
			    FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct totals *t = &s->totals[space];
	struct row *pairs = cpu_pairs(s, space);
	size_t i;

	fprintf(out, "  %-6s %s of %s frees (%s)", space_infos[space].name,
		NUMBER(t->remote), NUMBER(t->matched),
		PERCENT(t->remote, t->matched));
	for (i = 0; i < view_limit(r, s->cpus[space].nr); i++)
		fprintf(out, "%s cpu%u->cpu%u %s",
			!i ? ":" : i % 4 ? "," : ",\n        ",
			(unsigned int)(pairs[i].key >> 16),
			(unsigned int)(pairs[i].key & 0xffff),
			NUMBER(pairs[i].remote));
	fputc('\n', out);
	free(pairs);
}

/* The call sites between which that happens. */
static void print_sites(const struct report *r, enum space space, FILE *out)
{
	struct spans s;
	size_t i, nr = 0;

	spans_collect(&s, r, space, true, span_remote);
	while (nr < s.nr && s.list[nr].sum.remote)
		nr++;
	if (nr) {
		print_title(r, out, "%s: freed on another CPU, %zu of %zu pairs of %s%s",
			    space_infos[space].title, view_limit(r, nr), nr,
			    r->group->rows, which(r));
		fprintf(out, "       remote  share  allocated at, freed at\n");
	}
	for (i = 0; i < view_limit(r, nr); i++) {
		const struct lifetime *sum = &s.list[i].sum;

		fprintf(out, "  %11s %6s  ", NUMBER(sum->remote),
			PERCENT(sum->remote, span_ended(sum)));
		print_span(r, &s.list[i], out);
	}
	spans_free(&s);
}

void cpus_text(const struct report *r, FILE *out)
{
	int i;

	if (r->trace->dir.nr_cpus < 2)
		return;
	print_title(r, out, "Remote: freed on another CPU than allocated");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_cpu_pairs(r, i, out);
	for (i = 0; i < NR_SPACES; i++)
		print_sites(r, i, out);
}

static json_object *space_sites(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array(), *obj;
	struct spans s;
	size_t i;

	spans_collect(&s, r, space, true, span_remote);
	for (i = 0; i < view_limit(r, s.nr) && s.list[i].sum.remote; i++) {
		obj = span_json(r, &s.list[i]);
		add_u64(obj, "remote_frees", s.list[i].sum.remote);
		add_u64(obj, "frees", span_ended(&s.list[i].sum));
		json_object_array_add(list, obj);
	}
	spans_free(&s);
	return list;
}

static json_object *space_pairs(const struct report *r, enum space space)
{
	const struct stats *s = &r->trace->ledger.stats;
	json_object *list = json_object_new_array(), *pair;
	struct row *pairs = cpu_pairs(s, space);
	uint32_t i;

	for (i = 0; i < s->cpus[space].nr; i++) {
		pair = json_object_new_object();
		add_u64(pair, "alloc_cpu", pairs[i].key >> 16);
		add_u64(pair, "free_cpu", pairs[i].key & 0xffff);
		add_u64(pair, "frees", pairs[i].remote);
		add_u64(pair, "bytes", pairs[i].alloc);
		json_object_array_add(list, pair);
	}
	free(pairs);
	return list;
}

json_object *cpus_json(const struct report *r)
{
	json_object *obj = json_object_new_object();

	spaces_json(obj, r, space_pairs);
	json_object_object_add(obj, "sites",
			       spaces_json(json_object_new_object(), r,
					   space_sites));
	return obj;
}
