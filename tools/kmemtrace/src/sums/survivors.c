// SPDX-License-Identifier: GPL-2.0
/*
 * survivors.c - the tasks that existed when tracing ended
 *
 * /proc has when a task was created by CLOCK_BOOTTIME, in ticks; records have it by
 * CLOCK_MONOTONIC, which stops while the machine is suspended.
 */
#include "config.h"

#include <stdlib.h>

#include "common/number.h"
#include "sums/survivors.h"

/**
 * struct survivor - a task that existed
 * @pid: its number
 * @start: when it was created, by CLOCK_BOOTTIME, rounded down to a tick
 */
struct survivor {
	uint64_t pid, start;
};

static int by_pid(const void *a, const void *b)
{
	const struct survivor *x = a, *y = b;

	return compare_u64(x->pid, y->pid);
}

/* Read the words of a line that are numbers, at most @max. Return how many there are. */
static int parse_numbers(const char *line, uint64_t *numbers, int max)
{
	int nr = 0;

	while (nr < max && !number_parse(&line, &numbers[nr])) {
		nr++;
		if (*line != ' ')
			break;
		line++;
	}
	return *line ? 0 : nr;
}

/**
 * survivors_load - read which tasks existed
 * @l: result, zeroed
 * @ctx: the context that receives an error
 * @text: a file as kmemtraced makes it: "monotonic boottime tick" in nanoseconds, then a line
 *	"pid start" for each task; changes
 *
 * Without the first line nothing is known. Other lines that no collector writes are left out.
 *
 * Return: 0 or -errno.
 */
int survivors_load(struct survivors *l, struct context *ctx, struct text *text)
{
	uint64_t head[3], task[2];
	char *line = text_line(text);
	struct survivor *more;

	if (!line || parse_numbers(line, head, 3) != 3 || head[1] < head[0] || !head[2])
		return 0;
	l->suspended = head[1] - head[0];
	l->tick = head[2];
	while ((line = text_line(text))) {
		if (parse_numbers(line, task, 2) != 2)
			continue;
		more = context_grow_list(ctx, l->list, l->nr, sizeof(*more));
		if (!more)
			return context_error(ctx);
		l->list = more;
		more[l->nr++] = (struct survivor) { .pid = task[0], .start = task[1] };
	}
	qsort(l->list, l->nr, sizeof(*l->list), by_pid);
	l->is_known = true;
	return 0;
}

/**
 * survivors_has - see whether a task existed when tracing ended
 * @l: the tasks that did, which are known
 * @task: a task of the trace
 *
 * Another task may have the number meanwhile: it was created later.
 *
 * Return: whether it did.
 */
bool survivors_has(const struct survivors *l, const struct task *task)
{
	const struct survivor key = { .pid = task->pid }, *found;
	uint64_t latest, earliest = 0;

	/* Each CPU has an idle task, which is not in /proc. */
	if (!task->pid)
		return true;
	found = bsearch(&key, l->list, l->nr, sizeof(key), by_pid);
	if (!found)
		return false;
	/* The kernel reads the two clocks one after the other. */
	if (found->start > l->suspended + l->tick)
		earliest = found->start - l->suspended - l->tick;
	latest = found->start + 2 * l->tick;
	return task->start >= earliest && task->start <= latest;
}

/* Free the list. */
void survivors_free(struct survivors *l)
{
	free(l->list);
	*l = (struct survivors) { .nr = 0 };
}
