// SPDX-License-Identifier: GPL-2.0
/*
 * slabs.c - save the names of slab caches that were merged
 *
 * The allocator merges caches with the same properties. The trace has the name of each
 * cache that is created while tracing is on. For an older cache, it has only one name;
 * sysfs has the other names as links.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/slabs.h"

/*
 * Print a link; an entry that is no link is the cache itself. A cache may be destroyed
 * meanwhile. Returns 0 or -errno.
 */
static int print_cache_link(FILE *out, int sysfs, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(sysfs, name, target, sizeof(target) - 1);

	if (len < 0)
		return errno == EINVAL || errno == ENOENT ? 0 : -errno;
	target[len] = '\0';
	fprintf(out, "%s %s\n", name, target);
	return 0;
}

static int save_links(int dir, DIR *sysfs)
{
	struct dirent *entry;
	FILE *out;
	int err = outdir_stream(dir, "slabs", &out);

	if (err)
		return err;
	while (!err && (entry = readdir(sysfs)))
		err = print_cache_link(out, dirfd(sysfs), entry->d_name);
	return file_finish(out, err);
}

/**
 * slabs_save - write a line "<alias> <target>" for each further name of a cache
 * @dir: the trace directory, which gets the file "slabs"
 * @sysfs: /sys/kernel/slab; where the kernel doesn't have it, no file is created
 *
 * Return: 0, or -errno after a message.
 */
int slabs_save(int dir, const char *sysfs)
{
	DIR *d = opendir(sysfs);
	int err;

	if (!d)
		return 0;
	err = save_links(dir, d);
	closedir(d);
	if (err)
		say("slabs: %s", strerror(-err));
	return err;
}
