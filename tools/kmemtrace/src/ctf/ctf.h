/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a trace in the Common Trace Format 1.8, which babeltrace2 and others read.
 *
 * The file metadata describes the types in TSDL; the file of a CPU has packets of events. All
 * of it is little-endian and without padding, on any machine.
 *
 * Functions that can fail return 0, or -errno after a message and with the error in the
 * context.
 */
#ifndef KMEMTRACE_CTF_H
#define KMEMTRACE_CTF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/context.h"
#include "common/newfile.h"

/**
 * struct ctf - a folder with a trace
 * @ctx: receives messages and errors
 * @path: the folder, for messages
 *
 * The metadata get their name at the end: without them, nobody takes the rest for a trace.
 */
struct ctf {
	struct context *ctx;
	const char *path;

	/* private: the folder, whether this created it, and the numbers of the CPUs in it */
	int dir;
	bool is_new;
	uint32_t *cpus;
	size_t nr_cpus;
	struct newfile file;
	FILE *metadata;
};

/**
 * struct ctf_cpu - the events of a CPU
 * @ctf: the trace
 * @cpu: number of the CPU
 *
 * A packet has the number of all events that were discarded up to its end. A packet ends
 * where events are missing, so that a reader knows the place.
 */
struct ctf_cpu {
	struct ctf *ctf;
	unsigned int cpu;

	/* private: the packet, and what the packets before have */
	unsigned char *packet;
	size_t len, room;
	uint64_t begin, end, sequence, discarded, written;
};

int ctf_open(struct ctf *ctf, struct context *ctx, const char *path);
int ctf_close(struct ctf *ctf, int error);

/* The metadata, in this order: the environment, then types with their fields. */
int ctf_begin_metadata(struct ctf *ctf, const char *tracer);
void ctf_env_text(struct ctf *ctf, const char *name, const char *text);
void ctf_env_number(struct ctf *ctf, const char *name, uint64_t number);
void ctf_end_env(struct ctf *ctf);
void ctf_begin_type(struct ctf *ctf, unsigned int id, const char *name);
void ctf_integer(struct ctf *ctf, const char *name, unsigned int bytes, int is_signed,
		 unsigned int base);
void ctf_integers(struct ctf *ctf, const char *name, unsigned int bytes, unsigned int base);
void ctf_text(struct ctf *ctf, const char *name);
void ctf_end_type(struct ctf *ctf);
int ctf_end_metadata(struct ctf *ctf);

int ctf_cpu_open(struct ctf_cpu *c, struct ctf *ctf, unsigned int cpu, size_t room);
int ctf_discard(struct ctf_cpu *c, uint64_t events, int64_t time);
int ctf_begin_event(struct ctf_cpu *c, unsigned int id, int64_t time, size_t max);
void ctf_put(struct ctf_cpu *c, const void *bytes, size_t len);
void ctf_put_number(struct ctf_cpu *c, uint64_t number, size_t size);
void ctf_put_native(struct ctf_cpu *c, const void *number, size_t size);
int ctf_cpu_end(struct ctf_cpu *c);
void ctf_cpu_close(struct ctf_cpu *c);

/* Private: for the files of the writer. */
int ctf_fail(struct ctf *ctf, const char *name, int error);

#endif /* KMEMTRACE_CTF_H */
