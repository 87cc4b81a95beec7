// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtraced - log the kernel's memory trace into a directory
 */
#include "config.h"

#include <stdlib.h>

#include "daemon/counters.h"
#include "daemon/kmemtrace.h"
#include "daemon/msg.h"
#include "daemon/session.h"
#include "daemon/stock.h"
#include "daemon/triggers.h"
#include "linux/kmemtrace.h"

static bool stock;
static struct counters_options counters = { .proc = "/proc" };

static int set_stock(const char *value)
{
	(void)value;
	stock = true;
	return 0;
}

static int set_counters(const char *value)
{
	return settings_seconds(value, &counters.interval_ns);
}

static int set_proc(const char *value)
{
	counters.proc = value;
	return !*value;
}

static int set_no_baseline(const char *value)
{
	(void)value;
	kmemtrace_wishes.no_baseline = true;
	return 0;
}

static int set_overwrite(const char *value)
{
	(void)value;
	kmemtrace_wishes.overwrite = true;
	return 0;
}

/* A power of two. */
static int set_sample(const char *value)
{
	char *end;
	unsigned long one_of = strtoul(value, &end, 10);

	kmemtrace_wishes.sample = value;
	return *end || *value == '-' || !one_of || one_of & (one_of - 1) ||
	       one_of > KMEMTRACE_MAX_SAMPLE;
}

/* Words that the kernel knows. */
static int set_with(const char *value)
{
	kmemtrace_wishes.with = value;
	return !*value;
}

static int set_until(const char *value)
{
	kmemtrace_wishes.look_ns = TRIGGERS_NS;
	return triggers_parse(value);
}

static int set_subbufs(const char *value)
{
	char *end;

	kmemtrace_wishes.n_subbufs = strtoul(value, &end, 10);
	return *end || *value == '-' || !kmemtrace_wishes.n_subbufs;
}

static const struct opt opts[] = {
	{ .help = "What is logged" },
	{ 0, "no-baseline", NULL, "log events only, not what is live when tracing begins", set_no_baseline },
	{ 0, "overwrite", NULL, "keep the newest events, read them at the end", set_overwrite },
	{ 0, "until", "EVENTS", "stop at one of: oom, failure, live=SIZE (K, M, G)", set_until },
	{ 0, "sample", "N", "log one of N small slab objects: a power of two", set_sample },
	{ 0, "with", "WORDS", "log who allocated, too: stack,task,cgroup; refs=KIND: references", set_with },
	{ 0, "subbufs", "N", "let the kernel have N sub-buffers for each CPU", set_subbufs },
	{ 0, "rotate", "AFTER", "begin a new trace after a size (K, M, G) or time (s, m, h, d)", settings_rotate },
	{ 0, "keep", "N", "keep the N newest of these traces", settings_keep },
	{ 0, "stock", NULL, "log the best that this machine has, on any kernel", set_stock },
	{ 0, "counters", "SECS", "log the kernel's counters at this interval; with --stock as its last choice", set_counters },
	{ 0, "proc", "DIR", "read the kernel's counters from DIR instead of /proc", set_proc },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtraced",
	.operands = "[-- COMMAND [ARG]...]",
	.purpose = "Log the kernel's memory trace into kmemtrace.data until COMMAND ends, the time\n"
		   "is up or Ctrl-C.\n"
		   "Exit status: 0 complete, 1 incomplete, 2 nothing was logged.",
	.command = true,
	.opts = opts,
	.more = settings_opts,
};

int main(int argc, char *argv[])
{
	const struct settings *set = settings_parse(&kmemtrace, &prog, argc, argv);
	bool rotates;

	if (!set)
		return NOTHING;
	rotates = set->rotate_bytes || set->rotate_ns;
	if (rotates && kmemtrace_wishes.overwrite) {
		say("--rotate is for all events, not for the newest ones of --overwrite");
		return NOTHING;
	}
	/* A chain has one begin and one end, which are in different directories. */
	kmemtrace_wishes.until_proc = counters.proc;
	kmemtrace_wishes.proc = rotates ? NULL : counters.proc;
	if (stock) {
		if (!counters.interval_ns)
			counters.interval_ns = COUNTERS_INTERVAL;
		return stock_run(set, &counters);
	}
	if (counters.interval_ns)
		return stock_run_counters(set, &counters);
	return session_run(&kmemtrace, set);
}
