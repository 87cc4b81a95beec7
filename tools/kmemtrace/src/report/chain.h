/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain: traces of one boot, one after the other.
 */
#ifndef KMEMTRACE_CHAIN_H
#define KMEMTRACE_CHAIN_H

#include "report/report.h"

/**
 * struct link - a trace of a chain
 * @path: its directory
 * @begin: time of its first record, or of the first reading of its counters
 * @end: time of the last one; this and all below are set by chain_next()
 * @lost: events that it lost
 * @doubts: reasons why it is incomplete
 * @nr_doubts: entries of @doubts
 * @has_baseline: it has a whole snapshot of what was live when it began
 * @knows_older: what was live when it began is known: by its baseline, by the books of a trace
 *	that knew it, or since it is that of the boot
 */
struct link {
	const char *path;
	int64_t begin, end;
	uint64_t lost;
	char **doubts;
	size_t nr_doubts;
	bool has_baseline, knows_older;

	/* private: what all traces must have in common, and whether it is left out */
	char *ids[3];
	bool has_events, lacks_books;
};

/**
 * struct chain - traces, the earliest first
 * @links: the traces
 * @nr: how many
 * @failed: directories that could not be read, and are not among @links
 * @left_out: directories of traces that follow another one, but have no books, and are not
 *	among @links: what was live before is missing there
 * @nr_left_out: entries of @left_out
 * @has_events: the traces have events, else counters only
 */
struct chain {
	struct link *links;
	size_t nr, failed;
	const char **left_out;
	size_t nr_left_out;
	bool has_events;
};

/* Takes over a trace that was read; it is closed afterwards. */
typedef int chain_take(void *arg, const struct link *link, struct kmemtrace_trace *trace);

int chain_open(struct chain *c, char **paths);
int chain_read(struct chain *c, chain_take *take, void *arg);
uint64_t chain_span(const struct chain *c);
uint64_t chain_recorded(const struct chain *c);
void chain_close(struct chain *c);

#endif /* KMEMTRACE_CHAIN_H */
