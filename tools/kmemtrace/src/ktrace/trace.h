/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace of ktrace: its files, and what is known about all of its events.
 */
#ifndef KTRACE_TRACE_H
#define KTRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/filter.h"
#include "common/interval.h"
#include "common/reasons.h"
#include "ktrace/overflow.h"
#include "ktrace/stream.h"
#include "ktrace/types.h"
#include "read/symbols.h"
#include "read/tracedir.h"

/* Losses whose place is kept. */
#define KTRACE_MAX_LOSSES	16

/**
 * struct kselection - the events that the options choose; zeroed memory chooses all
 * @globs: patterns of names, ended by NULL; NULL: any name
 * @cpus: a filter of CPUs
 * @between: the part of the trace
 */
struct kselection {
	const char * const *globs;
	struct filter cpus;
	struct interval between;
};

/**
 * struct kcpu - one CPU of a trace
 * @cpu: its number
 * @file: name of its stream; NULL: none is read
 * @problem: why a stream that is there is not read, or NULL
 * @size: bytes of the stream
 * @unread: those that can't be read
 * @fault: why
 * @fault_offset: where in the stream
 * @fault_at: where in the file a damaged frame is
 * @account: its events
 * @tail: events that were lost behind the last one of the stream
 * @missed: events of a CPU without a stream
 */
struct kcpu {
	unsigned int cpu;
	const char *file, *problem;
	uint64_t size, unread;
	enum stream_fault fault;
	uint64_t fault_offset, fault_at;
	struct account account;
	uint64_t tail, missed;
};

/**
 * struct kloss - events that were lost between two records
 * @cpu: number of the CPU
 * @events: how many
 * @since: time of the event before; valid if @has_since
 * @until: time of the clock behind
 * @has_since: there is an event before
 */
struct kloss {
	unsigned int cpu;
	uint64_t events;
	int64_t since, until;
	bool has_since;
};

/**
 * struct ktrace - a trace
 * @ctx: its messages and its error
 * @dir: its files and metadata
 * @types: its types of events
 * @overflow: the kernel's counts at its end
 * @symbols: of the traced kernel
 * @maps: from timestamps to nanoseconds
 * @order: byte order of its streams
 * @cpus: the CPUs that have a stream, or should have one, by number
 * @nr_cpus: entries of @cpus
 * @selection: the events that the options choose
 * @origin: time of the first event
 * @last: time of the last event
 * @has_events: there is an event, so @origin and @last are valid
 * @events: events in the streams
 * @bytes: bytes of these events
 * @lost: events that are missing
 * @overwritten: events that the recorder replaced with newer ones, as it was told to
 * @unknown: events of types that info doesn't have, which are in @events
 * @malformed: events that are too short for their format, which are in @events
 * @unreadable: events of types whose format can't be read, which are in @events
 * @others: records of unknown types that are no events
 * @selected: events that the options choose and that can be decoded
 * @losses: the first losses
 * @nr_losses: losses; may exceed KTRACE_MAX_LOSSES
 * @overwrites: the recorder was to replace old events
 * @is_cut: the stream ended before the trace did
 * @is_interrupted: a signal ended the reading of the input
 * @reasons: why the trace is incomplete; complete after ktrace_judge()
 * @first_unknown: id of the first of @unknown
 * @first_malformed: type of the first of @malformed
 * @first_unreadable: type of the first of @unreadable
 * @backwards: records whose time was before that of the record before
 * @uncertainty: nanoseconds by which times of two CPUs may be in the wrong order
 */
struct ktrace {
	struct context *ctx;
	struct tracedir dir;
	struct types types;
	struct overflow overflow;
	struct symbols symbols;
	struct timemaps maps;
	enum byte_order order;
	struct kcpu *cpus;
	size_t nr_cpus;
	struct kselection selection;
	int64_t origin, last;
	bool has_events;
	uint64_t events, bytes, lost, overwritten;
	uint64_t unknown, malformed, unreadable, others;
	uint64_t selected;
	struct kloss losses[KTRACE_MAX_LOSSES];
	uint64_t nr_losses;
	bool overwrites, is_cut, is_interrupted;
	struct reasons reasons;
	uint16_t first_unknown;
	const struct type *first_malformed, *first_unreadable;
	uint64_t backwards, uncertainty;

	/* private: */
	struct decoder decoder;
	int64_t since;
};

/**
 * struct kevent - an event that the options choose
 * @type: its type
 * @time: its time
 * @cpu: its CPU
 * @size: bytes of its record
 * @values: its arguments
 */
struct kevent {
	struct type *type;
	int64_t time;
	unsigned int cpu;
	size_t size;
	struct value values[LAYOUT_MAX_FIELDS];
};

/* What a record is. */
enum kevent_kind {
	KEVENT_NONE,
	KEVENT_UNKNOWN,
	KEVENT_UNREADABLE,
	KEVENT_MALFORMED,
	KEVENT_LEFT_OUT,
	KEVENT_SELECTED,
};

int ktrace_open(struct ktrace *t, struct context *ctx, struct files *files,
		const struct kselection *selection);
void ktrace_close(struct ktrace *t);
int ktrace_open_stream(struct ktrace *t, struct kstream *s, size_t i, size_t room);
enum kevent_kind ktrace_decode(struct ktrace *t, const struct kstream *s, struct kevent *ev);
uint64_t kcpu_lost(const struct ktrace *t, const struct kcpu *cpu);
uint64_t ktrace_since(const struct ktrace *t, int64_t time);

#endif /* KTRACE_TRACE_H */
