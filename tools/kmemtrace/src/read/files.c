// SPDX-License-Identifier: GPL-2.0
/*
 * files.c - the files of a trace, in a directory or from a stream
 *
 * A machine may have more CPUs than a process may have open files: only some files stay
 * open, the others are opened for each read.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "read/files.h"
#include "read/spool.h"

/* The part of the open files that a process may have, and the largest number. */
#define OPEN_PART	4
#define MAX_OPEN	1024

/**
 * struct files - the place of the files
 * @users: references
 * @spool: they come as a stream; NULL: they don't
 * @dir: the directory, or AT_FDCWD
 * @label: what messages call it; NULL: they have the names of its files alone
 * @nr_open: files that stay open
 * @max_open: the most that may
 */
struct files {
	atomic_uint users;
	struct spool *spool;
	int dir;
	char *label;
	atomic_uint nr_open;
	unsigned int max_open;
};

static unsigned int max_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / OPEN_PART > MAX_OPEN)
		return MAX_OPEN;
	return limit.rlim_cur / OPEN_PART;
}

static void free_files(struct files *files)
{
	if (files->dir >= 0)
		close(files->dir);
	if (files->spool)
		spool_free(files->spool);
	free(files->spool);
	free(files->label);
	free(files);
}

/* Takes @dir, also where it fails. */
static int new_files(struct files **files, struct context *ctx, int dir,
		     const char *label)
{
	struct files *new = context_calloc(ctx, 1, sizeof(*new));

	*files = NULL;
	if (!new) {
		if (dir >= 0)
			close(dir);
		return -ENOMEM;
	}
	atomic_init(&new->users, 1);
	new->dir = dir;
	new->max_open = max_open();
	if (label) {
		new->label = strdup(label);
		if (!new->label) {
			free_files(new);
			return context_fail(ctx, -ENOMEM);
		}
	}
	*files = new;
	return 0;
}

/**
 * files_open - find the files of a trace in a directory
 * @files: result, the caller calls files_put()
 * @ctx: the context of the trace
 * @path: the directory
 * @label: what messages call it
 *
 * Return: 0, or -errno after a message.
 */
int files_open(struct files **files, struct context *ctx, const char *path,
	       const char *label)
{
	int err, dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*files = NULL;
	if (dir >= 0)
		return new_files(files, ctx, dir, label);
	err = -errno;
	if (err == -ENOTDIR)
		context_say(ctx, "%s: is no folder; name the folder that has the files of the trace",
			    label);
	else
		context_say_errno(ctx, "%s: open", label);
	return err;
}

/* files_open() of a directory that is open; the descriptor stays the caller's. */
int files_open_fd(struct files **files, struct context *ctx, int dir, const char *label)
{
	int err, fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*files = NULL;
	if (fd >= 0)
		return new_files(files, ctx, fd, label);
	err = -errno;
	context_say_errno(ctx, "%s: open", label);
	return err;
}

/* files_open() of the working directory, where a file may be anywhere. */
int files_open_here(struct files **files, struct context *ctx)
{
	return new_files(files, ctx, AT_FDCWD, NULL);
}

/**
 * files_begin_stream - begin to read a trace that kmemtraced -o - writes
 * @files: result, the caller calls files_put()
 * @ctx: the context of the trace
 * @in: the stream, which stays the caller's and must stay until it has ended; NULL: the caller
 *	passes it on
 * @label: what messages call it
 * @watch: as for files_open_stream(); must stay as long
 *
 * spool_pull() of files_stream() reads the stream, or spool_put() takes it.
 *
 * Return: 0 or -errno.
 */
int files_begin_stream(struct files **files, struct context *ctx, FILE *in,
		       const char *label, const struct spool_watch *watch)
{
	int ret = new_files(files, ctx, -1, label);

	if (ret)
		return ret;
	(*files)->spool = context_calloc(ctx, 1, sizeof(*(*files)->spool));
	if ((*files)->spool) {
		spool_begin((*files)->spool, ctx, in, (*files)->label, watch);
		return 0;
	}
	files_put(*files);
	*files = NULL;
	return -ENOMEM;
}

/**
 * files_open_stream - read a trace that kmemtraced -o - writes
 * @files: result, the caller calls files_put()
 * @ctx: the context of the trace
 * @in: the stream, which stays the caller's
 * @label: what messages call it
 * @watch: callback that follows the reading; NULL: the callback of @ctx ends it
 *
 * The stream stays in memory; what has no room there goes to a temporary file. If it ends
 * before the trace does, see files_stream(), the files contain the part that arrived.
 *
 * Return: 0, or -errno after a message.
 */
int files_open_stream(struct files **files, struct context *ctx, FILE *in,
		      const char *label, const struct spool_watch *watch)
{
	int ret = files_begin_stream(files, ctx, in, label, watch);

	if (!ret)
		ret = spool_pull_all((*files)->spool);
	if (ret) {
		files_put(*files);
		*files = NULL;
	}
	return ret;
}

/* Return the spool of the stream; NULL: the files are elsewhere. */
struct spool *files_stream(const struct files *files)
{
	return files->spool;
}

/* Take another reference. */
struct files *files_get(struct files *files)
{
	atomic_fetch_add(&files->users, 1);
	return files;
}

/* Drop a reference; NULL is fine. */
void files_put(struct files *files)
{
	if (files && atomic_fetch_sub(&files->users, 1) == 1)
		free_files(files);
}

/* Return the name of the place for messages; NULL: it has none. */
const char *files_label(const struct files *files)
{
	return files->label;
}

/* Return the name of a file for messages, to be freed; NULL: no memory. */
char *files_label_of(const struct files *files, const char *name)
{
	char *label;

	if (!files->label)
		return strdup(name);
	return asprintf(&label, "%s/%s", files->label, name) < 0 ? NULL : label;
}

/* Emit a message about a file. */
static void say_of(const struct files *files, struct context *ctx, const char *name,
		   const char *text)
{
	const char *label = files->label;

	context_say(ctx, "%s%s%s: %s", label ? label : "", label ? "/" : "", name, text);
}

/**
 * files_each - call a function for each file
 * @files: where they are
 * @ctx: the context of the trace
 * @each: gets the name; a return value other than 0 ends it
 * @arg: for @each
 *
 * Return: 0; what @each returned; or -errno after a message.
 */
int files_each(struct files *files, struct context *ctx,
	       int (*each)(void *arg, const char *name), void *arg)
{
	struct dirent *entry;
	int ret = 0, fd;
	DIR *dir;

	if (files->spool)
		return spool_each(files->spool, each, arg);
	fd = openat(files->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		ret = -errno;
		context_say_errno(ctx, "%s: open", files->label);
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (entry = readdir(dir)))
		ret = each(arg, entry->d_name);
	closedir(dir);
	return ret;
}

/* O_NONBLOCK: a FIFO without a writer must not block. */
static int open_at(const struct files *files, const char *name)
{
	return openat(files->dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* Return whether another file may stay open. */
static bool take_place(struct files *files)
{
	if (atomic_fetch_add(&files->nr_open, 1) < files->max_open)
		return true;
	atomic_fetch_sub(&files->nr_open, 1);
	return false;
}

static int open_spooled(struct file *f, const char *name)
{
	f->spooled = spool_find(f->files->spool, name);
	if (!f->spooled)
		return -ENOENT;
	f->size = f->spooled->size;
	return 0;
}

static int open_regular(struct file *f, struct context *ctx, const char *name)
{
	int err, fd = open_at(f->files, name);
	struct stat st;

	err = fd < 0 || fstat(fd, &st) ? -errno : 0;
	if (err && err != -ENOENT)
		say_of(f->files, ctx, name, strerror(-err));
	if (!err && !S_ISREG(st.st_mode)) {
		say_of(f->files, ctx, name, "not a regular file");
		err = -EINVAL;
	}
	if (!err)
		f->size = st.st_size;
	if (!err && take_place(f->files))
		f->fd = fd;
	else if (fd >= 0)
		close(fd);
	return err;
}

/**
 * file_open - open a file of a trace
 * @f: result; file_close() it also after an error
 * @files: where it is
 * @ctx: the context of the trace
 * @name: its name
 *
 * Return: 0; -ENOENT: there is none; or -errno after a message.
 */
int file_open(struct file *f, struct files *files, struct context *ctx, const char *name)
{
	*f = (struct file) { .files = files, .fd = -1, .name = strdup(name) };
	if (!f->name)
		return context_fail(ctx, -ENOMEM);
	if (files->spool)
		return open_spooled(f, name);
	return open_regular(f, ctx, name);
}

/**
 * file_read - read bytes of a file
 * @f: the file
 * @buf: receives the bytes
 * @len: how many
 * @at: where in the file they begin
 *
 * Return: how many were read, less than @len at the end of the file only; or -errno.
 */
ssize_t file_read(const struct file *f, void *buf, size_t len, uint64_t at)
{
	int fd = f->fd;
	ssize_t ret;

	if (at >= f->size)
		return 0;
	if (len > f->size - at)
		len = f->size - at;
	if (f->spooled)
		return spooled_read(f->files->spool, f->spooled, buf, len, at);
	if (fd < 0)
		fd = open_at(f->files, f->name);
	if (fd < 0)
		return -errno;
	ret = file_read_at(fd, buf, len, at);
	if (f->fd < 0)
		close(fd);
	return ret;
}

/* Return whether the files are in a directory. */
bool files_in_directory(const struct files *files)
{
	return !files->spool;
}

/* Let a file of a stream that arrives have the bytes that it has by now. */
void file_update(struct file *f)
{
	if (f->spooled)
		f->size = f->spooled->size;
}

/* Undo file_open(), also after an error; do nothing if @f is zeroed. */
void file_close(struct file *f)
{
	if (f->files && f->fd >= 0) {
		close(f->fd);
		atomic_fetch_sub(&f->files->nr_open, 1);
	}
	free(f->name);
	*f = (struct file) { .fd = -1 };
}

/* Make room for @size bytes, of which the text has some. */
static char *grow_text(struct context *ctx, char *old, size_t size)
{
	return old ? context_realloc(ctx, old, 1, size) : context_large(ctx, size);
}

static int read_text_of(const struct file *f, struct context *ctx, size_t max, size_t from,
			struct text *text)
{
	char why[96], *at;
	ssize_t n;

	if (f->size > max) {
		snprintf(why, sizeof(why), "has %ju bytes, the limit is %zu",
			 (uintmax_t)f->size, max);
		say_of(f->files, ctx, f->name, why);
		return -EFBIG;
	}
	at = grow_text(ctx, text->at, f->size + 1);
	if (!at)
		return -ENOMEM;
	text->at = at;
	n = f->size > from ? file_read(f, at + from, f->size - from, from) : 0;
	if (n < 0) {
		say_of(f->files, ctx, f->name, strerror(-n));
		return n;
	}
	text->end = at + from + n;
	*text->end = '\0';
	return 0;
}

/**
 * files_read_on - read what follows the bytes of a small file that were read before
 * @files: where it is
 * @ctx: the context of the trace
 * @name: its name
 * @max: bytes that it may have
 * @from: bytes that were read before
 * @text: its @at has them, or is NULL; result: @at, with all bytes, is to be freed, also after
 *	an error
 *
 * Return: 0; -ENOENT: there is no such file; or -errno after a message.
 */
int files_read_on(struct files *files, struct context *ctx, const char *name, size_t max,
		  size_t from, struct text *text)
{
	struct file f;
	int ret = file_open(&f, files, ctx, name);

	if (!ret)
		ret = read_text_of(&f, ctx, max, from, text);
	file_close(&f);
	return ret;
}

/**
 * files_read - read all of a small file
 * @files: where it is
 * @ctx: the context of the trace
 * @name: its name
 * @max: bytes that it may have
 * @text: result; its @at is to be freed, and NULL where there is no such file
 *
 * Return: 0, also where there is no such file; or -errno after a message.
 */
int files_read(struct files *files, struct context *ctx, const char *name, size_t max,
	       struct text *text)
{
	int ret;

	*text = (struct text) { .at = NULL };
	ret = files_read_on(files, ctx, name, max, 0, text);
	if (ret) {
		free(text->at);
		text->at = NULL;
	}
	return ret == -ENOENT ? 0 : ret;
}

/* Return whether a file may still get more bytes. */
bool files_grow(const struct files *files)
{
	return files->spool && !files->spool->is_over;
}
