/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoding of kmemtrace records: the only place that knows byte orders.
 */
#ifndef KMEMTRACE_EVENT_H
#define KMEMTRACE_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "linux/kmemtrace.h"

/* The smallest record any ABI version has: that of version 1. */
#define EVENT_MIN_SIZE	sizeof(struct kmemtrace_event)
/* No record is longer; what lets event_order() tell the byte orders apart. */
#define EVENT_MAX_SIZE	4096

enum byte_order {
	ORDER_UNKNOWN,
	ORDER_LITTLE,
	ORDER_BIG,
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	ORDER_NATIVE = ORDER_LITTLE,
#else
	ORDER_NATIVE = ORDER_BIG,
#endif
};

/* Record types (enum kmemtrace_type_id) that ABI version 1 has. */
#define EVENT_NR_TYPES	3

enum byte_order event_order(const void *rec);
size_t event_size(const void *rec, enum byte_order order);
uint64_t event_ptr(const void *rec, enum byte_order order);
int64_t event_time(const void *rec, enum byte_order order);
void event_decode(const void *rec, enum byte_order order,
		  struct kmemtrace_event *ev);
void event_encode(const struct kmemtrace_event *ev, enum byte_order order,
		  void *rec);
const char *order_name(enum byte_order order);

#endif /* KMEMTRACE_EVENT_H */
