/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of other programs. Each has a file of its own.
 *
 * Functions that can fail return 0, or -errno after a message.
 */
#ifndef KMEMTRACE_EXPORT_H
#define KMEMTRACE_EXPORT_H

#include "report/report.h"

/**
 * struct export - what to export, and where to
 * @r: the trace, its summary, and the source of its call sites
 * @path: the file or the folder to write, "-" for the standard output
 * @by_source: stacks are paths of the source, not calls
 * @host: name of the traced machine; NULL: the trace knows it
 * @tables: names of the relations to write, separated by commas; NULL: those of most use
 * @state: the format's own
 */
struct export {
	struct report r;
	const char *path;
	bool by_source;
	const char *host, *tables;
	void *state;
};

/**
 * struct format - a format
 * @name: as given on the command line
 * @path: what it writes by default
 * @is_folder: it writes a folder, else a file
 * @has_stacks: it has stacks of call sites
 * @has_tables: it has tables
 * @has_records: it has the records, to which filters don't apply
 * @begin: prepares before the trace is read; NULL: nothing to prepare
 * @end: writes what is known once the trace was read
 * @free: frees @state, also after an error; NULL: nothing to free
 */
struct format {
	const char *name, *path;
	bool is_folder, has_stacks, has_tables, has_records;
	int (*begin)(struct export *e);
	int (*end)(struct export *e);
	void (*free)(struct export *e);
};

extern const struct format format_books, format_ctf, format_parquet, format_pprof, format_speedscope;

bool tables_exist(const char *names);

#endif /* KMEMTRACE_EXPORT_H */
