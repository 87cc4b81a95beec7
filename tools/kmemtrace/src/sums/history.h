/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How what lives grew and shrank: the peak of each namespace, all of the time, and the
 * phases of a boot.
 */
#ifndef KMEMTRACE_HISTORY_H
#define KMEMTRACE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "books/batch.h"
#include "linux/kmemtrace.h"
#include "sums/stats.h"

struct ledger;

/* Each begins once: see enum kmemtrace_phase_id. */
#define HISTORY_PHASES	KMEMTRACE_PHASE_INIT

/* Steps of the time; they get longer as a trace does. */
#define HISTORY_STEPS	128

/**
 * struct history_step - a part of the time
 * @most: bytes that lived at most, by namespace
 * @live: bytes that lived at its end
 * @allocs: allocations
 * @bytes: of those
 */
struct history_step {
	int64_t most[NR_SPACES], live[NR_SPACES];
	uint64_t allocs[NR_SPACES], bytes[NR_SPACES];
};

/**
 * struct peak - when most lived
 * @bytes: how much
 * @time: when that was reached first
 * @nr: objects or frames that lived then, by index of the kind
 * @nr_kinds: of @nr
 */
struct peak {
	int64_t bytes, time;
	int64_t *nr;
	uint32_t nr_kinds;
};

/**
 * struct phase - a part of the boot; the last one goes on to the end of the trace
 * @id: what begins it, enum kmemtrace_phase_id
 * @begin: when that was
 * @most: bytes that lived at most, by namespace
 * @live: bytes that lived at its end
 */
struct phase {
	unsigned int id;
	int64_t begin;
	int64_t most[NR_SPACES], live[NR_SPACES];
};

/**
 * struct history - all of the time
 * @peaks: by namespace
 * @steps: of equal length, the first one begins at @begin
 * @nr_steps: so many have begun
 * @width: nanoseconds of each
 * @begin: time of the first event
 * @phases: in the order of time
 * @nr_phases: so many have begun; of a trace that began after the boot, none
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
	struct extra *extras;
	size_t room_extras;
};

bool history_begin_stretch(const struct history *h, struct batch *b, int64_t time);
void history_batch(struct history *h, struct ledger *l, struct batch *b);
void history_alone(struct history *h, struct ledger *l, int64_t time);
bool history_phase(struct history *h, const struct ledger *l, unsigned int id,
		   int64_t time);
void history_end(struct history *h);
void history_free(struct history *h);

#endif /* KMEMTRACE_HISTORY_H */
