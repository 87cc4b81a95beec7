// SPDX-License-Identifier: GPL-2.0
/*
 * Views: how long things live, by call site, and which pairs of call sites allocate
 * and free what lives but a moment.
 */
#include "config.h"

#include <string.h>

#include "format.h"
#include "memory.h"
#include "view.h"

/* The steps of a moment, which is a millisecond. */
#define SHORT_STEPS	4

static const char * const step_names[LIFETIME_STEPS] = {
	"<1us", "<10us", "<100us", "<1ms", "<10ms", "<100ms", "<1s", "more",
};

/**
 * struct span - lives that began, and ended, at the same call sites
 * @site: where they began
 * @freed_by: where they ended; 0 where all are one
 * @sum: of all of them; its kinds are of no meaning
 */
struct span {
	uint64_t site, freed_by;
	struct lifetime sum;
};

/**
 * struct spans - those of one namespace
 * @list: of call sites that are wanted, most lives first
 * @nr: of @list
 * @sum: of all call sites
 */
struct spans {
	struct span *list;
	size_t nr;
	struct lifetime sum;
};

static uint64_t nr_ended(const struct lifetime *sum)
{
	return lifetime_ended(sum, LIFETIME_STEPS);
}

static uint64_t nr_short(const struct lifetime *sum)
{
	return lifetime_ended(sum, SHORT_STEPS);
}

static int by_sites(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->site != y->site)
		return x->site > y->site ? 1 : -1;
	return (x->freed_by > y->freed_by) - (x->freed_by < y->freed_by);
}

/* Larger ones first, then any order that is always the same. */
static int by_number(const struct span *x, const struct span *y,
		     uint64_t (*number)(const struct lifetime *sum))
{
	uint64_t i = number(&x->sum), j = number(&y->sum);

	if (i != j)
		return i > j ? -1 : 1;
	return 0;
}

static int by_ended(const void *a, const void *b)
{
	int order = by_number(a, b, nr_ended);

	return order ? order : by_sites(a, b);
}

static int by_short(const void *a, const void *b)
{
	int order = by_number(a, b, nr_short);

	return order ? order : by_ended(a, b);
}

static void merge_same(struct spans *s)
{
	size_t i, nr = 0;

	qsort(s->list, s->nr, sizeof(*s->list), by_sites);
	for (i = 0; i < s->nr; i++) {
		if (nr && !by_sites(&s->list[nr - 1], &s->list[i]))
			lifetime_add(&s->list[nr - 1].sum, &s->list[i].sum);
		else
			s->list[nr++] = s->list[i];
	}
	s->nr = nr;
}

/* To be spans_free()d. */
static void collect(struct spans *s, const struct report *r, enum space space,
		    bool in_pairs, int (*order)(const void *a, const void *b))
{
	const struct ledger *l = &r->trace->ledger;
	const struct lifetimes *all = &l->stats.lifetimes;
	uint32_t i;

	*s = (struct spans) { .list = must_calloc(all->nr, sizeof(*s->list)) };
	for (i = 1; i < all->nr; i++) {
		const struct lifetime *life = &all->list[i];
		const struct kind *kind = kinds_get(&l->kinds, life->kind);

		if (kind_space(kind) != space)
			continue;
		lifetime_add(&s->sum, life);
		if (!site_is_wanted(r, kind->site))
			continue;
		s->list[s->nr++] = (struct span) {
			.site = kind->site,
			.freed_by = in_pairs ?
				kinds_get(&l->kinds, life->freed_by)->site : 0,
			.sum = *life,
		};
	}
	merge_same(s);
	qsort(s->list, s->nr, sizeof(*s->list), order);
}

static void spans_free(struct spans *s)
{
	free(s->list);
}

/* Allocations; or lives, where there are more, as of blocks that are freed in parts. */
static uint64_t nr_begun(const struct lifetime *sum, uint64_t allocs)
{
	uint64_t ended = nr_ended(sum);

	return allocs > ended ? allocs : ended;
}

/* ---- lifetimes ---- */

static uint64_t allocs_of(const struct report *r, enum space space, uint64_t site)
{
	const struct table *sites = &r->trace->ledger.stats.sites[space];
	const struct row *row = table_find(sites, site);

	return row ? row->allocs : 0;
}

static void print_heading(FILE *out, const char *first)
{
	unsigned int i;

	fprintf(out, "%s      freed in 1 ms    mean", first);
	for (i = 0; i < LIFETIME_STEPS; i++)
		fprintf(out, " %6s", step_names[i]);
}

static void print_steps(const struct lifetime *sum, uint64_t allocs, FILE *out)
{
	uint64_t ended = nr_ended(sum);
	unsigned int i;

	fprintf(out, "%11s %7s %7s", NUMBER(ended),
		PERCENT(nr_short(sum), nr_begun(sum, allocs)),
		TIME(lifetime_mean(sum)));
	for (i = 0; i < LIFETIME_STEPS; i++)
		fprintf(out, " %6s", sum->ended[i] ?
			PERCENT(sum->ended[i], ended) : "-");
}

static void print_spaces(const struct report *r, const struct spans *all, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	int i;

	print_title(r, out, "Lifetimes: what was allocated in the trace, and freed");
	print_heading(out, "  allocations        ");
	fputc('\n', out);
	for (i = 0; i < NR_SPACES; i++) {
		if (!space_is_used(r, i))
			continue;
		fprintf(out, "%13s  %-7s", NUMBER(s->totals[i].allocs),
			space_infos[i].name);
		print_steps(&all[i].sum, s->totals[i].allocs, out);
		fputc('\n', out);
	}
}

static void print_sites(const struct report *r, enum space space,
			const struct spans *s, FILE *out)
{
	uint64_t allocs;
	size_t i;

	if (!s->nr)
		return;
	print_title(r, out, "%s: lifetimes at %zu of %zu call sites%s, by frees",
		    space_infos[space].title, view_limit(r, s->nr), s->nr,
		    which_sites(r));
	print_heading(out, "  allocations");
	fprintf(out, "  call site\n");
	for (i = 0; i < view_limit(r, s->nr); i++) {
		allocs = allocs_of(r, space, s->list[i].site);
		fprintf(out, "%13s", NUMBER(allocs));
		print_steps(&s->list[i].sum, allocs, out);
		fprintf(out, "  ");
		print_site(r, s->list[i].site, out);
		fputc('\n', out);
	}
}

void lifetimes_text(const struct report *r, FILE *out)
{
	struct spans all[NR_SPACES];
	int i;

	for (i = 0; i < NR_SPACES; i++)
		collect(&all[i], r, i, false, by_ended);
	print_spaces(r, all, out);
	for (i = 0; i < NR_SPACES; i++) {
		print_sites(r, i, &all[i], out);
		spans_free(&all[i]);
	}
}

/* Add what is known of lives to @obj, and return that. */
static json_object *sum_json(json_object *obj, const struct lifetime *sum)
{
	json_object *steps = json_object_new_array();
	unsigned int i;

	add_u64(obj, "ended", nr_ended(sum));
	add_u64(obj, "bytes_alloc", sum->bytes);
	add_u64(obj, "mean_ns", lifetime_mean(sum));
	for (i = 0; i < LIFETIME_STEPS; i++)
		json_object_array_add(steps,
				      json_object_new_uint64(sum->ended[i]));
	json_object_object_add(obj, "steps", steps);
	return obj;
}

static json_object *steps_json(void)
{
	json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i + 1 < LIFETIME_STEPS; i++)
		json_object_array_add(list,
			json_object_new_uint64(lifetime_longest[i] + 1));
	return list;
}

static json_object *space_json(const struct report *r, enum space space)
{
	json_object *obj = json_object_new_object(), *sites, *site;
	struct spans s;
	size_t i;

	collect(&s, r, space, false, by_ended);
	add_u64(obj, "allocs", r->trace->ledger.stats.totals[space].allocs);
	sum_json(obj, &s.sum);
	sites = json_object_new_array();
	for (i = 0; i < view_limit(r, s.nr); i++) {
		site = site_json(r, s.list[i].site);
		add_u64(site, "allocs", allocs_of(r, space, s.list[i].site));
		json_object_array_add(sites, sum_json(site, &s.list[i].sum));
	}
	json_object_object_add(obj, "sites", sites);
	spans_free(&s);
	return obj;
}

json_object *lifetimes_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	json_object_object_add(obj, "below_ns", steps_json());
	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_infos[i].name,
				       space_json(r, i));
	return obj;
}

/* ---- churn ---- */

static void print_pair(const struct report *r, const struct span *pair, FILE *out)
{
	fprintf(out, "  %11s %6s %9s %7s %7s  ", NUMBER(nr_short(&pair->sum)),
		PERCENT(nr_short(&pair->sum), nr_ended(&pair->sum)),
		BYTES(pair->sum.bytes), step_names[lifetime_median(&pair->sum)],
		TIME(lifetime_mean(&pair->sum)));
	print_site(r, pair->site, out);
	fprintf(out, ", then ");
	print_site(r, pair->freed_by, out);
	fputc('\n', out);
}

static void print_pairs(const struct report *r, enum space space, FILE *out)
{
	struct spans s;
	size_t i, nr = 0;

	collect(&s, r, space, true, by_short);
	while (nr < s.nr && nr_short(&s.list[nr].sum))
		nr++;
	if (nr) {
		print_title(r, out, "%s: churn, %zu of %zu pairs of call sites%s, by lives of less than 1 ms",
			    space_infos[space].title, view_limit(r, nr), nr,
			    which_sites(r));
		fprintf(out, "  short lives  share all bytes  median    mean  allocated at, freed at\n");
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

static json_object *pairs_json(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array(), *obj;
	struct spans s;
	size_t i;

	collect(&s, r, space, true, by_short);
	for (i = 0; i < view_limit(r, s.nr); i++) {
		obj = json_object_new_object();
		json_object_object_add(obj, "allocated_at",
				       site_json(r, s.list[i].site));
		json_object_object_add(obj, "freed_at",
				       site_json(r, s.list[i].freed_by));
		add_u64(obj, "short", nr_short(&s.list[i].sum));
		json_object_array_add(list, sum_json(obj, &s.list[i].sum));
	}
	spans_free(&s);
	return list;
}

json_object *churn_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_infos[i].name,
				       pairs_json(r, i));
	return obj;
}
