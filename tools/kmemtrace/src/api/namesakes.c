// SPDX-License-Identifier: GPL-2.0
/*
 * namesakes.c - different functions of one name
 *
 * A kernel has many init_once(), one in a file. Texts say which one is meant by its place among
 * them, in the order of addresses. The same kernel has them in the same order at each boot, and at
 * the same distances from each other; in another kernel, the same place may be that of another one.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/namesakes.h"
#include "common/intern.h"
#include "sums/who.h"

/**
 * struct namesake - a function of the trace whose name another function of the kernel has
 * @start: its address
 * @name: number of the name, while they are being found
 * @number: its place among the functions with this name, from 1
 * @of: how many there are
 * @is_any: a trace that it is compared with has other functions of this name
 */
struct namesake {
	/* first, for by_namesake_address() */
	uint64_t start;
	uint64_t name;
	uint32_t number, of;
	bool is_any;
};

/**
 * struct name_layout - the functions of a kernel with one name
 * @nr: how many there are
 * @first: address of the first one
 * @distances: a sum that depends on the distance of each one from the first
 */
struct name_layout {
	uint32_t nr;
	uint64_t first, distances;
};

/**
 * struct search - what is known of a trace while namesakes are being found
 * @sites: the call sites of the trace, in the order of addresses
 * @nr_sites: entries of @sites
 * @list: their functions, in the same order
 * @nr: entries of @list
 * @layouts: by number of the name
 */
struct search {
	uint64_t *sites;
	size_t nr_sites;
	struct namesake *list;
	size_t nr;
	struct name_layout *layouts;
};

/* A name, a blank and its module. */
#define KEY_LEN		(MAX_KERNEL_NAME + 1 + MAX_MODULE_NAME)

static int by_namesake_address(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* List the call sites of kinds and of call paths, each once. Return 0 or -ENOMEM. */
static int list_sites(struct search *s, const struct ledger *l)
{
	size_t i, j, nr = l->kinds.nr, kept = 0;

	for (i = 0; i < l->who.nr_paths; i++)
		nr += l->who.paths[i].depth;
	s->sites = calloc(nr + 1, sizeof(*s->sites));
	if (!s->sites)
		return -ENOMEM;
	nr = 0;
	for (i = 0; i < l->kinds.nr; i++)
		s->sites[nr++] = kinds_get(&l->kinds, i)->site;
	for (i = 0; i < l->who.nr_paths; i++)
		for (j = 0; j < l->who.paths[i].depth; j++)
			s->sites[nr++] = l->who.paths[i].frames[j];
	if (nr)
		qsort(s->sites, nr, sizeof(*s->sites), by_namesake_address);
	for (i = 0; i < nr; i++)
		if (!kept || s->sites[kept - 1] != s->sites[i])
			s->sites[kept++] = s->sites[i];
	s->nr_sites = kept;
	return 0;
}

/* Write a name with its module into @key. Return its bytes. */
static size_t name_key(char key[KEY_LEN], const struct symbol_ref *ref)
{
	const char *module = ref->module ?: "";
	const size_t len = strlen(ref->name), module_len = strlen(module);

	memcpy(key, ref->name, len);
	key[len] = ' ';
	memcpy(key + len + 1, module, module_len);
	return len + 1 + module_len;
}

/* List the functions of the sites, each once, and number their names. Return 0 or -ENOMEM. */
static int list_functions(struct search *s, const struct symbols *symbols, struct intern *names)
{
	struct symbol_ref ref;
	char key[KEY_LEN];
	uint64_t start;
	size_t i;

	s->list = calloc(s->nr_sites + 1, sizeof(*s->list));
	if (!s->list)
		return -ENOMEM;
	for (i = 0; i < s->nr_sites; i++) {
		symbols_find(symbols, s->sites[i], &ref);
		start = s->sites[i] - ref.offset;
		if (!ref.name || (s->nr && s->list[s->nr - 1].start == start))
			continue;
		s->list[s->nr].start = start;
		s->list[s->nr].name = intern(names, key, name_key(key, &ref));
		if (s->list[s->nr++].name == INTERN_NO_MEMORY)
			return -ENOMEM;
	}
	return 0;
}

static void add_to_layout(struct name_layout *l, uint64_t start)
{
	if (!l->nr++)
		l->first = start;
	/* The prime of FNV: other distances, or another order of them, make another sum. */
	l->distances = l->distances * UINT64_C(0x100000001b3) + (start - l->first);
}

/* Find the functions of the kernel that have these names. Return 0 or -ENOMEM. */
static int find_layouts(struct search *s, const struct symbols *symbols, struct intern *names)
{
	struct symbol_ref ref;
	char key[KEY_LEN];
	size_t i, next = 0;
	uint64_t name, start;

	s->layouts = calloc(names->nr + 1, sizeof(*s->layouts));
	if (!s->layouts)
		return -ENOMEM;
	for (i = 0; symbols_get(symbols, i, &start, &ref); i++) {
		name = ref.name ? intern_find(names, key, name_key(key, &ref)) : INTERN_NONE;
		if (name == INTERN_NONE)
			continue;
		add_to_layout(&s->layouts[name], start);
		while (next < s->nr && s->list[next].start < start)
			next++;
		if (next < s->nr && s->list[next].start == start)
			s->list[next].number = s->layouts[name].nr;
	}
	return 0;
}

static bool are_same_places(const struct name_layout *a, const struct name_layout *b)
{
	return a->nr == b->nr && a->distances == b->distances;
}

/* Keep the functions whose name another one has, also in the trace that @other is of, or NULL. */
static void keep_namesakes(struct search *s, const struct search *other)
{
	const struct name_layout *own, *its;
	size_t i, nr = 0;

	for (i = 0; i < s->nr; i++) {
		own = &s->layouts[s->list[i].name];
		its = other ? &other->layouts[s->list[i].name] : own;
		s->list[i].of = own->nr;
		s->list[i].is_any = !are_same_places(own, its);
		if ((own->nr > 1 || its->nr > 1) && s->list[i].number)
			s->list[nr++] = s->list[i];
	}
	s->nr = nr;
}

/* Find the namesakes of @a, and of @b, unless it is NULL. Return 0 or -ENOMEM. */
static int find_namesake_in(struct kmemtrace_trace *a, struct kmemtrace_trace *b)
{
	struct kmemtrace_trace * const traces[2] = { a, b };
	struct search searches[2] = { 0 };
	struct intern names = { .nr = 0 };
	int i, ret = 0;

	for (i = 0; !ret && i < 2 && traces[i]; i++) {
		ret = list_sites(&searches[i], &traces[i]->t.ledger);
		if (!ret)
			ret = list_functions(&searches[i], &traces[i]->t.symbols, &names);
	}
	for (i = 0; !ret && i < 2 && traces[i]; i++)
		ret = find_layouts(&searches[i], &traces[i]->t.symbols, &names);
	for (i = 0; i < 2 && traces[i]; i++) {
		if (!ret)
			keep_namesakes(&searches[i], traces[1] ? &searches[!i] : NULL);
		free(traces[i]->namesakes.at);
		traces[i]->namesakes = (struct list) { searches[i].list, ret ? 0 : searches[i].nr };
	}
	for (i = 0; i < 2; i++) {
		free(searches[i].layouts);
		free(searches[i].sites);
	}
	intern_free(&names);
	return ret;
}

/**
 * namesakes_find - find the functions of one name
 * @trace: the trace, whose kinds and paths are known
 *
 * Return: 0 or -ENOMEM.
 */
int namesakes_find(struct kmemtrace_trace *trace)
{
	return find_namesake_in(trace, NULL);
}

int kmemtrace_match_functions(struct kmemtrace_trace *a, struct kmemtrace_trace *b)
{
	return a->is_read && b->is_read ? find_namesake_in(a, b) : -ENODATA;
}

/* Print which of the functions of its name one is, such as " (2 of 5)"; nothing of the only one. */
void namesakes_print(const struct kmemtrace_trace *trace, uint64_t function, FILE *out)
{
	const struct namesake *found = trace->namesakes.nr ?
		bsearch(&function, trace->namesakes.at, trace->namesakes.nr, sizeof(*found),
			by_namesake_address) : NULL;

	if (found && found->is_any)
		fputs(" (any of this name)", out);
	else if (found)
		fprintf(out, " (%u of %u)", found->number, found->of);
}
