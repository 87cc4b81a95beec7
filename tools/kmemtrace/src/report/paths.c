// SPDX-License-Identifier: GPL-2.0
/*
 * Call paths: a list, and the tree that they form.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/number.h"
#include "report/groups.h"
#include "report/paths.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* ---- names ---- */

static int by_frame(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Return all addresses of frames, sorted, each once. */
static uint64_t *all_addresses(const struct call_paths *p, size_t *nr)
{
	uint64_t *list;
	size_t i, n = 0;

	for (i = 0; i < p->nr; i++)
		n += p->list[i].calls.nr;
	list = must_calloc(n + 1, sizeof(*list));
	for (i = 0, n = 0; i < p->nr; n += p->list[i++].calls.nr)
		memcpy(list + n, p->list[i].calls.addresses, p->list[i].calls.nr * sizeof(*list));
	qsort(list, n, sizeof(*list), by_frame);
	for (*nr = 0, i = 0; i < n; i++)
		if (!*nr || list[i] != list[*nr - 1])
			list[(*nr)++] = list[i];
	return list;
}

static int by_step_name(const void *a, const void *b, void *arg)
{
	const struct frame_name *names = arg;
	const struct frame_name *x = &names[*(const uint32_t *)a];
	const struct frame_name *y = &names[*(const uint32_t *)b];
	int order = x->name ? strcmp(x->name, y->name) : 0;

	return order ? order : compare_u64(x->addr, y->addr);
}

/*
 * Number the frames: addresses with the same name are the same frame. Return the number of
 * each address.
 */
static uint32_t *number_frames(struct call_paths *p, const uint64_t *addresses, size_t nr)
{
	uint32_t *numbers = must_calloc(nr + 1, sizeof(*numbers));
	uint32_t *order = must_calloc(nr + 1, sizeof(*order));
	struct frame_name *all = must_calloc(nr + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < nr; i++) {
		all[i] = (struct frame_name) { addresses[i], group_name(p->r, addresses[i]) };
		order[i] = i;
	}
	qsort_r(order, nr, sizeof(*order), by_step_name, all);
	p->names = must_calloc(nr + NR_NO_FRAMES, sizeof(*p->names));
	p->nr_names = NR_NO_FRAMES;
	for (i = 0; i < nr; i++) {
		struct frame_name *name = &all[order[i]], *last = &p->names[p->nr_names - 1];

		if (name->name && last->name && !strcmp(name->name, last->name))
			free(name->name);
		else
			p->names[p->nr_names++] = *name;
		numbers[order[i]] = p->nr_names - 1;
	}
	free(order);
	free(all);
	return numbers;
}

static uint32_t number_of_frame(uint64_t address, const uint64_t *addresses, size_t nr,
				const uint32_t *numbers)
{
	const uint64_t *found = bsearch(&address, addresses, nr, sizeof(*addresses), by_frame);

	return numbers[found - addresses];
}

/* Set the frames of each path. */
static void set_frames(struct call_paths *p)
{
	size_t nr, i, j, room = p->nr;
	uint64_t *addresses = all_addresses(p, &nr);
	uint32_t *numbers = number_frames(p, addresses, nr), *next;

	for (i = 0; i < p->nr; i++)
		room += p->list[i].calls.nr;
	p->frames = must_calloc(room + 1, sizeof(*p->frames));
	next = p->frames;
	for (i = 0; i < p->nr; i++) {
		struct call_path *path = &p->list[i];
		const struct calls *calls = &path->calls;

		path->frames = next;
		if (calls->is_cut || calls->is_unknown)
			*next++ = calls->is_cut ? FRAME_MORE : FRAME_UNKNOWN;
		for (j = calls->nr; j-- > 0;) {
			*next = number_of_frame(calls->addresses[j], addresses, nr, numbers);
			if (!p->r->group->joins_callers || next == path->frames || next[-1] != *next)
				next++;
		}
		path->depth = next - path->frames;
	}
	free(addresses);
	free(numbers);
}

/**
 * paths_collect - list the call paths of an allocator
 * @p: result, to be freed with paths_free()
 * @r: the report
 * @space: the allocator
 */
void paths_collect(struct call_paths *p, const struct report *r, enum kmemtrace_space space)
{
	struct kmemtrace_relation *rows = relation_of(r, "paths", .where = WHERE(space, NULL),
						      .sort = r->sort->name);

	*p = (struct call_paths) { .r = r };
	p->list = must_calloc(kmemtrace_relation_rows(rows) + 1, sizeof(*p->list));
	for (; kmemtrace_relation_next(rows); p->nr++) {
		figures_read(&p->list[p->nr].figures, rows);
		p->list[p->nr].is_rest = kmemtrace_relation_is_rest(rows);
		calls_of_row(&p->list[p->nr].calls, r, rows);
	}
	kmemtrace_relation_close(rows);
	set_frames(p);
}

/* Free what paths_collect() allocated. */
void paths_free(struct call_paths *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_names; i++)
		free(p->names[i].name);
	free(p->names);
	free(p->frames);
	free(p->list);
}

/* Print the name of a frame. */
void paths_print_frame(const struct call_paths *p, uint32_t frame, FILE *out)
{
	static const char * const none[NR_NO_FRAMES] = {
		[FRAME_MORE] = "(more callers)",
		[FRAME_UNKNOWN] = "(unknown callers)",
	};

	if (frame < NR_NO_FRAMES)
		fputs(none[frame], out);
	else if (p->names[frame].name)
		fputs(p->names[frame].name, out);
	else
		print_site(p->r, p->names[frame].addr, out);
}

/* ---- trees ---- */

/**
 * struct planting - a tree that is being made
 * @p: the call paths
 * @is_bottom_up: the call site comes first
 */
struct planting {
	const struct call_paths *p;
	bool is_bottom_up;
};

/* Return frame @i of a path, from the root of the tree. */
static uint32_t frame_at(const struct planting *pl, const struct call_path *path, size_t i)
{
	return path->frames[pl->is_bottom_up ? path->depth - 1 - i : i];
}

/* Paths with the same first frames follow each other. */
static int by_frames(const void *a, const void *b, void *arg)
{
	const struct planting *pl = arg;
	const struct call_path *x = &pl->p->list[*(const size_t *)a];
	const struct call_path *y = &pl->p->list[*(const size_t *)b];
	size_t i;

	for (i = 0; i < x->depth && i < y->depth; i++)
		if (frame_at(pl, x, i) != frame_at(pl, y, i))
			return frame_at(pl, x, i) < frame_at(pl, y, i) ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Return the last child of a node if it is this frame, or else a new one. */
static uint32_t child_of(struct path_tree *t, uint32_t above, uint32_t frame)
{
	uint32_t last = t->nodes[above].child;

	if (last && t->nodes[last].frame == frame)
		return last;
	t->nodes = must_grow_list(t->nodes, t->nr, sizeof(*t->nodes));
	t->nodes[t->nr] = (struct path_node) { .frame = frame, .next = last };
	t->nodes[above].child = t->nr;
	return t->nr++;
}

static void add_path(struct path_tree *t, const struct planting *pl, size_t i, bool is_shown)
{
	const struct call_path *path = &pl->p->list[i];
	uint32_t at = 0;
	size_t j;

	for (j = 0;; j++) {
		figures_add(&t->nodes[at].all, &path->figures);
		t->nodes[at].is_shown |= is_shown;
		if (j == path->depth) {
			t->nodes[at].is_end = true;
			t->nodes[at].is_rest = path->is_rest;
			t->nodes[at].own += sort_value(pl->p->r->sort, &path->figures);
			return;
		}
		at = child_of(t, at, frame_at(pl, path, j));
	}
}

/**
 * struct sorting - the nodes below one that are being sorted
 * @t: the tree
 * @order: by which number
 */
struct sorting {
	const struct path_tree *t;
	const struct kmemtrace_column *order;
};

static int by_value(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct path_node *x = &s->t->nodes[*(const uint32_t *)a];
	const struct path_node *y = &s->t->nodes[*(const uint32_t *)b];
	uint64_t i = sort_value(s->order, &x->all), j = sort_value(s->order, &y->all);

	if (x->is_rest != y->is_rest)
		return x->is_rest - y->is_rest;
	if (i == j) {
		i = figure_value(&x->all, "bytes");
		j = figure_value(&y->all, "bytes");
	}
	if (i != j)
		return i > j ? -1 : 1;
	return (x->frame > y->frame) - (x->frame < y->frame);
}

/* Sort the frames below a node; @list has room for them. */
static void sort_below(struct path_tree *t, uint32_t above, const struct sorting *s,
		       uint32_t *list)
{
	uint32_t i, nr = 0;

	for (i = t->nodes[above].child; i; i = t->nodes[i].next)
		list[nr++] = i;
	if (nr < 2)
		return;
	qsort_r(list, nr, sizeof(*list), by_value, (void *)s);
	for (i = 0; i < nr; i++)
		t->nodes[list[i]].next = i + 1 < nr ? list[i + 1] : 0;
	t->nodes[above].child = list[0];
}

/**
 * path_tree_make - make the tree of call paths
 * @t: result, to be freed with path_tree_free()
 * @p: the call paths
 * @is_bottom_up: the call site is the root, not the outermost caller
 * @limit: of the first so many paths, nodes are shown, and of the rest
 */
void path_tree_make(struct path_tree *t, const struct call_paths *p, bool is_bottom_up,
		    size_t limit)
{
	const struct planting pl = { p, is_bottom_up };
	const struct sorting s = { t, p->r->sort };
	size_t *order = must_calloc(p->nr + 1, sizeof(*order)), i;
	uint32_t *list;

	*t = (struct path_tree) { .nodes = must_calloc(1, sizeof(*t->nodes)), .nr = 1 };
	for (i = 0; i < p->nr; i++)
		order[i] = i;
	if (p->nr)
		qsort_r(order, p->nr, sizeof(*order), by_frames, (void *)&pl);
	for (i = 0; i < p->nr; i++)
		add_path(t, &pl, order[i], order[i] < limit || p->list[order[i]].is_rest);
	free(order);
	list = must_calloc(t->nr, sizeof(*list));
	for (i = 0; i < t->nr; i++)
		sort_below(t, i, &s, list);
	free(list);
}

/* Free what path_tree_make() allocated. */
void path_tree_free(struct path_tree *t)
{
	free(t->nodes);
}
