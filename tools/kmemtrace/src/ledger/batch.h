/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batches: allocations and frees in the order of time, on their way into the ledger.
 */
#ifndef KMEMTRACE_BATCH_H
#define KMEMTRACE_BATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ledger/shards.h"
#include "ledger/slot.h"
#include "common/bits.h"
#include "sums/history.h"
#include "sums/stats.h"

/* Most changes of one shard in a batch. Allocations near in time are often in one shard. */
#define SEGMENT_MAX	2048
/* Most changes of all shards together; they fit into a processor's cache. */
#define BATCH_MAX	8192

/**
 * struct change - an allocation or a free, of pages its part in one shard
 * @ptr: address; of a part of a block of pages, of its first frame
 * @req: bytes requested by an allocation
 * @alloc: bytes allocated, or freed of pages and percpu memory; of a part, its bytes
 * @time: nanoseconds
 * @kind: index of its kind
 * @cpu: its CPU
 * @type: enum kmemtrace_type_id
 * @bits: the state of its slots after it, see struct slot
 * @outcome: @type and @bits
 * @word: all fields from @cpu on, as in struct slot
 * @event: number of its event, the lower 32 bits
 * @place: its index in the effects of its batch
 * @space: enum space
 * @is_free: it is a free, not an allocation
 * @is_hidden: a filter excludes it
 * @is_special: of an allocation, it requested a node, or stands for several
 * @is_part: of a block of pages in several shards
 * @is_rest: of such a block, not the first part
 * @waited: its slot had another state at first
 * @older_page: when it began to wait, its page was live by the snapshot, and not known as a
 *	slab's
 * @tags: all fields from @space on, to set them at once
 */
struct change {
	uint64_t ptr, req, alloc;
	int64_t time;
	uint32_t kind;
	union {
		struct {
			uint16_t cpu;
			union {
				struct {
					uint8_t type, bits;
				};
				uint16_t outcome;
			};
		};
		uint32_t word;
	};
	uint32_t event;
	uint16_t place;
	union {
		struct {
			uint8_t space;
			bool is_free : 1, is_hidden : 1, is_special : 1;
			bool is_part : 1, is_rest : 1;
			bool waited : 1, older_page : 1;
		};
		uint16_t tags;
	};
};

static_assert(offsetof(struct change, bits) - offsetof(struct change, word) ==
	      offsetof(struct slot, bits) - offsetof(struct slot, word), "they can be compared");

/* Compare numbers of events as for qsort(); their distance is below 2^31. */
static inline int compare_events(uint32_t a, uint32_t b)
{
	int32_t diff = a - b;

	return (diff > 0) - (diff < 0);
}

/**
 * struct segment - the changes of one shard in a batch
 * @nr: how many; set by batch_seal()
 * @changes: by time
 */
struct segment {
	uint32_t nr;
	struct change changes[SEGMENT_MAX];
};

/* Most stretches of a batch. */
#define BATCH_MAX_STRETCHES	16

/**
 * struct batch_sum - the changes of one allocator in a batch
 * @next: place of the next one
 * @events: events: [0] allocations that no filter excludes, [1] all others
 * @bytes: bytes of these events
 */
struct batch_sum {
	uint64_t next;
	uint64_t events[2], bytes[2];
	/* private: */
	uint64_t unused[3];
};

static_assert(sizeof(struct batch_sum) == 64, "its place needs no multiplication");

/**
 * struct stretch - the changes of a batch that are in one step of the history
 * @time: of the first
 * @before: by allocator, the changes before it
 */
struct stretch {
	int64_t time;
	struct batch_sum before[NR_SPACES];
};

/**
 * struct steps - equal parts of the time
 * @begin: time at which the first one begins
 * @width: nanoseconds of each; 0: none has begun
 * @end: nanoseconds from @begin to the end of the current one
 */
struct steps {
	int64_t begin;
	uint64_t width, end;
};

/* Return whether a time is after the current step. */
static inline bool steps_end(const struct steps *s, int64_t time)
{
	return (uint64_t)time - (uint64_t)s->begin >= s->end;
}

/* Return the last time of the current step; of one without an end, the largest time. */
static inline int64_t steps_last(const struct steps *s)
{
	uint64_t rest = (uint64_t)INT64_MAX - (uint64_t)s->begin;

	return s->end - 1 < rest ? (int64_t)((uint64_t)s->begin + s->end - 1) : INT64_MAX;
}

/**
 * struct batch - changes and their effects
 * @nr: how many changes
 * @rooms: by shard, where its next change will be, and the end of its room
 * @window: nanoseconds by which changes of two CPUs may be in the wrong order
 * @shards: the shard of each change, by time
 * @segments: by shard
 * @largest: the shards, that with most changes first; set by batch_seal()
 * @steps: of the history, at the last of @stretches
 * @stretches: by time
 * @nr_stretches: number of @stretches
 * @sums: by allocator
 * @effects: by allocator, then by time: the first effect of each change on its own allocator
 */
struct batch {
	uint32_t nr;
	struct batch_room {
		struct change *next, *end;
	} rooms[NR_SHARDS];
	uint64_t window;
	uint8_t shards[BATCH_MAX];
	struct segment segments[NR_SHARDS];
	uint8_t largest[NR_SHARDS];
	struct steps steps;
	struct stretch stretches[BATCH_MAX_STRETCHES];
	unsigned int nr_stretches;
	struct batch_sum sums[NR_SPACES];
	struct effect effects[NR_SPACES * BATCH_MAX];
};

static_assert(NR_SPACES * BATCH_MAX - 1 <= UINT16_MAX, "@place has room for it");

/* Return where the effects of an allocator begin. */
static inline uint32_t batch_effects(enum space space)
{
	return space * BATCH_MAX;
}

/* Return the number of changes of an allocator. */
static inline uint32_t batch_changes(const struct batch *b, enum space space)
{
	return b->sums[space].next - batch_effects(space);
}

/* Remove all changes. */
static inline void batch_clear(struct batch *b)
{
	unsigned int i;

	b->nr = 0;
	b->nr_stretches = 0;
	b->steps.end = 0;
	memset(b->sums, 0, sizeof(b->sums));
	for (i = 0; i < NR_SPACES; i++)
		b->sums[i].next = batch_effects(i);
	for (i = 0; i < NR_SHARDS; i++) {
		struct segment *seg = &b->segments[i];

		seg->nr = 0;
		b->rooms[i] = (struct batch_room) { seg->changes, seg->changes + SEGMENT_MAX };
	}
}

/* Set the number of changes of each shard, and their order, after the last change. */
static inline void batch_seal(struct batch *b)
{
	unsigned int i, at;

	for (i = 0; i < NR_SHARDS; i++) {
		const uint32_t nr = b->rooms[i].next - b->segments[i].changes;

		b->segments[i].nr = nr;
		for (at = i; at && b->segments[b->largest[at - 1]].nr < nr; at--)
			b->largest[at] = b->largest[at - 1];
		b->largest[at] = i;
	}
}

/* Return whether a segment is full, or the batch has no room for a change of each shard. */
static inline bool batch_is_full(const struct batch *b, unsigned int shard)
{
	return b->nr > BATCH_MAX - NR_SHARDS || b->rooms[shard].next == b->rooms[shard].end;
}

/* Return a place for a change of one shard. */
static ALWAYS_INLINE struct change *batch_add(struct batch *b, unsigned int shard,
					      enum space space)
{
	struct change *c = b->rooms[shard].next++;

	b->shards[b->nr++] = shard;
	c->place = b->sums[space].next++;
	return c;
}

/* Count an event of @bytes. @is_other: it is a free, or a filter excludes it. */
static ALWAYS_INLINE void batch_count(struct batch *b, enum space space, bool is_other,
				      uint64_t bytes)
{
	struct batch_sum *sum = &b->sums[space];

	sum->events[is_other]++;
	sum->bytes[is_other] += bytes;
}

/* Count an event of @bytes, and return a place for its change in one shard. */
static ALWAYS_INLINE struct change *batch_add_event(struct batch *b, unsigned int shard,
						    enum space space, bool is_other,
						    uint64_t bytes)
{
	batch_count(b, space, is_other, bytes);
	return batch_add(b, shard, space);
}

#endif /* KMEMTRACE_BATCH_H */
