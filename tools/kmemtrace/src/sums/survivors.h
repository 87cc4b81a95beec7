/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks that existed when tracing ended, from the file "tasks".
 */
#ifndef KMEMTRACE_SURVIVORS_H
#define KMEMTRACE_SURVIVORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"
#include "common/text.h"
#include "sums/who.h"

/**
 * struct survivors - tasks that existed
 * @list: the tasks
 * @nr: their number
 * @tick: resolution of their times of creation, in nanoseconds
 * @suspended: nanoseconds that the machine was suspended
 * @is_known: the file was there
 */
struct survivors {
	struct survivor *list;
	size_t nr;
	uint64_t tick, suspended;
	bool is_known;
};

int survivors_load(struct survivors *l, struct context *ctx, struct text *text);
bool survivors_has(const struct survivors *l, const struct task *task);
void survivors_free(struct survivors *l);

#endif /* KMEMTRACE_SURVIVORS_H */
