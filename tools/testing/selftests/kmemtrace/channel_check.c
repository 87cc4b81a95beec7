// SPDX-License-Identifier: GPL-2.0
/*
 * channel_check BYTES: check the files of the channel in the current folder. The
 * channel must be on, its buffers have BYTES, and the caller pins this process to
 * CPU 0. One TAP result for each property.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest.h"

static size_t bytes;

/* Open a file of the channel, or exit. */
static int open_file(const char *name, int flags)
{
	int fd = open(name, flags);

	if (fd < 0)
		ksft_exit_fail_msg("%s: %s\n", name, strerror(errno));
	return fd;
}

/* Map the buffer of CPU 0; return 0 or the error. */
static int map(int prot, int flags, void **mapping)
{
	int fd = open_file("map0", O_RDWR);
	int error;

	*mapping = mmap(NULL, bytes, prot, flags, fd, 0);
	error = *mapping == MAP_FAILED ? errno : 0;
	close(fd);
	return error;
}

/* Try a mapping; return its error. */
static int refused(int prot, int flags)
{
	void *mapping;
	int error = map(prot, flags, &mapping);

	if (!error)
		munmap(mapping, bytes);
	return error;
}

static void check_mappings(void)
{
	void *mapping;

	ksft_test_result(refused(PROT_READ | PROT_WRITE, MAP_SHARED) == EPERM,
			 "a writable mapping is refused\n");
	ksft_test_result(refused(PROT_READ | PROT_EXEC, MAP_SHARED) == EPERM,
			 "an executable mapping is refused\n");
	ksft_test_result(refused(PROT_READ, MAP_PRIVATE) == EPERM,
			 "a private mapping is refused\n");
	if (map(PROT_READ, MAP_SHARED, &mapping))
		ksft_exit_fail_msg("map0: %s\n", strerror(errno));
	ksft_test_result(mprotect(mapping, bytes, PROT_READ | PROT_WRITE) &&
			 errno == EACCES,
			 "a mapping does not become writable\n");
	ksft_test_result(mprotect(mapping, bytes, PROT_READ | PROT_EXEC) &&
			 errno == EACCES,
			 "a mapping does not become executable\n");
	munmap(mapping, bytes);
}

/* Request a flush from a child, after a moment in which the parent begins to poll. */
static void flush_later(void)
{
	int fd;

	if (fork())
		return;
	usleep(200000);
	fd = open_file("flush", O_WRONLY);
	_exit(write(fd, "1", 1) != 1);
}

/* Read all published records; return the number of bytes. */
static size_t drain(int fd)
{
	static char room[1 << 16];
	size_t sum = 0;
	ssize_t part;

	while ((part = read(fd, room, sizeof(room))) > 0)
		sum += part;
	return sum;
}

/* A few records don't fill a sub-buffer, so only the flush can publish them. */
static void check_flush(void)
{
	struct pollfd poll_cpu = {
		.fd = open_file("cpu0", O_RDONLY | O_NONBLOCK), .events = POLLIN
	};
	int status = -1;

	drain(poll_cpu.fd);
	flush_later();
	ksft_test_result(poll(&poll_cpu, 1, 20000) == 1 &&
			 poll_cpu.revents == POLLIN,
			 "a flush wakes a reader\n");
	ksft_test_result(drain(poll_cpu.fd) > 0,
			 "a flush publishes a few records\n");
	ksft_test_result(wait(&status) > 0 && status == 0,
			 "a flush succeeds\n");
	close(poll_cpu.fd);
}

int main(int argc, char **argv)
{
	ksft_print_header();
	ksft_set_plan(8);
	if (argc != 2)
		ksft_exit_fail_msg("usage: channel_check BYTES\n");
	bytes = strtoul(argv[1], NULL, 10);
	check_mappings();
	check_flush();
	ksft_finished();
}
