/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The kmemtrace stream: the contents of <debugfs>/kmemtrace/cpu<n>.
 *
 * A stream is a sequence of records in the byte order of the traced machine.
 * Documentation/ABI/testing/debugfs-kmemtrace describes it.
 *
 * All records but KMEMTRACE_EVENT_PAD begin with 56 bytes of the same widths:
 * u8, u8, u16, s32, five u64, and the timestamp as s64. More u64 or text may
 * follow. Each structure below names its fields.
 */
#ifndef _UAPI_LINUX_KMEMTRACE_H
#define _UAPI_LINUX_KMEMTRACE_H

#include <linux/types.h>

/* Incremented with each change of the stream, new ids included. */
#define KMEMTRACE_ABI_VERSION	2

/**
 * enum kmemtrace_event_id - the types of records
 * @KMEMTRACE_EVENT_NULL: illegal, never occurs in a stream
 * @KMEMTRACE_EVENT_ALLOC: memory was allocated; struct kmemtrace_event, for
 *	slab objects struct kmemtrace_slab_event
 * @KMEMTRACE_EVENT_FREE: memory was freed; struct kmemtrace_event
 * @KMEMTRACE_EVENT_PAD: nothing; struct kmemtrace_pad
 * @KMEMTRACE_EVENT_LOST: records are missing before this one; struct
 *	kmemtrace_lost
 * @KMEMTRACE_EVENT_CLOCK: begins each sub-buffer; struct kmemtrace_clock
 * @KMEMTRACE_EVENT_CACHE: a slab cache exists, was created, or is destroyed;
 *	struct kmemtrace_cache
 * @KMEMTRACE_EVENT_SNAPSHOT: the state of memory at that moment, see enum
 *	kmemtrace_type_id for the structure
 * @KMEMTRACE_EVENT_FAILED: an allocation failed; struct kmemtrace_event
 * @KMEMTRACE_EVENT_PHASE: a phase of the boot begins; struct kmemtrace_phase
 * @KMEMTRACE_EVENT_MOVE: the contents of pages were moved to other pages; struct
 *	kmemtrace_move
 * @KMEMTRACE_EVENT_STACK: what the number of a call path means; struct kmemtrace_stack
 * @KMEMTRACE_EVENT_TASK: another task runs on this CPU, or the task has another name;
 *	struct kmemtrace_task
 * @KMEMTRACE_EVENT_CGROUP: a memory cgroup exists, was created, removed or released;
 *	struct kmemtrace_cgroup
 * @KMEMTRACE_EVENT_CHARGE: memory was charged to a memory cgroup; struct kmemtrace_charge
 * @KMEMTRACE_EVENT_REFERENCE: references to an object were taken or dropped; struct
 *	kmemtrace_reference
 *
 * 8 to 10 are reserved.
 */
enum kmemtrace_event_id {
	KMEMTRACE_EVENT_NULL		= 0,
	KMEMTRACE_EVENT_ALLOC		= 1,
	KMEMTRACE_EVENT_FREE		= 2,
	KMEMTRACE_EVENT_PAD		= 3,
	KMEMTRACE_EVENT_LOST		= 4,
	KMEMTRACE_EVENT_CLOCK		= 5,
	KMEMTRACE_EVENT_CACHE		= 6,
	KMEMTRACE_EVENT_SNAPSHOT	= 7,
	KMEMTRACE_EVENT_FAILED		= 11,
	KMEMTRACE_EVENT_PHASE		= 12,
	KMEMTRACE_EVENT_MOVE		= 13,
	KMEMTRACE_EVENT_STACK		= 14,
	KMEMTRACE_EVENT_TASK		= 15,
	KMEMTRACE_EVENT_CGROUP		= 16,
	KMEMTRACE_EVENT_CHARGE		= 17,
	KMEMTRACE_EVENT_REFERENCE	= 18,
};

/**
 * enum kmemtrace_type_id - the interface that was called
 * @KMEMTRACE_TYPE_KMALLOC: kmalloc(), kfree() and their callers, such as kstrdup()
 * @KMEMTRACE_TYPE_CACHE: kmem_cache_alloc(), kmem_cache_free(); a snapshot of
 *	one slab, also of a kmalloc cache: struct kmemtrace_snapshot_slab
 * @KMEMTRACE_TYPE_PAGES: the page allocator; a snapshot of neighbouring
 *	frames: struct kmemtrace_snapshot_pages
 * @KMEMTRACE_TYPE_PERCPU: alloc_percpu(), free_percpu(); bytes are those of
 *	all possible CPUs together; snapshot: struct kmemtrace_event
 * @KMEMTRACE_TYPE_VMALLOC: vmalloc(), vfree(); snapshot: struct kmemtrace_event
 * @KMEMTRACE_TYPE_END: the last record of a snapshot; the memory that was live
 *	when tracing began is known from here on, but for that of
 *	struct kmemtrace_snapshot_end.without; struct kmemtrace_snapshot_end
 *
 * Slab objects (the first two) are matched by pointer alone. Pages, per-CPU
 * memory and vmalloc areas are matched apart from them and from each other.
 * All others lie in pages: never add their bytes to those of pages.
 */
enum kmemtrace_type_id {
	KMEMTRACE_TYPE_KMALLOC	= 0,
	KMEMTRACE_TYPE_CACHE	= 1,
	KMEMTRACE_TYPE_PAGES	= 2,
	KMEMTRACE_TYPE_PERCPU	= 3,
	KMEMTRACE_TYPE_VMALLOC	= 4,
	KMEMTRACE_TYPE_END	= 255,
};

/**
 * struct kmemtrace_event - one allocation, free or failure
 * @event_id: enum kmemtrace_event_id
 * @type_id: enum kmemtrace_type_id
 * @event_size: bytes of this record; a reader skips the tail it does not know
 * @node: NUMA node that an allocation requested, -1 if it requested none; -1 for
 *	pages, whose allocator doesn't keep it
 * @call_site: return address into the caller, 0 if a snapshot doesn't know it
 * @ptr: address of the memory, never 0; 0 for a failure
 * @bytes_req: bytes requested, never 0 for an allocation
 * @bytes_alloc: bytes allocated, never below @bytes_req; 0 for a failure
 * @gfp_flags: as the allocator used them
 * @timestamp: in units of the clock of the last struct kmemtrace_clock
 *
 * A KMEMTRACE_EVENT_FREE has zeros in @bytes_req and @gfp_flags, and -1 in @node, which has no
 * meaning in ABI version 1; its @bytes_alloc is 0 for slab objects and vmalloc areas, and the
 * bytes freed for pages and per-CPU memory.
 */
struct kmemtrace_event {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	call_site;
	__u64	ptr;
	__u64	bytes_req;
	__u64	bytes_alloc;
	__u64	gfp_flags;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_slab_event - an allocation of a slab object, 64 bytes
 * @event: the fields of all events; @event.type_id is kmalloc or cache
 * @cache: address of the slab cache, as in struct kmemtrace_cache; 0 for a
 *	kmalloc() that is too large for a cache
 */
struct kmemtrace_slab_event {
	struct kmemtrace_event	event;
	__u64			cache;
} __attribute__((packed, aligned(8)));

/* struct kmemtrace_who_event.who: the number of the call path; the context. */
#define KMEMTRACE_WHO_STACK		0xffffffffULL
#define KMEMTRACE_WHO_CONTEXT_SHIFT	32
#define KMEMTRACE_WHO_CONTEXT		(0xffULL << KMEMTRACE_WHO_CONTEXT_SHIFT)

/**
 * enum kmemtrace_context - what a CPU executes
 * @KMEMTRACE_CONTEXT_TASK: the code of a task, see the last struct kmemtrace_task
 * @KMEMTRACE_CONTEXT_SOFTIRQ: a softirq
 * @KMEMTRACE_CONTEXT_HARDIRQ: an interrupt
 * @KMEMTRACE_CONTEXT_OWN: the code of a task for which kmemtrace_is_own_name() is true; see
 *	the last struct kmemtrace_task as well
 */
enum kmemtrace_context {
	KMEMTRACE_CONTEXT_TASK		= 0,
	KMEMTRACE_CONTEXT_SOFTIRQ	= 1,
	KMEMTRACE_CONTEXT_HARDIRQ	= 2,
	KMEMTRACE_CONTEXT_OWN		= 3,
};

/**
 * kmemtrace_is_own_name - return whether a task is one of kmemtrace itself, by its name
 * @comm: its name: kmemtraced, or kmemtrace-export and the like
 *
 * Return: 1 if it is, else 0.
 */
static inline int kmemtrace_is_own_name(const char *comm)
{
	return !__builtin_memcmp(comm, "kmemtrace", 9) &&
	       (comm[9] == '-' || (comm[9] == 'd' && !comm[10]));
}

/**
 * struct kmemtrace_who_event - an allocation or a failure, and who caused it, 72 bytes
 * @slab: the fields of all events; the cache is 0 if it is no slab object, or a failure
 * @who: the number of struct kmemtrace_stack, 0 if the path was not recorded; and enum
 *	kmemtrace_context
 *
 * If kmemtrace.with has "stack" or "task", all allocations and all failures are recorded
 * like this; else those of KMEMTRACE_CONTEXT_OWN alone.
 */
struct kmemtrace_who_event {
	struct kmemtrace_slab_event	slab;
	__u64				who;
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_pad - fills the rest of a sub-buffer, or of a page in it
 * @event_id: KMEMTRACE_EVENT_PAD
 * @zero: 0
 * @event_size: bytes, from 8 to 4096, a multiple of 8; all that follow are 0
 * @zero2: 0
 */
struct kmemtrace_pad {
	__u8	event_id;
	__u8	zero;
	__u16	event_size;
	__u32	zero2;
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_lost - records that this CPU has lost
 * @event_id: KMEMTRACE_EVENT_LOST
 * @zero: 0
 * @event_size: bytes of this record
 * @cpu: CPU of this stream
 * @records: number of lost records since the last KMEMTRACE_EVENT_LOST
 * @bytes: size of the lost records
 * @nested: number of @records that were lost in NMIs, where nothing is recorded; at
 *	any time since the last KMEMTRACE_EVENT_CLOCK
 * @since: CLOCK_MONOTONIC of the first record that was lost for lack of room, 0 if
 *	none was
 * @zero2: 0
 * @timestamp: time when there was room again
 */
struct kmemtrace_lost {
	__u8	event_id;
	__u8	zero;
	__u16	event_size;
	__s32	cpu;
	__u64	records;
	__u64	bytes;
	__u64	nested;
	__u64	since;
	__u64	zero2;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/**
 * enum kmemtrace_clock_id - the units of timestamps
 * @KMEMTRACE_CLOCK_LOCAL: nanoseconds of the kernel's local_clock()
 * @KMEMTRACE_CLOCK_CYCLES: cycles of one counter for all CPUs; each struct
 *	kmemtrace_clock has a pair of these and of CLOCK_MONOTONIC
 */
enum kmemtrace_clock_id {
	KMEMTRACE_CLOCK_LOCAL	= 0,
	KMEMTRACE_CLOCK_CYCLES	= 1,
};

/**
 * struct kmemtrace_clock - begins each sub-buffer
 * @event_id: KMEMTRACE_EVENT_CLOCK
 * @clock: enum kmemtrace_clock_id, of all timestamps of this sub-buffer; never cycles
 *	again once the kernel has found them unstable, or the system was suspended
 * @event_size: bytes of this record
 * @cpu: CPU of this stream
 * @monotonic: CLOCK_MONOTONIC in nanoseconds, at @timestamp
 * @sequence: number of this sub-buffer in the CPU's stream, from 0 on each time that
 *	tracing is switched on. A missing number was lost on its way to the reader.
 *	A trace may begin with another number if another process read before
 * @uncertainty: nanoseconds by which timestamps of two CPUs may be in the wrong
 *	order, as far as the kernel knows
 * @frequency: cycles per second, as known at @timestamp; 0 if unknown, or if @clock
 *	counts nanoseconds
 * @error: nanoseconds by which @monotonic may be wrong for @timestamp; a tick, early
 *	in the boot
 * @timestamp: time of this record
 */
struct kmemtrace_clock {
	__u8	event_id;
	__u8	clock;
	__u16	event_size;
	__s32	cpu;
	__u64	monotonic;
	__u64	sequence;
	__u64	uncertainty;
	__u64	frequency;
	__u64	error;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/**
 * enum kmemtrace_cache_op - the reason of a struct kmemtrace_cache
 * @KMEMTRACE_CACHE_THERE: it existed when tracing began; events of its objects may
 *	precede this record
 * @KMEMTRACE_CACHE_CREATED: kmem_cache_create(); if a cache with this address
 *	exists, the new one was merged with it
 * @KMEMTRACE_CACHE_DESTROYED: kmem_cache_destroy() by its last user
 */
enum kmemtrace_cache_op {
	KMEMTRACE_CACHE_THERE		= 0,
	KMEMTRACE_CACHE_CREATED		= 1,
	KMEMTRACE_CACHE_DESTROYED	= 2,
};

/**
 * struct kmemtrace_cache - a slab cache
 * @event_id: KMEMTRACE_EVENT_CACHE
 * @op: enum kmemtrace_cache_op
 * @event_size: bytes of this record: 72 and more
 * @users: number of kmem_cache_create() calls that share it, this one included
 * @call_site: the caller that creates or destroys it, else 0
 * @cache: its address, by which other records name it
 * @object_size: bytes of an object as requested
 * @size: bytes that an object takes
 * @flags: SLAB_* of the kernel
 * @timestamp: time of this record
 * @align: bytes
 * @name: as given to kmem_cache_create(), ended and padded by zeros to a multiple of
 *	8 bytes; truncated if it is very long
 */
struct kmemtrace_cache {
	__u8	event_id;
	__u8	op;
	__u16	event_size;
	__s32	users;
	__u64	call_site;
	__u64	cache;
	__u64	object_size;
	__u64	size;
	__u64	flags;
	__s64	timestamp;
	__u64	align;
	char	name[];
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_snapshot_slab - objects of one slab, all or a part
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: KMEMTRACE_TYPE_CACHE
 * @event_size: bytes of this record, those of @live included
 * @node: NUMA node of the slab
 * @cache: address of the slab cache
 * @ptr: address of the first object
 * @object_size: bytes of an object as requested
 * @size: bytes from one object to the next
 * @objects: number of objects
 * @timestamp: time of this record
 * @live: one bit for each object, the lowest of the first word for the first object;
 *	1: it is live. As many words as @objects need
 */
struct kmemtrace_snapshot_slab {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	cache;
	__u64	ptr;
	__u64	object_size;
	__u64	size;
	__u64	objects;
	__s64	timestamp;
	__u64	live[];
} __attribute__((packed, aligned(8)));

/**
 * enum kmemtrace_frames - the state of page frames
 * @KMEMTRACE_FRAMES_LIVE: allocated from the page allocator
 * @KMEMTRACE_FRAMES_FREE: free in the page allocator
 * @KMEMTRACE_FRAMES_RESERVED: not in the page allocator, but may be freed to it later:
 *	the kernel's image, memory allocated before the page allocator was up,
 *	memory that is hotplugged later; hot-removed memory
 * @KMEMTRACE_FRAMES_OWN: allocated for a buffer of kmemtrace; recorded before all
 *	other frames, and once more among them; if a CPU comes up later, right after
 *	the last allocation for its buffer
 */
enum kmemtrace_frames {
	KMEMTRACE_FRAMES_LIVE		= 1,
	KMEMTRACE_FRAMES_FREE		= 2,
	KMEMTRACE_FRAMES_RESERVED	= 3,
	KMEMTRACE_FRAMES_OWN		= 4,
};

/**
 * struct kmemtrace_snapshot_pages - neighbouring page frames
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: KMEMTRACE_TYPE_PAGES
 * @event_size: bytes of this record
 * @node: NUMA node of the frames
 * @state: enum kmemtrace_frames
 * @ptr: address of the first, as in struct kmemtrace_event
 * @found: 1: the snapshot found them in this state, and an event beside it decides; 0: they
 *	are in this state from now on, whatever was recorded before
 * @bytes: a multiple of the page size
 * @zero2: 0
 * @timestamp: time of this record
 */
struct kmemtrace_snapshot_pages {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	state;
	__u64	ptr;
	__u64	found;
	__u64	bytes;
	__u64	zero2;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_snapshot_end - the snapshot is complete
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: KMEMTRACE_TYPE_END
 * @event_size: bytes of this record
 * @cpu: CPU of this stream
 * @unsure: slabs that could not be recorded because a task was changing them; their
 *	objects are not in the snapshot
 * @unlisted: slabs that could not be recorded because the allocator, SLOB, can't list
 *	its objects
 * @without: bits of enum kmemtrace_type_id; the snapshot has no memory of these types, so
 *	that nothing is known of it
 * @stop_ns: the longest time for which all CPUs stood still, in nanoseconds; 0 during boot
 * @begin_ns: CLOCK_MONOTONIC when the snapshot began
 * @timestamp: time of this record
 */
struct kmemtrace_snapshot_end {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	cpu;
	__u64	unsure;
	__u64	unlisted;
	__u64	without;
	__u64	stop_ns;
	__u64	begin_ns;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/* The largest N of a sample of one in N slab objects. */
#define KMEMTRACE_MAX_SAMPLE	65536U

/**
 * kmemtrace_hash - return the hash of an address, for a sample of objects
 * @ptr: address of an object, as in struct kmemtrace_event
 *
 * Neighbours have unlike hashes: no bit depends on the low bits of @ptr alone.
 *
 * Return: the hash.
 */
static inline __u64 kmemtrace_hash(__u64 ptr)
{
	__u64 hash = ptr * 0x9e3779b97f4a7c15ULL;

	hash ^= hash >> 32;
	return hash * 0xd6e8feb86659fd93ULL;
}

/**
 * kmemtrace_in_sample - return whether a slab object is in a sample
 * @ptr: its address
 * @one_of: a power of two up to KMEMTRACE_MAX_SAMPLE: the sample has one of so many objects
 *
 * The address alone decides, so that the allocation and the free agree. A trace that is a
 * sample, whose metadata has "sample: <one_of>", has the events of these slab objects, of
 * those that take a page or more, and all of pages, per-CPU memory and vmalloc areas. Its
 * snapshot has all objects.
 *
 * Return: 1 if it is in the sample, else 0.
 */
static inline int kmemtrace_in_sample(__u64 ptr, unsigned int one_of)
{
	return !(kmemtrace_hash(ptr) >> 48 & (one_of - 1));
}

/**
 * enum kmemtrace_phase_id - the phases of the boot, in the order of time
 * @KMEMTRACE_PHASE_ARMED: tracing begins, as soon as the allocators are up; the first
 *	record after the CLOCK record
 * @KMEMTRACE_PHASE_SMP: all CPUs that the boot brings up are running
 * @KMEMTRACE_PHASE_INITCALLS: the initcalls of all built-in code are done
 * @KMEMTRACE_PHASE_FREED: the memory of init functions and data was freed
 * @KMEMTRACE_PHASE_INIT: init is about to be run
 */
enum kmemtrace_phase_id {
	KMEMTRACE_PHASE_ARMED		= 1,
	KMEMTRACE_PHASE_SMP		= 2,
	KMEMTRACE_PHASE_INITCALLS	= 3,
	KMEMTRACE_PHASE_FREED		= 4,
	KMEMTRACE_PHASE_INIT		= 5,
};

/**
 * struct kmemtrace_phase - a phase of the boot begins
 * @event_id: KMEMTRACE_EVENT_PHASE
 * @phase: enum kmemtrace_phase_id
 * @event_size: bytes of this record
 * @cpu: CPU of this stream
 * @zero: 0
 * @timestamp: time of this record
 */
struct kmemtrace_phase {
	__u8	event_id;
	__u8	phase;
	__u16	event_size;
	__s32	cpu;
	__u64	zero[5];
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/* One struct kmemtrace_move has no more pages; a larger block has several. */
#define KMEMTRACE_MOVE_MAX_PAGES	1024

/**
 * struct kmemtrace_move - the contents of pages were moved to other pages
 * @event_id: KMEMTRACE_EVENT_MOVE
 * @type_id: KMEMTRACE_TYPE_PAGES
 * @event_size: bytes of this record
 * @node: -1
 * @zero: 0
 * @ptr: address of the first page that has the contents now
 * @old: address of the first page that had them
 * @bytes: a multiple of the page size
 * @zero2: 0
 * @timestamp: now
 *
 * Compaction, NUMA balancing and others allocate pages, move the contents of pages in
 * use there, and free those. The allocation of the pages at @old lives on at @ptr: a
 * reader swaps the allocations of the two, so that the free of @old that follows ends
 * the allocation by which the pages at @ptr were obtained.
 */
struct kmemtrace_move {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	zero;
	__u64	ptr;
	__u64	old;
	__u64	bytes;
	__u64	zero2;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/* The largest number of return addresses of a struct kmemtrace_stack. */
#define KMEMTRACE_MAX_FRAMES	32

/**
 * struct kmemtrace_stack - what the number of a call path means
 * @event_id: KMEMTRACE_EVENT_STACK
 * @zero: 0
 * @event_size: bytes of this record, those of @frames included
 * @depth: number of @frames, from 1 to KMEMTRACE_MAX_FRAMES
 * @stack: the number, not 0; it means the same until tracing is switched on again
 * @is_cut: 1: outer callers are missing, as there are too many, or the stack could not be
 *	walked to its end; else 0
 * @zero2: 0
 * @timestamp: time of this record
 * @frames: return addresses, that of the innermost caller first: the call site of the event
 *
 * The path of an allocation in an interrupt or a softirq ends where that begins: it does not have
 * what was interrupted.
 *
 * It comes once in the stream of any CPU, close to the first event with this number, or again.
 * If records are overwritten, all paths that the kernel could keep come once more at the end.
 */
struct kmemtrace_stack {
	__u8	event_id;
	__u8	zero;
	__u16	event_size;
	__s32	depth;
	__u64	stack;
	__u64	is_cut;
	__u64	zero2[3];
	__s64	timestamp;
	__u64	frames[];
} __attribute__((packed, aligned(8)));

/* Bytes of the name of a task, the 0 at its end included. */
#define KMEMTRACE_COMM		16

/**
 * struct kmemtrace_task - another task runs on this CPU, or the task has another name
 * @event_id: KMEMTRACE_EVENT_TASK
 * @zero: 0
 * @event_size: bytes of this record
 * @pid: the task; 0: the idle task of the CPU
 * @tgid: the process
 * @start: CLOCK_MONOTONIC when the task was created, in nanoseconds: a number may be used
 *	again
 * @zero2: 0
 * @timestamp: time of this record
 * @comm: its name, ended and filled up by zeros
 *
 * It holds for the events that follow in the stream of this CPU. Each sub-buffer has one
 * among the records that begin it.
 */
struct kmemtrace_task {
	__u8	event_id;
	__u8	zero;
	__u16	event_size;
	__s32	pid;
	__u64	tgid;
	__u64	start;
	__u64	zero2[3];
	__s64	timestamp;
	char	comm[KMEMTRACE_COMM];
} __attribute__((packed, aligned(8)));

/**
 * enum kmemtrace_cgroup_op - the reason of a struct kmemtrace_cgroup
 * @KMEMTRACE_CGROUP_THERE: it existed when tracing began; events may precede this record
 * @KMEMTRACE_CGROUP_CREATED: it was created
 * @KMEMTRACE_CGROUP_REMOVED: it was removed, or its memory controller was switched off. The
 *	kernel moves the charges of slab objects, per-CPU memory and the kernel's own pages to the
 *	cgroup above, and since Linux 7 all charges, without a record. Other memory keeps it
 * @KMEMTRACE_CGROUP_RELEASED: nothing keeps it any more
 */
enum kmemtrace_cgroup_op {
	KMEMTRACE_CGROUP_THERE		= 0,
	KMEMTRACE_CGROUP_CREATED	= 1,
	KMEMTRACE_CGROUP_REMOVED	= 2,
	KMEMTRACE_CGROUP_RELEASED	= 3,
};

/**
 * struct kmemtrace_cgroup - a memory cgroup
 * @event_id: KMEMTRACE_EVENT_CGROUP
 * @op: enum kmemtrace_cgroup_op
 * @event_size: bytes of this record
 * @is_removed: 1: it was removed, also before tracing began; else 0
 * @cgroup: its number, never 0 and never used again: if the memory controller is switched off
 *	and on, the same folder has a new one
 * @parent: the number of the cgroup above it; 0: it is the root
 * @zero: 0
 * @timestamp: time of this record
 * @path: from the root of all cgroups on, ended and padded by zeros to a multiple of 8 bytes;
 *	truncated if it is very long
 */
struct kmemtrace_cgroup {
	__u8	event_id;
	__u8	op;
	__u16	event_size;
	__s32	is_removed;
	__u64	cgroup;
	__u64	parent;
	__u64	zero[3];
	__s64	timestamp;
	char	path[];
} __attribute__((packed, aligned(8)));

/**
 * struct kmemtrace_charge - memory was charged to a memory cgroup
 * @event_id: KMEMTRACE_EVENT_CHARGE
 * @type_id: enum kmemtrace_type_id
 * @event_size: bytes of this record
 * @node: -1
 * @cgroup: number of struct kmemtrace_cgroup
 * @ptr: address of the memory, as in the struct kmemtrace_event of its allocation
 * @zero: 0
 * @bytes: pages: as many, which may be a part of an allocation; else 0: all of it
 * @zero2: 0
 * @timestamp: now
 *
 * The memory is live. Its allocation may be recorded shortly after, and on another CPU. It is
 * the cgroup's until it is freed, or charged to another one; but see
 * KMEMTRACE_CGROUP_REMOVED.
 */
struct kmemtrace_charge {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	cgroup;
	__u64	ptr;
	__u64	zero;
	__u64	bytes;
	__u64	zero2;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/* Bytes of the name of a kind of counted objects, the 0 at its end included. */
#define KMEMTRACE_REF_KIND		16

/* struct kmemtrace_reference.count: the references are not known. */
#define KMEMTRACE_REF_UNKNOWN		0xffffffffffffffffULL

/**
 * struct kmemtrace_reference - references to an object were taken or dropped
 * @event_id: KMEMTRACE_EVENT_REFERENCE
 * @zero: 0
 * @event_size: bytes of this record
 * @change: how many references were taken; negative: dropped
 * @call_site: return address into the function that did it
 * @object: address of the object, of a page as in struct kmemtrace_event
 * @count: references that there were then, or KMEMTRACE_REF_UNKNOWN. @change: the object is new.
 *	0: there is none any more. Other numbers may be old: other CPUs change them meanwhile
 * @who: as in struct kmemtrace_who_event
 * @zero2: 0
 * @timestamp: time of this record
 * @kind: name of the kind of the object, ended and filled up by zeros
 *
 * kmemtrace.with chooses the kinds.
 */
struct kmemtrace_reference {
	__u8	event_id;
	__u8	zero;
	__u16	event_size;
	__s32	change;
	__u64	call_site;
	__u64	object;
	__u64	count;
	__u64	who;
	__u64	zero2;
	__s64	timestamp;
	char	kind[KMEMTRACE_REF_KIND];
} __attribute__((packed, aligned(8)));

#endif /* _UAPI_LINUX_KMEMTRACE_H */
