/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoint that markers are compared with. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM marker_bench

#if !defined(_MARKER_BENCH_H) || defined(TRACE_HEADER_MULTI_READ)
#define _MARKER_BENCH_H

#include <linux/tracepoint.h>

DECLARE_TRACE(marker_bench,
	TP_PROTO(unsigned long number, const void *who),
	TP_ARGS(number, who));

#endif /* _MARKER_BENCH_H */
