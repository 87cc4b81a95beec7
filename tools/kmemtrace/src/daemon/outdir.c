// SPDX-License-Identifier: GPL-2.0
/*
 * outdir.c - a place for a new trace, without harm to an old one
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/names.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"

/* Call @fn for each file of a trace, until it returns an error. */
static int for_each_file(int fd, int (*fn)(int fd, const char *name))
{
	int err = 0, fd2 = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd2 < 0 ? NULL : fdopendir(fd2);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir)))
		if (name_is_trace_file(entry->d_name))
			err = fn(fd, entry->d_name);
	closedir(dir);
	return err;
}

static int refuse(int fd, const char *name)
{
	(void)fd;
	(void)name;
	return -EEXIST;
}

static int delete(int fd, const char *name)
{
	return unlinkat(fd, name, 0) ? -errno : 0;
}

/**
 * outdir_clear - remove a trace
 * @fd: its directory, where other files stay
 *
 * Return: 0 or -errno.
 */
int outdir_clear(int fd)
{
	return for_each_file(fd, delete);
}

/**
 * outdir_open - create the directory of a trace, or take an existing one
 * @path: its name
 * @force: remove the trace that is in it; other files stay
 *
 * A trace tells where the kernel's objects lie: it is for its owner only.
 *
 * Return: a file descriptor, or -errno after telling the user why.
 */
int outdir_open(const char *path, bool force)
{
	int err, fd = -1;

	if (mkdir(path, 0700) && errno != EEXIST)
		goto say_errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || faccessat(fd, ".", W_OK, AT_EACCESS))
		goto say_errno;
	err = for_each_file(fd, force ? delete : refuse);
	if (!err)
		return fd;
	if (err == -EEXIST)
		say("%s: holds a trace already; -f overwrites it, -o names another place",
		    path);
	else
		say("%s: %s", path, strerror(-err));
	close(fd);
	return err;

say_errno:
	err = -errno;
	say("%s: %s", path, strerror(-err));
	if (fd >= 0)
		close(fd);
	return err;
}
