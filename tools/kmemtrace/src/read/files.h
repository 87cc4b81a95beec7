/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a trace, in a directory or from a stream.
 */
#ifndef KMEMTRACE_FILES_H
#define KMEMTRACE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/context.h"
#include "common/text.h"

struct files;
struct spool;
struct spool_watch;

/**
 * struct file - a file of a trace, open to be read
 * @size: its bytes when it was opened; nothing behind them is read
 */
struct file {
	uint64_t size;

	/* private: */
	struct files *files;
	char *name;
	int fd;
	const struct spooled *spooled;
};

int files_open(struct files **files, struct context *ctx, const char *path,
	       const char *label);
int files_open_fd(struct files **files, struct context *ctx, int dir, const char *label);
int files_open_here(struct files **files, struct context *ctx);
int files_open_stream(struct files **files, struct context *ctx, FILE *in,
		      const char *label, const struct spool_watch *watch);
int files_begin_stream(struct files **files, struct context *ctx, FILE *in,
		       const char *label, const struct spool_watch *watch);
struct spool *files_stream(const struct files *files);
struct files *files_get(struct files *files);
void files_put(struct files *files);

const char *files_label(const struct files *files);
char *files_label_of(const struct files *files, const char *name);
int files_each(struct files *files, struct context *ctx,
	       int (*each)(void *arg, const char *name), void *arg);
int files_read(struct files *files, struct context *ctx, const char *name, size_t max,
	       struct text *text);
int files_read_on(struct files *files, struct context *ctx, const char *name, size_t max,
		  size_t from, struct text *text);
bool files_grow(const struct files *files);

bool files_in_directory(const struct files *files);

int file_open(struct file *f, struct files *files, struct context *ctx, const char *name);
ssize_t file_read(const struct file *f, void *buf, size_t len, uint64_t at);
void file_update(struct file *f);
void file_close(struct file *f);

#endif /* KMEMTRACE_FILES_H */
