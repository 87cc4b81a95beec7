/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of the early boot: when a module is loaded, the page allocator has all of it. */
#ifndef _COMPAT_LINUX_MEMBLOCK_H
#define _COMPAT_LINUX_MEMBLOCK_H

#include_next <linux/memblock.h>

#define memblock_is_reserved(_addr)	false

#undef for_each_mem_pfn_range
#define for_each_mem_pfn_range(_i, _nid, _start, _end, _of)	\
	for (_i = *(_start) = *(_end) = 0; _i; )

#endif /* _COMPAT_LINUX_MEMBLOCK_H */
