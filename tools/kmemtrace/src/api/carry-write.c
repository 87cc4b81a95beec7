// SPDX-License-Identifier: GPL-2.0
/*
 * carry-write.c - write the books with which the next trace begins, see common/booksfile.h
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-objects.h"
#include "api/handle.h"
#include "ledger/total.h"
#include "ledger/live.h"
#include "ledger/pages.h"
#include "common/booksfile.h"

/* Most bytes of one record of kmemtrace's own frames. */
#define MAX_OWN		(UINT64_C(1) << 30)

/*
 * The members of a structure, in their order: a record has them, or a comment says why none has. A
 * member that is missing here is an error.
 */
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#define ALL_MEMBERS(type, ...)	((void)sizeof((type) { __VA_ARGS__ }))

/**
 * struct books - the file that is being written
 * @out: the file
 * @trace: the trace
 * @end: time of the last event
 */
struct books {
	FILE *out;
	const struct kmemtrace_trace *trace;
	int64_t end;
};

static int put_books_record(struct books *b, const void *rec, size_t size)
{
	return fwrite(rec, 1, size, b->out) == size ? 0 : -EIO;
}

/* Return whether anything but lost events makes the trace INCOMPLETE. */
static bool is_incomplete(const struct kmemtrace_trace *trace)
{
	return trace->t.carried.is_incomplete || kmemtrace_doubt(trace, 0);
}

static int put_head(struct books *b)
{
	const struct trace *t = &b->trace->t;
	const struct carried *c = &t->carried;
	const struct kmemtrace_clock clock = {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.clock = KMEMTRACE_CLOCK_LOCAL,
		.event_size = sizeof(clock),
		.monotonic = b->end,
		.timestamp = b->end,
	};
	const struct books_head head = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = BOOKS_TYPE_HEAD,
		.event_size = sizeof(head),
		.traces = c->traces + 1,
		.lost = c->lost + t->lost_events,
		.incomplete = is_incomplete(b->trace),
		.sample = t->dir.one_of,
		.timestamp = b->end,
	};
	int ret = put_books_record(b, &clock, sizeof(clock));

	/* What is missing or damaged makes the trace INCOMPLETE; @one_of is that of this trace. */
	ALL_MEMBERS(struct carried, c->is_there, c->has_head, c->is_damaged, c->is_incomplete,
		    c->traces, c->lost, c->missing, c->one_of);
	return ret ? ret : put_books_record(b, &head, sizeof(head));
}

static int put_cpus(struct books *b)
{
	const struct trace *t = &b->trace->t;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < t->dir.nr_cpus; i++) {
		const struct books_cpu cpu = {
			.event_id = KMEMTRACE_EVENT_SNAPSHOT,
			.type_id = BOOKS_TYPE_CPU,
			.event_size = sizeof(cpu),
			.cpu = t->cpus[i].cpu,
			.taken = t->cpus[i].taken,
			.bytes = t->cpus[i].size,
			.timestamp = b->end,
		};

		if (t->cpus[i].present)
			ret = put_books_record(b, &cpu, sizeof(cpu));
	}
	return ret;
}

/* Write a cache under one of its names. */
static int put_name(struct books *b, const struct cache *cache, const char *name)
{
	static const char zeros[8];
	size_t len = strlen(name);
	size_t padded = (len + sizeof(zeros)) & ~(sizeof(zeros) - 1);
	const struct kmemtrace_cache rec = {
		.event_id = KMEMTRACE_EVENT_CACHE,
		.op = KMEMTRACE_CACHE_THERE,
		.event_size = sizeof(rec) + padded,
		.users = cache->users > 0 ? cache->users : 1,
		.cache = cache->addr,
		.object_size = cache->object_size,
		.size = cache->size,
		.flags = cache->flags,
		.timestamp = b->end,
		.align = cache->align,
	};
	int ret = put_books_record(b, &rec, sizeof(rec));

	if (!ret)
		ret = put_books_record(b, name, len);
	return ret ? ret : put_books_record(b, zeros, padded - len);
}

/* Caches that are merged have several names. The reader takes the last one as its own. */
static int put_cache(struct books *b, const struct cache *cache)
{
	int ret = 0;
	size_t i;

	/* @created and @destroyed are times in this trace. */
	ALL_MEMBERS(struct cache, cache->addr, cache->name, cache->aliases, cache->nr_aliases,
		    cache->object_size, cache->size, cache->align, cache->flags, cache->users,
		    cache->created, cache->destroyed, cache->is_created, cache->is_destroyed);
	if (!cache->name || cache->is_destroyed)
		return 0;
	for (i = 0; !ret && i < cache->nr_aliases; i++)
		ret = put_name(b, cache, cache->aliases[i]);
	return ret ? ret : put_name(b, cache, cache->name);
}

static int put_caches(struct books *b)
{
	const struct caches *caches = &b->trace->t.ledger.caches;
	uint32_t i;
	int ret = 0;

	for (i = NO_CACHE + 1; !ret && i < caches->nr; i++)
		ret = put_cache(b, &caches->list[i]);
	return ret;
}

/* ---- who allocated ---- */

static int put_stack(struct books *b, const struct path *path)
{
	const size_t frames = path->depth * sizeof(*path->frames);
	const struct kmemtrace_stack rec = {
		.event_id = KMEMTRACE_EVENT_STACK,
		.event_size = sizeof(rec) + frames,
		.depth = path->depth,
		.stack = path->number,
		.is_cut = path->is_cut,
		.timestamp = b->end,
	};
	int ret = put_books_record(b, &rec, sizeof(rec));

	/* is_valid() compares @generation, the caller tests @is_named. */
	ALL_MEMBERS(struct path, path->number, path->generation, path->is_named, path->is_cut,
		    path->depth, path->frames);
	return ret ? ret : put_books_record(b, path->frames, frames);
}

/* The numbers of call paths are valid until tracing is switched on again. */
static bool is_valid(const struct who *w, const struct path *path)
{
	return path->number && path->generation == w->generation;
}

static int put_stacks(struct books *b)
{
	const struct who *w = &b->trace->t.ledger.who;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < w->nr_paths; i++)
		if (w->paths[i].is_named && is_valid(w, &w->paths[i]))
			ret = put_stack(b, &w->paths[i]);
	return ret;
}

static int put_cgroup(struct books *b, const struct cgroup *cgroup)
{
	static const char zeros[8];
	size_t len = strlen(cgroup->path);
	size_t padded = (len + sizeof(zeros)) & ~(sizeof(zeros) - 1);
	const bool has_time = cgroup->removed != INT64_MIN;
	const struct kmemtrace_cgroup rec = {
		.event_id = KMEMTRACE_EVENT_CGROUP,
		.op = has_time ? KMEMTRACE_CGROUP_REMOVED : KMEMTRACE_CGROUP_THERE,
		.event_size = sizeof(rec) + padded,
		.is_removed = cgroup->is_removed,
		.cgroup = cgroup->number,
		.parent = cgroup->parent,
		.timestamp = has_time ? cgroup->removed : b->end,
	};
	int ret;

	/* The caller tests @is_released. */
	ALL_MEMBERS(struct cgroup, cgroup->number, cgroup->parent, cgroup->path,
		    cgroup->is_removed, cgroup->is_released, cgroup->removed);
	ret = put_books_record(b, &rec, sizeof(rec));
	if (!ret)
		ret = put_books_record(b, cgroup->path, len);
	return ret ? ret : put_books_record(b, zeros, padded - len);
}

static int put_cgroups(struct books *b)
{
	const struct who *w = &b->trace->t.ledger.who;
	uint32_t i;
	int ret = 0;

	for (i = NO_CGROUP + 1; !ret && i < w->nr_cgroups; i++)
		if (w->cgroups[i].path && !w->cgroups[i].is_released)
			ret = put_cgroup(b, &w->cgroups[i]);
	return ret;
}

static int put_task(struct books *b, const struct task *task, uint32_t i)
{
	struct books_task rec = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = BOOKS_TYPE_TASK,
		.event_size = sizeof(rec),
		.pid = task->pid,
		.task = i,
		.tgid = task->tgid,
		.start = task->start,
		.timestamp = b->end,
	};

	ALL_MEMBERS(struct task, task->tgid, task->start, task->pid, task->zero, { task->comm[0] });
	memcpy(rec.comm, task->comm, sizeof(rec.comm));
	return put_books_record(b, &rec, sizeof(rec));
}

/* Note the tasks of kinds that have live memory. */
static void find_tasks(const struct ledger *l, bool *has_memory)
{
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);

		if (who_key_party(kind->who) && total_live(l, i).live)
			has_memory[l->who.parties[who_key_party(kind->who)].task] = true;
	}
}

static int put_tasks(struct books *b)
{
	const struct ledger *l = &b->trace->t.ledger;
	bool *has_memory = calloc(l->who.nr_tasks, sizeof(*has_memory));
	uint32_t i;
	int ret = 0;

	static_assert(BOOKS_FIRST_TASK == TASK_OWN && TASK_OWN < NR_NO_TASKS, "the same numbers");
	if (!has_memory)
		return -ENOMEM;
	find_tasks(l, has_memory);
	for (i = NR_NO_TASKS; !ret && i < l->who.nr_tasks; i++)
		if (has_memory[i])
			ret = put_task(b, &l->who.tasks[i], i);
	free(has_memory);
	return ret;
}

static struct books_who who_of(const struct ledger *l, const struct kind *kind)
{
	const struct path *path = &l->who.paths[who_key_path(kind->who)];
	const struct party *party = &l->who.parties[who_key_party(kind->who)];

	ALL_MEMBERS(struct party, party->task, party->cgroup);
	return (struct books_who) {
		.stack = is_valid(&l->who, path) ? path->number : 0,
		.task = party->task,
		.cgroup = l->who.cgroups[party->cgroup].number,
	};
}

/* ---- memory ---- */

/* Return the address of the cache of a kind; 0: it has none, or the cache is gone. */
static uint64_t cache_of(const struct ledger *l, const struct kind *kind)
{
	uint32_t cache = class_cache(kind->class);

	if (cache == NO_CACHE || l->caches.list[cache].is_destroyed)
		return 0;
	return l->caches.list[cache].addr;
}

/**
 * struct putting - objects that are being written
 * @b: the books
 * @type: type of their records
 */
struct putting {
	struct books *b;
	uint8_t type;
};

static int put_object(void *arg, const struct kmemtrace_object *object)
{
	const struct putting *p = arg;
	const struct ledger *l = &p->b->trace->t.ledger;
	const struct kind *kind = kinds_get(&l->kinds, object->kind);
	const size_t size = kind->who ? sizeof(struct books_object) :
			    p->type == BOOKS_TYPE_OBJECT ? sizeof(struct kmemtrace_slab_event) :
							   sizeof(struct kmemtrace_event);
	const struct books_object rec = {
		.slab.event = {
			.event_id = KMEMTRACE_EVENT_SNAPSHOT,
			.type_id = p->type,
			.event_size = size,
			.node = -1,
			.call_site = object->call_site,
			.ptr = object->ptr,
			.bytes_req = object->bytes_req,
			.bytes_alloc = object->bytes_alloc,
			.timestamp = object->time,
		},
		.slab.cache = cache_of(l, kind),
		.who = who_of(l, kind),
	};

	/*
	 * No snapshot has the flags, the node and the step of the size that were asked for, in
	 * @rest, nor the CPU; @cache_number to @cgroup follow from the kind.
	 */
	ALL_MEMBERS(struct kind, kind->site, kind->class, kind->rest, kind->who);
	ALL_MEMBERS(struct kmemtrace_object, object->size, object->ptr, object->pages,
		    object->bytes_req, object->bytes_alloc, object->call_site, object->time,
		    object->cpu, object->api, object->cache, object->kind, object->cache_number,
		    object->is_older, object->weight, object->path, object->task, object->cgroup);
	return put_books_record(p->b, &rec, size);
}

static int put_objects(struct books *b, enum kmemtrace_space space, uint8_t type)
{
	return api_each_live(b->trace, space, true, put_object, &(struct putting) { b, type });
}

/* Return the bytes of the record of frames of a kind; NULL: they have none. */
static size_t size_of(const struct kind *kind)
{
	if (kind && kind->who)
		return sizeof(struct books_pages);
	return kind && kind->site ? offsetof(struct books_pages, who) :
				    sizeof(struct kmemtrace_snapshot_pages);
}

static int put_frames(struct books *b, uint64_t state, uint64_t ptr, uint64_t bytes,
		      int64_t time, const struct kind *kind, int node)
{
	const size_t size = size_of(kind);
	const struct books_pages rec = {
		.pages = {
			.event_id = KMEMTRACE_EVENT_SNAPSHOT,
			.type_id = KMEMTRACE_TYPE_PAGES,
			.event_size = size,
			.node = node,
			.state = state,
			.ptr = ptr,
			.bytes = bytes,
			.timestamp = time,
		},
		.call_site = kind ? kind->site : 0,
		.who = kind ? who_of(&b->trace->t.ledger, kind) :
			      (struct books_who) { .stack = 0 },
	};

	return put_books_record(b, &rec, size);
}

/* Return how many of @left bytes of frames one record may have: they are on one node. */
static uint64_t part_on_node(const struct ledger *l, const struct node_range *node, uint64_t ptr,
			     uint64_t left, uint64_t state)
{
	const uint64_t most = state == KMEMTRACE_FRAMES_OWN ? MAX_OWN :
			      SNAPSHOT_MAX_FRAMES * l->page_size;

	if (node->node != NO_NODE && node->last - ptr < left - 1)
		left = (node->last - ptr + 1) & -l->page_size;
	if (!left)
		left = l->page_size;
	return left < most ? left : most;
}

/* Write neighbouring frames of one owner. */
static int put_range(struct books *b, uint64_t state, const struct slot *slot,
		     uint64_t ptr, uint64_t bytes)
{
	const struct ledger *l = &b->trace->t.ledger;
	const struct kind *kind = slot->reserved ? NULL : kinds_get(&l->kinds, slot->kind);
	struct node_range node;
	uint64_t part;
	int ret = 0;

	for (; !ret && bytes; bytes -= part, ptr += part) {
		node = nodes_find(&l->nodes, ptr);
		part = part_on_node(l, &node, ptr, bytes, state);
		ret = put_frames(b, state, ptr, part, slot->time, kind,
				 node.node == NO_NODE ? 0 : node.node);
	}
	return ret;
}

static int visit_frames(void *arg, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	struct books *b = arg;
	const struct ledger *l = &b->trace->t.ledger;
	uint64_t state = KMEMTRACE_FRAMES_LIVE;

	/* No snapshot has the CPU; @objects and @slab follow from the objects. */
	ALL_MEMBERS(struct slot, slot->time, { slot->spare },
		    { { slot->cpu, slot->type,
			{ { slot->state, slot->first, slot->settled, slot->snapshot, slot->reserved,
			    slot->slab } } } }, slot->kind);
	if (slot->state != SLOT_LIVE)
		return 0;
	if (slot->reserved)
		state = KMEMTRACE_FRAMES_RESERVED;
	else if (slot->type == SLOT_OWN_TYPE)
		state = KMEMTRACE_FRAMES_OWN;
	return put_range(b, state, slot, pfn << l->page_shift, nr << l->page_shift);
}

static int put_pages(struct books *b)
{
	const struct frames *shards[NR_SHARDS];
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		shards[i] = &b->trace->t.ledger.shards[i].frames;
	return pages_each(shards, visit_frames, b);
}

/* Say which node all memory is on: what no record before says is free. */
static int put_nodes(struct books *b)
{
	const struct nodes *nodes = &b->trace->t.ledger.nodes;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < nodes->nr; i++) {
		const struct node_range *r = &nodes->ranges[i];

		ret = put_frames(b, KMEMTRACE_FRAMES_FREE, r->first, r->last - r->first + 1,
				 b->end, NULL, r->node);
	}
	return ret;
}

/* Without a whole snapshot, what was live before the first trace stays unknown. */
static int put_end(struct books *b)
{
	const struct baseline *baseline = &b->trace->t.ledger.stats.baseline;
	struct kmemtrace_snapshot_end end = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_END,
		.event_size = sizeof(end),
		.unsure = baseline->unsure,
		.unlisted = baseline->unlisted,
		.timestamp = b->end,
	};
	unsigned int type;

	/* The others say how the snapshot was taken, and what followed it. */
	ALL_MEMBERS(struct baseline, baseline->begun, baseline->complete, baseline->is_cut,
		    { baseline->without[0] }, baseline->end, baseline->took_ns, baseline->stop_ns,
		    { baseline->at_end[0] }, { baseline->freed_during[0] }, baseline->in_transit,
		    baseline->unsure, baseline->unlisted, baseline->unsure_freed,
		    baseline->large_kmalloc, baseline->reserved, baseline->reserved_freed);
	for (type = KMEMTRACE_TYPE_KMALLOC; type <= KMEMTRACE_TYPE_VMALLOC; type++)
		if (baseline->without[live_space(type)])
			end.without |= UINT64_C(1) << type;
	return baseline->complete ? put_books_record(b, &end, sizeof(end)) : 0;
}

static int put_slab_objects(struct books *b)
{
	return put_objects(b, KMEMTRACE_SPACE_SLAB, BOOKS_TYPE_OBJECT);
}

static int put_percpu_objects(struct books *b)
{
	return put_objects(b, KMEMTRACE_SPACE_PERCPU, KMEMTRACE_TYPE_PERCPU);
}

static int put_areas(struct books *b)
{
	return put_objects(b, KMEMTRACE_SPACE_VMALLOC, KMEMTRACE_TYPE_VMALLOC);
}

/* Write that a call path took references to an object, or dropped some. */
static int put_change(struct books *b, const struct counted_object *o, const struct holder *h,
		      int32_t change, uint64_t count)
{
	const struct references *refs = &b->trace->t.ledger.references;
	const struct reference_path *p = &refs->paths[h->path];
	const struct interned *kind = &refs->kinds.list[o->kind];
	const struct who *w = &b->trace->t.ledger.who;
	struct kmemtrace_reference rec = {
		.event_id = KMEMTRACE_EVENT_REFERENCE,
		.event_size = sizeof(rec),
		.change = change,
		.call_site = p->site,
		.object = o->ptr,
		.count = count,
		.who = is_valid(w, &w->paths[p->path]) ? w->paths[p->path].number : 0,
		.timestamp = h->since,
	};

	ALL_MEMBERS(struct reference_path, p->site, p->kind, p->path, p->gets, p->puts, p->objects);
	ALL_MEMBERS(struct holder, h->path, h->gets, h->puts, h->since);
	memcpy(rec.kind, kind->bytes, kind->len);
	return put_books_record(b, &rec, sizeof(rec));
}

/*
 * Write that a call path took @nr references to an object, or dropped them. The first record of an
 * object says how many there were before; @before is 0 after that.
 */
static int put_changes(struct books *b, const struct counted_object *o, const struct holder *h,
		       uint64_t nr, bool taken, uint64_t *before)
{
	uint64_t count;
	int32_t change;
	int ret = 0;

	for (; !ret && nr; nr -= abs(change)) {
		change = nr < INT32_MAX ? nr : INT32_MAX;
		change = taken ? change : -change;
		count = *before + change;
		ret = put_change(b, o, h, change, *before && count ? count : KMEMTRACE_REF_UNKNOWN);
		*before = 0;
	}
	return ret;
}

/* What was taken comes first: without references, an object is forgotten. */
static int put_counted(struct books *b, const struct counted_object *o)
{
	uint64_t before = o->before;
	int ret = 0;
	uint32_t i;

	/* The programs of kmemtrace are those of each trace. */
	ALL_MEMBERS(struct counted_object, o->ptr, o->kind, o->nr, o->before, o->is_own, o->holders,
		    o->by_path);
	for (i = 0; !ret && i < o->nr; i++)
		ret = put_changes(b, o, &o->holders[i], o->holders[i].gets, true, &before);
	for (i = 0; !ret && i < o->nr; i++)
		ret = put_changes(b, o, &o->holders[i], o->holders[i].puts, false, &before);
	return ret;
}

static int put_references(struct books *b)
{
	const struct references *refs = &b->trace->t.ledger.references;
	const size_t entries = refs->bits ? (size_t)1 << refs->bits : 0;
	int ret = 0;
	size_t i;

	ALL_MEMBERS(struct references, refs->kinds, refs->paths, refs->nr_paths, refs->nr_objects,
		    refs->path_keys, refs->list, refs->bits, refs->seed);
	for (i = 0; !ret && i < entries; i++)
		if (refs->list[i].nr && !refs->list[i].is_own)
			ret = put_counted(b, &refs->list[i]);
	return ret;
}

/* What the file consists of, in this order. */
static int (* const parts[])(struct books *b) = {
	put_head, put_cpus, put_caches, put_stacks, put_cgroups, put_tasks, put_pages, put_nodes,
	put_slab_objects, put_percpu_objects, put_areas, put_references, put_end,
};

int kmemtrace_write_books(const struct kmemtrace_trace *trace, FILE *out)
{
	const struct trace *t = &trace->t;
	const struct ledger *l = &t->ledger;
	struct books b = { .out = out, .trace = trace, .end = t->last };
	size_t i;
	int ret = 0;

	/* The parts write all of these that do not say how the trace is read, or sum it up. */
	ALL_MEMBERS(struct ledger, l->ctx, l->stats, l->caches, l->who, l->charges, l->references,
		    l->kinds, l->history, l->cells, l->kinds_of_cells, l->nr_kinds_of_cells,
		    { l->owners[0] }, l->nodes, l->is_abi1, l->kfree_takes_caches, l->patient,
		    l->is_behind, l->begin,
		    l->since, l->takes_books, l->books_tasks, l->one_of, l->own, l->selection,
		    l->counts_own, l->hides, l->each_life, l->life_arg, l->window, l->now, l->shards,
		    l->sums, l->nr_sums, l->page_size, l->page_shift, l->stripe_shift, l->snapshot_frames,
		    l->unsure_frames, l->unsure, l->blocks, l->cache_kinds, l->objects_visited,
		    l->notes, l->room_notes, l->extras, l->room_extras, l->alone, { l->older[0] },
		    l->events, l->usual_tail, l->quick_tail, l->memos);
	if (!trace->is_read)
		return -ENODATA;
	if (l->selection || t->options.is_cut)
		return -EINVAL;
	for (i = 0; !ret && i < sizeof(parts) / sizeof(*parts); i++)
		ret = parts[i](&b);
	return ret;
}
