/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The index of a stored trace: the state of its reading at some moments, so that a part of
 * the trace can be read without all that comes before.
 *
 * The file has a frame of zstd for each moment, a frame with their table, and a struct
 * index_end. It is valid for one program and one trace: a new program needs a new index, and so
 * does a trace that has changed.
 */
#ifndef KMEMTRACE_INDEX_H
#define KMEMTRACE_INDEX_H

#include "api/trace.h"
#include "common/archive.h"
#include "common/names.h"
#include "read/merge.h"
#include "read/streams.h"

/**
 * struct index_frame - a compressed piece of the file
 * @at: where it begins
 * @stored: its bytes in the file
 * @bytes: bytes of its contents
 */
struct index_frame {
	uint64_t at, stored, bytes;
};

/**
 * struct index_end - the end of the file
 * @table: the frame of the table
 * @magic: "kmtindex"
 */
struct index_end {
	struct index_frame table;
	char magic[8];
};

/**
 * struct index_point - a moment
 * @time: time of the last record that was read; all records before it were taken
 * @frame: the state
 */
struct index_point {
	int64_t time;
	struct index_frame frame;
};

/**
 * struct index - the index of a trace while it is written or used
 * @t: the trace
 * @s: its streams
 * @m: the merged streams
 * @files: what the streams and other files were when they were opened
 * @points: the moments, by time
 * @nr: number of @points
 * @pause_after: changes until the next moment
 * @is_valid: the trace has its maps
 * @why_not: why it can't be used
 *
 * @file: the file that is read
 *
 * Only one that is written has the members below.
 * @fd: the file, -1: there is none
 * @at: bytes that were written
 */
struct index {
	struct trace *t;
	struct streams *s;
	struct merge *m;
	struct archive files;
	struct index_point *points;
	size_t nr;
	uint64_t pause_after;
	bool is_valid;
	const char *why_not;
	struct file file;

	int fd;
	uint64_t at;
};

int index_begin(struct index *ix, struct trace *t, struct streams *s, struct merge *m);
int index_add(struct index *ix, bool is_taken);
int index_end(struct index *ix);

int index_open(struct index *ix, struct trace *t, struct streams *s);
int index_go_to(struct index *ix, struct merge *m, const struct index_point *point);
const struct index_point *index_find(const struct index *ix, int64_t until);
void index_close(struct index *ix);

#endif /* KMEMTRACE_INDEX_H */
