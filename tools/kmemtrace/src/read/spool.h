/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a trace that comes as one stream of packets; common/packet.h has the
 * format.
 */
#ifndef KMEMTRACE_SPOOL_H
#define KMEMTRACE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/context.h"
#include "common/packet.h"

/* Bytes of a stream that may wait in memory; more go to a temporary file. */
#define SPOOL_ROOM	(UINT64_C(64) << 20)

/* Bytes of a stream without an input that may wait; more are refused. */
#define SPOOL_FED_ROOM	(UINT64_C(512) << 20)

extern uint64_t spool_room;

/**
 * struct spool_watch - callback that follows the reading of a stream
 * @look: called now and then with the bytes that were read so far; true: read no more
 * @arg: for @look
 */
struct spool_watch {
	bool (*look)(void *arg, uint64_t bytes);
	void *arg;
};

/**
 * struct spooled - a file
 * @name: its name
 * @cpu: CPU of the stream; -1: it is no stream
 * @size: its bytes so far; of a file that is no stream, those of whole packets
 * @version: number of whole packets of a file that is no stream
 */
struct spooled {
	char name[PACKET_MAX_LINE];
	int cpu;
	uint64_t size;
	unsigned int version;

	/*
	 * private: all bytes that arrived, of which the file has those from @begin on; the parts
	 * from @first on are there, the bytes before were forgotten
	 */
	uint64_t begin, end;
	struct spooled_part *parts;
	size_t first, nr, room;
};

/**
 * struct spool - the files from a stream
 * @read: bytes that were read
 * @is_over: the stream has ended
 * @is_cut: it ended before the trace did, or @look ended it
 * @list: files, in the order of their first packets; a file that is no stream is listed once that
 *	packet is whole
 * @nr: entries of @list
 * @fd: the temporary file; -1: there was no need for one
 */
struct spool {
	uint64_t read;
	bool is_over, is_cut;
	struct spooled **list;
	size_t nr;
	int fd;

	/* private: the place in the stream; @file: the packet's, which has @left bytes more */
	struct context *ctx;
	FILE *in;
	const char *label;
	const struct spool_watch *watch;
	bool is_begun;
	char line[PACKET_MAX_LINE];
	size_t line_size;
	struct spooled *file;
	uint64_t left;

	/* bytes of all blocks, of the temporary file, and those of it that wait */
	uint64_t held, written, stored;
	void *tree;
};

void spool_begin(struct spool *s, struct context *ctx, FILE *in, const char *label,
		 const struct spool_watch *watch);
int spool_put(struct spool *s, const char *bytes, size_t size);
void spool_end(struct spool *s);
int spool_pull(struct spool *s);
int spool_pull_all(struct spool *s);
bool spool_is_ready(const struct spool *s);
void spool_look(struct spool *s);
void spool_free(struct spool *s);
int spool_each(const struct spool *s, int (*each)(void *arg, const char *name), void *arg);
bool spool_has_stream(const struct spool *s);
struct spooled *spool_find(const struct spool *s, const char *name);
ssize_t spooled_read(const struct spool *s, const struct spooled *f, void *buf, size_t len,
		     uint64_t at);
void spooled_forget(struct spool *s, struct spooled *f, uint64_t end);

#endif /* KMEMTRACE_SPOOL_H */
