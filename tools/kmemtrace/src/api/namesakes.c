// SPDX-License-Identifier: GPL-2.0
/*
 * namesakes.c - different functions of one name
 *
 * A kernel has many init_once(), one in a file. Of those that a trace has, texts say which one
 * is meant.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/namesakes.h"
#include "sums/who.h"

/**
 * struct function - a function of the trace
 * @start: its address
 * @name: its name
 * @module: its module, "" for the kernel itself
 */
struct function {
	uint64_t start;
	const char *name, *module;
};

/**
 * struct functions - functions of the trace
 * @sites: call sites in them
 * @nr: entries of @sites
 */
struct functions {
	uint64_t *sites;
	size_t nr;
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_address(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return strcmp(x->name, y->name) ?: strcmp(x->module, y->module) ?:
	       compare_u64(x->start, y->start);
}

static bool have_one_name(const struct function *x, const struct function *y)
{
	return !strcmp(x->name, y->name) && !strcmp(x->module, y->module);
}

/* List the call sites of kinds and of call paths, each once. Return 0 or -ENOMEM. */
static int list_sites(struct functions *f, const struct ledger *l)
{
	size_t i, j, nr = l->kinds.nr, kept = 0;

	for (i = 0; i < l->who.nr_paths; i++)
		nr += l->who.paths[i].depth;
	f->sites = calloc(nr + 1, sizeof(*f->sites));
	if (!f->sites)
		return -ENOMEM;
	for (i = 0; i < l->kinds.nr; i++)
		f->sites[f->nr++] = kinds_get(&l->kinds, i)->site;
	for (i = 0; i < l->who.nr_paths; i++)
		for (j = 0; j < l->who.paths[i].depth; j++)
			f->sites[f->nr++] = l->who.paths[i].frames[j];
	if (f->nr)
		qsort(f->sites, f->nr, sizeof(*f->sites), by_address);
	for (i = 0; i < f->nr; i++)
		if (!kept || f->sites[kept - 1] != f->sites[i])
			f->sites[kept++] = f->sites[i];
	f->nr = kept;
	return 0;
}

/* Name the functions of the sites, each function once. Return how many there are. */
static size_t name_functions(struct function *list, const struct functions *f,
			     const struct symbols *symbols)
{
	struct symbol_ref ref;
	size_t i, nr = 0;
	uint64_t start;

	for (i = 0; i < f->nr; i++) {
		symbols_find(symbols, f->sites[i], &ref);
		start = f->sites[i] - ref.offset;
		/* Sites are in the order of addresses. */
		if (ref.name && (!nr || list[nr - 1].start != start))
			list[nr++] = (struct function) { start, ref.name, ref.module ?: "" };
	}
	return nr;
}

/**
 * namesakes_find - find the functions of one name
 * @trace: the trace, whose kinds and paths are known
 *
 * Return: 0 or -ENOMEM.
 */
int namesakes_find(struct kmemtrace_trace *trace)
{
	struct functions f = { .nr = 0 };
	struct function *list;
	size_t i, nr, found = 0;

	free(trace->namesakes.at);
	trace->namesakes = (struct list) { .nr = 0 };
	if (list_sites(&f, &trace->t.ledger))
		return -ENOMEM;
	list = calloc(f.nr + 1, sizeof(*list));
	if (!list) {
		free(f.sites);
		return -ENOMEM;
	}
	nr = name_functions(list, &f, &trace->t.symbols);
	if (nr)
		qsort(list, nr, sizeof(*list), by_name);
	/* There are no more functions than call sites. */
	for (i = 0; i < nr; i++)
		if ((i && have_one_name(&list[i], &list[i - 1])) ||
		    (i + 1 < nr && have_one_name(&list[i], &list[i + 1])))
			f.sites[found++] = list[i].start;
	if (found)
		qsort(f.sites, found, sizeof(*f.sites), by_address);
	free(list);
	trace->namesakes = (struct list) { f.sites, found };
	return 0;
}

/* Return whether another function of the trace has the name of the one at an address. */
bool is_namesake(const struct kmemtrace_trace *trace, uint64_t function)
{
	return trace->namesakes.nr &&
	       bsearch(&function, trace->namesakes.at, trace->namesakes.nr, sizeof(function),
		       by_address);
}
