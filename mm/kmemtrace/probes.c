// SPDX-License-Identifier: GPL-2.0
/*
 * The probes: each makes records of what the marker of an allocator passes on.
 *
 * Context: any, NMI included, preemption off; no locks, no allocation.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/marker.h>
#include <linux/memcontrol.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/overflow.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>
#include "../live.h"
#include "../slab.h"
#include "address.h"
#include "cache.h"
#include "callsite.h"
#include "cgroups.h"
#include "probes.h"
#include "record.h"
#include "refs.h"
#include "who.h"

/*
 * The markers that are called most have two probes with one body. The fast one records
 * with cycles, room, and outside NMIs. It leaves all other events to the slow one, to
 * which it jumps: both have the same arguments.
 *
 * The body returns false if @fast is set and the event is left to the slow probe. A probe
 * that a marker calls replaces the call site if it is in a wrapper.
 */
#define DEFINE_FAST_PROBE(_name, _params, _args)			\
	VISIBLE_IF_KUNIT marker_probe_##_name probe_##_name##_fast;	\
	static __always_inline bool record_##_name(const bool fast, _params); \
	static noinline __noclone void					\
	probe_##_name(void *data, _params)				\
	{								\
		call_site = kmemtrace_caller(call_site);		\
		record_##_name(false, _args);				\
	}								\
	VISIBLE_IF_KUNIT void probe_##_name##_fast(void *data, _params)	\
	{								\
		if (likely(kmemtrace_is_caller(call_site)) &&		\
		    likely(record_##_name(true, _args)))		\
			return;						\
		call_site = kmemtrace_caller(call_site);		\
		probe_##_name(NULL, _args);				\
	}								\
	static __always_inline bool record_##_name(const bool fast, _params)

/*
 * The same for markers of pages, which don't pass on their caller: the probe that the
 * marker calls searches for it, once for each event.
 */
#define DEFINE_FAST_PAGE_PROBE(_name, _params, _args)			\
	static __always_inline bool					\
	record_##_name(const bool fast, unsigned long call_site, _params); \
	static noinline __noclone void					\
	record_##_name##_slow(unsigned long call_site, _params)		\
	{								\
		record_##_name(false, call_site, _args);		\
	}								\
	static void probe_##_name(void *data, _params)			\
	{								\
		record_##_name(false, kmemtrace_callsite(), _args);	\
	}								\
	static void probe_##_name##_fast(void *data, _params)		\
	{								\
		/* First: little has to be kept over the call. */	\
		unsigned long call_site = kmemtrace_callsite();		\
									\
		if (!record_##_name(true, call_site, _args))		\
			record_##_name##_slow(call_site, _args);	\
	}								\
	static __always_inline bool					\
	record_##_name(const bool fast, unsigned long call_site, _params)

/*
 * The probe of such a marker if the trace is a sample. It leaves objects that are not in the
 * sample at once.
 */
#define DEFINE_SAMPLED_PROBE(_name, _is_fast, _skips, _params, _args)	\
	static void probe_##_name##_sampled(void *data, _params)	\
	{								\
		if (_skips)						\
			return;						\
		if (_is_fast)						\
			probe_##_name##_fast(data, _args);		\
		else							\
			probe_##_name(data, _args);			\
	}

/* Timestamps may be cycles. Written while no probe is registered. */
static bool kmemtrace_fast_probes;

/* The same for allocations: fast probes don't record who caused one. */
static bool kmemtrace_fast_allocs;

/* The trace has one of so many slab objects. Written while no probe is registered. */
static unsigned int kmemtrace_one_of = 1;

/* ---- events of all allocators ---- */

/*
 * Return whether kmemtrace_is_own() may be true: nothing but the begin of the name is compared,
 * which takes four instructions.
 */
static __always_inline bool kmemtrace_may_be_own(void)
{
	return unlikely(!memcmp(current->comm, "kmemtrac", sizeof(u64)));
}

/* Return whether an allocation or a failure is recorded with who caused it. */
static __always_inline bool kmemtrace_records_who(void)
{
	return kmemtrace_with & KMEMTRACE_WITH_WHO ||
	       (kmemtrace_may_be_own() && kmemtrace_is_own());
}

static __always_inline struct kmemtrace_head
kmemtrace_head(u8 event_id, u8 type_id, size_t size, int node)
{
	return (struct kmemtrace_head) { event_id, type_id, size, node };
}

/* Record an allocation or a failure, and who caused it. */
static noinline void
kmemtrace_record_who(struct kmemtrace_head head, unsigned long call_site,
		     u64 ptr, u64 bytes_req, u64 bytes_alloc, gfp_t gfp,
		     struct kmem_cache *cache)
{
	struct kmemtrace_slot slot;
	u64 who;

	/* A tracepoint may call with preemption on: the task stays in the stream of this CPU. */
	preempt_disable_notrace();
	who = kmemtrace_who(call_site, __builtin_frame_address(0));
	head.size = sizeof(struct kmemtrace_who_event);
	kmemtrace_begin(false, sizeof(struct kmemtrace_who_event), &slot);
	if (likely(slot.event)) {
		kmemtrace_fill(&slot, head, call_site, ptr, bytes_req,
			       bytes_alloc, gfp, cache);
		((struct kmemtrace_who_event *)slot.event)->who = who;
	}
	kmemtrace_end(&slot);
	preempt_enable_notrace();
}

/* Record an event of 56 bytes. Return false if @fast and it can't be recorded fast. */
static __always_inline bool
kmemtrace_record(const bool fast, u8 event_id, u8 type_id, int node,
		 unsigned long call_site, u64 ptr, u64 bytes_req,
		 u64 bytes_alloc, gfp_t gfp)
{
	const struct kmemtrace_head head =
		kmemtrace_head(event_id, type_id,
			       sizeof(struct kmemtrace_event), node);
	struct kmemtrace_slot slot;

	if (fast && event_id != KMEMTRACE_EVENT_FREE && kmemtrace_may_be_own())
		return false;
	if (!fast && event_id != KMEMTRACE_EVENT_FREE &&
	    kmemtrace_records_who()) {
		kmemtrace_record_who(head, call_site, ptr, bytes_req,
				     bytes_alloc, gfp, NULL);
		return true;
	}
	if (unlikely(!kmemtrace_begin(fast, sizeof(struct kmemtrace_event),
				      &slot)))
		return false;
	if (fast || likely(slot.event))
		kmemtrace_fill(&slot, head, call_site, ptr, bytes_req,
			       bytes_alloc, gfp, NULL);
	kmemtrace_end(&slot);
	return true;
}

static __always_inline void
kmemtrace_alloc(u8 type_id, int node, unsigned long call_site, u64 ptr,
		size_t bytes_req, size_t bytes_alloc, gfp_t gfp)
{
	kmemtrace_record(false, KMEMTRACE_EVENT_ALLOC, type_id, node, call_site,
			 ptr, bytes_req, bytes_alloc, gfp);
}

static __always_inline bool
kmemtrace_free(const bool fast, u8 type_id, unsigned long call_site, u64 ptr,
	       size_t bytes)
{
	return kmemtrace_record(fast, KMEMTRACE_EVENT_FREE, type_id,
				NUMA_NO_NODE, call_site, ptr, 0, bytes, 0);
}

/* Failures of allocations that the kernel warns of, since tracing began. */
static atomic_long_t kmemtrace_nr_failures;

static noinline void
kmemtrace_failed(u8 type_id, int node, unsigned long call_site,
		 u64 bytes_req, gfp_t gfp)
{
	if (!(gfp & __GFP_NOWARN))
		atomic_long_inc(&kmemtrace_nr_failures);
	kmemtrace_record(false, KMEMTRACE_EVENT_FAILED, type_id, node,
			 call_site, 0, bytes_req, 0, gfp);
}

/* ---- the slab ---- */

static u64 kmemtrace_slab_ptr(const void *ptr)
{
	return (unsigned long)kasan_reset_tag(ptr);
}

static bool kmemtrace_is_in_sample(const void *ptr)
{
	/* Bulk probes are the same without a sample: spare them the hash. */
	return kmemtrace_one_of == 1 ||
	       kmemtrace_in_sample(kmemtrace_slab_ptr(ptr), kmemtrace_one_of);
}

/* Return true if the sample leaves out this allocation. It has what takes a page or more. */
static bool kmemtrace_skips_alloc(const void *ptr,
				  const struct kmem_cache *cache)
{
	return ptr && !kmemtrace_is_in_sample(ptr) && cache &&
	       cache->size < PAGE_SIZE;
}

/* The same for a free or a charge, which has to find the size of its object. */
static bool kmemtrace_skips_free(const void *ptr)
{
#ifndef CONFIG_SLOB
	const struct slab *slab;

	if (ZERO_OR_NULL_PTR(ptr) || kmemtrace_is_in_sample(ptr))
		return false;
	slab = virt_to_slab(kasan_reset_tag(ptr));
	return slab && slab->slab_cache->size < PAGE_SIZE;
#else
	return false;
#endif
}

/*
 * @bytes_req is that of kmalloc(); an object of a cache has the size of its cache. Without @slot,
 * the record has who caused the allocation as well.
 */
static __always_inline void
kmemtrace_fill_slab(const struct kmemtrace_slot *slot, u8 type_id,
		    unsigned long call_site, const void *ptr, size_t bytes_req,
		    gfp_t gfp, int node, struct kmem_cache *cache)
{
	const struct kmemtrace_head head =
		kmemtrace_head(KMEMTRACE_EVENT_ALLOC, type_id,
			       sizeof(struct kmemtrace_slab_event), node);
	u64 requested = type_id == KMEMTRACE_TYPE_CACHE ? cache->object_size :
							  bytes_req;
	u64 allocated = likely(cache) ? cache->size :
					kmalloc_uncached_bytes(bytes_req);

	if (slot)
		kmemtrace_fill(slot, head, call_site, kmemtrace_slab_ptr(ptr),
			       requested, allocated, gfp, cache);
	else
		kmemtrace_record_who(head, call_site, kmemtrace_slab_ptr(ptr),
				     requested, allocated, gfp, cache);
}

static __always_inline bool
kmemtrace_slab_alloc(const bool fast, u8 type_id, unsigned long call_site,
		     const void *ptr, size_t bytes_req, gfp_t gfp, int node,
		     struct kmem_cache *cache)
{
	struct kmemtrace_slot slot;

	/* Failures, what is too large for a cache, and our own allocations are rare. */
	if (fast && (unlikely(!ptr) || unlikely(!cache) ||
		     kmemtrace_may_be_own()))
		return false;
	if (unlikely(!ptr)) {
		kmemtrace_failed(type_id, node, call_site, bytes_req, gfp);
		return true;
	}
	if (!fast && kmemtrace_records_who()) {
		kmemtrace_fill_slab(NULL, type_id, call_site, ptr, bytes_req,
				    gfp, node, cache);
		return true;
	}
	if (unlikely(!kmemtrace_begin(fast, sizeof(struct kmemtrace_slab_event),
				      &slot)))
		return false;
	if (fast || likely(slot.event))
		kmemtrace_fill_slab(&slot, type_id, call_site, ptr, bytes_req,
				    gfp, node, cache);
	kmemtrace_end(&slot);
	return true;
}

static __always_inline bool
kmemtrace_slab_free(const bool fast, u8 type_id, unsigned long call_site,
		    const void *ptr)
{
	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return true;
	return kmemtrace_free(fast, type_id, call_site, kmemtrace_slab_ptr(ptr),
			      0);
}

DEFINE_FAST_PROBE(kmalloc,
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      size_t bytes_req, struct kmem_cache *cache, gfp_t gfp,
		      int node),
	MARKER_ARGS(call_site, ptr, bytes_req, cache, gfp, node))
{
	return kmemtrace_slab_alloc(fast, KMEMTRACE_TYPE_KMALLOC, call_site,
				    ptr, bytes_req, gfp, node, cache);
}

DEFINE_SAMPLED_PROBE(kmalloc, kmemtrace_fast_allocs,
	kmemtrace_skips_alloc(ptr, cache),
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      size_t bytes_req, struct kmem_cache *cache, gfp_t gfp,
		      int node),
	MARKER_ARGS(call_site, ptr, bytes_req, cache, gfp, node))

DEFINE_FAST_PROBE(kfree,
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr))
{
	return kmemtrace_slab_free(fast, KMEMTRACE_TYPE_KMALLOC, call_site,
				   ptr);
}

DEFINE_SAMPLED_PROBE(kfree, kmemtrace_fast_probes,
	kmemtrace_skips_free(ptr),
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr))

DEFINE_FAST_PROBE(kmem_cache_alloc,
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      struct kmem_cache *cache, gfp_t gfp, int node),
	MARKER_ARGS(call_site, ptr, cache, gfp, node))
{
	return kmemtrace_slab_alloc(fast, KMEMTRACE_TYPE_CACHE, call_site, ptr,
				    cache->object_size, gfp, node, cache);
}

DEFINE_SAMPLED_PROBE(kmem_cache_alloc, kmemtrace_fast_allocs,
	kmemtrace_skips_alloc(ptr, cache),
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      struct kmem_cache *cache, gfp_t gfp, int node),
	MARKER_ARGS(call_site, ptr, cache, gfp, node))

DEFINE_FAST_PROBE(kmem_cache_free,
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr))
{
	return kmemtrace_slab_free(fast, KMEMTRACE_TYPE_CACHE, call_site, ptr);
}

DEFINE_SAMPLED_PROBE(kmem_cache_free, kmemtrace_fast_probes,
	kmemtrace_skips_free(ptr),
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr))

static void probe_kmem_cache_alloc_bulk(void *data, unsigned long call_site,
					struct kmem_cache *cache, gfp_t gfp,
					size_t count, void **ptrs)
{
	call_site = kmemtrace_caller(call_site);
	if (unlikely(!ptrs)) {
		kmemtrace_failed(KMEMTRACE_TYPE_CACHE, NUMA_NO_NODE, call_site,
				 count * cache->object_size, gfp);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (!kmemtrace_skips_alloc(ptrs[i], cache))
			kmemtrace_slab_alloc(false, KMEMTRACE_TYPE_CACHE,
					     call_site, ptrs[i],
					     cache->object_size, gfp,
					     NUMA_NO_NODE, cache);
}

static void probe_kmem_cache_free_bulk(void *data, unsigned long call_site,
				       struct kmem_cache *cache, size_t count,
				       void **ptrs)
{
	u8 type_id = cache ? KMEMTRACE_TYPE_CACHE : KMEMTRACE_TYPE_KMALLOC;

	call_site = kmemtrace_caller(call_site);
	for (size_t i = 0; i < count; i++)
		if (!kmemtrace_skips_free(ptrs[i]))
			kmemtrace_slab_free(false, type_id, call_site, ptrs[i]);
}

static void probe_kmem_cache_create(void *data, unsigned long call_site,
				    struct kmem_cache *cache, const char *name)
{
	kmemtrace_emit_cache(KMEMTRACE_CACHE_CREATED, call_site, cache, name);
}

static void probe_kmem_cache_destroy(void *data, unsigned long call_site,
				     struct kmem_cache *cache)
{
	kmemtrace_emit_cache(KMEMTRACE_CACHE_DESTROYED, call_site, cache,
			     cache->name);
}

/* ---- pages ---- */

DEFINE_FAST_PAGE_PROBE(page_alloc,
	MARKER_PARAMS(struct page *page, unsigned int order, gfp_t gfp),
	MARKER_ARGS(page, order, gfp))
{
	return kmemtrace_record(fast, KMEMTRACE_EVENT_ALLOC,
				KMEMTRACE_TYPE_PAGES, NUMA_NO_NODE, call_site,
				kmemtrace_page_ptr(page), PAGE_SIZE << order,
				PAGE_SIZE << order, gfp);
}

static void probe_page_alloc_failed(void *data, unsigned long nr,
				    unsigned int order, gfp_t gfp)
{
	u64 bytes;

	/* The size may be any that a caller made up, beyond all orders. */
	if (order >= 64 - PAGE_SHIFT ||
	    check_mul_overflow((u64)PAGE_SIZE << order, (u64)nr, &bytes))
		bytes = U64_MAX;
	kmemtrace_failed(KMEMTRACE_TYPE_PAGES, NUMA_NO_NODE,
			 kmemtrace_callsite(), bytes, gfp);
}

DEFINE_FAST_PAGE_PROBE(page_free,
	MARKER_PARAMS(struct page *page, unsigned int order),
	MARKER_ARGS(page, order))
{
	return kmemtrace_free(fast, KMEMTRACE_TYPE_PAGES, call_site,
			      kmemtrace_page_ptr(page), PAGE_SIZE << order);
}

/* Record that @nr pages, no more than a record can have, were moved. */
static void kmemtrace_move(struct page *page, struct page *old,
			   unsigned long nr)
{
	struct kmemtrace_move record = {
		.event_id = KMEMTRACE_EVENT_MOVE,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.event_size = sizeof(record),
		.node = NUMA_NO_NODE,
		.ptr = kmemtrace_page_ptr(page),
		.old = kmemtrace_page_ptr(old),
		.bytes = (u64)nr << PAGE_SHIFT,
	};

	kmemtrace_write(&record, sizeof(record));
}

static void probe_page_move(void *data, struct page *page, struct page *old,
			    unsigned long nr)
{
	const unsigned long max = KMEMTRACE_MOVE_MAX_PAGES;

	for (unsigned long i = 0; i < nr; i += max)
		kmemtrace_move(pfn_to_page(page_to_pfn(page) + i),
			       pfn_to_page(page_to_pfn(old) + i),
			       min(nr - i, max));
}

/* ---- per-CPU memory ---- */

static void probe_percpu_alloc(void *data, unsigned long call_site,
			       unsigned long ptr, size_t bytes_req,
			       size_t bytes_alloc, gfp_t gfp)
{
	unsigned int cpus = num_possible_cpus();

	/* A request for 0 bytes fails without a record, as that of vmalloc() does. */
	if (likely(ptr))
		kmemtrace_alloc(KMEMTRACE_TYPE_PERCPU, NUMA_NO_NODE, call_site,
				ptr, bytes_req * cpus, bytes_alloc * cpus, gfp);
	else if (bytes_req)
		kmemtrace_failed(KMEMTRACE_TYPE_PERCPU, NUMA_NO_NODE, call_site,
				 size_mul(bytes_req, cpus), gfp);
}

static void probe_percpu_free(void *data, unsigned long call_site,
			      unsigned long ptr, size_t bytes_alloc)
{
	kmemtrace_free(false, KMEMTRACE_TYPE_PERCPU, call_site, ptr,
		       bytes_alloc * num_possible_cpus());
}

/* ---- vmalloc ---- */

static void probe_vmalloc(void *data, const void *call_site,
			  const struct vm_struct *area, size_t bytes_req,
			  gfp_t gfp, int node)
{
	if (unlikely(!area))
		kmemtrace_failed(KMEMTRACE_TYPE_VMALLOC, node,
				 (unsigned long)call_site, bytes_req, gfp);
	else if (kmemtrace_is_vmalloc(area))
		kmemtrace_alloc(KMEMTRACE_TYPE_VMALLOC, node,
				(unsigned long)call_site,
				kmemtrace_vmalloc_ptr(area), bytes_req,
				kmemtrace_vmalloc_bytes(area), gfp);
}

static void probe_vm_area_free(void *data, const struct vm_struct *area)
{
	if (kmemtrace_is_vmalloc(area))
		kmemtrace_free(false, KMEMTRACE_TYPE_VMALLOC,
			       kmemtrace_callsite(),
			       kmemtrace_vmalloc_ptr(area), 0);
}

/* ---- memory cgroups ---- */

#ifdef CONFIG_KMEMTRACE_CGROUPS
static void probe_page_charge(void *data, struct page *page, unsigned long nr)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = folio_memcg(page_folio(page));
	if (memcg)
		kmemtrace_emit_charge(KMEMTRACE_TYPE_PAGES, memcg,
				      kmemtrace_page_ptr(page),
				      (u64)nr << PAGE_SHIFT);
	rcu_read_unlock();
}

static void kmemtrace_charge_object(u8 type_id, u64 ptr,
				    struct obj_cgroup *objcg)
{
	rcu_read_lock();
	kmemtrace_emit_charge(type_id, obj_cgroup_memcg(objcg), ptr, 0);
	rcu_read_unlock();
}

static void probe_slab_charge(void *data, const void *ptr,
			      struct obj_cgroup *objcg)
{
	if (!kmemtrace_skips_free(ptr))
		kmemtrace_charge_object(KMEMTRACE_TYPE_CACHE,
					kmemtrace_slab_ptr(ptr), objcg);
}

static void probe_percpu_charge(void *data, unsigned long ptr,
				struct obj_cgroup *objcg)
{
	kmemtrace_charge_object(KMEMTRACE_TYPE_PERCPU, ptr, objcg);
}

static void probe_memcg_change(void *data, struct mem_cgroup *memcg, int op)
{
	kmemtrace_emit_cgroup(op, memcg);
}

#define KMEMTRACE_CGROUP_HOOKS(_do)					\
	_do(page_charge, probe_page_charge, NULL)			\
	_do(slab_charge, probe_slab_charge, NULL)			\
	_do(percpu_charge, probe_percpu_charge, NULL)			\
	_do(memcg_change, probe_memcg_change, NULL)
#else
#define KMEMTRACE_CGROUP_HOOKS(_do)
#endif

/* ---- all of them ---- */

/* Each marker; its probe while timestamps are cycles; and that of a sample, if it differs. */
#define KMEMTRACE_ALLOC_HOOKS(_do)					\
	_do(kmalloc, probe_kmalloc_fast, probe_kmalloc_sampled)		\
	_do(kmem_cache_alloc, probe_kmem_cache_alloc_fast,		\
	    probe_kmem_cache_alloc_sampled)				\
	_do(page_alloc, probe_page_alloc_fast, NULL)

#define KMEMTRACE_OTHER_HOOKS(_do)					\
	_do(kfree, probe_kfree_fast, probe_kfree_sampled)		\
	_do(kmem_cache_free, probe_kmem_cache_free_fast,		\
	    probe_kmem_cache_free_sampled)				\
	_do(kmem_cache_alloc_bulk, probe_kmem_cache_alloc_bulk, NULL)	\
	_do(kmem_cache_free_bulk, probe_kmem_cache_free_bulk, NULL)	\
	_do(kmem_cache_create, probe_kmem_cache_create, NULL)		\
	_do(kmem_cache_destroy, probe_kmem_cache_destroy, NULL)		\
	_do(page_alloc_failed, probe_page_alloc_failed, NULL)		\
	_do(page_free, probe_page_free_fast, NULL)			\
	_do(page_move, probe_page_move, NULL)				\
	_do(percpu_alloc, probe_percpu_alloc, NULL)			\
	_do(percpu_free, probe_percpu_free, NULL)			\
	_do(vmalloc, probe_vmalloc, NULL)				\
	_do(vm_area_free, probe_vm_area_free, NULL)

#define KMEMTRACE_MARKER(_name, _fast, _sampled)	DEFINE_MARKER(_name);

KMEMTRACE_ALLOC_HOOKS(KMEMTRACE_MARKER)
KMEMTRACE_OTHER_HOOKS(KMEMTRACE_MARKER)
KMEMTRACE_CGROUP_HOOKS(KMEMTRACE_MARKER)

/**
 * struct kmemtrace_hook - a marker and its probes
 * @name: its name
 * @format: its format
 * @prototype: its parameters
 * @probes: the probe for any clock, the probe for cycles
 * @is_fast: whether the latter may be used
 * @sampled: the probe of a sample for either; NULL if it is the same
 */
struct kmemtrace_hook {
	const char	*name;
	const char	*format;
	const char	*prototype;
	void		*probes[2];
	const bool	*is_fast;
	void		*sampled;
};

#define KMEMTRACE_COUNT(_name, _fast, _sampled)	+ 1

/* The conditionals let the compiler check the types of the probes. */
#define KMEMTRACE_PROBE(_name, _probe)					\
	(true ? _probe : (marker_probe_##_name *)NULL)

#define KMEMTRACE_ANY_HOOK(_name, _fast, _is_fast, _sampled) {		\
		.name		= #_name,				\
		.format		= __marker_format_##_name,		\
		.prototype	= __marker_prototype_##_name,		\
		.probes		= {					\
			KMEMTRACE_PROBE(_name, probe_##_name),		\
			KMEMTRACE_PROBE(_name, _fast),			\
		},							\
		.is_fast	= &(_is_fast),				\
		.sampled	= KMEMTRACE_PROBE(_name, _sampled),	\
	},

#define KMEMTRACE_ALLOC_HOOK(_name, _fast, _sampled)			\
	KMEMTRACE_ANY_HOOK(_name, _fast, kmemtrace_fast_allocs, _sampled)

#define KMEMTRACE_HOOK(_name, _fast, _sampled)				\
	KMEMTRACE_ANY_HOOK(_name, _fast, kmemtrace_fast_probes, _sampled)

static const struct kmemtrace_hook kmemtrace_hooks[] = {
	KMEMTRACE_ALLOC_HOOKS(KMEMTRACE_ALLOC_HOOK)
	KMEMTRACE_OTHER_HOOKS(KMEMTRACE_HOOK)
	KMEMTRACE_CGROUP_HOOKS(KMEMTRACE_HOOK)
};

/* Return how many markers have a probe. Those of cgroups are the last ones. */
static unsigned int kmemtrace_nr_hooks(void)
{
	const unsigned int nr_cgroup = 0 KMEMTRACE_CGROUP_HOOKS(KMEMTRACE_COUNT);

	return ARRAY_SIZE(kmemtrace_hooks) -
	       (kmemtrace_with & KMEMTRACE_WITH_CGROUP ? 0 : nr_cgroup);
}

static void *kmemtrace_probe_of(const struct kmemtrace_hook *hook)
{
	if (kmemtrace_one_of > 1 && hook->sampled)
		return hook->sampled;
	return hook->probes[*hook->is_fast];
}

/**
 * kmemtrace_failures - return how many allocations have failed since tracing began
 *
 * Return: their number, without those that may fail: with __GFP_NOWARN.
 */
unsigned long kmemtrace_failures(void)
{
	return atomic_long_read(&kmemtrace_nr_failures);
}

static void kmemtrace_remove_hooks(void)
{
	for (int i = 0; i < kmemtrace_nr_hooks(); i++) {
		const struct kmemtrace_hook *hook = &kmemtrace_hooks[i];

		marker_probe_remove(hook->name, kmemtrace_probe_of(hook), NULL);
	}
	marker_synchronize_unregister();
}

/**
 * kmemtrace_unregister_probes - take the probes from the markers
 *
 * Context: task, may sleep. No probe runs any more when this returns.
 */
void kmemtrace_unregister_probes(void)
{
	kmemtrace_unregister_refs();
	kmemtrace_remove_hooks();
}

/**
 * kmemtrace_register_probes - give each marker its probe
 * @fast: timestamps may be cycles
 * @one_of: record one of so many slab objects, see kmemtrace_in_sample()
 *
 * Context: task, or the boot CPU.
 * Return: 0 or -errno; no marker has a probe then.
 */
int kmemtrace_register_probes(bool fast, unsigned int one_of)
{
	int ret = 0;

	kmemtrace_fast_probes = fast;
	kmemtrace_fast_allocs = fast && !(kmemtrace_with & KMEMTRACE_WITH_WHO);
	kmemtrace_one_of = one_of;
	atomic_long_set(&kmemtrace_nr_failures, 0);
	for (int i = 0; !ret && i < kmemtrace_nr_hooks(); i++) {
		const struct kmemtrace_hook *hook = &kmemtrace_hooks[i];

		ret = marker_probe_register(hook->name, hook->format,
					    hook->prototype,
					    kmemtrace_probe_of(hook), NULL);
	}
	if (!ret)
		ret = kmemtrace_register_refs();
	if (ret)
		kmemtrace_remove_hooks();
	return ret;
}
