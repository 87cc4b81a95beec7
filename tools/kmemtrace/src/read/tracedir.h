/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace directory as kmemtraced leaves it: cpu<n>.out or cpu<n>.out.zst, metadata,
 * kallsyms, modules, slabs. All but the streams may be missing.
 */
#ifndef KMEMTRACE_TRACEDIR_H
#define KMEMTRACE_TRACEDIR_H

#include <stdbool.h>
#include <stdint.h>

#include "read/event.h"

/**
 * struct trace_cpu - one CPU of a trace directory
 * @cpu: its number
 * @path: its stream, NULL when the metadata knows the CPU but no file is there
 * @name: of that for messages
 */
struct trace_cpu {
	unsigned int cpu;
	char *path;
	char *name;
};

/**
 * struct tracedir - what is in a trace directory
 * @path: the directory
 * @name: of that for messages
 * @cpus: by number, missing ones included
 * @nr_cpus: entries in @cpus
 * @nr_missing: entries of @cpus without a file
 * @has_metadata: the file "metadata" is there
 * @abi_version: of the streams; 0 without metadata, see event_abi() then
 * @order: byte order, ORDER_UNKNOWN without metadata
 * @word_bits: 32, 64, or 0 without metadata
 * @page_size: bytes; 4096 without metadata
 * @meta: key and value pairs, by key; those with one key by where they stood
 * @nr_meta: entries in @meta
 */
struct tracedir {
	char *path;
	const char *name;
	struct trace_cpu *cpus;
	size_t nr_cpus;
	size_t nr_missing;
	bool has_metadata;
	unsigned int abi_version;
	enum byte_order order;
	unsigned int word_bits;
	uint64_t page_size;
	struct meta {
		char *key;
		char *value;
		size_t line;
	} *meta;
	size_t nr_meta;
};

int tracedir_open(struct tracedir *t, const char *path, const char *name);
void tracedir_close(struct tracedir *t);
bool tracedir_holds_trace(const char *path);
char *tracedir_file(const struct tracedir *t, const char *name);

const char *tracedir_meta(const struct tracedir *t, const char *key);
bool tracedir_meta_u64(const struct tracedir *t, const char *key,
		       uint64_t *value);
bool tracedir_meta_cpu(const struct tracedir *t, const char *key,
		       unsigned int cpu, uint64_t *value);

#endif /* KMEMTRACE_TRACEDIR_H */
