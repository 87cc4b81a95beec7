/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a trace while it arrives as packets; common/packet.h has the format.
 */
#ifndef KMEMTRACE_ARRIVAL_H
#define KMEMTRACE_ARRIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/context.h"
#include "common/packet.h"
#include "read/queue.h"

/* Most bytes of a file that is no stream. */
#define ARRIVAL_MAX_FILE	(UINT64_C(256) << 20)

/**
 * struct arrived - a file
 * @name: its name
 * @cpu: CPU of the stream; -1: it is no stream
 * @queue: bytes of the stream
 * @has_reader: a reader takes them
 * @text: bytes of another file, as far as its packets are whole
 * @size: how many
 * @version: changes with @text
 */
struct arrived {
	char name[PACKET_MAX_LINE];
	int cpu;
	struct queue queue;
	bool has_reader;
	char *text;
	size_t size;
	unsigned int version;

	/* private: what arrives; it becomes @text with the end of the packet */
	char *next;
	size_t next_size, next_room;
};

/**
 * struct arrival - the files so far
 * @label: what messages call the stream
 * @received: bytes that arrived
 * @is_whole: the trace has ended, all of it arrived
 * @is_over: no more will arrive
 * @list: files, in the order of their first packets
 * @nr: entries of @list
 */
struct arrival {
	char *label;
	uint64_t received;
	bool is_whole, is_over;
	struct arrived **list;
	size_t nr;

	/* private: the place in the stream */
	void *tree;
	bool is_begun;
	char line[PACKET_MAX_LINE];
	size_t line_size;
	struct arrived *file;
	uint64_t left;
};

int arrival_put(struct arrival *a, struct context *ctx, const char *bytes, size_t size);
void arrival_end(struct arrival *a);
struct arrived *arrival_find(const struct arrival *a, const char *name);
uint64_t arrival_waiting(const struct arrival *a);
void arrival_free(struct arrival *a);

int arrival_each(const struct arrival *a, int (*each)(void *arg, const char *name),
		 void *arg);
ssize_t arrived_read(const struct arrived *f, void *buf, size_t len, uint64_t at);

#endif /* KMEMTRACE_ARRIVAL_H */
