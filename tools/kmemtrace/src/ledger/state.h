/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the ledger: live memory and counters.
 */
#ifndef KMEMTRACE_STATE_H
#define KMEMTRACE_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "ledger/batch.h"
#include "ledger/blocks.h"
#include "ledger/frames.h"
#include "ledger/nodes.h"
#include "ledger/objects.h"
#include "ledger/references.h"
#include "ledger/selection.h"
#include "common/context.h"
#include "read/event.h"
#include "read/own.h"
#include "sums/caches.h"
#include "sums/cells.h"
#include "sums/history.h"
#include "sums/kinds.h"
#include "sums/lifetimes.h"
#include "sums/owners.h"
#include "sums/stats.h"
#include "sums/who.h"

/* Most changes of one shard that wait at a time. */
#define SHARD_MAX_WAITING	64
/* Most changes of one shard that are owed a counterpart at a time. */
#define SHARD_MAX_OWED		64

/**
 * struct waiter - a change that waits
 * @c: the change
 * @examined: number of slots examined for it so far
 */
struct waiter {
	struct change c;
	uint32_t examined;
};

/**
 * struct owed - a change that the next one about the same memory will explain
 * @c: the change
 * @before: the state that it contradicted
 */
struct owed {
	struct change c;
	struct slot before;
};

/**
 * struct extra - an effect of a change besides the first one
 * @at: number of the event, or of the event that triggered it
 * @nr: order of those of one event
 * @effect: the effect
 */
struct extra {
	uint32_t at;
	uint32_t nr;
	struct effect effect;
};

/**
 * struct note - a possible finding; the state of all shards decides whether it is one
 * @at: number of the event, or of the event that triggered it
 * @nr: order of those of one event
 * @once: see stats_finding()
 * @type: of FINDING_MIXED_API, the interface that freed
 * @class: of FINDING_MIXED_API, the class of the object
 * @frame: of FINDING_FREE_UNEXPLAINED, the address of a page that may belong to a slab
 *	which the snapshot lacks; 0: none
 * @finding: the finding
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
 * struct life - memory from its allocation to its end, of pages those that one event ends
 * @event: number of the event that ends it, the lower 32 bits
 * @kind: index of its kind
 * @freed_by: index of the kind of its free; NO_KIND: its free is missing
 * @ptr: its address
 * @bytes: allocated bytes
 * @spare: those of @bytes beyond the requested ones
 * @born: time of its allocation; of older memory, when it was seen first
 * @died: time of the event that ends it
 * @cpu: CPU of its allocation
 * @freed_cpu: CPU of the event that ends it
 * @type: as in struct slot
 */
struct life {
	uint32_t event;
	uint32_t kind, freed_by;
	int32_t spare;
	uint64_t ptr, bytes;
	int64_t born, died;
	uint16_t cpu, freed_cpu;
	uint8_t type;
};

/**
 * struct shard - a part of all memory
 * @objects: its objects, by allocator
 * @frames: its page frames
 * @waiting: changes that don't fit yet, by time
 * @nr_waiting: number of @waiting
 * @owed: see settle.c
 * @nr_owed: number of @owed
 * @has_cells: list @cell_counts, see ledger_count_cells()
 * @cell_counts: of the current batch
 * @nr_cell_counts: number of @cell_counts
 * @extras: of the current batch
 * @nr_extras: number of @extras
 * @notes: of the current batch
 * @nr_notes: number of @notes
 * @scratch: the note for which there was no memory
 * @lives: that ended in the current batch, if the user wants to see them
 * @nr_lives: number of @lives
 * @baseline: the counters of the shard
 * @own: live page frames of kmemtrace's own
 * @settled: reordered events
 * @lookups: lookups in searches for the objects of a frame, see findings.c
 */
struct shard {
	struct objects objects[NR_SPACES];
	struct frames frames;
	struct waiter waiting[SHARD_MAX_WAITING];
	unsigned int nr_waiting;
	struct owed owed[SHARD_MAX_OWED];
	unsigned int nr_owed;
	bool has_cells;
	struct cell_count *cell_counts;
	size_t nr_cell_counts;
	struct extra *extras;
	size_t nr_extras;
	struct note *notes;
	size_t nr_notes;
	struct note scratch;
	struct life *lives;
	size_t nr_lives;
	struct baseline baseline;
	uint64_t own;
	uint64_t settled;
	uint64_t lookups;
};

/**
 * struct sum - the counters of one thread for one kind
 * @size: bytes of one object
 * @nr: [0] allocations; [1] the same, less live objects or frames: so a free adds to one number,
 *	as an allocation does
 * @req: bytes requested by @nr
 * @frees: frees; until ledger_end() without those in @lifetimes of struct sums
 * @remote: frees on another CPU; from ledger_end() on
 * @freed_by: index of the kind of the last free; NO_KIND: there was none
 * @lifetime: index in struct sums of the lives that @freed_by ended
 */
struct sum {
	uint64_t size;
	uint64_t nr[2], req[2];
	uint64_t frees, remote;
	uint32_t freed_by, lifetime;
};

static_assert(sizeof(struct sum) == 64, "one for each kind and thread");

/**
 * struct sums - all counters of one thread
 * @kinds: by index of the kind
 * @nr_kinds: number of @kinds
 * @room: kinds for which @kinds has room
 * @cpus: frees on another CPU, see struct stats
 * @nodes: allocations, see struct stats
 * @lifetimes: of freed memory
 */
struct sums {
	struct sum *kinds;
	uint32_t nr_kinds, room;
	struct table cpus[NR_SPACES];
	struct table nodes[NR_SPACES];
	struct lifetimes lifetimes;
};

/**
 * struct cache_kinds - the kinds of each slab cache
 * @first: by index of the cache, the last of its kinds; NO_KIND: none
 * @nr: number of @first
 * @room: caches for which @first has room
 * @next: by index of the kind, the next kind of its cache; NO_KIND: none
 * @nr_kinds: number of @next
 * @room_kinds: kinds for which @next has room
 */
struct cache_kinds {
	uint32_t *first, *next;
	uint32_t nr, nr_kinds;
	uint32_t room, room_kinds;
};

/**
 * struct charge - memory that was charged to a cgroup before its allocation
 * @ptr: its address
 * @bytes: of pages, how many
 * @cgroup: index of the cgroup; NO_CGROUP: this is none
 * @space: its allocator
 */
struct charge {
	uint64_t ptr, bytes;
	uint32_t cgroup;
	enum space space;
};

/**
 * enum recent_state - the last event of an address
 * @RECENT_NONE: is not known
 * @RECENT_LIVE: was an allocation
 * @RECENT_FREED: was a free
 */
enum recent_state {
	RECENT_NONE,
	RECENT_LIVE,
	RECENT_FREED,
};

/**
 * struct charges - charges whose allocations did not come yet
 * @nr: how many
 * @recent: the last event of some addresses, in a hash; NULL: the trace has no charges so far
 */
struct charges {
	uint32_t nr;
	struct recent {
		uint64_t ptr;
		enum recent_state state;
	} *recent;

	/* private: a hash with open addressing, and 2^bits entries */
	struct charge *list;
	unsigned int bits;
	uint64_t seed;
};

/**
 * struct ledger - the state of all memory at one time of the trace
 * @ctx: the context that receives an error
 * @stats: the counters; sums over kinds are valid after ledger_end()
 * @caches: the slab caches
 * @who: call paths, tasks and cgroups of @kinds
 * @charges: of memory whose allocation will follow
 * @references: to counted objects
 * @kinds: of all events
 * @history: of live memory
 * @cells: of all memory, after ledger_end(); see ledger_count_cells()
 * @kinds_of_cells: by index of the kind, that of kind_of_cells()
 * @nr_kinds_of_cells: number of @kinds_of_cells
 * @owners: of the live memory at its peak, by allocator
 * @nodes: NUMA nodes of memory
 * @is_abi1: the trace has ABI version 1: a free of pages has no size. Set after
 *	ledger_init()
 * @kfree_takes_caches: kfree() may free objects of any cache; set after ledger_init()
 * @patient: an event that contradicts a state waits for events of other CPUs; set after
 *	ledger_init() if there are any
 * @is_behind: the snapshot follows the events: what it alone has lived before the first of them.
 *	Set after ledger_init()
 * @begin: with @is_behind, time of the first event
 * @since: with @is_behind, the time from which all records are there; INT64_MIN: none was
 *	overwritten
 * @takes_books: the records are those of the file of the books, see booksfile.h; set after
 *	ledger_init()
 * @books_tasks: the tasks of that file: @live is the index of a task in @who
 * @one_of: the trace has one of so many slab objects below a page, see sample.h; 1: all.
 *	Set after ledger_init()
 * @own: the allocations of kmemtrace's own buffers, as far as known; set after
 *	ledger_init()
 * @selection: the events that count, NULL: all; see ledger_select()
 * @counts_own: what kmemtrace itself allocated counts as well; set after ledger_init()
 * @hides: there may be kinds that don't count
 * @each_life: receives each life that ends and counts; returns 0 or -errno, which ends the
 *	reading. NULL: nobody wants to see them. Set after ledger_init()
 * @life_arg: for @each_life
 */
struct ledger {
	struct context *ctx;
	struct stats stats;
	struct caches caches;
	struct who who;
	struct charges charges;
	struct references references;
	struct kinds kinds;
	struct history history;
	struct cells cells;
	uint32_t *kinds_of_cells, nr_kinds_of_cells;
	struct owners owners[NR_SPACES];
	struct nodes nodes;
	bool is_abi1;
	bool kfree_takes_caches, patient;
	bool is_behind;
	int64_t begin, since;
	bool takes_books;
	struct table books_tasks;
	unsigned int one_of;
	struct own own;
	struct selection *selection;
	bool counts_own, hides;
	int (*each_life)(void *arg, const struct life *life);
	void *life_arg;

	/* private: */
	uint64_t window;
	int64_t now;
	struct shard *shards;
	struct sums *sums;
	unsigned int nr_sums;
	uint64_t page_size;
	unsigned int page_shift, stripe_shift;
	uint64_t snapshot_frames;
	uint64_t unsure_frames;
	struct table unsure;
	struct blocks blocks;
	struct cache_kinds cache_kinds;
	uint64_t objects_visited;
	struct note *notes;
	size_t room_notes;
	struct extra *extras;
	size_t room_extras;
	struct effect alone;
	int64_t older[NR_SPACES];
	uint32_t events;
	/* A record with a longer tail, or as long, says who caused it, or may be charged. */
	size_t usual_tail;
	/* Only a record with a shorter tail may be added with its memo alone. */
	size_t quick_tail;
	struct memo *memos;
};

/* Set whether a kind counts, and whether it is kmemtrace's own. @is_excluded: by the filter. */
static inline void ledger_hide_kind(struct ledger *l, struct kind *kind, bool is_excluded)
{
	const bool is_own = !is_excluded && who_is_own(&l->who, kind->who);
	const bool is_hidden = is_excluded || (is_own && !l->counts_own);

	kind->rest &= ~(uint64_t)(KIND_OWN | KIND_HIDDEN);
	kind->rest |= (is_own ? KIND_OWN : 0) | (is_hidden ? KIND_HIDDEN : 0);
	l->hides |= is_hidden;
}

/* Return the shard of an address, of any allocator. */
static inline unsigned int ledger_shard_of(const struct ledger *l, uint64_t ptr)
{
	return shard_of_stripe(ptr >> l->stripe_shift);
}

#endif /* KMEMTRACE_STATE_H */
