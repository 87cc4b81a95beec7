/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How live memory grew and shrank: the peak of each allocator, steps of the time, and the
 * phases of a boot.
 */
#ifndef KMEMTRACE_HISTORY_H
#define KMEMTRACE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/kmemtrace.h"
#include "sums/stats.h"

/* Each begins once: see enum kmemtrace_phase_id. */
#define HISTORY_PHASES	KMEMTRACE_PHASE_INIT

/* Maximum number of steps; they get longer as the trace does. */
#define HISTORY_STEPS	128

/**
 * struct history_step - a part of the time
 * @most: maximum of live bytes, by allocator
 * @live: bytes that were live at its end
 * @allocs: allocations
 * @bytes: bytes of @allocs
 */
struct history_step {
	int64_t most[NR_SPACES], live[NR_SPACES];
	uint64_t allocs[NR_SPACES], bytes[NR_SPACES];
};

/**
 * struct peak - the maximum of live memory
 * @bytes: its size
 * @time: when it was reached first
 */
struct peak {
	int64_t bytes, time;
};

/**
 * struct phase - a part of the boot; the last one lasts to the end of the trace
 * @id: the event that begins it, enum kmemtrace_phase_id
 * @begin: its time
 * @most: maximum of live bytes, by allocator
 * @live: bytes that were live at its end
 */
struct phase {
	unsigned int id;
	int64_t begin;
	int64_t most[NR_SPACES], live[NR_SPACES];
};

/**
 * struct history - all of the time; zeroed memory is an empty history
 * @peaks: by allocator
 * @steps: of equal length, the first one begins at @begin
 * @nr_steps: how many have begun
 * @width: nanoseconds of each
 * @begin: time of the first event
 * @phases: by time
 * @nr_phases: how many have begun; 0 if the trace began after the boot
 */
struct history {
	struct peak peaks[NR_SPACES];
	struct history_step steps[HISTORY_STEPS];
	unsigned int nr_steps;
	uint64_t width;
	int64_t begin;
	struct phase phases[HISTORY_PHASES];
	unsigned int nr_phases;

	/* private: */
	uint64_t end;
	int64_t live[NR_SPACES];
	int64_t before_phase[NR_SPACES];
};

/**
 * struct effect - the effect of a change on live memory
 * @kind: kind of the allocation that became live or ended; NO_KIND: no effect, all zeros
 * @nr: objects or frames that became live; negative: that ended
 * @bytes: bytes of @nr
 */
struct effect {
	uint32_t kind;
	int32_t nr;
	int64_t bytes;
};

void history_go_on(struct history *h, int64_t time);
int64_t history_effects(struct history *h, struct history_step *step, enum space space,
			const struct effect *effects, size_t nr);
bool history_phase(struct history *h, unsigned int id, int64_t time, bool is_early);
void history_raise(struct history *h, int64_t begin, enum space space,
		   int64_t bytes);
void history_end(struct history *h);

/**
 * history_step_end - find the end of the step of a time
 * @begin: begin of the first step
 * @width: length of a step, doubled until there are at most HISTORY_STEPS
 * @time: the time
 *
 * Return: the end, in nanoseconds after @begin.
 */
static inline uint64_t history_step_end(int64_t begin, uint64_t *width, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)begin;

	while (since / *width >= HISTORY_STEPS)
		*width *= 2;
	return (since / *width + 1) * *width;
}

/* Return the step of a time, which must not be before that of the current step. */
static inline struct history_step *history_step(struct history *h, int64_t time)
{
	if ((uint64_t)time - (uint64_t)h->begin >= h->end)
		history_go_on(h, time);
	return &h->steps[h->nr_steps - 1];
}

/* Return the step of a time that has a step. */
static inline struct history_step *history_step_at(struct history *h, int64_t time)
{
	uint64_t i = ((uint64_t)time - (uint64_t)h->begin) / h->width;

	return &h->steps[i < h->nr_steps ? i : h->nr_steps - 1];
}

/**
 * history_add - add bytes to the live memory of an allocator
 * @h: the history
 * @step: the current step
 * @space: the allocator
 * @bytes: how many; negative: memory was freed
 * @time: when
 *
 * Return: whether there is a new peak.
 */
static inline bool history_add(struct history *h, struct history_step *step,
			       enum space space, int64_t bytes, int64_t time)
{
	int64_t live = h->live[space] += bytes;

	step->live[space] = live;
	if (live <= step->most[space])
		return false;
	step->most[space] = live;
	if (live <= h->peaks[space].bytes)
		return false;
	h->peaks[space] = (struct peak) { .bytes = live, .time = time };
	return true;
}

#endif /* KMEMTRACE_HISTORY_H */
