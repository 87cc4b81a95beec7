// SPDX-License-Identifier: GPL-2.0
/*
 * namesakes.c - different functions of one name
 *
 * A kernel has many init_once(), one in a file. Texts say which one is meant by its place among
 * them, in the order of addresses: the same kernel has the same order at each boot.
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
 */
struct namesake {
	/* first, for by_address() */
	uint64_t start;
	uint64_t name;
	uint32_t number, of;
};

/**
 * struct search - what is known while namesakes are being found
 * @sites: the call sites of the trace, in the order of addresses
 * @nr_sites: entries of @sites
 * @list: their functions, in the same order
 * @nr: entries of @list
 * @names: their names with their modules
 * @counts: by name: how many functions of the kernel have it
 */
struct search {
	uint64_t *sites;
	size_t nr_sites;
	struct namesake *list;
	size_t nr;
	struct intern names;
	uint32_t *counts;
};

/* Bytes of a name and of its module; longer ones are cut. */
#define MAX_NAME	767
#define MAX_MODULE	256
#define KEY_LEN		(MAX_NAME + 1 + MAX_MODULE)

static int by_address(const void *a, const void *b)
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
		qsort(s->sites, nr, sizeof(*s->sites), by_address);
	for (i = 0; i < nr; i++)
		if (!kept || s->sites[kept - 1] != s->sites[i])
			s->sites[kept++] = s->sites[i];
	s->nr_sites = kept;
	return 0;
}

/* Write a name with its module into @key. Return its bytes. */
static size_t key_of(char key[KEY_LEN], const struct symbol_ref *ref)
{
	const char *module = ref->module ?: "";
	const size_t len = strnlen(ref->name, MAX_NAME), module_len = strnlen(module, MAX_MODULE);

	memcpy(key, ref->name, len);
	key[len] = ' ';
	memcpy(key + len + 1, module, module_len);
	return len + 1 + module_len;
}

/* List the functions of the sites, each once. Return 0 or -ENOMEM. */
static int list_functions(struct search *s, const struct symbols *symbols)
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
		s->list[s->nr].name = intern(&s->names, key, key_of(key, &ref));
		if (s->list[s->nr++].name == INTERN_NO_MEMORY)
			return -ENOMEM;
	}
	s->counts = calloc(s->names.nr + 1, sizeof(*s->counts));
	return s->counts ? 0 : -ENOMEM;
}

/* Count the functions of the kernel that have these names. */
static void count_names(struct search *s, const struct symbols *symbols)
{
	struct symbol_ref ref;
	char key[KEY_LEN];
	size_t i, next = 0;
	uint64_t name, start;

	for (i = 0; symbols_get(symbols, i, &start, &ref); i++) {
		name = ref.name ? intern_find(&s->names, key, key_of(key, &ref)) : INTERN_NONE;
		if (name == INTERN_NONE)
			continue;
		s->counts[name]++;
		while (next < s->nr && s->list[next].start < start)
			next++;
		if (next < s->nr && s->list[next].start == start)
			s->list[next].number = s->counts[name];
	}
}

/* Keep the functions whose name another one has. */
static void keep_namesakes(struct search *s)
{
	size_t i, nr = 0;

	for (i = 0; i < s->nr; i++) {
		s->list[i].of = s->counts[s->list[i].name];
		if (s->list[i].of > 1 && s->list[i].number)
			s->list[nr++] = s->list[i];
	}
	s->nr = nr;
}

/**
 * namesakes_find - find the functions of one name
 * @trace: the trace, whose kinds and paths are known
 *
 * Return: 0 or -ENOMEM.
 */
int namesakes_find(struct kmemtrace_trace *trace)
{
	const struct symbols *symbols = &trace->t.symbols;
	struct search s = { .nr = 0 };
	int ret = list_sites(&s, &trace->t.ledger);

	free(trace->namesakes.at);
	if (!ret)
		ret = list_functions(&s, symbols);
	if (!ret) {
		count_names(&s, symbols);
		keep_namesakes(&s);
	} else {
		s.nr = 0;
	}
	trace->namesakes = (struct list) { s.list, s.nr };
	intern_free(&s.names);
	free(s.counts);
	free(s.sites);
	return ret;
}

/* Print which of the functions of its name one is, such as " (2 of 5)"; nothing of the only one. */
void namesakes_print(const struct kmemtrace_trace *trace, uint64_t function, FILE *out)
{
	const struct namesake *found = trace->namesakes.nr ?
		bsearch(&function, trace->namesakes.at, trace->namesakes.nr, sizeof(*found),
			by_address) : NULL;

	if (found)
		fprintf(out, " (%u of %u)", found->number, found->of);
}
