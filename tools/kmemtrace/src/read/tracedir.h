/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a trace as kmemtraced leaves them: cpu<n>.out or cpu<n>.out.zst, metadata,
 * kallsyms, modules, slabs, books.out, counters.zst. All but the streams may be missing, and the
 * streams where there are counters.
 */
#ifndef KMEMTRACE_TRACEDIR_H
#define KMEMTRACE_TRACEDIR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/context.h"
#include "read/event.h"
#include "read/files.h"

/**
 * enum stream_state - whether the stream of a CPU is one of the trace
 * @STREAM_THERE: it is
 * @STREAM_MISSING: the metadata has the CPU, but there is no file
 * @STREAM_STRAY: there is a file, but the metadata doesn't have the CPU
 * @STREAM_OF_OTHER_CPU: its first record is of another CPU
 * @STREAM_OF_OTHER_TIME: it begins after the end of the trace; or before its begin, and has more
 *	bytes than were saved
 *
 * Only a stream that is there is read.
 */
enum stream_state {
	STREAM_THERE,
	STREAM_MISSING,
	STREAM_STRAY,
	STREAM_OF_OTHER_CPU,
	STREAM_OF_OTHER_TIME,
};

/**
 * struct trace_cpu - one CPU of a trace
 * @cpu: its number
 * @file: name of its stream, also of one that is missing
 * @state: whether that is one of the trace. streams_open() sets the last two states
 */
struct trace_cpu {
	unsigned int cpu;
	char *file;
	enum stream_state state;
};

/**
 * struct tracedir - the files and the metadata of a trace
 * @ctx: the context of the trace
 * @files: its files
 * @name: what messages call it
 * @cpus: by number, those whose stream is missing or of another trace included
 * @nr_cpus: entries in @cpus
 * @has_counters: the file of counters is there
 * @has_books: the file of the books is there
 * @has_traces: files have names like the folders of a chain
 * @has_kallsyms: the file "kallsyms" is there
 * @has_modules: the file "modules" is there
 * @has_metadata: the file "metadata" is there
 * @abi_version: of the streams; 0 without metadata, see event_abi() then
 * @order: byte order, ORDER_UNKNOWN without metadata
 * @word_bits: 32, 64, or 0 without metadata
 * @page_size: bytes; 4096 without metadata
 * @one_of: the trace has one of so many slab objects below a page; 1: all
 * @meta: key and value of each line of the metadata, by key; lines with the same key keep
 *	their order
 * @nr_meta: entries in @meta
 */
struct tracedir {
	struct context *ctx;
	struct files *files;
	const char *name;
	struct trace_cpu *cpus;
	size_t nr_cpus;
	bool has_counters;
	bool has_books, has_traces;
	bool has_kallsyms, has_modules;
	bool has_metadata;
	unsigned int abi_version;
	enum byte_order order;
	unsigned int word_bits;
	uint64_t page_size;
	unsigned int one_of;
	struct meta {
		const char *key;
		const char *value;
	} *meta;
	size_t nr_meta;

	/* private: */
	char *text;
};

int tracedir_open(struct tracedir *t, struct context *ctx, struct files *files);
void tracedir_close(struct tracedir *t);
const char *tracedir_lacks(const struct tracedir *t);
const char *tracedir_stream_problem(enum stream_state state);
int tracedir_expect(const struct tracedir *t, const char *recorder);

const char *tracedir_meta(const struct tracedir *t, const char *key);
bool tracedir_meta_u64(const struct tracedir *t, const char *key,
		       uint64_t *value);
bool tracedir_meta_cpu(const struct tracedir *t, const char *key,
		       unsigned int cpu, uint64_t *value);

#endif /* KMEMTRACE_TRACEDIR_H */
