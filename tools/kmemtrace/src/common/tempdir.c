// SPDX-License-Identifier: GPL-2.0
/*
 * tempdir.c - a directory for a while
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/tempdir.h"

/**
 * tempdir_create - make a directory that is ours alone
 *
 * It is in $TMPDIR, or in /var/tmp, which is on a disk more often than /tmp: a trace
 * may be large.
 *
 * Return: its path, to free(); NULL, and errno, when there can be none.
 */
char *tempdir_create(void)
{
	const char *place = getenv("TMPDIR");
	char *path;

	if (!place || !*place)
		place = "/var/tmp";
	if (asprintf(&path, "%s/kmemtrace-XXXXXX", place) < 0)
		return NULL;
	if (mkdtemp(path))
		return path;
	free(path);
	return NULL;
}
