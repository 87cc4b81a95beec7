// SPDX-License-Identifier: GPL-2.0
/* LTTng's probes of the tracepoints of ktrace_bench. */
#include <linux/module.h>
#include <lttng/tracer.h>

/* The prototypes of the kernel, which those of LTTng have to match. */
#include "ktrace_bench_trace.h"
#undef TRACE_INCLUDE_FILE
#undef TRACE_INCLUDE_PATH

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/ktrace_bench.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng probes of ktrace_bench");
