/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recorder of the kernel: all that differs between the collectors.
 */
#ifndef COLLECTOR_RECORDER_H
#define COLLECTOR_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/losses.h"

struct control;
struct mapping;

/**
 * enum tracing - whether the kernel records
 * @TRACING_OFF: it doesn't
 * @TRACING_ON: it does; events are lost while a buffer is full
 * @TRACING_OVERWRITES: it does; the newest events replace the oldest ones
 * @NR_TRACING: number of these
 */
enum tracing {
	TRACING_OFF,
	TRACING_ON,
	TRACING_OVERWRITES,
	NR_TRACING,
};

/**
 * struct recorder - a recorder of the kernel
 * @name: its name and that of its folder in debugfs
 * @collector: the program that collects its trace
 * @config: the option of the kernel's configuration
 * @boot: the boot parameter that switches it on
 * @subbufs: the boot parameter for the number of sub-buffers
 * @output: the directory of a trace, by default
 * @abi_file: the file that begins with the version of the stream
 * @abi_prefix: the text before the version
 * @abi_version: the newest version that this program knows
 * @enable: the file that switches tracing
 * @words: what is written to and read from @enable; NULL: the recorder has no such state
 * @stream: the file of a CPU, to be read, without its number
 * @map: the file of a CPU, to be mapped, without its number
 * @overruns: the file with the losses of each CPU
 * @files: the files of a trace that this recorder alone has; NULL ends the list
 * @overwrite: an option asks for TRACING_OVERWRITES; NULL: there is no such option
 * @bounds: the options that bound a new trace, for a message
 * @parse_overrun: parses a line of @overruns; returns whether it has the right form
 * @count: adds what a part of a stream reports to the tally
 * @missing: turns the kernel's counts of a CPU into those of this trace
 * @max_bytes: returns the largest buffer of a CPU that the kernel allows
 * @next: as feed_next() for a mapped buffer; -EAGAIN: no part is complete. Any other error
 *	ends the use of the mapping
 * @consume: as feed_done() for a mapped buffer
 * @check: checks the options; an error, after a message, ends the program. @unread: tracing
 *	is off, and only the rest of the last trace will be saved
 * @begin: prepares tracing; an error, after a message, ends the program if tracing is off
 * @end: undoes @begin, also after an error
 * @save_first: saves files into the trace directory before tracing; returns 0, or -errno
 *	after a message
 * @begun: called as soon as tracing is on and its records are read; may save files, too.
 *	Not called if only the rest of the last trace is saved
 * @ended: called as soon as tracing is off, also without @begun; may save files; returns as
 *	@save_first
 * @save_last: as @save_first, after the last record was saved; may replace files
 * @is_over: returns, after a message, whether an event has come that ends the trace
 * @look_ns: how often @is_over is called; 0: never
 *
 * The last eight functions may be NULL.
 */
struct recorder {
	const char		*name;
	const char		*collector;
	const char		*config;
	const char		*boot;
	const char		*subbufs;
	const char		*output;
	const char		*abi_file;
	const char		*abi_prefix;
	unsigned long		abi_version;
	const char		*enable;
	const char		*words[NR_TRACING];
	const char		*stream;
	const char		*map;
	const char		*overruns;
	const char *const	*files;
	const bool		*overwrite;
	const char		*bounds;

	bool (*parse_overrun)(const char *line, struct overrun *o);
	void (*count)(struct tally *t, const void *data, size_t len);
	void (*missing)(struct overrun *o, const struct tally *t, enum extent extent,
			bool overwrites);
	uint64_t (*max_bytes)(void);
	ssize_t (*next)(struct mapping *m, const void **data);
	int (*consume)(const struct mapping *m);
	int (*check)(const struct control *ctl, bool on, bool unread);
	int (*begin)(struct control *ctl);
	void (*end)(const struct control *ctl);
	int (*save_first)(const struct control *ctl, int dir);
	int (*begun)(const struct control *ctl, int dir);
	int (*ended)(const struct control *ctl, int dir);
	int (*save_last)(const struct control *ctl, int dir);
	bool (*is_over)(const struct control *ctl);
	const uint64_t *look_ns;
};

#endif /* COLLECTOR_RECORDER_H */
