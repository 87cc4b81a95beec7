/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One trace, read from end to end: what the views show.
 */
#ifndef KMEMTRACE_TRACE_H
#define KMEMTRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "books/filter.h"
#include "books/state.h"
#include "read/reader.h"
#include "read/streams.h"
#include "read/symbols.h"
#include "read/timemap.h"
#include "read/tracedir.h"

/* So many losses are remembered one by one. */
#define TRACE_MAX_LOSSES	8

/**
 * struct loss - records that found no room, as the stream says
 * @cpu: whose
 * @records: how many
 * @nested: those of them that came by an NMI
 * @since: time of the first that found no room, 0 if there is none
 * @until: from then on records were taken again
 */
struct loss {
	unsigned int cpu;
	uint64_t records, nested;
	int64_t since, until;
};

/**
 * struct cpu_summary - the stream of one CPU, after it was read
 * @cpu: its number
 * @present: its file is there
 * @events: records of what happened
 * @lost: bytes the kernel dropped
 * @lost_events: records the kernel dropped
 * @lost_told: those of them of which the stream tells where they are missing
 * @nested: those of them that came by an NMI
 * @numbered: a sub-buffer said its number
 * @subbufs: number of the next sub-buffer
 * @subbufs_before: sub-buffers before the first in the file
 * @subbufs_missing: sub-buffers that are not in the file, but those before are
 * @dropped: bytes that were read from the kernel, but not saved
 * @size: bytes of it
 * @saved: bytes that were saved in it; @size where nothing says that
 * @fault: what ended the stream early
 * @fault_at: where in a compressed file that is
 * @unread: bytes after @fault
 */
struct cpu_summary {
	unsigned int cpu;
	bool present;
	uint64_t events;
	uint64_t lost, lost_events, lost_told, nested;
	bool numbered;
	uint64_t subbufs, subbufs_before, subbufs_missing;
	uint64_t dropped;
	uint64_t size, saved;
	enum reader_fault fault;
	uint64_t fault_at, unread;
};

/**
 * struct trace_options - how to read a trace; zeroed memory is the usual way
 * @threads: how many share the work, PIPELINE_MAX_THREADS at most; 0: as many as seem
 *	useful. The result is the same
 * @is_cut: nothing is read of what happened more than @at after the first event
 * @at: nanoseconds
 * @is_late: nothing is counted of what was allocated less than @from after the first
 *	event, or before it
 * @from: nanoseconds
 * @filter: what an allocation must have to be counted; what else the trace has is read
 *	all the same, since it tells what lives
 * @look: called now and then while the streams are read, by the caller's thread; true
 *	ends that, as if the time that was reached had been @at. NULL: nobody looks
 * @arg: for @look
 * @is_input_cut: the streams are what had come of an input that ended before the trace
 * @cut_input: somebody ended it after so many bytes; 0: nobody did
 */
struct trace_options {
	unsigned int threads;
	bool is_cut;
	uint64_t at;
	bool is_late;
	uint64_t from;
	struct filter filter;
	bool (*look)(void *arg, const struct streams *s);
	void *arg;
	bool is_input_cut;
	uint64_t cut_input;
};

/**
 * struct trace - a trace and what it adds up to
 * @ctx: its messages and its first error
 * @dir: where it is
 * @options: how it was read
 * @is_interrupted: somebody who looked on ended that
 * @progress: how far it had come then
 * @order: byte order of its streams
 * @cpus: one for each of @dir.cpus
 * @events: records of what happened, of all CPUs
 * @first: time of the first event
 * @last: time of the last event
 * @backwards: records whose time is before that of the one before, or alone
 *	after that of the next
 * @lost: bytes the kernel dropped, on all CPUs
 * @lost_events: records the kernel dropped
 * @losses_known: @lost is from the metadata
 * @losses: the first ones of which the streams tell
 * @nr_losses: how many there are
 * @uncertainty: the largest of the clock, in nanoseconds, as the kernel knows it
 * @maps: from timestamps to nanoseconds
 * @ledger: what is live, and the counters
 * @symbols: names of addresses
 * @selection: the events that count, if not all do
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
	uint64_t uncertainty;
	struct timemaps maps;
	struct ledger ledger;
	struct symbols symbols;
	struct selection selection;
};

int trace_open_files(struct trace *t, struct files *files);
int trace_open(struct trace *t, const char *path, const char *name);
int trace_read(struct trace *t, const struct trace_options *options);
int trace_load(struct trace *t, const char *path, const char *name,
	       const struct trace_options *options);
int64_t trace_until(const struct trace_options *options, int64_t first);
uint64_t trace_span(const struct trace *t);
uint64_t trace_losses_kept(const struct trace *t);
void trace_free(struct trace *t);
const char *trace_site_note(const struct trace *t, uint64_t addr);

#endif /* KMEMTRACE_TRACE_H */
