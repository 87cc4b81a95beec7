// SPDX-License-Identifier: GPL-2.0
/*
 * Have memory that compaction moves, and keep it: every second page of an area, first the
 * odd ones, then the even ones, and so on. Where there are gaps depends on the rest of
 * the machine, so one round may move little. Prints how many pages the kernel moved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES		(64UL << 20)
#define MAX_ROUNDS	50
#define ENOUGH		2000

static void fail(const char *name)
{
	perror(name);
	exit(1);
}

static long moved_pages(void)
{
	FILE *file = fopen("/proc/vmstat", "r");
	char name[64];
	long value;

	while (file && fscanf(file, "%63s %ld", name, &value) == 2)
		if (!strcmp(name, "pgmigrate_success")) {
			fclose(file);
			return value;
		}
	fail("/proc/vmstat");
	return 0;
}

static void compact(void)
{
	FILE *file = fopen("/proc/sys/vm/compact_memory", "w");

	if (!file || fputs("1\n", file) < 0 || fclose(file))
		fail("/proc/sys/vm/compact_memory");
}

/* Free every second page, from @first on. */
static void free_half(char *area, size_t first, size_t page_size)
{
	for (size_t at = first; at < BYTES; at += 2 * page_size)
		if (madvise(area + at, page_size, MADV_DONTNEED))
			fail("madvise");
}

int main(void)
{
	const long page_size = sysconf(_SC_PAGESIZE), before = moved_pages();
	char *area = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long moved = 0;

	if (area == MAP_FAILED || madvise(area, BYTES, MADV_NOHUGEPAGE))
		fail("mmap");
	for (int round = 0; round < MAX_ROUNDS && moved < ENOUGH; round++) {
		memset(area, 1, BYTES);
		free_half(area, round % 2 * page_size, page_size);
		compact();
		moved = moved_pages() - before;
	}
	printf("%ld\n", moved);
	fflush(stdout);
	pause();
	return 0;
}
