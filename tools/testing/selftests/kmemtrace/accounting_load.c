// SPDX-License-Identifier: GPL-2.0
/*
 * accounting_load [-f] LOAD TIMES: use the kernel's memory through system calls.
 *
 * Each load is a row of the table loads[]: a name, a function, a line of help.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT	21
#endif

#ifndef MADV_SOFT_OFFLINE
#define MADV_SOFT_OFFLINE	101
#endif

#define KIB		1024UL
#define MIB		(1024 * KIB)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static size_t page_size, huge_size;

static int failed(const char *what)
{
	int error = errno;

	fprintf(stderr, "accounting_load: %s: %s\n", what, strerror(error));
	return error ? -error : -EIO;
}

static void *map(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

/* Map private memory, aligned to a huge page. */
static char *map_aligned(size_t size)
{
	char *mem = map(size + huge_size);

	return mem ? (char *)(((uintptr_t)mem + huge_size - 1) & ~(huge_size - 1)) : NULL;
}

/* Write each page, with different content. */
static void touch(char *mem, size_t size)
{
	for (size_t at = 0; at < size; at += page_size)
		*(size_t *)(mem + at) = at + 1;
}

static int in_child(int (*work)(void *), void *data)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return failed("fork");
	if (!child)
		_exit(work(data) ? EXIT_FAILURE : EXIT_SUCCESS);
	if (waitpid(child, &status, 0) != child)
		return failed("waitpid");
	return status ? -ECHILD : 0;
}

/* ---- processes ---- */

#define AREAS	600

/* Give every second page another protection, so that each page is its own area. */
static int make_areas(void *data)
{
	char *mem = map(AREAS * page_size);

	if (!mem)
		return failed("mmap");
	for (size_t i = 0; i < AREAS; i += 2)
		if (mprotect(mem + i * page_size, page_size, PROT_READ))
			return failed("mprotect");
	touch(mem + page_size, page_size);
	if (data)
		return in_child(make_areas, NULL);
	return 0;
}

static int load_maps(unsigned long times)
{
	int ret = 0;

	while (!ret && times--)
		ret = in_child(make_areas, &times);
	return ret;
}

/* ---- files ---- */

/* Write files in the working directory, and look up missing ones. */
static int load_files(unsigned long times)
{
	char name[64], data[6000];
	struct stat st;

	memset(data, 'x', sizeof(data));
	for (unsigned long i = 0; i < times; i++) {
		int fd;

		snprintf(name, sizeof(name), "file %lu of a long name", i);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		if (fd < 0 || write(fd, data, sizeof(data)) < 0)
			return failed(name);
		close(fd);
		snprintf(name, sizeof(name), "not there %lu", i);
		if (!stat(name, &st))
			return failed(name);
	}
	return 0;
}

/* ---- network ---- */

static int send_and_receive(int from, int to)
{
	char data[20000] = "";

	for (int i = 0; i < 4; i++)
		if (send(from, data, sizeof(data), 0) < 0)
			return failed("send");
	for (int i = 0; i < 4; i++)
		if (recv(to, data, sizeof(data), 0) < 0)
			return failed("recv");
	return 0;
}

static int unix_pair(void)
{
	int fds[2], ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds))
		return failed("socketpair");
	ret = send_and_receive(fds[0], fds[1]);
	close(fds[0]);
	close(fds[1]);
	return ret;
}

static int inet_pair(int type)
{
	struct sockaddr_in here = { .sin_family = AF_INET };
	socklen_t length = sizeof(here);
	int server = socket(AF_INET, type, 0);
	int client = socket(AF_INET, type, 0);
	int peer = server, ret;

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&here, length) ||
	    getsockname(server, (struct sockaddr *)&here, &length) ||
	    (type == SOCK_STREAM && listen(server, 1)) ||
	    connect(client, (struct sockaddr *)&here, length))
		return failed("connect");
	if (type == SOCK_STREAM)
		peer = accept(server, NULL, NULL);
	ret = send_and_receive(client, peer);
	close(client);
	close(peer);
	if (peer != server)
		close(server);
	return ret;
}

static int load_sockets(unsigned long times)
{
	int ret = 0;

	while (!ret && times--)
		ret = unix_pair() ?: inet_pair(SOCK_DGRAM) ?:
		      inet_pair(SOCK_STREAM);
	return ret;
}

static int open_tap(void)
{
	struct ifreq ifr = { .ifr_name = "acc0" };
	int fd = open("/dev/net/tun", O_RDWR);
	int control = socket(AF_INET, SOCK_DGRAM, 0);

	ifr.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_NAPI | IFF_NAPI_FRAGS;
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr))
		return failed("tun");
	ifr.ifr_flags = IFF_UP;
	if (ioctl(control, SIOCSIFFLAGS, &ifr))
		return failed("acc0");
	close(control);
	return fd;
}

/* Print the number of frames that acc0 received. close() of its file removes acc0. */
static int print_received(void)
{
	char count[32];
	int fd = open("/sys/class/net/acc0/statistics/rx_packets", O_RDONLY);
	ssize_t length = (fd < 0) ? -1 : read(fd, count, sizeof(count));

	if (length <= 0 || write(STDOUT_FILENO, count, length) != length)
		return failed("rx_packets");
	return close(fd);
}

/* Write frames in pieces: NAPI allocates their skbs in bulk. */
static int load_tap(unsigned long times)
{
	struct ethhdr head = { .h_proto = htons(ETH_P_IP) };
	char body[1000] = "";
	struct iovec pieces[] = {
		{ &head, sizeof(head) }, { body, 500 }, { body + 500, 500 },
	};
	int fd = open_tap();

	if (fd < 0)
		return fd;
	memset(head.h_dest, 0xff, sizeof(head.h_dest));
	while (times--)
		if (writev(fd, pieces, ARRAY_SIZE(pieces)) < 0)
			return failed("writev");
	if (print_received())
		return -1;
	return close(fd);
}

/* ---- BPF ---- */

static int make_map(enum bpf_map_type type, unsigned int key_size)
{
	union bpf_attr attr = {
		.map_type = type,
		.key_size = key_size,
		.value_size = 64,
		.max_entries = 100,
	};

	return syscall(__NR_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
}

static int fill_map(int fd, const void *value)
{
	for (uint64_t key = 0; key < 50; key++) {
		union bpf_attr attr = {
			.map_fd = fd,
			.key = (uintptr_t)&key,
			.value = (uintptr_t)value,
		};

		if (syscall(__NR_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)))
			return failed("BPF_MAP_UPDATE_ELEM");
	}
	return 0;
}

static int load_bpf(unsigned long times)
{
	static const enum bpf_map_type types[] = {
		BPF_MAP_TYPE_PERCPU_HASH, BPF_MAP_TYPE_HASH,
		BPF_MAP_TYPE_LRU_PERCPU_HASH,
	};
	char value[64 * 64] = "";

	while (times--) {
		for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
			int fd = make_map(types[i], sizeof(uint64_t));
			int ret;

			if (fd < 0)
				return failed("BPF_MAP_CREATE");
			ret = fill_map(fd, value);
			close(fd);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* ---- user pages ---- */

static int split_by_debugfs(char *mem, size_t size)
{
	FILE *file = fopen("/sys/kernel/debug/split_huge_pages", "w");

	if (!file)
		return failed("split_huge_pages");
	fprintf(file, "%d,%#lx,%#lx", getpid(), (unsigned long)mem,
		(unsigned long)mem + size);
	return fclose(file) ? failed("split_huge_pages") : 0;
}

static int split_and_collapse(void *data)
{
	size_t size = 4 * huge_size;
	char *mem = map_aligned(size);

	(void)data;
	if (!mem || madvise(mem, size, MADV_HUGEPAGE))
		return failed("MADV_HUGEPAGE");
	touch(mem, size);
	/* An area's end cuts one huge page, one has holes; then split all. */
	if (mprotect(mem + huge_size + page_size, page_size, PROT_READ) ||
	    madvise(mem + 2 * huge_size + page_size, 7 * page_size, MADV_DONTNEED))
		return failed("MADV_DONTNEED");
	if (split_by_debugfs(mem, size))
		return -EIO;
	if (madvise(mem, huge_size, MADV_COLLAPSE) ||
	    madvise(mem + 2 * huge_size, huge_size, MADV_COLLAPSE))
		return failed("MADV_COLLAPSE");
	return 0;
}

static int load_huge(unsigned long times)
{
	int ret = 0;

	while (!ret && times--)
		ret = in_child(split_and_collapse, NULL);
	return ret;
}

static int load_hugetlb(unsigned long times)
{
	char *mem = mmap(NULL, times * huge_size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (mem == MAP_FAILED)
		return failed("MAP_HUGETLB");
	for (unsigned long i = 0; i < times; i++)
		mem[i * huge_size] = 1;
	return munmap(mem, times * huge_size) ? failed("munmap") : 0;
}

/* Move pages to node 1 and back. */
static int load_move(unsigned long times)
{
	enum { PAGES = 256 };
	char *mem = map(PAGES * page_size);
	void *pages[PAGES];
	int nodes[PAGES], status[PAGES];

	if (!mem)
		return failed("mmap");
	touch(mem, PAGES * page_size);
	for (unsigned long i = 0; i < 2 * times; i++) {
		for (int page = 0; page < PAGES; page++) {
			pages[page] = mem + page * page_size;
			nodes[page] = !(i % 2);
		}
		if (syscall(__NR_move_pages, 0, PAGES, pages, nodes, status, 2) < 0)
			return failed("move_pages");
	}
	return 0;
}

/* Swap MiB out and in. */
static int load_swap(unsigned long times)
{
	size_t size = times * MIB;
	char *mem = map(size);

	if (!mem)
		return failed("mmap");
	touch(mem, size);
	if (madvise(mem, size, MADV_PAGEOUT))
		return failed("MADV_PAGEOUT");
	for (size_t at = 0; at < size; at += page_size)
		if (*(size_t *)(mem + at) != at + 1)
			return failed("swapped in with wrong content");
	return 0;
}

/* Allocate MiB and write them. */
static int load_eat(unsigned long times)
{
	char *mem = map(times * MIB);

	if (!mem)
		return failed("mmap");
	touch(mem, times * MIB);
	return 0;
}

/* Return the number of the page frame at an address. */
static uint64_t frame_of(const void *mem)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	if (fd < 0 || pread(fd, &entry, sizeof(entry),
			    (uintptr_t)mem / page_size * sizeof(entry)) < 0)
		failed("pagemap");
	close(fd);
	return entry & ((1ULL << 55) - 1);
}

/* Return how many pages the kernel has migrated since the boot. */
static unsigned long migrated(void)
{
	FILE *file = fopen("/proc/vmstat", "r");
	unsigned long value, pages = 0;
	char name[64];

	if (!file) {
		failed("/proc/vmstat");
		return 0;
	}
	while (fscanf(file, "%63s %lu", name, &value) == 2)
		if (!strcmp(name, "pgmigrate_success"))
			pages = value;
	fclose(file);
	return pages;
}

/*
 * Wait until the kernel migrates no page. It counts a page as migrated, without moving it, that
 * its owner frees meanwhile.
 */
static void wait_for_migration(void)
{
	unsigned long pages;

	do {
		pages = migrated();
		usleep(500000);
	} while (migrated() != pages);
}

/*
 * Fragment the free memory: allocate MiB, and free all but every fourth page. Print the
 * number of one page frame for each MiB, and wait for the end of the input.
 */
static int load_fragment(unsigned long times)
{
	size_t size = times * MIB;
	char *mem = map(size);

	if (!mem || madvise(mem, size, MADV_NOHUGEPAGE))
		return failed("mmap");
	touch(mem, size);
	wait_for_migration();
	for (size_t at = 0; at < size; at += 4 * page_size)
		if (madvise(mem + at, 3 * page_size, MADV_DONTNEED))
			return failed("MADV_DONTNEED");
	for (size_t at = 3 * page_size; at < size; at += MIB)
		printf("%llu\n", (unsigned long long)frame_of(mem + at));
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}

static int compact(void)
{
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		return failed("compact_memory");
	return close(fd);
}

/* Let compaction fill gaps, in turn between the odd pages of an area and the even ones. */
static int load_compact(unsigned long times)
{
	const size_t size = 2 * MIB;
	char *mem = map(size);

	if (!mem || madvise(mem, size, MADV_NOHUGEPAGE))
		return failed("mmap");
	while (times--) {
		touch(mem, size);
		for (size_t at = times % 2 * page_size; at < size; at += 2 * page_size)
			if (madvise(mem + at, page_size, MADV_DONTNEED))
				return failed("MADV_DONTNEED");
		if (compact())
			return -EIO;
	}
	wait_for_migration();
	munmap(mem, size);
	return 0;
}

/* Take pages offline. The kernel moves their content, and frees them before. */
static int load_offline(unsigned long times)
{
	while (times--) {
		char *mem = map(page_size);

		if (!mem)
			return failed("mmap");
		touch(mem, page_size);
		if (madvise(mem, page_size, MADV_SOFT_OFFLINE))
			return failed("MADV_SOFT_OFFLINE");
		touch(mem, page_size);
		munmap(mem, page_size);
	}
	return 0;
}

static int poison(void *data)
{
	char *page = data;

	return madvise(page, page_size, MADV_HWPOISON);
}

/* Simulate memory failures. The kernel keeps these pages allocated. */
static int load_poison(unsigned long times)
{
	while (times--) {
		char *mem = map(page_size);

		if (!mem)
			return failed("mmap");
		touch(mem, page_size);
		/* The kernel may kill the child. */
		in_child(poison, mem);
		munmap(mem, page_size);
	}
	return 0;
}

/* ---- the table of loads ---- */

static const struct load {
	const char	*name;
	int		(*run)(unsigned long times);
	const char	*help;
} loads[] = {
	{ "maps",	load_maps,	"fork with many areas" },
	{ "files",	load_files,	"write files here, look up missing ones" },
	{ "sockets",	load_sockets,	"send through pairs of sockets" },
	{ "tap",	load_tap,	"send frames through NAPI" },
	{ "bpf",	load_bpf,	"fill BPF maps" },
	{ "huge",	load_huge,	"split and collapse huge pages" },
	{ "hugetlb",	load_hugetlb,	"map hugetlb pages" },
	{ "move",	load_move,	"move pages between nodes" },
	{ "swap",	load_swap,	"swap MiB out and in" },
	{ "eat",	load_eat,	"allocate MiB" },
	{ "fragment",	load_fragment,	"allocate MiB with holes" },
	{ "compact",	load_compact,	"compact memory with gaps" },
	{ "offline",	load_offline,	"take pages offline" },
	{ "poison",	load_poison,	"simulate memory failures" },
};

static int explain(void)
{
	fprintf(stderr, "usage: accounting_load [-f] LOAD TIMES, where LOAD is one of\n");
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		fprintf(stderr, "  %-10s%s\n", loads[i].name, loads[i].help);
	fprintf(stderr, "-f: enable fault injection for this process\n");
	return 2;
}

static int run(const char *name, const char *times)
{
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		if (!strcmp(name, loads[i].name))
			return loads[i].run(strtoul(times, NULL, 10)) ?
			       EXIT_FAILURE : EXIT_SUCCESS;
	return explain();
}

/* Enable fault injection for this process. */
static int make_it_fail(void)
{
	int fd = open("/proc/self/make-it-fail", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		return failed("make-it-fail");
	return close(fd);
}

/* Return the usual size of huge pages, 2 MiB without them. */
static size_t default_huge_size(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	size_t kib = 2 * KIB;
	char line[100];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Hugepagesize: %zu kB", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib * KIB;
}

int main(int argc, char **argv)
{
	bool failing = argc == 4 && !strcmp(argv[1], "-f");

	page_size = sysconf(_SC_PAGESIZE);
	huge_size = default_huge_size();
	if (argc != 3 + failing)
		return explain();
	if (failing && make_it_fail())
		return EXIT_FAILURE;
	return run(argv[1 + failing], argv[2 + failing]);
}
