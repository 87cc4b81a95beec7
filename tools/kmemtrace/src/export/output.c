// SPDX-License-Identifier: GPL-2.0
/*
 * Files that an export creates.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
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
 * output_create - create a file
 * @path: the file; "-": the standard output
 *
 * Return: a descriptor, or -errno after a message.
 */
int output_create(const char *path)
{
	int fd;

	if (strcmp(path, STDIN_OPERAND))
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	else
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
	int ret, error, fd = output_create(path);
	FILE *out;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		return output_discard(path, -ENOMEM);
	}
	ret = write(arg, out);
	error = file_finish(out, 0);
	if (error && !ret)
		ret = output_fail(path, error);
	return output_discard(path, ret);
}

/**
 * output_discard - remove a file that is not complete
 * @path: the file that output_create() created
 * @error: why, as -errno; 0: it is complete, and stays
 *
 * Return: @error.
 */
int output_discard(const char *path, int error)
{
	if (error && strcmp(path, STDIN_OPERAND))
		unlink(path);
	return error;
}
