/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libkmemtrace: read a trace of kernel memory, as kmemtraced leaves it, on any machine.
 *
 * Documentation/trace/kmemtrace-library.rst has an example. The records themselves are
 * those of <linux/kmemtrace.h>, which this neither needs nor contradicts.
 *
 * Errors are -errno, after a message where there is more to say; see
 * kmemtrace_on_message() for where that goes.
 *
 * Traces don't know of each other: each may be another thread's. Of one trace, and of
 * what came from it, several threads may call the functions that take a pointer to
 * const at the same time; while any other function runs, none.
 *
 * Strings and structures that a function returns are the library's. They live as long
 * as what they were asked of, if nothing else is said. Strings from a trace may hold
 * any byte but 0.
 *
 * Structures grow at their end. Their first member is the size that the library at hand
 * gives them: what lies behind it isn't there.
 */
#ifndef LIBKMEMTRACE_H
#define LIBKMEMTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kmemtrace_trace;
struct kmemtrace_records;
struct kmemtrace_rows;

/* ---- messages ---- */

/**
 * kmemtrace_on_message - what to do with messages
 * @say: is given each, without a newline, and @arg; NULL: print it to the standard
 *	error, behind the name of the program
 * @arg: for @say
 *
 * For the whole process; before any trace is open. Two threads may have something to
 * say at the same time.
 */
void kmemtrace_on_message(void (*say)(void *arg, const char *text), void *arg);

/**
 * kmemtrace_on_fatal - what to do when there is no memory
 * @end: is called after a message, with @arg; when it returns, the process ends with
 *	the exit status 2; NULL: it ends at once
 * @arg: for @end
 *
 * For the whole process; before any trace is open. @end may save what the program
 * has; the library can't be called any more. It may be called in any thread. The same
 * happens to a trace with more call sites and sizes than any kernel has.
 */
void kmemtrace_on_fatal(void (*end)(void *arg), void *arg);

/* ---- a trace ---- */

/**
 * kmemtrace_open - open a trace
 * @trace: result; NULL after an error
 * @path: its directory
 *
 * Reads all but the streams of the CPUs.
 *
 * Return: 0 or -errno. -ENOENT: there is no trace.
 */
int kmemtrace_open(struct kmemtrace_trace **trace, const char *path);

/**
 * kmemtrace_close - give back all that a trace took
 * @trace: the trace, or NULL; its struct kmemtrace_records and struct kmemtrace_rows
 *	have been closed
 */
void kmemtrace_close(struct kmemtrace_trace *trace);

/**
 * kmemtrace_metadata - what kmemtraced noted
 * @trace: the trace
 * @key: such as "kernel_release", "machine" or "page_size"
 *
 * Return: the value as it stands there, NULL if it doesn't.
 */
const char *kmemtrace_metadata(const struct kmemtrace_trace *trace,
			       const char *key);

/**
 * kmemtrace_set_threads - how many threads kmemtrace_read() may use
 * @trace: the trace
 * @threads: 1 to 16; 0, as before this call: as many as seem useful
 *
 * The result is the same.
 *
 * Return: 0 or -EINVAL.
 */
int kmemtrace_set_threads(struct kmemtrace_trace *trace, unsigned int threads);

/**
 * kmemtrace_set_end - go on as if the trace ended early
 * @trace: the trace, before any of its streams is read
 * @ns: nanoseconds after the first record
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_end(struct kmemtrace_trace *trace, uint64_t ns);

/**
 * kmemtrace_set_begin - count nothing that was allocated earlier
 * @trace: the trace, before kmemtrace_read()
 * @ns: nanoseconds after the first record
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_begin(struct kmemtrace_trace *trace, uint64_t ns);

/**
 * kmemtrace_set_watch - look on while kmemtrace_read() is at work
 * @trace: the trace, before kmemtrace_read()
 * @look: is told now and then how many bytes were read, and of how many, in the thread
 *	that waits; what isn't 0 ends the reading, as kmemtrace_set_end() with the time
 *	that was reached, and is a reason for kmemtrace_doubt(). NULL: nobody looks
 * @arg: for @look
 */
void kmemtrace_set_watch(struct kmemtrace_trace *trace,
			 int (*look)(void *arg, uint64_t bytes, uint64_t size),
			 void *arg);

/**
 * enum kmemtrace_filter - what an allocation may be chosen by
 * @KMEMTRACE_FILTER_SITE: a pattern that the function of its call site fits
 * @KMEMTRACE_FILTER_MODULE: the module of that, "kernel" for the kernel itself
 * @KMEMTRACE_FILTER_CACHE: a pattern that a name of its slab cache fits
 * @KMEMTRACE_FILTER_TYPE: interfaces, such as "kmalloc,pages"
 * @KMEMTRACE_FILTER_CPU: where it was made, such as "0,2-3"
 * @KMEMTRACE_FILTER_SIZE: bytes asked for, such as "100", "64-1K" or "4K-"
 *
 * As the options of kmemtrace-report.
 */
enum kmemtrace_filter {
	KMEMTRACE_FILTER_SITE	= 0,
	KMEMTRACE_FILTER_MODULE	= 1,
	KMEMTRACE_FILTER_CACHE	= 2,
	KMEMTRACE_FILTER_TYPE	= 3,
	KMEMTRACE_FILTER_CPU	= 4,
	KMEMTRACE_FILTER_SIZE	= 5,
};

/**
 * kmemtrace_set_filter - let only some allocations count
 * @trace: the trace, before kmemtrace_read()
 * @filter: by what; several must all be true
 * @text: what that has to be; NULL: anything, as before this call
 *
 * Records are not filtered, what they add up to is.
 *
 * Return: 0, -EBUSY, -ENOMEM; -EINVAL if @text makes no sense, then it may be anything.
 */
int kmemtrace_set_filter(struct kmemtrace_trace *trace,
			 enum kmemtrace_filter filter, const char *text);

/* ---- its records ---- */

/**
 * enum kmemtrace_record_id - what a record tells
 * @KMEMTRACE_RECORD_ALLOC: memory was handed out
 * @KMEMTRACE_RECORD_FREE: memory was taken back
 * @KMEMTRACE_RECORD_LOST: records are missing before this one
 * @KMEMTRACE_RECORD_CLOCK: what the clock is worth
 * @KMEMTRACE_RECORD_CACHE: a slab cache is there, was made or goes
 * @KMEMTRACE_RECORD_SNAPSHOT: what is live at that moment
 * @KMEMTRACE_RECORD_FAILED: memory was asked for and not had
 * @KMEMTRACE_RECORD_PHASE: a part of the boot begins
 *
 * As enum kmemtrace_event_id of <linux/kmemtrace.h>; later kernels have more.
 */
enum kmemtrace_record_id {
	KMEMTRACE_RECORD_ALLOC		= 1,
	KMEMTRACE_RECORD_FREE		= 2,
	KMEMTRACE_RECORD_LOST		= 4,
	KMEMTRACE_RECORD_CLOCK		= 5,
	KMEMTRACE_RECORD_CACHE		= 6,
	KMEMTRACE_RECORD_SNAPSHOT	= 7,
	KMEMTRACE_RECORD_FAILED		= 11,
	KMEMTRACE_RECORD_PHASE		= 12,
};

/**
 * enum kmemtrace_api - which interface of the kernel was called
 * @KMEMTRACE_API_KMALLOC: kmalloc(), kfree() and what is built on them
 * @KMEMTRACE_API_CACHE: kmem_cache_alloc(), kmem_cache_free()
 * @KMEMTRACE_API_PAGES: the page allocator
 * @KMEMTRACE_API_PERCPU: alloc_percpu(), free_percpu()
 * @KMEMTRACE_API_VMALLOC: vmalloc(), vfree()
 * @KMEMTRACE_API_UNKNOWN: of what lived before the trace, any
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
 * @time: nanoseconds of CLOCK_MONOTONIC, or of the kernel's local_clock(); never
 *	before that of the record before
 * @cpu: where
 * @id: enum kmemtrace_record_id
 * @api: enum kmemtrace_api
 * @node: NUMA node that was asked for, -1 for none
 * @call_site: return address into who called
 * @ptr: address of the memory; 0 of a failure
 * @bytes_req: bytes asked for; 0 of a free
 * @bytes_alloc: bytes given; of a free of pages or per-CPU memory those taken back
 * @gfp_flags: of an allocation or a failure
 * @cache: address of the slab cache, of an allocation; 0: none, or not known
 * @raw: the whole record, as <linux/kmemtrace.h> declares it, in the byte order of
 *	this machine, aligned for its structures
 * @raw_size: bytes of @raw, 56 at least
 *
 * From @api to @cache, all is 0 but of allocations, frees and failures. What others
 * tell is in @raw.
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
};

/**
 * kmemtrace_records_open - go to the beginning of a trace
 * @trace: the trace, which may be at several places at the same time
 * @records: result; NULL after an error
 *
 * Return: 0 or -errno.
 */
int kmemtrace_records_open(struct kmemtrace_trace *trace,
			   struct kmemtrace_records **records);

/**
 * kmemtrace_records_next - the next record, of any CPU, in the order of time
 * @records: where
 * @record: result, which lives until the next call; NULL without one
 *
 * The order between CPUs is as good as their clocks; records of one are never out of
 * order. What fills a stream up is skipped.
 *
 * Return: 1 with a record, 0 at the end, -errno.
 */
int kmemtrace_records_next(struct kmemtrace_records *records,
			   const struct kmemtrace_record **record);

/**
 * kmemtrace_records_close - give it back
 * @records: from kmemtrace_records_open(), or NULL
 */
void kmemtrace_records_close(struct kmemtrace_records *records);

/* ---- what they add up to ---- */

/**
 * enum kmemtrace_space - namespaces, whose bytes must never be added up
 * @KMEMTRACE_SPACE_SLAB: slab objects, and what else kmalloc() gives
 * @KMEMTRACE_SPACE_PAGES: the page allocator; all others are made of its pages
 * @KMEMTRACE_SPACE_PERCPU: alloc_percpu()
 * @KMEMTRACE_SPACE_VMALLOC: vmalloc()
 */
enum kmemtrace_space {
	KMEMTRACE_SPACE_SLAB	= 0,
	KMEMTRACE_SPACE_PAGES	= 1,
	KMEMTRACE_SPACE_PERCPU	= 2,
	KMEMTRACE_SPACE_VMALLOC	= 3,
};

/**
 * kmemtrace_read - read all records
 * @trace: the trace
 *
 * What follows below needs it.
 *
 * Return: 0, also when that was done before, or -errno.
 */
int kmemtrace_read(struct kmemtrace_trace *trace);

/**
 * struct kmemtrace_summary - a trace as a whole
 * @size: bytes of this structure
 * @events: allocations, frees and failures
 * @lost: those that are not in the trace, as far as that is known
 * @first: time of the first record
 * @last: time of the last, or that of kmemtrace_set_end()
 */
struct kmemtrace_summary {
	size_t size;
	uint64_t events;
	uint64_t lost;
	int64_t first;
	int64_t last;
};

/**
 * kmemtrace_get_summary - a trace as a whole
 * @trace: the trace
 *
 * Return: it; NULL before kmemtrace_read().
 */
const struct kmemtrace_summary *
kmemtrace_get_summary(const struct kmemtrace_trace *trace);

/**
 * kmemtrace_doubt - why a trace isn't the whole truth
 * @trace: the trace
 * @i: which reason, from 0 on
 *
 * Such as losses, and streams that are damaged. A trace without any is what
 * kmemtrace-report calls COMPLETE.
 *
 * Return: a sentence for people; NULL: there are no more, or it was not read.
 */
const char *kmemtrace_doubt(const struct kmemtrace_trace *trace, size_t i);

/**
 * struct kmemtrace_row - counters
 * @size: bytes of this structure
 * @name: of what has them in common; NULL in kmemtrace_total()
 * @key: likewise a number, see enum kmemtrace_key
 * @allocs: allocations
 * @bytes_req: bytes asked for by @allocs
 * @bytes_alloc: bytes given to @allocs; the rest of them is waste
 * @frees: of what those allocated, or of what lived before the trace; of pages, of
 *	blocks
 * @remote_frees: those of them on another CPU than the allocation
 * @live: objects, or single pages, not freed
 * @live_bytes_req: bytes asked for by @live
 * @live_bytes_alloc: bytes given to @live
 * @peak_bytes_alloc: the same when most bytes of the namespace lived
 */
struct kmemtrace_row {
	size_t size;
	const char *name;
	uint64_t key;
	uint64_t allocs;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t frees;
	uint64_t remote_frees;
	uint64_t live;
	uint64_t live_bytes_req;
	uint64_t live_bytes_alloc;
	uint64_t peak_bytes_alloc;
};

/**
 * kmemtrace_total - the sums of a namespace
 * @trace: the trace
 * @space: which namespace
 *
 * Return: the sums; NULL before kmemtrace_read(), and of no namespace.
 */
const struct kmemtrace_row *kmemtrace_total(const struct kmemtrace_trace *trace,
					    enum kmemtrace_space space);

/**
 * enum kmemtrace_key - what allocations may have in common
 * @KMEMTRACE_BY_SITE: the call site; the key is its address, the name as of
 *	kmemtrace_site_name()
 * @KMEMTRACE_BY_FUNCTION: the function of the call site, such as "f [module]"; no key
 * @KMEMTRACE_BY_MODULE: its module, or "kernel"; no key
 * @KMEMTRACE_BY_CACHE: the slab cache; the key is its address, 0 for none; one that
 *	was destroyed and another that came to its address are two
 * @KMEMTRACE_BY_SIZE: bytes given, which are key and name
 * @KMEMTRACE_BY_GFP: the flags, which are the key; UINT64_MAX where they aren't known
 */
enum kmemtrace_key {
	KMEMTRACE_BY_SITE	= 0,
	KMEMTRACE_BY_FUNCTION	= 1,
	KMEMTRACE_BY_MODULE	= 2,
	KMEMTRACE_BY_CACHE	= 3,
	KMEMTRACE_BY_SIZE	= 4,
	KMEMTRACE_BY_GFP	= 5,
};

/**
 * enum kmemtrace_order - which row comes first, the largest
 * @KMEMTRACE_LIVE: by @live_bytes_alloc
 * @KMEMTRACE_PEAK: by @peak_bytes_alloc
 * @KMEMTRACE_ALLOC: by @bytes_alloc
 * @KMEMTRACE_ALLOCS: by @allocs
 * @KMEMTRACE_WASTE: by @bytes_alloc less @bytes_req
 * @KMEMTRACE_REMOTE: by @remote_frees
 *
 * Of equal ones, the one whose name comes first, then the one whose key is less.
 */
enum kmemtrace_order {
	KMEMTRACE_LIVE		= 0,
	KMEMTRACE_PEAK		= 1,
	KMEMTRACE_ALLOC		= 2,
	KMEMTRACE_ALLOCS	= 3,
	KMEMTRACE_WASTE		= 4,
	KMEMTRACE_REMOTE	= 5,
};

/**
 * kmemtrace_aggregate - add up what has something in common
 * @trace: the trace, after kmemtrace_read()
 * @space: of this namespace
 * @key: what that is
 * @order: of the rows
 * @rows: result; NULL after an error
 *
 * Each allocation is in one row: the sums of all rows are kmemtrace_total().
 *
 * Return: 0, -ENODATA if kmemtrace_read() was not called, -EINVAL if an argument is
 *	none of the above.
 */
int kmemtrace_aggregate(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space, enum kmemtrace_key key,
			enum kmemtrace_order order,
			struct kmemtrace_rows **rows);

/**
 * kmemtrace_rows_get - a row of a list
 * @rows: the list
 * @i: number of the row, from 0 on
 *
 * Return: the row; NULL: there are no more.
 */
const struct kmemtrace_row *kmemtrace_rows_get(const struct kmemtrace_rows *rows,
					  size_t i);

/**
 * kmemtrace_rows_close - give it back
 * @rows: from kmemtrace_aggregate(), or NULL
 */
void kmemtrace_rows_close(struct kmemtrace_rows *rows);

/**
 * struct kmemtrace_object - what is live at the end
 * @size: bytes of this structure
 * @ptr: address of the object, or of a single page
 * @bytes_req: bytes asked for
 * @bytes_alloc: bytes given
 * @call_site: return address into who allocated; 0: it lived before the trace
 * @time: when it was allocated, or seen for the first time
 * @cpu: where
 * @api: enum kmemtrace_api, by which it was allocated
 * @cache: name of its slab cache, NULL if that isn't known
 */
struct kmemtrace_object {
	size_t size;
	uint64_t ptr;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t call_site;
	int64_t time;
	unsigned int cpu;
	int api;
	const char *cache;
};

/**
 * kmemtrace_each_live - go through all that is live at the end, by address
 * @trace: the trace, after kmemtrace_read()
 * @space: of this namespace
 * @each: is given each of them, which lives until @each returns, and @arg; what isn't
 *	0 ends it
 * @arg: for @each
 *
 * Of pages, those that the boot had handed out before there was a page allocator, and
 * those of kmemtrace's own buffers, are left out, as they are in kmemtrace_total().
 *
 * Return: 0, what @each returned, -ENODATA if kmemtrace_read() was not called, -EINVAL
 *	if there is no such namespace.
 */
int kmemtrace_each_live(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space,
			int (*each)(void *arg,
				    const struct kmemtrace_object *object),
			void *arg);

/* ---- names ---- */

/**
 * kmemtrace_symbol - the function of a call site
 * @trace: the trace
 * @call_site: a return address
 * @offset: result, from its beginning; may be NULL
 * @module: result, its module, NULL for the kernel itself; may be NULL
 *
 * Return: its name; NULL if that isn't known, when @module may still be.
 */
const char *kmemtrace_symbol(const struct kmemtrace_trace *trace,
			     uint64_t call_site, uint64_t *offset,
			     const char **module);

/**
 * kmemtrace_site_name - a call site as people write it
 * @trace: the trace
 * @call_site: a return address
 * @buf: result: "function+0x12 [module]" or "0xffffffff81000000", in printable ASCII
 * @size: bytes of @buf; a longer text is cut
 *
 * Return: @buf.
 */
const char *kmemtrace_site_name(const struct kmemtrace_trace *trace,
				uint64_t call_site, char *buf, size_t size);

/**
 * kmemtrace_gfp_name - what flags are called in the kernel that has them
 * @trace: the trace
 * @gfp_flags: the flags
 * @buf: result: "GFP_KERNEL|__GFP_ZERO", or a number if that kernel isn't known
 * @size: bytes of @buf; a longer text is cut
 *
 * Return: @buf.
 */
const char *kmemtrace_gfp_name(const struct kmemtrace_trace *trace,
			       uint64_t gfp_flags, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LIBKMEMTRACE_H */
