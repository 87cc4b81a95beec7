/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libkmemtrace: read a trace piece by piece. Its records are read without kmemtrace_read(); after
 * it, there are kinds of events, live objects, cells and names, of which relations are made.
 * kmemtrace.h has the rest and says what holds for all functions. <linux/kmemtrace.h> declares the
 * records; this header works with it and without it.
 */
#ifndef LIBKMEMTRACE_RECORDS_H
#define LIBKMEMTRACE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmemtrace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct kmemtrace_records;
struct kmemtrace_stream;

/* ---- the records of all CPUs ---- */

/**
 * enum kmemtrace_record_id - the kind of a record
 * @KMEMTRACE_RECORD_ALLOC: an allocation
 * @KMEMTRACE_RECORD_FREE: a free
 * @KMEMTRACE_RECORD_PAD: fills a sub-buffer; only kmemtrace_stream_next() returns it
 * @KMEMTRACE_RECORD_LOST: records are missing before this one
 * @KMEMTRACE_RECORD_CLOCK: the clock at the begin of a sub-buffer
 * @KMEMTRACE_RECORD_CACHE: a slab cache exists, is created or is destroyed
 * @KMEMTRACE_RECORD_SNAPSHOT: memory that was live when tracing began
 * @KMEMTRACE_RECORD_FAILED: a failed allocation
 * @KMEMTRACE_RECORD_PHASE: a phase of the boot begins
 * @KMEMTRACE_RECORD_MOVE: the contents of pages were moved to other pages
 * @KMEMTRACE_RECORD_STACK: what the number of a call path means
 * @KMEMTRACE_RECORD_TASK: another task runs on this CPU
 * @KMEMTRACE_RECORD_CGROUP: a memory cgroup exists, is created, removed or released
 * @KMEMTRACE_RECORD_CHARGE: memory is charged to a memory cgroup
 * @KMEMTRACE_RECORD_REFERENCE: references to a counted object are taken or dropped
 *
 * The values of enum kmemtrace_event_id in <linux/kmemtrace.h>; later kernels have more.
 */
enum kmemtrace_record_id {
	KMEMTRACE_RECORD_ALLOC		= 1,
	KMEMTRACE_RECORD_FREE		= 2,
	KMEMTRACE_RECORD_PAD		= 3,
	KMEMTRACE_RECORD_LOST		= 4,
	KMEMTRACE_RECORD_CLOCK		= 5,
	KMEMTRACE_RECORD_CACHE		= 6,
	KMEMTRACE_RECORD_SNAPSHOT	= 7,
	KMEMTRACE_RECORD_FAILED		= 11,
	KMEMTRACE_RECORD_PHASE		= 12,
	KMEMTRACE_RECORD_MOVE		= 13,
	KMEMTRACE_RECORD_STACK		= 14,
	KMEMTRACE_RECORD_TASK		= 15,
	KMEMTRACE_RECORD_CGROUP		= 16,
	KMEMTRACE_RECORD_CHARGE		= 17,
	KMEMTRACE_RECORD_REFERENCE	= 18,
};

/**
 * enum kmemtrace_api - an interface of the kernel
 * @KMEMTRACE_API_KMALLOC: kmalloc(), kfree() and functions that call them
 * @KMEMTRACE_API_CACHE: kmem_cache_alloc(), kmem_cache_free()
 * @KMEMTRACE_API_PAGES: the page allocator
 * @KMEMTRACE_API_PERCPU: alloc_percpu(), free_percpu()
 * @KMEMTRACE_API_VMALLOC: vmalloc(), vfree()
 * @KMEMTRACE_API_UNKNOWN: unknown, of memory that is older than the trace
 */
enum kmemtrace_api {
	KMEMTRACE_API_KMALLOC	= 0,
	KMEMTRACE_API_CACHE	= 1,
	KMEMTRACE_API_PAGES	= 2,
	KMEMTRACE_API_PERCPU	= 3,
	KMEMTRACE_API_VMALLOC	= 4,
	KMEMTRACE_API_UNKNOWN	= 255,
};

/**
 * struct kmemtrace_record - one record
 * @size: bytes of this structure
 * @time: nanoseconds of CLOCK_MONOTONIC, or of the kernel's local_clock();
 *	kmemtrace_records_next() never goes back in time
 * @cpu: CPU that recorded it
 * @id: enum kmemtrace_record_id
 * @api: enum kmemtrace_api
 * @node: requested NUMA node, -1 for none
 * @call_site: return address into the caller
 * @ptr: address of the memory; 0 of a failure
 * @bytes_req: requested bytes; 0 of a free
 * @bytes_alloc: allocated bytes; freed bytes of a free of pages or per-CPU memory
 * @gfp_flags: flags of an allocation or a failure
 * @cache: address of the slab cache of an allocation; 0: none, or unknown
 * @raw: the whole record as <linux/kmemtrace.h> declares it, in the byte order of this
 *	machine and aligned for its structures; a pad as it is in the file
 * @raw_size: bytes of @raw; 56 or more, but of a pad
 * @offset: where the record is in the uncompressed stream of its CPU
 *
 * @api to @cache are 0 in records other than allocations, frees and failures. @raw has
 * the fields of those.
 */
struct kmemtrace_record {
	size_t size;
	int64_t time;
	unsigned int cpu;
	int id;
	int api;
	int node;
	uint64_t call_site;
	uint64_t ptr;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t gfp_flags;
	uint64_t cache;
	const void *raw;
	size_t raw_size;
	uint64_t offset;
};

/**
 * kmemtrace_records_open - go to the begin of a trace
 * @trace: the trace; several places in it may be open at the same time
 * @records: result; NULL after an error
 *
 * Return: 0 or -errno.
 */
int kmemtrace_records_open(struct kmemtrace_trace *trace,
			   struct kmemtrace_records **records);

/**
 * kmemtrace_records_next - return the next record of all CPUs, in the order of time
 * @records: the place
 * @record: result, valid until the next call; NULL without one
 *
 * The order between CPUs is as good as their clocks. The records of one CPU keep their
 * order. Pads are skipped.
 *
 * Return: 1 with a record, 0 at the end, -errno.
 */
int kmemtrace_records_next(struct kmemtrace_records *records,
			   const struct kmemtrace_record **record);

/**
 * kmemtrace_records_close - free a place
 * @records: the place, or NULL
 */
void kmemtrace_records_close(struct kmemtrace_records *records);

/* ---- the stream of one CPU ---- */

/**
 * kmemtrace_stream_cpu - return a CPU of a trace
 * @trace: the trace
 * @i: from 0, below @nr_cpus of struct kmemtrace_machine; CPUs are sorted by number
 *
 * Return: its number, also if its stream is missing; -1: there are no more.
 */
int kmemtrace_stream_cpu(const struct kmemtrace_trace *trace, size_t i);

/**
 * kmemtrace_stream_open - open the stream of one CPU
 * @stream: result; NULL after an error
 * @trace: the trace
 * @i: as for kmemtrace_stream_cpu()
 *
 * Return: 0 or -errno. -ENOENT: the CPU has no stream.
 */
int kmemtrace_stream_open(struct kmemtrace_stream **stream,
			  struct kmemtrace_trace *trace, size_t i);

/**
 * kmemtrace_stream_open_file - open a stream without a trace
 * @stream: result; NULL after an error
 * @path: path of the file
 * @options: how; NULL: the defaults
 *
 * Return: 0 or -errno.
 */
int kmemtrace_stream_open_file(struct kmemtrace_stream **stream, const char *path,
			       const struct kmemtrace_options *options);

/**
 * kmemtrace_stream_next - return the next record of a stream, in the order of the file
 * @stream: the stream
 * @record: result, valid until the next call; NULL without one
 *
 * Return: 1 with a record, which may be a pad; 0 at the end, -errno.
 */
int kmemtrace_stream_next(struct kmemtrace_stream *stream,
			  const struct kmemtrace_record **record);

/**
 * struct kmemtrace_stream_state - a stream and the place of the next record
 * @size: bytes of this structure
 * @name: what messages call the stream
 * @cpu: its CPU; -1: the file's name has no number
 * @offset: offset of the next record in the uncompressed stream
 * @bytes: bytes of the uncompressed stream
 * @saved: bytes that kmemtraced saved; @bytes where the metadata has no number
 * @fault: enum kmemtrace_fault; why the stream ended at @offset
 * @fault_offset: where in a compressed file the fault is
 * @problem: why the stream is not of the trace, in words that follow its name; NULL: it is
 */
struct kmemtrace_stream_state {
	size_t size;
	const char *name;
	int64_t cpu;
	uint64_t offset;
	uint64_t bytes;
	uint64_t saved;
	int fault;
	uint64_t fault_offset;
	const char *problem;
};

/**
 * kmemtrace_stream_get_state - return the state of a stream
 * @stream: the stream
 *
 * Return: the state, valid until the next call on @stream.
 */
const struct kmemtrace_stream_state *
kmemtrace_stream_get_state(struct kmemtrace_stream *stream);

/**
 * kmemtrace_stream_close - close a stream
 * @stream: the stream, or NULL
 */
void kmemtrace_stream_close(struct kmemtrace_stream *stream);

/* ---- kinds of events ---- */

/**
 * enum kmemtrace_mobility - permissions of the page allocator for pages
 * @KMEMTRACE_UNMOVABLE: nothing
 * @KMEMTRACE_MOVABLE: move them
 * @KMEMTRACE_RECLAIMABLE: reclaim them
 * @KMEMTRACE_MOBILITY_UNKNOWN: unknown, or flags that no kernel allows
 */
enum kmemtrace_mobility {
	KMEMTRACE_UNMOVABLE		= 0,
	KMEMTRACE_MOVABLE		= 1,
	KMEMTRACE_RECLAIMABLE		= 2,
	KMEMTRACE_MOBILITY_UNKNOWN	= 3,
};

/**
 * struct kmemtrace_kind - properties that many events share
 * @size: bytes of this structure
 * @space: enum kmemtrace_space
 * @call_site: return address into the caller
 * @is_free: these are frees; the members below are not set
 * @is_hidden: no sum has them: they don't match a filter, or are kmemtrace's own
 * @is_older: this memory was live when tracing began
 * @bytes_alloc: bytes that each got; 0: unknown
 * @min_req: minimum of bytes that each requested; 0: unknown
 * @max_req: maximum of bytes that each requested
 * @node: requested NUMA node, -1 for none
 * @gfp_flags: flags; KMEMTRACE_UNKNOWN_GFP: unknown
 * @mobility: enum kmemtrace_mobility that they request
 * @cache: identity of the slab cache in relations; 0: none
 * @weight: for how many each stands; 1, unless the trace is a sample
 * @path: number of their call path for kmemtrace_get_path(); 0: unknown
 * @task: identity of the task in relations; 0: unknown
 * @cgroup: identity of the cgroup that they are charged to; 0: none
 * @peak_bytes: bytes of them that were live at the peak of the allocator
 *
 * Kinds of a sample may differ in nothing but the part of the sample that they are from.
 *
 * Requested sizes are known to an eighth of their power of two.
 * @is_own: kmemtrace itself allocated them
 */
struct kmemtrace_kind {
	size_t size;
	int space;
	uint64_t call_site;
	bool is_free;
	bool is_hidden;
	bool is_older;
	uint64_t bytes_alloc;
	uint64_t min_req;
	uint64_t max_req;
	int node;
	uint64_t gfp_flags;
	int mobility;
	uint32_t cache;
	unsigned int weight;
	uint32_t path;
	uint32_t task;
	uint32_t cgroup;
	uint64_t peak_bytes;
	bool is_own;
};

#define KMEMTRACE_UNKNOWN_GFP	UINT64_MAX

/**
 * kmemtrace_each_kind - call a function for each kind of event
 * @trace: the trace, after kmemtrace_read()
 * @each: the function; a value other than 0 ends the walk
 * @arg: for @each
 *
 * Return: 0, the value of @each, or -ENODATA before kmemtrace_read().
 */
int kmemtrace_each_kind(const struct kmemtrace_trace *trace,
			int (*each)(void *arg, const struct kmemtrace_kind *kind),
			void *arg);

/**
 * struct kmemtrace_call_path - a call path
 * @size: bytes of this structure
 * @number: the number that records have for it; 0: it stands for an unknown path
 * @frames: return addresses, that of the innermost caller first, which is the call site;
 *	NULL: no record says what the number means
 * @depth: number of @frames, up to 32
 * @is_cut: outer callers are missing
 */
struct kmemtrace_call_path {
	size_t size;
	uint64_t number;
	const uint64_t *frames;
	size_t depth;
	bool is_cut;
};

/**
 * kmemtrace_get_path - return a call path
 * @trace: the trace, after kmemtrace_read()
 * @i: @path of struct kmemtrace_kind; 0 stands for an unknown path
 *
 * Return: the call path; NULL: there are no more.
 */
const struct kmemtrace_call_path *kmemtrace_get_path(const struct kmemtrace_trace *trace,
						     size_t i);

/* ---- cells: memory by the steps of time of its allocation and its free ---- */

/* The end of memory that is live at the end of the trace. */
#define KMEMTRACE_NEVER	255

/**
 * struct kmemtrace_cells - the steps of kmemtrace_each_cell()
 * @size: bytes of this structure
 * @begin: time at which the first step begins: of the first record
 * @step_ns: length of each step
 * @nr_steps: number of steps, up to 128
 * @nr: number of cells, those that a filter leaves out included; while the trace is still
 *	being recorded, kmemtrace_each_cell() may find fewer
 */
struct kmemtrace_cells {
	size_t size;
	int64_t begin;
	uint64_t step_ns;
	size_t nr_steps;
	size_t nr;
};

/**
 * kmemtrace_get_cells - return the steps of the cells
 * @trace: the trace
 *
 * Return: the steps; NULL before kmemtrace_read() or without kmemtrace_set_cells().
 */
const struct kmemtrace_cells *kmemtrace_get_cells(const struct kmemtrace_trace *trace);

/**
 * struct kmemtrace_cell - memory of one kind, allocated in one step and freed in another
 * @size: bytes of this structure
 * @kind: number of its kind, from 0, in the order of kmemtrace_each_kind(). It stands for all
 *	kinds that differ in requested node, size and flags only; of pages, in the node only
 * @born: the step of the allocations; of memory older than the trace, that of its record
 * @ended: the step of the frees; KMEMTRACE_NEVER: live at the end of the trace
 * @nr: objects, or single pages
 * @bytes_req: bytes that they requested
 * @bytes_alloc: bytes that they got
 * @calls: frees of them, of pages of blocks. If @ended is KMEMTRACE_NEVER: all allocations
 *	in the step @born, also those whose memory was freed later
 *
 * Memory that is live at the end of step S has @born <= S < @ended. What was allocated from
 * the begin of step A to the end of step B, and is live then, has A <= @born, too.
 */
struct kmemtrace_cell {
	size_t size;
	uint32_t kind;
	unsigned int born;
	unsigned int ended;
	uint64_t nr;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t calls;
};

/**
 * kmemtrace_each_cell - call a function for each cell
 * @trace: the trace, after kmemtrace_read() with kmemtrace_set_cells()
 * @each: the function; a value other than 0 ends the walk
 * @arg: for @each
 *
 * There are at most a million cells and a few for each kind: steps are long enough for that.
 * While the trace is still being recorded, each call makes a sorted copy of the cells.
 *
 * Return: 0, the value of @each, or -errno. -ENODATA: cells were not counted.
 */
int kmemtrace_each_cell(const struct kmemtrace_trace *trace,
			int (*each)(void *arg, const struct kmemtrace_cell *cell),
			void *arg);

/* ---- live objects ---- */

/**
 * struct kmemtrace_object - an object that is live at the end
 * @size: bytes of this structure
 * @ptr: its address
 * @pages: of pages, how many; else 0. Pages that follow each other are one object if the
 *	members below are the same for all of them
 * @bytes_req: requested bytes
 * @bytes_alloc: allocated bytes
 * @call_site: return address into the caller; 0: older than the trace
 * @time: when it was allocated, or seen for the first time
 * @cpu: CPU of the allocation
 * @api: enum kmemtrace_api of the allocation
 * @cache: name of its slab cache; NULL: unknown
 * @kind: number of its kind, from 0, in the order of kmemtrace_each_kind()
 * @cache_number: identity of its slab cache in relations; 0: none
 * @is_older: it was live when tracing began
 * @weight: for how many objects it stands; 1, unless the trace is a sample
 * @path: number of its call path for kmemtrace_get_path(); 0: unknown
 * @task: identity of the task in relations; 0: unknown
 * @cgroup: identity of the cgroup that it is charged to; 0: none
 */
struct kmemtrace_object {
	size_t size;
	uint64_t ptr;
	uint64_t pages;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t call_site;
	int64_t time;
	unsigned int cpu;
	int api;
	const char *cache;
	uint32_t kind;
	uint32_t cache_number;
	bool is_older;
	unsigned int weight;
	uint32_t path;
	uint32_t task;
	uint32_t cgroup;
};

/**
 * kmemtrace_each_live - call a function for each live object, in the order of addresses
 * @trace: the trace, after kmemtrace_read()
 * @space: the allocator
 * @each: the function; the object is valid until it returns. A value other than 0 ends
 *	the walk
 * @arg: for @each
 *
 * A large block of pages takes no more work than a small one. Excludes pages that the boot
 * used before the page allocator was up, and those of kmemtrace's own buffers; so do relations.
 *
 * Return: 0, the value of @each, -ENODATA before kmemtrace_read(), -ENOMEM, -EINVAL if
 *	there is no such allocator.
 */
int kmemtrace_each_live(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space,
			int (*each)(void *arg,
				    const struct kmemtrace_object *object),
			void *arg);

/* ---- names ---- */

/**
 * kmemtrace_symbol - look up the function of a call site
 * @trace: the trace
 * @call_site: a return address
 * @offset: result, from the begin of the function; may be NULL
 * @module: result, its module, NULL for the kernel itself; may be NULL
 *
 * Return: its name; NULL: unknown, but @module may be known.
 */
const char *kmemtrace_symbol(const struct kmemtrace_trace *trace,
			     uint64_t call_site, uint64_t *offset,
			     const char **module);

/**
 * kmemtrace_namesake - write which of the functions of its name a call site is in
 * @trace: the trace, after kmemtrace_read()
 * @call_site: a return address
 * @buf: result: such as " (2 of 5)" in the order of addresses; "" if the kernel has one function of
 *	this name
 * @size: bytes of @buf; a longer text is cut
 *
 * Return: @buf.
 */
const char *kmemtrace_namesake(const struct kmemtrace_trace *trace, uint64_t call_site, char *buf,
			       size_t size);

/**
 * kmemtrace_match_functions - let the names of functions mean the same in two traces
 * @a: a trace, after kmemtrace_read()
 * @b: another one
 *
 * A place such as " (2 of 5)" stays where both kernels have as many functions of this name, at the
 * same distances from each other. Otherwise nothing says which function of one kernel is which of
 * the other: all of them become " (any of this name)". Relations that are open stay as they are.
 *
 * Return: 0, -ENODATA before kmemtrace_read(), -ENOMEM.
 */
int kmemtrace_match_functions(struct kmemtrace_trace *a, struct kmemtrace_trace *b);

/**
 * kmemtrace_symbol_address - look up the address of a symbol
 * @trace: the trace
 * @name: name of the symbol
 * @address: result
 *
 * Return: 0 or -ENOENT.
 */
int kmemtrace_symbol_address(const struct kmemtrace_trace *trace, const char *name,
			     uint64_t *address);

/**
 * kmemtrace_site_note - return the meaning of an address that is no call site
 * @trace: the trace, after kmemtrace_read()
 * @call_site: the address
 *
 * Return: such as "before tracing began"; NULL: it is a call site.
 */
const char *kmemtrace_site_note(const struct kmemtrace_trace *trace, uint64_t call_site);

#ifdef __cplusplus
}
#endif

#endif /* LIBKMEMTRACE_RECORDS_H */
