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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/marker_channel.h>
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

static void publish(void)
{
	int fd = open_file("flush", O_WRONLY);

	if (write(fd, "1", 1) != 1)
		ksft_exit_fail_msg("flush: %s\n", strerror(errno));
	close(fd);
}

/* Return two pages, the second of which nobody can access. */
static char *map_page_and_hole(long page)
{
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
		ksft_exit_fail_msg("mmap: %s\n", strerror(errno));
	return pages;
}

/* What has no room at the reader's address stays for the next read. */
static void check_short_reads(void)
{
	int fd = open_file("cpu0", O_RDONLY), map_fd = open_file("map0", O_RDONLY);
	const long page = sysconf(_SC_PAGESIZE);
	char *pages = map_page_and_hole(page), *rest;
	struct marker_channel_subbuf next;
	void *mapping;

	drain(fd);
	publish();
	if (map(PROT_READ, MAP_SHARED, &mapping) ||
	    ioctl(map_fd, MARKER_CHANNEL_NEXT, &next))
		ksft_exit_fail_msg("map0: %s\n", strerror(errno));
	rest = malloc(bytes);
	ksft_test_result(read(fd, pages + page, page) < 0 && errno == EFAULT,
			 "a read to an address without memory fails\n");
	ksft_test_result(read(fd, pages + page - 40, page) == 40 &&
			 !memcmp(pages + page - 40, mapping + next.offset, 40),
			 "a read ends where the memory ends\n");
	ksft_test_result(read(fd, rest, bytes) == next.bytes - 40 &&
			 !memcmp(rest, mapping + next.offset + 40, next.bytes - 40),
			 "the next read goes on there\n");
	free(rest);
	munmap(mapping, bytes);
	munmap(pages, 2 * page);
	close(map_fd);
	close(fd);
}

int main(int argc, char **argv)
{
	ksft_print_header();
	ksft_set_plan(11);
	if (argc != 2)
		ksft_exit_fail_msg("usage: channel_check BYTES\n");
	bytes = strtoul(argv[1], NULL, 10);
	check_mappings();
	check_flush();
	check_short_reads();
	ksft_finished();
}
