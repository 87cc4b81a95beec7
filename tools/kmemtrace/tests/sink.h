/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a written trace: in a directory, or as packets on the standard output;
 * compressed or not.
 */
#ifndef KMEMTRACE_SINK_H
#define KMEMTRACE_SINK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct compressor;

/* The directory that stands for the standard output. */
#define SINK_STDOUT	"-"

/**
 * struct sink - a file that is written
 * @name: name of the file
 * @to: output
 * @packets: write each piece as a packet
 * @compressor: compresses each piece into a frame; NULL: pieces stay uncompressed
 * @piece: the current one
 * @len: bytes of it
 * @room: bytes of a whole one
 */
struct sink {
	char *name;
	FILE *to;
	bool packets;
	struct compressor *compressor;
	char *piece;
	size_t len, room;
};

void sink_open(struct sink *s, const char *dir, const char *name, size_t room,
	       bool compress);
void sink_flush(struct sink *s);
void sink_close(struct sink *s);

/**
 * sink_write - append data
 * @s: an open sink
 * @data: the bytes
 * @len: how many, no more than a whole piece has
 */
static inline void sink_write(struct sink *s, const void *data, size_t len)
{
	if (len > s->room - s->len)
		sink_flush(s);
	memcpy(s->piece + s->len, data, len);
	s->len += len;
}

#endif /* KMEMTRACE_SINK_H */
