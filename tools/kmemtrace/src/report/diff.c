// SPDX-License-Identifier: GPL-2.0
/*
 * The difference of two traces. Two kernels have different addresses: groups of call sites
 * and slab caches are compared by name.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/memory.h"
#include "common/number.h"
#include "report/diff.h"
#include "report/renames.h"
#include "report/table.h"
#include "report/view.h"

static const struct figures nothing;

/**
 * threshold_parse - parse the allowed growth of an allocator
 * @t: result
 * @text: a number, followed by nothing, K, M or G in units of 1024, or %
 *
 * Return: 0, or -EINVAL.
 */
int threshold_parse(struct threshold *t, const char *text)
{
	if (number_parse(&text, &t->amount))
		return -EINVAL;
	t->is_percent = !strcmp(text, "%") && isdigit((unsigned char)text[-1]);
	return *text && !t->is_percent ? -EINVAL : 0;
}

static bool differs(const struct delta *d)
{
	return memcmp(d->before->values, d->after->values, sizeof(d->before->values));
}

/* Print a name in which a function renames the part before the module. */
static void print_renamed(struct kmemtrace_relation *row, const char *column,
			  void (*rename)(char name[RENAMES_MAX], const char *of), FILE *out)
{
	const char *text = cell_text(row, column), *module = strchrnul(text, ' ');
	char *old = strndup(text, module - text), name[RENAMES_MAX];

	if (!old)
		out_of_memory();
	rename(name, old);
	fprintf(out, "%s%s", name, module);
	free(old);
}

static void print_function_name(struct kmemtrace_relation *row, FILE *out)
{
	print_renamed(row, "function", renames_function, out);
}

static void print_cache(struct kmemtrace_relation *row, FILE *out)
{
	print_renamed(row, "cache", renames_cache, out);
}

static const struct group_key functions = {
	"function", "functions", "function", .print_row = print_function_name,
};

static const struct group_key caches = {
	"cache", "caches", "cache", .print_row = print_cache,
	.relation = "caches", .where = "is_used=true",
};

/* Pair groups of the same name. Both lists are in the order of names. */
static void join_groups(struct deltas *ds)
{
	const struct groups *a = &ds->before, *b = &ds->after;
	size_t i = 0, j = 0;

	ds->list = must_calloc(a->nr + b->nr + 1, sizeof(*ds->list));
	while (i < a->nr || j < b->nr) {
		int order = i == a->nr ? 1 : j == b->nr ? -1 :
			    strcmp(a->list[i].name, b->list[j].name);
		struct delta *delta = &ds->list[ds->nr];

		delta->before = order > 0 ? &nothing : &a->list[i].figures;
		delta->after = order < 0 ? &nothing : &b->list[j].figures;
		delta->name = order > 0 ? b->list[j].name : a->list[i].name;
		delta->is_rest = order > 0 ? b->list[j].is_rest : a->list[i].is_rest;
		ds->nr += differs(delta);
		i += order <= 0;
		j += order >= 0;
	}
}

/* In the order of their latest names; a group that is gone comes before a new one. */
static int by_latest_name(const void *a, const void *b)
{
	const struct delta *x = a, *y = b;
	int order = renames_compare(x->name, y->name);

	if (!order)
		order = (x->before == &nothing) - (y->before == &nothing);
	return order ? order : strcmp(x->name, y->name);
}

/* Return whether two neighbours are one group that was renamed. */
static bool is_renamed(const struct delta *gone, const struct delta *new)
{
	return gone->after == &nothing && new->before == &nothing &&
	       !renames_compare(gone->name, new->name);
}

/* Pair a group that is gone with a new one whose name is a later or an earlier one. */
static void join_renamed(struct deltas *ds)
{
	size_t i, nr = 0;

	if (ds->nr)
		qsort(ds->list, ds->nr, sizeof(*ds->list), by_latest_name);
	for (i = 0; i < ds->nr; i++) {
		struct delta delta = ds->list[i];

		if (i + 1 < ds->nr && is_renamed(&delta, &ds->list[i + 1])) {
			i++;
			delta.was = delta.name;
			delta.name = ds->list[i].name;
			delta.after = ds->list[i].after;
		}
		ds->list[nr] = delta;
		nr += differs(&delta);
	}
	ds->nr = nr;
}

static uint64_t distance(const struct delta *d, const struct kmemtrace_column *key)
{
	uint64_t before = sort_value(key, d->before), after = sort_value(key, d->after);

	return after > before ? after - before : before - after;
}

static int by_distance(const void *a, const void *b, void *key)
{
	uint64_t i = distance(a, key), j = distance(b, key);
	const struct delta *x = a, *y = b;

	if (x->is_rest != y->is_rest)
		return x->is_rest - y->is_rest;
	if (i != j)
		return i > j ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void compare_sides(struct deltas *ds, const struct diff *d, enum kmemtrace_space space,
			  const struct group_key *key)
{
	groups_collect(&ds->before, d->before, space, key);
	groups_collect(&ds->after, d->after, space, key);
	join_groups(ds);
	if (key == &functions || key == &caches)
		join_renamed(ds);
	qsort_r(ds->list, ds->nr, sizeof(*ds->list), by_distance, (void *)d->before->sort);
}

/* Return how to group the call sites of two kernels, which have different addresses. */
static const struct group_key *key_of_group_in_diff(const struct report *r)
{
	const struct group_key *key = r->group;

	const bool is_site = key == group_key_find("site");

	if (is_site && r->source)
		return group_key_find("line");
	return is_site || key == group_key_find("function") ? &functions : key;
}

/**
 * diff_init - compare two traces
 * @d: result
 * @before: the first trace; must stay valid
 * @after: the second trace; must stay valid
 * @allowed: allowed growth, NULL: any; must stay valid
 */
void diff_init(struct diff *d, const struct report *before,
	       const struct report *after, const struct threshold *allowed)
{
	int i;

	*d = (struct diff) { .before = before, .after = after, .allowed = allowed };
	for (i = 0; i < NR_SPACES; i++)
		compare_sides(&d->of[i], d, i, key_of_group_in_diff(before));
	if (trace_figure(before, "caches") && trace_figure(after, "caches"))
		compare_sides(&d->caches, d, KMEMTRACE_SPACE_SLAB, &caches);
}

bool diff_is_empty(const struct diff *d)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		if (d->of[i].nr)
			return false;
	return !d->caches.nr;
}

/* Return whether an allocator grew by more than is allowed. */
bool diff_exceeds(const struct diff *d, enum kmemtrace_space space)
{
	const struct kmemtrace_column *key = d->before->sort;
	uint64_t before, after;

	if (!d->allowed)
		return false;
	before = total_figure(d->before, space, key->name);
	after = total_figure(d->after, space, key->name);
	if (after <= before)
		return false;
	if (d->allowed->is_percent)
		return (double)(after - before) * 100 >
		       (double)before * (double)d->allowed->amount;
	return after - before > d->allowed->amount;
}

/* Return "new", "gone" or NULL. */
const char *delta_status(const struct delta *d)
{
	return d->before == &nothing ? "new" :
	       d->after == &nothing ? "gone" : NULL;
}

/* Return how many groups differ, without the rest. */
size_t deltas_listed(const struct deltas *ds)
{
	return ds->nr - (ds->nr && ds->list[ds->nr - 1].is_rest);
}

static void deltas_free(struct deltas *ds)
{
	groups_free(&ds->before);
	groups_free(&ds->after);
	free(ds->list);
}

/* Free what diff_init() allocated. */
void diff_free(struct diff *d)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		deltas_free(&d->of[i]);
	deltas_free(&d->caches);
}
