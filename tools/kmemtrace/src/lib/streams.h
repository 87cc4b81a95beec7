/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs of a trace, ready to be merged.
 */
#ifndef KMEMTRACE_STREAMS_H
#define KMEMTRACE_STREAMS_H

#include "reader.h"

/**
 * struct streams - those of a trace that are there
 * @readers: by CPU number; their @index is that of the directory's list
 * @nr: of @readers
 * @order: byte order of all of them
 */
struct streams {
	struct reader *readers;
	size_t nr;
	enum byte_order order;
};

int streams_open(struct streams *s, const struct tracedir *dir,
		 struct timemaps *maps);
void streams_close(struct streams *s);

#endif /* KMEMTRACE_STREAMS_H */
