/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of the books: what was live when the trace before this one ended.
 *
 * The traces of a chain follow each other without a gap. The first one begins with the
 * kernel's snapshot, each other one with this file, which kmemtrace-export writes from the
 * trace before. It consists of records of the ABI, in the byte order of the machine that
 * wrote it; its timestamps are nanoseconds of CLOCK_MONOTONIC:
 *
 *	CLOCK		when the trace before ended
 *	SNAPSHOT	BOOKS_TYPE_HEAD: struct books_head
 *	SNAPSHOT	BOOKS_TYPE_CPU: struct books_cpu, for each stream of the trace before
 *	CACHE		each slab cache, as KMEMTRACE_CACHE_THERE
 *	STACK		each call path
 *	CGROUP		each memory cgroup that is not released, as KMEMTRACE_CGROUP_THERE, or as
 *			KMEMTRACE_CGROUP_REMOVED if it is known when that was
 *	SNAPSHOT	BOOKS_TYPE_TASK: struct books_task, for each task that has memory
 *	SNAPSHOT	KMEMTRACE_TYPE_PAGES: struct books_pages, or without a call site
 *	SNAPSHOT	BOOKS_TYPE_OBJECT: struct kmemtrace_slab_event, a slab object
 *	SNAPSHOT	KMEMTRACE_TYPE_PERCPU, KMEMTRACE_TYPE_VMALLOC: struct kmemtrace_event
 *	REFERENCE	for each call path, what it took of a counted object, and what it dropped
 *	SNAPSHOT	KMEMTRACE_TYPE_END, if the trace before knew all that was live
 *
 * Where it is known who allocated memory, its record is longer: struct books_pages for pages, else
 * struct books_object. A reader that doesn't know that skips the tail.
 *
 * The timestamp of memory is when it was allocated, or seen for the first time.
 *
 * api/carry-write.c lists all members of what it writes: a new one is an error of the compiler
 * until a record has it. tests/books.sh compares all figures of live memory of a chain, in all
 * groups, with those of one trace of the whole time.
 */
#ifndef KMEMTRACE_BOOKSFILE_H
#define KMEMTRACE_BOOKSFILE_H

#include "linux/kmemtrace.h"

#define BOOKS_FILE	"books.out"

/* The types of records that no kernel writes. */
#define BOOKS_TYPE_OBJECT	KMEMTRACE_TYPE_KMALLOC
#define BOOKS_TYPE_TASK		252
#define BOOKS_TYPE_CPU		253
#define BOOKS_TYPE_HEAD		254

/**
 * struct books_head - the traces before
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: BOOKS_TYPE_HEAD
 * @event_size: bytes of this record
 * @zero: 0
 * @traces: how many there are
 * @lost: events that all of them lost
 * @incomplete: 1: at least one of them is INCOMPLETE for another reason
 * @sample: the last of them has one of so many slab objects below a page; 0 and 1: all
 * @zero2: 0
 * @timestamp: when the last of them ended
 */
struct books_head {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	zero;
	__u64	traces;
	__u64	lost;
	__u64	incomplete;
	__u64	sample;
	__u64	zero2;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/**
 * struct books_cpu - how far the stream of a CPU is in the books
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: BOOKS_TYPE_CPU
 * @event_size: bytes of this record
 * @cpu: number of the CPU
 * @taken: bytes of the stream before, whose records are in the books
 * @bytes: bytes of the stream before; its end may stand in this trace, too
 * @zero: 0
 * @timestamp: when the trace before ended
 */
struct books_cpu {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	cpu;
	__u64	taken;
	__u64	bytes;
	__u64	zero[3];
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

/*
 * Tasks with a smaller number are none: unknown, the softirqs, the interrupts. A number that no
 * struct books_task has is kmemtrace itself if it is this one, which older files give to a task.
 */
#define BOOKS_FIRST_TASK	3

/**
 * struct books_task - a task that has memory
 * @event_id: KMEMTRACE_EVENT_SNAPSHOT
 * @type_id: BOOKS_TYPE_TASK
 * @event_size: bytes of this record
 * @pid: as in struct kmemtrace_task
 * @task: its number in this file, BOOKS_FIRST_TASK or larger
 * @tgid: as in struct kmemtrace_task
 * @start: as in struct kmemtrace_task
 * @zero: 0
 * @timestamp: when the trace before ended
 * @comm: as in struct kmemtrace_task
 */
struct books_task {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	pid;
	__u64	task;
	__u64	tgid;
	__u64	start;
	__u64	zero[2];
	__s64	timestamp;
	char	comm[KMEMTRACE_COMM];
} __attribute__((packed, aligned(8)));

/**
 * struct books_who - who has memory
 * @stack: number of the call path, 0: unknown
 * @task: number of struct books_task, or of what is none: BOOKS_FIRST_TASK or below
 * @cgroup: number of the memory cgroup that it is charged to, 0: none
 */
struct books_who {
	__u64	stack;
	__u64	task;
	__u64	cgroup;
} __attribute__((packed, aligned(8)));

/**
 * struct books_object - an object
 * @slab: the object; @slab.cache is 0 if it is no slab object
 * @who: who has it
 */
struct books_object {
	struct kmemtrace_slab_event	slab;
	struct books_who		who;
} __attribute__((packed, aligned(8)));

/**
 * struct books_pages - neighbouring page frames of one owner
 * @pages: as in the kernel's snapshot
 * @call_site: who allocated them; 0: unknown
 * @who: who has them; may be missing
 */
struct books_pages {
	struct kmemtrace_snapshot_pages pages;
	__u64				call_site;
	struct books_who		who;
} __attribute__((packed, aligned(8)));

#endif /* KMEMTRACE_BOOKSFILE_H */
