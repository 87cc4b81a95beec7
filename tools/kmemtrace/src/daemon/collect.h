/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_COLLECT_H
#define KMEMTRACED_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/control.h"
#include "daemon/store.h"

struct reader;

/**
 * struct collector - the threads that move the streams to disk, one a CPU
 * @ctl: where the streams come from
 * @place: where they go
 * @priority: real-time priority of the threads, 0: none
 * @refused: why they don't get the one that was asked for, -errno
 * @stop: eventfd, readable once the threads shall end; nobody reads it
 * @done: eventfd, written by each thread that ends
 * @readers: one for each CPU, in the order in which they were found
 * @n: how many of them
 */
struct collector {
	const struct control	*ctl;
	const struct place	*place;
	int			priority;
	int			refused;
	int			stop;
	int			done;
	struct reader		**readers;
	size_t			n;
};

/**
 * enum reader_state - where a thread stands
 * @READER_RUNS: it reads and writes
 * @READER_DRAINED: tracing is off and it has read everything
 * @READER_STOPPED: it was told to stop before that
 * @READER_FAILED: its input or output failed
 */
enum reader_state {
	READER_RUNS,
	READER_DRAINED,
	READER_STOPPED,
	READER_FAILED,
};

/**
 * struct stream_result - what became of a CPU's stream
 * @cpu: its number
 * @name: of its file
 * @bytes: of it that were saved
 * @stored: bytes of the file, in which they may be compressed
 * @dropped: bytes read from the kernel that could not be written
 * @action: what failed; NULL: nothing
 * @err: why, -errno
 */
struct stream_result {
	int		cpu;
	char		name[32];
	uint64_t	bytes;
	uint64_t	stored;
	uint64_t	dropped;
	const char	*action;
	int		err;
};

typedef void collect_fn(const struct stream_result *result, void *arg);

int collect_init(struct collector *c, const struct control *ctl,
		 const struct place *place, int priority);
int collect_start(struct collector *c);
size_t collect_count(const struct collector *c, enum reader_state state);
uint64_t collect_bytes(const struct collector *c);
struct lost collect_told(const struct collector *c, int cpu);
void collect_stop(struct collector *c);
void collect_finish(struct collector *c, collect_fn *fn, void *arg);

#endif /* KMEMTRACED_COLLECT_H */
