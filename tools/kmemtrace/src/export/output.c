// SPDX-License-Identifier: GPL-2.0
/*
 * Files that an export creates.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/options.h"
#include "export/output.h"

/**
 * output_fail - say why a file can't be written
 * @path: the file
 * @error: why, as -errno
 *
 * Return: @error.
 */
int output_fail(const char *path, int error)
{
	warnx("%s: %s%s", strcmp(path, STDIN_OPERAND) ? path : "standard output",
	      strerror(-error), error == -EEXIST ? "; remove it, or name another" : "");
	return error;
}

/**
 * output_create - create a file, which has no name before output_finish()
 * @f: result
 * @path: its name; "-": the standard output
 *
 * Return: a descriptor, which the caller closes; or -errno after a message.
 */
int output_create(struct newfile *f, const char *path)
{
	int fd;

	if (strcmp(path, STDIN_OPERAND)) {
		fd = newfile_create(f, path, NULL);
		return fd < 0 ? output_fail(path, fd) : fd;
	}
	*f = (struct newfile) { .fd = -1 };
	fd = dup(STDOUT_FILENO);
	return fd < 0 ? output_fail(path, -errno) : fd;
}

/**
 * output_write - create a file, and let a function write it
 * @path: the file; "-": the standard output
 * @write: the function; returns 0, or -errno after a message
 * @arg: for @write
 *
 * Return: 0, or -errno after a message; then there is no file.
 */
int output_write(const char *path, int (*write)(void *arg, FILE *out), void *arg)
{
	struct newfile f;
	int ret, error, fd = output_create(&f, path);
	FILE *out;

	if (fd < 0)
		return fd;
	out = file_stream(fd);
	ret = out ? write(arg, out) : output_fail(path, -ENOMEM);
	error = file_finish(out, 0);
	if (error && !ret)
		ret = output_fail(path, error);
	return output_finish(&f, path, ret);
}

/**
 * output_finish - give a file its name, or remove it
 * @f: the file
 * @path: its name
 * @error: why it is not whole, as -errno, after a message; 0: it is
 *
 * Return: @error, or -errno after a message.
 */
int output_finish(struct newfile *f, const char *path, int error)
{
	int ret = newfile_end(f, error);

	return ret && !error ? output_fail(path, ret) : ret;
}
