/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many allocations and frees in the order of time, on their way into the ledger.
 */
#ifndef KMEMTRACE_BATCH_H
#define KMEMTRACE_BATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sums/stats.h"

/* A batch ends when it has so many of one shard; they fit into a processor's cache. */
#define SEGMENT_MAX	512

/*
 * Memory is divided into so many shards. What the ledger keeps of one doesn't depend
 * on the others, so that each may be another thread's; which one it is makes no
 * difference to any result.
 */
#define SHARDS_SHIFT	4
#define NR_SHARDS	(1 << SHARDS_SHIFT)

/**
 * struct change - an allocation or a free on its way into the ledger
 * @ptr: address
 * @req: bytes asked for, of an allocation
 * @alloc: bytes given, or of pages and percpu memory taken back
 * @time: nanoseconds
 * @kind: index of its kind
 * @event: number of its event, counted up to 32 bits
 * @cpu: where
 * @place: where in the deltas of its batch
 * @type: enum kmemtrace_type_id
 * @space: enum space
 * @is_free: not an allocation
 * @is_part: of a block of pages that is a change for each chunk of frames
 * @is_rest: and not the first one
 * @waited: it made no sense when it was looked at first
 * @what: all of those from @type on, to be set at once
 */
struct change {
	uint64_t ptr, req, alloc;
	int64_t time;
	uint32_t kind;
	uint32_t event;
	uint16_t cpu;
	uint16_t place;
	union {
		struct {
			uint8_t type;
			uint8_t space;
			bool is_free;
			bool is_part : 1, is_rest : 1;
			bool waited : 1;
		};
		uint32_t what;
	};
};

/* As for qsort(): numbers of events, of which 32 bits are known, are near each other. */
static inline int compare_events(uint32_t a, uint32_t b)
{
	int32_t diff = a - b;

	return (diff > 0) - (diff < 0);
}

/**
 * struct effect - what a change did to that which is live
 * @kind: of the allocation that lives or did; NO_KIND: nothing was done, with zeros
 * @nr: objects or frames more, or less
 * @bytes: of those
 */
struct effect {
	uint32_t kind;
	int32_t nr;
	int64_t bytes;
};

/**
 * struct segment - the changes of one shard in a batch
 * @nr: how many
 * @changes: by time
 * @effects: what each of them did first, in its namespace
 */
struct segment {
	uint32_t nr;
	struct change changes[SEGMENT_MAX];
	struct effect effects[SEGMENT_MAX];
};

/* Of all shards together, by whichever order. */
#define BATCH_MAX	(NR_SHARDS * SEGMENT_MAX)
/* A batch ends when it has so many stretches. */
#define BATCH_MAX_STRETCHES	16

/**
 * struct batch_sum - what is in a batch of one namespace
 * @changes: how many
 * @events: allocations, and frees
 * @bytes: of those
 */
struct batch_sum {
	uint64_t changes;
	uint64_t events[2], bytes[2];
};

/**
 * struct stretch - the changes of a batch in one step of the history
 * @time: of the first
 * @before: by namespace, what came before it
 */
struct stretch {
	int64_t time;
	struct batch_sum before[NR_SPACES];
};

/**
 * struct steps - equal parts of the time, the first one of which begins at @begin
 * @begin: time
 * @width: nanoseconds of each; 0: nothing has begun
 * @end: nanoseconds from @begin to the end of the current one
 */
struct steps {
	int64_t begin;
	uint64_t width, end;
};

/* Does a time belong to a later step than the current one? */
static inline bool steps_end(const struct steps *s, int64_t time)
{
	return (uint64_t)time - (uint64_t)s->begin >= s->end;
}

/**
 * struct batch - changes, and what became of them
 * @nr: how many changes
 * @window: nanoseconds by which those of two CPUs may be in the wrong order
 * @shards: the shard of each change, by time
 * @segments: of each shard
 * @steps: of the history, at the last of @stretches
 * @stretches: by time
 * @nr_stretches: of @stretches
 * @sums: by namespace
 * @deltas: by namespace, and then by time: the bytes of each change's first effect
 */
struct batch {
	uint32_t nr;
	uint64_t window;
	uint8_t shards[BATCH_MAX];
	struct segment segments[NR_SHARDS];
	struct steps steps;
	struct stretch stretches[BATCH_MAX_STRETCHES];
	unsigned int nr_stretches;
	struct batch_sum sums[NR_SPACES];
	int64_t deltas[NR_SPACES * BATCH_MAX];
};

/* Make it an empty one. */
static inline void batch_clear(struct batch *b)
{
	unsigned int i;

	b->nr = 0;
	b->nr_stretches = 0;
	b->steps.end = 0;
	memset(b->sums, 0, sizeof(b->sums));
	for (i = 0; i < NR_SHARDS; i++)
		b->segments[i].nr = 0;
}

static_assert(NR_SPACES * BATCH_MAX - 1 <= UINT16_MAX, "what a place has room for");

/* Where the deltas of a namespace begin. */
static inline uint32_t batch_deltas(enum space space)
{
	return space * BATCH_MAX;
}

#endif /* KMEMTRACE_BATCH_H */
