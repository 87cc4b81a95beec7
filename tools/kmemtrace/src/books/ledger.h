/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is live, and which events contradict that.
 */
#ifndef KMEMTRACE_LEDGER_H
#define KMEMTRACE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "books/batch.h"
#include "books/frames.h"
#include "books/nodes.h"
#include "books/objects.h"
#include "books/selection.h"
#include "common/limit.h"
#include "common/memory.h"
#include "read/event.h"
#include "read/own.h"
#include "sums/caches.h"
#include "sums/history.h"
#include "sums/kinds.h"
#include "sums/lifetimes.h"
#include "sums/stats.h"

/* Events of one shard that wait for another at a time. */
#define SHARD_MAX_WAITING	LIMIT(64, 4)
/* Lives that may end, or begin, by an event that is still to come. */
#define SHARD_MAX_OWED	LIMIT(64, 4)

/**
 * struct owed - a change that explains itself when another one comes
 * @c: the change
 * @before: the state of what it is about
 */
struct owed {
	struct change c;
	struct slot before;
};

/**
 * struct extra - what a change did besides its struct effect
 * @at: number of the event, or of the one that made it happen
 * @nr: for those who sort them
 * @effect: what
 */
struct extra {
	uint32_t at;
	uint32_t nr;
	struct effect effect;
};

/**
 * struct note - what a shard leaves to be decided where all of them are known
 * @at: as in struct extra
 * @nr: for those who sort them
 * @once: see stats_finding()
 * @type: of FINDING_MIXED_API, the interface that freed
 * @class: of FINDING_MIXED_API, that of the object
 * @frame: of FINDING_FREE_UNEXPLAINED, the address of a page which may be a part of a
 *	slab that the snapshot lacks; 0: there is none
 * @finding: what it would be
 */
struct note {
	uint32_t at;
	uint32_t nr;
	bool once;
	uint8_t type;
	uint64_t class;
	uint64_t frame;
	struct finding finding;
};

/**
 * struct shard - a part of all memory
 * @objects: those in it
 * @frames: those in it
 * @waiting: changes that make no sense yet, in the order of time
 * @nr_waiting: of @waiting
 * @owed: see owe()
 * @nr_owed: of @owed
 * @extras: to be read after each batch
 * @nr_extras: of @extras
 * @notes: to be read after each batch
 * @nr_notes: of @notes
 * @baseline: the counters of it
 * @own: page frames of kmemtrace's own
 * @settled: events that were put after later ones
 */
struct shard {
	struct objects objects[NR_SPACES];
	struct frames frames;
	struct change waiting[SHARD_MAX_WAITING];
	unsigned int nr_waiting;
	struct owed owed[SHARD_MAX_OWED];
	unsigned int nr_owed;
	struct extra *extras;
	size_t nr_extras, room_extras;
	struct note *notes;
	size_t nr_notes, room_notes;
	struct baseline baseline;
	uint64_t own;
	uint64_t settled;
};

/**
 * struct sum - what one thread counted of one kind
 * @size: bytes of one, of an object
 * @allocs: allocations
 * @req: bytes asked for by @allocs
 * @frees: frees of it, up to ledger_end() without those in @lifetimes of struct sums
 * @remote: those of them on another CPU, from ledger_end() on
 * @live: objects or frames, allocated less freed by this thread
 * @live_req: bytes asked for by @live
 * @freed_by: index of the kind of the last free; NO_KIND: there was none
 * @lifetime: index in struct sums of the lives that @freed_by ended
 */
struct sum {
	uint64_t size;
	uint64_t allocs, req;
	uint64_t frees, remote;
	int64_t live, live_req;
	uint32_t freed_by, lifetime;
};

/**
 * struct sums - all that one thread counted
 * @kinds: by index of the kind
 * @nr_kinds: of @kinds
 * @room: for kinds in @kinds
 * @cpus: frees on another CPU, see struct stats
 * @nodes: allocations, see struct stats
 * @lifetimes: of what was freed
 */
struct sums {
	struct sum *kinds;
	uint32_t nr_kinds, room;
	struct table cpus[NR_SPACES];
	struct table nodes[NR_SPACES];
	struct lifetimes lifetimes;
};

/* The last one of them is for what isn't worth to be known again. */
#define MEMOS_SHIFT	12
#define NR_MEMOS	((1 << MEMOS_SHIFT) + 1)

/**
 * struct memo - what is known of records that differ in address and time alone
 * @head: the first word of each
 * @site: call site
 * @alloc: bytes given
 * @gfp: flags
 * @cache: address of the cache, 0 where the record has none
 * @unaligned: bits that no address has
 * @step: request_step() of the bytes asked for
 * @ended: of struct caches, when @kind was looked up
 * @kind: index of their kind
 * @type: enum kmemtrace_type_id
 * @space: enum space
 * @is_free: not allocations
 * @what: as in struct change
 */
struct memo {
	uint64_t head, site, alloc, gfp, cache;
	uint64_t unaligned;
	uint32_t step, ended;
	uint32_t kind;
	union {
		struct {
			uint8_t type;
			uint8_t space;
			bool is_free;
		};
		uint32_t what;
	};
};

/**
 * struct ledger - the state of all memory at one time of the trace
 * @stats: what is counted; sums over kinds only after ledger_end()
 * @caches: the slab caches
 * @kinds: of all events
 * @history: of what lives
 * @nodes: where memory is
 * @kfree_takes_caches: kfree() is allowed on objects of any cache; to be set
 *	after ledger_init()
 * @patient: an event that makes no sense waits for those of other CPUs; to be set
 *	after ledger_init() where there are any
 * @own: which allocations are of kmemtrace's own buffers, as far as that was found; to
 *	be set after ledger_init()
 * @selection: the events that count, NULL for all; to be set after ledger_init()
 */
struct ledger {
	struct stats stats;
	struct caches caches;
	struct kinds kinds;
	struct history history;
	struct nodes nodes;
	bool kfree_takes_caches, patient;
	struct own own;
	struct selection *selection;

	/* private: */
	uint64_t window;
	int64_t now;
	struct shard *shards;
	struct sums *sums;
	unsigned int nr_sums;
	uint64_t page_size;
	unsigned int page_shift;
	uint64_t snapshot_frames;
	uint64_t unsure_frames;
	struct table unsure;
	struct note *notes;
	size_t room_notes;
	struct effect alone;
	uint32_t events;
	struct memo *memos;
};

/**
 * enum ledger_answer - what ledger_add() did
 * @LEDGER_TAKEN: all there is to do for this record, for now
 * @LEDGER_BATCH_FULL: nothing: there is no room
 * @LEDGER_ALONE: nothing: this one is ledger_event()'s, after all before it
 */
enum ledger_answer {
	LEDGER_TAKEN,
	LEDGER_BATCH_FULL,
	LEDGER_ALONE,
};

void ledger_init(struct ledger *l, uint64_t page_size, unsigned int threads);
enum ledger_answer ledger_add(struct ledger *l, struct batch *b,
			      const struct record *rec, unsigned int cpu,
			      int64_t time);
void ledger_open(struct ledger *l, const struct batch *b);
void ledger_shard(struct ledger *l, struct batch *b, unsigned int shard,
		  unsigned int thread);
void ledger_close(struct ledger *l, struct batch *b, int64_t time);
void ledger_event(struct ledger *l, const struct record *rec, unsigned int cpu,
		  int64_t time);
void ledger_end(struct ledger *l, int64_t time);
void ledger_free(struct ledger *l);

/* The shard to which an address belongs, in any namespace. */
static inline unsigned int ledger_shard_of(const struct ledger *l, uint64_t ptr)
{
	return hash_u64(ptr >> l->page_shift >> FRAMES_CHUNK_SHIFT) >>
	       (64 - SHARDS_SHIFT);
}

#endif /* KMEMTRACE_LEDGER_H */
