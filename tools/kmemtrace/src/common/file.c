// SPDX-License-Identifier: GPL-2.0
/*
 * file.c - small files and whole writes
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/message.h"

/**
 * file_read_line - read the first line of a small file
 * @dir: directory that @path is relative to
 * @path: the file
 * @text: the line, without its newline
 * @size: bytes of @text; a longer line is cut
 *
 * Return: 0 or -errno.
 */
int file_read_line(int dir, const char *path, char *text, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	text[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	err = -errno;
	close(fd);
	if (n < 0)
		return err;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/**
 * file_open_regular - open a file of a trace to be read
 * @path: its name
 *
 * What else may have the name is refused: a FIFO without a writer would have us
 * wait for ever.
 *
 * Return: a file descriptor, or -errno after a message, which -ENOENT has not.
 */
int file_open_regular(const char *path)
{
	int err, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		err = -errno;
		if (err != -ENOENT)
			message_errno("%s: open", path);
		return err;
	}
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	message("%s: not a regular file", path);
	close(fd);
	return -EINVAL;
}

/* No symbols, nor anything else that is read whole, are as many bytes. */
#define MAX_STREAM	(256 << 20)

/**
 * file_open_stream - the same as a stream, of a file that need not exist
 * @path: its name, of one that is read whole
 * @f: result, to be closed; NULL where there is no such file
 *
 * Return: 0, or -errno after a message, which -ENOMEM has not.
 */
int file_open_stream(const char *path, FILE **f)
{
	int fd = file_open_regular(path);
	struct stat st;

	*f = NULL;
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	if (!fstat(fd, &st) && st.st_size > MAX_STREAM) {
		message("%s: has %jd bytes, and no such file has more than %d",
			path, (intmax_t)st.st_size, MAX_STREAM);
		close(fd);
		return -EFBIG;
	}
	*f = fdopen(fd, "r");
	if (*f)
		return 0;
	close(fd);
	return -ENOMEM;
}

/**
 * file_write_all - write all of it
 * @fd: to this file
 * @data: these bytes
 * @len: so many
 *
 * Return: 0 or -errno; then a part may have been written.
 */
int file_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	for (; len; p += n, len -= n) {
		n = write(fd, p, len);
		if (n < 0) {
			if (errno != EINTR)
				return -errno;
			n = 0;
		}
	}
	return 0;
}
