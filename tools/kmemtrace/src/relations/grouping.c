// SPDX-License-Identifier: GPL-2.0
/*
 * grouping.c - the dimensions by which allocations are grouped, and the keys of groups
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-who.h"
#include "common/callsite.h"
#include "common/memory.h"
#include "linux/kmemtrace.h"
#include "relations/grouping.h"
#include "relations/texts.h"

/* ---- keys of kinds ---- */

/* Return the number of a group that has not a number by itself, and keep an example. */
static uint64_t number(struct kmemtrace_relation *r, enum dim dim, const void *bytes, size_t len,
		       struct example example)
{
	struct intern *in = &r->grouping->interned[dim];
	const size_t before = in->nr;
	struct example *list;
	uint64_t i = intern(in, bytes, len);

	if (i == INTERN_NO_MEMORY || in->nr == before)
		return i;
	list = grow_list(r->grouping->examples[dim], before, sizeof(*list));
	if (!list)
		return INTERN_NO_MEMORY;
	r->grouping->examples[dim] = list;
	list[i] = example;
	return i;
}

/* Return the number of a group that its text identifies. */
static uint64_t number_of_new_text(struct kmemtrace_relation *r, enum dim dim, uint64_t identity,
				   write_text *write, struct example example)
{
	size_t size;
	char *text = text_of(r, write, identity, &size);
	const uint64_t i = text ? number(r, dim, text, size, example) : INTERN_NO_MEMORY;

	free(text);
	return i;
}

/* Many kinds have a call site: its text is made once. */
static uint64_t number_of_text(struct kmemtrace_relation *r, enum dim dim, uint64_t site,
			       write_text *write)
{
	const uint64_t key[2] = { dim, site };
	struct grouping *g = r->grouping;
	const size_t before = g->texts.nr;
	const uint64_t i = intern(&g->texts, key, sizeof(key));
	uint64_t *numbers;

	if (i == INTERN_NO_MEMORY)
		return i;
	if (i == before) {
		numbers = grow_list(g->numbers, before, sizeof(*numbers));
		if (!numbers)
			return INTERN_NO_MEMORY;
		g->numbers = numbers;
		numbers[i] = number_of_new_text(r, dim, site, write,
						(struct example) { .site = site });
	}
	return g->numbers[i];
}

static void print_line_identity(const struct kmemtrace_relation *r, uint64_t site, FILE *out)
{
	const char *file;
	unsigned int line;

	write_function(r, site, out);
	if (source_of_site(r, site, &file, &line))
		fprintf(out, "%c%s%c%u", '\0', file, '\0', line);
}

/* Print the file of a call site, or what stands for it: the vmlinux does not have modules. */
static void print_file_key(const struct kmemtrace_relation *r, uint64_t site, FILE *out)
{
	const char *note = trace_site_note(&r->trace->t, site), *file;
	struct symbol_ref ref = { .name = NULL };
	unsigned int line;

	if (source_of_site(r, site, &file, &line)) {
		fputs(file, out);
		return;
	}
	if (!note)
		symbols_find(&r->trace->t.symbols, site, &ref);
	if (ref.module)
		fprintf(out, "[%s]", ref.module);
	else
		fprintf(out, "(%s)", note ? note : "no source");
}

static void print_dir_key(const struct kmemtrace_relation *r, uint64_t site, FILE *out)
{
	const char *file, *slash;
	unsigned int line;

	if (!source_of_site(r, site, &file, &line)) {
		print_file_key(r, site, out);
		return;
	}
	slash = strrchr(file, '/');
	fprintf(out, "%.*s/", slash ? (int)(slash - file) : 1, slash ? file : ".");
}

/* A path is its frames; unknown paths differ in the call site. */
static uint64_t number_of_path(struct kmemtrace_relation *r, const struct kmemtrace_kind *kind)
{
	const struct kmemtrace_call_path *path = kmemtrace_get_path(r->trace, kind->path);
	uint64_t frames[KMEMTRACE_MAX_FRAMES + 2];
	size_t i, nr = 0;

	if (!path || !path->depth) {
		frames[nr++] = path && path->number;
		frames[nr++] = kind->call_site;
	} else {
		frames[nr++] = 2 + path->is_cut;
		for (i = 0; i < path->depth && i < KMEMTRACE_MAX_FRAMES; i++)
			frames[nr++] = path->frames[i];
	}
	return number(r, DIM_PATH, frames, nr * sizeof(*frames),
		      (struct example) { kind->call_site, kind->path });
}

/* Write the functions of the path of a kind, a pointer to which is the identity. */
static void write_stack(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct kmemtrace_kind *kind = (const struct kmemtrace_kind *)(uintptr_t)identity;

	print_frames(r, kmemtrace_get_path(r->trace, kind->path), kind->call_site, write_function,
		     out);
}

static uint64_t module_site(const struct kmemtrace_relation *r, const struct kmemtrace_kind *kind)
{
	return who_module_site(&r->trace->t.ledger.who, &r->trace->t.symbols, kind->path,
			       kind->call_site);
}

static uint64_t order_of(const struct kmemtrace_relation *r, const struct kmemtrace_kind *kind)
{
	uint64_t pages = kind->bytes_alloc / kmemtrace_get_machine(r->trace)->page_size;

	return pages ? (uint64_t)__builtin_ctzll(pages) : UINT64_MAX;
}

/* Return the key of a kind in a dimension; of one of INTERNED, INTERN_NO_MEMORY. */
uint64_t grouping_key(struct kmemtrace_relation *r, enum dim dim, const struct kmemtrace_kind *kind)
{
	const uint64_t site = kind->call_site;

	switch (dim) {
	case DIM_SITE:		return site;
	case DIM_LINE:		return number_of_text(r, dim, site, print_line_identity);
	case DIM_FUNCTION:	return number_of_text(r, dim, site, write_function);
	case DIM_MODULE:	return number_of_text(r, dim, module_site(r, kind), write_module);
	case DIM_FILE:		return number_of_text(r, dim, site, print_file_key);
	case DIM_DIR:		return number_of_text(r, dim, site, print_dir_key);
	case DIM_PATH:		return number_of_path(r, kind);
	case DIM_STACK:		return number_of_new_text(r, dim, (uintptr_t)kind, write_stack,
						(struct example) { kind->call_site, kind->path });
	case DIM_TASK:		return kind->task;
	case DIM_PROCESS:	return api_process_of(r->trace, kind->task);
	case DIM_CGROUP:	return kind->cgroup;
	case DIM_TASK_NAME:	return number_of_text(r, dim, kind->task, write_task_name);
	case DIM_REMOVED:	return r->trace->t.ledger.who.cgroups[kind->cgroup].is_removed;
	case DIM_CACHE:		return kind->cache;
	case DIM_SIZE:		return kind->bytes_alloc;
	case DIM_REQUEST:	return step_of(kind);
	case DIM_GFP:		return kind->gfp_flags;
	case DIM_ORDER:		return order_of(r, kind);
	case DIM_MOBILITY:	return api_mobility(r->trace, kind->gfp_flags);
	case DIM_OLDER:		return kind->is_older;
	case DIM_NONE:
	case NR_DIMS:		break;
	}
	return 0;
}

/* ---- the order of keys ---- */

/**
 * struct numbered - a text and its number
 * @key: the text
 * @example: a call site of it
 * @number: its number
 */
struct numbered {
	struct interned key;
	struct example example;
	uint32_t number;
};

static int by_text(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return strcmp(x->key.bytes, y->key.bytes) ?:
	       (x->number > y->number) - (x->number < y->number);
}

/**
 * grouping_sort - number the texts of a dimension in their order
 * @r: the relation, all of whose keys are known
 * @dim: the dimension
 * @numbers: result: by old number the new one, to be freed; NULL: its keys have an order of their own
 *
 * Return: 0 or -ENOMEM.
 */
int grouping_sort(struct kmemtrace_relation *r, enum dim dim, uint32_t **numbers)
{
	struct intern *in = &r->grouping->interned[dim];
	struct numbered *list;
	size_t i;

	*numbers = NULL;
	if (!(DIM_BIT(dim) & INTERNED) || dim == DIM_PATH)
		return 0;
	list = calloc(in->nr + 1, sizeof(*list));
	*numbers = calloc(in->nr + 1, sizeof(**numbers));
	if (!list || !*numbers) {
		free(list);
		free(*numbers);
		*numbers = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < in->nr; i++)
		list[i] = (struct numbered) { in->list[i], r->grouping->examples[dim][i], i };
	qsort(list, in->nr, sizeof(*list), by_text);
	for (i = 0; i < in->nr; i++) {
		in->list[i] = list[i].key;
		r->grouping->examples[dim][i] = list[i].example;
		(*numbers)[list[i].number] = i;
	}
	free(list);
	return 0;
}

/* ---- choosing dimensions ---- */

#define DIM_NAME(id, name)	[DIM_##id] = name,
static const char * const dim_names[] = { DIMS(DIM_NAME) };

static int find_dim(const char *name, size_t len)
{
	int i;

	for (i = 0; i < DIM_NONE; i++)
		if (strlen(dim_names[i]) == len && !strncmp(dim_names[i], name, len))
			return i;
	return -1;
}

/* Say that allocations have no such property, and which ones they have. */
static void complain_about_dim(char **problem, const char *name, size_t len)
{
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);
	int i;

	for (i = 0; out && i < DIM_NONE; i++)
		fprintf(out, "%s%s", i ? ", " : "", dim_names[i]);
	if (out && !fclose(out) &&
	    asprintf(problem, "allocations have no property '%.*s'; they have: %s", (int)len, name,
		     list) < 0)
		*problem = NULL;
	free(list);
}

/* Return the bits of the dimensions of a text; 0: one has no meaning, and @problem says so. */
static unsigned int parse_dims(const char *text, char **problem)
{
	unsigned int chosen = 0;
	size_t len;
	int dim;

	for (; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		if (len == strlen("allocator") && !strncmp(text, "allocator", len))
			continue;
		dim = find_dim(text, len);
		if (dim < 0) {
			if (problem)
				complain_about_dim(problem, text, len);
			return 0;
		}
		chosen |= DIM_BIT(dim);
	}
	return chosen ? chosen : DIM_BIT(DIM_NONE);
}

/* Return how to group, to be freed with grouping_free(); NULL: @problem says why, or no memory. */
struct grouping *grouping_new(struct kmemtrace_relation *r, const char *group_by, char **problem)
{
	struct grouping *g = calloc(1, sizeof(*g));
	const unsigned int allowed = r->relation->group_dims;
	int i;

	if (!g)
		return NULL;
	g->chosen = parse_dims(group_by, problem);
	if (allowed && g->chosen && (g->chosen & ~allowed || __builtin_popcount(g->chosen) > 1)) {
		if (problem && asprintf(problem, "%s are by one of: site, line, function, module, file, dir",
					r->relation->info.name) < 0)
			*problem = NULL;
		g->chosen = 0;
	}
	if (__builtin_popcount(g->chosen) > MAX_KEYS && problem &&
	    asprintf(problem, "more than %d properties to group by", MAX_KEYS) < 0)
		*problem = NULL;
	if (!g->chosen || __builtin_popcount(g->chosen) > MAX_KEYS) {
		free(g);
		return NULL;
	}
	for (i = 0; i < DIM_NONE; i++) {
		if (!(g->chosen & DIM_BIT(i)))
			continue;
		g->key_of[i] = g->nr;
		g->dims[g->nr++] = i;
	}
	return g;
}

/* Free what grouping_new() returned. */
void grouping_free(struct grouping *grouping)
{
	int i;

	for (i = 0; grouping && i < NR_DIMS; i++) {
		intern_free(&grouping->interned[i]);
		free(grouping->examples[i]);
	}
	if (grouping) {
		intern_free(&grouping->rows);
		intern_free(&grouping->texts);
		intern_free(&grouping->wholes);
		intern_free(&grouping->members);
		free(grouping->numbers);
		free(grouping->group_of);
		free(grouping->suspicions);
	}
	free(grouping);
}

/*
 * Return whether an open relation has a column. Standard errors are those of samples, changes those
 * of moments.
 */
bool grouping_has_column(const struct kmemtrace_relation *r, const struct column *column)
{
	if (column->only == IN_A_SAMPLE)
		return r->trace->t.ledger.one_of > 1;
	if (column->only == OF_MOMENTS)
		return r->at;
	if (column->only == OF_SUSPECTS)
		return r->relation->is_of_suspects;
	if (column->only == WITH_SURVIVORS && !r->trace->t.survivors.is_known)
		return false;
	if (column->only == OF_COUNTED && r->relation->is_of_own)
		return false;
	return !column->dims || column->dims & r->grouping->chosen;
}

/* Return whether a relation has a column if it is grouped as it is by default. */
bool grouping_may_have_column(const struct relation *relation, const struct column *column)
{
	return (column->only != OF_SUSPECTS || relation->is_of_suspects) &&
	       (column->only != OF_COUNTED || !relation->is_of_own) &&
	       (!column->dims || column->dims & parse_dims(relation->group_by, NULL));
}

/* Return whether a column is a part of the key of an open relation. */
bool grouping_is_by(const struct kmemtrace_relation *r, const struct column *column)
{
	return column->key_of & r->grouping->chosen;
}

/* Return whether a column is a part of the key of a relation as it is grouped by default. */
bool grouping_is_by_default(const struct relation *relation, const struct column *column)
{
	return relation->group_by && column->key_of & parse_dims(relation->group_by, NULL);
}
