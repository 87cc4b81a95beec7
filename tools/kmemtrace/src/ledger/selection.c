// SPDX-License-Identifier: GPL-2.0
/*
 * selection.c - select the events to count, by a filter
 *
 * Unknown values match no filter: the name of a call site without a symbol, the size or
 * cache of a free, the CPU of memory that is older than the trace.
 */
#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/selection.h"
#include "ledger/slot.h"
#include "common/callsite.h"
#include "sums/stats.h"

#define BIT(key)	(1U << (key))

/* Match a pattern as the shell does; without wildcards, match it anywhere. */
static bool fits(const char *pattern, const char *text)
{
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, text, 0);
	return strstr(text, pattern);
}

/* Prepare a zeroed selection. */
void selection_init(struct selection *s, struct context *ctx)
{
	s->ctx = ctx;
	s->sites.ctx = ctx;
	s->paths.ctx = ctx;
	s->cgroups.ctx = ctx;
	s->tasks.ctx = ctx;
	s->modules.ctx = ctx;
	s->begin = INT64_MIN;
}

/* ---- call sites: each is matched once ---- */

static bool is_named(const struct selection *s, const struct symbol_ref *ref)
{
	return ref->name && fits(s->filter->texts[FILTER_SITE], ref->name);
}

static bool is_in_module(const struct selection *s, const struct symbol_ref *ref)
{
	const char *module = callsite_module(ref);

	return module && !strcmp(s->filter->texts[FILTER_MODULE], module);
}

/* Match the whole name. */
static bool is_function_named(const struct selection *s, const struct symbol_ref *ref)
{
	return ref->name && !fnmatch(s->filter->texts[FILTER_STACK], ref->name, 0);
}

static uint16_t find_misfits(const struct selection *s, uint64_t site)
{
	struct symbol_ref ref;
	uint16_t misfits = 0;

	symbols_find(s->symbols, site, &ref);
	if (s->filter->texts[FILTER_SITE] && !is_named(s, &ref))
		misfits |= BIT(FILTER_SITE);
	if (s->filter->texts[FILTER_MODULE] && !is_in_module(s, &ref))
		misfits |= BIT(FILTER_MODULE);
	if (s->filter->texts[FILTER_STACK] && !is_function_named(s, &ref))
		misfits |= BIT(FILTER_STACK);
	return misfits;
}

static uint16_t site_misfits(struct selection *s, uint64_t site)
{
	uint32_t i = table_index(&s->sites, site);
	uint16_t *misfits;

	if (i > s->nr_misfits)
		return 0;
	if (i == s->nr_misfits) {
		misfits = context_grow_list(s->ctx, s->misfits, i, sizeof(*misfits));
		if (!misfits)
			return 0;
		s->misfits = misfits;
		s->misfits[s->nr_misfits++] = find_misfits(s, site);
	}
	return s->misfits[i];
}

/* ---- caches ---- */

/* Match whole names: the name of a cache is often a part of another one's. */
static bool is_called(const struct cache *cache, const char *pattern)
{
	size_t i;

	for (i = 0; i < cache->nr_aliases; i++)
		if (!fnmatch(pattern, cache->aliases[i], 0))
			return true;
	return cache->name && !fnmatch(pattern, cache->name, 0);
}

/**
 * selection_take_caches - match the names of all caches
 * @s: the selection, if it is by caches
 * @caches: those of the trace, after it was read once: the names of a cache may follow
 *	long after its first object
 *
 * Return: 0 or -errno.
 */
int selection_take_caches(struct selection *s, const struct caches *caches)
{
	uint32_t i;

	s->caches = context_calloc(s->ctx, caches->nr + (size_t)1, sizeof(*s->caches));
	if (!s->caches)
		return context_error(s->ctx);
	s->nr_caches = caches->nr;
	for (i = NO_CACHE + 1; i < caches->nr; i++)
		s->caches[i] = is_called(&caches->list[i],
					 s->filter->texts[FILTER_CACHE]);
	return 0;
}

/* ---- call paths, tasks and cgroups ---- */

static uint64_t key_of_path(const struct path *path)
{
	return (uint64_t)path->generation << 32 | path->number;
}

static bool is_function(const struct selection *s, uint64_t address)
{
	struct symbol_ref ref;

	symbols_find(s->symbols, address, &ref);
	return is_function_named(s, &ref);
}

static bool has_function(const struct selection *s, const struct path *path)
{
	unsigned int i;

	for (i = 0; i < path->depth; i++)
		if (is_function(s, path->frames[i]))
			return true;
	return false;
}

/* Return whether a cgroup has the path of the filter, or is below it. */
static bool is_within(const struct selection *s, const struct cgroup *cgroup)
{
	const char *wanted = s->filter->texts[FILTER_CGROUP];
	size_t len = strlen(wanted);

	if (!cgroup->path)
		return false;
	if (strpbrk(wanted, "*?["))
		return !fnmatch(wanted, cgroup->path, 0);
	while (len && wanted[len - 1] == '/')
		len--;
	return !strncmp(cgroup->path, wanted, len) &&
	       (!cgroup->path[len] || cgroup->path[len] == '/');
}

/* Match the module of a call path that has one. */
static void match_module_of(struct selection *s, const struct who *who, uint32_t i)
{
	const struct path *path = &who->paths[i];
	const uint64_t site = who_module_site(who, s->symbols, i, NO_SITE);

	if (site != NO_SITE)
		table_row_of(&s->modules, key_of_path(path))->allocs =
			1 + !(site_misfits(s, site) & BIT(FILTER_MODULE));
}

/**
 * selection_take_who - match all call paths and cgroups
 * @s: the selection
 * @who: those of the trace, after it was read once: what their numbers mean may follow long
 *	after the first event with them
 *
 * Return: 0 or -errno.
 */
int selection_take_who(struct selection *s, const struct who *who)
{
	uint32_t i;

	for (i = 1; s->filter->texts[FILTER_STACK] && i < who->nr_paths; i++)
		if (has_function(s, &who->paths[i]))
			table_index(&s->paths, key_of_path(&who->paths[i]));
	for (i = 1; s->filter->texts[FILTER_MODULE] && i < who->nr_paths; i++)
		match_module_of(s, who, i);
	for (i = 1; s->filter->texts[FILTER_CGROUP] && i < who->nr_cgroups; i++)
		if (is_within(s, &who->cgroups[i]))
			table_index(&s->cgroups, who->cgroups[i].number);
	return context_error(s->ctx);
}

static const struct party *party_of(const struct selection *s, const struct candidate *c)
{
	return &s->who->parties[who_key_party(c->who)];
}

/* Return whether a text is a number: of a task or of a process. */
static bool is_decimal(const char *text)
{
	return text[strspn(text, "0123456789")] == '\0';
}

static bool task_matches(const struct selection *s, uint32_t i)
{
	const char *wanted = s->filter->texts[FILTER_TASK];
	const struct task *task = &s->who->tasks[i];
	char name[KMEMTRACE_COMM + 1] = "";

	if (i == TASK_UNKNOWN)
		return false;
	if (i == TASK_SOFTIRQ)
		return !fnmatch(wanted, "(softirq)", 0);
	if (i == TASK_HARDIRQ)
		return !fnmatch(wanted, "(hardirq)", 0);
	if (i == TASK_OWN)
		return !fnmatch(wanted, "(kmemtrace)", 0);
	if (is_decimal(wanted))
		return strtoull(wanted, NULL, 10) == task->pid ||
		       strtoull(wanted, NULL, 10) == task->tgid;
	memcpy(name, task->comm, sizeof(task->comm));
	return !fnmatch(wanted, name, 0);
}

/* ---- all parts of a filter ---- */

static bool site_fits(struct selection *s, const struct candidate *c)
{
	return !(site_misfits(s, c->site) & BIT(FILTER_SITE));
}

static bool module_fits(struct selection *s, const struct candidate *c)
{
	const uint32_t path = who_key_path(c->who);
	const struct row *known = path ? table_find(&s->modules, key_of_path(&s->who->paths[path])) :
					 NULL;

	return known ? known->allocs > 1 : !(site_misfits(s, c->site) & BIT(FILTER_MODULE));
}

static bool cache_fits(struct selection *s, const struct candidate *c)
{
	return c->cache < s->nr_caches && s->caches[c->cache];
}

static bool type_fits(struct selection *s, const struct candidate *c)
{
	unsigned int types = c->type == SLOT_ANY_TYPE ? EVENT_SLAB_TYPES :
			     1U << c->type;

	return (s->filter->types & types) == types;
}

static bool cpu_fits(struct selection *s, const struct candidate *c)
{
	return filter_has_cpu(s->filter, c->cpu);
}

static bool size_fits(struct selection *s, const struct candidate *c)
{
	return filter_has_size(s->filter, c->req);
}

/* Each task is matched once. */
static bool task_fits(struct selection *s, const struct candidate *c)
{
	const uint32_t task = party_of(s, c)->task;
	struct row *known = table_row_of(&s->tasks, task);

	if (!known->allocs)
		known->allocs = 1 + task_matches(s, task);
	return known->allocs > 1;
}

static bool cgroup_fits(struct selection *s, const struct candidate *c)
{
	const uint32_t cgroup = party_of(s, c)->cgroup;

	return cgroup != NO_CGROUP && table_has(&s->cgroups, s->who->cgroups[cgroup].number);
}

/* Without its call path, an event has one function. */
static bool stack_fits(struct selection *s, const struct candidate *c)
{
	const uint32_t path = who_key_path(c->who);

	return (path && table_has(&s->paths, key_of_path(&s->who->paths[path]))) ||
	       !(site_misfits(s, c->site) & BIT(FILTER_STACK));
}

/* The age of memory is known at the end only. */
static bool any_age_fits(struct selection *s, const struct candidate *c)
{
	(void)s;
	(void)c;
	return true;
}

static bool (* const parts[NR_FILTERS])(struct selection *s, const struct candidate *c) = {
	[FILTER_SITE] = site_fits,
	[FILTER_MODULE] = module_fits,
	[FILTER_CACHE] = cache_fits,
	[FILTER_TYPE] = type_fits,
	[FILTER_CPU] = cpu_fits,
	[FILTER_SIZE] = size_fits,
	[FILTER_TASK] = task_fits,
	[FILTER_CGROUP] = cgroup_fits,
	[FILTER_STACK] = stack_fits,
	[FILTER_OLDER] = any_age_fits,
	[FILTER_YOUNGER] = any_age_fits,
};

/**
 * selection_hides - match an event
 * @s: the selection; @ctx of @s->sites must be set
 * @c: the event
 *
 * Return: whether it is hidden: a part of the filter doesn't match, or it is too early.
 */
bool selection_hides(struct selection *s, const struct candidate *c)
{
	unsigned int i, misfits = 0;

	for (i = 0; i < NR_FILTERS; i++)
		if (s->filter->texts[i] && !parts[i](s, c))
			misfits |= BIT(i);
	s->fit |= ~misfits;
	return misfits || c->time < s->begin;
}

/* Free all memory. */
void selection_free(struct selection *s)
{
	table_clear(&s->sites);
	table_clear(&s->paths);
	table_clear(&s->cgroups);
	table_clear(&s->tasks);
	table_clear(&s->modules);
	free(s->misfits);
	free(s->caches);
}
