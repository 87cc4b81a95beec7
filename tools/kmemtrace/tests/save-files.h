/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write the files of a trace that came as a stream into a directory.
 */
#ifndef KMEMTRACE_SAVE_FILES_H
#define KMEMTRACE_SAVE_FILES_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "read/files.h"

struct saving {
	struct files *files;
	struct context *ctx;
	const char *dir;
};

static inline int save_file(void *arg, const char *name)
{
	const struct saving *s = arg;
	char path[4096], buf[4096];
	uint64_t at = 0;
	struct file f;
	ssize_t n;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	out = fopen(path, "we");
	if (!out || file_open(&f, s->files, s->ctx, name))
		err(2, "%s", path);
	while ((n = file_read(&f, buf, sizeof(buf), at)) > 0) {
		at += n;
		fwrite(buf, 1, n, out);
	}
	file_close(&f);
	if (fclose(out))
		err(2, "%s", path);
	return 0;
}

static inline void save_files(struct files *files, struct context *ctx, const char *dir)
{
	struct saving s = { files, ctx, dir };

	files_each(files, ctx, save_file, &s);
}

#endif /* KMEMTRACE_SAVE_FILES_H */
