// SPDX-License-Identifier: GPL-2.0
/*
 * folders.c - the directories of a chain of traces, and the books between them
 *
 * kmemtrace-export reads the trace that has ended and writes its books into the directory of
 * the next one, while that is being recorded. It has the lowest priority. See
 * common/booksfile.h.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/booksfile.h"
#include "daemon/command.h"
#include "daemon/folders.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"

#define WRITER		"kmemtrace-export"

static void name_of(char name[FOLDERS_NAME], unsigned long number)
{
	snprintf(name, FOLDERS_NAME, "%06lu", number);
}

/* Return the number that is the name of a trace; 0: it is none. */
static unsigned long number_of(const char *name)
{
	char again[FOLDERS_NAME];
	unsigned long number = strlen(name) < FOLDERS_NAME ? strtoul(name, NULL, 10) : 0;

	name_of(again, number);
	return strcmp(name, again) ? 0 : number;
}

/* Find the first and the last trace that are there. */
static int find_numbers(struct folders *c)
{
	int fd = openat(c->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	unsigned long number, first = 0;
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		number = number_of(entry->d_name);
		if (!number)
			continue;
		if (number > c->number)
			c->number = number;
		if (!first || number < first)
			first = number;
	}
	closedir(dir);
	c->dropped = first ? first - 1 : 0;
	return 0;
}

/**
 * folders_open - create the directory of a chain, or take an existing one
 * @c: the chain, with its options
 * @path: the directory
 *
 * The next trace gets the number after the last one that is there.
 *
 * Return: 0, or -errno after a message.
 */
int folders_open(struct folders *c, const char *path)
{
	int err = 0;

	c->path = path;
	if (mkdir(path, 0700) && errno != EEXIST)
		err = -errno;
	c->dir = err ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!err && c->dir < 0)
		err = -errno;
	if (!err)
		err = find_numbers(c);
	if (err) {
		say("%s: %s", path, strerror(-err));
		return err;
	}
	if (!command_is_there(WRITER))
		say("%s is not in PATH: only the first trace will say what was live when it began; the others will name what to run",
		    WRITER);
	return 0;
}

/**
 * folders_path - return the path of a trace
 * @c: the chain
 * @number: number of the trace
 *
 * Return: a text to be freed; NULL without memory.
 */
char *folders_path(const struct folders *c, unsigned long number)
{
	char name[FOLDERS_NAME], *path;

	name_of(name, number);
	return asprintf(&path, "%s/%s", c->path, name) < 0 ? NULL : path;
}

/**
 * folders_create - create the directory of the next trace
 * @c: the chain; its @number stays
 *
 * Return: a descriptor, or -errno after a message.
 */
int folders_create(const struct folders *c)
{
	char name[FOLDERS_NAME];
	int fd = -1;

	name_of(name, c->number + 1);
	if (!mkdirat(c->dir, name, 0700))
		fd = openat(c->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	fd = -errno;
	say("%s/%s: %s", c->path, name, strerror(-fd));
	return fd;
}

static void drop(const struct folders *c, unsigned long number, int dir)
{
	char name[FOLDERS_NAME];
	int err = outdir_clear(dir);

	name_of(name, number);
	if (!err && unlinkat(c->dir, name, AT_REMOVEDIR))
		err = -errno;
	if (err)
		say("%s/%s: remove: %s", c->path, name, strerror(-err));
}

/* Remove the next trace, whose directory is open as @dir. */
void folders_remove(const struct folders *c, int dir)
{
	drop(c, c->number + 1, dir);
}

/* Remove the current trace, whose directory is open as @dir: nothing was logged. */
void folders_forget(struct folders *c, int dir)
{
	drop(c, c->number--, dir);
}

/* Remove the oldest traces, if there are more than wanted. */
static void drop_old(struct folders *c)
{
	char name[FOLDERS_NAME];
	int dir;

	while (c->keep && c->number - c->dropped > c->keep) {
		name_of(name, ++c->dropped);
		dir = openat(c->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (dir < 0)
			continue;
		drop(c, c->dropped, dir);
		close(dir);
	}
}

/* Unlike the collector, its memory can be freed, and it can wait. */
static void run_writer(char **argv)
{
	static const char often[] = "500";
	const struct sched_param none = { .sched_priority = 0 };
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	sigset_t set;

	if (fd >= 0 && write(fd, often, strlen(often)) < 0)
		close(fd);
	sched_setscheduler(0, SCHED_IDLE, &none);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	execvp(argv[0], argv);
	_exit(127);
}

/* Start the process that writes the books of the trace before. */
static void write_books(struct folders *c)
{
	char *from = folders_path(c, c->number - 1), *to = folders_path(c, c->number), *file = NULL;
	char *argv[] = { WRITER, "--quiet", "books", from, "--output", NULL, NULL };

	if (from && to && asprintf(&file, "%s/" BOOKS_FILE, to) > 0) {
		argv[5] = file;
		c->writer = fork();
		if (!c->writer)
			run_writer(argv);
	}
	if (c->writer < 0 || !file) {
		say("%s: %s", WRITER, strerror(errno));
		c->writer = 0;
	}
	free(from);
	free(to);
	free(file);
}

/**
 * folders_go_on - the next trace has become the current one
 * @c: the chain
 *
 * Lets the books of the trace before be written.
 */
void folders_go_on(struct folders *c)
{
	c->number++;
	if (command_is_there(WRITER))
		write_books(c);
	else
		drop_old(c);
}

/**
 * folders_take_books - see whether the books were written
 * @c: the chain
 * @wait: wait for that
 *
 * Once they are, the trace before isn't needed any more.
 *
 * Return: false, after a message, if they can't be written.
 */
bool folders_take_books(struct folders *c, bool wait)
{
	int status;

	if (!c->writer || waitpid(c->writer, &status, wait ? 0 : WNOHANG) != c->writer)
		return true;
	c->writer = 0;
	drop_old(c);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	say("%s/%06lu: its books could not be written: %s %s %d", c->path, c->number - 1, WRITER,
	    WIFSIGNALED(status) ? "was killed by signal" : "exit status",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return false;
}
