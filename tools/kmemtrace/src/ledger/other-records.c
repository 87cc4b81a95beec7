// SPDX-License-Identifier: GPL-2.0
/*
 * other-records.c - records other than possible allocations and frees
 *
 * Some of them concern all of the ledger. They are processed while no thread
 * works on a batch.
 */
#include "config.h"

#include "ledger/charges.h"
#include "ledger/destroyed.h"
#include "ledger/live.h"
#include "ledger/moves.h"
#include "ledger/other-records.h"
#include "ledger/snapshot.h"
#include "ledger/timeline.h"

/* Return whether the filter hides an event. A free has no size, whatever its record says. */
bool other_records_hide(struct ledger *l, const struct kmemtrace_event *ev, uint32_t cache,
			uint64_t who, unsigned int cpu, int64_t time)
{
	return selection_hides(l->selection, &(struct candidate) {
		.site = ev->call_site,
		.req = ev->event_id == KMEMTRACE_EVENT_FREE ? 0 : ev->bytes_req,
		.time = time,
		.cache = cache,
		.cpu = cpu,
		.type = ev->type_id,
		.who = who,
	});
}

/* Return who_key() of an allocation or a failure, which is charged to a cgroup. */
uint64_t other_records_who(struct ledger *l, const struct record *rec, unsigned int cpu,
			   uint32_t cgroup)
{
	const uint64_t who = record_word(rec, 1);

	/* In ABI version 1 a tail may be anything. */
	if (rec->tail_size < sizeof(struct kmemtrace_who_event) - EVENT_MIN_SIZE || l->is_abi1)
		return who_key(0, who_party(&l->who, TASK_UNKNOWN, cgroup));
	return who_key(who_path(&l->who, who),
		       who_party(&l->who, who_running(&l->who, who, cpu), cgroup));
}

/* A filter can't match an event without a kind. */
static bool hides_finding(const struct ledger *l, uint32_t kind)
{
	return kind == NO_KIND ? !!l->selection :
				 kind_is_hidden(kinds_get(&l->kinds, kind));
}

/**
 * other_records_add_finding - add a finding about one record
 * @l: the ledger
 * @rec: the record
 * @class: the class of the finding
 * @cpu: CPU of its stream
 * @kind: its kind, or NO_KIND
 * @obj: the object that it contradicts, or NULL
 */
void other_records_add_finding(struct ledger *l, const struct record *rec,
			       enum finding_class class, unsigned int cpu, uint32_t kind,
			       const struct object *obj)
{
	const struct kmemtrace_event *ev = rec->ev;
	struct finding f = {
		.class = class,
		.space = SPACE_SLAB,
		.site = NO_SITE,
		.ptr = ev->ptr,
		.time = rec->time,
		.cpu = cpu,
		.is_hidden = hides_finding(l, kind),
	};

	if (obj) {
		f.ptr = obj->ptr;
		f.site = kinds_get(&l->kinds, obj->slot.kind)->site;
		f.time_before = obj->slot.time;
		f.cpu_before = obj->slot.cpu;
	} else if (ev->type_id < EVENT_NR_TYPES) {
		f.space = live_space(ev->type_id);
	}
	if (ev->event_id != KMEMTRACE_EVENT_SNAPSHOT)
		f.site2 = ev->call_site;
	stats_finding(&l->stats, &f, false);
}

static void add_impossible(struct ledger *l, const struct record *rec, unsigned int cpu)
{
	other_records_add_finding(l, rec, FINDING_IMPOSSIBLE, cpu, NO_KIND, NULL);
}

static bool take_impossible(struct ledger *l, const struct record *rec,
			    unsigned int cpu)
{
	if (!others_is_change(rec->ev))
		return false;
	add_impossible(l, rec, cpu);
	return true;
}

static bool take_failed(struct ledger *l, const struct record *rec,
			unsigned int cpu)
{
	const struct kmemtrace_event *ev = rec->ev;
	uint64_t who;

	if (ev->type_id >= EVENT_NR_TYPES)
		return false;
	who = l->selection ? other_records_who(l, rec, cpu, NO_CGROUP) : 0;
	if (l->selection && other_records_hide(l, ev, NO_CACHE, who, cpu, rec->time))
		return true;
	l->stats.totals[live_space(ev->type_id)].failed++;
	stats_failure(&l->stats, &(struct failure) {
		.site = ev->call_site,
		.type = ev->type_id,
		.bytes = ev->bytes_req,
		.gfp = ev->gfp_flags,
	});
	return true;
}

static bool take_snapshot(struct ledger *l, const struct record *rec,
			  unsigned int cpu)
{
	if (!snapshot_is_known(l, rec))
		return false;
	if (!snapshot_record(l, rec, cpu))
		add_impossible(l, rec, cpu);
	return true;
}

static bool take_cache(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	uint32_t cache = caches_record(&l->caches, rec);
	const struct object *oldest;

	if (rec->ev->type_id != KMEMTRACE_CACHE_DESTROYED || cache == NO_CACHE ||
	    !destroyed_in_use(l, cache))
		return true;
	oldest = destroyed_oldest(l, cache);
	other_records_add_finding(l, rec, FINDING_CACHE_IN_USE, cpu,
				  oldest ? oldest->slot.kind : NO_KIND, oldest);
	return true;
}

static bool take_clock_record(struct ledger *l, const struct record *rec,
			      unsigned int cpu)
{
	const struct kmemtrace_clock *clock = (const void *)rec->ev;

	who_clock(&l->who, clock, cpu);
	if (!clock->sequence)
		snapshot_follows(l);
	return true;
}

static bool take_phase(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	const struct kmemtrace_phase *phase = (const void *)rec->ev;

	if (phase->phase > HISTORY_PHASES)
		return false;
	if (!timeline_phase(l, phase->phase, l->now))
		add_impossible(l, rec, cpu);
	/* own_find() read ahead up to here. */
	if (phase->phase >= KMEMTRACE_PHASE_SMP)
		own_free(&l->own);
	return true;
}

static bool take_move(struct ledger *l, const struct record *rec,
		      unsigned int cpu)
{
	if (!moves_take(l, rec))
		add_impossible(l, rec, cpu);
	return true;
}

static bool take_charge(struct ledger *l, const struct record *rec,
			unsigned int cpu)
{
	if (!charges_take(l, rec))
		add_impossible(l, rec, cpu);
	return true;
}

static bool take_reference(struct ledger *l, const struct record *rec,
			   unsigned int cpu)
{
	if (!references_take(&l->references, &l->who, rec, cpu))
		add_impossible(l, rec, cpu);
	return true;
}

static bool take_who(struct ledger *l, const struct record *rec,
		     unsigned int cpu)
{
	if (!who_record(&l->who, rec, cpu))
		add_impossible(l, rec, cpu);
	return true;
}

/* The ledger doesn't need records about the stream itself. */
static bool take_nothing(struct ledger *l, const struct record *rec,
			 unsigned int cpu)
{
	(void)l;
	(void)rec;
	(void)cpu;
	return true;
}

static bool (* const takers[])(struct ledger *l, const struct record *rec,
			       unsigned int cpu) = {
	[KMEMTRACE_EVENT_ALLOC] = take_impossible,
	[KMEMTRACE_EVENT_FREE] = take_impossible,
	[KMEMTRACE_EVENT_LOST] = take_nothing,
	[KMEMTRACE_EVENT_CLOCK] = take_clock_record,
	[KMEMTRACE_EVENT_CACHE] = take_cache,
	[KMEMTRACE_EVENT_SNAPSHOT] = take_snapshot,
	[KMEMTRACE_EVENT_FAILED] = take_failed,
	[KMEMTRACE_EVENT_PHASE] = take_phase,
	[KMEMTRACE_EVENT_MOVE] = take_move,
	[KMEMTRACE_EVENT_STACK] = take_who,
	[KMEMTRACE_EVENT_TASK] = take_who,
	[KMEMTRACE_EVENT_CGROUP] = take_who,
	[KMEMTRACE_EVENT_CHARGE] = take_charge,
	[KMEMTRACE_EVENT_REFERENCE] = take_reference,
};

/* Take a record. */
void other_records_take(struct ledger *l, const struct record *rec, unsigned int cpu)
{
	uint8_t id = rec->ev->event_id;

	if (id >= sizeof(takers) / sizeof(*takers) || !takers[id] ||
	    !takers[id](l, rec, cpu))
		l->stats.unknown_ids++;
}

/* Return whether a record needs, or changes, the state of more than one shard. */
bool other_records_are_alone(const struct ledger *l, const struct kmemtrace_event *ev)
{
	const struct kmemtrace_clock *clock = (const void *)ev;

	if (ev->event_id == KMEMTRACE_EVENT_CLOCK)
		return !clock->sequence && !l->stats.baseline.complete;
	if (ev->event_id == KMEMTRACE_EVENT_CHARGE)
		return charges_are_alone(l, ev);
	if (ev->event_id == KMEMTRACE_EVENT_CACHE)
		return ev->type_id == KMEMTRACE_CACHE_DESTROYED;
	return ev->event_id == KMEMTRACE_EVENT_SNAPSHOT ||
	       ev->event_id == KMEMTRACE_EVENT_PHASE ||
	       ev->event_id == KMEMTRACE_EVENT_MOVE;
}
