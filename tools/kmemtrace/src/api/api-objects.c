// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: live objects and lives, one by one. kmemtrace-records.h describes
 * the functions.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/api-lists.h"
#include "api/api-objects.h"
#include "ledger/pages.h"
#include "ledger/sample.h"

/* ---- live objects ---- */

/*
 * Return whether live memory matches the filters by age. Memory that is older than the trace was
 * allocated before its begin, and nobody knows when.
 */
static bool age_fits(const struct kmemtrace_trace *trace, const struct kind *kind, int64_t born)
{
	const struct filter *f = &trace->t.options.filter;
	const uint64_t age = trace->t.last > born ? (uint64_t)trace->t.last - (uint64_t)born : 0;

	if (kind_is_older(kind))
		return !f->texts[FILTER_YOUNGER] &&
		       (!f->texts[FILTER_OLDER] || f->older <= trace_span(&trace->t));
	return (!f->texts[FILTER_OLDER] || age > f->older) &&
	       (!f->texts[FILTER_YOUNGER] || age < f->younger);
}

/**
 * struct live_user - who walks over live memory
 * @trace: the trace
 * @l: its ledger
 * @has_hidden: also over what filters leave out
 * @each: its function
 * @arg: for @each
 */
struct live_user {
	const struct kmemtrace_trace *trace;
	const struct ledger *l;
	bool has_hidden;
	int (*each)(void *arg, const struct kmemtrace_object *object);
	void *arg;
};

/* Fill in what an object and a page have in common. Return false if it isn't live, or left out. */
static bool describe_object(const struct live_user *u, const struct slot *slot,
			    struct kmemtrace_object *object)
{
	const struct ledger *l = u->l;
	const struct party *party;
	const struct kind *kind;
	uint32_t cache;

	if (slot->state != SLOT_LIVE)
		return false;
	kind = kinds_get(&l->kinds, slot->kind);
	cache = class_cache(kind->class);
	party = &l->who.parties[who_key_party(kind->who)];
	*object = (struct kmemtrace_object) {
		.size = sizeof(*object),
		.call_site = kind->site,
		.time = slot->time,
		.cpu = slot->cpu,
		.api = slot->type,
		.cache = cache == NO_CACHE ? NULL : l->caches.list[cache].name,
		.kind = slot->kind,
		.cache_number = cache,
		.is_older = kind_is_older(kind),
		.weight = sample_weight(l, kind),
		.path = who_key_path(kind->who),
		.task = party->task,
		.cgroup = party->cgroup,
	};
	return u->has_hidden || (kind_is_counted(kind) && age_fits(u->trace, kind, slot->time));
}

static int visit_pages(void *user, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	const struct live_user *u = user;
	struct kmemtrace_object object;

	if (slot->reserved || slot->type == SLOT_OWN_TYPE || !describe_object(u, slot, &object))
		return 0;
	object.ptr = pfn << u->l->page_shift;
	object.pages = nr;
	object.bytes_alloc = nr << u->l->page_shift;
	object.bytes_req = object.bytes_alloc;
	return u->each(u->arg, &object);
}

static int each_page(const struct live_user *u)
{
	const struct frames *shards[NR_SHARDS];
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		shards[i] = &u->l->shards[i].frames;
	return pages_each(shards, visit_pages, (void *)u);
}

/**
 * struct collection - the objects of one allocator that are live
 * @list: the objects, where the ledger has them
 * @nr: entries of @list
 * @room: entries that @list has room for
 * @is_full: there was no memory
 */
struct collection {
	const struct object **list;
	size_t nr, room;
	bool is_full;
};

/* Make room for one more object. Return false without memory. */
static bool make_room_for_live(struct collection *c)
{
	size_t room = 2 * c->room + 1024;
	const struct object **list;

	if (c->nr < c->room)
		return true;
	list = reallocarray(c->list, room, sizeof(*list));
	c->is_full |= !list;
	if (!list)
		return false;
	c->list = list;
	c->room = room;
	return true;
}

static void collect_live(void *collection, const struct object *obj)
{
	struct collection *c = collection;

	if (obj->slot.state == SLOT_LIVE && make_room_for_live(c))
		c->list[c->nr++] = obj;
}

static int by_object_address(const void *a, const void *b)
{
	const struct object *const *x = a, *const *y = b;

	return ((*x)->ptr > (*y)->ptr) - ((*x)->ptr < (*y)->ptr);
}

static int visit_object(const struct live_user *u, const struct object *obj)
{
	struct kmemtrace_object object;

	if (!describe_object(u, &obj->slot, &object))
		return 0;
	object.ptr = obj->ptr;
	object.bytes_alloc = class_size(kinds_get(&u->l->kinds, obj->slot.kind)->class);
	object.bytes_req = object.bytes_alloc - obj->slot.spare;
	return u->each(u->arg, &object);
}

static int each_object(const struct live_user *u, enum space space)
{
	struct collection c = { .nr = 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < NR_SHARDS; i++)
		objects_each(&u->l->shards[i].objects[space], collect_live, &c);
	if (c.nr)
		qsort(c.list, c.nr, sizeof(*c.list), by_object_address);
	if (c.is_full)
		ret = -ENOMEM;
	for (i = 0; !ret && i < c.nr; i++)
		ret = visit_object(u, c.list[i]);
	free(c.list);
	return ret;
}

/* The same as kmemtrace_each_live(); with @has_hidden, also for what filters leave out. */
int api_each_live(const struct kmemtrace_trace *trace, enum kmemtrace_space space, bool has_hidden,
		  int (*each)(void *arg, const struct kmemtrace_object *object), void *arg)
{
	const struct live_user user = { trace, &trace->t.ledger, has_hidden, each, arg };

	if (!is_space(space))
		return -EINVAL;
	if (!trace->is_read)
		return -ENODATA;
	return space == KMEMTRACE_SPACE_PAGES ? each_page(&user) :
		each_object(&user, (enum space)space);
}

int kmemtrace_each_live(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space,
			int (*each)(void *arg,
				    const struct kmemtrace_object *object),
			void *arg)
{
	return api_each_live(trace, space, false, each, arg);
}

/* ---- the age of live memory ---- */

/**
 * struct ageing - a pass over the live memory of an allocator, in no order
 * @l: the ledger
 * @count: gets the last event of @nr objects or single pages that are live
 * @result: for @count
 */
struct ageing {
	const struct ledger *l;
	void (*count)(const struct ageing *a, const struct slot *slot, uint64_t nr);
	void *result;
};

static void age_object(void *ageing, const struct object *obj)
{
	const struct ageing *a = ageing;

	if (obj->slot.state == SLOT_LIVE)
		a->count(a, &obj->slot, 1);
}

static int age_pages(void *ageing, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	const struct ageing *a = ageing;

	(void)pfn;
	if (slot->state == SLOT_LIVE && !slot->reserved && slot->type != SLOT_OWN_TYPE)
		a->count(a, slot, nr);
	return 0;
}

/* Return 0 or -ENOMEM. */
static int age_all(struct ageing *a, enum kmemtrace_space space)
{
	const struct frames *shards[NR_SHARDS];
	size_t i;

	for (i = 0; i < NR_SHARDS; i++) {
		shards[i] = &a->l->shards[i].frames;
		if (space != KMEMTRACE_SPACE_PAGES)
			objects_each(&a->l->shards[i].objects[space], age_object, a);
	}
	return space == KMEMTRACE_SPACE_PAGES ? pages_each(shards, age_pages, a) : 0;
}

static void take_oldest(const struct ageing *a, const struct slot *slot, uint64_t nr)
{
	int64_t *oldest = a->result;

	(void)nr;
	if (slot->time < oldest[slot->kind])
		oldest[slot->kind] = slot->time;
}

/*
 * Set the time of the oldest live memory of each kind of an allocator, by number of the kind;
 * INT64_MAX: none is live. Return 0, -EINVAL or -ENOMEM.
 */
int api_find_oldest(const struct kmemtrace_trace *trace, enum kmemtrace_space space,
		    int64_t *oldest)
{
	const struct ledger *l = &trace->t.ledger;
	uint32_t i;

	if (!is_space(space))
		return -EINVAL;
	for (i = 0; i < l->kinds.nr; i++)
		if (kind_space(kinds_get(&l->kinds, i)) == (enum space)space)
			oldest[i] = INT64_MAX;
	return age_all(&(struct ageing) { l, take_oldest, oldest }, space);
}

/**
 * struct counting - the births that are being counted
 * @of_kind: returns where those of a kind are counted; NULL: they are not
 * @arg: for @of_kind
 * @begin: when the first step begins
 * @since: births before are not counted
 * @step: nanoseconds of each
 */
struct counting {
	struct births *(*of_kind)(void *arg, uint32_t kind);
	void *arg;
	int64_t begin, since;
	uint64_t step;
};

static void count_birth(const struct ageing *a, const struct slot *slot, uint64_t nr)
{
	const struct counting *c = a->result;
	struct births *births = c->of_kind(c->arg, slot->kind);
	const uint64_t step = slot->time < c->begin ? 0 :
			      ((uint64_t)slot->time - (uint64_t)c->begin) / c->step;

	if (!births || slot->time < c->since)
		return;
	nr *= sample_weight(a->l, kinds_get(&a->l->kinds, slot->kind));
	if (!births->nr || slot->time < births->first)
		births->first = slot->time;
	if (!births->nr || slot->time > births->last)
		births->last = slot->time;
	births->nr += nr;
	births->steps[step < BIRTH_STEPS ? step : BIRTH_STEPS - 1] += nr;
}

/* Return the nanoseconds of a step of the births. */
uint64_t api_birth_step(const struct kmemtrace_trace *trace)
{
	return ((uint64_t)trace->t.last - (uint64_t)trace->t.first) / BIRTH_STEPS + 1;
}

/*
 * Count when the live memory of an allocator was allocated, from a time on, where a function says:
 * @of_kind returns where the memory of a kind is counted, or NULL. Return 0 or -ENOMEM.
 */
int api_find_births(const struct kmemtrace_trace *trace, enum kmemtrace_space space, int64_t since,
		    struct births *(*of_kind)(void *arg, uint32_t kind), void *arg)
{
	struct counting c = { of_kind, arg, trace->t.first, since, api_birth_step(trace) };

	return age_all(&(struct ageing) { &trace->t.ledger, count_birth, &c }, space);
}

/* ---- live memory that a filter by age chooses ---- */

/**
 * struct aged - the argument of count_aged()
 * @trace: the trace
 * @rows: by number of the kind
 */
struct aged {
	const struct kmemtrace_trace *trace;
	struct row *rows;
};

static void count_aged(const struct ageing *a, const struct slot *slot, uint64_t nr)
{
	const struct aged *aged = a->result;
	const struct kind *kind = kinds_get(&a->l->kinds, slot->kind);
	const bool is_page = kind_space(kind) == SPACE_PAGES;
	const uint64_t size = is_page ? a->l->page_size : class_size(kind->class);
	struct row *row = &aged->rows[slot->kind];

	if (!age_fits(aged->trace, kind, slot->time))
		return;
	nr *= sample_weight(a->l, kind);
	row->live += nr;
	row->live_alloc += nr * size;
	row->live_req += nr * (size - (is_page ? 0 : slot->spare));
}

/* Count the allocations of the live memory, in the trace. */
static void set_aged_allocs(const struct ledger *l, const struct kind *kind, struct row *row)
{
	const uint64_t size = class_size(kind->class);

	if (kind_is_older(kind))
		return;
	row->allocs = kind_space(kind) != SPACE_PAGES || size <= l->page_size ? row->live :
		      (row->live_alloc + size - 1) / size;
	row->req = row->live_req;
	row->alloc = row->live_alloc;
}

/* With a filter by age, count the live memory that matches. Return 0 or -ENOMEM. */
int api_count_aged(struct kmemtrace_trace *trace)
{
	const struct filter *f = &trace->t.options.filter;
	const struct ledger *l = &trace->t.ledger;
	struct aged aged = { trace, NULL };
	uint64_t live = 0;
	int space, ret = 0;
	uint32_t i;

	if (!f->texts[FILTER_OLDER] && !f->texts[FILTER_YOUNGER])
		return 0;
	aged.rows = calloc(l->kinds.nr + 1, sizeof(*aged.rows));
	if (!aged.rows)
		return -ENOMEM;
	trace->aged = aged.rows;
	for (space = 0; !ret && space < NR_SPACES; space++)
		ret = age_all(&(struct ageing) { l, count_aged, &aged }, space);
	for (i = 0; i < l->kinds.nr; i++) {
		set_aged_allocs(l, kinds_get(&l->kinds, i), &aged.rows[i]);
		if (kind_is_counted(kinds_get(&l->kinds, i)))
			live += aged.rows[i].live;
	}
	trace->summary.is_empty |= !live;
	return ret;
}

/* ---- lives ---- */

/* Pass on a life that ended while the trace is read. */
static int end_life(void *arg, const struct life *from)
{
	struct kmemtrace_trace *trace = arg;
	const struct ledger *l = &trace->t.ledger;
	const struct kind *kind = kinds_get(&l->kinds, from->kind);
	const struct party *party = &l->who.parties[who_key_party(kind->who)];
	const bool has_free = from->freed_by != NO_KIND;
	const struct kmemtrace_life life = {
		.space = kind_space(kind),
		.api = from->type,
		.ptr = from->ptr,
		.pages = kind_space(kind) == SPACE_PAGES ? from->bytes >> l->page_shift : 0,
		.bytes_req = from->bytes - from->spare,
		.bytes_alloc = from->bytes,
		.call_site = kind->site,
		.cache = class_cache(kind->class),
		.is_older = kind_is_older(kind),
		.born = from->born,
		.cpu = from->cpu,
		.is_ended = true,
		.died = from->died,
		.has_free = has_free,
		.free_site = has_free ? kinds_get(&l->kinds, from->freed_by)->site : 0,
		.free_cpu = from->freed_cpu,
		.weight = sample_weight(l, kind),
		.path = who_key_path(kind->who),
		.task = party->task,
		.cgroup = party->cgroup,
	};

	return trace->each_life(trace->life_arg, &life);
}

/* Let the reading pass on each life that ends, if the program wants that. */
void api_begin_lives(struct kmemtrace_trace *trace)
{
	if (!trace->each_life)
		return;
	trace->reading.each_life = end_life;
	trace->reading.life_arg = trace;
}

/**
 * struct living - the argument of pass_living()
 * @trace: the trace
 * @space: the allocator
 */
struct living {
	struct kmemtrace_trace *trace;
	enum kmemtrace_space space;
};

/* Pass on an object that is live at the end. */
static int pass_living(void *arg, const struct kmemtrace_object *object)
{
	const struct living *l = arg;
	const struct kmemtrace_life life = {
		.space = l->space,
		.api = object->api,
		.ptr = object->ptr,
		.pages = object->pages,
		.bytes_req = object->bytes_req,
		.bytes_alloc = object->bytes_alloc,
		.call_site = object->call_site,
		.cache = object->cache_number,
		.is_older = object->is_older,
		.born = object->time,
		.cpu = object->cpu,
		.weight = object->weight,
		.path = object->path,
		.task = object->task,
		.cgroup = object->cgroup,
	};

	return l->trace->each_life(l->trace->life_arg, &life);
}

/* Pass on what is live at the end. Return 0 or -errno. */
int api_end_lives(struct kmemtrace_trace *trace)
{
	int space, ret = 0;

	for (space = 0; trace->each_life && !ret && space < NR_SPACES; space++)
		ret = kmemtrace_each_live(trace, space, pass_living,
					  &(struct living) { trace, space });
	return ret;
}
