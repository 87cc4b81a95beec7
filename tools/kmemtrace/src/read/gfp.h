/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of gfp flags. Their bits differ between the releases of the kernel.
 */
#ifndef KMEMTRACE_GFP_H
#define KMEMTRACE_GFP_H

#include <stdint.h>

/* Bytes of the names of all flags. */
#define GFP_NAMES_LEN	1024

/**
 * enum migratetype - mobility of pages, from the flags of their allocation
 * @MIGRATETYPE_UNMOVABLE: none
 * @MIGRATETYPE_MOVABLE: the kernel can move the pages
 * @MIGRATETYPE_RECLAIMABLE: the kernel can reclaim the pages
 * @MIGRATETYPE_UNKNOWN: flags that no kernel allows, or a release that isn't known
 */
enum migratetype {
	MIGRATETYPE_UNMOVABLE,
	MIGRATETYPE_MOVABLE,
	MIGRATETYPE_RECLAIMABLE,
	MIGRATETYPE_UNKNOWN,
	/* private: */
	NR_MIGRATETYPES
};

/* The flags without which pages are unmovable, in all releases that are known. */
#define GFP_MOVABLE_OR_RECLAIMABLE	0x18

enum migratetype gfp_migratetype(const char *release, uint64_t flags);
const char *gfp_names(char *buf, const char *release, uint64_t flags);

#endif /* KMEMTRACE_GFP_H */
