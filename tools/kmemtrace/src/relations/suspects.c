// SPDX-License-Identifier: GPL-2.0
/*
 * suspects.c - which live memory is unlike what was allocated in the same place and freed
 *
 * A leak is memory that nobody frees, though what was allocated in the same place was freed, or that
 * is allocated again and again. So the weight of a group grows with
 *
 *	the number of allocations that are live, and older than nearly all that were freed,
 *	their part of all allocations of the group,
 *	the number of moments at which they were allocated: what a start or a mount allocates and
 *	keeps is allocated at once, and needs many moments.
 *
 * Memory that the kernel reclaims when it is short, and the pages of files and processes, are kept on
 * purpose, as a rule: their weight is a small part of that.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "common/intern.h"
#include "common/number.h"
#include "ledger/sample.h"
#include "ledger/total.h"
#include "read/gfp.h"
#include "relations/helpers.h"
#include "relations/suspects.h"

/* What is left of the weight of memory that may be meant. */
static const double weights[NR_HARMLESS] = {
	[HARMLESS_NOT] = 1, [HARMLESS_RECLAIMABLE] = 0.1, [HARMLESS_MOVABLE] = 0.1,
	[HARMLESS_CACHED] = 0.1, [HARMLESS_TIMED] = 0.1, [HARMLESS_LAZY] = 0.01,
	[HARMLESS_BACKING] = 0.01,
};

/*
 * If nothing of a group was freed, memory may still wait for its free, as kfree_rcu() lets it wait
 * for up to 5 seconds. Younger memory counts for a part.
 */
#define YOUNG_NS	5000000000
#define YOUNG_PART	0.2

/* ---- what is harmless ---- */

/*
 * Return the flag of slab caches that the kernel reclaims. Its value depends on the configuration of
 * the kernel: caches kmalloc-rcl-N have it, and caches kmalloc-N don't.
 */
static uint64_t reclaim_flag(const struct caches *caches)
{
	uint64_t reclaimed = ~UINT64_C(0), others = 0;
	bool has_any = false;
	uint32_t i;

	for (i = NO_CACHE + 1; i < caches->nr; i++) {
		const struct cache *cache = &caches->list[i];

		if (!cache->name || strncmp(cache->name, "kmalloc-", 8))
			continue;
		if (strncmp(cache->name, "kmalloc-rcl-", 12)) {
			others |= cache->flags;
		} else {
			reclaimed &= cache->flags;
			has_any = true;
		}
	}
	return has_any ? reclaimed & ~others : 0;
}

/* Functions whose memory is freed later, or is a part of what another allocator counts. */
static const struct {
	const char *function;
	enum harmless harmless;
} allocators[] = {
	{ "inet_twsk_alloc", HARMLESS_TIMED },
	{ "page_cache_ra_unbounded", HARMLESS_CACHED }, { "page_cache_ra_order", HARMLESS_CACHED },
	{ "__filemap_get_folio", HARMLESS_CACHED }, { "filemap_alloc_folio", HARMLESS_CACHED },
	{ "alloc_vmap_area", HARMLESS_LAZY }, { "ne_fit_preload", HARMLESS_LAZY },
	{ "allocate_slab", HARMLESS_BACKING }, { "cache_grow_begin", HARMLESS_BACKING },
	{ "slob_new_pages", HARMLESS_BACKING }, { "alloc_slab_obj_exts", HARMLESS_BACKING },
	{ "vm_area_alloc_pages", HARMLESS_BACKING }, { "__get_vm_area_node", HARMLESS_BACKING },
	{ "__vmalloc_node_range", HARMLESS_BACKING }, { "__vmalloc_area_node", HARMLESS_BACKING },
	{ "pcpu_mem_zalloc", HARMLESS_BACKING }, { "pcpu_alloc_pages", HARMLESS_BACKING },
	{ "__pte_alloc_kernel", HARMLESS_BACKING },
	{ "pcpu_populate_chunk", HARMLESS_BACKING }, { "pcpu_create_chunk", HARMLESS_BACKING },
};

/* Functions that start what keeps its memory: the kernel, a module, a device, a mount. */
static const char *const starts[] = {
	"start_kernel", "kernel_init_freeable", "do_one_initcall", "load_module", "do_init_module",
	"really_probe", "vfs_get_tree",
};

/* Return why what a call site allocates may be meant. */
static enum harmless harmless_site(const struct kmemtrace_trace *trace, uint64_t site)
{
	struct symbol_ref ref = { .name = NULL };
	size_t i;

	symbols_find(&trace->t.symbols, site, &ref);
	for (i = 0; ref.name && i < sizeof(allocators) / sizeof(*allocators); i++)
		if (function_matches(ref.name, allocators[i].function))
			return allocators[i].harmless;
	return HARMLESS_NOT;
}

/* Return whether a path is that of a start, or unknown. */
static bool is_of_start(const struct kmemtrace_trace *trace, const struct path *path)
{
	size_t i, j;

	for (i = 0; i < path->depth; i++) {
		struct symbol_ref ref = { .name = NULL };

		symbols_find(&trace->t.symbols, path->frames[i], &ref);
		for (j = 0; ref.name && j < sizeof(starts) / sizeof(*starts); j++)
			if (function_matches(ref.name, starts[j]))
				return true;
	}
	return !path->depth;
}

static enum harmless harmless_kind(const struct kmemtrace_trace *trace,
				   const struct kmemtrace_kind *kind, uint64_t flag)
{
	const struct caches *caches = &trace->t.ledger.caches;
	const enum kmemtrace_mobility mobility = kind->gfp_flags & GFP_MOVABLE_OR_RECLAIMABLE ?
		api_mobility(trace, kind->gfp_flags) : KMEMTRACE_UNMOVABLE;

	if (mobility == KMEMTRACE_RECLAIMABLE ||
	    (kind->cache != NO_CACHE && caches->list[kind->cache].flags & flag))
		return HARMLESS_RECLAIMABLE;
	return kind->space == KMEMTRACE_SPACE_PAGES && mobility == KMEMTRACE_MOVABLE ?
	       HARMLESS_MOVABLE : HARMLESS_NOT;
}

/* ---- what is known of a group ---- */

/*
 * Find the call site and the path of a kind among @calls; if @is_new, add them. Return INTERN_NONE
 * where they are not among them, or there is no memory.
 */
static uint64_t number_of_call(struct intern *calls, const struct ledger *l, uint32_t i, bool is_new)
{
	const struct kind *kind = kinds_get(&l->kinds, i);
	const uint64_t call[] = { kind->site, who_key_path(kind->who) };

	return is_new ? intern(calls, call, sizeof(call)) : intern_find(calls, call, sizeof(call));
}

/* Collect the calls that allocated areas of vmalloc(). Return 0 or -ENOMEM. */
static int find_area_calls(struct intern *calls, const struct kmemtrace_trace *trace)
{
	const struct ledger *l = &trace->t.ledger;
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++)
		if (api_kind(l, i).space == KMEMTRACE_SPACE_VMALLOC && !api_kind(l, i).is_free &&
		    number_of_call(calls, l, i, true) == INTERN_NO_MEMORY)
			return -ENOMEM;
	return 0;
}

/*
 * Add the allocations of a kind. Those of pages are single pages, as their births are. The pages of
 * an area of vmalloc() have its call.
 */
static void add_allocations(struct suspicion *s, const struct kmemtrace_trace *trace, uint32_t i,
			    uint64_t flag, struct intern *area_calls)
{
	const struct ledger *l = &trace->t.ledger;
	const struct kmemtrace_kind kind = api_kind(l, i);
	const struct row row = total_row(l, i);
	const uint64_t nr = kind.space == KMEMTRACE_SPACE_PAGES ? row.alloc >> l->page_shift :
								  row.allocs;

	if (nr > s->most) {
		s->most = nr;
		s->site = kind.call_site;
	}
	s->allocs += nr;
	if (is_of_start(trace, &l->who.paths[who_key_path(kinds_get(&l->kinds, i)->who)]))
		s->of_start += nr;
	s->nr[kind.space == KMEMTRACE_SPACE_PAGES &&
	      number_of_call(area_calls, l, i, false) != INTERN_NONE ?
	      HARMLESS_BACKING : harmless_kind(trace, &kind, flag)] += nr;
}

/**
 * struct freed_at - how many allocations of a group were freed at a call site
 */
struct freed_at {
	uint32_t group;
	uint64_t site, nr;
};

static int by_group_and_site(const void *a, const void *b)
{
	const struct freed_at *x = a, *y = b;

	return compare_u64(x->group, y->group) ?: compare_u64(x->site, y->site);
}

/* Find the call site at which most of each group was freed. */
static void set_freed_sites(struct suspicion *list, struct freed_at *frees, size_t nr)
{
	uint64_t sum = 0;
	size_t i;

	if (nr)
		qsort(frees, nr, sizeof(*frees), by_group_and_site);
	for (i = 0; i < nr; i++) {
		struct suspicion *s = &list[frees[i].group];

		sum = i && !by_group_and_site(&frees[i - 1], &frees[i]) ?
		      sum + frees[i].nr : frees[i].nr;
		if (sum > s->freed_there) {
			s->freed_site = frees[i].site;
			s->freed_there = sum;
		}
	}
}

/* Add the lives of what was freed. Return 0 or -ENOMEM. */
static int add_lives(struct suspicion *list, const struct kmemtrace_trace *trace,
		     const uint32_t *group_of)
{
	const struct lifetimes *all = &trace->t.ledger.stats.lifetimes;
	const struct kinds *kinds = &trace->t.ledger.kinds;
	struct freed_at *frees = calloc(all->nr + 1, sizeof(*frees));
	size_t nr = 0;
	uint32_t i;

	if (!frees)
		return -ENOMEM;
	for (i = 1; i < all->nr; i++) {
		const struct lifetime *life = &all->list[i];
		const uint32_t group = group_of[life->kind];

		if (group == NO_GROUP)
			continue;
		lifetime_add(&list[group].lives, life);
		frees[nr++] = (struct freed_at) {
			.group = group,
			.site = kinds_get(kinds, life->freed_by)->site,
			.nr = lifetime_ended(life, LIFETIME_STEPS),
		};
	}
	set_freed_sites(list, frees, nr);
	free(frees);
	return 0;
}

/**
 * struct suspects - all groups
 * @list: what is known of each
 * @group_of: by number of the kind, its group or NO_GROUP
 */
struct suspects {
	struct suspicion *list;
	const uint32_t *group_of;
};

static struct births *births_of_kind(void *arg, uint32_t kind)
{
	const struct suspects *s = arg;

	return s->group_of[kind] == NO_GROUP ? NULL : &s->list[s->group_of[kind]].births;
}

/* Return when the boot was over. What it allocates it keeps. */
static int64_t boot_end(const struct kmemtrace_trace *trace)
{
	const struct history *h = &trace->t.ledger.history;

	return h->nr_phases ? h->phases[h->nr_phases - 1].begin : INT64_MIN;
}

/* Add when live memory was allocated, after the boot. Return 0 or -ENOMEM. */
static int add_births(struct suspicion *list, const struct kmemtrace_trace *trace,
		      const uint32_t *group_of)
{
	struct suspects all = { list, group_of };
	int space, ret = 0;

	for (space = 0; !ret && space < NR_SPACES; space++)
		ret = api_find_births(trace, space, boot_end(trace), births_of_kind, &all);
	return ret;
}

/* ---- how suspicious it is ---- */

/* Return how long 95 % of what was freed lived, at most. */
static uint64_t usual_life(const struct lifetime *lives)
{
	const uint64_t ended = lifetime_ended(lives, LIFETIME_STEPS);
	unsigned int step = 0;

	if (!ended)
		return 0;
	while (lifetime_ended(lives, step + 1) < ended - ended / 20)
		step++;
	return lives->longest < lifetime_longest[step] ? lives->longest : lifetime_longest[step];
}

/* Return over how many parts of the trace births are spread, 0 to 1: an entropy. */
static double spread_of(const struct births *births)
{
	double entropy = 0, part;
	size_t i;

	for (i = 0; i < BIRTH_STEPS; i++) {
		if (!births->steps[i])
			continue;
		part = (double)births->steps[i] / (double)births->nr;
		entropy -= part * log(part);
	}
	return births->nr ? exp(entropy) / BIRTH_STEPS : 0;
}

/* Return how many births are older than @ns. */
static uint64_t born_before(const struct kmemtrace_trace *trace, const struct births *births, uint64_t ns)
{
	const uint64_t step = api_birth_step(trace);
	const uint64_t length = (uint64_t)trace->t.last - (uint64_t)trace->t.first;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < BIRTH_STEPS; i++)
		if (length > ns && (i + 1) * step <= length - ns)
			nr += births->steps[i];
	return nr;
}

/* Return 0 to 1: how little the births look like one start. */
static double repeated(const struct suspicion *s)
{
	const double moments = (1 + log2(s->spread * BIRTH_STEPS)) / 4;

	if (s->of_start > s->allocs / 2)
		return s->spread;
	return moments < 1 ? moments : 1;
}

static void judge(struct suspicion *s, const struct kmemtrace_trace *trace)
{
	double nr;

	s->usual_ns = usual_life(&s->lives);
	s->of_site = harmless_site(trace, s->site);
	s->kept = born_before(trace, &s->births, s->usual_ns);
	s->spread = spread_of(&s->births);
	if (!s->kept || !s->allocs)
		return;
	nr = (double)s->kept;
	if (!s->freed_there) {
		const double old = (double)born_before(trace, &s->births, YOUNG_NS);

		nr = old + (nr - old) * YOUNG_PART;
	}
	s->weight = log2(1 + nr / 4) * sqrt(nr / (double)s->allocs) * repeated(s) *
		    weights[suspicion_harmless(s)];
}

/* Return why the live memory of a group may be meant. */
enum harmless suspicion_harmless(const struct suspicion *s)
{
	int i;

	for (i = HARMLESS_NOT + 1; i < NR_HARMLESS; i++)
		if (s->nr[i] > s->allocs / 2)
			return i;
	return s->of_site;
}

/**
 * suspects_judge - find out how suspicious the live memory of groups is
 * @trace: the trace, after it was read
 * @group_of: by number of the kind, its group or NO_GROUP
 * @nr_groups: how many groups there are
 *
 * Return: what is known of each group, to be freed; NULL: no memory.
 */
struct suspicion *suspects_judge(const struct kmemtrace_trace *trace, const uint32_t *group_of,
				 size_t nr_groups)
{
	const struct ledger *l = &trace->t.ledger;
	struct suspicion *list = calloc(nr_groups + 1, sizeof(*list));
	const uint64_t flag = reclaim_flag(&l->caches);
	struct intern area_calls = { .nr = 0 };
	int ret = list ? find_area_calls(&area_calls, trace) : -ENOMEM;
	uint32_t i;
	size_t j;

	for (i = 0; !ret && i < l->kinds.nr; i++)
		if (group_of[i] != NO_GROUP)
			add_allocations(&list[group_of[i]], trace, i, flag, &area_calls);
	intern_free(&area_calls);
	if (ret || add_lives(list, trace, group_of) || add_births(list, trace, group_of)) {
		free(list);
		return NULL;
	}
	for (j = 0; j < nr_groups; j++) {
		list[j].paths = 1;
		judge(&list[j], trace);
	}
	return list;
}

/* ---- many call paths of one owner ---- */

/*
 * What creates an object with many parts, such as a network namespace, allocates by many call paths,
 * each time by all of them. If it is kept, so are all parts: that is one suspect. So many paths, at
 * least, must agree, of all allocators: two bugs in one function may, but not so many.
 */
#define LEAST_PARTS	10

/* Of the groups of one root, the parts of this many are looked for, at most. */
#define MOST_OWNERS	16

/* How much the times, and the share that is live, of two parts may differ. */
#define MOST_APART	0.25

/* Functions that calls go through which have nothing else in common. */
static const char *const entries[] = {
	"entry_*", "ret_from_fork*", "asm_*", "do_syscall_64", "x64_sys_call", "ia32_sys_call",
	"do_int80_*", "do_fast_syscall_32", "__do_fast_syscall_32", "el0*", "do_el0_svc",
	"invoke_syscall*", "do_trap_ecall_u", "__do_syscall", "system_call", "kthread",
	"worker_thread", "process_one_work", "process_scheduled_works",
};

static bool is_entry(const struct kmemtrace_trace *trace, uint64_t address)
{
	struct symbol_ref ref = { .name = NULL };
	size_t i;

	symbols_find(&trace->t.symbols, address, &ref);
	for (i = 0; ref.name && i < sizeof(entries) / sizeof(*entries); i++)
		if (function_matches(ref.name, entries[i]))
			return true;
	return false;
}

/* Return the address of the function of a call, or that of the call. */
static uint64_t function_of(const struct kmemtrace_trace *trace, uint64_t address)
{
	struct symbol_ref ref = { .name = NULL };

	symbols_find(&trace->t.symbols, address, &ref);
	return ref.name ? address - ref.offset : address;
}

/* Find the outermost function of a path that says what is done. Of a cut path, nobody knows it. */
static void find_root(const struct kmemtrace_trace *trace, struct suspect_path *p)
{
	p->depth = p->path && !p->path->is_cut ? p->path->depth : 0;
	while (p->depth && is_entry(trace, p->path->frames[p->depth - 1]))
		p->depth--;
	if (!p->depth)
		return;
	p->root = function_of(trace, p->path->frames[p->depth - 1]);
	p->caller = p->path->frames[helpers_before(&trace->t.symbols, p->path->frames, p->depth)];
}

static int heaviest_first(const void *a, const void *b)
{
	const struct suspect_path *const *x = a, *const *y = b;
	const double wx = (*x)->suspicion->weight, wy = (*y)->suspicion->weight;

	return (wx < wy) - (wx > wy) ?: (*x > *y) - (*x < *y);
}

/* Groups of one root follow each other, the heaviest first. */
static int by_root(const void *a, const void *b)
{
	const struct suspect_path *const *x = a, *const *y = b;

	return compare_u64((*x)->root, (*y)->root) ?: heaviest_first(a, b);
}

/* The bytes of two allocators are never added up. */
static int by_allocator(const void *a, const void *b)
{
	const struct suspect_path *const *x = a, *const *y = b;

	return (*x)->space - (*y)->space ?: heaviest_first(a, b);
}

static double share_live(const struct suspicion *s)
{
	return (double)s->births.nr / (double)s->allocs;
}

static uint64_t ns_apart(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* Return whether the live memory of two groups may be parts of the same objects. */
static bool are_parts(const struct suspicion *x, const struct suspicion *y, uint64_t step)
{
	double apart = 0;
	size_t i;

	if (ns_apart(x->births.first, y->births.first) > step ||
	    ns_apart(x->births.last, y->births.last) > step ||
	    fabs(share_live(x) - share_live(y)) > MOST_APART)
		return false;
	for (i = 0; i < BIRTH_STEPS; i++)
		apart += fabs((double)x->births.steps[i] / (double)x->births.nr -
			      (double)y->births.steps[i] / (double)y->births.nr);
	return apart / 2 <= MOST_APART;
}

/*
 * Return how many calls two paths have in common, at most @most, from their roots on: in the last one,
 * the same function may call different ones.
 */
static size_t common_calls(const struct kmemtrace_trace *trace, const struct suspect_path *x,
			   const struct suspect_path *y, size_t most)
{
	size_t i;

	for (i = 0; i < most && i < x->depth && i < y->depth; i++) {
		const uint64_t a = x->path->frames[x->depth - 1 - i];
		const uint64_t b = y->path->frames[y->depth - 1 - i];

		if (a != b)
			return i + (function_of(trace, a) == function_of(trace, b));
	}
	return i;
}

static int by_bytes(const void *a, const void *b)
{
	const struct suspect_path *const *x = a, *const *y = b;

	return compare_u64((*y)->bytes, (*x)->bytes) ?: (*x > *y) - (*x < *y);
}

/* Add what is known of a part. The weight stays: the parts say the same. */
static void add_part_of(struct suspicion *sum, const struct suspicion *part)
{
	size_t i;

	for (i = 0; i < BIRTH_STEPS; i++)
		sum->births.steps[i] += part->births.steps[i];
	sum->births.nr += part->births.nr;
	if (part->births.first < sum->births.first)
		sum->births.first = part->births.first;
	if (part->births.last > sum->births.last)
		sum->births.last = part->births.last;
	sum->allocs += part->allocs;
	sum->kept += part->kept;
	lifetime_add(&sum->lives, &part->lives);
	if (sum->freed_site == part->freed_site)
		sum->freed_there += part->freed_there;
	if (part->usual_ns > sum->usual_ns)
		sum->usual_ns = part->usual_ns;
}

/*
 * Let the first of @nr groups, the number of which is @leader, stand for all of them. They have
 * @common calls in common.
 */
static void join_agreeing(struct suspect_path **parts, size_t nr, size_t leader, size_t common)
{
	const struct suspect_path *first = parts[0];
	struct suspicion *sum = first->suspicion;
	size_t i, j, sites = 0;

	for (i = 1; i < nr; i++) {
		parts[i]->leader = leader;
		add_part_of(sum, parts[i]->suspicion);
	}
	sum->paths = nr;
	sum->below = first->path->frames[first->depth - common];
	qsort(parts, nr, sizeof(*parts), by_bytes);
	for (i = 0; i < nr && sites < SUSPECT_SITES; i++) {
		for (j = 0; j < sites && sum->sites[j] != parts[i]->caller; j++)
			;
		if (j == sites)
			sum->sites[sites++] = parts[i]->caller;
	}
}

/* Join the parts of the same objects, of each allocator. */
static void join_by_allocator(const struct kmemtrace_trace *trace,
			      const struct suspect_path *list, struct suspect_path **parts,
			      size_t nr)
{
	size_t common = parts[0]->depth, i, end;

	for (i = 1; i < nr; i++)
		common = common_calls(trace, parts[0], parts[i], common);
	qsort(parts, nr, sizeof(*parts), by_allocator);
	for (i = 0; i < nr; i = end) {
		for (end = i; end < nr && parts[end]->space == parts[i]->space; end++)
			parts[end]->is_part = true;
		if (end > i + 1)
			join_agreeing(parts + i, end - i, parts[i] - list, common);
	}
}

/* Join parts among @nr groups of one root. @parts has room for them. */
static void join_of_root(const struct kmemtrace_trace *trace, const struct suspect_path *list,
			 struct suspect_path **of_root, size_t nr, struct suspect_path **parts)
{
	const uint64_t step = api_birth_step(trace);
	unsigned int tries = 0;
	size_t i, j, nr_parts;

	for (i = 0; i < nr && tries < MOST_OWNERS; i++) {
		if (of_root[i]->is_part)
			continue;
		tries++;
		for (j = i, nr_parts = 0; j < nr; j++)
			if (!of_root[j]->is_part &&
			    are_parts(of_root[i]->suspicion, of_root[j]->suspicion, step))
				parts[nr_parts++] = of_root[j];
		if (nr_parts >= LEAST_PARTS)
			join_by_allocator(trace, list, parts, nr_parts);
	}
}

/**
 * suspects_join - let one group stand for those that are parts of the same objects
 * @trace: the trace
 * @list: groups that have a weight
 * @nr: entries of @list
 *
 * Return: 0 or -ENOMEM.
 */
int suspects_join(const struct kmemtrace_trace *trace, struct suspect_path *list, size_t nr)
{
	struct suspect_path **order = calloc(2 * nr + 1, sizeof(*order));
	size_t i, end;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		list[i].leader = i;
		find_root(trace, &list[i]);
		order[i] = &list[i];
	}
	if (nr)
		qsort(order, nr, sizeof(*order), by_root);
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && order[end]->root == order[i]->root; end++)
			;
		if (order[i]->root)
			join_of_root(trace, list, order + i, end - i, order + nr);
	}
	free(order);
	return 0;
}
