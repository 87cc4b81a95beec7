/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many allocations and frees in the order of time, on their way into the ledger.
 */
#ifndef KMEMTRACE_BATCH_H
#define KMEMTRACE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

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
 * @type: enum kmemtrace_type_id
 * @space: enum space
 * @is_free: not an allocation
 * @is_part: of a block of pages that is a change for each chunk of frames
 * @is_rest: and not the first one
 * @waited: it made no sense when it was looked at first
 */
struct change {
	uint64_t ptr, req, alloc;
	int64_t time;
	uint32_t kind;
	uint32_t event;
	uint16_t cpu;
	uint8_t type;
	uint8_t space;
	bool is_free;
	bool is_part, is_rest;
	bool waited;
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

/**
 * struct batch - changes, and what became of them
 * @nr: how many changes
 * @window: nanoseconds by which those of two CPUs may be in the wrong order
 * @shards: the shard of each change, by time
 * @segments: of each shard
 */
struct batch {
	uint32_t nr;
	uint64_t window;
	uint8_t shards[NR_SHARDS * SEGMENT_MAX];
	struct segment segments[NR_SHARDS];
};

/* Make it an empty one. */
static inline void batch_clear(struct batch *b)
{
	unsigned int i;

	b->nr = 0;
	for (i = 0; i < NR_SHARDS; i++)
		b->segments[i].nr = 0;
}

#endif /* KMEMTRACE_BATCH_H */
