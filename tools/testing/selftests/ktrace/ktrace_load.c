// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace_load LOAD [N]: do something a known number of times, and print what a test has to
 * expect: words and numbers in turn, on one line.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SIZE	4096

static int times;
static char *buffer;

static void die(const char *what)
{
	fprintf(stderr, "ktrace_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Return @value, unless it says that @what failed. */
static long good(const char *what, long value)
{
	if (value < 0)
		die(what);
	return value;
}

/* System calls that no other process makes: their first argument is wrong. */
static void load_syscalls(void)
{
	for (int i = 0; i < times; i++)
		if (syscall(SYS_sched_get_priority_min, 123456) != -1)
			die("sched_get_priority_min");
	printf("nr %d\n", SYS_sched_get_priority_min);
}

static int udp_socket(struct sockaddr_in *address)
{
	int fd = good("socket", socket(AF_INET, SOCK_DGRAM, 0));

	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address->sin_port = htons(34567);
	good("bind", bind(fd, (struct sockaddr *)address, sizeof(*address)));
	return fd;
}

/* Each message is received before the next one is sent. */
static void load_net(void)
{
	struct sockaddr_in address = {};
	int fd = udp_socket(&address);

	for (int i = 0; i < times; i++) {
		good("sendto", sendto(fd, buffer, 100, 0, (struct sockaddr *)&address,
				      sizeof(address)));
		good("recv", recv(fd, buffer, SIZE, 0));
	}
	printf("size 100\n");
}

/* Sleep on high-resolution timers, and wait for a message that does not come on others. */
static void load_timers(void)
{
	struct timespec a_while = { .tv_nsec = 100000 };
	struct timeval tick = { .tv_usec = 1000 };
	struct sockaddr_in address = {};
	int fd = udp_socket(&address);

	good("setsockopt", setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof(tick)));
	for (int i = 0; i < times; i++) {
		good("nanosleep", nanosleep(&a_while, NULL));
		if (recv(fd, buffer, SIZE, 0) != -1 || errno != EAGAIN)
			die("recv");
	}
}

/* Touch new pages. */
static void load_faults(void)
{
	size_t size = (size_t)times * getpagesize();
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	/* Not every kernel has huge pages. */
	if (madvise(pages, size, MADV_NOHUGEPAGE) && errno != EINVAL)
		die("madvise");
	for (size_t at = 0; at < size; at += getpagesize())
		pages[at] = 1;
}

/* Read blocks of the disk LOAD_DISK, with a request for each. */
static void load_block(void)
{
	int fd = good("LOAD_DISK", open(getenv("LOAD_DISK") ?: "/dev/vda",
					O_RDONLY | O_DIRECT));

	for (int i = 0; i < times; i++)
		if (pread(fd, buffer, SIZE, (off_t)i * 2 * SIZE) != SIZE)
			die("pread");
}

/* Read the counters rchar and wchar of this process. Return the bytes that this read. */
static long read_counters(long *rchar, long *wchar)
{
	char text[512];
	int fd = good("/proc/self/io", open("/proc/self/io", O_RDONLY));
	long bytes = good("/proc/self/io", read(fd, text, sizeof(text) - 1));

	text[bytes] = 0;
	if (sscanf(text, "rchar: %ld wchar: %ld", rchar, wchar) != 2)
		die("/proc/self/io");
	close(fd);
	return bytes;
}

/* All ways to read and write that are counted, with errors among them. */
static void read_and_write(int a, int b, int folder)
{
	struct iovec iov[2] = { { buffer, 100 }, { buffer + 100, 200 } };
	off_t from = 0;
	loff_t in = 0, out = 8192;

	good("write", write(a, buffer, 1000));
	good("pwrite", pwrite(a, buffer, 500, 3000));
	good("writev", writev(a, iov, 2));
	good("pwritev", pwritev(a, iov, 2, 4000));
	good("lseek", lseek(a, 0, SEEK_SET));
	good("read", read(a, buffer, 700));
	good("pread", pread(a, buffer, 600, 100));
	good("readv", readv(a, iov, 2));
	good("preadv", preadv(a, iov, 2, 50));
	good("sendfile", sendfile(b, a, &from, 1234));
	good("copy_file_range", copy_file_range(a, &in, b, &out, 777, 0));
	if (read(folder, buffer, 10) != -1 || errno != EISDIR)
		die("read of a folder");
}

/* Print the files, and what the kernel has counted of their reads and writes. */
static void load_files(void)
{
	int a = good("a", open("a", O_RDWR | O_CREAT | O_TRUNC, 0600));
	int b = good("b", open("b", O_RDWR | O_CREAT | O_TRUNC, 0600));
	int folder = good(".", open(".", O_RDONLY | O_DIRECTORY));
	long reads, read_before, read_after, written_before, written_after;
	struct stat sa, sb, sf;

	reads = read_counters(&read_before, &written_before);
	for (int i = 0; i < times; i++) {
		good("lseek", lseek(a, 0, SEEK_SET));
		good("lseek", lseek(b, 0, SEEK_SET));
		read_and_write(a, b, folder);
	}
	read_counters(&read_after, &written_after);
	good("a", fstat(a, &sa));
	good("b", fstat(b, &sb));
	good(".", fstat(folder, &sf));
	printf("major %u minor %u a %lu b %lu folder %lu rchar %ld wchar %ld\n",
	       major(sa.st_dev), minor(sa.st_dev), (unsigned long)sa.st_ino,
	       (unsigned long)sb.st_ino, (unsigned long)sf.st_ino,
	       read_after - read_before - reads, written_after - written_before);
}

static const struct {
	const char	*name;
	void		(*run)(void);
} loads[] = {
	{ "syscalls",	load_syscalls },
	{ "net",	load_net },
	{ "timers",	load_timers },
	{ "faults",	load_faults },
	{ "block",	load_block },
	{ "files",	load_files },
};

int main(int argc, char **argv)
{
	times = argc > 2 ? atoi(argv[2]) : 1;
	/* as a read past the page cache needs it */
	if (posix_memalign((void **)&buffer, SIZE, SIZE))
		return 1;
	memset(buffer, 0, SIZE);
	for (size_t i = 0; argc > 1 && i < sizeof(loads) / sizeof(*loads); i++) {
		if (!strcmp(argv[1], loads[i].name)) {
			loads[i].run();
			return 0;
		}
	}
	return 2;
}
