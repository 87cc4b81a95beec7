/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_METADATA_H
#define COLLECTOR_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/collect.h"
#include "daemon/control.h"

/**
 * struct run_facts - one run of a collector
 * @more: further lines, each with its newline; NULL: none
 * @compressed: its streams are compressed
 * @overwrites: the newest records replaced the oldest ones
 * @state: "running", "complete" or "interrupted"
 * @command: the command that is traced; NULL: none is
 * @start_ns: CLOCK_MONOTONIC when the first thread started
 * @realtime_ns: CLOCK_REALTIME at @start_ns
 * @utc_offset: seconds by which the zone of kmemtraced was ahead of UTC then
 * @end_ns: CLOCK_MONOTONIC when the last thread ended; 0 before that
 * @flushed_ns: CLOCK_MONOTONIC before which all records are in the streams; 0: unknown
 * @unread: by entry of @overruns, the most bytes that were unread at a time lately
 * @until_ns: CLOCK_MONOTONIC from which on the records belong to the trace that follows; 0:
 *	none does
 * @overruns: the losses of each CPU; @overruns->all are those that this trace lacks
 * @n_overruns: entries in @overruns; -errno: they are unknown
 * @streams: the result of each stream, once all are closed
 * @n_streams: entries in @streams
 */
struct run_facts {
	const char	*more;
	bool		compressed;
	bool		overwrites;
	const char	*state;
	char		**command;
	uint64_t	start_ns;
	uint64_t	realtime_ns;
	long		utc_offset;
	uint64_t	end_ns;
	uint64_t	flushed_ns;
	uint64_t	*unread;
	uint64_t	until_ns;
	struct overrun	*overruns;
	int		n_overruns;
	struct stream_result *streams;
	size_t		n_streams;
};

void run_begin(struct run_facts *run, uint64_t start_ns);
const char *run_state(const struct run_facts *run, bool drained);

int metadata_write(int dir, const struct control *ctl, const struct run_facts *run);

#endif /* COLLECTOR_METADATA_H */
