/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoints of ktrace_bench, as LTTng records them. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ktrace_bench

#if !defined(_LTTNG_KTRACE_BENCH_H) || defined(TRACE_HEADER_MULTI_READ)
#define _LTTNG_KTRACE_BENCH_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(ktrace_bench_numbers,
	TP_PROTO(unsigned long a, unsigned long b, unsigned long c, unsigned long d),
	TP_ARGS(a, b, c, d),
	TP_FIELDS(
		ctf_integer(unsigned long, a, a)
		ctf_integer(unsigned long, b, b)
		ctf_integer(unsigned long, c, c)
		ctf_integer(unsigned long, d, d)
	)
)

LTTNG_TRACEPOINT_EVENT(ktrace_bench_text,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_FIELDS(
		ctf_string(text, text)
	)
)

#endif /* _LTTNG_KTRACE_BENCH_H */

#include <lttng/define_trace.h>
