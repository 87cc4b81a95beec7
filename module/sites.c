// SPDX-License-Identifier: GPL-2.0
/*
 * Where the module sees allocations and frees, on a kernel without markers.
 *
 * The recorder registers the probes of its markers. This file calls these probes from the
 * tracepoints of the allocators, which it finds by name since pages' are not exported.
 * Where an allocator has no tracepoint, it watches the calls of functions: that of an
 * allocation to its end, where the result is known.
 *
 * The probes are part of this file. So the arguments of a tracepoint go into a record
 * without a further call.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include "mm/kmemtrace/probes.c"

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include "functions.h"
#include "sites.h"
#include "symbols.h"

/* ---- tracepoints of the slab ---- */

/*
 * The functions that report what is too large for a cache a second time, after a
 * function that they call has reported it.
 */
static const char * const kmemtrace_kmalloc_names[] = {
	"__do_kmalloc_node", "__kmalloc_noprof", "__kmalloc_node_noprof",
	"__kmalloc_node_track_caller_noprof", "__kmalloc_flags_noprof",
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	"__kvmalloc_node_noprof",
#endif
};

static struct kmemtrace_function
kmemtrace_kmallocs[ARRAY_SIZE(kmemtrace_kmalloc_names)];

/*
 * Before Linux 6.15, kvmalloc() reports its own address as the call site. Since then it
 * reports its caller, and is one of the functions above.
 */
static struct kmemtrace_function kmemtrace_kvmalloc;

/**
 * struct kmemtrace_behind - state of a stack walk to the caller of kvmalloc()
 * @from: a return address in kvmalloc(), 0 once the walk has passed it
 * @call_site: the last address behind it
 */
struct kmemtrace_behind {
	unsigned long from;
	unsigned long call_site;
};

static bool kmemtrace_consume_behind(void *cookie, unsigned long addr)
{
	struct kmemtrace_behind *behind = cookie;

	if (behind->from) {
		if (addr == behind->from)
			behind->from = 0;
		return true;
	}
	behind->call_site = addr;
	return kmemtrace_passes_on(addr);
}

static unsigned long kmemtrace_caller_behind(unsigned long call_site)
{
	struct kmemtrace_behind behind = { call_site, call_site };

	arch_stack_walk(kmemtrace_consume_behind, &behind, current, NULL);
	return behind.call_site;
}

/* Not a clone: with the same arguments, its callers need no stack. */
static noinline __noclone void
site_kmalloc_rest(void *data, unsigned long call_site, const void *ptr,
		  size_t bytes_req, size_t bytes_alloc, gfp_t gfp, int node)
{
	struct kmem_cache *cache = NULL;

	if (bytes_req <= KMALLOC_MAX_CACHE_SIZE) {
		if (ptr)
			cache = kmemtrace_cache_of(ptr);
	} else {
		for (int i = 0; i < ARRAY_SIZE(kmemtrace_kmallocs); i++)
			if (kmemtrace_is_inside(&kmemtrace_kmallocs[i],
						call_site))
				return;
	}
	if (kmemtrace_is_inside(&kmemtrace_kvmalloc, call_site))
		call_site = kmemtrace_caller_behind(call_site);
	probe_kmalloc(data, call_site, ptr, bytes_req, cache, gfp, node);
}

static void site_kmalloc(void *data, unsigned long call_site, const void *ptr,
			 size_t bytes_req, size_t bytes_alloc, gfp_t gfp,
			 int node)
{
	site_kmalloc_rest(data, call_site, ptr, bytes_req, bytes_alloc, gfp,
			  node);
}

static void site_kmalloc_fast(void *data, unsigned long call_site,
			      const void *ptr, size_t bytes_req,
			      size_t bytes_alloc, gfp_t gfp, int node)
{
	if (likely(ptr) && likely(bytes_req <= KMALLOC_MAX_CACHE_SIZE) &&
	    likely(kmemtrace_is_caller(call_site)) &&
	    likely(!kmemtrace_is_inside(&kmemtrace_kvmalloc, call_site)) &&
	    likely(record_kmalloc(true, call_site, ptr, bytes_req,
				  kmemtrace_cache_of(ptr), gfp, node)))
		return;
	/* The two that are not used need no register until here. */
	site_kmalloc_rest(NULL, call_site, ptr, bytes_req, 0, gfp, node);
}

static void site_kmalloc_sampled(void *data, unsigned long call_site,
				 const void *ptr, size_t bytes_req,
				 size_t bytes_alloc, gfp_t gfp, int node)
{
	if (ptr && bytes_req <= KMALLOC_MAX_CACHE_SIZE &&
	    kmemtrace_skips_alloc(ptr, kmemtrace_cache_of(ptr)))
		return;
	site_kmalloc_rest(NULL, call_site, ptr, bytes_req, 0, gfp, node);
}

static void site_kmem_cache_free(void *data, unsigned long call_site,
				 const void *ptr, const void *cache_or_name)
{
	probe_kmem_cache_free(data, call_site, ptr);
}

static void site_kmem_cache_free_fast(void *data, unsigned long call_site,
				      const void *ptr,
				      const void *cache_or_name)
{
	probe_kmem_cache_free_fast(data, call_site, ptr);
}

static void site_kmem_cache_free_sampled(void *data, unsigned long call_site,
					 const void *ptr,
					 const void *cache_or_name)
{
	probe_kmem_cache_free_sampled(data, call_site, ptr);
}

/* ---- tracepoints of pages ---- */

/*
 * If it can't allocate in bulk, it calls the function with the tracepoint. Then the call
 * site is inside it, since kmemtrace_lookup_wrapper() hides it from the search. That page
 * is recorded with the others, when the call ends.
 */
static struct kmemtrace_function kmemtrace_page_bulk;

/* The kallsyms_lookup_name() of the search for call sites. */
unsigned long kmemtrace_lookup_wrapper(const char *name)
{
	unsigned long addr = kmemtrace_lookup_name(name);

	return addr == kmemtrace_page_bulk.start ? 0 : addr;
}

static noinline void site_mm_page_alloc_rest(unsigned long call_site,
					     struct page *page,
					     unsigned int order, gfp_t gfp)
{
	if (page)
		record_page_alloc(false, call_site, page, order, gfp);
	else
		kmemtrace_failed(KMEMTRACE_TYPE_PAGES, NUMA_NO_NODE, call_site,
				 (u64)PAGE_SIZE << order, gfp);
}

static __always_inline void
kmemtrace_mm_page_alloc(const bool fast, unsigned long call_site,
			struct page *page, unsigned int order, gfp_t gfp)
{
	if (unlikely(kmemtrace_is_inside(&kmemtrace_page_bulk, call_site)))
		return;
	if (fast && likely(page) &&
	    likely(record_page_alloc(true, call_site, page, order, gfp)))
		return;
	site_mm_page_alloc_rest(call_site, page, order, gfp);
}

static void site_mm_page_alloc(void *data, struct page *page,
			       unsigned int order, gfp_t gfp, int migratetype)
{
	kmemtrace_mm_page_alloc(false, kmemtrace_callsite(), page, order, gfp);
}

static void site_mm_page_alloc_fast(void *data, struct page *page,
				    unsigned int order, gfp_t gfp,
				    int migratetype)
{
	kmemtrace_mm_page_alloc(true, kmemtrace_callsite(), page, order, gfp);
}

/* ---- tracepoints of per-CPU memory ---- */

static void site_percpu_alloc(void *data, unsigned long call_site,
			      bool reserved, bool is_atomic, size_t size,
			      size_t align, void *base_addr, int off,
			      void __percpu *ptr, size_t bytes_alloc,
			      gfp_t gfp)
{
	/* @bytes_alloc counts what the allocator keeps about the memory, too. */
	probe_percpu_alloc(data, call_site, (__force unsigned long)ptr, size,
			   size, gfp);
}

static void site_percpu_fail(void *data, bool reserved, bool is_atomic,
			     size_t size, size_t align)
{
	/* Not counted as a failure: the flags are unknown. */
	kmemtrace_record(false, KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_PERCPU,
			 NUMA_NO_NODE, kmemtrace_callsite(), 0,
			 size_mul(size, num_possible_cpus()), 0, 0);
}

/* The tracepoint does not have the bytes. */
static void site_percpu_free(void *data, void *base_addr, int off,
			     void __percpu *ptr)
{
	probe_percpu_free(data, kmemtrace_callsite(), (__force unsigned long)ptr,
			  0);
}

/* ---- functions ---- */

/* The elements of an array that alloc_pages_bulk() found filled; more are never seen. */
#define KMEMTRACE_PAGES_MAX	1024

/**
 * struct kmemtrace_call - a call of a function that allocates
 * @call_site: its caller
 * @args: what the end of the call needs
 * @filled: of alloc_pages_bulk(), the elements that have a page already
 */
struct kmemtrace_call {
	unsigned long	call_site;
	unsigned long	args[4];
	DECLARE_BITMAP(filled, KMEMTRACE_PAGES_MAX);
};

/* At the first instruction, the stack has the return address on top. */
static unsigned long kmemtrace_caller_of(struct pt_regs *regs)
{
	unsigned long *top = (unsigned long *)kernel_stack_pointer(regs);

	return kmemtrace_callsite_from(top - 1);
}

static unsigned long kmemtrace_arg(struct pt_regs *regs, unsigned int n)
{
	return regs_get_kernel_argument(regs, n);
}

/* Keep the first arguments for the end of the call. */
static void kmemtrace_keep_args(void *data, struct pt_regs *regs)
{
	struct kmemtrace_call *call = data;

	call->call_site = kmemtrace_caller_of(regs);
	for (unsigned int i = 0; i < ARRAY_SIZE(call->args); i++)
		call->args[i] = kmemtrace_arg(regs, i);
}

/* cache, gfp, count, ptrs */
static void site_cache_alloc_bulk(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;
	/* Some kernels return a bool, others the number of objects, all or none. */
	bool good = sizeof(kmem_cache_alloc_bulk(NULL, 0, 0, NULL)) == 1 ?
		    (u8)result : (u32)result;

	if (call->args[2])
		probe_kmem_cache_alloc_bulk(NULL, call->call_site,
					    (void *)call->args[0],
					    (__force gfp_t)call->args[1],
					    call->args[2],
					    good ? (void *)call->args[3] : NULL);
}

/* Some kernels call it when a bulk allocation fails, which was recorded by no one. */
static struct kmemtrace_function kmemtrace_cache_alloc_bulk;

/* cache, count, ptrs */
static void site_cache_free_bulk(struct pt_regs *regs)
{
	unsigned long call_site = kmemtrace_caller_of(regs);

	if (kmemtrace_is_inside(&kmemtrace_cache_alloc_bulk, call_site))
		return;
	probe_kmem_cache_free_bulk(NULL, call_site,
				   (void *)kmemtrace_arg(regs, 0),
				   kmemtrace_arg(regs, 1),
				   (void *)kmemtrace_arg(regs, 2));
}

#ifdef KMEMTRACE_HAS_SHEAVES
/*
 * rcu_head: a sheaf of objects that kfree_rcu() frees. The function then gives the sheaf to
 * the allocator, which may allocate the objects at once.
 */
static void site_sheaf_free(struct pt_regs *regs)
{
	struct slab_sheaf *sheaf = container_of((void *)kmemtrace_arg(regs, 0),
						struct slab_sheaf, rcu_head);
	struct kmem_cache *cache = sheaf->cache;

	/* The module was built with the types of another kernel. */
	if (!virt_addr_valid(cache))
		return;
	probe_kmem_cache_free_bulk(NULL, kmemtrace_caller_of(regs),
				   cache->flags & SLAB_KMALLOC ? NULL : cache,
				   sheaf->size, sheaf->objects);
}
#endif

/* size, [token,] gfp, node: keep size, gfp, node */
static void kmemtrace_keep_nolock(void *data, struct pt_regs *regs)
{
	struct kmemtrace_call *call = data;
	const unsigned int gfp = IS_ENABLED(CONFIG_KMALLOC_PARTITION_CACHES) ?
				 2 : 1;

	call->call_site = kmemtrace_caller_of(regs);
	call->args[0] = kmemtrace_arg(regs, 0);
	call->args[1] = kmemtrace_arg(regs, gfp);
	call->args[2] = kmemtrace_arg(regs, gfp + 1);
}

static void site_kmalloc_nolock(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;
	void *ptr = (void *)result;

	struct kmem_cache *cache;

	if (ptr == ZERO_SIZE_PTR)
		return;
	cache = ptr ? kmemtrace_cache_of(ptr) : NULL;
	if (!kmemtrace_skips_alloc(ptr, cache))
		probe_kmalloc(NULL, call->call_site, ptr, call->args[0], cache,
			      (__force gfp_t)call->args[1], call->args[2]);
}

/* object */
static void site_kfree_nolock(struct pt_regs *regs)
{
	const void *ptr = (void *)kmemtrace_arg(regs, 0);

	if (!kmemtrace_skips_free(ptr))
		probe_kfree(NULL, kmemtrace_caller_of(regs), ptr);
}

/* name, ... */
static void site_cache_create(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;

	if (result && !IS_ERR_VALUE(result))
		probe_kmem_cache_create(NULL, call->call_site, (void *)result,
					(const char *)call->args[0]);
}

/*
 * cache. By now, kmem_cache_destroy() has waited for kfree_rcu(). The result is 0, or another
 * number if objects are left and the cache stays.
 */
static void site_cache_shutdown(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;

	if (!(int)result)
		probe_kmem_cache_destroy(NULL, call->call_site,
					 (void *)call->args[0]);
}

#ifdef KMEMTRACE_PAGE_BULK_LISTS
#define KMEMTRACE_PAGE_BULK_ARRAY	5

/* The list was empty, or its first entries are the new ones. */
static void kmemtrace_page_list(struct kmemtrace_call *call,
				struct list_head *list, unsigned int nr)
{
	struct page *page;

	list_for_each_entry(page, list, lru) {
		if (!nr--)
			break;
		record_page_alloc(false, call->call_site, page, 0,
				  (__force gfp_t)call->args[0]);
	}
}
#else
#define KMEMTRACE_PAGE_BULK_ARRAY	4
#endif

static void kmemtrace_page_array(struct kmemtrace_call *call,
				 struct page **pages, unsigned int nr)
{
	for (unsigned int i = 0; i < min(nr, KMEMTRACE_PAGES_MAX); i++)
		if (!test_bit(i, call->filled) && pages[i])
			record_page_alloc(false, call->call_site, pages[i], 0,
					  (__force gfp_t)call->args[0]);
}

/* gfp, node, nodemask, nr, [list,] array: keep gfp, nr, list, array, and what is there */
static void kmemtrace_keep_pages(void *data, struct pt_regs *regs)
{
	struct kmemtrace_call *call = data;
	const unsigned int array = KMEMTRACE_PAGE_BULK_ARRAY;
	struct page **pages = (void *)kmemtrace_arg(regs, array);
	int nr = kmemtrace_arg(regs, 3);

	call->call_site = kmemtrace_caller_of(regs);
	call->args[0] = kmemtrace_arg(regs, 0);
	call->args[1] = nr;
	call->args[2] = array == 5 ? kmemtrace_arg(regs, 4) : 0;
	call->args[3] = (unsigned long)pages;
	bitmap_zero(call->filled, KMEMTRACE_PAGES_MAX);
	for (int i = 0; pages && i < min(nr, KMEMTRACE_PAGES_MAX); i++)
		if (pages[i])
			__set_bit(i, call->filled);
}

static void site_page_bulk(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;

#ifdef KMEMTRACE_PAGE_BULK_LISTS
	if (call->args[2]) {
		kmemtrace_page_list(call, (void *)call->args[2], result);
		return;
	}
#endif
	kmemtrace_page_array(call, (void *)call->args[3], result);
}

/*
 * page, order: taken from the free lists, for compaction or to tell a hypervisor of free pages.
 * The result is 0 if they were not.
 */
static void site_isolate_page(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;

	if ((int)result)
		record_page_alloc(false, call->call_site,
				  (struct page *)call->args[0], call->args[1],
				  __GFP_MOVABLE);
}

/* page, order: back to the free lists, without a tracepoint */
static void site_putback_page(struct pt_regs *regs)
{
	struct page *page = (void *)kmemtrace_arg(regs, 0);

	probe_page_free(NULL, page, kmemtrace_arg(regs, 1));
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
/* folio, struct compact_control: of a migration that failed; keep folio, order, lists */
static void kmemtrace_keep_folio(void *data, struct pt_regs *regs)
{
	struct kmemtrace_call *call = data;

	call->call_site = kmemtrace_caller_of(regs);
	call->args[0] = kmemtrace_arg(regs, 0);
	call->args[1] = folio_order((struct folio *)call->args[0]);
	call->args[2] = kmemtrace_arg(regs, 1);
}

/*
 * Compaction has freed it, with a tracepoint, and has it in a list of its own then. The lists by
 * order are the first member of struct compact_control. Others may use the page still, or have
 * freed it.
 */
static void site_compaction_free(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;
	struct page *page = (struct page *)call->args[0];
	struct list_head *lists = (struct list_head *)call->args[2];

	if (lists[call->args[1]].next == &page->lru)
		record_page_alloc(false, call->call_site, page, call->args[1],
				  __GFP_MOVABLE);
}
#endif

/* new folio, old folio: the contents of @old were moved */
static void site_page_move(struct pt_regs *regs)
{
	struct folio *folio = (void *)kmemtrace_arg(regs, 0);
	struct folio *old = (void *)kmemtrace_arg(regs, 1);

	probe_page_move(NULL, folio_page(folio, 0), folio_page(old, 0),
			folio_nr_pages(old));
}

/* size, align, start, end, gfp, prot, flags, node, caller: keep size, gfp, node */
static void kmemtrace_keep_vmalloc(void *data, struct pt_regs *regs)
{
	struct kmemtrace_call *call = data;

	call->call_site = kmemtrace_caller_of(regs);
	call->args[0] = kmemtrace_arg(regs, 0);
	call->args[1] = kmemtrace_arg(regs, 4);
	call->args[2] = kmemtrace_arg(regs, 7);
}

static struct vm_struct *kmemtrace_area(unsigned long addr)
{
	return KMEMTRACE_CALL(find_vm_area)((void *)addr);
}

static void site_vmalloc(void *data, unsigned long result)
{
	struct kmemtrace_call *call = data;
	struct vm_struct *area = result ? kmemtrace_area(result) : NULL;

	if (call->args[0])
		probe_vmalloc(NULL, (void *)call->call_site, area,
			      call->args[0], (__force gfp_t)call->args[1],
			      call->args[2]);
}

/* address */
static void site_vm_area_free(struct pt_regs *regs)
{
	struct vm_struct *area = kmemtrace_area(kmemtrace_arg(regs, 0));

	if (area && kmemtrace_is_vmalloc(area))
		kmemtrace_free(false, KMEMTRACE_TYPE_VMALLOC,
			       kmemtrace_caller_of(regs),
			       kmemtrace_vmalloc_ptr(area), 0);
}

/* ---- the table of tracepoints ---- */

/**
 * struct kmemtrace_tracepoint - a tracepoint that stands for a marker
 * @marker: name of the marker
 * @name: name of the tracepoint
 * @sites: what it calls for any clock, and for cycles
 * @is_fast: whether it may call the latter
 * @sampled: what it calls if the trace is a sample; NULL if it is the same
 * @tracepoint: it
 * @is_registered: it calls one of them
 */
struct kmemtrace_tracepoint {
	const char		*marker;
	const char		*name;
	void			*sites[2];
	const bool		*is_fast;
	void			*sampled;
	struct tracepoint	*tracepoint;
	bool			is_registered;
};

static struct kmemtrace_tracepoint kmemtrace_tracepoints[] = {
	{ "kmalloc", "kmalloc",
	  { site_kmalloc, site_kmalloc_fast },
	  &kmemtrace_fast_allocs, site_kmalloc_sampled },
	{ "kfree", "kfree",
	  { probe_kfree, probe_kfree_fast },
	  &kmemtrace_fast_probes, probe_kfree_sampled },
	{ "kmem_cache_alloc", "kmem_cache_alloc",
	  { probe_kmem_cache_alloc, probe_kmem_cache_alloc_fast },
	  &kmemtrace_fast_allocs, probe_kmem_cache_alloc_sampled },
	{ "kmem_cache_free", "kmem_cache_free",
	  { site_kmem_cache_free, site_kmem_cache_free_fast },
	  &kmemtrace_fast_probes, site_kmem_cache_free_sampled },
	{ "page_alloc", "mm_page_alloc",
	  { site_mm_page_alloc, site_mm_page_alloc_fast },
	  &kmemtrace_fast_allocs },
	{ "page_free", "mm_page_free",
	  { probe_page_free, probe_page_free_fast },
	  &kmemtrace_fast_probes },
	{ "percpu_alloc", "percpu_alloc_percpu",
	  { site_percpu_alloc, site_percpu_alloc },
	  &kmemtrace_fast_probes },
	{ "percpu_alloc", "percpu_alloc_percpu_fail",
	  { site_percpu_fail, site_percpu_fail },
	  &kmemtrace_fast_probes },
	{ "percpu_free", "percpu_free_percpu",
	  { site_percpu_free, site_percpu_free },
	  &kmemtrace_fast_probes },
};

static void kmemtrace_match_tracepoint(struct tracepoint *tracepoint, void *data)
{
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_tracepoints); i++)
		if (!strcmp(tracepoint->name, kmemtrace_tracepoints[i].name))
			kmemtrace_tracepoints[i].tracepoint = tracepoint;
}

static int kmemtrace_find_tracepoints(void)
{
	for_each_kernel_tracepoint(kmemtrace_match_tracepoint, NULL);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_tracepoints); i++) {
		if (kmemtrace_tracepoints[i].tracepoint)
			continue;
		pr_err("this kernel does not have the tracepoint %s\n",
		       kmemtrace_tracepoints[i].name);
		return -ENOENT;
	}
	return 0;
}

static void *kmemtrace_site_of(const struct kmemtrace_tracepoint *t)
{
	if (kmemtrace_one_of > 1 && t->sampled)
		return t->sampled;
	return t->sites[*t->is_fast];
}

static int kmemtrace_register_tracepoints(const char *marker)
{
	int ret = 0;

	for (int i = 0; !ret && i < ARRAY_SIZE(kmemtrace_tracepoints); i++) {
		struct kmemtrace_tracepoint *t = &kmemtrace_tracepoints[i];

		if (strcmp(t->marker, marker))
			continue;
		ret = tracepoint_probe_register(t->tracepoint,
						kmemtrace_site_of(t), NULL);
		t->is_registered = !ret;
	}
	return ret;
}

static void kmemtrace_unregister_tracepoints(const char *marker)
{
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_tracepoints); i++) {
		struct kmemtrace_tracepoint *t = &kmemtrace_tracepoints[i];

		if (!t->is_registered || strcmp(t->marker, marker))
			continue;
		tracepoint_probe_unregister(t->tracepoint, kmemtrace_site_of(t),
					    NULL);
		t->is_registered = false;
	}
}

/* ---- the table of functions ---- */

/**
 * struct kmemtrace_watched - a function that stands for a marker
 * @marker: name of the marker
 * @names: names of the function, of which a kernel has one
 * @unseen: word of the metadata for a kernel without it; NULL if older kernels don't need it
 * @watch: what is called when its calls begin and end
 * @locks: these take a spinlock, which a function that PREEMPT_RT calls may not do
 * @is_there: the kernel has the function
 * @is_watched: it is watched now
 */
struct kmemtrace_watched {
	const char		*marker;
	const char		*names[3];
	const char		*unseen;
	struct kmemtrace_watch	watch;
	bool			locks;
	bool			is_there;
	bool			is_watched;
};

/* Record a call when it begins, or keep what its end needs, and record it then. */
#define KMEMTRACE_ENTER(_enter)		.watch = { .enter = _enter }
#define KMEMTRACE_LEAVE(_keep, _leave)					\
	.watch = { .keep = _keep, .leave = _leave,			\
		   .size = sizeof(struct kmemtrace_call) }

static struct kmemtrace_watched kmemtrace_watched[] = {
	{ "kmem_cache_alloc_bulk",
	  { "kmem_cache_alloc_bulk_noprof", "kmem_cache_alloc_bulk" }, "bulk",
	  KMEMTRACE_LEAVE(kmemtrace_keep_args, site_cache_alloc_bulk) },
	{ "kmem_cache_free_bulk", { "kmem_cache_free_bulk" }, "bulk",
	  KMEMTRACE_ENTER(site_cache_free_bulk) },
#ifdef KMEMTRACE_HAS_SHEAVES
	{ "kmem_cache_free_bulk", { "rcu_free_sheaf" }, "bulk",
	  KMEMTRACE_ENTER(site_sheaf_free) },
	{ "kmem_cache_free_bulk", { "rcu_free_sheaf_nobarn" }, "bulk",
	  KMEMTRACE_ENTER(site_sheaf_free) },
#endif
	{ "kmalloc",
	  { "__kmalloc_nolock_noprof", "_kmalloc_nolock_noprof",
	    "kmalloc_nolock_noprof" },
	  KMEMTRACE_LEAVE(kmemtrace_keep_nolock, site_kmalloc_nolock) },
	{ "kfree", { "kfree_nolock" }, KMEMTRACE_ENTER(site_kfree_nolock) },
	{ "kmem_cache_create",
	  { "__kmem_cache_create_args", "kmem_cache_create_usercopy" }, "caches",
	  KMEMTRACE_LEAVE(kmemtrace_keep_args, site_cache_create) },
	{ "kmem_cache_destroy", { "__kmem_cache_shutdown" }, "caches",
	  KMEMTRACE_LEAVE(kmemtrace_keep_args, site_cache_shutdown) },
	{ "page_alloc", { "alloc_pages_bulk_noprof", "__alloc_pages_bulk" },
	  "page_bulk", KMEMTRACE_LEAVE(kmemtrace_keep_pages, site_page_bulk) },
#ifdef CONFIG_COMPACTION
	{ "page_alloc", { "__isolate_free_page" }, "moves",
	  KMEMTRACE_LEAVE(kmemtrace_keep_args, site_isolate_page) },
	{ "page_free", { "__putback_isolated_page" }, "moves",
	  KMEMTRACE_ENTER(site_putback_page) },
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	{ "page_alloc", { "compaction_free" }, "moves",
	  KMEMTRACE_LEAVE(kmemtrace_keep_folio, site_compaction_free) },
#endif
#endif
#ifdef CONFIG_MIGRATION
	{ "page_move", { "folio_migrate_flags" }, "moves",
	  KMEMTRACE_ENTER(site_page_move) },
#endif
	{ "vmalloc", { "__vmalloc_node_range_noprof", "__vmalloc_node_range" },
	  "vmalloc", KMEMTRACE_LEAVE(kmemtrace_keep_vmalloc, site_vmalloc),
	  .locks = true },
	{ "vm_area_free", { "remove_vm_area" }, "vmalloc",
	  KMEMTRACE_ENTER(site_vm_area_free), .locks = true },
};

/* Find the function of a row, and be ready to watch it. */
static void kmemtrace_find_one(struct kmemtrace_watched *w)
{
	struct kmemtrace_function function;

	for (int i = 0; i < ARRAY_SIZE(w->names) && w->names[i]; i++) {
		kmemtrace_find_function(&function, w->names[i]);
		if (!function.start ||
		    kmemtrace_watch_init(&w->watch, function.start))
			continue;
		w->is_there = true;
		if (w->watch.leave == site_page_bulk)
			kmemtrace_page_bulk = function;
		if (w->watch.leave == site_cache_alloc_bulk)
			kmemtrace_cache_alloc_bulk = function;
		return;
	}
	if (w->unseen)
		pr_warn("this kernel does not have %s\n", w->names[0]);
}

static void kmemtrace_find_watched(void)
{
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_watched); i++) {
		struct kmemtrace_watched *w = &kmemtrace_watched[i];

		if (!w->locks || !IS_ENABLED(CONFIG_PREEMPT_RT))
			kmemtrace_find_one(w);
	}
}

static int kmemtrace_begin_to_watch(struct kmemtrace_watched *w)
{
	int ret = kmemtrace_watch_begin(&w->watch);

	w->is_watched = !ret;
	if (ret == -EBUSY) {
		pr_err("the function tracer is off: sysctl kernel.ftrace_enabled=1 switches it on\n");
		return -EOPNOTSUPP;
	}
	if (ret)
		pr_err("can't watch %s: %d\n", w->names[0], ret);
	return ret;
}

static void kmemtrace_end_to_watch(struct kmemtrace_watched *w)
{
	if (w->is_watched)
		kmemtrace_watch_end(&w->watch);
	w->is_watched = false;
}

/* ---- the markers ---- */

/**
 * marker_probe_register - call the probe of a marker from all that stands for it
 * @name: name of the marker
 *
 * The other arguments are not used: the tables above have the probes.
 *
 * Context: task, may sleep.
 * Return: 0 or -errno.
 */
int marker_probe_register(const char *name, const char *format,
			  const char *prototype, void *probe, void *data)
{
	int ret = kmemtrace_register_tracepoints(name);

	for (int i = 0; !ret && i < ARRAY_SIZE(kmemtrace_watched); i++) {
		struct kmemtrace_watched *w = &kmemtrace_watched[i];

		if (w->is_there && !strcmp(w->marker, name))
			ret = kmemtrace_begin_to_watch(w);
	}
	return ret;
}

/**
 * marker_probe_remove - undo marker_probe_register()
 * @name: name of the marker
 *
 * Context: task, may sleep.
 * Return: 0.
 */
int marker_probe_remove(const char *name, void *probe, void *data)
{
	kmemtrace_unregister_tracepoints(name);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_watched); i++)
		if (!strcmp(kmemtrace_watched[i].marker, name))
			kmemtrace_end_to_watch(&kmemtrace_watched[i]);
	return 0;
}

/**
 * marker_synchronize_unregister - wait for all probes that run
 *
 * Context: task, may sleep.
 */
void marker_synchronize_unregister(void)
{
	tracepoint_synchronize_unregister();
	synchronize_rcu();
}

/* ---- what main.c needs ---- */

/**
 * kmemtrace_find_sites - find the tracepoints and the functions
 *
 * Context: task, may sleep; after kmemtrace_find_symbols().
 * Return: 0 or -errno, after a message.
 */
int kmemtrace_find_sites(void)
{
	int ret = kmemtrace_find_tracepoints();

	if (ret)
		return ret;
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_kmallocs); i++)
		kmemtrace_find_function(&kmemtrace_kmallocs[i],
					kmemtrace_kmalloc_names[i]);
	kmemtrace_find_function(&kmemtrace_kvmalloc, "__kvmalloc_node_noprof");
	if (!kmemtrace_kvmalloc.start)
		kmemtrace_find_function(&kmemtrace_kvmalloc, "kvmalloc_node");
	kmemtrace_find_watched();
	return 0;
}

/**
 * kmemtrace_show_unseen - print what the module can't see, by the words of the metadata
 * @m: where to
 */
void kmemtrace_show_unseen(struct seq_file *m)
{
	const char *last = "";

	seq_puts(m, " boot percpu_bytes");
	/* Without batches, kvfree_rcu_cb() frees each object, and has no tracepoint. */
	if (!IS_ENABLED(CONFIG_KVFREE_RCU_BATCHED) &&
	    kmemtrace_lookup_name("kvfree_rcu_cb"))
		seq_puts(m, " frees_of_slab");
	/* Rows with the same word are neighbours. */
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_watched); i++) {
		const struct kmemtrace_watched *w = &kmemtrace_watched[i];

		if (w->is_there || !w->unseen || !strcmp(w->unseen, last))
			continue;
		seq_printf(m, " %s", w->unseen);
		last = w->unseen;
	}
}

/**
 * kmemtrace_missed - return how many calls were not recorded since tracing began
 */
unsigned long kmemtrace_missed(void)
{
	unsigned long missed = 0;

	for (int i = 0; i < ARRAY_SIZE(kmemtrace_watched); i++)
		missed += atomic_long_read(&kmemtrace_watched[i].watch.missed);
	return missed;
}

/**
 * kmemtrace_forget_sites - free what kmemtrace_find_sites() has allocated
 *
 * Context: task, may sleep; nothing is watched.
 */
void kmemtrace_forget_sites(void)
{
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_watched); i++)
		kmemtrace_watch_free(&kmemtrace_watched[i].watch);
}
