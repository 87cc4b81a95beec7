/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs of a trace, ready to be merged.
 */
#ifndef KMEMTRACE_STREAMS_H
#define KMEMTRACE_STREAMS_H

#include "read/fetcher.h"
#include "read/reader.h"

/**
 * struct streams - the streams of a trace that have a file
 * @readers: by CPU number; their @index is that of the directory's list
 * @nr: of @readers
 * @order: byte order of all of them
 * @decoder: decompresses all of them
 * @fetcher: their next blocks, while @reads_ahead
 * @reads_ahead: from streams_read_ahead() to streams_stop_ahead(), if there are few streams
 */
struct streams {
	struct reader *readers;
	size_t nr;
	enum byte_order order;
	struct decoder decoder;
	struct fetcher fetcher;
	bool reads_ahead;
};

/**
 * struct streams_progress - how much of all streams was read
 * @bytes: bytes that were read
 * @size: bytes of the streams
 * @events: allocations, frees and failures in what was read
 */
struct streams_progress {
	uint64_t bytes, size, events;
};

enum stream_state streams_judge(const struct tracedir *dir, struct reader *r);
int streams_open(struct streams *s, struct tracedir *dir);
int streams_find_times(struct streams *s, const struct tracedir *dir, struct timemaps *maps);
void streams_read_ahead(struct streams *s);
bool streams_work_ahead(struct streams *s);
void streams_stop_ahead(struct streams *s);
struct streams_progress streams_progress(const struct streams *s);
void streams_close(struct streams *s);

#endif /* KMEMTRACE_STREAMS_H */
