/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of the kernel over time: the file that kmemtraced --counters writes. A trace of
 * events has it, too, if its recorder can't list what is live when tracing begins. It is text,
 * compressed by zstd, in lines with a space between words. kmemtraced(8) has an example.
 *
 *	kmemtrace-counters 1		precedes each full one
 *	reading full|delta NS SECONDS	begins a reading: CLOCK_MONOTONIC and CLOCK_REALTIME
 *	TABLE ID VALUES NAME		a row that no reading had since the last full one
 *	ID VALUES			a row that changed since the last reading
 *	gone ID				a row that the kernel does not have any more
 *	end				ends a reading
 *
 * A row keeps its ID until the next full reading, which numbers all rows from 0.
 */
#ifndef KMEMTRACE_COUNTERS_H
#define KMEMTRACE_COUNTERS_H

#include <stddef.h>

#define COUNTERS_FILE	"counters.zst"
#define COUNTERS_MAGIC	"kmemtrace-counters 1"

/**
 * enum counter_table - the files of the kernel, in /proc
 * @COUNTER_ALLOCINFO: call sites: bytes, and allocations that are live
 * @COUNTER_SLABINFO: slab caches: live objects, objects, bytes of an object, pages
 * @COUNTER_VMSTAT: pages or events
 * @COUNTER_MEMINFO: bytes or pages
 */
enum counter_table {
	COUNTER_ALLOCINFO,
	COUNTER_SLABINFO,
	COUNTER_VMSTAT,
	COUNTER_MEMINFO,
	NR_COUNTER_TABLES
};

/* Most values of a row. */
#define COUNTER_VALUES	4

/* The values of a row of COUNTER_SLABINFO. */
enum {
	SLABINFO_ACTIVE,
	SLABINFO_OBJECTS,
	SLABINFO_SIZE,
	SLABINFO_PAGES,
};

/* Most rows of all tables, and bytes of a name and of a line. */
#define COUNTER_MAX_ROWS	65536
#define COUNTER_MAX_NAME	512
#define COUNTER_MAX_LINE	1024

const char *counter_table_name(enum counter_table table);
size_t counter_nr_values(enum counter_table table);
int counter_table_find(const char *name, size_t len);

#endif /* KMEMTRACE_COUNTERS_H */
