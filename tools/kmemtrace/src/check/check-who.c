// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of records that say who allocated: call paths, tasks and memory cgroups.
 */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "check/check-who.h"
#include "common/abi.h"
#include "common/with.h"

/* Return the bytes of a record behind its structure; 0: it is shorter. */
static size_t rest_of(const struct kmemtrace_record *rec, size_t structure)
{
	return rec->raw_size < structure ? 0 : rec->raw_size - structure;
}

/* ---- events ---- */

static void check_context(struct check *c, uint64_t who)
{
	uint64_t context = (who & KMEMTRACE_WHO_CONTEXT) >> KMEMTRACE_WHO_CONTEXT_SHIFT;

	if (who & ~(KMEMTRACE_WHO_STACK | KMEMTRACE_WHO_CONTEXT))
		finding(c, "who", "%#" PRIx64 ", expected 40 bits", who);
	if (context > KMEMTRACE_CONTEXT_OWN)
		finding(c, "who", "context %" PRIu64 ", expected 0 to %d", context,
			KMEMTRACE_CONTEXT_OWN);
	if (context == KMEMTRACE_CONTEXT_SOFTIRQ || context == KMEMTRACE_CONTEXT_HARDIRQ ||
	    !(c->with & WITH_TASK) || c->has_task || c->is_books)
		return;
	finding(c, "task", "an event, expected the task at the begin of each sub-buffer");
	c->has_task = true;
}

/* Check what the CPU executed, and that a record has the call path. */
static void check_cause(struct check *c, uint64_t who)
{
	check_context(c, who);
	if (who & KMEMTRACE_WHO_STACK)
		numbers_use(c->numbers, NUMBER_OF_STACK, c->generation,
			    who & KMEMTRACE_WHO_STACK);
}

/**
 * check_who - check who caused an event
 * @c: the stream
 * @rec: an allocation or a failure
 * @has_cache: it is of a slab object
 */
void check_who(struct check *c, const struct kmemtrace_record *rec, bool has_cache)
{
	const struct kmemtrace_who_event *ev = rec->raw;

	if (c->abi == 1)
		return;
	if (c->with & (WITH_STACK | WITH_TASK))
		check_size(c, rec->raw, sizeof(*ev));
	if (rec->raw_size < sizeof(*ev))
		return;
	if (!has_cache)
		CHECK_ZERO(c, ev, slab.cache);
	check_cause(c, ev->who);
}

/* ---- call paths ---- */

static void check_frames(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_stack *stack = rec->raw;
	size_t i, nr = rest_of(rec, sizeof(*stack)) / sizeof(*stack->frames);

	for (i = 0; i < nr && i < (size_t)stack->depth; i++)
		check_address(c, "frames", stack->frames[i], "a return address");
}

/**
 * check_stack - check the name of a call path
 * @c: the stream
 * @rec: the record
 */
void check_stack(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_stack *stack = rec->raw;
	const size_t room = rest_of(rec, sizeof(*stack));

	if (stack->depth < 1 || stack->depth > KMEMTRACE_MAX_FRAMES)
		finding(c, "depth", "%d, expected 1 to %d", stack->depth,
			KMEMTRACE_MAX_FRAMES);
	else if (room < stack->depth * sizeof(*stack->frames))
		finding(c, "depth", "%d, for which there are %zu bytes of addresses",
			stack->depth, room);
	else
		check_frames(c, rec);
	if (!stack->stack || stack->stack > KMEMTRACE_WHO_STACK)
		finding(c, "stack", "%" PRIu64 ", expected 1 to %" PRIu64,
			(uint64_t)stack->stack, (uint64_t)KMEMTRACE_WHO_STACK);
	else if (!numbers_name(c->numbers, NUMBER_OF_STACK, c->generation, stack->stack,
			       stack->frames, room))
		finding(c, "stack", "%" PRIu64 ", which had other frames before",
			(uint64_t)stack->stack);
}

/* ---- tasks ---- */

/**
 * check_task - check which task runs
 * @c: the stream
 * @rec: the record
 *
 * The idle tasks have the number 0, and belong to the process 0.
 */
void check_task(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_task *task = rec->raw;

	c->has_task = true;
	if (task->pid < 0)
		finding(c, "pid", "%d, expected no less than 0", task->pid);
	if (task->tgid > INT32_MAX)
		finding(c, "tgid", "%" PRIu64 ", expected no more than %d",
			(uint64_t)task->tgid, INT32_MAX);
	else if (!task->pid != !task->tgid)
		finding(c, "tgid", "%" PRIu64 " of task %d, expected 0 for task 0 alone",
			(uint64_t)task->tgid, task->pid);
}

/* ---- memory cgroups ---- */

static void check_removed(struct check *c, const struct kmemtrace_cgroup *cgroup)
{
	const bool is_gone = cgroup->op == KMEMTRACE_CGROUP_REMOVED ||
			     cgroup->op == KMEMTRACE_CGROUP_RELEASED;

	if (is_gone && !cgroup->is_removed)
		finding(c, "is_removed", "0, expected 1 of a cgroup that is gone");
	else if (cgroup->op == KMEMTRACE_CGROUP_CREATED && cgroup->is_removed == 1)
		finding(c, "is_removed", "1, expected 0 of a cgroup that was created");
}

/**
 * check_cgroup - check a memory cgroup
 * @c: the stream
 * @rec: the record
 */
void check_cgroup(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_cgroup *cgroup = rec->raw;

	check_removed(c, cgroup);
	if (!cgroup->cgroup)
		finding(c, "cgroup", "0, expected the number of a cgroup");
	else
		numbers_name(c->numbers, NUMBER_OF_CGROUP, 0, cgroup->cgroup, "", 0);
	if (cgroup->parent && cgroup->parent == cgroup->cgroup)
		finding(c, "parent", "%" PRIu64 ", which is the cgroup itself",
			(uint64_t)cgroup->parent);
}

static void check_charged(struct check *c, const struct kmemtrace_charge *charge)
{
	if (charge->type_id == KMEMTRACE_TYPE_PAGES) {
		check_page_address(c, "ptr", charge->ptr);
		check_page_bytes(c, "bytes", charge->bytes);
	} else if (charge->bytes) {
		finding(c, "bytes", "%" PRIu64 ", expected 0: all of it is charged",
			(uint64_t)charge->bytes);
	}
}

/**
 * check_charge - check which cgroup memory is charged to
 * @c: the stream
 * @rec: the record
 */
void check_charge(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_charge *charge = rec->raw;

	if (charge->type_id >= EVENT_NR_TYPES)
		finding(c, "type_id", "%u, expected 0 to %d", charge->type_id,
			EVENT_NR_TYPES - 1);
	if (!charge->cgroup)
		finding(c, "cgroup", "0, expected the number of a cgroup");
	else
		numbers_use(c->numbers, NUMBER_OF_CGROUP, 0, charge->cgroup);
	if (!charge->ptr)
		finding(c, "ptr", "NULL, expected an address");
	check_charged(c, charge);
}

/* ---- references ---- */

/**
 * check_reference - check a change of the references to an object
 * @c: the stream
 * @rec: the record
 */
void check_reference(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_reference *ref = rec->raw;

	if (!ref->change)
		finding(c, "change", "0, expected references that were taken or dropped");
	else if (ref->change > 0 && ref->count < (uint64_t)ref->change)
		finding(c, "count", "%" PRIu64 ", expected no less than the %d that were taken",
			(uint64_t)ref->count, ref->change);
	if (!ref->object)
		finding(c, "object", "NULL, expected an address");
	if (rec->raw_size >= sizeof(*ref) && !*ref->kind)
		finding(c, "kind", "no name, expected that of a kind of objects");
	check_cause(c, ref->who);
}
