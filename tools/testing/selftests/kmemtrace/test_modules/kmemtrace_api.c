// SPDX-License-Identifier: GPL-2.0
/*
 * Calls each interface that allocates and frees memory, and lists the events that
 * kmemtrace must record for it.
 *
 * Each row of the table has a function that allocates and one that frees. Nothing else
 * calls these, so their names identify the call sites. A write of a number to the
 * debugfs file kmemtrace_api/run runs all rows this number of times.
 * kmemtrace_api/rows lists the rows for api_check, which reads the trace.
 */
#include <linux/compiler.h>
#include <linux/debugfs.h>
#include <linux/gfp.h>
#include <linux/list_lru.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "compat.h"

#define OBJECT		200
#define SMALL		100
#define LARGE		(3 * PAGE_SIZE)
#define BULK		16
#define CHARGED		SZ_64K

static struct kmem_cache *cache;
static struct kmem_cache *charged_cache;
static u32 refused;
static struct list_lru lru;
static struct dentry *dir;

/* Hide a size from the compiler, so that kmalloc() takes its path of variable size. */
static size_t hide(size_t size)
{
	OPTIMIZER_HIDE_VAR(size);
	return size;
}

struct rcu_object {
	struct rcu_head	rcu;
	char		rest[OBJECT - sizeof(struct rcu_head)];
};

/* Memory of one row. */
struct work {
	void	*ptr;
	void	*ptrs[BULK];
};

/**
 * struct row - one interface
 * @name: name of the row
 * @alloc: allocates, has the name test_alloc_<name>
 * @free: frees, has the name test_free_<name>
 * @alloc_type: type_id of the ALLOC events
 * @free_type: type_id of the FREE events
 * @allocs: number of ALLOC events for one call of @alloc
 * @frees: number of FREE events for one call of @alloc
 * @bytes_req: bytes_req of each ALLOC event
 * @bytes_alloc: bytes_alloc of each ALLOC event, if no debugging option adds to it
 * @gfp: gfp_flags of each ALLOC event
 * @node: node of each ALLOC event
 * @elsewhere: the FREE events have another call site than @free
 */
struct row {
	const char	*name;
	void		(*alloc)(struct work *work);
	void		(*free)(struct work *work);
	unsigned int	alloc_type;
	unsigned int	free_type;
	unsigned int	allocs;
	unsigned int	frees;
	size_t		bytes_req;
	size_t		bytes_alloc;
	gfp_t		gfp;
	int		node;
	bool		elsewhere;
};

/* barrier() prevents a tail call, which has no return address here. */
#define INTERFACE(_name, _alloc, _free)					\
static noinline void test_alloc_##_name(struct work *work)			\
{									\
	_alloc;								\
	barrier();							\
}									\
static noinline void test_free_##_name(struct work *work)			\
{									\
	_free;								\
	barrier();							\
}

#define SLAB_INTERFACE(_name, _alloc, _free)				\
	INTERFACE(_name, work->ptr = _alloc, _free(work->ptr))
#define CACHE_INTERFACE(_name, _alloc)					\
	INTERFACE(_name, work->ptr = _alloc, kmem_cache_free(cache, work->ptr))

/* slab caches */
CACHE_INTERFACE(cache, kmem_cache_alloc(cache, GFP_KERNEL))
CACHE_INTERFACE(cache_zeroed, kmem_cache_zalloc(cache, GFP_KERNEL))
CACHE_INTERFACE(cache_lru, kmem_cache_alloc_lru(cache, &lru, GFP_NOFS))
CACHE_INTERFACE(cache_node, kmem_cache_alloc_node(cache, GFP_KERNEL, 0))
CACHE_INTERFACE(cache_atomic, kmem_cache_alloc(cache, GFP_ATOMIC))
INTERFACE(cache_kfree, work->ptr = kmem_cache_alloc(cache, GFP_KERNEL),
	  kfree(work->ptr))
INTERFACE(cache_bulk,
	  if (!kmem_cache_alloc_bulk(cache, GFP_KERNEL, BULK, work->ptrs))
		pr_err("no bulk objects\n"),
	  kmem_cache_free_bulk(cache, BULK, work->ptrs))
/*
 * SLUB allocates the objects before it charges the memory cgroup, and frees them when
 * the charge fails. BULK objects exceed the limit of the cgroup in which api.sh runs
 * this; api.sh reads "refused".
 */
INTERFACE(cache_bulk_refused,
	  if (kmem_cache_alloc_bulk(charged_cache, GFP_KERNEL | __GFP_NORETRY,
				    BULK, work->ptrs))
		kmem_cache_free_bulk(charged_cache, BULK, work->ptrs);
	  else
		refused++,
	  (void)work)

/* kmalloc of a size that is known at compile time, and of a variable size */
SLAB_INTERFACE(const, kmalloc(SMALL, GFP_KERNEL), kfree)
SLAB_INTERFACE(const_node, kmalloc_node(SMALL, GFP_KERNEL, 0), kfree)
SLAB_INTERFACE(const_large, kmalloc(LARGE, GFP_KERNEL), kfree)
SLAB_INTERFACE(const_large_node, kmalloc_node(LARGE, GFP_KERNEL, 0), kfree)
SLAB_INTERFACE(size, kmalloc(hide(SMALL), GFP_NOWAIT), kfree)
SLAB_INTERFACE(size_node, kmalloc_node(hide(SMALL), GFP_KERNEL, 0), kfree)
SLAB_INTERFACE(size_large, kmalloc(hide(LARGE), GFP_KERNEL), kfree)
SLAB_INTERFACE(size_large_node, kmalloc_node(hide(LARGE), GFP_KERNEL, 0), kfree)
SLAB_INTERFACE(zeroed, kzalloc(hide(SMALL), GFP_KERNEL), kfree)
SLAB_INTERFACE(track_caller, kmemdup(work, SMALL, GFP_KERNEL), kfree)
SLAB_INTERFACE(sensitive, kmalloc(SMALL, GFP_KERNEL), kfree_sensitive)
SLAB_INTERFACE(array, kmalloc_array(hide(5), 20, GFP_KERNEL), kfree)

static noinline void *too_small(void)
{
	void *ptr = kmalloc(8, GFP_KERNEL);

	barrier();
	return ptr;
}

INTERFACE(krealloc,
	  work->ptr = krealloc(too_small(), hide(SMALL), GFP_KERNEL),
	  kfree(work->ptr))
INTERFACE(krealloc_in_place,
	  work->ptr = kmalloc(SMALL, GFP_KERNEL);
	  work->ptr = krealloc(work->ptr, SMALL - 1, GFP_KERNEL),
	  kfree(work->ptr))
INTERFACE(nothing, kfree(kmalloc(hide(0), GFP_KERNEL)), kfree(NULL))

/* kvmalloc from the slab and from vmalloc */
SLAB_INTERFACE(kvmalloc, kvmalloc(SMALL, GFP_KERNEL), kvfree)
SLAB_INTERFACE(kvmalloc_node, kvmalloc_node(SMALL, GFP_KERNEL, 0), kvfree)

/* bulk and RCU */
INTERFACE(kfree_bulk,
	  for (int i = 0; i < BULK; i++)
		work->ptrs[i] = kmalloc(SMALL, GFP_KERNEL),
	  kfree_bulk(BULK, work->ptrs))
INTERFACE(kfree_rcu, work->ptr = kmalloc(OBJECT, GFP_KERNEL),
	  struct rcu_object *object = work->ptr; kfree_rcu(object, rcu))
INTERFACE(kfree_rcu_large, work->ptr = kmalloc(LARGE, GFP_KERNEL),
	  struct rcu_object *object = work->ptr; kfree_rcu(object, rcu))
INTERFACE(kfree_rcu_mightsleep, work->ptr = kmalloc(OBJECT, GFP_KERNEL),
	  kfree_rcu_mightsleep(work->ptr))
INTERFACE(cache_kfree_rcu, work->ptr = kmem_cache_alloc(cache, GFP_KERNEL),
	  struct rcu_object *object = work->ptr; kfree_rcu(object, rcu))

/* pages */
INTERFACE(page, work->ptr = alloc_page(GFP_KERNEL), __free_page(work->ptr))
INTERFACE(pages, work->ptr = alloc_pages(GFP_KERNEL, 2),
	  __free_pages(work->ptr, 2))
INTERFACE(pages_node, work->ptr = alloc_pages_node(0, GFP_KERNEL, 1),
	  __free_pages(work->ptr, 1))
INTERFACE(free_pages, work->ptr = (void *)__get_free_pages(GFP_KERNEL, 1),
	  free_pages((unsigned long)work->ptr, 1))
INTERFACE(zeroed_page, work->ptr = (void *)get_zeroed_page(GFP_KERNEL),
	  free_page((unsigned long)work->ptr))
INTERFACE(folio, work->ptr = folio_alloc(GFP_KERNEL, 2), folio_put(work->ptr))
INTERFACE(exact, work->ptr = alloc_pages_exact(LARGE, GFP_KERNEL),
	  free_pages_exact(work->ptr, LARGE))
INTERFACE(bulk_pages,
	  memset(work->ptrs, 0, sizeof(work->ptrs));
	  if (alloc_pages_bulk_array(GFP_KERNEL, BULK,
				     (struct page **)work->ptrs) != BULK)
		pr_err("no bulk pages\n"),
	  for (int i = 0; i < BULK && work->ptrs[i]; i++)
		__free_page(work->ptrs[i]))
INTERFACE(vmalloc, work->ptr = vmalloc(PAGE_SIZE), vfree(work->ptr))

/* areas of vmalloc, and per-CPU memory */
INTERFACE(vmalloc_area, work->ptr = vmalloc_node(LARGE - 1, 0),
	  vfree(work->ptr))
INTERFACE(percpu,
	  work->ptr = (__force void *)__alloc_percpu(SMALL + 2, 8),
	  free_percpu((__force void __percpu *)work->ptr))
INTERFACE(percpu_gfp,
	  work->ptr = (__force void *)__alloc_percpu_gfp(SMALL, 8, GFP_NOWAIT),
	  free_percpu((__force void __percpu *)work->ptr))

#define KMALLOC		0
#define CACHE		1
#define PAGES		2
#define PERCPU		3
#define VMALLOC		4

#define ROW(_name, _alloc_type, _free_type, _allocs, _frees, _req, _given,	\
	    _gfp, _node, _elsewhere)					\
{									\
	.name = #_name, .alloc = test_alloc_##_name, .free = test_free_##_name,	\
	.alloc_type = _alloc_type, .free_type = _free_type,		\
	.allocs = _allocs, .frees = _frees,				\
	.bytes_req = _req, .bytes_alloc = _given,			\
	.gfp = _gfp, .node = _node, .elsewhere = _elsewhere		\
}

#define CACHE_ROW(_name, _gfp, _node)					\
	ROW(_name, CACHE, CACHE, 1, 1, OBJECT, OBJECT, _gfp, _node, false)
#define KMALLOC_ROW(_name, _req, _given, _gfp, _node)			\
	ROW(_name, KMALLOC, KMALLOC, 1, 1, _req, _given, _gfp, _node, false)
#define PAGE_ROW(_name, _allocs, _frees, _order, _gfp)			\
	ROW(_name, PAGES, PAGES, _allocs, _frees, PAGE_SIZE << (_order),	\
	    PAGE_SIZE << (_order), _gfp, -1, false)

/* The bytes are for one CPU. rows_show() multiplies them by the possible CPUs. */
#define PERCPU_ROW(_name, _req, _gfp)					\
	ROW(_name, PERCPU, PERCPU, 1, 1, _req,				\
	    ALIGN(_req, PCPU_MIN_ALLOC_SIZE), _gfp, -1, false)

static const struct row rows[] = {
	CACHE_ROW(cache, GFP_KERNEL, -1),
	CACHE_ROW(cache_zeroed, GFP_KERNEL | __GFP_ZERO, -1),
	CACHE_ROW(cache_lru, GFP_NOFS, -1),
	CACHE_ROW(cache_node, GFP_KERNEL, 0),
	CACHE_ROW(cache_atomic, GFP_ATOMIC, -1),
	ROW(cache_kfree, CACHE, KMALLOC, 1, 1, OBJECT, OBJECT, GFP_KERNEL, -1,
	    false),
	ROW(cache_bulk, CACHE, CACHE, BULK, BULK, OBJECT, OBJECT, GFP_KERNEL,
	    -1, false),
	ROW(cache_bulk_refused, CACHE, CACHE, BULK_REFUSED, BULK_REFUSED, CHARGED, CHARGED,
	    GFP_KERNEL | __GFP_NORETRY, -1, true),

	KMALLOC_ROW(const, SMALL, 128, GFP_KERNEL, -1),
	KMALLOC_ROW(const_node, SMALL, 128, GFP_KERNEL, 0),
	KMALLOC_ROW(const_large, LARGE, 4 * PAGE_SIZE, GFP_KERNEL, -1),
	KMALLOC_ROW(const_large_node, LARGE, 4 * PAGE_SIZE, GFP_KERNEL, 0),
	KMALLOC_ROW(size, SMALL, 128, GFP_NOWAIT, -1),
	KMALLOC_ROW(size_node, SMALL, 128, GFP_KERNEL, 0),
	KMALLOC_ROW(size_large, LARGE, 4 * PAGE_SIZE, GFP_KERNEL, -1),
	KMALLOC_ROW(size_large_node, LARGE, 4 * PAGE_SIZE, GFP_KERNEL, 0),
	KMALLOC_ROW(zeroed, SMALL, 128, GFP_KERNEL | __GFP_ZERO, -1),
	KMALLOC_ROW(track_caller, SMALL, 128, GFP_KERNEL, -1),
	ROW(sensitive, KMALLOC, KMALLOC, 1, 1, SMALL, 128, GFP_KERNEL, -1,
	    true),
	KMALLOC_ROW(array, SMALL, 128, GFP_KERNEL, -1),
	KMALLOC_ROW(krealloc, SMALL, 128, GFP_KERNEL, -1),
	KMALLOC_ROW(krealloc_in_place, SMALL, 128, GFP_KERNEL, -1),
	ROW(nothing, KMALLOC, KMALLOC, 0, 0, 0, 0, 0, -1, false),
	ROW(kvmalloc, KMALLOC, KMALLOC, 1, 1, SMALL, 128, GFP_KERNEL, -1, true),
	ROW(kvmalloc_node, KMALLOC, KMALLOC, 1, 1, SMALL, 128, GFP_KERNEL, 0,
	    true),
	ROW(kfree_bulk, KMALLOC, KMALLOC, BULK, BULK, SMALL, 128, GFP_KERNEL,
	    -1, false),
	ROW(kfree_rcu, KMALLOC, KMALLOC, 1, 1, OBJECT, 256, GFP_KERNEL, -1,
	    true),
	ROW(kfree_rcu_large, KMALLOC, KMALLOC, 1, 1, LARGE, 4 * PAGE_SIZE,
	    GFP_KERNEL, -1, true),
	ROW(kfree_rcu_mightsleep, KMALLOC, KMALLOC, 1, 1, OBJECT, 256,
	    GFP_KERNEL, -1, true),
	ROW(cache_kfree_rcu, CACHE, RCU_FREES_CACHE_OBJECT, 1, 1, OBJECT, OBJECT, GFP_KERNEL,
	    -1, true),

	PAGE_ROW(page, 1, 1, 0, GFP_KERNEL),
	PAGE_ROW(pages, 1, 1, 2, GFP_KERNEL),
	PAGE_ROW(pages_node, 1, 1, 1, GFP_KERNEL),
	PAGE_ROW(free_pages, 1, 1, 1, GFP_KERNEL),
	PAGE_ROW(zeroed_page, 1, 1, 0, GFP_KERNEL | __GFP_ZERO),
	PAGE_ROW(folio, 1, 1, 2, GFP_KERNEL | __GFP_COMP),
	/* Three pages of four: the last is freed at once, the others one by one. */
	PAGE_ROW(exact, 1, 4, 2, GFP_KERNEL),
	PAGE_ROW(bulk_pages, BULK, BULK, 0, GFP_KERNEL),
	PAGE_ROW(vmalloc, 1, 1, 0, GFP_KERNEL | __GFP_NOWARN | __GFP_HIGHMEM),

	ROW(vmalloc_area, VMALLOC, VMALLOC, 1, 1, LARGE - 1, LARGE, GFP_KERNEL,
	    0, false),
	PERCPU_ROW(percpu, SMALL + 2, GFP_KERNEL),
	PERCPU_ROW(percpu_gfp, SMALL, GFP_NOWAIT),
};

static int run(const struct row *row, unsigned long times)
{
	struct work work = { };

	for (unsigned long i = 0; i < times; i++) {
		row->alloc(&work);
		if (row->alloc_type == PAGES && !work.ptr && !work.ptrs[0])
			return -ENOMEM;
		row->free(&work);
		work.ptr = NULL;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static ssize_t run_write(struct file *file, const char __user *from,
			 size_t count, loff_t *ppos)
{
	unsigned long times;
	int ret = kstrtoul_from_user(from, count, 10, &times);

	for (int i = 0; !ret && i < ARRAY_SIZE(rows); i++)
		ret = run(&rows[i], times);
	kvfree_rcu_barrier();
	return ret ?: count;
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
};

/* Debugging options enlarge objects; api_check ignores @bytes_alloc then. */
static bool exact_sizes(void)
{
	return !IS_ENABLED(CONFIG_KASAN) && !IS_ENABLED(CONFIG_SLUB_DEBUG_ON);
}

static int rows_show(struct seq_file *m, void *v)
{
	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];

		unsigned int cpus = row->alloc_type == PERCPU ?
				    num_possible_cpus() : 1;

		seq_printf(m, "%s %u %u %u %u %zu %zu %x %d %d\n", row->name,
			   row->alloc_type, row->free_type, row->allocs,
			   row->frees, row->bytes_req * cpus,
			   exact_sizes() ? row->bytes_alloc * cpus : 0,
			   (__force u32)row->gfp, row->node, row->elsewhere);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rows);

static int __init api_init(void)
{
	int ret = list_lru_init(&lru);

	if (ret)
		return ret;
	cache = kmem_cache_create("kmemtrace_api", OBJECT, 0,
				  SLAB_NO_MERGE, NULL);
	charged_cache = kmem_cache_create("kmemtrace_api_charged", CHARGED, 0,
					  SLAB_NO_MERGE | SLAB_ACCOUNT, NULL);
	if (!cache || !charged_cache) {
		kmem_cache_destroy(charged_cache);
		kmem_cache_destroy(cache);
		list_lru_destroy(&lru);
		return -ENOMEM;
	}
	dir = debugfs_create_dir("kmemtrace_api", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_fops);
	debugfs_create_file("rows", 0400, dir, NULL, &rows_fops);
	debugfs_create_u32("refused", 0400, dir, &refused);
	return 0;
}
module_init(api_init);

static void __exit api_exit(void)
{
	debugfs_remove(dir);
	kmem_cache_destroy(charged_cache);
	kmem_cache_destroy(cache);
	list_lru_destroy(&lru);
}
module_exit(api_exit);

MODULE_DESCRIPTION("kmemtrace test: every interface that allocates memory");
MODULE_LICENSE("GPL");
