/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_COLLECT_H
#define COLLECTOR_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "daemon/control.h"
#include "daemon/store.h"

struct cpu_reader;

/**
 * struct cpu_readers - the threads that move the streams to disk, one for each CPU
 * @ctl: the kernel's interface
 * @place: where the streams go
 * @priority: real-time priority of the threads, 0: none
 * @refused: why the threads don't have the priority that was requested, -errno
 * @unstarted: the CPU of the first error of collect_start(); -1: the CPUs are unknown
 * @stop: eventfd, readable once the threads shall end; it is never read
 * @done: eventfd, written by each thread that ends
 * @behind: threads that have not done what the last collect_drain() asked for
 * @drained: eventfd, written when all have
 * @joined: all threads have ended, and collect_join() has waited for that
 * @readers: one for each CPU, in the order in which they were found
 * @n: entries in @readers
 */
struct cpu_readers {
	const struct control	*ctl;
	const struct store_place	*place;
	int			priority;
	int			refused;
	int			unstarted;
	int			stop;
	int			done;
	_Atomic size_t		behind;
	int			drained;
	bool			joined;
	struct cpu_reader		**readers;
	size_t			n;
};

/**
 * enum reader_state - the state of a thread
 * @READER_RUNS: it reads and writes
 * @READER_DRAINED: tracing is off and it has read everything
 * @READER_STOPPED: collect_stop() ended it before that
 * @READER_FAILED: its input or output failed
 */
enum reader_state {
	READER_RUNS,
	READER_DRAINED,
	READER_STOPPED,
	READER_FAILED,
};

/**
 * struct stream_result - the result for the stream of a CPU
 * @cpu: number of the CPU
 * @name: name of the file
 * @bytes: bytes of the stream that were saved
 * @stored: bytes of the file, which may be compressed
 * @lost: losses that the stream reports
 * @dropped: bytes that were read from the kernel and could not be written
 * @action: what failed; NULL: nothing
 * @err: the reason, -errno
 */
struct stream_result {
	int		cpu;
	char		name[32];
	uint64_t	bytes;
	uint64_t	stored;
	struct lost	lost;
	uint64_t	dropped;
	const char	*action;
	int		err;
};

typedef void collect_fn(const struct stream_result *result, void *arg);

int collect_init(struct cpu_readers *c, const struct control *ctl,
		 const struct store_place *place, int priority);
int collect_start(struct cpu_readers *c);
size_t collect_count(const struct cpu_readers *c, enum reader_state state);
bool collect_drain(struct cpu_readers *c);
uint64_t collect_unread(struct cpu_readers *c, int cpu);
uint64_t collect_bytes(const struct cpu_readers *c);
struct tally collect_reported(const struct cpu_readers *c, int cpu);
int collect_split(struct cpu_readers *c, const struct store_place *place);
void collect_cut(struct cpu_readers *c);
void collect_take(struct cpu_readers *c, const struct store_place *place, collect_fn *fn,
		  void *arg);
void collect_print_overlaps(const struct cpu_readers *c, FILE *out);
uint64_t collect_begun(const struct cpu_readers *c);
void collect_stop(struct cpu_readers *c);
void collect_join(struct cpu_readers *c);
void collect_finish(struct cpu_readers *c, collect_fn *fn, void *arg);

#endif /* COLLECTOR_COLLECT_H */
