/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libkmemtrace: read a trace of kernel memory, as kmemtraced saves it, on any machine.
 *
 * Open a trace, choose a part of it, read it, and open its relations: whatever the library knows,
 * as tables. Documentation/trace/kmemtrace-library.rst has an example. kmemtrace-records.h reads
 * single records.
 *
 * Functions return -errno after an error. The library never ends the process and has no
 * state outside of its structures. An error that makes a trace unusable stays:
 * kmemtrace_error() returns it.
 *
 * Threads may use different traces at the same time. Several threads may share a trace
 * while they call only functions that take a pointer to const.
 *
 * Strings and structures that a function returns belong to the library. They are valid as
 * long as the object that was passed to the function, unless it says otherwise. A string
 * from a trace may contain any byte but 0.
 *
 * Structures may get more members at their end. The first member is the size of the
 * structure: the library sets it in structures that it returns, the program in structures
 * that it passes.
 *
 * Times are nanoseconds: of CLOCK_MONOTONIC in an int64_t, a duration in an uint64_t.
 */
#ifndef LIBKMEMTRACE_H
#define LIBKMEMTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kmemtrace_trace;

/* ---- open a trace ---- */

/**
 * enum kmemtrace_stage - the current work of the library
 * @KMEMTRACE_OPENING: it reads names, metadata and clocks
 * @KMEMTRACE_RECEIVING: it reads the input of kmemtrace_open_stream()
 * @KMEMTRACE_READING: kmemtrace_read() reads the records
 */
enum kmemtrace_stage {
	KMEMTRACE_OPENING	= 0,
	KMEMTRACE_RECEIVING	= 1,
	KMEMTRACE_READING	= 2,
};

/**
 * struct kmemtrace_progress - the progress of the library
 * @size: bytes of this structure
 * @stage: enum kmemtrace_stage
 * @bytes: bytes that were read in this stage; 0 while opening
 * @total: bytes to be read; 0: unknown
 * @events: allocations, frees and failures that were read
 */
struct kmemtrace_progress {
	size_t size;
	int stage;
	uint64_t bytes;
	uint64_t total;
	uint64_t events;
};

/**
 * struct kmemtrace_options - how to open a trace; zeros are the defaults
 * @size: bytes of this structure; if it is not set, functions return -EINVAL
 * @name: what messages call the trace; NULL: its path
 * @say: receives each message, without a newline; NULL: messages go to the standard error.
 *	A message has visible characters only: a name in it can't control a terminal. Several
 *	threads may call it at the same time
 * @watch: called now and then during long work, by the thread that called the library. A
 *	value other than 0 ends the work: while opening, the function returns -EINTR; while
 *	receiving or reading, the trace ends where the work ended, and kmemtrace_doubt()
 *	says so. NULL: nothing ends it
 * @arg: for @say and @watch
 * @once: kmemtrace_open_stream() returns before the end of the stream, and kmemtrace_read() reads
 *	the trace while it arrives. Functions that return records return errors then
 */
struct kmemtrace_options {
	size_t size;
	const char *name;
	void (*say)(void *arg, const char *text);
	int (*watch)(void *arg, const struct kmemtrace_progress *progress);
	void *arg;
	bool once;
};

/**
 * kmemtrace_open - open the trace in a directory
 * @trace: result; NULL after an error
 * @path: path of the directory
 * @options: how; NULL: the defaults
 *
 * Reads everything but the streams of the CPUs.
 *
 * Return: 0 or -errno. -ENOENT: the directory contains no trace.
 */
int kmemtrace_open(struct kmemtrace_trace **trace, const char *path,
		   const struct kmemtrace_options *options);

/**
 * kmemtrace_open_fd - open the trace in a directory that is open
 * @trace: result; NULL after an error
 * @dir: descriptor of the directory; the caller may close it afterwards
 * @options: how; NULL: the defaults
 *
 * Return: 0 or -errno. -ENOENT: the directory contains no trace.
 */
int kmemtrace_open_fd(struct kmemtrace_trace **trace, int dir,
		      const struct kmemtrace_options *options);

/**
 * kmemtrace_open_stream - open a trace that comes as a stream
 * @trace: result; NULL after an error
 * @in: the stream, as "kmemtraced -o -" writes it; read to its end. With @once of @options, it
 *	must stay until kmemtrace_read() returns
 * @options: how; NULL: the defaults
 *
 * Keeps the trace in memory; what exceeds 64 MB goes to a file without a name in $TMPDIR or
 * /var/tmp.
 *
 * Return: 0 or -errno. -ENOENT: the stream contains no trace.
 */
int kmemtrace_open_stream(struct kmemtrace_trace **trace, FILE *in,
			  const struct kmemtrace_options *options);

/* ---- a trace that is still being recorded ---- */

/**
 * kmemtrace_open_live - begin a trace whose stream is still being written
 * @trace: result; NULL after an error
 * @options: how; NULL: the defaults. @watch is not called
 *
 * Pass on the stream with kmemtrace_feed(), and call kmemtrace_update() now and then. The
 * stream is not stored: kmemtrace_read(), kmemtrace_set_end() and the like, and functions
 * that return records return errors.
 *
 * Return: 0 or -errno.
 */
int kmemtrace_open_live(struct kmemtrace_trace **trace,
			const struct kmemtrace_options *options);

/**
 * kmemtrace_feed - take bytes of the stream
 * @trace: the trace of kmemtrace_open_live()
 * @bytes: the bytes that follow those of the last call, cut anywhere
 * @size: how many
 *
 * Return: 0 or -errno. -EFBIG: kmemtrace_update() was not called for too long.
 */
int kmemtrace_feed(struct kmemtrace_trace *trace, const void *bytes, size_t size);

/**
 * kmemtrace_feed_end - end the stream
 * @trace: the trace of kmemtrace_open_live()
 *
 * Return: 0 or -errno.
 */
int kmemtrace_feed_end(struct kmemtrace_trace *trace);

/**
 * kmemtrace_update - read what has arrived
 * @trace: the trace of kmemtrace_open_live()
 *
 * Reads the records up to the time that all CPUs have reached. All functions that need
 * kmemtrace_read() describe the trace up to that time, and all of it once its stream has
 * ended. Whatever they returned before is invalid.
 *
 * Return: 1; 0: there are no counters yet; -errno. -ENOENT: the stream ended and contains
 *	no trace.
 */
int kmemtrace_update(struct kmemtrace_trace *trace);

/**
 * struct kmemtrace_live - the state of a trace that is still being recorded
 * @size: bytes of this structure
 * @received: bytes of the stream that arrived
 * @waiting: bytes that arrived and wait for those of other CPUs
 * @waits_for: the CPU they wait for; -1: none
 * @was_forced: some CPUs were so late that the others did not wait for them: their records
 *	have wrong times
 * @is_over: the stream has ended
 * @is_cut: it ended before the trace did
 */
struct kmemtrace_live {
	size_t size;
	uint64_t received;
	uint64_t waiting;
	int waits_for;
	bool was_forced;
	bool is_over;
	bool is_cut;
};

/**
 * kmemtrace_get_live - return the state of a trace that is still being recorded
 * @trace: the trace of kmemtrace_open_live()
 *
 * Return: the state at the last kmemtrace_update(); NULL: it is another trace.
 */
const struct kmemtrace_live *kmemtrace_get_live(const struct kmemtrace_trace *trace);

/**
 * kmemtrace_close - free a trace
 * @trace: the trace, or NULL; close its struct kmemtrace_records, struct kmemtrace_stream
 *	and struct kmemtrace_relation first
 */
void kmemtrace_close(struct kmemtrace_trace *trace);

/**
 * kmemtrace_error - check whether a trace is unusable
 * @trace: the trace
 *
 * Return: 0, or the first error that made it unusable as -errno.
 */
int kmemtrace_error(const struct kmemtrace_trace *trace);

/**
 * struct kmemtrace_machine - the machine that was traced
 * @size: bytes of this structure
 * @name: what messages call the trace
 * @byte_order: "little", "big" or "unknown"
 * @word_bits: 32 or 64; 0: unknown
 * @abi: version of <linux/kmemtrace.h>; 0: there is no metadata
 * @page_size: bytes; 4096 without metadata
 * @is_cut: the stream of kmemtrace_open_stream() ended before the trace did
 * @has_books: it has the file "books.out" of kmemtrace_write_books()
 * @sample: the trace has one of so many slab objects below the size of a page; 1: all of them
 * @nr_cpus: CPUs of the trace; 0: it has the kernel's counters, but no events
 * @lacks: names of files that were saved with the trace and are missing; NULL: none is
 */
struct kmemtrace_machine {
	size_t size;
	const char *name;
	const char *byte_order;
	unsigned int word_bits;
	unsigned int abi;
	uint64_t page_size;
	bool is_cut;
	bool has_books;
	unsigned int sample;
	size_t nr_cpus;
	const char *lacks;
};

/**
 * kmemtrace_get_machine - return the traced machine
 * @trace: the trace
 *
 * Return: the machine.
 */
const struct kmemtrace_machine *
kmemtrace_get_machine(const struct kmemtrace_trace *trace);

/**
 * kmemtrace_metadata - look up a line of the metadata
 * @trace: the trace
 * @key: such as "kernel_release", "machine" or "page_size"
 *
 * Return: the value; NULL: the metadata has no such key.
 */
const char *kmemtrace_metadata(const struct kmemtrace_trace *trace,
			       const char *key);

/**
 * enum kmemtrace_fault - why a stream ended before its file
 * @KMEMTRACE_FAULT_NONE: it did not
 * @KMEMTRACE_FAULT_TRUNCATED: the rest is shorter than a record
 * @KMEMTRACE_FAULT_SIZE: a record has an impossible size
 * @KMEMTRACE_FAULT_CUT: the compressed file is not whole
 * @KMEMTRACE_FAULT_DAMAGED: the compressed file is damaged
 */
enum kmemtrace_fault {
	KMEMTRACE_FAULT_NONE		= 0,
	KMEMTRACE_FAULT_TRUNCATED	= 1,
	KMEMTRACE_FAULT_SIZE		= 2,
	KMEMTRACE_FAULT_CUT		= 3,
	KMEMTRACE_FAULT_DAMAGED		= 4,
};

/* ---- choose a part of it ---- */

#define KMEMTRACE_MAX_THREADS	16

/**
 * kmemtrace_set_threads - set how many threads kmemtrace_read() uses
 * @trace: the trace
 * @threads: 1 to KMEMTRACE_MAX_THREADS; 0, the default: as many as are useful
 *
 * The result is the same.
 *
 * Return: 0 or -EINVAL.
 */
int kmemtrace_set_threads(struct kmemtrace_trace *trace, unsigned int threads);

/**
 * kmemtrace_set_end - treat the trace as if it ended early
 * @trace: the trace, before any of its streams is read
 * @ns: nanoseconds after the first record
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_end(struct kmemtrace_trace *trace, uint64_t ns);

/**
 * kmemtrace_set_begin - count no earlier allocation
 * @trace: the trace, before kmemtrace_read()
 * @ns: nanoseconds after the first record
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_begin(struct kmemtrace_trace *trace, uint64_t ns);

/**
 * kmemtrace_set_cells - count cells, for the relation cells
 * @trace: the trace, before kmemtrace_read() or the first kmemtrace_update()
 * @wanted: whether to count them, false by default; these functions take longer then
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_cells(struct kmemtrace_trace *trace, bool wanted);

/**
 * kmemtrace_set_address - choose an address
 * @trace: the trace, stored or received as a whole
 * @address: as the kernel knows it: of the linear map, of a vmalloc area, or a per-CPU pointer
 *
 * The relations events_at and objects_at have the memory at this address then, and nothing before.
 * Opening events_at reads the records once more: no other thread may use the trace then.
 */
void kmemtrace_set_address(struct kmemtrace_trace *trace, uint64_t address);

/**
 * kmemtrace_set_own - count what kmemtrace itself allocated
 * @trace: the trace, before kmemtrace_read() or the first kmemtrace_update()
 * @wanted: whether to count it, false by default
 *
 * It is what the recorder marked, or else what tasks allocated that have such names as kmemtraced.
 * The relation own has it in any case, as far as it matches filters.
 *
 * Return: 0 or -EBUSY.
 */
int kmemtrace_set_own(struct kmemtrace_trace *trace, bool wanted);

/**
 * enum kmemtrace_filter - a property by which allocations are selected
 * @KMEMTRACE_FILTER_SITE: pattern for the function of the call site
 * @KMEMTRACE_FILTER_MODULE: innermost module of the call path, or else of the call site; "kernel"
 *	for the kernel itself
 * @KMEMTRACE_FILTER_CACHE: pattern for a name of the slab cache
 * @KMEMTRACE_FILTER_TYPE: interfaces, such as "kmalloc,pages"
 * @KMEMTRACE_FILTER_CPU: CPUs of the allocation, such as "0,2-3"
 * @KMEMTRACE_FILTER_SIZE: requested bytes, such as "100", "64-1K" or "4K-"
 * @KMEMTRACE_FILTER_TASK: pattern for the name of the task, "(softirq)", "(hardirq)", or the
 *	number of a task or of a process
 * @KMEMTRACE_FILTER_CGROUP: path of the memory cgroup or of one above it, or a pattern for it
 * @KMEMTRACE_FILTER_STACK: pattern for a function in the call path
 * @KMEMTRACE_FILTER_OLDER: seconds: the memory is live at the end, and was allocated longer ago
 *	than this. Relations with @is_aged obey it, and the next one
 * @KMEMTRACE_FILTER_YOUNGER: the same, and it was allocated less long ago
 *
 * The options of kmemtrace-report with these names take the same texts.
 */
enum kmemtrace_filter {
	KMEMTRACE_FILTER_SITE	= 0,
	KMEMTRACE_FILTER_MODULE	= 1,
	KMEMTRACE_FILTER_CACHE	= 2,
	KMEMTRACE_FILTER_TYPE	= 3,
	KMEMTRACE_FILTER_CPU	= 4,
	KMEMTRACE_FILTER_SIZE	= 5,
	KMEMTRACE_FILTER_TASK	= 6,
	KMEMTRACE_FILTER_CGROUP	= 7,
	KMEMTRACE_FILTER_STACK	= 8,
	KMEMTRACE_FILTER_OLDER	= 9,
	KMEMTRACE_FILTER_YOUNGER = 10,
};

/**
 * kmemtrace_set_filter - count only some allocations
 * @trace: the trace, before kmemtrace_read(); NULL: only check @text
 * @filter: a property; an allocation must match all filters that are set
 * @text: what the property must match; NULL: anything, which is the default
 *
 * Filters change sums, not records.
 *
 * Return: 0, -EBUSY, -ENOMEM; -EINVAL: @text has no meaning, the filter is not set.
 */
int kmemtrace_set_filter(struct kmemtrace_trace *trace,
			 enum kmemtrace_filter filter, const char *text);

/* ---- a trace as a whole ---- */

/**
 * enum kmemtrace_space - an allocator; never add up bytes of different ones
 * @KMEMTRACE_SPACE_SLAB: slab objects and large kmalloc() blocks
 * @KMEMTRACE_SPACE_PAGES: the page allocator; the memory of all others comes from it
 * @KMEMTRACE_SPACE_PERCPU: alloc_percpu()
 * @KMEMTRACE_SPACE_VMALLOC: vmalloc()
 */
enum kmemtrace_space {
	KMEMTRACE_SPACE_SLAB	= 0,
	KMEMTRACE_SPACE_PAGES	= 1,
	KMEMTRACE_SPACE_PERCPU	= 2,
	KMEMTRACE_SPACE_VMALLOC	= 3,
};

#define KMEMTRACE_NR_SPACES	4

/**
 * kmemtrace_read - read all records
 * @trace: the trace
 *
 * All functions below need it.
 *
 * Return: 0, also when it was done before, or -errno.
 */
int kmemtrace_read(struct kmemtrace_trace *trace);

/**
 * struct kmemtrace_summary - a trace as a whole
 * @size: bytes of this structure
 * @events: allocations, frees and failures; where the newest events replaced the oldest ones,
 *	those from the time on from which the streams of all CPUs have them
 * @lost: events that are missing in the trace, as far as it is known
 * @first: time of the first record
 * @last: time of the last record, or of kmemtrace_set_end()
 * @is_lost_known: @lost is from the metadata
 * @lost_bytes: bytes of the lost records
 * @reordered: events that were moved after a later one of another CPU
 * @uncertainty: nanoseconds by which times of two CPUs may be wrong
 * @cycle_ns: nanoseconds of a cycle, where timestamps are cycles; 0: they are not
 * @cycle_error: largest error of times made of cycles, in nanoseconds
 * @local_error: largest error of times made of local_clock(), in nanoseconds; 0: they are
 *	used as they are
 * @symbols: symbols in kallsyms
 * @is_hidden: kallsyms has only zeros for addresses
 * @own_pages: live pages of kmemtrace's own buffers, which are in no sum
 * @is_cut: the trace ends early, because of kmemtrace_set_end() or @watch
 * @end: nanoseconds after the first record, if @is_cut
 * @is_stopped: struct kmemtrace_options' @watch ended the receiving or the reading
 * @is_late: kmemtrace_set_begin() was called
 * @begin: nanoseconds after the first record, if @is_late
 * @is_filtered: a filter or kmemtrace_set_begin() excludes events from the sums
 * @is_empty: nothing is counted
 * @unmatched: a bit for each enum kmemtrace_filter that no event matches
 * @has_nodes: the machine has more than one NUMA node
 */
struct kmemtrace_summary {
	size_t size;
	uint64_t events;
	uint64_t lost;
	int64_t first;
	int64_t last;
	bool is_lost_known;
	uint64_t lost_bytes;
	uint64_t reordered;
	uint64_t uncertainty;
	double cycle_ns;
	uint64_t cycle_error;
	uint64_t local_error;
	size_t symbols;
	bool is_hidden;
	uint64_t own_pages;
	bool is_cut;
	uint64_t end;
	bool is_stopped;
	bool is_late;
	uint64_t begin;
	bool is_filtered;
	bool is_empty;
	unsigned int unmatched;
	bool has_nodes;
};

/**
 * kmemtrace_get_summary - return a trace as a whole
 * @trace: the trace
 *
 * Return: the summary; NULL before kmemtrace_read().
 */
const struct kmemtrace_summary *
kmemtrace_get_summary(const struct kmemtrace_trace *trace);

/**
 * kmemtrace_doubt - return a reason why a trace is incomplete
 * @trace: the trace
 * @i: number of the reason, from 0
 *
 * Reasons are lost events, damaged streams and others. kmemtrace-report calls a trace
 * without a reason COMPLETE.
 *
 * Return: a sentence; NULL: there are no more, or the trace was not read.
 */
const char *kmemtrace_doubt(const struct kmemtrace_trace *trace, size_t i);

/* ---- relations: whatever the library knows, as tables ---- */

struct kmemtrace_relation;

/**
 * enum kmemtrace_type - the type of a value
 * @KMEMTRACE_NUMBER: @number of struct kmemtrace_field
 * @KMEMTRACE_SIGNED: @signed_number
 * @KMEMTRACE_REAL: @real
 * @KMEMTRACE_BOOL: @number, 0 or 1
 * @KMEMTRACE_ADDRESS: @number, to be shown in base 16
 * @KMEMTRACE_TEXT: @text
 */
enum kmemtrace_type {
	KMEMTRACE_NUMBER	= 0,
	KMEMTRACE_SIGNED	= 1,
	KMEMTRACE_REAL		= 2,
	KMEMTRACE_BOOL		= 3,
	KMEMTRACE_ADDRESS	= 4,
	KMEMTRACE_TEXT		= 5,
};

/**
 * enum kmemtrace_unit - the unit of a number
 * @KMEMTRACE_NO_UNIT: it has none
 * @KMEMTRACE_COUNT: events, objects and the like
 * @KMEMTRACE_BYTES: bytes
 * @KMEMTRACE_NS: a duration in nanoseconds
 * @KMEMTRACE_TIME: nanoseconds after the first record
 * @KMEMTRACE_CLOCK: nanoseconds of CLOCK_MONOTONIC
 * @KMEMTRACE_RATIO: a part of the whole, 1: all of it
 */
enum kmemtrace_unit {
	KMEMTRACE_NO_UNIT	= 0,
	KMEMTRACE_COUNT		= 1,
	KMEMTRACE_BYTES		= 2,
	KMEMTRACE_NS		= 3,
	KMEMTRACE_TIME		= 4,
	KMEMTRACE_CLOCK		= 5,
	KMEMTRACE_RATIO		= 6,
};

/**
 * struct kmemtrace_column - a column of a relation
 * @size: bytes of this structure
 * @name: its name in all programs and formats
 * @heading: its name for people
 * @help: a sentence that describes it
 * @type: enum kmemtrace_type
 * @unit: enum kmemtrace_unit
 * @is_key: rows are different in the columns with this
 * @is_optional: a row may have no value
 * @error: name of the column with its standard error, which has values in a sample; NULL: its
 *	values are exact
 */
struct kmemtrace_column {
	size_t size;
	const char *name, *heading, *help;
	int type, unit;
	bool is_key, is_optional;
	const char *error;
};

/**
 * struct kmemtrace_relation_info - a relation
 * @size: bytes of this structure
 * @name: its name in all programs and formats
 * @help: a sentence that describes its rows
 * @is_single: it has one row
 * @needs_cells: it needs kmemtrace_set_cells() before the reading
 * @is_followed: the reading passes on its rows one by one, see kmemtrace_relation_follow()
 * @is_aged: it obeys KMEMTRACE_FILTER_OLDER and KMEMTRACE_FILTER_YOUNGER: it has only memory that
 *	is live at the end then
 */
struct kmemtrace_relation_info {
	size_t size;
	const char *name, *help;
	bool is_single, needs_cells, is_followed, is_aged;
};

/**
 * kmemtrace_get_relation_info - return a relation of the library
 * @i: from 0
 *
 * Return: the relation; NULL: there are no more.
 */
const struct kmemtrace_relation_info *kmemtrace_get_relation_info(size_t i);

/**
 * kmemtrace_get_relation_column - return a column that a relation may have
 * @relation: name of the relation
 * @i: from 0
 *
 * kmemtrace_relation_column() returns those that it has in a trace, grouped in some way.
 *
 * Return: the column; NULL: there are no more, or there is no such relation.
 */
const struct kmemtrace_column *kmemtrace_get_relation_column(const char *relation, size_t i);

struct kmemtrace_moment;

/**
 * kmemtrace_moment_take - keep the figures that all groups of allocations have now
 * @trace: the trace, after kmemtrace_read() or kmemtrace_update()
 * @last: a moment before: what kmemtrace_moment_find_oldest() found for it counts on; or NULL
 * @moment: result; NULL after an error
 *
 * Return: 0, -ENODATA before kmemtrace_read(), or -ENOMEM.
 */
int kmemtrace_moment_take(const struct kmemtrace_trace *trace, const struct kmemtrace_moment *last,
			  struct kmemtrace_moment **moment);

/**
 * kmemtrace_moment_find_oldest - find the oldest live memory of an allocator
 * @moment: the moment; nothing was read since kmemtrace_moment_take()
 * @space: the allocator
 *
 * This visits all live objects or pages.
 *
 * Return: 0, -EINVAL: there is no such allocator, or -ENOMEM.
 */
int kmemtrace_moment_find_oldest(struct kmemtrace_moment *moment, enum kmemtrace_space space);

/**
 * kmemtrace_moment_keep - let a moment have one more owner
 * @moment: the moment
 *
 * Return: @moment; each owner drops it.
 */
struct kmemtrace_moment *kmemtrace_moment_keep(struct kmemtrace_moment *moment);

/**
 * kmemtrace_moment_drop - free a moment that has no other owner
 * @moment: the moment, or NULL
 */
void kmemtrace_moment_drop(struct kmemtrace_moment *moment);

/**
 * struct kmemtrace_query - which rows of a relation; zeros are the defaults
 * @size: bytes of this structure
 * @relation: its name
 * @group_by: columns that make the groups of allocations, separated by commas; NULL: those by
 *	which the relation has its name. "allocator" is always one of them
 * @where: conditions that rows meet, such as "allocator=slab", "function~kmem*" or
 *	"live_bytes>=1024", separated by commas; NULL: none. In a text, \, is a comma and, as
 *	in texts of the library, \xNN a byte that can't be seen; a pattern may have "*", "?" and "[]"
 * @sort: column, largest first, texts in the order of their bytes; NULL: the relation's own order
 * @limit: rows for each allocator, or of a relation that has none; 0: all
 * @columns: the columns to read, separated by commas; NULL: all
 * @at: figures of groups are those of this moment, and there are changes; NULL: those of now
 * @since: changes count from this moment; NULL: from the begin
 * @before: rates are changes per second since this moment; NULL: there are none
 */
struct kmemtrace_query {
	size_t size;
	const char *relation;
	const char *group_by;
	const char *where;
	const char *sort;
	size_t limit;
	const char *columns;
	const struct kmemtrace_moment *at, *since, *before;
};

/**
 * kmemtrace_relation_open - open a relation
 * @trace: the trace, after kmemtrace_read()
 * @query: which rows
 * @relation: result; NULL after an error
 * @problem: result: what is wrong with @query, or missing, to be freed; else NULL. May be NULL
 *
 * Return: 0, -ENODATA before the reading or without what the relation needs, -ENOMEM,
 *	-EINVAL: @query names a relation or a column that is not there.
 */
int kmemtrace_relation_open(const struct kmemtrace_trace *trace,
			    const struct kmemtrace_query *query,
			    struct kmemtrace_relation **relation, char **problem);

/**
 * kmemtrace_relation_follow - let kmemtrace_read() pass on the rows of a relation
 * @trace: the trace, before kmemtrace_read()
 * @query: which rows, without an order and a limit
 * @each: the function, called for each row by the thread that called kmemtrace_read(); @relation is
 *	at the row until it returns. It returns 0; or -errno, which ends the reading and makes the
 *	trace unusable
 * @arg: for @each
 * @relation: result, to be closed after kmemtrace_read(); NULL after an error
 * @problem: as for kmemtrace_relation_open()
 *
 * The rows are too many to be kept in memory. Lives that end come in the order in which they end, as
 * far as clocks and waiting events allow; then those that are live. Their bytes, times their weight,
 * are those that the relation totals has as allocated, and those that were live when tracing began;
 * but kmemtrace's own buffers have no lives, and events that contradict each other may have none.
 *
 * Texts are those that are known so far: records that
 * name a slab cache, a task or a cgroup may follow.
 *
 * Return: 0, -EBUSY, -ENOMEM, -EINVAL: as for kmemtrace_relation_open(), or the relation has not
 *	@is_followed of struct kmemtrace_relation_info.
 */
int kmemtrace_relation_follow(struct kmemtrace_trace *trace, const struct kmemtrace_query *query,
			      int (*each)(void *arg, struct kmemtrace_relation *relation),
			      void *arg, struct kmemtrace_relation **relation, char **problem);

/**
 * kmemtrace_relation_column - return a column of an open relation
 * @relation: the relation
 * @i: from 0
 *
 * Return: the column; NULL: there are no more.
 */
const struct kmemtrace_column *
kmemtrace_relation_column(const struct kmemtrace_relation *relation, size_t i);

/**
 * kmemtrace_relation_find - find a column of an open relation
 * @relation: the relation
 * @name: name of the column
 *
 * Return: its number; -1: the relation has no such column.
 */
int kmemtrace_relation_find(const struct kmemtrace_relation *relation, const char *name);

/**
 * kmemtrace_relation_rows - return the number of rows
 * @relation: the relation
 *
 * Return: how many rows the query has, whatever its limit.
 */
size_t kmemtrace_relation_rows(const struct kmemtrace_relation *relation);

/**
 * kmemtrace_relation_next - go to the next row, at first to the first one
 * @relation: the relation
 *
 * Return: true; false: there are no more rows.
 */
bool kmemtrace_relation_next(struct kmemtrace_relation *relation);

/**
 * kmemtrace_relation_go - go to a row
 * @relation: the relation
 * @row: its number, from 0
 *
 * Return: true; false: there is no such row.
 */
bool kmemtrace_relation_go(struct kmemtrace_relation *relation, size_t row);

/**
 * kmemtrace_relation_rewind - go back to before the first row
 * @relation: the relation
 */
void kmemtrace_relation_rewind(struct kmemtrace_relation *relation);

/**
 * kmemtrace_relation_is_rest - return whether the row is below the list
 * @relation: the relation
 *
 * The last row of an allocator may be what was live when tracing began, as far as neither its call
 * site nor its task is known. It is the last one in any order, and no limit leaves it out.
 *
 * Return: true: the present row is that one.
 */
bool kmemtrace_relation_is_rest(const struct kmemtrace_relation *relation);

/**
 * struct kmemtrace_field - a value of a row
 * @number: of most types. Of a text: the number, address or pointer that identifies it, such as
 *	the address of a call site; two rows may have the same text, but not the same identity
 * @signed_number: of KMEMTRACE_SIGNED
 * @real: of KMEMTRACE_REAL
 * @text: of KMEMTRACE_TEXT: printable characters of UTF-8; valid until the next row. NULL without
 *	memory
 */
__extension__ struct kmemtrace_field {
	union {
		uint64_t number;
		int64_t signed_number;
		double real;
	};
	const char *text;
};

/**
 * kmemtrace_relation_value - return a value of the row
 * @relation: the relation, after kmemtrace_relation_next()
 * @i: number of the column
 * @value: result; zeros where there is none
 *
 * Return: true; false: the row has no value in this column.
 */
bool kmemtrace_relation_value(struct kmemtrace_relation *relation, size_t i,
			      struct kmemtrace_field *value);

/**
 * kmemtrace_relation_identity - return a value of the row, of a text its identity only
 * @relation: the relation, after kmemtrace_relation_next()
 * @i: number of the column
 * @value: result; its @text is NULL. The identity of frames is the number of the call path for
 *	kmemtrace_get_path()
 *
 * Return: as kmemtrace_relation_value().
 */
bool kmemtrace_relation_identity(const struct kmemtrace_relation *relation, size_t i,
				 struct kmemtrace_field *value);

/**
 * kmemtrace_relation_text - return the text of an identity
 * @relation: the relation
 * @i: number of a column of texts or of addresses
 * @identity: what kmemtrace_relation_identity() returned for this column in any row; where that
 *	is the address of a call site, the address of any call site
 *
 * Return: the text, to be freed; NULL: no memory, or another type of column.
 */
char *kmemtrace_relation_text(const struct kmemtrace_relation *relation, size_t i,
			      uint64_t identity);

/**
 * kmemtrace_relation_close - free a relation
 * @relation: the relation, or NULL
 */
void kmemtrace_relation_close(struct kmemtrace_relation *relation);

/**
 * struct kmemtrace_source - a program's way to find file and line of call sites
 * @size: bytes of this structure
 * @find: sets file and line, which stay valid; returns false: they are unknown
 * @arg: for @find and @find_inlined
 * @find_inlined: sets a text that stays valid: the function of the line which @find sets, if it is
 *	inlined, and the lines that call it; returns false: it is not. NULL: nobody knows
 */
struct kmemtrace_source {
	size_t size;
	bool (*find)(void *arg, uint64_t call_site, const char **file, unsigned int *line);
	void *arg;
	bool (*find_inlined)(void *arg, uint64_t call_site, const char **inlined);
};

/**
 * kmemtrace_set_source - let relations have file and line
 * @trace: the trace
 * @source: how; NULL: not any more
 */
void kmemtrace_set_source(struct kmemtrace_trace *trace, const struct kmemtrace_source *source);

/* ---- who allocates ---- */

/**
 * enum kmemtrace_with - what is recorded with each event, bits
 * @KMEMTRACE_WITH_STACK: its call path
 * @KMEMTRACE_WITH_TASK: its task
 * @KMEMTRACE_WITH_CGROUP: the memory cgroup that the memory is charged to
 * @KMEMTRACE_WITH_REFS: beside the events, references to counted objects
 */
enum kmemtrace_with {
	KMEMTRACE_WITH_STACK	= 1,
	KMEMTRACE_WITH_TASK	= 2,
	KMEMTRACE_WITH_CGROUP	= 4,
	KMEMTRACE_WITH_REFS	= 8,
};

/**
 * kmemtrace_get_with - return what is recorded with each event
 * @trace: the trace
 *
 * Return: bits of enum kmemtrace_with; 0 of most traces.
 */
unsigned int kmemtrace_get_with(const struct kmemtrace_trace *trace);

/* ---- for the trace that follows ---- */

/**
 * kmemtrace_write_books - write what is live at the end, for the trace that follows
 * @trace: the trace, after kmemtrace_read(); without a filter, a beginning or an end of the
 *	program's
 * @out: the file "books.out" of the trace that follows
 *
 * kmemtraced --rotate makes chains of traces, each of which begins where the one before
 * ended. With the books of that, the library knows what was live then, and who allocated it.
 *
 * Return: 0, -ENODATA before kmemtrace_read(), -EINVAL for a part of a trace, -ENOMEM, -EIO.
 */
int kmemtrace_write_books(const struct kmemtrace_trace *trace, FILE *out);

/* ---- the kernel's counters over time ---- */

/**
 * kmemtrace_read_counters - read the counters of a trace
 * @trace: the trace
 *
 * kmemtraced --counters saves many readings. Where a recorder can't list what is live when
 * tracing begins, a trace of events has two: of its begin and of its end. kmemtrace_read() reads
 * them, too.
 *
 * The relations readings, counters and counter_steps have them then.
 *
 * Return: 0, also where the file can't be read to its end; -ENOENT: the trace has no
 *	counters; or another -errno.
 */
int kmemtrace_read_counters(struct kmemtrace_trace *trace);

#ifdef __cplusplus
}
#endif

#endif /* LIBKMEMTRACE_H */
