// SPDX-License-Identifier: GPL-2.0
/*
 * mounts.c - find a file system
 */
#include "config.h"

#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "daemon/mounts.h"

/**
 * mounts_find - find where a file system is mounted
 * @type: its type, such as "debugfs"
 * @path: result
 * @size: bytes of @path
 *
 * Return: 0 or -errno. -ENODEV: it is not mounted.
 */
int mounts_find(const char *type, char *path, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	int err = -ENODEV;

	if (!mounts)
		return -errno;
	while ((m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, type))
			break;
	if (m)
		err = snprintf(path, size, "%s", m->mnt_dir) < (int)size ? 0 : -ENAMETOOLONG;
	endmntent(mounts);
	return err;
}
