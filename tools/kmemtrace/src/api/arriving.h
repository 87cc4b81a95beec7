/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that comes as a stream of packets, read while it arrives.
 *
 * The records of all CPUs are merged up to the time that all of them have reached: no earlier
 * record can arrive any more. A CPU has reached the time of its last record, and, as kmemtraced
 * says now and then in the metadata, the time of a flush: what was recorded before that has
 * arrived. Bytes of records that were taken are forgotten.
 *
 * once.c reads a trace to its end, live.c as far as it has arrived.
 */
#ifndef KMEMTRACE_ARRIVING_H
#define KMEMTRACE_ARRIVING_H

#include "api/trace.h"
#include "read/clocks.h"
#include "read/merge.h"
#include "read/spool.h"

/**
 * struct flush - the last flush that the metadata reports
 * @version: version of the metadata that was examined last
 * @ns: all records up to this time have arrived; 0: there was no flush
 */
struct flush {
	unsigned int version;
	uint64_t ns;
};

/**
 * struct stream - the stream of a CPU
 * @r: reads its records
 * @clocks: finds its clocks, ahead of @r
 * @file: what has arrived
 * @is_merged: it is one of those that are merged
 */
struct stream {
	struct reader r;
	struct clock_search clocks;
	struct spooled *file;
	bool is_merged;
};

/**
 * struct arriving - the reading of a trace that arrives
 * @t: the trace
 * @files: its files
 * @spool: what has arrived
 * @follows: the maps of clocks grow with the records that are read, so that no record waits for
 *	the next clock; else a record waits until its time is certain
 * @streams: by the order of their first packets
 * @nr: entries of @streams
 * @merge: the streams as one
 * @flush: the last flush
 * @has_all: all of the trace has arrived
 */
struct arriving {
	struct trace *t;
	struct files *files;
	struct spool *spool;
	bool follows;
	struct stream **streams;
	size_t nr;
	struct merge merge;
	struct flush flush;
	bool has_all;

	/* private: @decoder: of all streams; files that were looked at, and the metadata */
	struct decoder decoder;
	size_t nr_files;
	unsigned int metadata;
};

int arriving_find_flush(struct files *files, struct context *ctx, struct flush *flush);
int arriving_begin(struct arriving *a, struct trace *t, struct files *files, bool follows);
int arriving_update(struct arriving *a);
int arriving_resume(struct arriving *a, int64_t reached);
void arriving_forget(struct arriving *a, bool is_read);
struct streams_progress arriving_progress(const struct arriving *a);
void arriving_take_streams(const struct arriving *a);
void arriving_close(struct arriving *a);

#endif /* KMEMTRACE_ARRIVING_H */
