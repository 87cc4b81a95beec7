/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_FILE_H
#define KMEMTRACE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

int file_read_line(int dir, const char *path, char *text, size_t size);
ssize_t file_read_text(int dir, const char *path, char *text, size_t size);
ssize_t file_read_at(int fd, void *buf, size_t len, uint64_t at);
int file_write_all(int fd, const void *data, size_t len);
int file_append(int dir, const char *name, const void *data, size_t len);
FILE *file_stream(int fd);
int file_finish(FILE *out, int err);

#endif /* KMEMTRACE_FILE_H */
