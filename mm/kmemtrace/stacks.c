// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers of call paths.
 *
 * A table has the hash of each path; the index of an entry, plus one, is the number of the
 * path. An entry is never changed while tracing is on, so looking up a path takes no lock.
 * Whoever adds an entry records which path it is. If that record finds no room, the next
 * event of the path records it.
 *
 * Hashes have 64 bits: of 65,536 paths, two have the same one in one of some billion traces.
 *
 * If records are overwritten, the table keeps the addresses, too: all paths are recorded
 * once more at the end.
 *
 * Context: any but NMI, preemption off; no locks, no allocation.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/marker_channel.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <uapi/linux/kmemtrace.h>
#include "path.h"
#include "record.h"
#include "stacks.h"

static_assert(offsetof(struct kmemtrace_stack, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_stack, frames) == 56);

#define KMEMTRACE_STACKS_SHIFT	16
#define KMEMTRACE_STACKS	BIT(KMEMTRACE_STACKS_SHIFT)
/* A path is in one of so many entries, from that of its hash on. */
#define KMEMTRACE_STACK_TRIES	16
/* Addresses that the table can keep: 16 a path. */
#define KMEMTRACE_KEPT		(KMEMTRACE_STACKS * 16)

/**
 * struct kmemtrace_entry - a path
 * @hash: its hash; 0: the entry is free
 * @is_recorded: a STACK record has it
 * @is_cut: outer callers are missing
 * @depth: number of its addresses that are kept; 0: none
 * @first: index of the first of them
 */
struct kmemtrace_entry {
	atomic64_t	hash;
	bool		is_recorded;
	bool		is_cut;
	u16		depth;
	u32		first;
};

/* The table; with additional entries, so that the tries don't wrap around. */
static struct kmemtrace_entry *kmemtrace_entries;
#define KMEMTRACE_ENTRIES	(KMEMTRACE_STACKS + KMEMTRACE_STACK_TRIES - 1)

/* Kept addresses, and how many there are; NULL: none are kept. */
static unsigned long *kmemtrace_kept;
static atomic_t kmemtrace_nr_kept;

static bool kmemtrace_write_stack(u32 number, const unsigned long *frames,
				  unsigned int depth, bool is_cut)
{
	const size_t size = sizeof(struct kmemtrace_stack) + depth * sizeof(u64);
	struct kmemtrace_stack *record;
	unsigned long flags;

	raw_local_irq_save(flags);
	record = marker_channel_begin(&kmemtrace_channel_cpu, size);
	if (record) {
		*record = (struct kmemtrace_stack) {
			.event_id = KMEMTRACE_EVENT_STACK,
			.event_size = size,
			.depth = depth,
			.stack = number,
			.is_cut = is_cut,
			.timestamp = kmemtrace_now(),
		};
		for (unsigned int i = 0; i < depth; i++)
			record->frames[i] = frames[i];
	}
	raw_local_irq_restore(flags);
	return record;
}

/* Keep the addresses of a new entry, if there is room. */
static void kmemtrace_keep(struct kmemtrace_entry *entry,
			   const struct kmemtrace_path *path)
{
	int first = atomic_add_return(path->depth, &kmemtrace_nr_kept) -
		    path->depth;

	if (first < 0 || first > KMEMTRACE_KEPT - KMEMTRACE_MAX_FRAMES) {
		/* No overflow, however many follow. */
		atomic_sub(path->depth, &kmemtrace_nr_kept);
		return;
	}
	memcpy(&kmemtrace_kept[first], path->frames,
	       path->depth * sizeof(*kmemtrace_kept));
	entry->first = first;
	entry->is_cut = path->is_cut;
	/* Pairs with the acquire in kmemtrace_emit_stacks(). */
	smp_store_release(&entry->depth, path->depth);
}

static noinline void kmemtrace_emit_stack(struct kmemtrace_entry *entry,
					  const struct kmemtrace_path *path,
					  bool is_new)
{
	u32 number = entry - kmemtrace_entries + 1;

	if (is_new && kmemtrace_kept)
		kmemtrace_keep(entry, path);
	if (kmemtrace_write_stack(number, path->frames, path->depth,
				  path->is_cut))
		WRITE_ONCE(entry->is_recorded, true);
}

/* Find the entry of a path, or add it. Return NULL if there is no room. */
static __always_inline struct kmemtrace_entry *
kmemtrace_find_entry(u64 hash, bool *is_new)
{
	struct kmemtrace_entry *entry =
		&kmemtrace_entries[hash >> (64 - KMEMTRACE_STACKS_SHIFT)];

	*is_new = false;
	for (unsigned int i = 0; i < KMEMTRACE_STACK_TRIES; i++, entry++) {
		u64 found = atomic64_read(&entry->hash);

		if (likely(found == hash))
			return entry;
		if (found)
			continue;
		found = atomic64_cmpxchg(&entry->hash, 0, hash);
		*is_new = !found;
		if (!found || found == hash)
			return entry;
	}
	return NULL;
}

/**
 * kmemtrace_stack - return the number of the call path of an allocation
 * @call_site: return address into the caller of the allocator
 * @frame: __builtin_frame_address(0) of the caller
 *
 * Records the path if it is new.
 *
 * Return: the number; 0 if the table has no room for it.
 */
u32 kmemtrace_stack(unsigned long call_site, unsigned long *frame)
{
	struct kmemtrace_entry *entry;
	/* The walk fills it as far as it is used. */
	struct kmemtrace_path path __uninitialized;
	bool is_new;

	kmemtrace_path_walk(&path, call_site, frame);
	entry = kmemtrace_find_entry(path.hash ?: 1, &is_new);
	if (unlikely(!entry))
		return 0;
	if (unlikely(!READ_ONCE(entry->is_recorded)))
		kmemtrace_emit_stack(entry, &path, is_new);
	return entry - kmemtrace_entries + 1;
}

/**
 * kmemtrace_emit_stacks - record all paths once more, if the table keeps them
 *
 * Context: task, may sleep.
 */
void kmemtrace_emit_stacks(void)
{
	if (!kmemtrace_kept)
		return;
	for (u32 i = 0; i < KMEMTRACE_ENTRIES; i++) {
		const struct kmemtrace_entry *entry = &kmemtrace_entries[i];
		/* Pairs with the release in kmemtrace_keep(). */
		unsigned int depth = smp_load_acquire(&entry->depth);

		if (depth)
			kmemtrace_write_stack(i + 1, &kmemtrace_kept[entry->first],
					      depth, entry->is_cut);
		cond_resched();
	}
}

/**
 * kmemtrace_begin_stacks - get an empty table
 * @keep: it keeps all addresses
 *
 * Context: task, may sleep; or the boot CPU. No CPU records.
 * Return: 0 or -errno; kmemtrace_end_stacks() frees what there is in any case.
 */
int kmemtrace_begin_stacks(bool keep)
{
	int ret = kmemtrace_path_init();

	if (ret)
		return ret;
	kmemtrace_entries = vzalloc(array_size(KMEMTRACE_ENTRIES,
					       sizeof(*kmemtrace_entries)));
	if (!kmemtrace_entries)
		return -ENOMEM;
	atomic_set(&kmemtrace_nr_kept, 0);
	if (!keep)
		return 0;
	kmemtrace_kept = vmalloc(array_size(KMEMTRACE_KEPT,
					    sizeof(*kmemtrace_kept)));
	return kmemtrace_kept ? 0 : -ENOMEM;
}

/**
 * kmemtrace_end_stacks - free the table, or a part of one
 *
 * Context: task, may sleep. No CPU records.
 */
void kmemtrace_end_stacks(void)
{
	kmemtrace_path_exit();
	vfree(kmemtrace_entries);
	vfree(kmemtrace_kept);
	kmemtrace_entries = NULL;
	kmemtrace_kept = NULL;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "stacks_test.c"
#endif
