// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-sample N FROM TO: copy a trace, and keep what a kernel with kmemtrace.sample=N would
 * have recorded. FROM has plain streams.
 */
#include "config.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/memory.h"
#include "kmemtrace.h"
#include "linux/kmemtrace.h"

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
 * @to: the copy
 * @large: addresses of live objects of a page or more, for tsearch()
 * @left_out: records
 * @nr: number of @left_out
 */
struct sampling {
	unsigned int one_of;
	uint64_t page_size;
	const char *from, *to;
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

static FILE *open_file(const char *dir, const char *name, const char *mode)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, mode);
	if (!f)
		err(EXIT_FAILURE, "%s", path);
	return f;
}

static void close_file(FILE *f)
{
	if (ferror(f) || fclose(f))
		err(EXIT_FAILURE, "fclose");
}

/* Copy @nr bytes, or all that are left. */
static void copy_bytes(FILE *in, FILE *out, uint64_t nr)
{
	char buf[65536];
	size_t len;

	for (; nr; nr -= len) {
		len = fread(buf, 1, nr < sizeof(buf) ? nr : sizeof(buf), in);
		if (!len)
			break;
		fwrite(buf, 1, len, out);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void copy_stream(const struct sampling *s, unsigned int cpu, FILE *in, FILE *out)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		if (s->left_out[i].cpu != cpu)
			continue;
		copy_bytes(in, out, s->left_out[i].offset - (uint64_t)ftell(in));
		if (fseek(in, (long)s->left_out[i].size, SEEK_CUR))
			err(EXIT_FAILURE, "fseek");
	}
	copy_bytes(in, out, UINT64_MAX);
}

/* Return the bytes of a stream of the copy. */
static uint64_t stream_size(const struct sampling *s, unsigned int cpu)
{
	char path[4096];
	struct stat st;

	snprintf(path, sizeof(path), "%s/cpu%u.out", s->to, cpu);
	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* Copy the metadata: streams have fewer bytes, and the trace is a sample. */
static void copy_metadata(const struct sampling *s)
{
	FILE *in = open_file(s->from, "metadata", "r"), *out = open_file(s->to, "metadata", "w");
	unsigned int cpu;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, in) > 0) {
		if (sscanf(line, "bytes.cpu%u: ", &cpu) == 1)
			fprintf(out, "bytes.cpu%u: %" PRIu64 "\n", cpu, stream_size(s, cpu));
		else
			fputs(line, out);
	}
	if (s->one_of > 1)
		fprintf(out, "sample: %u\n", s->one_of);
	free(line);
	close_file(in);
	close_file(out);
}

static void copy_file(const struct sampling *s, const char *name)
{
	FILE *in = open_file(s->from, name, "r"), *out = open_file(s->to, name, "w");
	unsigned int cpu;
	int len = 0;

	if (sscanf(name, "cpu%u.out%n", &cpu, &len) == 1 && len && !name[len])
		copy_stream(s, cpu, in, out);
	else
		copy_bytes(in, out, UINT64_MAX);
	close_file(in);
	close_file(out);
}

static void copy_files(const struct sampling *s)
{
	DIR *dir = opendir(s->from);
	struct dirent *entry;

	if (!dir)
		err(EXIT_FAILURE, "%s", s->from);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "metadata"))
			copy_file(s, entry->d_name);
	closedir(dir);
	copy_metadata(s);
}

int main(int argc, char **argv)
{
	struct sampling s = { .one_of = argc == 4 ? strtoul(argv[1], NULL, 10) : 0 };

	if (!s.one_of || s.one_of & (s.one_of - 1))
		errx(EXIT_FAILURE, "usage: kmemtrace-sample N FROM TO; N is a power of two");
	s.from = argv[2];
	s.to = argv[3];
	if (mkdir(s.to, 0777) && errno != EEXIST)
		err(EXIT_FAILURE, "%s", s.to);
	choose(&s);
	if (s.nr)
		qsort(s.left_out, s.nr, sizeof(*s.left_out), by_place);
	copy_files(&s);
	free(s.left_out);
	return EXIT_SUCCESS;
}
