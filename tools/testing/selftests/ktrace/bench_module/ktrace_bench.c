// SPDX-License-Identifier: GPL-2.0
/*
 * Measures what a hit of a marker or of a tracepoint costs, for readers of the debugfs file
 * ktrace_bench. The figures are instructions under an emulator that counts them,
 * nanoseconds in UML, and cycles elsewhere. Each row is a function with one site, less the
 * same function without a site. Whether the site is off or recorded is up to the reader.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/marker.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#define CREATE_TRACE_POINTS
#include "ktrace_bench_trace.h"

#define BENCH_ROUNDS	20
#define BENCH_CALLS	1000

DECLARE_MARKER(ktrace_bench_numbers,
	MARKER_PARAMS(unsigned long a, unsigned long b, unsigned long c, unsigned long d),
	MARKER_ARGS(a, b, c, d),
	"a %lu b %lu c %lu d %lu")
DEFINE_MARKER(ktrace_bench_numbers);

DECLARE_MARKER(ktrace_bench_text,
	MARKER_PARAMS(const char *text),
	MARKER_ARGS(text),
	"text %s")
DEFINE_MARKER(ktrace_bench_text);

/* 16 bytes with the NUL, as the name of a task. */
static char text[16] = "fifteen letters";

static noinline void bench_none(unsigned long number, const char *string)
{
	barrier();
}

static noinline void bench_numbers(unsigned long number, const char *string)
{
	marker_call(ktrace_bench_numbers, number, number, number, number);
	barrier();
}

static noinline void bench_site_numbers(unsigned long number, const char *string)
{
	trace_mark(ktrace_bench_site_numbers, "a %lu b %lu c %lu d %lu", number,
		   number, number, number);
	barrier();
}

static noinline void bench_text(unsigned long number, const char *string)
{
	marker_call(ktrace_bench_text, string);
	barrier();
}

static noinline void bench_site_text(unsigned long number, const char *string)
{
	trace_mark(ktrace_bench_site_text, "text %s", string);
	barrier();
}

static noinline void bench_trace_numbers(unsigned long number, const char *string)
{
	trace_ktrace_bench_numbers(number, number, number, number);
	barrier();
}

static noinline void bench_trace_text(unsigned long number, const char *string)
{
	trace_ktrace_bench_text(string);
	barrier();
}

static const struct {
	const char	*name;
	void		(*site)(unsigned long number, const char *string);
} benches[] = {
	{ "numbers",		bench_numbers },
	{ "site_numbers",	bench_site_numbers },
	{ "text",		bench_text },
	{ "site_text",		bench_site_text },
	{ "trace_numbers",	bench_trace_numbers },
	{ "trace_text",		bench_trace_text },
};

static u64 bench_time(void)
{
	return IS_ENABLED(CONFIG_UML) ? ktime_get_ns() : get_cycles();
}

static u64 bench_round(void (*site)(unsigned long number, const char *string))
{
	unsigned long flags;
	u64 start, end;

	local_irq_save(flags);
	start = bench_time();
	for (unsigned long i = 0; i < BENCH_CALLS; i++)
		site(i, text);
	end = bench_time();
	local_irq_restore(flags);
	return end - start;
}

/* Return the best of several rounds: others may have had cold caches. */
static u64 bench_best(void (*site)(unsigned long number, const char *string))
{
	u64 best = bench_round(site);

	for (int i = 1; i < BENCH_ROUNDS; i++)
		best = min(best, bench_round(site));
	return best;
}

static int bench_show(struct seq_file *m, void *v)
{
	for (int i = 0; i < ARRAY_SIZE(benches); i++) {
		u64 cost = bench_best(benches[i].site) - bench_best(bench_none);
		u32 tenth;
		u64 whole;

		whole = div_u64_rem(div_u64(cost * 10, BENCH_CALLS), 10, &tenth);
		seq_printf(m, "%s %llu.%u\n", benches[i].name, whole, tenth);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bench);

static struct dentry *bench_file;

static int __init bench_init(void)
{
	bench_file = debugfs_create_file("ktrace_bench", 0400, NULL, NULL,
					 &bench_fops);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	debugfs_remove(bench_file);
}
module_exit(bench_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cost of an event of ktrace");
