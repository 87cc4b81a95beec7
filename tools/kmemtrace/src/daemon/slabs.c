// SPDX-License-Identifier: GPL-2.0
/*
 * slabs.c - which names a slab cache has
 *
 * Caches that are alike share one. The trace has the names of those that are
 * made while it runs, but of one that was there before only the first; sysfs
 * has the others, as links.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/msg.h"
#include "daemon/slabs.h"

static FILE *create(int dir)
{
	int fd = openat(dir, "slabs",
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

/* What isn't a link is the cache itself. */
static void put_link(FILE *out, int sysfs, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(sysfs, name, target, sizeof(target) - 1);

	if (len < 0)
		return;
	target[len] = '\0';
	fprintf(out, "%s %s\n", name, target);
}

static int put_links(int dir, DIR *sysfs)
{
	FILE *out = create(dir);
	struct dirent *entry;
	int err;

	if (!out)
		return -errno;
	while ((entry = readdir(sysfs)))
		put_link(out, dirfd(sysfs), entry->d_name);
	err = ferror(out) ? -EIO : 0;
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/**
 * slabs_save - write a line "<alias> <target>" for each further name of a cache
 * @dir: the trace directory, where it becomes the file "slabs"
 * @sysfs: /sys/kernel/slab; a kernel that doesn't have it leaves no file
 *
 * Return: 0, or -errno after telling the user.
 */
int slabs_save(int dir, const char *sysfs)
{
	DIR *d = opendir(sysfs);
	int err;

	if (!d)
		return 0;
	err = put_links(dir, d);
	closedir(d);
	if (err)
		say("slabs: %s", strerror(-err));
	return err;
}
