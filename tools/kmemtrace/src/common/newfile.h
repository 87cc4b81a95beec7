/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that gets its name once it is whole: nobody finds a part of it, whatever ends the program.
 */
#ifndef KMEMTRACE_NEWFILE_H
#define KMEMTRACE_NEWFILE_H

#include <stdbool.h>

/**
 * struct newfile - a file without a name
 * @fd: its descriptor; -1: there is no file to name
 * @path: its name
 * @hidden: its name until it is whole, where the file system has no files without one
 * @is_hidden: it has that name
 * @replaces: how the files begin that it may replace; NULL: it replaces none
 */
struct newfile {
	int fd;
	char *path, *hidden;
	bool is_hidden;
	const char *replaces;
};

int newfile_create(struct newfile *f, const char *path, const char *replaces);
int newfile_end(struct newfile *f, int error);

#endif /* KMEMTRACE_NEWFILE_H */
