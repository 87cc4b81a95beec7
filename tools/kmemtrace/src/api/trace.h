/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One trace, read from begin to end.
 */
#ifndef KMEMTRACE_TRACE_H
#define KMEMTRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/filter.h"
#include "ledger/state.h"
#include "read/reader.h"
#include "read/streams.h"
#include "read/symbols.h"
#include "sums/survivors.h"
#include "read/timemap.h"
#include "read/tracedir.h"
#include "sums/series.h"

/* The first losses are kept one by one. */
#define TRACE_MAX_LOSSES	8

/**
 * struct loss - lost records, as a record in the stream reports them
 * @cpu: CPU that lost them
 * @records: how many
 * @nested: how many of them came in an NMI
 * @since: time of the first that found no room, 0: none did
 * @until: time from which on records were stored again
 */
struct loss {
	unsigned int cpu;
	uint64_t records, nested;
	int64_t since, until;
};

/**
 * struct carried - what the file of the books says of the traces before this one
 * @is_there: this trace has that file
 * @has_head: it says so
 * @is_damaged: a part of the file is missing, or could not be read
 * @traces: how many traces there are
 * @lost: events that all of them lost
 * @is_incomplete: at least one of them is INCOMPLETE for another reason
 * @missing: bytes of streams between the trace before and this one
 * @one_of: the trace before has one of so many slab objects below a page; 1: all
 */
struct carried {
	bool is_there, has_head, is_damaged, is_incomplete;
	uint64_t traces, lost, missing, one_of;
};

/**
 * struct cpu_summary - the stream of one CPU, after it was read
 * @cpu: number of the CPU
 * @rejected: records that were skipped, as their times are not those of the trace
 * @present: the stream has a file
 * @events: allocations, frees and failures
 * @lost: bytes that the kernel dropped
 * @lost_events: records that the kernel dropped
 * @lost_reported: those of @lost_events whose place the stream reports
 * @lost_before: those of @lost_events that belong to the trace before, see carry.h
 * @nested: those of @lost_events that came in an NMI
 * @numbered: a sub-buffer had a number
 * @subbufs: expected number of the next sub-buffer
 * @subbufs_before: sub-buffers before the first in the file
 * @subbufs_missing: sub-buffers missing between those in the file
 * @dropped: bytes that were read from the kernel, but not saved
 * @carried: bytes at the begin of the stream whose records are in the books
 * @taken: bytes of the stream whose records were taken
 * @size: bytes of the stream
 * @saved: bytes that kmemtraced saved; @size without metadata
 * @fault: why the stream ended early
 * @fault_at: place of @fault in a compressed file
 * @unread: bytes after @fault
 */
struct cpu_summary {
	unsigned int cpu;
	uint64_t rejected;
	bool present;
	uint64_t events;
	uint64_t lost, lost_events, lost_reported, lost_before, nested;
	bool numbered;
	uint64_t subbufs, subbufs_before, subbufs_missing;
	uint64_t dropped;
	uint64_t carried, taken;
	uint64_t size, saved;
	enum reader_fault fault;
	uint64_t fault_at, unread;
};

/**
 * struct trace_options - how to read a trace; zeros are the defaults
 * @threads: threads that share the work, up to PIPELINE_MAX_THREADS; 0: as many as are
 *	useful. The result is the same
 * @is_cut: read no record later than @at
 * @at: nanoseconds after the first record
 * @is_late: count no allocation earlier than @from
 * @from: nanoseconds after the first record
 * @filter: which allocations to count. All records are read all the same, because they
 *	say what is live
 * @has_cells: count cells, see ledger_count_cells()
 * @counts_own: count what kmemtrace itself allocated
 * @look: called now and then while the streams are read, by the caller's thread; true
 *	ends the reading, as if @at were the time that was reached. NULL: nothing ends it
 * @arg: for @look
 * @each_life: receives each life that ends; see struct ledger
 * @life_arg: for @each_life
 * @is_input_cut: the trace came as a stream that ended before the trace
 * @cut_input: bytes after which the program ended that stream; 0: it did not
 */
struct trace_options {
	unsigned int threads;
	bool is_cut;
	uint64_t at;
	bool is_late;
	uint64_t from;
	struct filter filter;
	bool has_cells, counts_own;
	bool (*look)(void *arg, const struct streams_progress *p);
	void *arg;
	int (*each_life)(void *arg, const struct life *life);
	void *life_arg;
	bool is_input_cut;
	uint64_t cut_input;
};

/**
 * struct trace - a trace and its sums
 * @ctx: its messages and its first error
 * @dir: its files and its metadata
 * @options: how it was read
 * @is_interrupted: @options.look ended the reading
 * @progress: how far the reading had come then
 * @order: byte order of its streams
 * @cpus: one for each of @dir.cpus
 * @events: allocations, frees and failures of all CPUs
 * @first: time of the first record
 * @last: time of the last record
 * @backwards: records that are earlier than the one before, or that alone are later
 *	than the next one
 * @lost: bytes that the kernel dropped on all CPUs
 * @lost_events: records that the kernel dropped on all CPUs
 * @losses_known: @lost is from the metadata
 * @losses: the first losses that the streams report
 * @nr_losses: number of all losses that the streams report
 * @carried: the books of the traces before
 * @is_continued: its last records belong to the trace that follows, see last_time()
 * @uncertainty: largest error of times between CPUs, in nanoseconds
 * @maps: from timestamps to nanoseconds
 * @ledger: live memory and counters
 * @symbols: names of addresses
 * @survivors: the tasks that existed at the end
 * @selection: which events count, if not all do
 * @is_growing: more records may arrive
 * @series: the kernel's counters over time, if they were read
 */
struct trace {
	struct context ctx;
	struct tracedir dir;
	struct trace_options options;
	bool is_interrupted;
	struct streams_progress progress;
	enum byte_order order;
	struct cpu_summary *cpus;
	uint64_t events;
	int64_t first, last;
	uint64_t backwards;
	uint64_t lost, lost_events;
	bool losses_known;
	struct loss losses[TRACE_MAX_LOSSES];
	uint64_t nr_losses;
	struct carried carried;
	bool is_continued;
	uint64_t uncertainty;
	struct timemaps maps;
	struct ledger ledger;
	struct symbols symbols;
	struct survivors survivors;
	struct selection selection;
	bool is_growing;
	struct series series;
};

int trace_open(struct trace *t, struct files *files);
int trace_begin(struct trace *t, const struct trace_options *options);
int trace_list_again(struct trace *t, struct files *files);
void trace_number(const struct trace *t, struct reader *r);
void trace_take(struct trace *t, const struct reader *r);
void trace_take_stream(struct trace *t, const struct reader *r);
void trace_sum_losses(struct trace *t);
int trace_load_rest(struct trace *t);
int64_t trace_time_after(int64_t first, uint64_t ns);
int64_t trace_until(const struct trace_options *options, int64_t first);
bool trace_overwrites(const struct trace *t);
uint64_t trace_span(const struct trace *t);
uint64_t trace_losses_kept(const struct trace *t);
void trace_free(struct trace *t);
const char *trace_site_note(const struct trace *t, uint64_t addr);

#endif /* KMEMTRACE_TRACE_H */
