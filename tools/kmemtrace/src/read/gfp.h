/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of gfp flags, whose bits are others in each release of the kernel.
 */
#ifndef KMEMTRACE_GFP_H
#define KMEMTRACE_GFP_H

#include <stdint.h>

/* Room for the names of all flags. */
#define GFP_NAMES_LEN	1024

/**
 * enum migratetype - what flags tell the page allocator
 * @MIGRATETYPE_UNMOVABLE: nothing
 * @MIGRATETYPE_MOVABLE: the pages can be moved
 * @MIGRATETYPE_RECLAIMABLE: they can be had back
 * @MIGRATETYPE_UNKNOWN: what no kernel allows, or one that isn't known
 */
enum migratetype {
	MIGRATETYPE_UNMOVABLE,
	MIGRATETYPE_MOVABLE,
	MIGRATETYPE_RECLAIMABLE,
	MIGRATETYPE_UNKNOWN,
	/* private: */
	NR_MIGRATETYPES
};

enum migratetype gfp_migratetype(const char *release, uint64_t flags);
const char *gfp_names(char *buf, const char *release, uint64_t flags);

#endif /* KMEMTRACE_GFP_H */
