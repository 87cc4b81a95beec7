// SPDX-License-Identifier: GPL-2.0
/*
 * ram.c - divide MemTotal into parts that do not overlap, and the rest, which no counter has
 *
 * Cached includes Shmem, AnonPages includes AnonHugePages. VmallocUsed includes the stacks of the
 * kernel where they are mapped, as on all large architectures.
 */
#include "config.h"

#include "sums/ram.h"

const struct ram_part ram_parts[] = {
	{ "free", { "MemFree" }, NULL },
	{ "page cache", { "Cached", "Buffers" }, NULL },
	{ "anonymous", { "AnonPages" }, NULL },
	{ "huge pages", { "Hugetlb" }, NULL },
	{ "slab", { "Slab" }, NULL },
	{ "page tables", { "PageTables", "SecPageTables" }, NULL },
	{ "stacks", { "KernelStack", "ShadowCallStack" }, NULL },
	{ "vmalloc", { "VmallocUsed" }, "KernelStack" },
	{ "per-CPU", { "Percpu" }, NULL },
};

const size_t ram_nr_parts = sizeof(ram_parts) / sizeof(*ram_parts);

/**
 * ram_part_bytes - add up the counters of a part
 * @part: the part
 * @counter: sets the bytes of a counter
 * @arg: for @counter
 * @bytes: result; 0 without the first counter
 *
 * Return: false: the kernel does not have the first counter.
 */
bool ram_part_bytes(const struct ram_part *part, ram_counter *counter, const void *arg,
		    int64_t *bytes)
{
	int64_t more;
	size_t i;

	if (!counter(arg, part->counters[0], bytes))
		return false;
	for (i = 1; i < RAM_COUNTERS && part->counters[i]; i++) {
		counter(arg, part->counters[i], &more);
		*bytes += more;
	}
	if (part->less && counter(arg, part->less, &more) && *bytes >= more)
		*bytes -= more;
	return true;
}

/* Set what no part has of MemTotal. Return false if the kernel doesn't have that counter. */
bool ram_rest(ram_counter *counter, const void *arg, int64_t *bytes)
{
	int64_t part;
	size_t i;

	if (!counter(arg, "MemTotal", bytes))
		return false;
	for (i = 0; i < ram_nr_parts; i++) {
		ram_part_bytes(&ram_parts[i], counter, arg, &part);
		*bytes -= part;
	}
	return true;
}
