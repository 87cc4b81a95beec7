// SPDX-License-Identifier: GPL-2.0
/*
 * accounting_snap FILE...: copy kernel files to the standard output, each with the
 * CLOCK_MONOTONIC times before and after the read:
 *
 *	== FILE NANOSECONDS_BEFORE NANOSECONDS_AFTER
 *	its content
 *
 * The program writes nothing and allocates nothing between the reads.
 *
 * The kernel updates its own counters a moment before or after it records an event. A
 * CPU of a virtual machine may stop for long in between. So kmemtrace_load waits, before
 * and after each read, for all tasks that are in between. Therefore the file includes
 * all events that were recorded before the first time, and none that is recorded after
 * the second.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROOM	(2UL << 20)
#define QUIET	60000	/* microseconds, more than accounting_check's SLACK */
#define SETTLE	"/sys/kernel/debug/kmemtrace_load/run/settle"

struct reading {
	const char *path;
	int fd;
	uint64_t before, after;
	char *text;
	ssize_t size;
};

static const char *room_end;
static int settle_fd;

static int failed(const char *what)
{
	fprintf(stderr, "accounting_snap: %s: %s\n", what, strerror(errno));
	return EXIT_FAILURE;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Open a file. A first read makes the kernel allocate its buffer for the file. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	char c;

	if (fd < 0 || read(fd, &c, 1) < 0 || lseek(fd, 0, SEEK_SET))
		exit(failed(path));
	return fd;
}

/* Read a file to its end. Return its size, or -1 on an error or without room. */
static ssize_t read_all(int fd, char *text)
{
	ssize_t got, size = 0;

	do {
		got = read(fd, text + size, room_end - text - size);
		size += got;
	} while (got > 0);
	return got || text + size == room_end ? -1 : size;
}

static void settle(void)
{
	if (write(settle_fd, "1", 1) != 1)
		exit(failed(SETTLE));
}

static int snap(struct reading *reading, char *room)
{
	/* The many small files of sysfs belong to the file before them. */
	const bool alone = strncmp(reading->path, "/sys/", 5) ||
			   !strncmp(reading->path, "/sys/kernel/debug/", 18);

	if (alone) {
		/* Let RCU free its pending objects now, not during the read. */
		settle();
		usleep(QUIET);
	}
	reading->text = room;
	reading->before = now();
	if (alone)
		settle();
	reading->size = read_all(reading->fd, room);
	if (alone)
		settle();
	reading->after = now();
	return reading->size < 0 ? failed(reading->path) : EXIT_SUCCESS;
}

static void print(const struct reading *reading)
{
	printf("== %s %llu %llu\n", reading->path,
	       (unsigned long long)reading->before,
	       (unsigned long long)reading->after);
	fwrite(reading->text, 1, reading->size, stdout);
}

static struct reading *open_all(int nr, char **paths)
{
	struct reading *readings = calloc(nr + 1, sizeof(*readings));

	for (int i = 0; readings && i < nr; i++) {
		readings[i].path = paths[i];
		readings[i].fd = open_file(paths[i]);
	}
	return readings;
}

int main(int argc, char **argv)
{
	struct reading *readings = open_all(argc - 1, argv + 1);
	int result = EXIT_SUCCESS;
	char *room = malloc(ROOM);

	if (!room || !readings)
		return failed("memory");
	settle_fd = open(SETTLE, O_WRONLY);
	if (settle_fd < 0)
		return failed(SETTLE);
	/* Write the buffer, so that the reads cause no page faults. */
	memset(room, 1, ROOM);
	room_end = room + ROOM;
	for (int i = 0; i < argc - 1 && result == EXIT_SUCCESS; i++) {
		result = snap(&readings[i], room);
		room += readings[i].size;
	}
	for (int i = 0; i < argc - 1 && result == EXIT_SUCCESS; i++)
		print(&readings[i]);
	return fflush(stdout) ? EXIT_FAILURE : result;
}
