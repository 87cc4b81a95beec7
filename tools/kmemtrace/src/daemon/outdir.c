// SPDX-License-Identifier: GPL-2.0
/*
 * outdir.c - a place for a new trace, without harm to an old one
 *
 * The directory may belong to a user who is not trusted. It is opened once, files are
 * found from there, and each is created: a link that is in the place of a file is never
 * followed.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/file.h"
#include "common/names.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"

/* An index, which kmemtrace-report of version 0.1 wrote beside a trace. */
#define OLD_INDEX	"kmemtrace.index"

/* Call @fn for each name that a file of a trace may have, until it fails. */
static int for_each_file(int fd, int (*fn)(int fd, const char *name))
{
	int err = 0, fd2 = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd2 < 0 ? NULL : fdopendir(fd2);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir)))
		if (name_is_trace_file(entry->d_name) || !strcmp(entry->d_name, OLD_INDEX))
			err = fn(fd, entry->d_name);
	closedir(dir);
	return err;
}

static int refuse_file(int fd, const char *name)
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
 * outdir_create - create a file that is not there yet
 * @dir: the trace directory
 * @name: its name
 *
 * Return: a file descriptor, or -errno; -EEXIST where anything has the name, also a link
 * that leads nowhere.
 */
int outdir_create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);

	return fd < 0 ? -errno : fd;
}

/**
 * outdir_stream - create a file as a stream
 * @dir: as for outdir_create()
 * @name: as for outdir_create()
 * @out: result, which file_finish() ends; NULL after an error
 *
 * Return: 0, or -errno.
 */
int outdir_stream(int dir, const char *name, FILE **out)
{
	int fd = outdir_create(dir, name);

	*out = fd < 0 ? NULL : file_stream(fd);
	if (*out)
		return 0;
	return fd < 0 ? fd : -ENOMEM;
}

/* Call @print for a stream to a file, and close it. Return 0 or -errno. */
static int write_whole(int fd, int (*print)(FILE *out, void *arg), void *arg)
{
	FILE *out = file_stream(fd);
	int err;

	if (!out)
		return -ENOMEM;
	err = print(out, arg);
	if (!err && (fflush(out) || fsync(fd)))
		err = -errno;
	return file_finish(out, err);
}

/**
 * outdir_replace - write a file, and let it take the place of an older one in one step
 * @dir: the trace directory
 * @name: its name; it is called NAME.new until all of it is on the disk
 * @print: writes it; returns 0 or -errno
 * @arg: for @print
 *
 * Return: 0 or -errno; after an error the older file is still there.
 */
int outdir_replace(int dir, const char *name, int (*print)(FILE *out, void *arg), void *arg)
{
	char new[NAME_MAX + 1];
	int fd, err;

	snprintf(new, sizeof(new), "%s.new", name);
	/* Another run, or another user, may have left it. */
	if (unlinkat(dir, new, 0) && errno != ENOENT)
		return -errno;
	fd = outdir_create(dir, new);
	if (fd < 0)
		return fd;
	err = write_whole(fd, print, arg);
	if (!err && renameat(dir, new, dir, name))
		err = -errno;
	if (err)
		unlinkat(dir, new, 0);
	return err;
}

/**
 * outdir_reserve - take room on the disk of a trace
 * @dir: the trace directory
 * @bytes: how much
 *
 * Return: the descriptor of a file without a name, whose close() gives the room back; -1
 * where the filesystem has no such files or no room.
 */
int outdir_reserve(int dir, long bytes)
{
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0 && fallocate(fd, 0, 0, bytes)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Mount a new file system nowhere. Return its root, or -errno. */
static int mount_detached(const char *type)
{
	int root = -1, fs = syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);

	if (fs < 0)
		return -errno;
	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		root = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (root < 0)
		root = -errno;
	close(fs);
	return root;
}

/**
 * outdir_anonymous - make a directory in memory, which has no path
 *
 * It vanishes when its descriptor is closed, also if the process is killed. It needs no
 * writable directory, which a small system may lack. Every kernel has ramfs, and most have
 * tmpfs, which can be swapped out.
 *
 * Return: a file descriptor, or -errno.
 */
int outdir_anonymous(void)
{
	int fd = mount_detached("tmpfs");

	return fd == -ENODEV ? mount_detached("ramfs") : fd;
}

/**
 * outdir_clear - remove a trace
 * @fd: its directory; other files stay
 *
 * Return: 0 or -errno.
 */
int outdir_clear(int fd)
{
	return for_each_file(fd, delete);
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/**
 * outdir_open - create the directory of a trace, or take an existing one
 * @path: its name
 * @force: remove the trace that is in it; other files stay
 *
 * A trace has addresses of kernel objects: only its owner may read it. Who may write where the
 * directory is could put a link there, which leads anywhere: it is not followed. A slash behind
 * the name says that the user wants the directory that a link leads to.
 *
 * Return: a file descriptor, or -errno after a message.
 */
int outdir_open(const char *path, bool force)
{
	int err, fd = -1;

	if (mkdir(path, 0700) && errno != EEXIST)
		goto say_errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && is_link(path)) {
		say("%s: is a link; name the directory that it leads to, or write a slash behind the link",
		    path);
		return -ELOOP;
	}
	if (fd < 0 || faccessat(fd, ".", W_OK, AT_EACCESS))
		goto say_errno;
	err = for_each_file(fd, force ? delete : refuse_file);
	if (!err)
		return fd;
	if (err == -EEXIST)
		say("%s: holds a trace already; name another place, or overwrite it with -f",
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
