/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of an imported trace, one for each CPU that has events or losses.
 */
#ifndef IMPORT_STREAM_H
#define IMPORT_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "import/item.h"
#include "read/event.h"

/* A file takes a block of the disk. */
#define BLOCK_SIZE	4096

/**
 * struct out_stream - the stream of one CPU
 * @cpu: its number
 * @bytes: of the file
 * @events: ALLOC, FREE and FAILED records
 * @lost: events that are missing, by its LOST records
 * @lost_all: the same as the tracer counted them; 0: it did not
 */
struct out_stream {
	uint32_t cpu;
	uint64_t bytes;
	uint64_t events;
	uint64_t lost;
	uint64_t lost_all;

	/* private: */
	struct waiting *heap;
	size_t nr;
	unsigned char *buf;
	size_t len, size;
	size_t last;
	uint64_t sequence;
	int64_t time;
};

/**
 * struct out_streams - all streams of a trace
 * @dir: its folder
 * @room: bytes that its files may still have
 * @order: byte order of the machine
 * @page_size: its page size
 * @uncertainty: nanoseconds by which clocks of CPUs may differ
 * @late: records that came too late for their time
 * @doubles: events that the kernel reported twice, and that are one record
 * @is_unsure: events were lost, and nobody knows how many
 * @by_cpu: the streams; NULL: the CPU has none
 */
struct out_streams {
	int dir;
	uint64_t room;
	enum byte_order order;
	uint64_t page_size;
	uint64_t uncertainty;
	uint64_t late;
	uint64_t doubles;
	int is_unsure;
	struct out_stream *by_cpu[IMPORT_CPUS];

	/* private: */
	uint64_t arrivals;
};

int streams_reserve(struct out_streams *s, uint64_t bytes);
int streams_event(struct out_streams *s, uint32_t cpu, const struct kmemtrace_event *ev);
int streams_lost(struct out_streams *s, uint32_t cpu, int64_t time, uint64_t records);
int streams_lost_all(struct out_streams *s, uint32_t cpu, uint64_t records);
int streams_end(struct out_streams *s);
void streams_free(struct out_streams *s);

#endif /* IMPORT_STREAM_H */
