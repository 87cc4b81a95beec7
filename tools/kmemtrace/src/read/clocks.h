/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pairs of times in a stream of kmemtrace.
 */
#ifndef KMEMTRACE_CLOCKS_H
#define KMEMTRACE_CLOCKS_H

#include "read/event.h"
#include "read/input.h"
#include "read/timemap.h"
#include "read/tracedir.h"

int clocks_find(struct timemaps *maps, const struct tracedir *dir, struct input *in,
		unsigned int cpu, enum byte_order order);
void clocks_follow(struct timemaps *maps, struct context *ctx, const void *rec,
		   enum byte_order order, unsigned int cpu);

#endif /* KMEMTRACE_CLOCKS_H */
