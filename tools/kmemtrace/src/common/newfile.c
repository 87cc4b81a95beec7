// SPDX-License-Identifier: GPL-2.0
/*
 * newfile.c - a file that gets its name once it is whole
 *
 * It has no name until then, so that nothing is left of it if the program is killed. Some file
 * systems have no such files: there it is called PATH.PID.new. No other process uses that name.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/newfile.h"

static int open_nameless(const char *path, mode_t mode)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode) : -1;

	free(copy);
	return fd;
}

static int open_new(struct newfile *f, const char *path, mode_t mode)
{
	f->path = strdup(path);
	if (!f->path || asprintf(&f->hidden, "%s.%d.new", path, getpid()) < 0) {
		f->hidden = NULL;
		return -ENOMEM;
	}
	f->fd = open_nameless(path, mode);
	if (f->fd >= 0)
		return 0;
	f->fd = open(f->hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	f->is_hidden = f->fd >= 0;
	return f->fd < 0 ? -errno : 0;
}

/* Prepare a file in the place of one, which a link may lead to, with the same permissions. */
static int open_in_place(struct newfile *f, const char *path, mode_t mode)
{
	char *target = realpath(path, NULL);
	int ret = target ? open_new(f, target, mode) : -errno;

	free(target);
	if (!ret && fchmod(f->fd, mode))
		ret = -errno;
	return ret;
}

/* Return whether a file is empty, or begins with @text. */
static bool begins_with(const char *path, const char *text)
{
	const size_t len = strlen(text);
	char *begin = malloc(len + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = begin && fd >= 0 ? file_read_at(fd, begin, len, 0) : -1;
	const bool is_same = !n || (n == (ssize_t)len && !memcmp(begin, text, len));

	if (fd >= 0)
		close(fd);
	free(begin);
	return is_same;
}

/* Return -EEXIST if something has a name that a new file must not replace, or 0. */
static int find_other(const char *path, const char *replaces)
{
	struct stat st;

	if (replaces ? stat(path, &st) : lstat(path, &st))
		return 0;
	if (!replaces || S_ISBLK(st.st_mode))
		return -EEXIST;
	return S_ISREG(st.st_mode) && !begins_with(path, replaces) ? -EEXIST : 0;
}

/**
 * newfile_create - create a file, which newfile_end() gives its name
 * @f: result
 * @path: its name
 * @replaces: it may replace a file that is empty or begins with this text, which must stay valid;
 *	NULL: it replaces none. A pipe and a terminal are opened, if it replaces any
 *
 * Only the owner may read a new file, which has addresses of the kernel, unless it @replaces
 * others: then the umask holds.
 *
 * Return: a descriptor to write to, which the caller closes; or -errno. -EEXIST: there is another
 * file.
 */
int newfile_create(struct newfile *f, const char *path, const char *replaces)
{
	struct stat st;
	const bool exists = !stat(path, &st);
	int fd, ret = find_other(path, replaces);

	*f = (struct newfile) { .fd = -1 };
	if (ret)
		return ret;
	if (exists && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	ret = exists ? open_in_place(f, path, st.st_mode & 0777) :
		       open_new(f, path, replaces ? 0666 : 0600);
	f->replaces = replaces;
	fd = ret ? -1 : fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return newfile_end(f, ret ? ret : -errno);
	return fd;
}

/* Let the file have the name @name, unless there is a file of this name. */
static int link_nameless(const struct newfile *f, const char *name)
{
	char proc[64];

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", f->fd);
	return linkat(AT_FDCWD, proc, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Replace a file that has the name already in one step. */
static int give_name(struct newfile *f)
{
	if (!f->is_hidden && !link_nameless(f, f->path))
		return 0;
	if (!f->is_hidden && errno == EEXIST && f->replaces)
		f->is_hidden = !link_nameless(f, f->hidden);
	if (!f->is_hidden || rename(f->hidden, f->path))
		return -errno;
	f->is_hidden = false;
	return 0;
}

/* Block all signals: a program that ends before the rename would leave the hidden name. */
static int give_name_undisturbed(struct newfile *f)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = give_name(f);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

/**
 * newfile_end - give a file its name, or remove it
 * @f: the file, to which all was written
 * @error: why it is not whole, as -errno; 0: it is
 *
 * Whoever finds the name finds all bytes, after a power cut, too.
 *
 * Return: @error, or -errno. -EEXIST: there is another file by now.
 */
int newfile_end(struct newfile *f, int error)
{
	if (!error && f->fd >= 0 && fsync(f->fd) && errno != EINVAL)
		error = -errno;
	/* Another program may have made a file of this name since. */
	if (!error && f->fd >= 0)
		error = find_other(f->path, f->replaces);
	if (!error && f->fd >= 0)
		error = give_name_undisturbed(f);
	if (f->is_hidden)
		unlink(f->hidden);
	if (f->fd >= 0)
		close(f->fd);
	free(f->hidden);
	free(f->path);
	*f = (struct newfile) { .fd = -1 };
	return error;
}
