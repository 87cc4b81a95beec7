// SPDX-License-Identifier: GPL-2.0
/*
 * file.c - small files and whole writes
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"

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
 * file_read_text - read a small file
 * @dir: directory that @path is relative to
 * @path: the file
 * @text: its whole lines; a 0 ends them
 * @size: bytes of @text; a longer file is cut
 *
 * Return: the bytes of the text, or -errno.
 */
ssize_t file_read_text(int dir, const char *path, char *text, size_t size)
{
	int err = 0, fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 1;

	text[0] = '\0';
	if (fd < 0)
		return -errno;
	while (n > 0 && len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0)
			err = -errno;
		else
			len += n;
	}
	close(fd);
	while (len && text[len - 1] != '\n')
		len--;
	text[len] = '\0';
	return err ? err : (ssize_t)len;
}

/**
 * file_read_at - read bytes at an offset
 * @fd: the file
 * @buf: receives the bytes
 * @len: how many
 * @at: where in the file they begin
 *
 * Return: how many were read, less than @len at the end of the file only; or -errno.
 */
ssize_t file_read_at(int fd, void *buf, size_t len, uint64_t at)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < len && n) {
		n = pread(fd, (char *)buf + done, len - done, at + done);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += n;
	}
	return done;
}

/**
 * file_write_all - write all bytes
 * @fd: the file
 * @data: the bytes
 * @len: how many
 *
 * Return: 0 or -errno; a part may have been written then.
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

/**
 * file_append - append data to a file, which is opened for that
 * @dir: directory that has it; a link in its place is not followed
 * @name: its name
 * @data: the data
 * @len: bytes of @data
 *
 * Return: 0 or -errno; part of the data may have been written then.
 */
int file_append(int dir, const char *name, const void *data, size_t len)
{
	int ret, fd = openat(dir, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = file_write_all(fd, data, len);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/**
 * struct unbroken - a stream to a file
 * @fd: its descriptor
 * @error: why it can't be written, as -errno; 0: it can
 */
struct unbroken {
	int fd, error;
};

/* See fopencookie(3). After an error, nothing is written: the file would have a gap. */
static ssize_t unbroken_write(void *cookie, const char *bytes, size_t size)
{
	struct unbroken *u = cookie;

	if (!u->error)
		u->error = file_write_all(u->fd, bytes, size);
	if (u->error)
		errno = -u->error;
	return u->error ? 0 : size;
}

static int unbroken_close(void *cookie)
{
	struct unbroken *u = cookie;
	int error = u->error;

	if (close(u->fd) && !error)
		error = -errno;
	free(u);
	if (error)
		errno = -error;
	return error ? -1 : 0;
}

/**
 * file_stream - open a stream that writes to a file, as fdopen() does
 * @fd: the file, which fclose() closes; it is closed after an error, too
 *
 * A signal does not end a write. The first error stays until fclose(), which has it in errno.
 *
 * Return: the stream; NULL, and errno.
 */
FILE *file_stream(int fd)
{
	struct unbroken *u = malloc(sizeof(*u));
	FILE *out = NULL;

	if (u) {
		*u = (struct unbroken) { .fd = fd };
		out = fopencookie(u, "w", (cookie_io_functions_t) {
			.write = unbroken_write, .close = unbroken_close,
		});
	}
	if (!out) {
		free(u);
		close(fd);
		errno = ENOMEM;
	}
	return out;
}

/**
 * file_finish - write what a file has in its buffer, and close it
 * @out: the file, of file_stream(), or NULL
 * @err: an error that happened before, or 0
 *
 * Return: @err; or if there is none, 0 or -errno of what was written.
 */
int file_finish(FILE *out, int err)
{
	if (!out)
		return err;
	if (fclose(out) && !err)
		err = -errno;
	return err;
}
