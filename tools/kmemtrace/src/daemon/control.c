// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - find the recorder in debugfs, read its state, switch it
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/control.h"
#include "daemon/mounts.h"
#include "daemon/msg.h"

/* Return whether a line of the file @path has @word. */
static bool file_has(const char *path, const char *word)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!f)
		return false;
	while (!found && getline(&line, &size, f) > 0)
		found = strstr(line, word);
	free(line);
	fclose(f);
	return found;
}

static void say_no_debugfs(void)
{
	if (file_has("/proc/filesystems", "\tdebugfs\n"))
		say("debugfs is not mounted; try: mount -t debugfs none /sys/kernel/debug");
	else if (file_has("/proc/cmdline", "debugfs="))
		say("debugfs is switched off by debugfs= on the kernel command line");
	else
		say("this kernel has no debugfs (CONFIG_DEBUG_FS, CONFIG_DEBUG_FS_ALLOW_ALL)");
}

static int find_debugfs(struct control *ctl)
{
	char dir[PATH_MAX];
	int err = mounts_find("debugfs", dir, sizeof(dir));

	if (err == -ENODEV)
		say_no_debugfs();
	else if (err)
		say("/proc/self/mounts: %s", strerror(-err));
	if (!err && snprintf(ctl->path, sizeof(ctl->path), "%s/%s", dir,
			     ctl->recorder->name) >= (int)sizeof(ctl->path))
		err = -ENAMETOOLONG;
	return err;
}

static int read_control_line(const struct control *ctl, const char *name, char *text,
			     size_t size)
{
	int err = file_read_line(ctl->dir, name, text, size);

	if (err)
		say("%s/%s: %s", ctl->path, name, strerror(-err));
	return err;
}

/* Read a constant, which follows @prefix; none of the interface can be 0. */
static int read_number(const struct control *ctl, const char *name,
		       const char *prefix, unsigned long *value)
{
	size_t len = strlen(prefix);
	char text[32], *end = text;
	int err = read_control_line(ctl, name, text, sizeof(text));

	if (err)
		return err;
	*value = strncmp(text, prefix, len) ? 0 : strtoul(text + len, &end, 10);
	if (*value && !*end)
		return 0;
	say("%s/%s: '%s', expected %sa number", ctl->path, name, text, prefix);
	return -EINVAL;
}

static int check_abi(const struct control *ctl)
{
	const unsigned long known = ctl->recorder->abi_version;

	if (ctl->abi_version >= 1 && ctl->abi_version <= known)
		return 0;
	say("this kernel's trace has ABI version %lu, this program knows 1 to %lu; use the tools/kmemtrace of that kernel's source",
	    ctl->abi_version, known);
	return -EPROTO;
}

/* With two collectors, each would get a part of the stream. A small kernel has no locks. */
static int lock_out_others(const struct control *ctl)
{
	const int err = flock(ctl->dir, LOCK_EX | LOCK_NB) ? -errno : 0;

	if (!err || err == -ENOSYS)
		return 0;
	if (err == -EWOULDBLOCK)
		say("another %s is running", ctl->recorder->collector);
	else
		say("%s: flock: %s", ctl->path, strerror(-err));
	return err;
}

/**
 * control_open - find the kernel's interface and read its constants
 * @ctl: result
 * @recorder: the recorder
 *
 * Return: 0, or -errno after a message that says what is missing.
 */
int control_open(struct control *ctl, const struct recorder *recorder)
{
	int err;

	ctl->recorder = recorder;
	err = find_debugfs(ctl);
	if (err)
		return err;
	ctl->dir = open(ctl->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ctl->dir < 0) {
		err = -errno;
		if (err == -ENOENT)
			say("%s: not there: this kernel was built without %s",
			    ctl->path, recorder->config);
		else
			say("%s: %s", ctl->path, strerror(-err));
		return err;
	}
	err = lock_out_others(ctl);
	if (!err)
		err = read_number(ctl, recorder->abi_file, recorder->abi_prefix,
				  &ctl->abi_version);
	if (!err)
		err = check_abi(ctl);
	if (!err)
		err = read_number(ctl, "subbuf_size", "", &ctl->subbuf_size);
	if (!err)
		err = read_number(ctl, "n_subbufs", "", &ctl->n_subbufs);
	return err;
}

/**
 * control_state - check whether the kernel traces
 * @ctl: the interface
 *
 * Return: enum tracing, -EPERM under lockdown, another -errno; -EINVAL: the file has an
 * unknown word.
 */
int control_state(const struct control *ctl)
{
	const struct recorder *r = ctl->recorder;
	char text[16];
	int i, err = file_read_line(ctl->dir, r->enable, text, sizeof(text));

	if (err)
		return err;
	for (i = 0; i < NR_TRACING; i++)
		if (r->words[i] && !strcmp(text, r->words[i]))
			return i;
	return -EINVAL;
}

/**
 * control_write - write to a file of the interface
 * @ctl: the interface
 * @name: the file
 * @text: what to write
 *
 * Return: 0 or -errno. -ENOENT: this kernel or this recorder has no such file; -EPERM:
 * lockdown.
 */
int control_write(const struct control *ctl, const char *name, const char *text)
{
	int err, fd = openat(ctl->dir, name, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	err = file_write_all(fd, text, strlen(text));
	close(fd);
	return err;
}

/**
 * control_switch - switch tracing on or off
 * @ctl: the interface
 * @state: the new state, which the recorder has
 *
 * Off makes all records readable. On fails with -EBUSY while a part of the last
 * generation is unread.
 *
 * Return: 0 or -errno.
 */
int control_switch(const struct control *ctl, enum tracing state)
{
	return control_write(ctl, ctl->recorder->enable, ctl->recorder->words[state]);
}

/**
 * control_flush - make the records so far readable
 * @ctl: the interface
 *
 * A CPU whose other sub-buffers are all unread keeps its current one.
 *
 * Return: as control_write().
 */
int control_flush(const struct control *ctl)
{
	return control_write(ctl, "flush", "1");
}

/**
 * control_resize - ask for buffers of another size
 * @ctl: the interface of a recorder that is off and drained
 * @n_subbufs: sub-buffers of each CPU
 *
 * Return: as control_write(). -ERANGE: the kernel does not allow so many.
 */
int control_resize(struct control *ctl, unsigned long n_subbufs)
{
	char text[32];
	int err;

	snprintf(text, sizeof(text), "%lu", n_subbufs);
	err = control_write(ctl, "resize", text);
	if (!err)
		ctl->n_subbufs = n_subbufs;
	return err;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/**
 * control_cpus - list the CPUs that have a stream
 * @ctl: the interface
 * @cpus: their numbers in ascending order, to be freed
 *
 * Return: how many, or -errno.
 */
int control_cpus(const struct control *ctl, int **cpus)
{
	const char *slash = strrchr(ctl->recorder->stream, '/');
	char folder[16];
	struct dirent *entry;
	int *list = NULL, *more, n = 0, cpu, len, fd;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%.*s",
		 slash ? (int)(slash - ctl->recorder->stream) : 1,
		 slash ? ctl->recorder->stream : ".");
	fd = openat(ctl->dir, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while ((entry = readdir(dir))) {
		if (sscanf(entry->d_name, "cpu%d%n", &cpu, &len) != 1 ||
		    entry->d_name[len])
			continue;
		more = reallocarray(list, n + 1, sizeof(*list));
		if (!more) {
			free(list);
			closedir(dir);
			return -ENOMEM;
		}
		list = more;
		list[n++] = cpu;
	}
	closedir(dir);
	if (n)
		qsort(list, n, sizeof(*list), compare_ints);
	*cpus = list;
	return n;
}

static int open_numbered(const struct control *ctl, const char *prefix, int cpu)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "%s%d", prefix, cpu);
	fd = openat(ctl->dir, name, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * control_open_cpu - open the stream of a CPU
 * @ctl: the interface
 * @cpu: its number
 *
 * Return: a file descriptor or -errno.
 */
int control_open_cpu(const struct control *ctl, int cpu)
{
	return open_numbered(ctl, ctl->recorder->stream, cpu);
}

/**
 * control_open_map - open the buffer of a CPU, to be mapped
 * @ctl: the interface
 * @cpu: its number
 *
 * Return: a file descriptor or -errno; -EPERM under lockdown.
 */
int control_open_map(const struct control *ctl, int cpu)
{
	return open_numbered(ctl, ctl->recorder->map, cpu);
}

/**
 * control_may_read - check whether the kernel allows to open streams
 * @ctl: the interface
 *
 * Return: false if it fails with EPERM, as under lockdown for confidentiality.
 */
bool control_may_read(const struct control *ctl)
{
	int *cpus, n = control_cpus(ctl, &cpus);
	bool may = true;
	int fd;

	if (n > 0) {
		fd = control_open_cpu(ctl, cpus[0]);
		may = fd != -EPERM;
		if (fd >= 0)
			close(fd);
	}
	if (n >= 0)
		free(cpus);
	return may;
}

static bool cpu_drained(const struct control *ctl, int cpu)
{
	struct pollfd p = {
		.fd = control_open_cpu(ctl, cpu),
		.events = POLLIN,
	};
	int n;

	if (p.fd < 0)
		return false;
	n = poll(&p, 1, 0);
	close(p.fd);
	return n == 1 && (p.revents & (POLLIN | POLLHUP)) == POLLHUP;
}

/**
 * control_drained - check whether all records have been read and no more will come
 * @ctl: the interface
 *
 * Return: true if tracing is off and each stream is at its end.
 */
bool control_drained(const struct control *ctl)
{
	int *cpus, n = control_cpus(ctl, &cpus);
	bool drained = n >= 0;
	int i;

	for (i = 0; drained && i < n; i++)
		drained = cpu_drained(ctl, cpus[i]);
	if (n >= 0)
		free(cpus);
	return drained;
}

static bool has_stream(const struct control *ctl, int cpu)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%d", ctl->recorder->stream, cpu);
	return !faccessat(ctl->dir, name, F_OK, 0);
}

/* Append the line of a CPU to @list, unless the CPU has neither a stream nor losses. */
static int add_overrun(const struct control *ctl, const char *line,
		       struct overrun **list, int *n)
{
	struct overrun *more, o = { 0 };

	if (!ctl->recorder->parse_overrun(line, &o))
		return -EINVAL;
	if (!o.all.records && !has_stream(ctl, o.cpu))
		return 0;
	more = reallocarray(*list, *n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	*list = more;
	more[(*n)++] = o;
	return 0;
}

/**
 * control_overruns - read how much each CPU lost
 * @ctl: the interface
 * @overruns: an element for each CPU that has a stream or lost events, to be freed; NULL
 *	after an error
 *
 * Return: how many elements, or -errno; -EINVAL: a line has another form.
 */
int control_overruns(const struct control *ctl, struct overrun **overruns)
{
	int fd = openat(ctl->dir, ctl->recorder->overruns, O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	char *line = NULL;
	int n = 0, err = 0;
	FILE *f;

	*overruns = NULL;
	if (fd < 0)
		return -errno;
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	while (!err && getline(&line, &size, f) > 0)
		err = add_overrun(ctl, line, overruns, &n);
	if (!err && !feof(f))
		err = -EIO;
	free(line);
	fclose(f);
	if (!err)
		return n;
	free(*overruns);
	*overruns = NULL;
	return err;
}

/**
 * control_max_subbufs - compute the most sub-buffers that the kernel allows a CPU
 * @ctl: the interface
 *
 * Return: their number, two at least.
 */
unsigned long control_max_subbufs(const struct control *ctl)
{
	uint64_t most = ctl->recorder->max_bytes() / ctl->subbuf_size;

	return most < 2 ? 2 : most;
}

/**
 * control_clock - read the clock of timestamps
 * @ctl: the interface, while tracing is on or after it was
 * @text: its name, empty where it is unknown
 * @size: bytes of @text
 */
void control_clock(const struct control *ctl, char *text, size_t size)
{
	file_read_line(ctl->dir, "clock", text, size);
}
