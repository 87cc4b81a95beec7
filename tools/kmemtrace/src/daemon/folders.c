// SPDX-License-Identifier: GPL-2.0
/*
 * folders.c - the directories of a chain of traces, and the books between them
 *
 * kmemtrace-export reads the trace that has ended and writes its books into the directory of
 * the next one, while that is being recorded. See common/booksfile.h.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/booksfile.h"
#include "daemon/command.h"
#include "daemon/folders.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"

#define WRITER		"kmemtrace-export"

/* Numbers that may be taken by other files. */
#define MAX_TRIES	1000

static void folder_name(char name[FOLDERS_NAME], unsigned long number)
{
	snprintf(name, FOLDERS_NAME, "%06lu", number);
}

/* Return the number that is the name of a trace; 0: it is none. */
static unsigned long folder_number(const char *name)
{
	char again[FOLDERS_NAME];
	unsigned long number = strtoul(name, NULL, 10);

	folder_name(again, number);
	return strcmp(name, again) ? 0 : number;
}

/* Call @fn for the number of each trace that is there. Return 0 or -errno. */
static int for_each_trace(struct folders *f, void (*fn)(struct folders *f, unsigned long number))
{
	int fd = openat(f->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned long number;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		number = folder_number(entry->d_name);
		if (number)
			fn(f, number);
	}
	closedir(dir);
	return 0;
}

static void find_last(struct folders *f, unsigned long number)
{
	if (number > f->number)
		f->number = number;
}

static void remove_folder(const struct folders *f, unsigned long number, int dir)
{
	char name[FOLDERS_NAME];
	int err = outdir_clear(dir);

	folder_name(name, number);
	if (!err && unlinkat(f->dir, name, AT_REMOVEDIR))
		err = -errno;
	if (err)
		say("%s/%s: remove: %s", f->path, name, strerror(-err));
}

/* A directory of another kind stays. */
static void drop_trace(struct folders *f, unsigned long number)
{
	char name[FOLDERS_NAME];
	int dir;

	folder_name(name, number);
	dir = openat(f->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return;
	if (!faccessat(dir, "metadata", F_OK, AT_SYMLINK_NOFOLLOW))
		remove_folder(f, number, dir);
	close(dir);
}

/**
 * folders_open - create the directory of a chain, or take an existing one
 * @f: the chain, with its options
 * @path: the directory
 * @force: remove the traces that are there
 *
 * The next trace gets the number after the last one that is there.
 *
 * Return: 0, or -errno after a message.
 */
int folders_open(struct folders *f, const char *path, bool force)
{
	int err;

	f->path = path;
	f->dir = outdir_open(path, force);
	if (f->dir < 0)
		return f->dir;
	err = force ? for_each_trace(f, drop_trace) : 0;
	if (!err)
		err = for_each_trace(f, find_last);
	if (err)
		say("%s: %s", path, strerror(-err));
	else if (!command_is_there(WRITER))
		say("%s is not in PATH: only the first trace will say what was live when it began; the others will name what to run",
		    WRITER);
	return err;
}

/* Return the path of the current trace, to be freed; NULL without memory. */
char *folders_path(const struct folders *f)
{
	char *path;

	return asprintf(&path, "%s/%06lu", f->path, f->number) < 0 ? NULL : path;
}

/**
 * folders_create - create the directory of the next trace
 * @f: the chain; its @next is set
 *
 * Return: a descriptor, or -errno after a message.
 */
int folders_create(struct folders *f)
{
	char name[FOLDERS_NAME];
	int fd, err = -EEXIST;

	for (f->next = f->number + 1; err == -EEXIST; f->next++) {
		folder_name(name, f->next);
		err = mkdirat(f->dir, name, 0700) ? -errno : 0;
		if (!err || f->next - f->number > MAX_TRIES)
			break;
	}
	fd = err ? err : openat(f->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd == -1)
		fd = -errno;
	if (fd < 0)
		say("%s/%s: %s", f->path, name, strerror(-fd));
	return fd;
}

/* Remove the trace of folders_create(), whose directory is open as @dir. */
void folders_remove(const struct folders *f, int dir)
{
	remove_folder(f, f->next, dir);
}

/* Remove a trace, if there are so many newer ones. */
static void drop_old(struct folders *f, unsigned long number)
{
	if (number < f->number && f->number - number >= f->keep)
		drop_trace(f, number);
}

static void drop_all_old(struct folders *f)
{
	if (f->keep)
		for_each_trace(f, drop_old);
}

/*
 * Unlike the collector, the process may be killed for its memory, and gets little time on a busy
 * machine. The signals that end the collector don't end it.
 */
static void run_writer(char **argv, int before, int dir)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	static const char often[] = "500";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	sigset_t set;
	size_t i;

	if (fd >= 0 && write(fd, often, strlen(often)) < 0)
		close(fd);
	setpriority(PRIO_PROCESS, 0, 19);
	sigemptyset(&set);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_SETMASK, &set, NULL);
	fcntl(before, F_SETFD, 0);
	fcntl(dir, F_SETFD, 0);
	execvp(argv[0], argv);
	_exit(127);
}

/*
 * Start the process that writes the books of the trace in @before into @dir. Both are open: the
 * owner of the chain could replace a directory by a link.
 */
static bool write_books(struct folders *f, int before, int dir)
{
	char from[64], to[64];
	char *argv[7] = { WRITER, "--quiet", "books", from, "--output", to, NULL };

	snprintf(from, sizeof(from), "/proc/self/fd/%d", before);
	snprintf(to, sizeof(to), "/proc/self/fd/%d/" BOOKS_FILE, dir);
	f->writer = fork();
	if (!f->writer)
		run_writer(argv, before, dir);
	if (f->writer > 0)
		return true;
	say("%s: %s", WRITER, strerror(errno));
	f->writer = 0;
	return false;
}

/**
 * folders_go_on - the next trace has become the current one
 * @f: the chain
 * @before: the directory of the trace that has ended
 * @dir: the directory of the current one
 *
 * Lets the books of the trace before be written.
 *
 * Return: false, after a message, if the process for that can't be started.
 */
bool folders_go_on(struct folders *f, int before, int dir)
{
	f->number = f->next;
	if (command_is_there(WRITER))
		return write_books(f, before, dir);
	drop_all_old(f);
	return true;
}

/**
 * folders_take_books - see whether the books were written
 * @f: the chain
 *
 * Once they are, the trace before isn't needed any more.
 *
 * Return: false, after a message, if they can't be written.
 */
bool folders_take_books(struct folders *f)
{
	int status;

	if (!f->writer || waitpid(f->writer, &status, WNOHANG) != f->writer)
		return true;
	f->writer = 0;
	drop_all_old(f);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	say("%s/%06lu: the books of the trace before could not be written: %s %s %d", f->path,
	    f->number, WRITER, WIFSIGNALED(status) ? "was killed by signal" : "exit status",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return false;
}

/* End the process that writes the books. */
void folders_give_up(const struct folders *f)
{
	if (f->writer)
		kill(f->writer, SIGKILL);
}
