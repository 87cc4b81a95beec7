/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of the memory at one address.
 */
#ifndef KMEMTRACE_API_EVENTS_H
#define KMEMTRACE_API_EVENTS_H

#include "api/handle.h"

/**
 * enum happening - what an event of some memory was
 * @HAPPENED_ALLOC: it was allocated
 * @HAPPENED_FREE: it was freed
 * @HAPPENED_LIVE: the snapshot found it allocated
 * @HAPPENED_FREE_FRAME: the snapshot found its page free
 * @HAPPENED_RESERVED: its page never belonged to the page allocator, or not any more
 * @HAPPENED_OWN: its page is one of kmemtrace's own buffers
 * @HAPPENED_MOVED_HERE: the contents of pages were moved to its page
 * @HAPPENED_MOVED_AWAY: the contents of its page were moved to other pages
 * @HAPPENED_CHARGE: it was charged to a memory cgroup
 */
enum happening {
	HAPPENED_ALLOC,
	HAPPENED_FREE,
	HAPPENED_LIVE,
	HAPPENED_FREE_FRAME,
	HAPPENED_RESERVED,
	HAPPENED_OWN,
	HAPPENED_MOVED_HERE,
	HAPPENED_MOVED_AWAY,
	HAPPENED_CHARGE,
};

/**
 * struct event_at - an event of the memory at an address
 * @time: its time
 * @what: enum happening
 * @space: enum kmemtrace_space
 * @api: enum kmemtrace_api
 * @object: where the memory begins
 * @other: of a move, where the contents came from or went to
 * @bytes_req: requested bytes; 0: unknown
 * @bytes: allocated bytes; 0: unknown
 * @call_site: return address into the caller; 0: unknown
 * @cpu: its CPU
 * @cache: number of the slab cache; 0: none, or unknown
 * @path: number of the call path; 0: unknown
 * @task: number of the task; 0: unknown. Of a free and of a charge, the task that ran on the CPU
 * @cgroup: of a charge, number of the cgroup
 */
struct event_at {
	int64_t time;
	int what, space, api;
	uint64_t object, other, bytes_req, bytes, call_site;
	uint32_t cpu, cache, path, task, cgroup;
};

bool api_is_at(const struct kmemtrace_trace *trace, int space, uint64_t ptr, uint64_t bytes);
int api_each_event_at(struct kmemtrace_trace *trace,
		      int (*each)(void *arg, const struct event_at *event), void *arg);

#endif /* KMEMTRACE_API_EVENTS_H */
