// SPDX-License-Identifier: GPL-2.0
/*
 * groups.c - groups of allocations by any of their properties
 *
 * Sites, call paths, tasks, cgroups, slab caches, sizes and the like are one relation, grouped by
 * different properties. A property that a kind of allocations has is a dimension.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-who.h"
#include "ledger/total.h"
#include "ledger/sample.h"
#include "common/callsite.h"
#include "common/intern.h"
#include "common/memory.h"
#include "common/number.h"
#include "relations/columns.h"
#include "relations/figures.h"
#include "relations/grouping.h"
#include "relations/helpers.h"
#include "relations/moment.h"
#include "relations/suspects.h"

/* What changes between two moments. Counters only grow, but live memory can shrink. */
enum group_change { CHANGE_LIVE, CHANGE_LIVE_RATE, CHANGE_ALLOCS_RATE, CHANGE_FREES_RATE, NR_CHANGES };

/**
 * struct group_row - a group
 * @space: the allocator
 * @part: the group of sampled objects, see part_of_group(), while groups are being made
 * @keys: of the dimensions, in the order of struct grouping
 * @figures: by enum figure
 * @errors: standard errors, by enum figure_error
 * @changes: by enum group_change; rates are those of the whole time since the moment before
 * @exited_bytes: of the live bytes, those that tasks allocated which have exited
 * @members: tasks, or cgroups with live memory, of groups by what these have in common
 * @oldest: time of the oldest live memory; INT64_MAX: none, or unknown
 * @whole: number of the group that has all of its parts
 * @suspicion: of suspects
 */
struct group_row {
	int space;
	unsigned int part;
	uint64_t keys[MAX_KEYS];
	uint64_t figures[NR_FIGURES], errors[NR_ERRORS];
	int64_t changes[NR_CHANGES];
	uint64_t exited_bytes;
	uint64_t members;
	int64_t oldest;
	uint64_t whole;
	const struct suspicion *suspicion;
};

/* Bytes at the begin of a group that tell it from the others. */
#define GROUP_KEY_BYTES		offsetof(struct group_row, figures)

static uint64_t key_of_group(const struct kmemtrace_relation *r, const struct group_row *row,
			     enum dim dim)
{
	return row->keys[r->grouping->key_of[dim]];
}

/* Return the first dimension of a set that the groups have. */
static enum dim first_of(const struct kmemtrace_relation *r, unsigned int dims)
{
	return __builtin_ctz(dims & r->grouping->chosen);
}

/* Dimensions that have a call site, or tasks. */
#define PATHS	(DIM_BIT(DIM_PATH) | DIM_BIT(DIM_STACK))
#define SITES	(DIM_BIT(DIM_SITE) | DIM_BIT(DIM_LINE) | DIM_BIT(DIM_FUNCTION) | PATHS)
#define PLACES	(SITES | DIM_BIT(DIM_MODULE) | DIM_BIT(DIM_FILE) | DIM_BIT(DIM_DIR))
#define OWNERS	(DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS) | DIM_BIT(DIM_TASK_NAME))

/* Groups that have a number of tasks or cgroups. */
#define OF_MEMBERS	(DIM_BIT(DIM_TASK_NAME) | DIM_BIT(DIM_REMOVED))

/* ---- figures ---- */

/* The smallest alignment of kmalloc(): all sizes are multiples of it. */
#define SMALLEST_ALIGN	8

/* Return by how much @bytes exceed what @nr objects take in a cache of their size. */
static uint64_t figure_avoidable(const struct kmemtrace_kind *kind, uint64_t nr, uint64_t bytes)
{
	const uint64_t class = (kind->max_req + SMALLEST_ALIGN - 1) & -(uint64_t)SMALLEST_ALIGN;

	/* Waste of unknown sizes does not count as avoidable. */
	return kind->space == KMEMTRACE_SPACE_SLAB && kind->min_req && bytes > nr * class ?
	       bytes - nr * class : 0;
}

static void set_figures(struct group_row *to, const struct row *row,
			const struct kmemtrace_kind *kind)
{
#define SET(name, heading, unit, is_sampled, value, help)	to->figures[FIGURE_##name] = value;
	FIGURES(SET)
}

static void add_figures(struct group_row *sum, const struct group_row *row)
{
	size_t i;

	for (i = 0; i < NR_FIGURES; i++)
		sum->figures[i] += row->figures[i];
	for (i = 0; i < NR_CHANGES; i++)
		sum->changes[i] += row->changes[i];
	sum->exited_bytes += row->exited_bytes;
	sum->members += row->members;
	if (row->oldest < sum->oldest)
		sum->oldest = row->oldest;
}

/* Set what changed from a moment until another one. */
static void set_changes(struct group_row *to, const struct kmemtrace_relation *r, uint32_t kind)
{
	const struct row *now = moment_row(r->at, kind), *before = moment_row(r->before, kind);

	to->changes[CHANGE_LIVE] = now->live_alloc - moment_row(r->since, kind)->live_alloc;
	to->changes[CHANGE_LIVE_RATE] = now->live_alloc - before->live_alloc;
	to->changes[CHANGE_ALLOCS_RATE] = now->allocs - before->allocs;
	to->changes[CHANGE_FREES_RATE] = now->frees - before->frees;
	to->oldest = r->at && kind < r->at->nr ? r->at->oldest[kind] : INT64_MAX;
}

static bool has_figures(const struct group_row *row)
{
	size_t i;

	for (i = 0; i < NR_FIGURES; i++)
		if (row->figures[i])
			return true;
	return false;
}

/* The part of a kind without an error: all of its objects are in the trace. */
#define NO_PART		SPREAD_GROUPS

/* Return the group of sampled objects of a kind, see spread.h, or NO_PART. */
static unsigned int part_of_group(const struct ledger *l, uint32_t i)
{
	const struct kind *kind = kinds_get(&l->kinds, i);

	return sample_weight(l, kind) > 1 ? kind_group(kind) : NO_PART;
}

/* Set the standard errors of a group that is in @nr parts, the first of which has the sums. */
static void set_errors(struct group_row *sum, const struct group_row *parts, size_t nr)
{
#define SAMPLED_true(name)	[ERROR_OF_##name] = FIGURE_##name,
#define SAMPLED_false(name)
#define SAMPLED(name, heading, unit, is_sampled, value, help)	SAMPLED_##is_sampled(name)
	static const enum figure sampled[] = { FIGURES(SAMPLED) };
	struct spread spread;
	size_t i, j;

	for (i = 0; i < NR_ERRORS; i++) {
		spread = (struct spread) { .sums = { 0 } };
		for (j = 0; j < nr; j++)
			if (parts[j].part != NO_PART)
				spread.sums[parts[j].part] += parts[j].figures[sampled[i]];
		sum->errors[i] = spread_error(&spread);
	}
}

/* ---- rows ---- */

static int by_keys(const void *a, const void *b)
{
	const struct group_row *x = a, *y = b;
	int order = x->space - y->space;
	size_t i;

	for (i = 0; !order && i < MAX_KEYS; i++)
		order = compare_u64(x->keys[i], y->keys[i]);
	return order;
}

static int by_part(const void *a, const void *b)
{
	const struct group_row *x = a, *y = b;

	return by_keys(a, b) ?: compare_u64(x->part, y->part);
}

/* The order of groups: those with most allocated bytes first. */
static int compare_groups(const void *a, const void *b)
{
	const struct group_row *x = a, *y = b;

	return x->space - y->space ?:
	       compare_u64(y->figures[FIGURE_bytes], x->figures[FIGURE_bytes]) ?: by_keys(a, b);
}

/* Make one row of the parts of each group. */
static void join_parts(struct kmemtrace_relation *r)
{
	struct group_row *rows = (struct group_row *)r->rows, sum;
	size_t i, j, next, nr = 0;

	if (r->nr)
		qsort(rows, r->nr, sizeof(*rows), by_part);
	for (i = 0; i < r->nr; i = next) {
		sum = rows[i];
		for (next = i + 1; next < r->nr && !by_keys(&rows[i], &rows[next]); next++)
			;
		for (j = i + 1; j < next; j++)
			add_figures(&sum, &rows[j]);
		set_errors(&sum, &rows[i], next - i);
		rows[nr++] = sum;
	}
	r->nr = nr;
}

/* Allocators are shown without allocations, and so are slab caches unless there is a filter. */
static bool shows_unused(const struct kmemtrace_relation *r)
{
	return !r->relation->is_of_own &&
	       (r->grouping->chosen == DIM_BIT(DIM_NONE) ||
		(r->grouping->chosen == DIM_BIT(DIM_CACHE) && !r->trace->summary.is_filtered));
}

static void drop_empty(struct kmemtrace_relation *r)
{
	struct group_row *rows = (struct group_row *)r->rows;
	size_t i, nr = 0;

	for (i = 0; i < r->nr; i++)
		if (has_figures(&rows[i]) ||
		    (shows_unused(r) && (r->grouping->chosen == DIM_BIT(DIM_NONE) || rows[i].keys[0])))
			rows[nr++] = rows[i];
	r->nr = nr;
}

/* Add a row to that of its group, whose number becomes @number. Return 0 or -ENOMEM. */
static int add_to_group(struct kmemtrace_relation *r, const struct group_row *row, uint64_t *number)
{
	const uint64_t i = intern(&r->grouping->rows, row, GROUP_KEY_BYTES);

	if (i == INTERN_NO_MEMORY)
		return -ENOMEM;
	*number = i;
	if (i == r->nr)
		return relation_add(r, row);
	add_figures((struct group_row *)r->rows + i, row);
	return 0;
}

/*
 * Count the task or the cgroup of a kind as a member of a group, unless it was counted there. The
 * parts of a group of a sample have their members together. Return 0 or -ENOMEM.
 */
static int add_member(struct kmemtrace_relation *r, struct group_row *row,
		      const struct kmemtrace_kind *kind)
{
	struct { uint64_t space, keys[MAX_KEYS], member; } key = { .space = row->space };
	const size_t before = r->grouping->members.nr;

	if (!(r->grouping->chosen & OF_MEMBERS))
		return 0;
	key.member = kind->cgroup;
	if (r->grouping->chosen & DIM_BIT(DIM_TASK_NAME))
		key.member = kind->task;
	else if (!row->figures[FIGURE_live])
		return 0;
	memcpy(key.keys, row->keys, sizeof(key.keys));
	if (intern(&r->grouping->members, &key, sizeof(key)) == INTERN_NO_MEMORY)
		return -ENOMEM;
	row->members = r->grouping->members.nr - before;
	return 0;
}

/* Return the counters of a kind: at a moment, of the live memory of some age, or as they are. */
static struct row sums_of_kind(const struct kmemtrace_relation *r, uint32_t i)
{
	if (r->at)
		return *moment_row(r->at, i);
	return r->trace->aged && r->relation->info.is_aged ? r->trace->aged[i] :
							     total_row(&r->trace->t.ledger, i);
}

static int add_kind_to_group(struct kmemtrace_relation *r, uint32_t i)
{
	const struct ledger *l = &r->trace->t.ledger;
	const struct kmemtrace_kind kind = api_kind(l, i);
	struct group_row row = { .space = kind.space, .whole = r->nr };
	uint64_t number;
	struct row sums;
	size_t j;
	int ret;

	if (kind.is_free || (r->relation->is_of_own ? !kind.is_own : kind.is_hidden) ||
	    (r->relation->space != NR_SPACES && kind.space != r->relation->space))
		return 0;
	for (j = 0; j < r->grouping->nr; j++) {
		row.keys[j] = grouping_key(r, r->grouping->dims[j], &kind);
		if (row.keys[j] == INTERN_NO_MEMORY && DIM_BIT(r->grouping->dims[j]) & INTERNED)
			return -ENOMEM;
	}
	if (l->one_of > 1 && r->relation->is_of_suspects) {
		row.whole = intern(&r->grouping->wholes, &row, GROUP_KEY_BYTES);
		if (row.whole == INTERN_NO_MEMORY)
			return -ENOMEM;
	}
	if (l->one_of > 1)
		row.part = part_of_group(l, i);
	sums = sums_of_kind(r, i);
	set_figures(&row, &sums, &kind);
	row.exited_bytes = api_has_exited(r->trace, kind.task) ? sums.live_alloc : 0;
	set_changes(&row, r, i);
	ret = add_member(r, &row, &kind);
	if (!ret)
		ret = add_to_group(r, &row, &number);
	if (!ret && r->relation->is_of_suspects)
		r->grouping->group_of[i] = l->one_of > 1 ? row.whole : number;
	return ret;
}

static int add_unused(struct kmemtrace_relation *r)
{
	const uint32_t caches = r->trace->t.ledger.caches.nr;
	struct group_row row = { .oldest = INT64_MAX };
	uint64_t number;
	int ret = 0;

	if (r->grouping->chosen == DIM_BIT(DIM_NONE))
		for (; !ret && row.space < NR_SPACES; row.space++)
			ret = add_to_group(r, &row, &number);
	else
		for (row.keys[0] = 1; !ret && row.keys[0] < caches; row.keys[0]++)
			ret = add_to_group(r, &row, &number);
	return ret;
}

/* Let keys that are numbers of texts be in the order of the texts. Return 0 or -ENOMEM. */
static int sort_keys(struct kmemtrace_relation *r)
{
	struct group_row *rows = (struct group_row *)r->rows;
	uint32_t *numbers;
	size_t i, j;
	int ret;

	for (j = 0; j < r->grouping->nr; j++) {
		ret = grouping_sort(r, r->grouping->dims[j], &numbers);
		if (ret)
			return ret;
		for (i = 0; numbers && i < r->nr; i++)
			rows[i].keys[j] = numbers[rows[i].keys[j]];
		free(numbers);
	}
	return 0;
}

static int fill_groups(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < l->kinds.nr; i++)
		ret = add_kind_to_group(r, i);
	if (!ret && shows_unused(r))
		ret = add_unused(r);
	if (!ret && l->one_of > 1)
		join_parts(r);
	if (ret)
		return ret;
	drop_empty(r);
	return sort_keys(r);
}

/* ---- suspects ---- */

static int compare_suspects(const void *a, const void *b)
{
	const struct group_row *x = a, *y = b;

	if (x->suspicion->weight != y->suspicion->weight)
		return x->suspicion->weight > y->suspicion->weight ? -1 : 1;
	return compare_groups(a, b);
}

/* Nobody knows when the memory was allocated that is older than the trace. */
static int group_for_suspects(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < l->kinds.nr; i++) {
		r->grouping->group_of[i] = NO_GROUP;
		if (!kind_is_older(kinds_get(&l->kinds, i)))
			ret = add_kind_to_group(r, i);
	}
	if (!ret && l->one_of > 1)
		join_parts(r);
	return ret;
}

/*
 * Keep the groups with some live objects or pages, and number them. Fewer have no weight, and there
 * may be as many such groups as allocations.
 */
static int keep_candidates(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	struct group_row *rows = (struct group_row *)r->rows;
	uint32_t *numbers = malloc((r->grouping->rows.nr + 1) * sizeof(*numbers)), i;
	size_t nr = 0, j;

	if (!numbers)
		return -ENOMEM;
	memset(numbers, 0xff, (r->grouping->rows.nr + 1) * sizeof(*numbers));
	for (j = 0; j < r->nr; j++) {
		if (rows[j].figures[FIGURE_live] < LEAST_SUSPECTS)
			continue;
		numbers[rows[j].whole] = nr;
		rows[nr] = rows[j];
		rows[nr].whole = nr;
		nr++;
	}
	r->nr = nr;
	for (i = 0; i < l->kinds.nr; i++)
		if (r->grouping->group_of[i] != NO_GROUP)
			r->grouping->group_of[i] = numbers[r->grouping->group_of[i]];
	free(numbers);
	return 0;
}

/* Keep the groups that are suspicious at all. */
static void drop_innocent(struct kmemtrace_relation *r)
{
	struct group_row *rows = (struct group_row *)r->rows;
	size_t i, nr = 0;

	for (i = 0; i < r->nr; i++) {
		rows[i].suspicion = &r->grouping->suspicions[rows[i].whole];
		if (rows[i].suspicion->weight > 0)
			rows[nr++] = rows[i];
	}
	r->nr = nr;
}

/* Add the row of a part to that of the suspect which stands for it. */
static void add_part_row(struct group_row *sum, const struct group_row *part)
{
	size_t i;

	add_figures(sum, part);
	for (i = 0; i < NR_ERRORS; i++)
		sum->errors[i] = (uint64_t)hypot((double)sum->errors[i], (double)part->errors[i]);
}

/* Let one call path stand for those that are parts of the same objects. Return 0 or -ENOMEM. */
static int join_suspects(struct kmemtrace_relation *r)
{
	struct group_row *rows = (struct group_row *)r->rows;
	struct suspect_path *list = calloc(r->nr + 1, sizeof(*list));
	const struct example *paths = r->grouping->examples[DIM_PATH];
	size_t i, nr = 0;
	int ret;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < r->nr; i++)
		list[i] = (struct suspect_path) {
			.path = kmemtrace_get_path(r->trace, paths[rows[i].keys[0]].path),
			.suspicion = &r->grouping->suspicions[rows[i].whole],
			.bytes = rows[i].figures[FIGURE_live_bytes],
			.space = rows[i].space,
		};
	ret = suspects_join(r->trace, list, r->nr);
	for (i = 0; !ret && i < r->nr; i++)
		if (list[i].leader != i)
			add_part_row(&rows[list[i].leader], &rows[i]);
	for (i = 0; !ret && i < r->nr; i++)
		if (list[i].leader == i)
			rows[nr++] = rows[i];
	r->nr = nr;
	free(list);
	return ret;
}

static int fill_suspects(struct kmemtrace_relation *r)
{
	struct grouping *g = r->grouping;
	int ret;

	g->group_of = calloc(r->trace->t.ledger.kinds.nr + 1, sizeof(*g->group_of));
	ret = g->group_of ? group_for_suspects(r) : -ENOMEM;
	if (!ret)
		ret = keep_candidates(r);
	if (ret)
		return ret;
	g->suspicions = suspects_judge(r->trace, g->group_of, r->nr);
	if (!g->suspicions)
		return -ENOMEM;
	drop_innocent(r);
	ret = g->chosen == DIM_BIT(DIM_PATH) ? join_suspects(r) : 0;
	return ret ? ret : sort_keys(r);
}

/* Write the call sites of a suspect, a pointer to whose suspicion is the identity. */
static void write_sites(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct suspicion *s = (const struct suspicion *)(uintptr_t)identity;
	size_t i;

	for (i = 0; i < SUSPECT_SITES && s->sites[i]; i++) {
		fputs(i ? ", " : "", out);
		write_site(r, s->sites[i], out);
	}
}

static WRITE_NAMES(write_harmless, "", "reclaimable", "movable", "page cache", "freed by a timer",
			   "freed lazily", "of another allocator")

/* What get_suspicion() returns. */
enum {
	SUSPECT_WEIGHT, SUSPECT_IS, SUSPECT_KEPT, SUSPECT_OF, SUSPECT_SPREAD, SUSPECT_FIRST, SUSPECT_LAST,
	SUSPECT_RATE, SUSPECT_USUAL, SUSPECT_FREED, SUSPECT_THERE, SUSPECT_FREED_SITE,
	SUSPECT_FREED_FILE, SUSPECT_FREED_LINE, SUSPECT_FREED_INLINED, SUSPECT_AT_ONCE, SUSPECT_PATHS,
	SUSPECT_BELOW, SUSPECT_ALL_SITES, SUSPECT_HARMLESS,
};

static const struct suspicion *suspicion_of(const void *row)
{
	return ((const struct group_row *)row)->suspicion;
}

/* Return how many were born in a second, between the first birth and the last, in three digits. */
static double birth_rate(const struct births *births)
{
	const double ns = (double)births->last - (double)births->first;
	const double rate = ns > 0 ? (double)(births->nr - 1) * 1e9 / ns : 0;
	const double unit = rate > 0 ? pow(10, floor(log10(rate)) - 2) : 1;

	return round(rate / unit) * unit;
}

/* Return whether all were born within a hundredth of the trace. */
static bool is_at_once(const struct kmemtrace_relation *r, const struct births *births)
{
	return time_since(births->first, births->last) < after_first(r, r->trace->t.last) / 100;
}

static bool get_suspicion(const struct kmemtrace_relation *r, const void *row, unsigned int what,
			  struct kmemtrace_field *value)
{
	const struct suspicion *s = suspicion_of(row);

	switch (what) {
	case SUSPECT_WEIGHT:	value->real = s->weight; return true;
	case SUSPECT_IS:	value->number = s->weight >= SUSPICIOUS_WEIGHT; return true;
	case SUSPECT_KEPT:	value->number = s->kept; return true;
	case SUSPECT_OF:	value->number = s->allocs; return true;
	case SUSPECT_SPREAD:	value->real = s->spread; return true;
	case SUSPECT_FIRST:	value->signed_number = after_first(r, s->births.first); return true;
	case SUSPECT_LAST:	value->signed_number = after_first(r, s->births.last); return true;
	case SUSPECT_RATE:	value->real = birth_rate(&s->births); return value->real > 0;
	case SUSPECT_USUAL:	value->number = s->usual_ns; return s->freed_there;
	case SUSPECT_FREED:	value->number = lifetime_ended(&s->lives, LIFETIME_STEPS); return true;
	case SUSPECT_THERE:	value->number = s->freed_there; return s->freed_there;
	case SUSPECT_FREED_SITE: value->number = s->freed_site; return s->freed_there;
	case SUSPECT_FREED_FILE: value->number = s->freed_site; return s->freed_there && file_of_site(r, value);
	case SUSPECT_FREED_LINE: value->number = s->freed_site; return s->freed_there && line_of_site(r, value);
	case SUSPECT_FREED_INLINED: value->number = s->freed_site; return s->freed_there && inlined_of_site(r, value);
	case SUSPECT_PATHS:	value->number = s->paths; return true;
	case SUSPECT_BELOW:	value->number = s->below; return s->below;
	case SUSPECT_ALL_SITES:	value->number = (uintptr_t)s; return s->below;
	case SUSPECT_AT_ONCE:	value->number = is_at_once(r, &s->births); return true;
	default:		value->number = suspicion_harmless(s); return value->number;
	}
}

/* ---- values ---- */

static bool get_key(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		    struct kmemtrace_field *value)
{
	value->number = key_of_group(r, row, first_of(r, dims));
	return true;
}

/* Sets the pointer to an interned text. */
static bool get_interned(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			 struct kmemtrace_field *value)
{
	const enum dim dim = first_of(r, dims);

	value->number = (uintptr_t)r->grouping->interned[dim].list[key_of_group(r, row, dim)].bytes;
	return true;
}

/* Sets a call site of the group. */
static bool get_site(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		     struct kmemtrace_field *value)
{
	const enum dim dim = first_of(r, dims);
	const uint64_t key = key_of_group(r, row, dim);
	const struct kmemtrace_call_path *path;

	value->number = key;
	if (dim == DIM_SITE)
		return true;
	value->number = r->grouping->examples[dim][key].site;
	path = kmemtrace_get_path(r->trace, r->grouping->examples[dim][key].path);
	if ((dim == DIM_PATH || dim == DIM_STACK) && path && path->depth)
		value->number = path->frames[0];
	return true;
}

/* Sets a call site of the module: a group by module has that of its call path. */
static bool get_module_site(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			    struct kmemtrace_field *value)
{
	return get_site(r, row, r->grouping->chosen & DIM_BIT(DIM_MODULE) ?: dims, value);
}

/* Return a task of the group. */
static uint64_t task_of_group(const struct kmemtrace_relation *r, const void *row)
{
	const enum dim dim = first_of(r, OWNERS);
	const uint64_t key = key_of_group(r, row, dim);

	return dim == DIM_TASK_NAME ? r->grouping->examples[dim][key].site : key;
}

/*
 * Return whether a group is what was live when tracing began, as far as neither its call site nor
 * its task is known. An allocator has one such group at most.
 */
static bool is_unattributed(const struct kmemtrace_relation *r, const void *row)
{
	const unsigned int dims = r->grouping->chosen;
	const struct group_row *group = row;
	struct kmemtrace_field site;

	if (!r->trace->t.ledger.stats.baseline.begun || group->figures[FIGURE_allocs] ||
	    dims & ~(PLACES | OWNERS))
		return false;
	if (dims & OWNERS && task_of_group(r, row) != TASK_UNKNOWN)
		return false;
	return !(dims & PLACES) ||
	       (get_site(r, row, PLACES, &site) && site.number == SITE_SNAPSHOT);
}

static bool get_symbol(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		       struct kmemtrace_field *value, struct symbol_ref *ref)
{
	get_site(r, row, dims, value);
	*ref = (struct symbol_ref) { .name = NULL };
	if (trace_site_note(&r->trace->t, value->number))
		return false;
	symbols_find(&r->trace->t.symbols, value->number, ref);
	return ref->name;
}

static bool get_offset(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		       struct kmemtrace_field *value)
{
	struct symbol_ref ref;

	if (!get_symbol(r, row, dims, value, &ref))
		return false;
	value->number = ref.offset;
	return true;
}

static bool get_file(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		     struct kmemtrace_field *value)
{
	if (first_of(r, dims) == DIM_FILE)
		return get_interned(r, row, dims, value);
	return get_site(r, row, dims, value) && file_of_site(r, value);
}

static bool get_line(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		     struct kmemtrace_field *value)
{
	return get_site(r, row, dims, value) && line_of_site(r, value);
}

static bool get_inlined(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			struct kmemtrace_field *value)
{
	return get_site(r, row, dims, value) && inlined_of_site(r, value);
}

static const struct kmemtrace_call_path *path_of(const struct kmemtrace_relation *r, enum dim dim,
						 uint64_t i)
{
	return kmemtrace_get_path(r->trace, r->grouping->examples[dim][i].path);
}

/* Sets the call that wanted the memory, which is beyond helper functions; without a path the call site. */
static bool get_caller(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		       struct kmemtrace_field *value)
{
	const enum dim dim = first_of(r, dims);
	const struct kmemtrace_call_path *path = path_of(r, dim, key_of_group(r, row, dim));

	if (path && path->depth)
		value->number = path->frames[helpers_before(&r->trace->t.symbols, path->frames,
							    path->depth)];
	else
		value->number = r->grouping->examples[dim][key_of_group(r, row, dim)].site;
	return true;
}

static bool get_caller_file(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			    struct kmemtrace_field *value)
{
	return get_caller(r, row, dims, value) && file_of_site(r, value);
}

static bool get_caller_line(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			    struct kmemtrace_field *value)
{
	return get_caller(r, row, dims, value) && line_of_site(r, value);
}

static bool get_caller_inlined(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			       struct kmemtrace_field *value)
{
	return get_caller(r, row, dims, value) && inlined_of_site(r, value);
}

static bool get_depth(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		      struct kmemtrace_field *value)
{
	const struct kmemtrace_call_path *path;

	(void)dims;
	path = path_of(r, DIM_PATH, key_of_group(r, row, DIM_PATH));
	value->number = path ? path->depth : 0;
	return true;
}

/* Sets the number of the call path. */
static bool get_frames(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		       struct kmemtrace_field *value)
{
	(void)dims;
	value->number = r->grouping->examples[DIM_PATH][key_of_group(r, row, DIM_PATH)].path;
	return value->number;
}

static void print_path_key(const struct kmemtrace_relation *r, uint64_t i, FILE *out)
{
	print_frames(r, path_of(r, DIM_PATH, i), r->grouping->examples[DIM_PATH][i].site,
		     write_site, out);
}

static void print_stack_key(const struct kmemtrace_relation *r, uint64_t i, FILE *out)
{
	print_frames(r, path_of(r, DIM_STACK, i), r->grouping->examples[DIM_STACK][i].site,
		     write_function, out);
}

/* Return the number of the group's task, or of that which names its process. */
static uint32_t task_number(const struct kmemtrace_relation *r, const void *row)
{
	if (r->grouping->chosen & DIM_BIT(DIM_TASK))
		return key_of_group(r, row, DIM_TASK);
	return api_first_task(r->trace, key_of_group(r, row, DIM_PROCESS));
}

static bool get_context(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			struct kmemtrace_field *value)
{
	(void)arg;
	value->number = api_context_of(task_number(r, row));
	return true;
}

static bool get_process(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
			struct kmemtrace_field *value)
{
	value->number = key_of_group(r, row, first_of(r, dims));
	if (first_of(r, dims) == DIM_TASK)
		value->number = api_process_of(r->trace, value->number);
	return true;
}

/* What get_task(), get_cgroup() and get_cache() return. */
enum {
	TASK_COMM, TASK_PID, TASK_TGID, TASK_START, TASK_HAS_EXITED,
	CGROUP_NUMBER, CGROUP_IS_RELEASED, CGROUP_REMOVED,
	CACHE_ADDRESS, CACHE_OBJECT_SIZE, CACHE_SLOT_SIZE, CACHE_ALIGN, CACHE_FLAGS, CACHE_USERS,
	CACHE_MERGED, CACHE_CREATED, CACHE_DESTROYED,
};

/* In groups of processes, the task is the one that names the process. */
static bool get_task(const struct kmemtrace_relation *r, const void *row, unsigned int what,
		     struct kmemtrace_field *value)
{
	const uint32_t number = task_number(r, row);
	const struct task *task = &r->trace->t.ledger.who.tasks[number];

	switch (what) {
	case TASK_COMM:
		value->number = (uintptr_t)task->comm;
		break;
	case TASK_PID:
		value->number = task->pid;
		break;
	case TASK_TGID:
		value->number = task->tgid;
		break;
	case TASK_HAS_EXITED:
		value->number = api_has_exited(r->trace, number);
		break;
	default:
		value->number = task->start;
	}
	return api_context_of(number) == IN_TASK;
}

static bool get_cgroup(const struct kmemtrace_relation *r, const void *row, unsigned int what,
		       struct kmemtrace_field *value)
{
	const struct cgroup *c = &r->trace->t.ledger.who.cgroups[key_of_group(r, row, DIM_CGROUP)];

	switch (what) {
	case CGROUP_NUMBER:
		value->number = c->number;
		return c->number;
	case CGROUP_IS_RELEASED:
		value->number = c->is_released;
		return c->is_removed;
	default:
		value->signed_number = after_first(r, c->removed);
		return c->number && c->removed != INT64_MIN;
	}
}

static bool get_is_removed(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			   struct kmemtrace_field *value)
{
	const struct cgroup *c;

	(void)arg;
	if (!(r->grouping->chosen & DIM_BIT(DIM_CGROUP)))
		return get_key(r, row, DIM_BIT(DIM_REMOVED), value);
	c = &r->trace->t.ledger.who.cgroups[key_of_group(r, row, DIM_CGROUP)];
	value->number = c->is_removed;
	return c->number;
}

static bool get_cache(const struct kmemtrace_relation *r, const void *row, unsigned int what,
		      struct kmemtrace_field *value)
{
	const uint64_t i = key_of_group(r, row, DIM_CACHE);
	const struct cache *c = &r->trace->t.ledger.caches.list[i];

	if (!i)
		return false;
	switch (what) {
	case CACHE_ADDRESS:	value->number = c->addr; break;
	case CACHE_OBJECT_SIZE:	value->number = c->object_size; break;
	case CACHE_SLOT_SIZE:	value->number = c->size; break;
	case CACHE_ALIGN:	value->number = c->align; break;
	case CACHE_FLAGS:	value->number = c->flags; break;
	case CACHE_USERS:	value->signed_number = c->users; break;
	case CACHE_MERGED:	value->number = c->nr_aliases; break;
	case CACHE_CREATED:	value->signed_number = after_first(r, c->created);
				return c->is_created;
	default:		value->signed_number = after_first(r, c->destroyed);
				return c->is_destroyed;
	}
	return true;
}

static bool get_merged(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		       struct kmemtrace_field *value)
{
	get_key(r, row, dims, value);
	return value->number && r->trace->t.ledger.caches.list[value->number].nr_aliases;
}

static bool get_used(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		     struct kmemtrace_field *value)
{
	(void)r;
	(void)arg;
	value->number = has_figures(row);
	return true;
}

static bool get_size(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		     struct kmemtrace_field *value)
{
	get_key(r, row, dims, value);
	/* The size of a block of pages is unknown if it is older than the trace. */
	return value->number;
}

static bool get_request(const struct kmemtrace_relation *r, const void *row, unsigned int is_max,
			struct kmemtrace_field *value)
{
	const uint64_t step = key_of_group(r, row, DIM_REQUEST);

	value->number = is_max ? step_max(step) : step_min(step);
	return step;
}

static bool get_gfp(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		    struct kmemtrace_field *value)
{
	get_key(r, row, dims, value);
	return value->number != KMEMTRACE_UNKNOWN_GFP;
}

static bool get_order(const struct kmemtrace_relation *r, const void *row, unsigned int dims,
		      struct kmemtrace_field *value)
{
	get_key(r, row, dims, value);
	return value->number != UINT64_MAX;
}

static bool get_figure(const struct kmemtrace_relation *r, const void *row, unsigned int figure,
		       struct kmemtrace_field *value)
{
	(void)r;
	value->number = ((const struct group_row *)row)->figures[figure];
	return true;
}

static bool get_error(const struct kmemtrace_relation *r, const void *row, unsigned int error,
		      struct kmemtrace_field *value)
{
	value->number = ((const struct group_row *)row)->errors[error];
	return r->trace->t.ledger.one_of > 1;
}

/* A rate is there once two moments differ in time. */
static bool get_change(const struct kmemtrace_relation *r, const void *row, unsigned int change,
		       struct kmemtrace_field *value)
{
	const int64_t sum = ((const struct group_row *)row)->changes[change];

	if (change == CHANGE_LIVE) {
		value->signed_number = sum;
		return true;
	}
	if (!r->before || r->at->time <= r->before->time)
		return false;
	value->real = (double)sum * 1e9 / (double)((uint64_t)r->at->time - (uint64_t)r->before->time);
	return true;
}

static bool get_oldest(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		       struct kmemtrace_field *value)
{
	const int64_t oldest = ((const struct group_row *)row)->oldest;

	(void)arg;
	value->number = r->at->time > oldest ? (uint64_t)r->at->time - (uint64_t)oldest : 0;
	return oldest != INT64_MAX;
}

static bool get_wasted(const struct kmemtrace_relation *r, const void *row, unsigned int is_live,
		       struct kmemtrace_field *value)
{
	const uint64_t *f = ((const struct group_row *)row)->figures;
	const uint64_t got = f[is_live ? FIGURE_live_bytes : FIGURE_bytes];
	const uint64_t asked = f[is_live ? FIGURE_live_bytes_req : FIGURE_bytes_req];

	(void)r;
	value->number = got > asked ? got - asked : 0;
	return true;
}

static bool get_waste_ratio(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			    struct kmemtrace_field *value)
{
	const uint64_t bytes = ((const struct group_row *)row)->figures[FIGURE_bytes];

	get_wasted(r, row, arg, value);
	value->real = bytes ? (double)value->number / (double)bytes : 0;
	return true;
}

/* What get_of_allocator() returns. */
enum {
	ALL_USED, ALL_FREES, ALL_FAILED, ALL_PEAK_TIME, ALL_OLDER, ALL_OLDER_REQ, ALL_OLDER_BYTES,
	ALL_KNOWN, ALL_BEGIN, ALL_BEGIN_REQ, ALL_BEGIN_BYTES, ALL_FREED_DURING,
};

static bool get_of_allocator(const struct kmemtrace_relation *r, const void *row,
			     unsigned int what, struct kmemtrace_field *value)
{
	const struct ledger *l = &r->trace->t.ledger;
	const int space = ((const struct group_row *)row)->space;
	const struct totals *totals = &l->stats.totals[space];
	const struct peak *peak = &l->history.peaks[space];
	const struct baseline *baseline = &l->stats.baseline;
	const struct amount *begin = &baseline->at_end[space];
	const bool is_known = baseline->complete && !baseline->without[space];

	switch (what) {
	case ALL_USED:		value->number = l->stats.sites[space].nr != 0; return true;
	case ALL_FREES:		value->number = r->trace->aged ? 0 : totals->frees; return true;
	case ALL_FAILED:	value->number = totals->failed; return true;
	case ALL_PEAK_TIME:	value->signed_number = after_first(r, peak->time);
				return ((const struct group_row *)row)->figures[FIGURE_peak_bytes];
	case ALL_OLDER:		value->number = totals->older.nr; break;
	case ALL_OLDER_REQ:	value->number = totals->older.req; break;
	case ALL_OLDER_BYTES:	value->number = totals->older.alloc; break;
	case ALL_KNOWN:		value->number = is_known; return true;
	case ALL_BEGIN:		value->number = begin->nr; break;
	case ALL_BEGIN_REQ:	value->number = begin->req; break;
	case ALL_BEGIN_BYTES:	value->number = begin->alloc; break;
	default:		value->number = baseline->freed_during[space]; break;
	}
	return is_known;
}

/* ---- columns ---- */

/* A column of some dimensions: @keys are those of which it is the key. */
#define DIM_COLUMN(n, t, d, k, g, ...)					\
	{ .name = n, .type = KMEMTRACE_##t, .dims = d, .arg = d, .key_of = k, .get = g, __VA_ARGS__ }

#define OF_TASK(n, t, d, what, ...)					\
	{ .name = n, .type = KMEMTRACE_##t, .dims = d, .arg = what, .get = get_task,	\
	  .is_optional = true, __VA_ARGS__ }

#define OF_CGROUP(n, t, what, ...)					\
	{ .name = n, .type = KMEMTRACE_##t, .dims = DIM_BIT(DIM_CGROUP), .arg = what,	\
	  .get = get_cgroup, .is_optional = true, __VA_ARGS__ }

#define OF_CACHE(n, t, what, ...)					\
	{ .name = n, .type = KMEMTRACE_##t, .dims = DIM_BIT(DIM_CACHE), .arg = what,	\
	  .get = get_cache, .is_optional = true, __VA_ARGS__ }

#define OF_ALLOCATOR(n, t, u, what, h)					\
	{ .name = n, .type = KMEMTRACE_##t, .unit = KMEMTRACE_##u, .dims = DIM_BIT(DIM_NONE),	\
	  .arg = what, .get = get_of_allocator, .is_optional = true, .only = OF_COUNTED,	\
	  .heading = n, .help = h }

#define ERROR_NAME_true(n)	#n "_error"
#define ERROR_NAME_false(n)	NULL
#define FIGURE_COLUMN(n, h, u, is_sampled, value, text)			\
	{ .name = #n, .heading = h, .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_##u,	\
	  .arg = FIGURE_##n, .get = get_figure, .error = ERROR_NAME_##is_sampled(n), .help = text },
#define ERROR_COLUMN_true(n, u)						\
	{ .name = #n "_error", .heading = "error", .type = KMEMTRACE_NUMBER,		\
	  .unit = KMEMTRACE_##u, .arg = ERROR_OF_##n, .get = get_error, .is_optional = true, .only = IN_A_SAMPLE,	\
	  .help = "standard error of " #n ", in a sample" },
#define ERROR_COLUMN_false(n, u)
#define ERROR_COLUMN(n, h, u, is_sampled, value, text)	ERROR_COLUMN_##is_sampled(n, u)

#define OF_SUSPECT(n, h, t, u, what, text, ...)					\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .unit = KMEMTRACE_##u,	\
	  .get = get_suspicion, .arg = what, .only = OF_SUSPECTS, .help = text, ##__VA_ARGS__ }

/* Rates, changes and ages are those of moments. */
#define RATE(n, h, u, what, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_REAL, .unit = KMEMTRACE_##u,	\
	  .get = get_change, .arg = what, .is_optional = true, .only = OF_MOMENTS, .help = text }

static const struct column group_columns[] = {
	{ .name = "allocator", .heading = "allocator", .type = KMEMTRACE_TEXT, .is_key = true,
	  MEMBER(struct group_row, space), .print = write_allocator,
	  .help = "slab, pages, percpu or vmalloc; never add up bytes of different ones" },
	DIM_COLUMN("site", TEXT, DIM_BIT(DIM_SITE), DIM_BIT(DIM_SITE), get_site, .print = write_site,
		   .heading = "call site", .help = "function, offset and module of the call site"),
	DIM_COLUMN("address", ADDRESS, DIM_BIT(DIM_SITE), DIM_BIT(DIM_SITE), get_site,
		   .heading = "address", .help = "address of the call site, a return address"),
	DIM_COLUMN("function", TEXT, SITES, DIM_BIT(DIM_FUNCTION) | DIM_BIT(DIM_LINE), get_site,
		   .print = write_function, .heading = "function",
		   .help = "function and module of the call site"),
	DIM_COLUMN("offset", NUMBER, DIM_BIT(DIM_SITE), 0, get_offset, .unit = KMEMTRACE_BYTES,
		   .is_optional = true, .heading = "offset",
		   .help = "bytes from the begin of the function to the call site"),
	DIM_COLUMN("module", TEXT, SITES | DIM_BIT(DIM_MODULE), DIM_BIT(DIM_MODULE), get_module_site,
		   .print = write_module, .heading = "module",
		   .help = "module of the call site, or kernel; by module: the innermost one of the call path"),
	DIM_COLUMN("file", TEXT, SITES | DIM_BIT(DIM_FILE), DIM_BIT(DIM_FILE) | DIM_BIT(DIM_LINE), get_file,
		   .print = write_string, .heading = "file", .is_optional = true,
		   .help = "source file of the call site, with a vmlinux"),
	DIM_COLUMN("line", NUMBER, SITES, DIM_BIT(DIM_LINE), get_line, .heading = "line",
		   .is_optional = true, .help = "line in the source file"),
	DIM_COLUMN("inlined", TEXT, SITES, 0, get_inlined, .print = write_string, .heading = "inlined in",
		   .is_optional = true,
		   .help = INLINED_HELP),
	DIM_COLUMN("dir", TEXT, DIM_BIT(DIM_DIR), DIM_BIT(DIM_DIR), get_interned, .print = write_string,
		   .heading = "directory", .help = "directory of the source file"),
	DIM_COLUMN("path", TEXT, DIM_BIT(DIM_PATH), DIM_BIT(DIM_PATH), get_key,
		   .print = print_path_key,
		   .heading = "call path", .help = "call sites of the call path, the innermost first"),
	DIM_COLUMN("frames", TEXT, DIM_BIT(DIM_PATH), 0, get_frames, .print = write_path_addresses,
		   .heading = "frames", .is_optional = true, .help = FRAMES_HELP),
	DIM_COLUMN("caller", TEXT, PATHS, 0, get_caller, .print = write_site,
		   .heading = "caller",
		   .help = "call site that wanted the memory: the innermost one that is not in a helper function"),
	DIM_COLUMN("caller_address", ADDRESS, PATHS, 0, get_caller, .heading = "caller",
		   .help = "its address, a return address"),
	DIM_COLUMN("caller_file", TEXT, PATHS, 0, get_caller_file, .print = write_string,
		   .heading = "file", .is_optional = true,
		   .help = "its source file, with a vmlinux"),
	DIM_COLUMN("caller_line", NUMBER, PATHS, 0, get_caller_line, .heading = "line",
		   .is_optional = true, .help = "its line in the source file"),
	DIM_COLUMN("caller_inlined", TEXT, PATHS, 0, get_caller_inlined, .print = write_string,
		   .heading = "inlined in", .is_optional = true,
		   .help = INLINED_HELP),
	DIM_COLUMN("depth", NUMBER, DIM_BIT(DIM_PATH), DIM_BIT(DIM_PATH), get_depth,
		   .heading = "depth",
		   .help = "known call sites of the call path; 0: only that of the allocation"),
	DIM_COLUMN("stack", TEXT, DIM_BIT(DIM_STACK), DIM_BIT(DIM_STACK), get_key,
		   .print = print_stack_key,
		   .heading = "call path", .help = "functions of the call path, the innermost first"),
	DIM_COLUMN("task", TEXT, DIM_BIT(DIM_TASK), DIM_BIT(DIM_TASK), get_key, .print = write_task,
		   .heading = "task", .help = "name and number of the task, or what isn't a task"),
	DIM_COLUMN("task_id", NUMBER, DIM_BIT(DIM_TASK), DIM_BIT(DIM_TASK), get_key,
		   .heading = "id", .help = TASK_ID_HELP),
	DIM_COLUMN("task_name", TEXT, DIM_BIT(DIM_TASK_NAME), DIM_BIT(DIM_TASK_NAME), get_site,
		   .print = write_task_name, .heading = "task name",
		   .help = "name that tasks have in common, or what isn't a task"),
	{ .name = "tasks", .heading = "tasks", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_COUNT,
	  .dims = DIM_BIT(DIM_TASK_NAME), MEMBER(struct group_row, members),
	  .help = "how many tasks of that name allocated" },
	DIM_COLUMN("process", TEXT, DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS), DIM_BIT(DIM_PROCESS), get_process,
		   .print = write_process, .heading = "process",
		   .help = "name and number of the process"),
	DIM_COLUMN("process_id", NUMBER, DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS),
		   DIM_BIT(DIM_PROCESS), get_process, .heading = "id",
		   .help = "number of the process in the trace; the kernel may use a tgid again"),
	OF_TASK("comm", TEXT, DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS), TASK_COMM,
		.print = write_string, .heading = "name",
		.help = "name of the task or of the process"),
	OF_TASK("pid", NUMBER, DIM_BIT(DIM_TASK), TASK_PID, .heading = "pid",
		.help = "number of the task"),
	OF_TASK("tgid", NUMBER, DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS), TASK_TGID,
		.heading = "tgid", .help = "number of the process"),
	OF_TASK("start_ns", NUMBER, DIM_BIT(DIM_TASK), TASK_START, .unit = KMEMTRACE_CLOCK,
		.heading = "created", .help = "when the task was created"),
	OF_TASK("has_exited", BOOL, DIM_BIT(DIM_TASK), TASK_HAS_EXITED, .only = WITH_SURVIVORS,
		.heading = "exited", .help = "the task does not exist any more when tracing ends"),
	DIM_COLUMN("context", TEXT, DIM_BIT(DIM_TASK) | DIM_BIT(DIM_PROCESS), 0, get_context,
		   .print = write_context, .heading = "context",
		   .help = "task, softirq, hardirq or unknown"),
	DIM_COLUMN("cgroup", TEXT, DIM_BIT(DIM_CGROUP), DIM_BIT(DIM_CGROUP), get_key,
		   .print = write_cgroup, .heading = "cgroup",
		   .help = "path of the memory cgroup that the memory is charged to"),
	OF_CGROUP("cgroup_id", NUMBER, CGROUP_NUMBER, .key_of = DIM_BIT(DIM_CGROUP),
		  .heading = "id", .help = CGROUP_ID_HELP),
	DIM_COLUMN("is_removed", BOOL, DIM_BIT(DIM_CGROUP) | DIM_BIT(DIM_REMOVED), DIM_BIT(DIM_REMOVED),
		   get_is_removed, .is_optional = true, .heading = "removed",
		   .help = "the cgroup was removed: only the memory that is charged to it keeps it"),
	{ .name = "cgroups", .heading = "cgroups", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_COUNT,
	  .dims = DIM_BIT(DIM_REMOVED), MEMBER(struct group_row, members),
	  .help = "how many cgroups have live memory there" },
	OF_CGROUP("is_released", BOOL, CGROUP_IS_RELEASED, .heading = "released",
		  .help = "nothing is charged to the removed cgroup any more"),
	OF_CGROUP("removed_ns", SIGNED, CGROUP_REMOVED, .unit = KMEMTRACE_TIME,
		  .heading = "removed at", .help = "when the cgroup was removed"),
	DIM_COLUMN("cache", TEXT, DIM_BIT(DIM_CACHE), DIM_BIT(DIM_CACHE), get_key, .print = write_cache,
		   .heading = "cache", .help = "name of the slab cache; (none): large kmalloc()"),
	DIM_COLUMN("cache_id", NUMBER, DIM_BIT(DIM_CACHE), DIM_BIT(DIM_CACHE), get_key,
		   .heading = "id", .help = CACHE_ID_HELP),
	DIM_COLUMN("is_used", BOOL, DIM_BIT(DIM_CACHE), 0, get_used, .heading = "in use",
		   .help = "the trace has allocations or frees of it"),
	OF_CACHE("cache_address", ADDRESS, CACHE_ADDRESS, .heading = "address",
		 .help = "address of the slab cache"),
	DIM_COLUMN("merged", TEXT, DIM_BIT(DIM_CACHE), 0, get_merged, .print = write_merged,
		   .heading = "merged", .is_optional = true,
		   .help = "names of the slab caches that were merged with it"),
	OF_CACHE("merged_caches", NUMBER, CACHE_MERGED, .unit = KMEMTRACE_COUNT,
		 .heading = "merged", .help = "how many they are"),
	OF_CACHE("object_size", NUMBER, CACHE_OBJECT_SIZE, .unit = KMEMTRACE_BYTES,
		 .heading = "object", .help = "bytes of an object of the slab cache"),
	OF_CACHE("slot_size", NUMBER, CACHE_SLOT_SIZE, .unit = KMEMTRACE_BYTES, .heading = "each",
		 .help = "bytes that such an object takes"),
	OF_CACHE("align", NUMBER, CACHE_ALIGN, .unit = KMEMTRACE_BYTES, .heading = "align",
		 .help = "alignment of such an object"),
	OF_CACHE("cache_flags", ADDRESS, CACHE_FLAGS, .heading = "flags",
		 .help = "SLAB_* of the kernel"),
	OF_CACHE("users", SIGNED, CACHE_USERS, .unit = KMEMTRACE_COUNT, .heading = "users",
		 .help = "slab caches that share it"),
	OF_CACHE("created_ns", SIGNED, CACHE_CREATED, .unit = KMEMTRACE_TIME, .heading = "created",
		 .help = "when the slab cache was created, if it was in the trace"),
	OF_CACHE("destroyed_ns", SIGNED, CACHE_DESTROYED, .unit = KMEMTRACE_TIME,
		 .heading = "destroyed", .help = "when the slab cache was destroyed"),
	DIM_COLUMN("size", NUMBER, DIM_BIT(DIM_SIZE), DIM_BIT(DIM_SIZE), get_size, .unit = KMEMTRACE_BYTES,
		   .heading = "bytes each", .is_optional = true,
		   .help = "bytes that each allocation got; none: unknown"),
	{ .name = "size_from", .heading = "from", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_BYTES,
	  .dims = DIM_BIT(DIM_REQUEST), .key_of = DIM_BIT(DIM_REQUEST), .get = get_request, .arg = 0,
	  .is_optional = true, .help = "fewest bytes that each allocation requested" },
	{ .name = "size_to", .heading = "to", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_BYTES,
	  .dims = DIM_BIT(DIM_REQUEST), .key_of = DIM_BIT(DIM_REQUEST), .get = get_request, .arg = 1,
	  .is_optional = true, .help = "most bytes that each allocation requested" },
	DIM_COLUMN("gfp_flags", ADDRESS, DIM_BIT(DIM_GFP), DIM_BIT(DIM_GFP), get_gfp, .heading = "gfp flags",
		   .is_optional = true, .help = "flags of the allocations; none: unknown"),
	DIM_COLUMN("gfp_names", TEXT, DIM_BIT(DIM_GFP), 0, get_gfp, .print = write_gfp,
		   .heading = "gfp flags", .is_optional = true,
		   .help = "names of the flags in the traced kernel"),
	DIM_COLUMN("order", NUMBER, DIM_BIT(DIM_ORDER), DIM_BIT(DIM_ORDER), get_order, .heading = "order",
		   .is_optional = true, .help = "order of the blocks of pages; none: unknown"),
	DIM_COLUMN("migratetype", TEXT, DIM_BIT(DIM_MOBILITY), DIM_BIT(DIM_MOBILITY), get_key,
		   .print = write_mobility, .heading = "migrate type",
		   .help = "whether the pages can be moved or reclaimed, by the flags"),
	DIM_COLUMN("is_older", BOOL, DIM_BIT(DIM_OLDER), DIM_BIT(DIM_OLDER), get_key, .heading = "older",
		   .help = "the memory was live when tracing began"),
	FIGURES(FIGURE_COLUMN)
	{ .name = "wasted", .heading = "wasted", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_BYTES,
	  .get = get_wasted, .arg = false,
	  .help = "bytes wasted: those that the allocations got beyond the requested ones" },
	{ .name = "waste_ratio", .heading = "wasted", .type = KMEMTRACE_REAL,
	  .unit = KMEMTRACE_RATIO, .get = get_waste_ratio, .arg = false,
	  .help = "these bytes as a part of those that the allocations got" },
	{ .name = "live_wasted", .heading = "live waste", .type = KMEMTRACE_NUMBER,
	  .unit = KMEMTRACE_BYTES, .get = get_wasted, .arg = true,
	  .help = "live bytes wasted: those of the live memory" },
	FIGURES(ERROR_COLUMN)
	{ .name = "exited_bytes", .heading = "of exited", .type = KMEMTRACE_NUMBER,
	  .unit = KMEMTRACE_BYTES, MEMBER(struct group_row, exited_bytes), .is_optional = true,
	  .only = WITH_SURVIVORS,
	  .help = "live bytes that tasks allocated which do not exist any more when tracing ends" },
	{ .name = "change_bytes", .heading = "change", .type = KMEMTRACE_SIGNED,
	  .unit = KMEMTRACE_BYTES, .get = get_change, .arg = CHANGE_LIVE, .is_optional = true, .only = OF_MOMENTS,
	  .help = "in kmemtrace-top: live bytes, less those at the mark" },
	RATE("change_bytes_per_second", "change/s", BYTES, CHANGE_LIVE_RATE,
	     "in kmemtrace-top: change of the live bytes a second"),
	RATE("allocs_per_second", "allocations/s", COUNT, CHANGE_ALLOCS_RATE,
	     "in kmemtrace-top: allocations a second"),
	RATE("frees_per_second", "frees/s", COUNT, CHANGE_FREES_RATE, "in kmemtrace-top: frees a second"),
	{ .name = "oldest_ns", .heading = "oldest", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_NS,
	  .get = get_oldest, .is_optional = true, .only = OF_MOMENTS, .help = "in kmemtrace-top: age of the oldest live memory" },
	OF_SUSPECT("weight", "weight", REAL, NO_UNIT, SUSPECT_WEIGHT,
		   "how suspicious it is that the memory is live"),
	OF_SUSPECT("is_suspect", "suspect", BOOL, NO_UNIT, SUSPECT_IS,
		   "the weight is 1 or more"),
	OF_SUSPECT("kept", "kept", NUMBER, COUNT, SUSPECT_KEPT,
		   "live objects, or pages, that are older than usual_ns"),
	OF_SUSPECT("kept_of", "of", NUMBER, COUNT, SUSPECT_OF,
		   "allocated objects, or pages"),
	OF_SUSPECT("spread", "spread", REAL, RATIO, SUSPECT_SPREAD,
		   "over which part of the trace the times of the allocations are spread"),
	OF_SUSPECT("first_ns", "since", SIGNED, TIME, SUSPECT_FIRST,
		   "when the oldest live memory was allocated"),
	OF_SUSPECT("newest_ns", "until", SIGNED, TIME, SUSPECT_LAST,
		   "when the newest live memory was allocated"),
	OF_SUSPECT("kept_per_second", "kept/s", REAL, COUNT, SUSPECT_RATE,
		   "live objects, or pages, that were allocated in a second, on average between first_ns and newest_ns",
		   .is_optional = true),
	OF_SUSPECT("is_at_once", "at once", BOOL, NO_UNIT, SUSPECT_AT_ONCE,
		   "all of them were allocated within a hundredth of the trace"),
	OF_SUSPECT("usual_ns", "usual life", NUMBER, NS, SUSPECT_USUAL,
		   "95 % of what was freed lived no longer", .is_optional = true),
	OF_SUSPECT("freed", "freed", NUMBER, COUNT, SUSPECT_FREED, "how many were freed"),
	OF_SUSPECT("freed_there", "freed there", NUMBER, COUNT, SUSPECT_THERE,
		   "how many of them at freed_site", .is_optional = true),
	OF_SUSPECT("freed_site", "freed at", TEXT, NO_UNIT, SUSPECT_FREED_SITE,
		   "function, offset and module of the call site that freed most of them",
		   .is_optional = true, .print = write_site),
	OF_SUSPECT("freed_address", "freed at", ADDRESS, NO_UNIT, SUSPECT_FREED_SITE,
		   "address of that call site, a return address", .is_optional = true),
	OF_SUSPECT("freed_file", "file", TEXT, NO_UNIT, SUSPECT_FREED_FILE,
		   "source file of that call site, with a vmlinux", .is_optional = true,
		   .print = write_string),
	OF_SUSPECT("freed_line", "line", NUMBER, NO_UNIT, SUSPECT_FREED_LINE,
		   "line in that file", .is_optional = true),
	OF_SUSPECT("freed_inlined", "inlined in", TEXT, NO_UNIT, SUSPECT_FREED_INLINED,
		   INLINED_HELP, .is_optional = true, .print = write_string),
	OF_SUSPECT("paths", "paths", NUMBER, COUNT, SUSPECT_PATHS,
		   "how many call paths it is; several allocate parts of the same objects, and path is the heaviest one"),
	OF_SUSPECT("below", "below", TEXT, NO_UNIT, SUSPECT_BELOW,
		   "of several: the function below which all of them allocate",
		   .is_optional = true, .print = write_function),
	OF_SUSPECT("sites", "call sites", TEXT, NO_UNIT, SUSPECT_ALL_SITES,
		   "of several: call sites that wanted the memory, eight at most, those with most live bytes first",
		   .is_optional = true, .print = write_sites),
	OF_SUSPECT("harmless", "harmless", TEXT, NO_UNIT, SUSPECT_HARMLESS,
		   "why it may be meant: reclaimable, movable, page cache, freed by a timer, freed lazily, or of another allocator", .is_optional = true,
		   .print = write_harmless),
	OF_ALLOCATOR("is_used", BOOL, NO_UNIT, ALL_USED,
		     "the trace has allocations or frees of it"),
	OF_ALLOCATOR("free_calls", NUMBER, COUNT, ALL_FREES,
		     "frees, those of unknown memory included; without them if a filter is set"),
	OF_ALLOCATOR("failed", NUMBER, COUNT, ALL_FAILED, "failed allocations"),
	OF_ALLOCATOR("peak_ns", SIGNED, TIME, ALL_PEAK_TIME, "time of the peak"),
	OF_ALLOCATOR("is_begin_known", BOOL, NO_UNIT, ALL_KNOWN,
		     "the snapshot has what was live when tracing began"),
	OF_ALLOCATOR("begin_live", NUMBER, COUNT, ALL_BEGIN,
		     "objects or pages that were live when tracing began"),
	OF_ALLOCATOR("begin_bytes_req", NUMBER, BYTES, ALL_BEGIN_REQ, "bytes that they requested"),
	OF_ALLOCATOR("begin_bytes", NUMBER, BYTES, ALL_BEGIN_BYTES, "bytes that they got"),
	OF_ALLOCATOR("older_live", NUMBER, COUNT, ALL_OLDER, "those that are live at the end"),
	OF_ALLOCATOR("older_bytes_req", NUMBER, BYTES, ALL_OLDER_REQ, "bytes that these requested"),
	OF_ALLOCATOR("older_bytes", NUMBER, BYTES, ALL_OLDER_BYTES, "bytes that these got"),
	OF_ALLOCATOR("freed_during", NUMBER, COUNT, ALL_FREED_DURING,
		     "frees before the snapshot recorded the object"),
};

/* Groups of allocations. @by: what makes a group; @of: their only allocator, or NR_SPACES */
#define GROUPS(name, text, by, of)						\
	{ INFO(name, text, .is_aged = true), COLUMNS(group_columns),	\
	  .row_size = sizeof(struct group_row), .fill = fill_groups, .compare = compare_groups,	\
	  .is_rest = is_unattributed,						\
	  .group_by = by, .space = of }

static const struct relation list[] = {
	GROUPS("totals", "Sums of each allocator.", "allocator", NR_SPACES),
	{ INFO("own", "What kmemtrace itself allocated. No other relation has it, but with --own."),
	  COLUMNS(group_columns), .row_size = sizeof(struct group_row), .fill = fill_groups,
	  .compare = compare_groups, .group_by = "allocator", .space = NR_SPACES, .is_of_own = true },
	GROUPS("sites", "Allocations by call site.", "site", NR_SPACES),
	GROUPS("functions", "Allocations by function of the call site.", "function", NR_SPACES),
	GROUPS("modules", "Allocations by the innermost module of the call path, or else by that of the call site.", "module", NR_SPACES),
	GROUPS("paths", "Allocations by call path.", "path", NR_SPACES),
	GROUPS("tasks", "Allocations by task, under each of its names.", "task", NR_SPACES),
	GROUPS("task_names", "Allocations by name of the task.", "task_name", NR_SPACES),
	GROUPS("processes", "Allocations by process.", "process", NR_SPACES),
	GROUPS("cgroups", "Allocations by the memory cgroup that they are charged to.", "cgroup",
	       NR_SPACES),
	GROUPS("keepers", "Allocations by call path, and whether their memory cgroup was removed.",
	       "stack,is_removed", NR_SPACES),
	GROUPS("caches", "Slab caches, and the allocations from them.", "cache",
	       KMEMTRACE_SPACE_SLAB),
	GROUPS("cache_sites", "Slab allocations by cache and call site.", "cache,site",
	       KMEMTRACE_SPACE_SLAB),
	GROUPS("sizes", "Allocations by the bytes that each got.", "size", NR_SPACES),
	GROUPS("requests", "Slab allocations by call site and by the bytes that each requested.",
	       "site,request", KMEMTRACE_SPACE_SLAB),
	GROUPS("gfp", "Allocations by gfp flags.", "gfp_flags", NR_SPACES),
	{ INFO("suspects", "Live memory that is unlike what was allocated in the same place and freed."),
	  COLUMNS(group_columns), .row_size = sizeof(struct group_row), .fill = fill_suspects,
	  .compare = compare_suspects, .group_by = "path", .space = NR_SPACES,
	  .is_of_suspects = true },
	GROUPS("orders", "Blocks of pages by order and migrate type.", "order,migratetype",
	       KMEMTRACE_SPACE_PAGES),
};

RELATIONS(group_relations, list);
