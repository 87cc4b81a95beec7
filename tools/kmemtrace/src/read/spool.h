/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a trace that came as one stream of packets; common/packet.h has the
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
 * struct spool - the files from a stream
 * @read: bytes that were read
 * @is_cut: the stream ended before the trace did, or @look ended it
 */
struct spool {
	uint64_t read;
	bool is_cut;

	/* private: */
	int fd;
	uint64_t written;
	void *tree;
	struct spooled **list;
	size_t nr;
};

int spool_read(struct spool *s, struct context *ctx, FILE *in, const char *label,
	       const struct spool_watch *watch);
void spool_free(struct spool *s);
int spool_each(const struct spool *s, int (*each)(void *arg, const char *name), void *arg);
const struct spooled *spool_find(const struct spool *s, const char *name);
uint64_t spooled_size(const struct spooled *f);
ssize_t spooled_read(const struct spool *s, const struct spooled *f, void *buf, size_t len,
		     uint64_t at);

#endif /* KMEMTRACE_SPOOL_H */
