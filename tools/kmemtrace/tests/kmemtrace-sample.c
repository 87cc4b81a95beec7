// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-sample N FROM TO: copy a trace, and keep what a kernel with kmemtrace.sample=N would
 * have recorded. FROM has plain streams.
 */
#include "config.h"

#include <err.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"
#include "trace-copy.h"

/**
 * struct place - a record that is left out
 * @cpu: CPU of its stream
 * @offset: where it is
 * @size: its bytes
 */
struct place {
	unsigned int cpu;
	uint64_t offset;
	size_t size;
};

/**
 * struct sampling - a copy that is being made
 * @one_of: keep one of so many slab objects
 * @page_size: of the traced machine
 * @from: the trace
 * @large: addresses of live objects of a page or more, for tsearch()
 * @left_out: records
 * @nr: number of @left_out
 */
struct sampling {
	unsigned int one_of;
	uint64_t page_size;
	const char *from;
	void *large;
	struct place *left_out;
	size_t nr;
};

/* ---- what the kernel records ---- */

static int by_address(const void *a, const void *b)
{
	return (a > b) - (a < b);
}

static void set_large(struct sampling *s, uint64_t ptr)
{
	if (!tsearch((void *)(uintptr_t)ptr, &s->large, by_address))
		err(EXIT_FAILURE, "tsearch");
}

/* Return whether a live object was large; it no longer is there. */
static bool unset_large(struct sampling *s, uint64_t ptr)
{
	return tdelete((void *)(uintptr_t)ptr, &s->large, by_address);
}

/* The snapshot has all objects. */
static void take_slab(struct sampling *s, const struct kmemtrace_snapshot_slab *slab)
{
	uint64_t i;

	for (i = 0; slab->size >= s->page_size && i < slab->objects; i++)
		if (slab->live[i / 64] >> i % 64 & 1)
			set_large(s, slab->ptr + i * slab->size);
}

static bool is_slab(const struct kmemtrace_record *rec)
{
	return rec->api == KMEMTRACE_API_KMALLOC || rec->api == KMEMTRACE_API_CACHE;
}

/* Return whether the kernel would have recorded it. */
static bool is_recorded(struct sampling *s, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;

	if (rec->id == KMEMTRACE_RECORD_SNAPSHOT && ev->type_id == KMEMTRACE_TYPE_CACHE)
		take_slab(s, rec->raw);
	if (rec->id == KMEMTRACE_RECORD_ALLOC && is_slab(rec)) {
		if (rec->bytes_alloc < s->page_size)
			return kmemtrace_in_sample(rec->ptr, s->one_of);
		set_large(s, rec->ptr);
	} else if (rec->id == KMEMTRACE_RECORD_FREE && is_slab(rec)) {
		return unset_large(s, rec->ptr) || kmemtrace_in_sample(rec->ptr, s->one_of);
	}
	return true;
}

/* Find the records that the kernel would not have written. */
static void choose(struct sampling *s)
{
	const struct kmemtrace_record *rec;
	struct kmemtrace_records *records;
	struct kmemtrace_trace *trace;
	int ret;

	if (kmemtrace_open(&trace, s->from, NULL) || kmemtrace_records_open(trace, &records))
		exit(EXIT_FAILURE);
	s->page_size = kmemtrace_get_machine(trace)->page_size;
	while ((ret = kmemtrace_records_next(records, &rec)) > 0) {
		if (is_recorded(s, rec))
			continue;
		s->left_out = must_grow_list(s->left_out, s->nr, sizeof(*s->left_out));
		s->left_out[s->nr++] = (struct place) { rec->cpu, rec->offset, rec->raw_size };
	}
	if (ret)
		exit(EXIT_FAILURE);
	kmemtrace_records_close(records);
	kmemtrace_close(trace);
}

/* ---- the copy ---- */

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void copy_stream(void *arg, unsigned int cpu, FILE *in, FILE *out)
{
	const struct sampling *s = arg;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		if (s->left_out[i].cpu != cpu)
			continue;
		trace_copy_bytes(in, out, s->left_out[i].offset - (uint64_t)ftell(in));
		if (fseek(in, (long)s->left_out[i].size, SEEK_CUR))
			err(EXIT_FAILURE, "fseek");
	}
	trace_copy_bytes(in, out, UINT64_MAX);
}

int main(int argc, char **argv)
{
	struct sampling s = { .one_of = argc == 4 ? strtoul(argv[1], NULL, 10) : 0 };
	char more[32];

	if (!s.one_of || s.one_of & (s.one_of - 1))
		errx(EXIT_FAILURE, "usage: kmemtrace-sample N FROM TO; N is a power of two");
	s.from = argv[2];
	choose(&s);
	if (s.nr)
		qsort(s.left_out, s.nr, sizeof(*s.left_out), by_place);
	snprintf(more, sizeof(more), "sample: %u\n", s.one_of);
	trace_copy(&(struct trace_copy) {
		.from = argv[2],
		.to = argv[3],
		.more = s.one_of > 1 ? more : NULL,
		.stream = copy_stream,
		.arg = &s,
	});
	free(s.left_out);
	return EXIT_SUCCESS;
}
