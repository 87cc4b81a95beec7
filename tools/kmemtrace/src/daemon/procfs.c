// SPDX-License-Identifier: GPL-2.0
/*
 * procfs.c - the rows of the kernel's counters, from the text of /proc
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/procfs.h"

/*
 * "  4096  1 mm/slub.c:12 [module] func:name", and " accurate:no" behind it on
 * new kernels. The bytes of all CPUs are summed up while they change: the sum may be negative
 * for a moment.
 */
static const char *parse_allocinfo(char *line, uint64_t *values)
{
	long long bytes;
	char *func;
	int len;

	if (sscanf(line, "%lld %" SCNu64 " %n", &bytes, &values[1], &len) != 2)
		return NULL;
	values[0] = bytes < 0 ? 0 : bytes;
	func = strstr(line + len, " func:");
	if (!func)
		return NULL;
	func[1 + strcspn(func + 1, " ")] = '\0';
	return line + len;
}

/*
 * "name active objects size objects/slab pages/slab : tunables ... : slabdata active all ...".
 * The name of a cache may have spaces.
 */
static const char *parse_slabinfo(char *line, uint64_t *values)
{
	char *tunables = strstr(line, " : tunables"), *data = strstr(line, " : slabdata");
	uint64_t per_slab, pages, slabs;
	char *at = tunables;
	int i;

	if (*line == '#' || !tunables || !data ||
	    sscanf(data, " : slabdata %*u %" SCNu64, &slabs) != 1)
		return NULL;
	*tunables = '\0';
	for (i = 0; i < 5; i++) {
		while (at > line && at[-1] == ' ')
			at--;
		while (at > line && isdigit((unsigned char)at[-1]))
			at--;
	}
	if (sscanf(at, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
		   &values[SLABINFO_ACTIVE], &values[SLABINFO_OBJECTS],
		   &values[SLABINFO_SIZE], &per_slab, &pages) != 5)
		return NULL;
	values[SLABINFO_PAGES] = slabs * pages;
	while (at > line && at[-1] == ' ')
		at--;
	*at = '\0';
	return line;
}

/* "nr_free_pages 123" */
static const char *parse_vmstat(char *line, uint64_t *values)
{
	char *space = strchr(line, ' ');

	if (!space || sscanf(space, "%" SCNu64, &values[0]) != 1)
		return NULL;
	*space = '\0';
	return line;
}

/* "MemFree:   123 kB", or without a unit */
static const char *parse_meminfo(char *line, uint64_t *values)
{
	char *colon = strchr(line, ':');

	if (!colon || sscanf(colon, ": %" SCNu64, &values[0]) != 1)
		return NULL;
	if (strstr(colon, " kB"))
		values[0] *= 1024;
	*colon = '\0';
	return line;
}

/* Each returns the name of a row; NULL: the line has none. */
static const char *(*const parsers[])(char *line, uint64_t *values) = {
	[COUNTER_ALLOCINFO] = parse_allocinfo,
	[COUNTER_SLABINFO] = parse_slabinfo,
	[COUNTER_VMSTAT] = parse_vmstat,
	[COUNTER_MEMINFO] = parse_meminfo,
};

static FILE *open_table(int proc, enum counter_table table)
{
	int fd = openat(proc, counter_table_name(table), O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

/**
 * procfs_read - read a table
 * @proc: the directory /proc
 * @table: the table
 * @fn: called for each row
 * @arg: for @fn
 *
 * Return: 0; -ENOENT: the kernel doesn't have it; or another -errno.
 */
int procfs_read(int proc, enum counter_table table, procfs_fn *fn, void *arg)
{
	FILE *f = open_table(proc, table);
	uint64_t values[COUNTER_VALUES];
	char line[COUNTER_MAX_LINE];
	const char *name;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		name = parsers[table](line + strspn(line, " "), values);
		if (name && *name && strlen(name) <= COUNTER_MAX_NAME)
			err = fn(arg, table, name, values);
	}
	if (!err && ferror(f))
		err = -EIO;
	fclose(f);
	return err;
}
