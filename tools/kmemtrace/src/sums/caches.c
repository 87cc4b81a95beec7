// SPDX-License-Identifier: GPL-2.0
/*
 * The slab caches of a trace, from the records of them, and from the links that
 * sysfs has for merged ones.
 *
 * Records may come late, or not at all where some were lost: an address that is
 * used without one makes a cache without a name.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "sums/caches.h"
#include "sums/stats.h"

/* Where in the tail of a record the alignment and the name are. */
#define ALIGN_WORD	0
#define NAME_OFFSET	8

static uint32_t add_cache(struct caches *c, uint64_t addr)
{
	/* The first one stands for none. */
	uint32_t i = c->nr ? c->nr : NO_CACHE + 1;

	if (i > CLASS_MAX_CACHE)
		return NO_CACHE;
	c->list = must_realloc(c->list, i + 1, sizeof(*c->list));
	if (!c->nr)
		c->list[NO_CACHE] = (struct cache) { 0 };
	c->list[i] = (struct cache) { .addr = addr };
	c->nr = i + 1;
	return i;
}

/* caches_index() of one that wasn't asked for recently. */
uint32_t caches_look_up(struct caches *c, uint64_t addr)
{
	size_t i = hash_u64(addr) >> 58;
	uint32_t row, nr = c->addrs.nr;

	if (!addr)
		return NO_CACHE;
	row = table_index(&c->addrs, addr);
	if (row == nr) {
		c->current = must_realloc(c->current, nr + 1,
					  sizeof(*c->current));
		c->current[row] = NO_CACHE;
	}
	if (c->current[row] == NO_CACHE)
		c->current[row] = add_cache(c, addr);
	c->recent[i].addr = addr;
	c->recent[i].index = c->current[row];
	return c->current[row];
}

/* Whatever comes next at @addr is another cache. */
static void end_life(struct caches *c, uint64_t addr)
{
	c->current[table_index(&c->addrs, addr)] = NO_CACHE;
	memset(c->recent, 0, sizeof(c->recent));
	c->ended++;
}

static char *name_of(const struct record *rec)
{
	char *name;

	if (rec->tail_size <= NAME_OFFSET)
		return NULL;
	name = strndup((const char *)rec->tail + NAME_OFFSET,
		       rec->tail_size - NAME_OFFSET);
	if (!name)
		out_of_memory();
	return name;
}

static bool has_alias(const struct cache *cache, const char *name)
{
	size_t i;

	for (i = 0; i < cache->nr_aliases; i++)
		if (!strcmp(cache->aliases[i], name))
			return true;
	return false;
}

/* Takes @name over. */
static void add_alias(struct cache *cache, char *name)
{
	if (has_alias(cache, name) ||
	    (cache->name && !strcmp(cache->name, name))) {
		free(name);
		return;
	}
	cache->aliases = must_realloc(cache->aliases, cache->nr_aliases + 1,
				      sizeof(*cache->aliases));
	cache->aliases[cache->nr_aliases++] = name;
}

/*
 * A cache that is created where there is one already is merged with it, and its
 * name is another one for that.
 */
static void take_name(struct cache *cache, char *name, bool is_own)
{
	char *old = cache->name;

	if (!name)
		return;
	if (!is_own) {
		add_alias(cache, name);
		return;
	}
	if (old && !strcmp(old, name)) {
		free(name);
		return;
	}
	cache->name = name;
	if (old)
		add_alias(cache, old);
}

static void take_sizes(struct cache *cache, const struct record *rec)
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
 * caches_record - take in a record of a cache
 * @c: the caches
 * @rec: KMEMTRACE_EVENT_CACHE
 *
 * Return: the index of the cache, which may be one that has just been destroyed.
 */
uint32_t caches_record(struct caches *c, const struct record *rec)
{
	const struct kmemtrace_cache *record = (const void *)rec->ev;
	bool is_merge = record->op == KMEMTRACE_CACHE_CREATED &&
			record->users > 1;
	bool is_new = record->op == KMEMTRACE_CACHE_CREATED && !is_merge;
	uint32_t i = caches_index(c, record->cache);

	/* The end of the one before was lost. */
	if (is_new && i != NO_CACHE && c->list[i].name) {
		end_life(c, record->cache);
		i = caches_index(c, record->cache);
	}
	if (i == NO_CACHE)
		return i;
	take_name(&c->list[i], name_of(rec), !is_merge);
	take_sizes(&c->list[i], rec);
	if (is_new) {
		c->list[i].created = rec->time;
		c->list[i].is_created = true;
	}
	if (record->op == KMEMTRACE_CACHE_DESTROYED) {
		c->list[i].destroyed = rec->time;
		c->list[i].is_destroyed = true;
		end_life(c, record->cache);
	}
	return i;
}

/*
 * Is it one of those that kmalloc() takes objects from? That flag is another one
 * on each kernel; the names are not: kmalloc-8, dma-kmalloc-8, kmalloc-cg-8.
 */
bool cache_is_kmalloc(const struct cache *cache)
{
	return cache->name && strstr(cache->name, "kmalloc-");
}

/**
 * struct link - one line of the file
 * @alias: name of a cache
 * @target: stands for all that were merged with it
 */
struct link {
	char *alias, *target;
};

static int by_target(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	int diff = strcmp(x->target, y->target);

	return diff ? diff : strcmp(x->alias, y->alias);
}

/* The last one of that name that still lives. */
static struct cache *find_name(struct caches *c, const char *name)
{
	uint32_t i;

	for (i = c->nr; i-- > NO_CACHE + 1;)
		if (!c->list[i].is_destroyed && c->list[i].name &&
		    !strcmp(c->list[i].name, name))
			return &c->list[i];
	return NULL;
}

/* One of the names is the cache's own, the others are aliases. */
static void take_group(struct caches *c, const struct link *links, size_t nr)
{
	struct cache *cache = NULL;
	char *alias;
	size_t i;

	for (i = 0; i < nr && !cache; i++)
		cache = find_name(c, links[i].alias);
	for (i = 0; cache && i < nr; i++) {
		alias = strdup(links[i].alias);
		if (!alias)
			out_of_memory();
		add_alias(cache, alias);
	}
}

static void take_links(struct caches *c, struct link *links, size_t nr)
{
	size_t i, end;

	if (nr)
		qsort(links, nr, sizeof(*links), by_target);
	for (i = 0; i < nr; i = end) {
		for (end = i; end < nr && !strcmp(links[end].target,
						  links[i].target); end++)
			;
		take_group(c, links + i, end - i);
	}
}

/* Cut "alias target" into its words; false where it isn't made of two. */
static bool parse_link(char *line, struct link *link)
{
	char *rest = NULL;

	link->alias = strtok_r(line, " \t", &rest);
	link->target = strtok_r(NULL, " \t", &rest);
	return link->target;
}

/**
 * caches_load_aliases - learn which caches were merged
 * @c: the caches, after all records
 * @text: a file as kmemtraced makes it of the links in /sys/kernel/slab, a line
 *	"alias target" each; changes
 */
void caches_load_aliases(struct caches *c, struct text *text)
{
	struct link *links = NULL, link;
	size_t nr = 0;
	char *line;

	while ((line = text_line(text))) {
		if (!parse_link(line, &link))
			continue;
		links = must_grow_list(links, nr, sizeof(*links));
		links[nr++] = link;
	}
	take_links(c, links, nr);
	free(links);
}

/* Give back all memory. */
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
	free(c->current);
	table_free(&c->addrs);
	*c = (struct caches) { 0 };
}
