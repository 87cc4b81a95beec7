// SPDX-License-Identifier: GPL-2.0
/*
 * tempfile.c - a temporary file without a name
 *
 * It is in $TMPDIR, or in /var/tmp, which is on a disk more often than /tmp: a trace may be
 * large.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/tempfile.h"

static const char *place(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

/* Make a file and remove its name, where the file system knows no other way. */
static int create_and_unlink(void)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/kmemtrace-XXXXXX", place()) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

/**
 * tempfile_create - make a file without a name, which is gone once it is closed
 *
 * Return: a file descriptor; -1, and errno, where none can be made.
 */
int tempfile_create(void)
{
	int fd = open(place(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : create_and_unlink();
}
