// SPDX-License-Identifier: GPL-2.0
/*
 * tasks.c - save which tasks exist when tracing ends
 *
 * A record has the number of a task and when it was created. Those of a trace that are not in
 * /proc at its end have exited. In a namespace of its own, a collector sees other numbers.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/file.h"
#include "common/number.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/tasks.h"

#define NSEC_PER_SEC	1000000000

/* Words of /proc/PID/task/TID/stat between the name and the time of creation. */
#define WORDS_BEFORE_START	19

/* Return whether a link has this target. */
static bool is_link_to(int dir, const char *name, const char *wanted)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(dir, name, target, sizeof(target) - 1);

	if (len < 0)
		return false;
	target[len] = '\0';
	return !strcmp(target, wanted);
}

/* Return whether this program is in the first namespace of a kind, or the kernel has but one. */
static bool is_in_first(int proc, const char *link, const char *first)
{
	return is_link_to(proc, link, first) || (faccessat(proc, link, F_OK, 0) && errno == ENOENT);
}

/* Return whether /proc has the numbers and times that the kernel records. */
static bool is_of_kernel(int proc)
{
	char self[16];

	snprintf(self, sizeof(self), "%d", getpid());
	return is_link_to(proc, "self", self) &&
	       is_in_first(proc, "self/ns/pid", "pid:[4026531836]") &&
	       is_in_first(proc, "self/ns/time", "time:[4026531834]");
}

/* Return the time of creation in a line of "stat", or NULL. A name may have any characters. */
static const char *find_start(char *line)
{
	char *word = strrchr(line, ')');
	int i;

	for (i = 0; word && i <= WORDS_BEFORE_START; i++) {
		word = strchr(word, ' ');
		word += !!word;
	}
	return word;
}

/* Print a thread; it may end meanwhile. */
static void print_thread(FILE *out, int threads, const char *tid, uint64_t tick)
{
	char path[sizeof("4294967295/stat")], line[1024];
	const char *start;
	uint64_t ticks;

	if (snprintf(path, sizeof(path), "%s/stat", tid) >= (int)sizeof(path) ||
	    file_read_text(threads, path, line, sizeof(line)) < 0)
		return;
	start = find_start(line);
	if (start && !number_parse(&start, &ticks))
		fprintf(out, "%s %" PRIu64 "\n", tid, ticks * tick);
}

static DIR *open_folder(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static bool is_number(const char *name)
{
	return *name && !name[strspn(name, "0123456789")];
}

/* Print the threads of a process; it may end meanwhile. */
static void print_process(FILE *out, int proc, const char *pid, uint64_t tick)
{
	char path[NAME_MAX + sizeof("/task")];
	struct dirent *entry;
	DIR *d;

	snprintf(path, sizeof(path), "%s/task", pid);
	d = open_folder(proc, path);
	while (d && (entry = readdir(d)))
		if (is_number(entry->d_name))
			print_thread(out, dirfd(d), entry->d_name, tick);
	if (d)
		closedir(d);
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static int save_tasks(int dir, DIR *proc)
{
	const uint64_t tick = NSEC_PER_SEC / sysconf(_SC_CLK_TCK);
	const uint64_t monotonic = read_clock(CLOCK_MONOTONIC);
	struct dirent *entry;
	FILE *out;
	int err = outdir_stream(dir, TASKS_FILE, &out);

	if (err)
		return err;
	fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", monotonic,
		read_clock(CLOCK_BOOTTIME), tick);
	while ((entry = readdir(proc)))
		if (is_number(entry->d_name))
			print_process(out, dirfd(proc), entry->d_name, tick);
	return file_finish(out, 0);
}

/**
 * tasks_save - write a line "<pid> <start>" for each task
 * @dir: the trace directory, which gets the file "tasks"
 * @proc: path of the directory /proc; if it is of another namespace, no file is created
 *
 * The first line is CLOCK_MONOTONIC, CLOCK_BOOTTIME and a tick of the times of creation, in
 * nanoseconds.
 *
 * Return: 0, or -errno after a message.
 */
int tasks_save(int dir, const char *proc)
{
	DIR *d = opendir(proc);
	int err;

	if (!d)
		return 0;
	err = is_of_kernel(dirfd(d)) ? save_tasks(dir, d) : 0;
	closedir(d);
	if (err)
		say(TASKS_FILE ": %s", strerror(-err));
	return err;
}
