/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records other than possible allocations and frees.
 */
#ifndef KMEMTRACE_OTHER_RECORDS_H
#define KMEMTRACE_OTHER_RECORDS_H

#include "ledger/state.h"

bool other_records_hide(struct ledger *l, const struct kmemtrace_event *ev, uint32_t cache,
			uint64_t who, unsigned int cpu, int64_t time);
uint64_t other_records_who(struct ledger *l, const struct record *rec, unsigned int cpu,
			   uint32_t cgroup);
void other_records_add_finding(struct ledger *l, const struct record *rec,
			       enum finding_class class, unsigned int cpu, uint32_t kind,
			       const struct object *obj);
bool other_records_are_alone(const struct ledger *l, const struct kmemtrace_event *ev);
void other_records_take(struct ledger *l, const struct record *rec, unsigned int cpu);

/* Return whether a record is an allocation or a free, possible or not. */
static inline bool others_is_change(const struct kmemtrace_event *ev)
{
	return (ev->event_id == KMEMTRACE_EVENT_ALLOC ||
		ev->event_id == KMEMTRACE_EVENT_FREE) &&
	       ev->type_id < EVENT_NR_TYPES;
}

#endif /* KMEMTRACE_OTHER_RECORDS_H */
