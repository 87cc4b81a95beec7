// SPDX-License-Identifier: GPL-2.0
/*
 * gfp.c - the names of gfp flags
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "read/gfp.h"

/* The columns of the table below: each has the flags of some releases. */
enum column {
	COLUMN_6_1,
	COLUMN_6_12,
	NR_COLUMNS
};

/* The releases whose include/linux/gfp_types.h the table has. */
static const struct release {
	unsigned int major, minor;
	enum column column;
} releases[] = {
	{ 6, 1, COLUMN_6_1 },
	{ 6, 12, COLUMN_6_12 },
	{ 7, 2, COLUMN_6_12 },
};

/**
 * struct flags - a name for a set of bits
 * @name: the name
 * @bits: all of them, by column; 0: its releases don't have the name
 */
struct flags {
	const char *name;
	uint64_t bits[NR_COLUMNS];
};

#define SAME(bits)	{ bits, bits }

/*
 * Combinations come before those that are a part of them, then single bits. From 6.12 on the
 * bits from 0x1000000 on depend on the configuration, which no trace has: they have no
 * name.
 */
static const struct flags names[] = {
	{ "GFP_TRANSHUGE", SAME(0x1c24ca) },
	{ "GFP_TRANSHUGE_LIGHT", SAME(0x1c20ca) },
	{ "GFP_HIGHUSER_MOVABLE", SAME(0x100cca) },
	{ "GFP_HIGHUSER", SAME(0x100cc2) },
	{ "GFP_USER", SAME(0x100cc0) },
	{ "GFP_KERNEL_ACCOUNT", SAME(0x400cc0) },
	{ "GFP_KERNEL", SAME(0xcc0) },
	{ "GFP_NOFS", SAME(0xc40) },
	{ "GFP_ATOMIC", { 0xa20, 0x820 } },
	{ "GFP_NOIO", SAME(0xc00) },
	{ "GFP_NOWAIT", { 0x800, 0x2800 } },
	{ "__GFP_DMA", SAME(0x1) },
	{ "__GFP_HIGHMEM", SAME(0x2) },
	{ "__GFP_DMA32", SAME(0x4) },
	{ "__GFP_MOVABLE", SAME(0x8) },
	{ "__GFP_RECLAIMABLE", SAME(0x10) },
	{ "__GFP_HIGH", SAME(0x20) },
	{ "__GFP_IO", SAME(0x40) },
	{ "__GFP_FS", SAME(0x80) },
	{ "__GFP_ZERO", SAME(0x100) },
	{ "__GFP_ATOMIC", { 0x200, 0 } },
	{ "__GFP_DIRECT_RECLAIM", SAME(0x400) },
	{ "__GFP_KSWAPD_RECLAIM", SAME(0x800) },
	{ "__GFP_WRITE", SAME(0x1000) },
	{ "__GFP_NOWARN", SAME(0x2000) },
	{ "__GFP_RETRY_MAYFAIL", SAME(0x4000) },
	{ "__GFP_NOFAIL", SAME(0x8000) },
	{ "__GFP_NORETRY", SAME(0x10000) },
	{ "__GFP_MEMALLOC", SAME(0x20000) },
	{ "__GFP_COMP", SAME(0x40000) },
	{ "__GFP_NOMEMALLOC", SAME(0x80000) },
	{ "__GFP_HARDWALL", SAME(0x100000) },
	{ "__GFP_THISNODE", SAME(0x200000) },
	{ "__GFP_ACCOUNT", SAME(0x400000) },
	{ "__GFP_ZEROTAGS", SAME(0x800000) },
	{ "__GFP_SKIP_ZERO", { 0x1000000, 0 } },
	{ "__GFP_SKIP_KASAN_UNPOISON", { 0x2000000, 0 } },
	{ "__GFP_SKIP_KASAN_POISON", { 0x4000000, 0 } },
	{ "__GFP_NOLOCKDEP", { 0x8000000, 0 } },
};

/* Return the column of a release; NR_COLUMNS: it isn't known. */
static enum column column_of_release(const char *release)
{
	unsigned int major, minor;
	size_t i;

	if (!release || sscanf(release, "%u.%u", &major, &minor) != 2)
		return NR_COLUMNS;
	for (i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		if (releases[i].major == major && releases[i].minor == minor)
			return releases[i].column;
	return NR_COLUMNS;
}

/**
 * gfp_migratetype - find the mobility of an allocation of pages
 * @release: release of the kernel, may be NULL
 * @flags: flags of the allocation
 *
 * Does what gfpflags_to_migratetype() does in all releases that are known.
 *
 * Return: the type.
 */
enum migratetype gfp_migratetype(const char *release, uint64_t flags)
{
	bool movable = flags & 0x8, reclaimable = flags & 0x10;

	if (column_of_release(release) == NR_COLUMNS || (movable && reclaimable))
		return MIGRATETYPE_UNKNOWN;
	if (movable)
		return MIGRATETYPE_MOVABLE;
	return reclaimable ? MIGRATETYPE_RECLAIMABLE : MIGRATETYPE_UNMOVABLE;
}

/**
 * gfp_names - name the flags of an allocation
 * @buf: receives the names, GFP_NAMES_LEN bytes
 * @release: release of the kernel, may be NULL
 * @flags: the flags
 *
 * Return: @buf with "GFP_KERNEL|__GFP_ZERO", bits without a name in hexadecimal; NULL: the
 * release isn't known.
 */
const char *gfp_names(char *buf, const char *release, uint64_t flags)
{
	enum column column = column_of_release(release);
	size_t i, len = 0;

	if (column == NR_COLUMNS)
		return NULL;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint64_t bits = names[i].bits[column];

		if (!bits || (flags & bits) != bits)
			continue;
		len += snprintf(buf + len, GFP_NAMES_LEN - len, "%s%s",
				len ? "|" : "", names[i].name);
		flags &= ~bits;
	}
	if (flags || !len)
		snprintf(buf + len, GFP_NAMES_LEN - len, "%s%#" PRIx64,
			 len ? "|" : "", flags);
	return buf;
}
