/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoints of the allocators, and how their events become records of kmemtrace.
 */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "linux/kmemtrace.h"

struct tep_handle;

/* common_type has 16 bits. */
#define FORMATS_MAX_ID	UINT16_MAX

/**
 * struct formats - the formats of a file
 * @tep: as the file has them
 * @page_size: bytes of a page
 * @cpus: CPUs that per-CPU memory is for
 * @to: where items go
 */
struct formats {
	struct tep_handle *tep;
	uint64_t page_size;
	uint64_t cpus;
	FILE *to;

	/* private: by common_type, NULL for events that are no records */
	struct plan *plans[FORMATS_MAX_ID + 1];
	unsigned int seen;
	/* common_type of the event that has a stack; -1: none. */
	int stack_id;
	/* An event of pages, which waits for its stack. */
	bool is_waiting;
	uint32_t waiting_cpu;
	struct kmemtrace_event waiting;
};

/**
 * struct raw - one event as the kernel wrote it
 * @data: its fields
 * @size: bytes of @data
 * @stack: return addresses, the innermost first; NULL: they are unknown, or follow as an event
 * @nr_stack: how many
 * @cpu: its CPU
 * @time: nanoseconds
 */
struct raw {
	const void *data;
	size_t size;
	const uint64_t *stack;
	size_t nr_stack;
	uint32_t cpu;
	int64_t time;
};

/* The rows of the table of tracepoints. */
enum tracepoint {
	TP_KMALLOC,
	TP_KMALLOC_NODE,
	TP_CACHE_ALLOC,
	TP_CACHE_ALLOC_NODE,
	TP_KFREE,
	TP_CACHE_FREE,
	TP_PAGE_ALLOC,
	TP_PAGE_FREE,
	TP_PERCPU_ALLOC,
	TP_PERCPU_FREE,
	NR_TRACEPOINTS
};

/* Return whether a machine can have pages of this size: those of Linux are from 1 to 256 KB. */
static inline bool formats_page_size(uint64_t size)
{
	return size >= 1 << 10 && size <= 256 << 10 && !(size & (size - 1));
}

uint32_t formats_unseen(uint32_t seen);
const char *formats_wants(const char *system, const char *name, size_t len);
void formats_plan(struct formats *f);
void formats_see(struct formats *f, uint64_t id);
void formats_event(struct formats *f, const struct raw *raw);
void formats_flush(struct formats *f);
void formats_free(struct formats *f);

#endif /* IMPORT_FORMATS_H */
