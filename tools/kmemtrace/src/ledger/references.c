// SPDX-License-Identifier: GPL-2.0
/*
 * references.c - who takes references to counted objects, and who keeps them
 *
 * A reference has no name: a record says that a call path took or dropped one. While an object has
 * references, the sums by call path are kept, and matched when they are asked for:
 *
 * A call path that dropped a reference has dropped that of the call path with which it has most
 * callers in common, if these are more than half of both: most references are taken and dropped
 * under one function. All others have dropped the oldest references.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/number.h"
#include "ledger/references.h"

#define MIN_OBJECT_BITS	8

/* An object with so many holders has a hash of them: else each record would search them all. */
#define MANY_HOLDERS	16

/* Callers are compared for objects that have no more holders. */
#define MAX_COMPARED	256

/* ---- objects by address ---- */

static uint32_t home_of_object(const struct references *r, uint64_t ptr)
{
	return hash_key(ptr, r->seed) >> (64 - r->bits);
}

/* Return where an object is, or would be. */
static struct counted_object *object_at(const struct references *r, uint32_t kind, uint64_t ptr)
{
	uint32_t mask = (UINT32_C(1) << r->bits) - 1, at = home_of_object(r, ptr);

	while (r->list[at].nr && (r->list[at].ptr != ptr || r->list[at].kind != kind))
		at = (at + 1) & mask;
	return &r->list[at];
}

/* Double the list, half of which stays empty. Return false without memory. */
static bool grow_objects(struct references *r, struct context *ctx)
{
	struct references new = *r;
	size_t i, old = r->bits ? (size_t)1 << r->bits : 0;

	new.bits = r->bits ? r->bits + 1 : MIN_OBJECT_BITS;
	new.list = context_calloc(ctx, (size_t)1 << new.bits, sizeof(*new.list));
	if (!new.list)
		return false;
	if (!r->bits)
		new.seed = hash_seed();
	for (i = 0; i < old; i++)
		if (r->list[i].nr)
			*object_at(&new, r->list[i].kind, r->list[i].ptr) = r->list[i];
	free(r->list);
	*r = new;
	return true;
}

static void free_object(struct counted_object *o)
{
	lookup_free(&o->by_path);
	free(o->holders);
}

/* Remove an object, and move those behind it that would not be found any more. */
static void remove_object(struct references *r, struct counted_object *o)
{
	uint32_t mask = (UINT32_C(1) << r->bits) - 1, hole = o - r->list, at = hole;

	free_object(o);
	for (;;) {
		at = (at + 1) & mask;
		if (!r->list[at].nr)
			break;
		if (((at - home_of_object(r, r->list[at].ptr)) & mask) < ((at - hole) & mask))
			continue;
		r->list[hole] = r->list[at];
		hole = at;
	}
	r->list[hole] = (struct counted_object) { 0 };
	r->nr_objects--;
}

/* ---- call paths ---- */

/* Return the index of a call path of a kind; UINT32_MAX without memory. */
static uint32_t reference_path(struct references *r, struct context *ctx, uint64_t site,
			       uint32_t kind, uint32_t path)
{
	const struct { uint64_t site; uint32_t kind, path; } key = { site, kind, path };
	struct lookup_place place = lookup_begin(&r->path_keys, &key, sizeof(key));
	struct reference_path *list;
	uint32_t i;

	while ((i = lookup_next(&r->path_keys, &place)) != LOOKUP_NONE)
		if (r->paths[i].site == site && r->paths[i].kind == kind &&
		    r->paths[i].path == path)
			return i;
	list = context_grow_list(ctx, r->paths, r->nr_paths, sizeof(*list));
	if (!list)
		return UINT32_MAX;
	r->paths = list;
	if (!lookup_add(&r->path_keys, &place, r->nr_paths)) {
		context_fail(ctx, -ENOMEM);
		return UINT32_MAX;
	}
	list[r->nr_paths] = (struct reference_path) { .site = site, .kind = kind, .path = path };
	return r->nr_paths++;
}

/* Return what a call path did with an object; NULL: nothing. */
static struct holder *find_holder(struct counted_object *o, uint32_t path)
{
	struct lookup_place place;
	uint32_t i;

	if (o->nr < MANY_HOLDERS) {
		for (i = 0; i < o->nr; i++)
			if (o->holders[i].path == path)
				return &o->holders[i];
		return NULL;
	}
	place = lookup_begin(&o->by_path, &path, sizeof(path));
	while ((i = lookup_next(&o->by_path, &place)) != LOOKUP_NONE)
		if (o->holders[i].path == path)
			return &o->holders[i];
	return NULL;
}

/* Enter the last holder, or, if the object has just become one with many, each of them. */
static bool hash_holders(struct counted_object *o)
{
	uint32_t i = o->nr == MANY_HOLDERS ? 0 : o->nr - 1;
	struct lookup_place place;

	for (; o->nr >= MANY_HOLDERS && i < o->nr; i++) {
		place = lookup_begin(&o->by_path, &o->holders[i].path, sizeof(o->holders[i].path));
		if (!lookup_add(&o->by_path, &place, i))
			return false;
	}
	return true;
}

/* Add a call path to those of an object; NULL without memory. */
static struct holder *add_holder(struct references *r, struct context *ctx,
				 struct counted_object *o, uint32_t path)
{
	struct holder *list = context_grow_list(ctx, o->holders, o->nr, sizeof(*list));

	if (!list)
		return NULL;
	o->holders = list;
	r->nr_objects += !o->nr;
	list[o->nr++] = (struct holder) { .path = path };
	if (!hash_holders(o)) {
		context_fail(ctx, -ENOMEM);
		return NULL;
	}
	return &list[o->nr - 1];
}

/* ---- records ---- */

/* Add references to those of an object, which may be new. */
static void count_references(struct references *r, struct who *w, struct counted_object *o,
			     const struct record *rec, unsigned int cpu, uint32_t path)
{
	const struct kmemtrace_reference *ref = (const void *)rec->ev;
	const bool is_known = ref->count != KMEMTRACE_REF_UNKNOWN;
	struct holder *h;

	if (!o->nr)
		*o = (struct counted_object) {
			.ptr = ref->object,
			.kind = r->paths[path].kind,
			.before = is_known ? ref->count - ref->change : 0,
			.is_own = who_task_is_own(w, who_running(w, ref->who, cpu)),
		};
	h = find_holder(o, path) ?: add_holder(r, w->ctx, o, path);
	if (!h)
		return;
	if (ref->change < 0) {
		h->puts += -(int64_t)ref->change;
		return;
	}
	r->paths[path].objects += !h->gets;
	if (h->gets <= h->puts)
		h->since = rec->time;
	h->gets += ref->change;
}

/* Change the references to an object. */
static void change_object(struct references *r, struct who *w, const struct record *rec,
			  unsigned int cpu, uint32_t path)
{
	const struct kmemtrace_reference *ref = (const void *)rec->ev;
	struct counted_object *o;

	if ((!r->bits || r->nr_objects >= (size_t)1 << (r->bits - 1)) && !grow_objects(r, w->ctx))
		return;
	o = object_at(r, r->paths[path].kind, ref->object);
	/* The last reference to what had the address before was dropped unseen. */
	if (o->nr && ref->change > 0 && ref->count == (uint64_t)ref->change) {
		remove_object(r, o);
		o = object_at(r, r->paths[path].kind, ref->object);
	}
	if (!ref->count) {
		if (o->nr)
			remove_object(r, o);
		return;
	}
	/* Another CPU may have dropped the last one, and recorded it before. */
	if (o->nr || ref->change > 0 || ref->count != KMEMTRACE_REF_UNKNOWN)
		count_references(r, w, o, rec, cpu, path);
}

/**
 * references_take - take a record of references
 * @r: the references
 * @w: call paths and tasks
 * @rec: the record, a struct kmemtrace_reference
 * @cpu: CPU of its stream
 *
 * Return: false: the record is impossible.
 */
bool references_take(struct references *r, struct who *w, const struct record *rec,
		     unsigned int cpu)
{
	const struct kmemtrace_reference *ref = (const void *)rec->ev;
	char name[sizeof(ref->kind)] = "";
	uint64_t kind;
	uint32_t path;

	if (rec->tail_size < sizeof(ref->kind) || !*rec->tail || !ref->change || !ref->object)
		return false;
	memcpy(name, rec->tail, strnlen((const char *)rec->tail, sizeof(name) - 1));
	kind = intern(&r->kinds, name, strlen(name) + 1);
	if (kind == INTERN_NO_MEMORY) {
		context_fail(w->ctx, -ENOMEM);
		return true;
	}
	path = reference_path(r, w->ctx, ref->call_site, kind, who_path(w, ref->who));
	if (path == UINT32_MAX)
		return true;
	if (ref->change > 0)
		r->paths[path].gets += ref->change;
	else
		r->paths[path].puts += -(int64_t)ref->change;
	change_object(r, w, rec, cpu, path);
	return true;
}

/* ---- which references are held ---- */

static const struct path *callers_of_holder(const struct references *r, const struct who *w,
					    const struct holder *h)
{
	return &w->paths[r->paths[h->path].path];
}

/* Return how many callers two call paths have in common; 0: no more than half of those of one. */
static unsigned int common_callers(const struct path *a, const struct path *b)
{
	const unsigned int most = a->depth > b->depth ? a->depth : b->depth;
	const unsigned int least = a->depth < b->depth ? a->depth : b->depth;
	unsigned int nr = 0;

	while (nr < least && a->frames[a->depth - 1 - nr] == b->frames[b->depth - 1 - nr])
		nr++;
	return 2 * nr > most ? nr : 0;
}

/* Return the holder whose references another one dropped, by their callers; NULL: none. */
static struct holder *find_partner(const struct references *r, const struct who *w,
				   struct holder *left, uint32_t nr_left,
				   const struct holder *put)
{
	const struct path *path = callers_of_holder(r, w, put);
	unsigned int most = 0, nr;
	struct holder *best = NULL;
	uint32_t i;

	for (i = 0; i < nr_left; i++) {
		if (!left[i].gets)
			continue;
		nr = common_callers(path, callers_of_holder(r, w, &left[i]));
		if (nr > most) {
			most = nr;
			best = &left[i];
		}
	}
	return best;
}

static void settle_holder(struct holder *get, uint64_t *puts)
{
	const uint64_t nr = get->gets < *puts ? get->gets : *puts;

	get->gets -= nr;
	*puts -= nr;
}

/* Match those that have common callers. Return how many dropped references are left. */
static uint64_t match_callers(const struct references *r, const struct who *w,
			      struct holder *left, uint32_t nr_left)
{
	struct holder *partner;
	uint64_t puts = 0;
	uint32_t i;

	for (i = 0; i < nr_left; i++) {
		while (nr_left <= MAX_COMPARED && left[i].puts &&
		       (partner = find_partner(r, w, left, nr_left, &left[i])))
			settle_holder(partner, &left[i].puts);
		puts += left[i].puts;
	}
	return puts;
}

static int older_holder(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return (x->since > y->since) - (x->since < y->since) ?: compare_u64(x->path, y->path);
}

/* Leave those references of the holders of an object that are held, the oldest first. */
static void match_holders(const struct references *r, const struct who *w,
			  const struct counted_object *o, struct holder *left)
{
	uint64_t puts;
	uint32_t i;

	memcpy(left, o->holders, o->nr * sizeof(*left));
	qsort(left, o->nr, sizeof(*left), older_holder);
	puts = match_callers(r, w, left, o->nr);
	puts -= puts < o->before ? puts : o->before;
	for (i = 0; puts && i < o->nr; i++)
		settle_holder(&left[i], &puts);
}

/**
 * references_each_held - pass on the references that are held
 * @r: the references
 * @w: call paths
 * @each: called for each object and each call path that holds some; returns 0 or -errno
 * @arg: for @each
 *
 * Leaves out the objects of kmemtrace's own programs.
 *
 * Return: 0; what @each returned; -ENOMEM.
 */
int references_each_held(const struct references *r, const struct who *w,
			 int (*each)(void *arg, const struct held_references *held), void *arg)
{
	const size_t entries = r->bits ? (size_t)1 << r->bits : 0;
	struct holder *left = NULL, *new;
	uint32_t j, room = 0;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < entries; i++) {
		const struct counted_object *o = &r->list[i];

		if (!o->nr || o->is_own)
			continue;
		if (o->nr > room) {
			new = realloc(left, o->nr * sizeof(*left));
			if (!new) {
				ret = -ENOMEM;
				break;
			}
			left = new;
			room = o->nr;
		}
		match_holders(r, w, o, left);
		for (j = 0; !ret && j < o->nr; j++)
			if (left[j].gets)
				ret = each(arg, &(struct held_references) {
					o, left[j].path, left[j].gets, left[j].since,
				});
	}
	free(left);
	return ret;
}

/* Free all memory. */
void references_free(struct references *r)
{
	const size_t entries = r->bits ? (size_t)1 << r->bits : 0;
	size_t i;

	for (i = 0; i < entries; i++)
		if (r->list[i].nr)
			free_object(&r->list[i]);
	free(r->list);
	free(r->paths);
	lookup_free(&r->path_keys);
	intern_free(&r->kinds);
}
