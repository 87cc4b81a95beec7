// SPDX-License-Identifier: GPL-2.0
/*
 * What profiles measure at each call site.
 */
#include "config.h"

#include "export/measures.h"

static uint64_t live_of(const struct kmemtrace_row *row)
{
	return row->live_bytes_alloc;
}

static uint64_t live_objects_of(const struct kmemtrace_row *row)
{
	return row->live;
}

static uint64_t peak_of(const struct kmemtrace_row *row)
{
	return row->peak_bytes_alloc;
}

static uint64_t alloc_of(const struct kmemtrace_row *row)
{
	return row->bytes_alloc;
}

static uint64_t allocs_of(const struct kmemtrace_row *row)
{
	return row->allocs;
}

const struct measure measures[NR_MEASURES] = {
	{ "live", "live at the end", "bytes", live_of },
	{ "live_objects", "objects live at the end", "count", live_objects_of },
	{ "peak", "live at the peak", "bytes", peak_of },
	{ "alloc", "allocated in all", "bytes", alloc_of },
	{ "allocs", "allocations", "count", allocs_of },
};
