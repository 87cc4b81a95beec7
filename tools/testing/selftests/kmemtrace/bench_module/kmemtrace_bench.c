// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of an allocation and its free, for readers of the debugfs file
 * kmemtrace_bench. The figures are instructions under an emulator that counts them, one
 * for each nanosecond. Elsewhere they are cycles on x86, and nanoseconds on others.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/kmemtrace.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/stacktrace.h>
#include <linux/slab.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#ifdef CONFIG_KMEMTRACE
#include <uapi/linux/kmemtrace.h>
#include "path.h"
#endif
#ifdef CONFIG_UML_X86
#include <asm/msr.h>
#endif

#define BENCH_ROUNDS	20
#define BENCH_PAIRS	1000

static struct kmem_cache *bench_cache;
static struct dentry *bench_file;

static void bench_empty(void)
{
	barrier();
}

static void bench_kmalloc(void)
{
	kfree(kmalloc(64, GFP_ATOMIC));
}

static void bench_kmem_cache(void)
{
	void *object = kmem_cache_alloc(bench_cache, GFP_ATOMIC);

	if (object)
		kmem_cache_free(bench_cache, object);
}

static void bench_page(void)
{
	struct page *page = alloc_page(GFP_ATOMIC);

	if (page)
		__free_page(page);
}

static const struct {
	const char	*name;
	void		(*pair)(void);
} benches[] = {
	{ "kmalloc",	bench_kmalloc },
	{ "kmem_cache",	bench_kmem_cache },
	{ "page",	bench_page },
};

/*
 * Under the emulator, the TSC counts nanoseconds, but the kernel may have measured another
 * rate. Other counters are slower, and have a known rate. UML has no get_cycles().
 */
static u64 bench_now(void)
{
	u64 cycles = IS_ENABLED(CONFIG_X86) ? get_cycles() : 0;

	return cycles ?: ktime_get_ns();
}

/* Measure one round. Interrupts stay off, so that only the pairs are measured. */
static u64 bench_round(void (*pair)(void))
{
	unsigned long flags;
	u64 start, end;

	local_irq_save(flags);
	start = bench_now();
	for (int i = 0; i < BENCH_PAIRS; i++)
		pair();
	end = bench_now();
	local_irq_restore(flags);

	return end - start;
}

/* Return the best of several rounds: others may have had cold caches or full slabs. */
static u64 bench_best(void (*pair)(void))
{
	u64 best = bench_round(pair);

	for (int i = 1; i < BENCH_ROUNDS; i++)
		best = min(best, bench_round(pair));

	return best;
}

/* Print a line of the file: NAME COST, for one pair without the loop around it. */
static void bench_line(struct seq_file *m, const char *name, void (*pair)(void))
{
	u64 cost = bench_best(pair) - bench_best(bench_empty);
	u32 tenth;
	u64 whole = div_u64_rem(div_u64(cost * 10, BENCH_PAIRS), 10, &tenth);

	seq_printf(m, "%s %llu.%u\n", name, whole, tenth);
}

#ifdef CONFIG_KMEMTRACE
/* The parts of an event. Each includes the parts before it, except another clock. */
enum bench_part {
	BENCH_CALL,
	BENCH_IRQS,
	BENCH_LOCAL,
	BENCH_CYCLES,
	BENCH_STORE,
	BENCH_PARTS,
};

static const char * const bench_part_names[BENCH_PARTS] = {
	"part_call", "part_irqs", "part_local", "part_cycles", "part_store",
};

static struct kmemtrace_slab_event bench_records[64];
static unsigned int bench_next;
static u64 bench_time;

/* Return the same counter as kmemtrace's clock. */
static __always_inline u64 bench_cycles(void)
{
#ifdef CONFIG_UML_X86
	return rdtsc();
#else
	return get_cycles();
#endif
}

/* Store a record, without a check for other writers or for room. */
static __always_inline void bench_store(unsigned long call_site,
					const void *ptr, size_t bytes_req,
					struct kmem_cache *cache, gfp_t gfp,
					int node, u64 time)
{
	struct kmemtrace_slab_event *record =
		&bench_records[bench_next++ % ARRAY_SIZE(bench_records)];

	/* Nothing reads the records: keep the compiler from dropping the stores. */
	OPTIMIZER_HIDE_VAR(record);
	record->event.event_id = cache ? KMEMTRACE_EVENT_ALLOC :
					 KMEMTRACE_EVENT_FREE;
	record->event.type_id = KMEMTRACE_TYPE_KMALLOC;
	record->event.event_size = cache ? sizeof(*record) :
					   sizeof(record->event);
	record->event.node = node;
	record->event.call_site = call_site;
	record->event.ptr = (unsigned long)ptr;
	record->event.bytes_req = bytes_req;
	record->event.bytes_alloc = bytes_req;
	record->event.gfp_flags = (__force u32)gfp;
	record->event.timestamp = time;
	if (cache)
		record->cache = (unsigned long)cache;
}

static __always_inline void bench_part(enum bench_part part,
				       unsigned long call_site,
				       const void *ptr, size_t bytes_req,
				       struct kmem_cache *cache, gfp_t gfp,
				       int node)
{
	unsigned long flags;

	barrier();
	if (part == BENCH_CALL)
		return;
	raw_local_irq_save(flags);
	if (part == BENCH_LOCAL)
		WRITE_ONCE(bench_time, local_clock());
	else if (part == BENCH_CYCLES)
		WRITE_ONCE(bench_time, bench_cycles());
	else if (part == BENCH_STORE)
		bench_store(call_site, ptr, bytes_req, cache, gfp, node,
			    bench_cycles());
	raw_local_irq_restore(flags);
}

#define BENCH_PROBES(_part)						\
static void bench_kmalloc_##_part(void *data, unsigned long call_site,	\
				  const void *ptr, size_t bytes_req,	\
				  struct kmem_cache *cache, gfp_t gfp,	\
				  int node)				\
{									\
	bench_part(_part, call_site, ptr, bytes_req, cache, gfp, node);	\
}									\
									\
static void bench_kfree_##_part(void *data, unsigned long call_site,	\
				const void *ptr)			\
{									\
	bench_part(_part, call_site, ptr, 0, NULL, 0, NUMA_NO_NODE);	\
}

BENCH_PROBES(BENCH_CALL)
BENCH_PROBES(BENCH_IRQS)
BENCH_PROBES(BENCH_LOCAL)
BENCH_PROBES(BENCH_CYCLES)
BENCH_PROBES(BENCH_STORE)

static const struct {
	marker_probe_kmalloc	*kmalloc;
	marker_probe_kfree	*kfree;
} bench_probes_of[BENCH_PARTS] = {
	{ bench_kmalloc_BENCH_CALL, bench_kfree_BENCH_CALL },
	{ bench_kmalloc_BENCH_IRQS, bench_kfree_BENCH_IRQS },
	{ bench_kmalloc_BENCH_LOCAL, bench_kfree_BENCH_LOCAL },
	{ bench_kmalloc_BENCH_CYCLES, bench_kfree_BENCH_CYCLES },
	{ bench_kmalloc_BENCH_STORE, bench_kfree_BENCH_STORE },
};

/* Measure a kmalloc() and kfree() with each part of an event. */
static void bench_parts(struct seq_file *m)
{
	for (int i = 0; i < BENCH_PARTS; i++) {
		if (register_marker_kmalloc(bench_probes_of[i].kmalloc, NULL))
			return;
		if (!register_marker_kfree(bench_probes_of[i].kfree, NULL)) {
			bench_line(m, bench_part_names[i], bench_kmalloc);
			unregister_marker_kfree(bench_probes_of[i].kfree, NULL);
		}
		unregister_marker_kmalloc(bench_probes_of[i].kmalloc, NULL);
	}
}

static unsigned long bench_call_site;

static void bench_alloc_probe(void *data, struct page *page, unsigned int order,
			      gfp_t gfp)
{
	WRITE_ONCE(bench_call_site, data ? kmemtrace_callsite() : _THIS_IP_);
}

static void bench_free_probe(void *data, struct page *page, unsigned int order)
{
	WRITE_ONCE(bench_call_site, data ? kmemtrace_callsite() : _THIS_IP_);
}

/* Measure a page's allocation and free, with probes that search call sites or don't. */
static void bench_probes(struct seq_file *m, const char *name, void *search)
{
	if (register_marker_page_alloc(bench_alloc_probe, search))
		return;
	if (!register_marker_page_free(bench_free_probe, search)) {
		bench_line(m, name, bench_page);
		unregister_marker_page_free(bench_free_probe, search);
	}
	unregister_marker_page_alloc(bench_alloc_probe, search);
}

/* The difference is the cost of the search, while kmemtrace is off. */
static unsigned int bench_depth;

/* Count the frames of the call path of an allocation of bench_kmalloc(). */
static noinline void bench_frames(void)
{
	unsigned long entries[64];

	bench_depth = stack_trace_save(entries, ARRAY_SIZE(entries), 0);
}

static void bench_frames_line(struct seq_file *m)
{
	bench_best(bench_frames);
	seq_printf(m, "frames %u\n", bench_depth);
}

static bool bench_paths;
module_param_named(paths, bench_paths, bool, 0);
MODULE_PARM_DESC(paths, "Measure the walk of a call path; the trace must have paths");

/* Walk the call path of an allocation, without the functions of the allocator. */
static noinline void bench_walk(void)
{
	struct kmemtrace_path path __uninitialized;

	kmemtrace_path_walk(&path, _RET_IP_, __builtin_frame_address(0));
	WRITE_ONCE(bench_depth, path.depth);
}

static void bench_search(struct seq_file *m)
{
	bench_frames_line(m);
	if (bench_paths)
		bench_line(m, "walk", bench_walk);
	bench_probes(m, "page_probed", NULL);
	bench_probes(m, "page_searched", &bench_call_site);
	bench_parts(m);
}

/* MODULE_IMPORT_NS() wants a string since 6.13. */
MODULE_INFO(import_ns, "EXPORTED_FOR_KUNIT_TESTING");
#else
static void bench_search(struct seq_file *m) { }
#endif

static int bench_show(struct seq_file *m, void *v)
{
	for (int i = 0; i < ARRAY_SIZE(benches); i++)
		bench_line(m, benches[i].name, benches[i].pair);
	bench_search(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bench);

static int __init bench_init(void)
{
	/* SLAB_NO_MERGE: a merged cache would have another cost. */
	bench_cache = kmem_cache_create("kmemtrace_bench", 64, 0,
					SLAB_NO_MERGE, NULL);
	if (!bench_cache)
		return -ENOMEM;

	bench_file = debugfs_create_file("kmemtrace_bench", 0400, NULL, NULL,
					 &bench_fops);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	debugfs_remove(bench_file);
	kmem_cache_destroy(bench_cache);
}
module_exit(bench_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cost of an allocation and its free");
