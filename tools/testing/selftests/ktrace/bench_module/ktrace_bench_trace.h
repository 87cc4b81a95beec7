/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoints that the markers of ktrace_bench are compared with. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ktrace_bench

#if !defined(_KTRACE_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _KTRACE_BENCH_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(ktrace_bench_numbers,
	TP_PROTO(unsigned long a, unsigned long b, unsigned long c, unsigned long d),
	TP_ARGS(a, b, c, d),
	TP_STRUCT__entry(
		__field(unsigned long, a)
		__field(unsigned long, b)
		__field(unsigned long, c)
		__field(unsigned long, d)
	),
	TP_fast_assign(
		__entry->a = a;
		__entry->b = b;
		__entry->c = c;
		__entry->d = d;
	),
	TP_printk("a %lu b %lu c %lu d %lu", __entry->a, __entry->b, __entry->c,
		  __entry->d)
);

TRACE_EVENT(ktrace_bench_text,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_STRUCT__entry(
		__string(text, text)
	),
	TP_fast_assign(
		__assign_str(text);
	),
	TP_printk("text %s", __get_str(text))
);

#endif /* _KTRACE_BENCH_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ktrace_bench_trace
#include <trace/define_trace.h>
