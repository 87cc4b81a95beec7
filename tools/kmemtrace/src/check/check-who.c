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
		finding(c, RULE_WHO, "%#" PRIx64 ", expected 40 bits", who);
	if (context > KMEMTRACE_CONTEXT_HARDIRQ)
		finding(c, RULE_WHO, "context %" PRIu64 ", expected 0 to %d", context,
			KMEMTRACE_CONTEXT_HARDIRQ);
	if (context != KMEMTRACE_CONTEXT_TASK || !(c->with & WITH_TASK) || c->has_task)
		return;
	finding(c, RULE_TASK, "an event, expected the task at the begin of each sub-buffer");
	c->has_task = true;
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
	check_context(c, ev->who);
	if (ev->who & KMEMTRACE_WHO_STACK)
		numbers_use(c->numbers, NUMBER_OF_STACK, c->generation,
			    ev->who & KMEMTRACE_WHO_STACK);
}

/* ---- call paths ---- */

static void check_frames(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_stack *stack = rec->raw;
	size_t i, nr = rest_of(rec, sizeof(*stack)) / sizeof(*stack->frames);

	for (i = 0; i < nr && i < (size_t)stack->depth; i++)
		check_address(c, RULE_FRAMES, stack->frames[i], "a return address");
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
	size_t i;

	CHECK_ZERO(c, stack, zero);
	if (stack->depth < 1 || stack->depth > KMEMTRACE_MAX_FRAMES)
		finding(c, RULE_DEPTH, "%d, expected 1 to %d", stack->depth,
			KMEMTRACE_MAX_FRAMES);
	else if (room < stack->depth * sizeof(*stack->frames))
		finding(c, RULE_DEPTH, "%d, for which there are %zu bytes of addresses",
			stack->depth, room);
	else
		check_frames(c, rec);
	if (!stack->stack || stack->stack > KMEMTRACE_WHO_STACK)
		finding(c, RULE_STACK, "%" PRIu64 ", expected 1 to %" PRIu64,
			(uint64_t)stack->stack, (uint64_t)KMEMTRACE_WHO_STACK);
	else if (!numbers_name(c->numbers, NUMBER_OF_STACK, c->generation, stack->stack,
			       stack->frames, room))
		finding(c, RULE_STACK, "%" PRIu64 ", which had other frames before",
			(uint64_t)stack->stack);
	if (stack->is_cut > 1)
		finding(c, RULE_IS_CUT, "%" PRIu64 ", expected 0 or 1",
			(uint64_t)stack->is_cut);
	for (i = 0; i < sizeof(stack->zero2) / sizeof(*stack->zero2); i++)
		CHECK_ZERO(c, stack, zero2[i]);
}

/* ---- tasks ---- */

static void check_comm(struct check *c, const char *comm)
{
	size_t len = strnlen(comm, KMEMTRACE_COMM), i;

	if (len == KMEMTRACE_COMM)
		finding(c, RULE_COMM, "no byte is 0, expected the end of the name");
	for (i = len; i < KMEMTRACE_COMM && !comm[i]; i++)
		;
	if (i < KMEMTRACE_COMM)
		finding(c, RULE_COMM, "byte %#x behind its end, expected 0",
			(unsigned char)comm[i]);
}

/* The idle tasks have the number 0, and belong to the process 0. */
static void check_pids(struct check *c, const struct kmemtrace_task *task)
{
	if (task->pid < 0)
		finding(c, RULE_PID, "%d, expected no less than 0", task->pid);
	if (task->tgid > INT32_MAX)
		finding(c, RULE_TGID, "%" PRIu64 ", expected no more than %d",
			(uint64_t)task->tgid, INT32_MAX);
	else if (!task->pid != !task->tgid)
		finding(c, RULE_TGID, "%" PRIu64 " of task %d, expected 0 for task 0 alone",
			(uint64_t)task->tgid, task->pid);
}

/**
 * check_task - check which task runs
 * @c: the stream
 * @rec: the record
 */
void check_task(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_task *task = rec->raw;
	size_t i;

	c->has_task = true;
	check_size(c, rec->raw, sizeof(*task));
	CHECK_ZERO(c, task, zero);
	check_pids(c, task);
	for (i = 0; i < sizeof(task->zero2) / sizeof(*task->zero2); i++)
		CHECK_ZERO(c, task, zero2[i]);
	if (rec->raw_size >= sizeof(*task))
		check_comm(c, task->comm);
}

/* ---- memory cgroups ---- */

/* Its name may have any byte. */
static void check_path(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_cgroup *cgroup = rec->raw;
	size_t i, len, size = rest_of(rec, sizeof(*cgroup));

	if (size % 8 || !size || cgroup->path[size - 1]) {
		finding(c, RULE_PATH, "%zu bytes, expected words whose last byte is 0", size);
		return;
	}
	len = strnlen(cgroup->path, size);
	if (!len)
		finding(c, RULE_PATH, "empty");
	for (i = len; i < size && !cgroup->path[i]; i++)
		;
	if (i < size)
		finding(c, RULE_PATH, "byte %#x behind its end, expected 0",
			(unsigned char)cgroup->path[i]);
}

static void check_removed(struct check *c, const struct kmemtrace_cgroup *cgroup)
{
	const bool is_gone = cgroup->op == KMEMTRACE_CGROUP_REMOVED ||
			     cgroup->op == KMEMTRACE_CGROUP_RELEASED;

	if ((uint32_t)cgroup->is_removed > 1)
		finding(c, RULE_IS_REMOVED, "%d, expected 0 or 1", cgroup->is_removed);
	else if (is_gone && !cgroup->is_removed)
		finding(c, RULE_IS_REMOVED, "0, expected 1 of a cgroup that is gone");
	else if (cgroup->op == KMEMTRACE_CGROUP_CREATED && cgroup->is_removed)
		finding(c, RULE_IS_REMOVED, "1, expected 0 of a cgroup that was created");
}

/**
 * check_cgroup - check a memory cgroup
 * @c: the stream
 * @rec: the record
 */
void check_cgroup(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_cgroup *cgroup = rec->raw;
	size_t i;

	if (cgroup->op > KMEMTRACE_CGROUP_RELEASED)
		finding(c, RULE_OP, "%u, expected 0 to %d", cgroup->op,
			KMEMTRACE_CGROUP_RELEASED);
	check_removed(c, cgroup);
	if (!cgroup->cgroup)
		finding(c, RULE_CGROUP, "0, expected the number of a cgroup");
	else
		numbers_name(c->numbers, NUMBER_OF_CGROUP, 0, cgroup->cgroup, "", 0);
	if (cgroup->parent && cgroup->parent == cgroup->cgroup)
		finding(c, RULE_PARENT, "%" PRIu64 ", which is the cgroup itself",
			(uint64_t)cgroup->parent);
	for (i = 0; i < sizeof(cgroup->zero) / sizeof(*cgroup->zero); i++)
		CHECK_ZERO(c, cgroup, zero[i]);
	check_path(c, rec);
}

static void check_charged(struct check *c, const struct kmemtrace_charge *charge)
{
	if (charge->type_id == KMEMTRACE_TYPE_PAGES) {
		check_page_address(c, RULE_PTR, charge->ptr);
		check_page_bytes(c, RULE_BYTES, charge->bytes);
	} else if (charge->bytes) {
		finding(c, RULE_BYTES, "%" PRIu64 ", expected 0: all of it is charged",
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

	check_size(c, rec->raw, sizeof(*charge));
	if (charge->type_id >= EVENT_NR_TYPES)
		finding(c, RULE_TYPE_ID, "%u, expected 0 to %d", charge->type_id,
			EVENT_NR_TYPES - 1);
	if (charge->node != -1)
		finding(c, RULE_NODE, "%d, expected -1", charge->node);
	if (!charge->cgroup)
		finding(c, RULE_CGROUP, "0, expected the number of a cgroup");
	else
		numbers_use(c->numbers, NUMBER_OF_CGROUP, 0, charge->cgroup);
	if (!charge->ptr)
		finding(c, RULE_PTR, "NULL, expected an address");
	CHECK_ZERO(c, charge, zero);
	check_charged(c, charge);
	CHECK_ZERO(c, charge, zero2);
}
