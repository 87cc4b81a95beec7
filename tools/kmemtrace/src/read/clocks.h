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

/**
 * struct clock_search - the search for clocks in a stream
 * @offset: where the last clock is, or 0
 */
struct clock_search {
	uint64_t offset;

	/* private: @step: bytes between the last two clocks; @tried: none is in these */
	struct input *in;
	enum byte_order order;
	unsigned int cpu;
	uint64_t subbuf_size, step, tried, sequence;
	bool is_begun, is_over;
};

void clocks_begin(struct clock_search *s, const struct tracedir *dir, struct input *in,
		  unsigned int cpu, enum byte_order order);
int clocks_next(struct clock_search *s, struct kmemtrace_clock *clock);
struct timepair clocks_pair(const struct kmemtrace_clock *clock);
int clocks_find(struct timemaps *maps, const struct tracedir *dir, struct input *in,
		unsigned int cpu, enum byte_order order);
void clocks_follow(struct timemaps *maps, struct context *ctx, const void *rec,
		   enum byte_order order, unsigned int cpu);

#endif /* KMEMTRACE_CLOCKS_H */
