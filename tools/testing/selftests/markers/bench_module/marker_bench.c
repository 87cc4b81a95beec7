// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a site, for readers of the debugfs file marker_bench. The
 * figures are instructions under an emulator that counts them, and cycles elsewhere.
 * Each row is a function with one site and some number of empty probes, less the same
 * function without a site.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/marker.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/timex.h>
#include "marker_bench.h"

#define BENCH_ROUNDS	20
#define BENCH_CALLS	1000
#define BENCH_PROBES	8

DEFINE_TRACE(marker_bench, TP_PROTO(unsigned long number, const void *who),
	     TP_ARGS(number, who));

DECLARE_MARKER(bench_typed,
	MARKER_PARAMS(unsigned long number, const void *who),
	MARKER_ARGS(number, who),
	"number %lu who %p")
DEFINE_MARKER(bench_typed);

static struct dentry *bench_file;

/* Each element is the data of another registration. */
static char bench_data[BENCH_PROBES];

static void probe(void *data, unsigned long number, const void *who)
{
}

static void probe_generic(void *data, const struct marker_layout *layout,
			  const void *record)
{
}

static noinline void bench_none(unsigned long number, const void *who)
{
	barrier();
}

static noinline void bench_typed(unsigned long number, const void *who)
{
	marker_call(bench_typed, number, who);
	barrier();
}

static noinline void bench_adhoc(unsigned long number, const void *who)
{
	trace_mark(bench_adhoc, "number %lu who %p", number, who);
	barrier();
}

static noinline void bench_tracepoint(unsigned long number, const void *who)
{
	trace_marker_bench(number, who);
	barrier();
}

static int add_typed(void *data)
{
	return register_marker_bench_typed(probe, data);
}

static void remove_typed(void *data)
{
	unregister_marker_bench_typed(probe, data);
}

static int add_generic(void *data)
{
	return marker_generic_register("bench_typed", NULL, probe_generic, data);
}

static void remove_generic(void *data)
{
	marker_generic_unregister("bench_typed", probe_generic, data);
}

static int add_adhoc(void *data)
{
	return marker_generic_register("bench_adhoc", NULL, probe_generic, data);
}

static void remove_adhoc(void *data)
{
	marker_generic_unregister("bench_adhoc", probe_generic, data);
}

static int add_tracepoint(void *data)
{
	return register_trace_marker_bench(probe, data);
}

static void remove_tracepoint(void *data)
{
	unregister_trace_marker_bench(probe, data);
	tracepoint_synchronize_unregister();
}

static const struct {
	const char	*name;
	void		(*site)(unsigned long number, const void *who);
	int		(*add)(void *data);
	void		(*remove)(void *data);
} benches[] = {
	{ "typed",	bench_typed,	  add_typed,	  remove_typed },
	{ "generic",	bench_typed,	  add_generic,	  remove_generic },
	{ "ad-hoc",	bench_adhoc,	  add_adhoc,	  remove_adhoc },
	{ "tracepoint",	bench_tracepoint, add_tracepoint, remove_tracepoint },
};

static const unsigned int counts[] = { 0, 1, 2, BENCH_PROBES };

static cycles_t bench_round(void (*site)(unsigned long number, const void *who))
{
	unsigned long flags;
	cycles_t start, end;

	local_irq_save(flags);
	start = get_cycles();
	for (unsigned long i = 0; i < BENCH_CALLS; i++)
		site(i, benches);
	end = get_cycles();
	local_irq_restore(flags);

	return end - start;
}

/* Return the best of several rounds: others may have had cold caches. */
static cycles_t bench_best(void (*site)(unsigned long number, const void *who))
{
	cycles_t best = bench_round(site);

	for (int i = 1; i < BENCH_ROUNDS; i++)
		best = min(best, bench_round(site));

	return best;
}

/* Print a line of the file: the name, and the cost for each of counts[]. */
static int bench_line(struct seq_file *m, int index)
{
	unsigned int nr = 0;
	int ret = 0;

	seq_puts(m, benches[index].name);
	for (int i = 0; i < ARRAY_SIZE(counts); i++) {
		cycles_t cost;
		u32 tenth;
		u64 whole;

		for (; nr < counts[i]; nr++) {
			ret = benches[index].add(&bench_data[nr]);
			if (ret)
				goto out;
		}
		cost = bench_best(benches[index].site) - bench_best(bench_none);
		whole = div_u64_rem(div_u64(cost * 10, BENCH_CALLS), 10, &tenth);
		seq_printf(m, " %llu.%u", whole, tenth);
	}
	seq_putc(m, '\n');
out:
	while (nr--)
		benches[index].remove(&bench_data[nr]);
	return ret;
}

static int bench_show(struct seq_file *m, void *v)
{
	int ret = 0;

	for (int i = 0; i < ARRAY_SIZE(benches) && !ret; i++)
		ret = bench_line(m, i);
	return ret;
}
DEFINE_SHOW_ATTRIBUTE(bench);

static int __init bench_init(void)
{
	bench_file = debugfs_create_file("marker_bench", 0400, NULL, NULL,
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
MODULE_DESCRIPTION("Cost of a marker's site");
