/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The kmemtrace stream: what a reader finds in <debugfs>/kmemtrace/cpu<n>.
 *
 * A stream is a sequence of records in the byte order of the traced machine.
 * Documentation/ABI/testing/debugfs-kmemtrace is its description.
 */
#ifndef _UAPI_LINUX_KMEMTRACE_H
#define _UAPI_LINUX_KMEMTRACE_H

#include <linux/types.h>

/* Raised by one with every change of the stream, new ids included. */
#define KMEMTRACE_ABI_VERSION	1

/**
 * enum kmemtrace_event_id - what happened
 * @KMEMTRACE_EVENT_NULL: illegal, never occurs in a stream
 * @KMEMTRACE_EVENT_ALLOC: memory was handed out
 * @KMEMTRACE_EVENT_FREE: memory was taken back
 */
enum kmemtrace_event_id {
	KMEMTRACE_EVENT_NULL	= 0,
	KMEMTRACE_EVENT_ALLOC	= 1,
	KMEMTRACE_EVENT_FREE	= 2,
};

/**
 * enum kmemtrace_type_id - which interface was called
 * @KMEMTRACE_TYPE_KMALLOC: kmalloc(), kfree() and what is built on them
 * @KMEMTRACE_TYPE_CACHE: kmem_cache_alloc(), kmem_cache_free()
 * @KMEMTRACE_TYPE_PAGES: the page allocator
 *
 * Slab objects (the first two) are matched by pointer alone; pages are a
 * namespace of their own, whose bytes contain those of the slab.
 */
enum kmemtrace_type_id {
	KMEMTRACE_TYPE_KMALLOC	= 0,
	KMEMTRACE_TYPE_CACHE	= 1,
	KMEMTRACE_TYPE_PAGES	= 2,
};

/**
 * struct kmemtrace_event - one record, ABI version 1
 * @event_id: enum kmemtrace_event_id
 * @type_id: enum kmemtrace_type_id
 * @event_size: bytes of this record; a reader skips the tail it does not know
 * @node: NUMA node an allocation asked for, -1 when it asked for none; -1 for
 *	pages, whose allocator doesn't keep it
 * @call_site: return address into the caller
 * @ptr: address of the memory, never 0
 * @bytes_req: bytes requested, never 0 for an allocation
 * @bytes_alloc: bytes given, never below @bytes_req
 * @gfp_flags: as the allocator used them
 * @timestamp: nanoseconds
 *
 * A KMEMTRACE_EVENT_FREE has zeros in @bytes_req and @gfp_flags, -1 in @node;
 * its @bytes_alloc is 0 for slab objects and the bytes freed for pages.
 */
struct kmemtrace_event {
	__u8	event_id;
	__u8	type_id;
	__u16	event_size;
	__s32	node;
	__u64	call_site;
	__u64	ptr;
	__u64	bytes_req;
	__u64	bytes_alloc;
	__u64	gfp_flags;
	__s64	timestamp;
} __attribute__((packed, aligned(8)));

#endif /* _UAPI_LINUX_KMEMTRACE_H */
