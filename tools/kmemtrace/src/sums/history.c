// SPDX-License-Identifier: GPL-2.0
/*
 * history.c - how live memory grew and shrank: steps of the time, and phases of a boot
 */
#include "config.h"

#include <string.h>

#include "sums/history.h"

/* Nanoseconds of a step, at first. */
#define MIN_WIDTH	1000

/* ---- steps ---- */

/* Merge pairs of steps, so that each is twice as long. */
static void merge_steps(struct history_step *to, const struct history_step *a,
			const struct history_step *b)
{
	struct history_step sum = *b;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		sum.allocs[i] += a->allocs[i];
		sum.bytes[i] += a->bytes[i];
		if (a->most[i] > sum.most[i])
			sum.most[i] = a->most[i];
	}
	*to = sum;
}

static void join_pairs(struct history *h)
{
	unsigned int i;

	for (i = 0; i < h->nr_steps / 2; i++)
		merge_steps(&h->steps[i], &h->steps[2 * i], &h->steps[2 * i + 1]);
	if (h->nr_steps % 2)
		h->steps[i] = h->steps[h->nr_steps - 1];
	h->nr_steps = (h->nr_steps + 1) / 2;
	h->width *= 2;
}

/* A new step begins with the memory that is live. */
static void begin_step(struct history *h)
{
	struct history_step *step = &h->steps[h->nr_steps++];

	memset(step, 0, sizeof(*step));
	memcpy(step->most, h->live, sizeof(step->most));
	memcpy(step->live, h->live, sizeof(step->live));
}

static void keep_larger(int64_t *most, const int64_t *other)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		if (other[i] > most[i])
			most[i] = other[i];
}

/*
 * End the current step, or its phase: its maximum since the phase began is known now. So
 * no event has to update the maximum of a phase.
 */
static void end_step(struct history *h)
{
	struct history_step *step = &h->steps[h->nr_steps - 1];

	if (!h->nr_phases)
		return;
	keep_larger(h->phases[h->nr_phases - 1].most, step->most);
	keep_larger(step->most, h->before_phase);
	memset(h->before_phase, 0, sizeof(h->before_phase));
}

/* Begin the step of a time: it is after the current step, and may have any value. */
void history_go_on(struct history *h, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)h->begin, width = h->width;

	if (!h->nr_steps) {
		h->begin = time;
		h->width = MIN_WIDTH;
		begin_step(h);
		h->end = h->width;
	} else {
		end_step(h);
		h->end = history_step_end(h->begin, &width, time);
		while (h->width < width)
			join_pairs(h);
		while (h->nr_steps <= since / width)
			begin_step(h);
	}
}

/**
 * history_effects - add the effects of changes of one allocator in one step
 * @h: the history
 * @step: the step
 * @space: the allocator
 * @effects: of each change, by time
 * @nr: how many
 *
 * The caller updates the peaks.
 *
 * Return: the maximum of live bytes in this step so far.
 */
int64_t history_effects(struct history *h, struct history_step *step, enum space space,
			const struct effect *effects, size_t nr)
{
	int64_t live = h->live[space], most = step->most[space];
	size_t i;

	for (i = 0; i < nr; i++) {
		live += effects[i].bytes;
		most = live > most ? live : most;
	}
	h->live[space] = live;
	step->live[space] = live;
	step->most[space] = most;
	return most;
}

/* ---- phases ---- */

static bool has_begun(const struct history *h, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < h->nr_phases; i++)
		if (h->phases[i].id == id)
			return true;
	return false;
}

/**
 * history_phase - begin another phase of the boot
 * @h: the history
 * @id: the event that begins it, enum kmemtrace_phase_id
 * @time: its time
 * @is_early: it begins before the part of the trace that is counted
 *
 * Return: false if no boot has such a phase, or it has begun before.
 */
bool history_phase(struct history *h, unsigned int id, int64_t time, bool is_early)
{
	struct phase phase = { .id = id, .begin = time };
	struct history_step *step;

	if (!id || id > HISTORY_PHASES || has_begun(h, id))
		return false;
	if (!is_early) {
		step = history_step(h, time);
		/* The maximum of this step so far comes back when the step ends. */
		if (h->nr_phases) {
			memcpy(h->phases[h->nr_phases - 1].live, h->live,
			       sizeof(h->live));
			end_step(h);
		}
		memcpy(h->before_phase, step->most, sizeof(h->before_phase));
		memcpy(step->most, h->live, sizeof(step->most));
		memcpy(phase.most, h->live, sizeof(phase.most));
	}
	h->phases[h->nr_phases++] = phase;
	return true;
}

/**
 * history_raise - add memory that was live from the begin on
 * @h: the history
 * @begin: time of the first event
 * @space: the allocator
 * @bytes: how many
 */
void history_raise(struct history *h, int64_t begin, enum space space,
		   int64_t bytes)
{
	unsigned int i;

	if (!h->nr_steps)
		history_go_on(h, begin);
	for (i = 0; i < h->nr_steps; i++) {
		h->steps[i].live[space] += bytes;
		h->steps[i].most[space] += bytes;
	}
	for (i = 0; i < h->nr_phases; i++) {
		h->phases[i].live[space] += bytes;
		h->phases[i].most[space] += bytes;
	}
	h->live[space] += bytes;
	if (!h->peaks[space].bytes)
		h->peaks[space].time = begin;
	h->peaks[space].bytes += bytes;
}

/* End the last step and the last phase. */
void history_end(struct history *h)
{
	if (!h->nr_phases || !h->nr_steps)
		return;
	end_step(h);
	memcpy(h->phases[h->nr_phases - 1].live, h->live, sizeof(h->live));
}
