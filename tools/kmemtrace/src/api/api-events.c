// SPDX-License-Identifier: GPL-2.0
/*
 * api-events.c - the events of the memory at one address, from all records of a trace
 *
 * The ledger keeps what is live and sums of the rest. So the records are read once more. A free of
 * a slab object or of a vmalloc area has no size: it is an event of the memory if it is at the
 * address, or where an allocation began whose memory has the address.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/api-events.h"
#include "kmemtrace-records.h"
#include "ledger/live.h"

/**
 * struct scan - a pass over all records
 * @trace: the trace
 * @each: receives the events
 * @arg: for @each
 * @now: the tasks that run, and how often tracing was switched on again
 * @begins: by allocator and by address of the memory: @live is the bytes of its last allocation if
 *	that had the address of the trace, else 0
 * @caches: by address of slab caches: @live is the number of the one that is there now
 * @next_cache: by number of the slab cache, that of the next one at its address, or 0
 */
struct scan {
	struct kmemtrace_trace *trace;
	int (*each)(void *arg, const struct event_at *event);
	void *arg;
	struct who now;
	struct table begins[NR_SPACES], caches;
	uint32_t *next_cache;
};

/* Return whether memory has the address of the trace. All CPUs have one per-CPU address. */
bool api_is_at(const struct kmemtrace_trace *trace, int space, uint64_t ptr, uint64_t bytes)
{
	if (space == SPACE_PERCPU)
		return bytes && ptr == trace->address;
	return trace->address - ptr < bytes;
}

/* ---- names of other records ---- */

/* List the slab caches of each address, in the order of time. Return 0 or -ENOMEM. */
static int list_caches(struct scan *s)
{
	const struct caches *caches = &s->trace->t.ledger.caches;
	struct row *first;
	uint32_t i;

	s->next_cache = context_calloc(&s->trace->t.ctx, caches->nr + (size_t)1, sizeof(*s->next_cache));
	if (!s->next_cache)
		return -ENOMEM;
	for (i = caches->nr; i-- > NO_CACHE + 1;) {
		first = table_row_of(&s->caches, caches->list[i].addr);
		s->next_cache[i] = first->live;
		first->live = i;
	}
	return context_error(&s->trace->t.ctx);
}

/* Return the number of the slab cache that is at an address now; no time before is asked for. */
static uint32_t cache_at(struct scan *s, uint64_t addr, int64_t now)
{
	const struct cache *list = s->trace->t.ledger.caches.list;
	struct row *first;

	if (!table_has(&s->caches, addr))
		return NO_CACHE;
	first = table_row_of(&s->caches, addr);
	while (s->next_cache[first->live] && list[first->live].is_destroyed &&
	       list[first->live].destroyed < now)
		first->live = s->next_cache[first->live];
	return first->live;
}

/* Return the number that the ledger has for the task of an event. */
static uint32_t task_of_event(const struct scan *s, uint64_t who, unsigned int cpu)
{
	const uint32_t task = who_running(&s->now, who, cpu);

	return task < NR_NO_TASKS ? task : who_task(&s->trace->t.ledger.who, &s->now.tasks[task]);
}

/* Return the number that the ledger has for the call path of an event. */
static uint32_t path_of_event(const struct scan *s, uint64_t who)
{
	return who_path_of(&s->trace->t.ledger.who, who & KMEMTRACE_WHO_STACK, s->now.generation);
}

/* ---- events ---- */

static int pass_event(const struct scan *s, const struct kmemtrace_record *rec, struct event_at event)
{
	event.time = rec->time;
	event.cpu = rec->cpu;
	return s->each(s->arg, &event);
}

/* Note where memory begins. Return whether it has the address. */
static bool note_begin(struct scan *s, int space, uint64_t ptr, uint64_t bytes)
{
	const bool is_at = api_is_at(s->trace, space, ptr, bytes);

	if (is_at || table_has(&s->begins[space], ptr))
		table_row_of(&s->begins[space], ptr)->live = is_at ? bytes : 0;
	return is_at;
}

/* Return whether an event is about memory with the address. Set its size where it has none. */
static bool is_about(const struct scan *s, int space, uint64_t ptr, uint64_t *bytes)
{
	const struct row *known = *bytes ? NULL : table_find(&s->begins[space], ptr);

	if (known)
		*bytes = known->live;
	return api_is_at(s->trace, space, ptr, *bytes) || ptr == s->trace->address;
}

static int scan_alloc(struct scan *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_who_event *event = rec->raw;
	const uint64_t who = rec->raw_size >= sizeof(*event) ? event->who : 0;
	int space;

	if (rec->api >= EVENT_NR_TYPES)
		return 0;
	space = live_space(rec->api);
	if (!note_begin(s, space, rec->ptr, rec->bytes_alloc))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = HAPPENED_ALLOC,
		.space = space,
		.api = rec->api,
		.object = rec->ptr,
		.bytes_req = rec->bytes_req,
		.bytes = rec->bytes_alloc,
		.call_site = rec->call_site,
		.cache = cache_at(s, rec->cache, rec->time),
		.path = path_of_event(s, who),
		.task = task_of_event(s, who, rec->cpu),
	});
}

static int scan_free(struct scan *s, const struct kmemtrace_record *rec)
{
	uint64_t bytes = rec->bytes_alloc;
	int space;

	if (rec->api >= EVENT_NR_TYPES)
		return 0;
	space = live_space(rec->api);
	if (!is_about(s, space, rec->ptr, &bytes))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = HAPPENED_FREE,
		.space = space,
		.api = rec->api,
		.object = rec->ptr,
		.bytes = bytes,
		.call_site = rec->call_site,
		.task = task_of_event(s, 0, rec->cpu),
	});
}

static int scan_slab(struct scan *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_snapshot_slab *slab = rec->raw;
	const size_t words = (rec->raw_size - sizeof(*slab)) / sizeof(*slab->live);
	uint64_t i;

	if (!slab->size)
		return 0;
	i = (s->trace->address - slab->ptr) / slab->size;
	if (i >= slab->objects || i / 64 >= words || !(slab->live[i / 64] >> i % 64 & 1) ||
	    !note_begin(s, SPACE_SLAB, slab->ptr + i * slab->size, slab->size))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = HAPPENED_LIVE,
		.space = SPACE_SLAB,
		.api = KMEMTRACE_API_UNKNOWN,
		.object = slab->ptr + i * slab->size,
		.bytes = slab->size,
		.cache = cache_at(s, slab->cache, rec->time),
	});
}

static int scan_frames(struct scan *s, const struct kmemtrace_record *rec)
{
	static const enum happening states[] = {
		[KMEMTRACE_FRAMES_LIVE] = HAPPENED_LIVE,
		[KMEMTRACE_FRAMES_FREE] = HAPPENED_FREE_FRAME,
		[KMEMTRACE_FRAMES_RESERVED] = HAPPENED_RESERVED,
		[KMEMTRACE_FRAMES_OWN] = HAPPENED_OWN,
	};
	const struct kmemtrace_snapshot_pages *pages = rec->raw;

	if (pages->state - 1 >= sizeof(states) / sizeof(*states) - 1 ||
	    !api_is_at(s->trace, SPACE_PAGES, pages->ptr, pages->bytes))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = states[pages->state],
		.space = SPACE_PAGES,
		.api = KMEMTRACE_API_PAGES,
		.object = pages->ptr,
		.bytes = pages->bytes,
	});
}

static int scan_other_memory(struct scan *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *event = rec->raw;
	const int space = live_space(event->type_id);

	if (!note_begin(s, space, event->ptr, event->bytes_alloc))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = HAPPENED_LIVE,
		.space = space,
		.api = event->type_id,
		.object = event->ptr,
		.bytes_req = event->bytes_req,
		.bytes = event->bytes_alloc,
		.call_site = event->call_site,
	});
}

static int scan_snapshot(struct scan *s, const struct kmemtrace_record *rec)
{
	switch (((const struct kmemtrace_event *)rec->raw)->type_id) {
	case KMEMTRACE_TYPE_CACHE:	return scan_slab(s, rec);
	case KMEMTRACE_TYPE_PAGES:	return scan_frames(s, rec);
	case KMEMTRACE_TYPE_PERCPU:
	case KMEMTRACE_TYPE_VMALLOC:	return scan_other_memory(s, rec);
	default:			return 0;
	}
}

static int scan_move(struct scan *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_move *move = rec->raw;
	struct event_at event = {
		.what = HAPPENED_MOVED_AWAY,
		.space = SPACE_PAGES,
		.api = KMEMTRACE_API_PAGES,
		.object = move->old,
		.other = move->ptr,
		.bytes = move->bytes,
	};
	int ret = 0;

	if (api_is_at(s->trace, SPACE_PAGES, move->old, move->bytes))
		ret = pass_event(s, rec, event);
	event.what = HAPPENED_MOVED_HERE;
	event.object = move->ptr;
	event.other = move->old;
	if (!ret && api_is_at(s->trace, SPACE_PAGES, move->ptr, move->bytes))
		ret = pass_event(s, rec, event);
	return ret;
}

static int scan_charge(struct scan *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_charge *charge = rec->raw;
	uint64_t bytes = charge->bytes;
	int space;

	if (charge->type_id >= EVENT_NR_TYPES)
		return 0;
	space = live_space(charge->type_id);
	if (!is_about(s, space, charge->ptr, &bytes))
		return 0;
	return pass_event(s, rec, (struct event_at) {
		.what = HAPPENED_CHARGE,
		.space = space,
		.api = charge->type_id,
		.object = charge->ptr,
		.bytes = bytes,
		.task = task_of_event(s, 0, rec->cpu),
		.cgroup = who_cgroup(&s->trace->t.ledger.who, charge->cgroup),
	});
}

/* Keep which task runs on a CPU. */
static int scan_task(struct scan *s, const struct kmemtrace_record *rec)
{
	who_record(&s->now, &(const struct record) {
		.ev = rec->raw,
		.time = rec->time,
		.tail = (const unsigned char *)rec->raw + EVENT_MIN_SIZE,
		.tail_size = rec->raw_size - EVENT_MIN_SIZE,
		.order = ORDER_NATIVE,
	}, rec->cpu);
	return 0;
}

static int scan_clock(struct scan *s, const struct kmemtrace_record *rec)
{
	who_clock(&s->now, rec->raw, rec->cpu);
	return 0;
}

static int scan_record(struct scan *s, const struct kmemtrace_record *rec)
{
	static int (* const of_id[])(struct scan *s, const struct kmemtrace_record *rec) = {
		[KMEMTRACE_RECORD_ALLOC] = scan_alloc,
		[KMEMTRACE_RECORD_FREE] = scan_free,
		[KMEMTRACE_RECORD_CLOCK] = scan_clock,
		[KMEMTRACE_RECORD_SNAPSHOT] = scan_snapshot,
		[KMEMTRACE_RECORD_MOVE] = scan_move,
		[KMEMTRACE_RECORD_TASK] = scan_task,
		[KMEMTRACE_RECORD_CHARGE] = scan_charge,
	};

	if ((size_t)rec->id >= sizeof(of_id) / sizeof(*of_id) || !of_id[rec->id])
		return 0;
	return of_id[rec->id](s, rec);
}

/**
 * api_each_event_at - call a function for each event of the memory at the address of a trace
 * @trace: the trace, after kmemtrace_read()
 * @each: the function, called in the order of time; a value other than 0 ends the walk
 * @arg: for @each
 *
 * Return: 0, the value of @each, or -errno.
 */
int api_each_event_at(struct kmemtrace_trace *trace,
		      int (*each)(void *arg, const struct event_at *event), void *arg)
{
	struct scan s = { .trace = trace, .each = each, .arg = arg };
	const struct kmemtrace_record *rec;
	struct kmemtrace_records *records;
	int i, ret, next = 0;

	ret = kmemtrace_records_open(trace, &records);
	if (ret)
		return ret;
	for (i = 0; i < NR_SPACES; i++)
		s.begins[i].ctx = &trace->t.ctx;
	s.caches.ctx = &trace->t.ctx;
	ret = who_init(&s.now, &trace->t.ctx);
	if (!ret)
		ret = list_caches(&s);
	while (!ret && (next = kmemtrace_records_next(records, &rec)) > 0)
		ret = scan_record(&s, rec);
	for (i = 0; i < NR_SPACES; i++)
		table_clear(&s.begins[i]);
	table_clear(&s.caches);
	free(s.next_cache);
	who_free(&s.now);
	kmemtrace_records_close(records);
	return ret ?: next ?: kmemtrace_error(trace);
}
