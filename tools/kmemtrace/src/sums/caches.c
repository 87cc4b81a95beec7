// SPDX-License-Identifier: GPL-2.0
/*
 * caches.c - the slab caches of a trace, from their records and from the links in sysfs
 * for merged caches
 *
 * A record may come late or be lost. An event with an address that no record has adds a
 * cache without a name.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sums/caches.h"
#include "sums/kinds.h"

/* Words of a record's tail: the alignment, and the begin of the name. */
#define ALIGN_WORD	0
#define NAME_OFFSET	8

static uint32_t add_cache(struct caches *c, uint64_t addr)
{
	/* The first cache stands for no cache. */
	uint32_t i = c->nr ? c->nr : NO_CACHE + 1;
	struct cache *list;

	if (i > CLASS_MAX_CACHE)
		return NO_CACHE;
	if (!c->nr)
		list = context_realloc(c->ctx, NULL, 2, sizeof(*list));
	else
		list = context_grow_list(c->ctx, c->list, i, sizeof(*list));
	if (!list)
		return NO_CACHE;
	c->list = list;
	if (!c->nr)
		c->list[NO_CACHE] = (struct cache) { 0 };
	c->list[i] = (struct cache) { .addr = addr };
	c->nr = i + 1;
	return i;
}

/* Make an empty list of caches. */
void caches_init(struct caches *c, struct context *ctx)
{
	*c = (struct caches) { .ctx = ctx, .addrs.ctx = ctx };
}

/* caches_index() of an address that is not a recent one. */
uint32_t caches_look_up(struct caches *c, uint64_t addr)
{
	size_t i = hash_u64(addr) >> 58;
	struct row *row;

	if (!addr)
		return NO_CACHE;
	row = table_row_of(&c->addrs, addr);
	if (row->live == NO_CACHE)
		row->live = add_cache(c, addr);
	c->recent[i].addr = addr;
	c->recent[i].index = row->live;
	return row->live;
}

/* End the cache at @addr: the next cache there is another one. */
static void end_cache(struct caches *c, uint64_t addr)
{
	table_row_of(&c->addrs, addr)->live = NO_CACHE;
	memset(c->recent, 0, sizeof(c->recent));
	c->ended++;
}

/* Copy a name of at most @max bytes. Returns NULL without memory. */
static char *copy(struct caches *c, const char *text, size_t max)
{
	char *copied = strndup(text, max);

	if (copied)
		context_cut(c->ctx, copied, MAX_KERNEL_NAME);
	else
		context_fail(c->ctx, -ENOMEM);
	return copied;
}

/* Return a copy of the name in a record, or NULL. */
static char *copy_name(struct caches *c, const struct record *rec)
{
	if (rec->tail_size <= NAME_OFFSET)
		return NULL;
	return copy(c, (const char *)rec->tail + NAME_OFFSET,
		    rec->tail_size - NAME_OFFSET);
}

/* Return whether the cache doesn't have an alias yet, which it gets. */
static bool is_new_alias(struct caches *c, const struct cache *cache, const char *name)
{
	const size_t before = c->aliases.nr;
	uint64_t number = INTERN_NO_MEMORY;
	char *key;

	if (asprintf(&key, "%zu %s", cache - c->list, name) >= 0) {
		number = intern(&c->aliases, key, strlen(key));
		free(key);
	}
	if (number == INTERN_NO_MEMORY)
		context_fail(c->ctx, -ENOMEM);
	return number == before;
}

/* Append a name that the cache doesn't have yet. Returns false if it was not appended. */
static bool append_alias(struct caches *c, struct cache *cache, char *name)
{
	char **aliases = context_grow_list(c->ctx, cache->aliases, cache->nr_aliases,
					   sizeof(*aliases));

	if (!aliases)
		return false;
	cache->aliases = aliases;
	if (!is_new_alias(c, cache, name))
		return false;
	cache->aliases[cache->nr_aliases++] = name;
	return true;
}

/* Add another name of a cache. The cache frees it. */
static void add_alias(struct caches *c, struct cache *cache, char *name)
{
	if ((cache->name && !strcmp(cache->name, name)) ||
	    !append_alias(c, cache, name))
		free(name);
}

/*
 * A cache that is created at the address of a live cache is merged with it: its name
 * becomes an alias.
 */
static void take_name(struct caches *c, struct cache *cache, char *name, bool is_own)
{
	char *old = cache->name;

	if (!name)
		return;
	if (!is_own) {
		add_alias(c, cache, name);
		return;
	}
	if (old && !strcmp(old, name)) {
		free(name);
		return;
	}
	cache->name = name;
	if (old)
		add_alias(c, cache, old);
}

static void set_sizes(struct cache *cache, const struct record *rec)
{
	const struct kmemtrace_event *ev = rec->ev;
	const struct kmemtrace_cache *record = (const void *)ev;

	cache->object_size = record->object_size;
	cache->size = record->size;
	cache->flags = record->flags;
	cache->users = record->users;
	cache->align = record_word(rec, ALIGN_WORD);
}

/**
 * caches_record - add the record of a cache
 * @c: the caches
 * @rec: KMEMTRACE_EVENT_CACHE
 *
 * Return: the index of the cache, which may have ended with this record.
 */
uint32_t caches_record(struct caches *c, const struct record *rec)
{
	const struct kmemtrace_cache *record = (const void *)rec->ev;
	bool is_merge = record->op == KMEMTRACE_CACHE_CREATED &&
			record->users > 1;
	bool is_new = record->op == KMEMTRACE_CACHE_CREATED && !is_merge;
	uint32_t i = caches_index(c, record->cache);

	/* The record of the previous cache's end was lost. */
	if (is_new && i != NO_CACHE && c->list[i].name) {
		end_cache(c, record->cache);
		i = caches_index(c, record->cache);
	}
	if (i == NO_CACHE)
		return i;
	take_name(c, &c->list[i], copy_name(c, rec), !is_merge);
	set_sizes(&c->list[i], rec);
	if (is_new) {
		c->list[i].created = rec->time;
		c->list[i].is_created = true;
	}
	if (record->op == KMEMTRACE_CACHE_DESTROYED) {
		c->list[i].destroyed = rec->time;
		c->list[i].is_destroyed = true;
		end_cache(c, record->cache);
	}
	return i;
}

/*
 * Return whether kmalloc() takes objects from a cache. The flag for that differs between
 * kernels; the names do not: kmalloc-8, dma-kmalloc-8, kmalloc-cg-8.
 */
bool cache_is_kmalloc(const struct cache *cache)
{
	return cache->name && strstr(cache->name, "kmalloc-");
}

/**
 * struct cache_link - one line of the file
 * @alias: name of a cache
 * @target: stands for all caches that were merged
 */
struct cache_link {
	char *alias, *target;
};

static int by_target(const void *a, const void *b)
{
	const struct cache_link *x = a, *y = b;
	int diff = strcmp(x->target, y->target);

	return diff ? diff : strcmp(x->alias, y->alias);
}

/* Set in @index, by number of a name, the last cache that has it and has not ended. */
static void index_names(const struct caches *c, struct intern *names, uint32_t *index)
{
	uint64_t number;
	uint32_t i;

	for (i = NO_CACHE + 1; i < c->nr; i++) {
		if (c->list[i].is_destroyed || !c->list[i].name)
			continue;
		number = intern(names, c->list[i].name, strlen(c->list[i].name));
		if (number == INTERN_NO_MEMORY) {
			context_fail(c->ctx, -ENOMEM);
			return;
		}
		index[number] = i;
	}
}

/* One of the names is the cache's own, the others are aliases. */
static void take_group(struct caches *c, struct intern *names, const uint32_t *index,
		       const struct cache_link *links, size_t nr)
{
	uint32_t cache = NO_CACHE;
	uint64_t number;
	char *alias;
	size_t i;

	for (i = 0; i < nr && cache == NO_CACHE; i++) {
		number = intern_find(names, links[i].alias, strlen(links[i].alias));
		if (number != INTERN_NONE)
			cache = index[number];
	}
	for (i = 0; cache != NO_CACHE && i < nr; i++) {
		alias = copy(c, links[i].alias, strlen(links[i].alias));
		if (alias)
			add_alias(c, &c->list[cache], alias);
	}
}

static void take_links(struct caches *c, struct cache_link *links, size_t nr)
{
	struct intern names = { .nr = 0 };
	uint32_t *index;
	size_t i, end;

	index = nr ? context_calloc(c->ctx, (size_t)c->nr + 1, sizeof(*index)) : NULL;
	if (!index)
		return;
	index_names(c, &names, index);
	qsort(links, nr, sizeof(*links), by_target);
	for (i = 0; i < nr; i = end) {
		for (end = i; end < nr && !strcmp(links[end].target,
						  links[i].target); end++)
			;
		take_group(c, &names, index, links + i, end - i);
	}
	intern_free(&names);
	free(index);
}

/* Cut "alias target" into its words. Returns false if there are not two. */
static bool parse_link(char *line, struct cache_link *link)
{
	char *rest = NULL;

	link->alias = strtok_r(line, " \t", &rest);
	link->target = strtok_r(NULL, " \t", &rest);
	return link->target;
}

/**
 * caches_load_aliases - read which caches were merged
 * @c: the caches, after all records
 * @text: a file as kmemtraced makes it of the links in /sys/kernel/slab, a line
 *	"alias target" each; changes
 *
 * Return: 0 or -errno.
 */
int caches_load_aliases(struct caches *c, struct text *text)
{
	struct cache_link *links = NULL, *more, link;
	size_t nr = 0;
	char *line;

	while ((line = text_line(text))) {
		if (!parse_link(line, &link))
			continue;
		more = context_grow_list(c->ctx, links, nr, sizeof(*links));
		if (!more)
			break;
		links = more;
		context_cut(c->ctx, link.alias, MAX_KERNEL_NAME);
		links[nr++] = link;
	}
	take_links(c, links, nr);
	free(links);
	return context_error(c->ctx);
}

/* Free all memory. */
void caches_free(struct caches *c)
{
	uint32_t i;
	size_t j;

	for (i = 0; i < c->nr; i++) {
		for (j = 0; j < c->list[i].nr_aliases; j++)
			free(c->list[i].aliases[j]);
		free(c->list[i].aliases);
		free(c->list[i].name);
	}
	free(c->list);
	table_clear(&c->addrs);
	intern_free(&c->aliases);
	caches_init(c, c->ctx);
}
