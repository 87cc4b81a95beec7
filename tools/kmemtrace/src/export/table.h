/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of a trace. Each has a file of its own.
 */
#ifndef KMEMTRACE_TABLE_H
#define KMEMTRACE_TABLE_H

#include "export/export.h"
#include "export/parquet.h"

/* The columns with which each table begins, which say what was traced. */
#define COMMON_COLUMNS					\
	{ "machine", PARQUET_TEXT, false },		\
	{ "kernel", PARQUET_TEXT, true },		\
	{ "boot_id", PARQUET_TEXT, true }
#define NR_COMMON	3

/* The columns with which tables of sums end, see table_add_figures(). */
#define FIGURE_COLUMNS					\
	{ "allocs", PARQUET_NUMBER, false },		\
	{ "frees", PARQUET_NUMBER, false },		\
	{ "remote_frees", PARQUET_NUMBER, false },	\
	{ "bytes_req", PARQUET_NUMBER, false },		\
	{ "bytes", PARQUET_NUMBER, false },		\
	{ "live", PARQUET_NUMBER, false },		\
	{ "live_bytes_req", PARQUET_NUMBER, false },	\
	{ "live_bytes", PARQUET_NUMBER, false },	\
	{ "peak_bytes", PARQUET_NUMBER, false }

/**
 * struct table_file - a table that is being written
 * @e: the export
 * @info: which one
 * @path: its file
 * @file: the file
 */
struct table_file {
	const struct export *e;
	const struct table_info *info;
	char *path;
	struct parquet *file;
};

/**
 * struct table_info - a table
 * @name: its name, and that of its file
 * @columns: its columns
 * @has_cells: it needs cells
 * @text: returns the text of a key in a column, from malloc(); NULL: null
 * @life: takes a life; NULL: lives are of no use
 * @end: adds rows once the trace was read; NULL: there are no more
 *
 * Functions return 0, or -errno after a message.
 */
struct table_info {
	const char *name;
	const struct parquet_column *columns;
	bool has_cells;
	char *(*text)(const struct table_file *t, size_t column, uint64_t key);
	int (*life)(struct table_file *t, const struct kmemtrace_life *life);
	int (*end)(struct table_file *t);
};

extern const struct table_info table_lives, table_sites, table_caches, table_cells, table_traces;

int table_open(struct table_file *t, const struct export *e, const struct table_info *info);
int table_close(struct table_file *t, int error);
void table_begin_row(struct table_file *t);
void table_add_figures(struct table_file *t, size_t column, const struct kmemtrace_row *row);
char *text_of_site(const struct table_file *t, uint64_t site);
char *text_of_space(uint64_t space);
char *text_of_cache(const struct table_file *t, uint64_t cache);
char *text_copy(const char *text);

#endif /* KMEMTRACE_TABLE_H */
