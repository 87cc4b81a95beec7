/* SPDX-License-Identifier: GPL-2.0 */
/* What the recorder needs of the page allocator's own header. */
#ifndef _KMEMTRACE_MM_INTERNAL_H
#define _KMEMTRACE_MM_INTERNAL_H

#include <linux/mm.h>
#include <linux/mmzone.h>
#include <symbols.h>

/* Return the order of a block of free pages by its first page, under the lock of its zone. */
static inline unsigned int buddy_order(struct page *page)
{
	return page_private(page);
}

void zone_pcp_disable(struct zone *zone);
void zone_pcp_enable(struct zone *zone);

#define zone_pcp_disable	KMEMTRACE_CALL(zone_pcp_disable)
#define zone_pcp_enable		KMEMTRACE_CALL(zone_pcp_enable)

#endif /* _KMEMTRACE_MM_INTERNAL_H */
