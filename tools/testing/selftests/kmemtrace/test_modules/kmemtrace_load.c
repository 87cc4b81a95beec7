// SPDX-License-Identifier: GPL-2.0
/*
 * Loads that take paths of the allocators which no system call takes for sure.
 *
 * Each load is a debugfs file in kmemtrace_load/run. A write of a number runs the load
 * this number of times. A write of a page frame number to kmemtrace_load/contig
 * allocates the range around this frame, and frees it. kmemtrace_load/counts counts how
 * often each path was taken. kmemtrace_load/constants has properties of this kernel
 * that are not in a trace. kmemtrace_load/pages has the bytes of all allocated pages.
 */
#include <linux/atomic.h>
#include <linux/bottom_half.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/gfp.h>
#include <linux/kernel_stat.h>
#include <linux/kfence.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "compat.h"

#ifndef CONFIG_KFENCE
#define __kfence_pool		NULL
#define KFENCE_POOL_SIZE	0UL
#endif

#define BULK		32
#define QUIET		(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY)

/* Counters of the paths. */
enum count {
	RCU_OBJECTS, RCU_LARGE, RCU_CACHE, RCU_HEADLESS,
	KVMALLOC_SLAB, KVMALLOC_VMALLOC, LARGE_KMALLOC, LARGE_CONSTANT,
	KREALLOC_MOVED, KREALLOC_STAYED, KVREALLOC_MOVED, KVREALLOC_SMALLER,
	NOLOCK_OBJECTS, NOLOCK_PAGES, NOLOCK_LARGE, NOLOCK_ORDER, NOLOCK_REFUSED,
	NOLOCK_CHARGED_PAGES, NOLOCK_CHARGED,
	CACHES_CREATED, CACHES_MERGED, CACHES_ALONE, BULK_OBJECTS,
	PERCPU_OBJECTS, PERCPU_ATOMIC, PERCPU_REFUSED, PERCPU_ILLEGAL,
	VMALLOC_SMALL, VMALLOC_HUGE, VMALLOC_REFUSED, VFREE_ATOMIC,
	PAGES_SPLIT, PAGES_EXACT, PAGES_BULK, PAGES_TAIL, PAGES_REFUSED,
	PAGE_FRAGMENTS,
	CONTIG_RANGES, RANGES_REFUSED, FLAGS_REFUSED, CONTIG_REFUSED, BLOCKS,
	BLOCKS_REFUSED,
	IRQ_OBJECTS, REMOTE_FREES,
	MEMCG_SINGLE, MEMCG_BULK, MEMCG_LARGE, MEMCG_PAGES, MEMCG_PERCPU,
	MEMCG_VMALLOC, FAILED_SLAB, FAILED_BULK, FAILED_REFILL, FAILED_PAGES,
	FAILED_BULK_PAGES, FAILED_VMALLOC, FAILED_PERCPU, NR_COUNTS
};

static const char * const count_names[] = {
	[RCU_OBJECTS]		= "rcu_objects",
	[RCU_LARGE]		= "rcu_large",
	[RCU_CACHE]		= "rcu_cache",
	[RCU_HEADLESS]		= "rcu_headless",
	[KVMALLOC_SLAB]		= "kvmalloc_slab",
	[KVMALLOC_VMALLOC]	= "kvmalloc_vmalloc",
	[LARGE_KMALLOC]		= "large_kmalloc",
	[LARGE_CONSTANT]	= "large_constant",
	[KREALLOC_MOVED]	= "krealloc_moved",
	[KREALLOC_STAYED]	= "krealloc_stayed",
	[KVREALLOC_MOVED]	= "kvrealloc_moved",
	[KVREALLOC_SMALLER]	= "kvrealloc_smaller",
	[NOLOCK_OBJECTS]	= "nolock_objects",
	[NOLOCK_PAGES]		= "nolock_pages",
	[NOLOCK_LARGE]		= "nolock_large",
	[NOLOCK_ORDER]		= "nolock_order",
	[NOLOCK_REFUSED]	= "nolock_refused",
	[NOLOCK_CHARGED_PAGES]	= "nolock_charged_pages",
	[NOLOCK_CHARGED]	= "nolock_charged",
	[CACHES_CREATED]	= "caches_created",
	[CACHES_MERGED]		= "caches_merged",
	[CACHES_ALONE]		= "caches_alone",
	[BULK_OBJECTS]		= "bulk_objects",
	[PERCPU_OBJECTS]	= "percpu_objects",
	[PERCPU_ATOMIC]		= "percpu_atomic",
	[PERCPU_REFUSED]	= "percpu_refused",
	[PERCPU_ILLEGAL]	= "percpu_illegal",
	[VMALLOC_SMALL]		= "vmalloc_small",
	[VMALLOC_HUGE]		= "vmalloc_huge",
	[VMALLOC_REFUSED]	= "vmalloc_refused",
	[VFREE_ATOMIC]		= "vfree_atomic",
	[PAGES_SPLIT]		= "pages_split",
	[PAGES_EXACT]		= "pages_exact",
	[PAGES_BULK]		= "pages_bulk",
	[PAGES_TAIL]		= "pages_tail",
	[PAGES_REFUSED]		= "pages_refused",
	[PAGE_FRAGMENTS]	= "page_fragments",
	[CONTIG_RANGES]		= "contig_ranges",
	[RANGES_REFUSED]	= "ranges_refused",
	[FLAGS_REFUSED]		= "flags_refused",
	[CONTIG_REFUSED]	= "contig_refused",
	[BLOCKS]		= "blocks",
	[BLOCKS_REFUSED]	= "blocks_refused",
	[IRQ_OBJECTS]		= "irq_objects",
	[REMOTE_FREES]		= "remote_frees",
	[MEMCG_SINGLE]		= "memcg_single",
	[MEMCG_BULK]		= "memcg_bulk",
	[MEMCG_LARGE]		= "memcg_large",
	[MEMCG_PAGES]		= "memcg_pages",
	[MEMCG_PERCPU]		= "memcg_percpu",
	[MEMCG_VMALLOC]		= "memcg_vmalloc",
	[FAILED_SLAB]		= "failed_slab",
	[FAILED_BULK]		= "failed_bulk",
	[FAILED_REFILL]		= "failed_refill",
	[FAILED_PAGES]		= "failed_pages",
	[FAILED_BULK_PAGES]	= "failed_bulk_pages",
	[FAILED_VMALLOC]	= "failed_vmalloc",
	[FAILED_PERCPU]		= "failed_percpu",
};

static_assert(ARRAY_SIZE(count_names) == NR_COUNTS);

static atomic_long_t counts[NR_COUNTS];
static struct kmem_cache *cache, *charged;
static struct dentry *dir;

/* The address of alloc_contig_pages(), which the kernel does not export. */
static unsigned long contig_pages;
module_param_named(alloc_contig_pages, contig_pages, ulong, 0);

static void counted(enum count count)
{
	atomic_long_inc(&counts[count]);
}

/* Hide a size from the compiler, so that kmalloc() takes its path of variable size. */
static size_t hide(size_t size)
{
	OPTIMIZER_HIDE_VAR(size);
	return size;
}

static __always_inline struct page *more_than_all_pages(int node)
{
	struct page *(*alloc)(unsigned long nr, gfp_t gfp, int node, nodemask_t *nodes) =
		(void *)contig_pages;

	return alloc(2 * roundup_pow_of_two(totalram_pages()), QUIET, node, NULL);
}

/*
 * Defines attempt_ALLOCATOR_COUNT(), which makes an allocation that may fail, and counts
 * the failures. accounting_check expects as many FAILED events of this allocator from
 * the function. barrier() prevents a tail call, which has no return address here.
 */
#define ATTEMPT(_allocator, _name, _count, _type, _expression)		\
static noinline __noclone void *					\
attempt_##_allocator##_##_name(_type arg)				\
{									\
	void *ptr = (void *)(_expression);				\
									\
	if (!ptr)							\
		counted(_count);					\
	barrier();							\
	return ptr;							\
}

#define CHARGED		(QUIET | __GFP_ACCOUNT)

ATTEMPT(slab, memcg_single, MEMCG_SINGLE, int, kmem_cache_alloc(charged, QUIET))
ATTEMPT(slab, memcg_bulk, MEMCG_BULK, void **,
	kmem_cache_alloc_bulk(charged, QUIET, BULK, arg) ? arg : NULL)
ATTEMPT(slab, memcg_large, MEMCG_LARGE, int, kmalloc(hide(SZ_4M), CHARGED))
ATTEMPT(pages, memcg_pages, MEMCG_PAGES, int,
	__get_free_pages(CHARGED, get_order(SZ_2M)))
ATTEMPT(vmalloc, memcg_vmalloc, MEMCG_VMALLOC, int,
	__vmalloc(hide(SZ_4M), CHARGED))
ATTEMPT(percpu, memcg_percpu, MEMCG_PERCPU, int,
	(__force void *)__alloc_percpu_gfp(SZ_32K - 8, 8, CHARGED))
ATTEMPT(slab, failed_slab, FAILED_SLAB, int,
	arg % 2 ? kmem_cache_alloc(cache, QUIET) :
		  kmalloc(hide(3000 + 150 * arg), QUIET))
ATTEMPT(slab, failed_bulk, FAILED_BULK, void **,
	kmem_cache_alloc_bulk(cache, QUIET, BULK, arg) ? arg : NULL)
/* So large that they need new slabs. */
ATTEMPT(slab, failed_refill, FAILED_REFILL, void **,
	kmem_cache_alloc_bulk(charged, QUIET, BULK, arg) ? arg : NULL)
ATTEMPT(pages, failed_pages, FAILED_PAGES, int, alloc_pages(QUIET, arg))
/* An odd number: a failure of a higher order alone is none of vmalloc(). */
ATTEMPT(vmalloc, failed_vmalloc, FAILED_VMALLOC, int,
	__vmalloc(hide(63 * PAGE_SIZE), QUIET))
ATTEMPT(vmalloc, vmalloc_refused, VMALLOC_REFUSED, int,
	__vmalloc(hide(totalram_pages() * PAGE_SIZE * 2), QUIET))
ATTEMPT(percpu, failed_percpu, FAILED_PERCPU, int,
	(__force void *)__alloc_percpu_gfp(SZ_16K, 8, QUIET))
ATTEMPT(percpu, percpu_refused, PERCPU_REFUSED, int,
	(__force void *)__alloc_percpu_gfp(SZ_16K, 8, GFP_NOWAIT | __GFP_NOWARN))
ATTEMPT(percpu, percpu_illegal, PERCPU_ILLEGAL, int,
	(__force void *)__alloc_percpu_gfp(PCPU_MIN_UNIT_SIZE + 1, 8, QUIET))
ATTEMPT(pages, pages_refused, PAGES_REFUSED, int,
	alloc_pages(QUIET, hide(MAX_PAGE_ORDER + 1)))
ATTEMPT(pages, blocks_refused, BLOCKS_REFUSED, gfp_t,
	alloc_pages(arg, pageblock_order))
/* The range of a page that can't be moved; flags that no range may have. */
ATTEMPT(pages, ranges_refused, RANGES_REFUSED, unsigned long,
	(unsigned long)!alloc_contig_range(arg, arg + 1, CONTIG_FLAGS,
					   GFP_KERNEL))
ATTEMPT(pages, flags_refused, FLAGS_REFUSED, unsigned long,
	(unsigned long)!alloc_contig_range(arg, arg + 1, CONTIG_FLAGS, QUIET))
ATTEMPT(pages, contig_refused, CONTIG_REFUSED, int, more_than_all_pages(arg))
#ifdef kmalloc_nolock
ATTEMPT(slab, nolock_large, NOLOCK_LARGE, int,
	kmalloc_nolock(hide(KMALLOC_MAX_CACHE_SIZE + 1), 0, NUMA_NO_NODE))
ATTEMPT(slab, nolock_charged, NOLOCK_CHARGED, int,
	kmalloc_nolock(hide(SZ_2K), __GFP_ACCOUNT, NUMA_NO_NODE))
ATTEMPT(pages, nolock_order, NOLOCK_ORDER, int,
	alloc_pages_nolock(0, NUMA_NO_NODE, MAX_PAGE_ORDER))
ATTEMPT(pages, nolock_refused, NOLOCK_REFUSED, int,
	alloc_pages_nolock(0, NUMA_NO_NODE, PAGE_ALLOC_COSTLY_ORDER))
ATTEMPT(pages, nolock_charged_pages, NOLOCK_CHARGED_PAGES, int,
	alloc_pages_nolock(__GFP_ACCOUNT, NUMA_NO_NODE, PAGE_ALLOC_COSTLY_ORDER))
#endif

struct rcu_object {
	struct rcu_head	rcu;
	char		rest[100];
};

/* ---- slab ---- */

static __maybe_unused void free_cache_object(struct rcu_head *rcu)
{
	kmem_cache_free(cache, container_of(rcu, struct rcu_object, rcu));
}

static int load_kfree_rcu(void)
{
	static const size_t sizes[] = { 128, 1000, SZ_8K, SZ_32K };

	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct rcu_object *object = kmalloc(sizes[i], GFP_KERNEL);

		if (!object)
			return -ENOMEM;
		kfree_rcu(object, rcu);
		counted(sizes[i] > KMALLOC_MAX_CACHE_SIZE ? RCU_LARGE :
							    RCU_OBJECTS);
	}
	for (int i = 0; i < BULK; i++) {
		struct rcu_object *object = kmem_cache_alloc(cache, GFP_KERNEL);

		if (!object)
			return -ENOMEM;
		FREE_CACHE_OBJECT_RCU(object);
		counted(RCU_CACHE);
	}
	kvfree_rcu_mightsleep(kvmalloc(hide(SZ_64K), GFP_KERNEL));
	counted(RCU_HEADLESS);
	return 0;
}

/* kvmalloc() of a large size falls back to vmalloc(). */
static int load_kvmalloc(void)
{
	for (size_t size = 64; size <= 4 * KMALLOC_MAX_SIZE; size *= 4) {
		void *ptr = kvmalloc(hide(size), GFP_KERNEL);

		if (!ptr)
			return -ENOMEM;
		counted(is_vmalloc_addr(ptr) ? KVMALLOC_VMALLOC : KVMALLOC_SLAB);
		kvfree(ptr);
	}
	return 0;
}

/* kmalloc() has functions of its own for a constant size. */
static int load_kmalloc_large(void)
{
	void *constant = kmalloc(SZ_64K, QUIET);
	void *on_node = kmalloc_node(SZ_64K, QUIET, numa_mem_id());

	if (constant && on_node)
		counted(LARGE_CONSTANT);
	kfree(constant);
	kfree(on_node);
	for (size_t size = PAGE_SIZE; size <= SZ_256K; size += 5 * PAGE_SIZE) {
		void *ptr = kmalloc_node(hide(size), QUIET, numa_mem_id());

		if (!ptr)
			return -ENOMEM;
		if (size > KMALLOC_MAX_CACHE_SIZE)
			counted(LARGE_KMALLOC);
		kfree(ptr);
	}
	return 0;
}

/* Grow and shrink objects, so that they move between slabs, whole pages and vmalloc(). */
static int load_krealloc(void)
{
	static const size_t sizes[] = { 8, 10, 500, SZ_2K, SZ_16K, SZ_16K - 1,
					SZ_32K, 100 };
	void *ptr = NULL, *other;

	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		other = krealloc(ptr, hide(sizes[i]), GFP_KERNEL);
		if (!other)
			break;
		counted(other == ptr ? KREALLOC_STAYED : KREALLOC_MOVED);
		ptr = other;
	}
	kfree(ptr);
	ptr = NULL;
	for (size_t size = 100; size <= 2 * KMALLOC_MAX_SIZE; size *= 8) {
		other = kvrealloc(ptr, hide(size), GFP_KERNEL);
		if (!other)
			break;
		counted(KVREALLOC_MOVED);
		ptr = other;
	}
	kvfree(ptr);
	ptr = vmalloc(hide(8 * PAGE_SIZE));
	other = ptr ? kvrealloc(ptr, hide(2 * PAGE_SIZE), GFP_KERNEL) : NULL;
	if (other)
		counted(KVREALLOC_SMALLER);
	kvfree(other ?: ptr);
	return 0;
}

#ifdef kmalloc_nolock
/* Interfaces that take no lock that another task may hold. They may fail. */
static int load_nolock(void)
{
	for (size_t size = 8; size <= SZ_2K; size *= 2) {
		void *object = kmalloc_nolock(hide(size), 0, NUMA_NO_NODE);

		if (object)
			counted(NOLOCK_OBJECTS);
		if (size % 3 == 1)
			kfree(object);
		else
			kfree_nolock(object);
	}
	for (int order = 0; order < 3; order++) {
		struct page *page = alloc_pages_nolock(0, NUMA_NO_NODE, order);

		if (!page)
			continue;
		counted(NOLOCK_PAGES);
		__free_pages(page, order);
	}
	attempt_slab_nolock_large(0);
	attempt_pages_nolock_order(0);
	return 0;
}

/* Use up the memory that is left. */
static int load_nolock_pages(void)
{
	struct page *page, *next;
	LIST_HEAD(pages);

	while ((page = attempt_pages_nolock_refused(0)))
		list_add(&page->lru, &pages);
	list_for_each_entry_safe(page, next, &pages, lru)
		__free_pages(page, PAGE_ALLOC_COSTLY_ORDER);
	return 0;
}

/* Use up what the memory cgroup may have: at first with pages, then with objects. */
static int load_nolock_charged(void)
{
	struct page *pages[2 * BULK];
	void *objects[2 * BULK];

	for (int i = 0; i < ARRAY_SIZE(pages); i++)
		pages[i] = attempt_pages_nolock_charged_pages(0);
	for (int i = 0; i < ARRAY_SIZE(objects); i++)
		objects[i] = attempt_slab_nolock_charged(0);
	for (int i = 0; i < ARRAY_SIZE(objects); i++)
		kfree_nolock(objects[i]);
	for (int i = 0; i < ARRAY_SIZE(pages); i++)
		if (pages[i])
			__free_pages(pages[i], PAGE_ALLOC_COSTLY_ORDER);
	return 0;
}
#endif

static int fill_and_empty(struct kmem_cache *some)
{
	void *ptrs[BULK];

	for (int round = 0; round < 8; round++) {
		if (!kmem_cache_alloc_bulk(some, GFP_KERNEL, BULK, ptrs))
			return -ENOMEM;
		atomic_long_add(BULK, &counts[BULK_OBJECTS]);
		kmem_cache_free_bulk(some, BULK, ptrs);
	}
	return 0;
}

static void construct(void *object)
{
	memset(object, 0, 8);
}

static int load_caches(void)
{
	struct kmem_cache *some[] = {
		kmem_cache_create("kmemtrace_load_a", 168, 0, 0, NULL),
		kmem_cache_create("kmemtrace_load_b", 168, 0, 0, NULL),
		kmem_cache_create("kmemtrace_load_c", 168, 0,
				  SLAB_TYPESAFE_BY_RCU, construct),
		kmem_cache_create("kmemtrace_load_d", SZ_8K, SZ_4K,
				  SLAB_HWCACHE_ALIGN, NULL),
	};
	int ret = 0;

	for (int i = 0; i < ARRAY_SIZE(some); i++) {
		if (!some[i]) {
			ret = -ENOMEM;
			continue;
		}
		counted(CACHES_CREATED);
		ret = fill_and_empty(some[i]) ?: ret;
	}
	if (some[0] == some[1])
		counted(CACHES_MERGED);
	/* SLUB never merges a cache with a constructor. */
	if (some[2])
		counted(CACHES_ALONE);
	for (int i = 0; i < ARRAY_SIZE(some); i++)
		kmem_cache_destroy(some[i]);
	return ret;
}

static void irq_objects(void *info)
{
	void *ptr = kmalloc(hide(200), GFP_ATOMIC);

	if (ptr)
		counted(IRQ_OBJECTS);
	kfree(ptr);
	ptr = kmem_cache_alloc(cache, GFP_ATOMIC);
	if (ptr)
		kmem_cache_free(cache, ptr);
}

static int load_irq(void)
{
	on_each_cpu(irq_objects, NULL, 1);
	return 0;
}

static void *remote_ptrs[BULK];

static void free_remote(struct work_struct *work)
{
	for (int i = 0; i < BULK; i++) {
		void *ptr = xchg(&remote_ptrs[i], NULL);

		if (ptr)
			counted(REMOTE_FREES);
		kfree(ptr);
	}
}

/* Allocate on this CPU, free on another one. */
static int load_remote(void)
{
	static DECLARE_WORK(work, free_remote);
	unsigned int other;

	for (int i = 0; i < BULK; i++)
		remote_ptrs[i] = kmalloc(100 * (i + 1), GFP_KERNEL);
	cpus_read_lock();
	other = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (other < nr_cpu_ids) {
		schedule_work_on(other, &work);
		flush_work(&work);
	}
	cpus_read_unlock();
	free_remote(NULL);
	return 0;
}

/* ---- per-CPU memory, vmalloc ---- */

/*
 * An allocation that must not sleep adds no pages to the per-CPU chunks. So it fails
 * when the populated pages, some hundred kB, are used up.
 */
static void free_until_refused(void)
{
	static void *ptrs[8 * BULK];
	int i;

	for (i = 0; i < ARRAY_SIZE(ptrs); i++) {
		ptrs[i] = attempt_percpu_percpu_refused(0);
		if (!ptrs[i])
			break;
	}
	while (i--)
		free_percpu((__force void __percpu *)ptrs[i]);
}

static int load_percpu(void)
{
	void __percpu *ptrs[BULK];

	for (int i = 0; i < BULK; i++) {
		gfp_t gfp = i % 4 ? GFP_KERNEL : GFP_NOWAIT | __GFP_NOWARN;

		ptrs[i] = __alloc_percpu_gfp(4 + 60 * i, 4 << i % 4, gfp);
		if (ptrs[i])
			counted(i % 4 ? PERCPU_OBJECTS : PERCPU_ATOMIC);
	}
	for (int i = 0; i < BULK; i++)
		free_percpu(ptrs[i]);
	free_until_refused();
	attempt_percpu_percpu_illegal(0);
	return 0;
}

/* Is the area made of huge pages? Only these have consecutive frames. */
static bool is_huge(const void *ptr)
{
	unsigned long first = vmalloc_to_pfn(ptr);
	unsigned long nr = PMD_SIZE / PAGE_SIZE;

	return IS_ALIGNED(first, nr) &&
	       vmalloc_to_pfn(ptr + PMD_SIZE - PAGE_SIZE) == first + nr - 1;
}

/* vfree() leaves the work to a worker if it must not sleep. */
static void vfree_in_softirq(void *ptr)
{
	local_bh_disable();
	vfree(ptr);
	local_bh_enable();
	counted(VFREE_ATOMIC);
}

static int load_vmalloc(void)
{
	void *ptr = vmalloc(hide(5 * PAGE_SIZE));

	if (!ptr)
		return -ENOMEM;
	counted(VMALLOC_SMALL);
	vfree_in_softirq(ptr);
	ptr = vmalloc_huge(2 * PMD_SIZE, GFP_KERNEL);
	if (ptr && is_huge(ptr))
		counted(VMALLOC_HUGE);
	vfree(ptr);
	vfree(attempt_vmalloc_vmalloc_refused(0));
	return 0;
}

/* ---- pages ---- */

/* Hold a reference to the first page, so that __free_pages() frees the tail alone. */
static void free_in_pieces(struct page *page, unsigned int order)
{
	get_page(page);
	__free_pages(page, order);
	put_page(page);
	counted(PAGES_TAIL);
}

static int load_split(void)
{
	struct page *page = alloc_pages(GFP_KERNEL, 3);
	void *exact = alloc_pages_exact(5 * PAGE_SIZE, GFP_KERNEL);

	if (page) {
		split_page(page, 3);
		for (int i = 0; i < 8; i++)
			__free_page(page + i);
		counted(PAGES_SPLIT);
	}
	if (exact) {
		free_pages_exact(exact, 5 * PAGE_SIZE);
		counted(PAGES_EXACT);
	}
	page = alloc_pages(GFP_KERNEL, 2);
	if (page)
		free_in_pieces(page, 2);
	return page && exact ? 0 : -ENOMEM;
}

static int refuse_ranges(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (!page)
		return -ENOMEM;
	attempt_pages_ranges_refused(page_to_pfn(page));
	attempt_pages_flags_refused(page_to_pfn(page));
	attempt_pages_contig_refused(page_to_nid(page));
	__free_page(page);
	return 0;
}

static int load_bulk_pages(void)
{
	struct page *pages[BULK] = { };
	unsigned long nr = alloc_pages_bulk_array(GFP_KERNEL, BULK, pages);

	atomic_long_add(nr, &counts[PAGES_BULK]);
	for (int i = 0; i < nr; i++)
		__free_page(pages[i]);
	attempt_pages_pages_refused(0);
	return refuse_ranges();
}

static int load_fragments(void)
{
	struct page_frag_cache frags = { };
	void *ptrs[BULK];

	for (int i = 0; i < BULK; i++) {
		ptrs[i] = page_frag_alloc(&frags, 1500, GFP_KERNEL);
		if (ptrs[i])
			counted(PAGE_FRAGMENTS);
	}
	page_frag_cache_drain(&frags);
	for (int i = 0; i < BULK; i++)
		if (ptrs[i])
			page_frag_free(ptrs[i]);
	return 0;
}

/* Allocate all page blocks that are free, or that reclaim and compaction can free. */
static int load_blocks(void)
{
	gfp_t gfp = GFP_HIGHUSER_MOVABLE | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	struct page *page, *next;
	LIST_HEAD(blocks);

	do {
		page = attempt_pages_blocks_refused(gfp);
		if (page) {
			list_add(&page->lru, &blocks);
			counted(BLOCKS);
		}
	} while (page && !fatal_signal_pending(current));
	list_for_each_entry_safe(page, next, &blocks, lru)
		__free_pages(page, pageblock_order);
	return 0;
}

/* Allocate most of the page block of a frame; the kernel migrates its movable pages. */
static int take_range(unsigned long pfn)
{
	unsigned long start = ALIGN_DOWN(pfn, pageblock_nr_pages);
	unsigned long nr = pageblock_nr_pages - 3;

	if (!pfn_valid(start) ||
	    alloc_contig_range(start, start + nr, CONTIG_FLAGS,
			       GFP_KERNEL | __GFP_NOWARN))
		return -EBUSY;
	counted(CONTIG_RANGES);
	free_contig_range(start, nr);
	return 0;
}

/* ---- memory in use ---- */

static LIST_HEAD(held);
static unsigned long nr_held;
static DEFINE_MUTEX(held_lock);	/* of both */

/* Hold @nr page blocks, so that the kernel is short of memory. */
static int hold_blocks(unsigned long nr)
{
	gfp_t gfp = GFP_HIGHUSER_MOVABLE | __GFP_NORETRY | __GFP_NOWARN;
	struct page *page;

	for (; nr_held > nr; nr_held--) {
		page = list_first_entry(&held, struct page, lru);
		list_del(&page->lru);
		__free_pages(page, pageblock_order);
	}
	for (; nr_held < nr; nr_held++) {
		page = alloc_pages(gfp, pageblock_order);
		if (!page)
			return -ENOMEM;
		list_add(&page->lru, &held);
	}
	return 0;
}

/* ---- failed allocations: by a memory cgroup, by fault injection ---- */

static int load_memcg(void)
{
	void *ptrs[BULK];

	if (attempt_slab_memcg_bulk(ptrs))
		kmem_cache_free_bulk(charged, BULK, ptrs);
	for (int i = 0; i < BULK; i++)
		ptrs[i] = attempt_slab_memcg_single(0);
	for (int i = 0; i < BULK; i++)
		if (ptrs[i])
			kmem_cache_free(charged, ptrs[i]);
	kfree(attempt_slab_memcg_large(0));
	free_pages((unsigned long)attempt_pages_memcg_pages(0),
		   get_order(SZ_2M));
	vfree(attempt_vmalloc_memcg_vmalloc(0));
	for (int i = 0; i < BULK; i++)
		ptrs[i] = attempt_percpu_memcg_percpu(0);
	for (int i = 0; i < BULK; i++)
		free_percpu((__force void __percpu *)ptrs[i]);
	return 0;
}

/* Some of these fail, if faults are injected. */
static int load_failslab(void)
{
	void *ptrs[BULK];

	for (int i = 0; i < BULK; i++)
		ptrs[i] = attempt_slab_failed_slab(i);
	for (int i = 0; i < BULK; i++) {
		if (!ptrs[i])
			continue;
		if (i % 2)
			kmem_cache_free(cache, ptrs[i]);
		else
			kfree(ptrs[i]);
	}
	if (attempt_slab_failed_bulk(ptrs))
		kmem_cache_free_bulk(cache, BULK, ptrs);
	return 0;
}

static int load_failpages(void)
{
	struct page *pages[BULK] = { };
	void *ptrs[BULK];
	unsigned long nr;

	for (int order = 0; order < 4; order++) {
		struct page *page = attempt_pages_failed_pages(order);

		if (page)
			__free_pages(page, order);
	}
	nr = alloc_pages_bulk_array(QUIET, BULK, pages);
	if (nr < BULK)
		counted(FAILED_BULK_PAGES);
	for (int i = 0; i < nr; i++)
		__free_page(pages[i]);
	vfree(attempt_vmalloc_failed_vmalloc(0));
	if (attempt_slab_failed_refill(ptrs))
		kmem_cache_free_bulk(charged, BULK, ptrs);
	return 0;
}

/* Hold all areas until the end, so that each needs new pages. */
static int load_failpercpu(void)
{
	static void *ptrs[16 * BULK];

	for (int i = 0; i < ARRAY_SIZE(ptrs); i++)
		ptrs[i] = attempt_percpu_failed_percpu(0);
	for (int i = 0; i < ARRAY_SIZE(ptrs); i++)
		free_percpu((__force void __percpu *)ptrs[i]);
	return 0;
}

/* ---- waiting for other tasks ---- */

/*
 * Wait until no task is between an allocator's own counters and the record of the
 * event: a task neither sleeps nor leaves the kernel there.
 */
static int load_settle(void)
{
	synchronize_rcu_tasks();
	return 0;
}

/* ---- debugfs ---- */

struct load {
	const char	*name;
	int		(*run)(void);
};

static const struct load loads[] = {
	{ "kfree_rcu",		load_kfree_rcu },
	{ "kvmalloc",		load_kvmalloc },
	{ "kmalloc_large",	load_kmalloc_large },
	{ "krealloc",		load_krealloc },
#ifdef kmalloc_nolock
	{ "nolock",		load_nolock },
	{ "nolock_pages",	load_nolock_pages },
	{ "nolock_charged",	load_nolock_charged },
#endif
	{ "caches",		load_caches },
	{ "irq",		load_irq },
	{ "remote",		load_remote },
	{ "percpu",		load_percpu },
	{ "vmalloc",		load_vmalloc },
	{ "split",		load_split },
	{ "bulk_pages",		load_bulk_pages },
	{ "fragments",		load_fragments },
	{ "blocks",		load_blocks },
	{ "memcg",		load_memcg },
	{ "failslab",		load_failslab },
	{ "failpages",		load_failpages },
	{ "failpercpu",		load_failpercpu },
	{ "settle",		load_settle },
};

static ssize_t run_write(struct file *file, const char __user *from,
			 size_t count, loff_t *ppos)
{
	const struct load *load = file->private_data;
	unsigned long times;
	int ret = kstrtoul_from_user(from, count, 10, &times);

	while (!ret && times-- && !fatal_signal_pending(current)) {
		ret = load->run();
		cond_resched();
	}
	kvfree_rcu_barrier();
	return ret ?: count;
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
};

static ssize_t contig_write(struct file *file, const char __user *from,
			    size_t count, loff_t *ppos)
{
	unsigned long pfn;
	int ret = kstrtoul_from_user(from, count, 0, &pfn);

	return ret ?: take_range(pfn) ?: count;
}

static const struct file_operations contig_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = contig_write,
};

static ssize_t held_write(struct file *file, const char __user *from,
			  size_t count, loff_t *ppos)
{
	unsigned long nr;
	int ret = kstrtoul_from_user(from, count, 10, &nr);

	if (ret)
		return ret;
	mutex_lock(&held_lock);
	ret = hold_blocks(nr);
	mutex_unlock(&held_lock);
	return ret ?: count;
}

static const struct file_operations held_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = held_write,
};

static int counts_show(struct seq_file *m, void *v)
{
	for (int i = 0; i < NR_COUNTS; i++)
		seq_printf(m, "%s %ld\n", count_names[i],
			   atomic_long_read(&counts[i]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static int constants_show(struct seq_file *m, void *v)
{
	seq_printf(m, "page_size %lu\n", PAGE_SIZE);
	seq_printf(m, "block_size %lu\n", PAGE_SIZE << pageblock_order);
	seq_printf(m, "preempt_full %d\n", preempt_model_full());
	seq_printf(m, "possible_cpus %u\n", num_possible_cpus());
	seq_printf(m, "nodes %d\n", num_online_nodes());
	seq_printf(m, "slab_no_obj_ext %#lx\n",
		   (__force unsigned long)SLAB_NO_OBJ_EXT);
	seq_printf(m, "slab_noleaktrace %#lx\n",
		   (__force unsigned long)SLAB_NOLEAKTRACE);
	seq_printf(m, "slab_kmalloc %#lx\n",
		   (__force unsigned long)SLAB_KMALLOC);
	seq_printf(m, "gfp_no_obj_ext %#lx\n",
		   (__force unsigned long)__GFP_NO_OBJ_EXT);
	seq_printf(m, "migrated_charged_twice %d\n", MIGRATED_CHARGED_TWICE);
	seq_printf(m, "linear_map %#lx\n", (unsigned long)__va(0));
	seq_printf(m, "percpu_granule %d\n", PCPU_MIN_ALLOC_SIZE);
	seq_printf(m, "percpu_charged %u\n", PERCPU_CHARGED);
	seq_printf(m, "percpu_extra %zu\n",
		   IS_ENABLED(CONFIG_MEMCG) && PERCPU_CHARGED > 1 ? sizeof(void *) : 0);
	seq_printf(m, "percpu_variable %#lx\n", (__force unsigned long)&kstat);
	seq_printf(m, "kfence_start %#lx\n", (unsigned long)__kfence_pool);
	seq_printf(m, "kfence_size %#lx\n", KFENCE_POOL_SIZE);
	seq_printf(m, "quarantine %d\n", IS_ENABLED(CONFIG_KASAN_GENERIC));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(constants);

static unsigned long allocated_pages(struct zone *zone)
{
	unsigned long free = 0;
	unsigned int order, cpu;

	if (!populated_zone(zone))
		return 0;
	for (order = 0; order <= MAX_PAGE_ORDER; order++)
		free += READ_ONCE(zone->free_area[order].nr_free) << order;
	for_each_possible_cpu(cpu)
		free += READ_ONCE(per_cpu_ptr(zone->per_cpu_pageset, cpu)->count);
	return zone_managed_pages(zone) - free;
}

/* The bytes of all pages that the page allocator manages and that are on no free list. */
static int pages_show(struct seq_file *m, void *v)
{
	unsigned long nr = 0;
	int node, i;

	preempt_disable();
	for_each_online_node(node)
		for (i = 0; i < MAX_NR_ZONES; i++)
			nr += allocated_pages(&NODE_DATA(node)->node_zones[i]);
	preempt_enable();
	seq_printf(m, "%lu\n", nr << PAGE_SHIFT);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pages);

static void create_files(void)
{
	struct dentry *run;

	dir = debugfs_create_dir("kmemtrace_load", NULL);
	run = debugfs_create_dir("run", dir);
	for (int i = 0; i < ARRAY_SIZE(loads); i++)
		debugfs_create_file(loads[i].name, 0200, run, (void *)&loads[i],
				    &run_fops);
	debugfs_create_file("contig", 0200, dir, NULL, &contig_fops);
	debugfs_create_file("held", 0200, dir, NULL, &held_fops);
	debugfs_create_file("counts", 0400, dir, NULL, &counts_fops);
	debugfs_create_file("constants", 0400, dir, NULL, &constants_fops);
	debugfs_create_file("pages", 0400, dir, NULL, &pages_fops);
}

static int __init load_init(void)
{
	if (!contig_pages)
		return -EINVAL;
	cache = kmem_cache_create("kmemtrace_load", sizeof(struct rcu_object), 0,
				  SLAB_NO_MERGE, NULL);
	charged = kmem_cache_create("kmemtrace_load_charged", SZ_64K, 0,
				    SLAB_NO_MERGE | SLAB_ACCOUNT, NULL);
	if (!cache || !charged) {
		kmem_cache_destroy(charged);
		kmem_cache_destroy(cache);
		return -ENOMEM;
	}
	create_files();
	return 0;
}
module_init(load_init);

static void __exit load_exit(void)
{
	debugfs_remove(dir);
	hold_blocks(0);
	kmem_cache_destroy(charged);
	kmem_cache_destroy(cache);
}
module_exit(load_exit);

MODULE_DESCRIPTION("kmemtrace test: rare paths of the allocators");
MODULE_LICENSE("GPL");
