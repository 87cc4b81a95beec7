// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the call paths that kmemtrace walks with those of stack_trace_save(), for each
 * allocation while the module is loaded. In interrupts and softirqs a path ends at their entry,
 * at the latest where filter_irq_stacks() ends. kmemtrace must be recording call paths.
 */
#define pr_fmt(fmt) "kmemtrace_paths: " fmt

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include "../../../../../mm/kmemtrace/path.h"

#define MAX_ENTRIES	(KMEMTRACE_MAX_FRAMES + KMEMTRACE_MAX_PASSED)

/* The first paths that differ are printed. */
#define MAX_PRINTED	3

static atomic_long_t in_task, in_softirqs, in_interrupts, differ;

static void count_context(void)
{
	if (in_hardirq())
		atomic_long_inc(&in_interrupts);
	else if (in_serving_softirq())
		atomic_long_inc(&in_softirqs);
	else
		atomic_long_inc(&in_task);
}

/* Return true if a path of @depth is as long as the @rest of a stack, or an interrupt's part. */
static bool is_whole(unsigned int depth, unsigned long *rest, unsigned int n)
{
	if (in_hardirq() || in_serving_softirq())
		return depth > 1 && depth <= filter_irq_stacks(rest, n);
	return depth == min_t(unsigned int, n, KMEMTRACE_MAX_FRAMES);
}

static void print_path(const char *whose, const unsigned long *frames, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		pr_info("%s %u: %pS\n", whose, i, (void *)frames[i]);
}

/* A path is the rest of the stack, from the call site on. */
static noinline void compare(unsigned long call_site, unsigned long *frame)
{
	unsigned long entries[MAX_ENTRIES];
	struct kmemtrace_path path;
	unsigned int n, first = 0;

	if (in_nmi())
		return;
	kmemtrace_path_walk(&path, call_site, frame);
	n = stack_trace_save(entries, MAX_ENTRIES, 0);
	while (first < n && entries[first] != call_site)
		first++;
	count_context();
	if (first < n && is_whole(path.depth, &entries[first], n - first) &&
	    !memcmp(path.frames, &entries[first], path.depth * sizeof(entries[0])))
		return;
	if (atomic_long_inc_return(&differ) > MAX_PRINTED)
		return;
	print_path("kmemtrace", path.frames, path.depth);
	print_path("stack_trace_save", entries, n);
}

static void probe_kmalloc(void *data, unsigned long call_site, const void *ptr,
			  size_t bytes_req, struct kmem_cache *cache, gfp_t gfp,
			  int node)
{
	compare(call_site, __builtin_frame_address(0));
}

static void probe_cache(void *data, unsigned long call_site, const void *ptr,
			struct kmem_cache *cache, gfp_t gfp, int node)
{
	compare(call_site, __builtin_frame_address(0));
}

static void probe_pages(void *data, struct page *page, unsigned int order,
			gfp_t gfp)
{
	compare(kmemtrace_callsite(), __builtin_frame_address(0));
}

static int __init kmemtrace_paths_init(void)
{
	int ret = register_marker_kmalloc(probe_kmalloc, NULL);

	if (!ret)
		ret = register_marker_kmem_cache_alloc(probe_cache, NULL);
	if (!ret)
		ret = register_marker_page_alloc(probe_pages, NULL);
	return ret;
}
module_init(kmemtrace_paths_init);

static void __exit kmemtrace_paths_exit(void)
{
	unregister_marker_kmalloc(probe_kmalloc, NULL);
	unregister_marker_kmem_cache_alloc(probe_cache, NULL);
	unregister_marker_page_alloc(probe_pages, NULL);
	marker_synchronize_unregister();
	pr_info("%ld of tasks, %ld of softirqs, %ld of interrupts, %ld differ\n",
		atomic_long_read(&in_task), atomic_long_read(&in_softirqs),
		atomic_long_read(&in_interrupts), atomic_long_read(&differ));
}
module_exit(kmemtrace_paths_exit);

/* MODULE_IMPORT_NS() wants a string since 6.13. */
MODULE_INFO(import_ns, "EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("Compare call paths with those of the kernel");
MODULE_LICENSE("GPL");
