/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_METADATA_H
#define KMEMTRACED_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/collect.h"
#include "daemon/control.h"

/**
 * struct run - what is known of this run
 * @compressed: its streams are
 * @state: "running", "complete" or "interrupted"
 * @start_ns: CLOCK_MONOTONIC when the first thread started
 * @end_ns: likewise when the last one ended; 0 before that
 * @overruns: of each CPU, with what this trace lacks in @overruns->all
 * @n_overruns: how many elements; -errno where they can't be had
 * @streams: what became of each stream, once all are closed
 * @n_streams: how many of them
 */
struct run {
	bool		compressed;
	const char	*state;
	uint64_t	start_ns;
	uint64_t	end_ns;
	struct overrun	*overruns;
	int		n_overruns;
	struct stream_result *streams;
	size_t		n_streams;
};

const char *run_state(const struct run *run, bool drained);

int metadata_write(int dir, const struct control *ctl, const struct run *run);

#endif /* KMEMTRACED_METADATA_H */
