// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace - record every hand-out and take-back of kernel memory.
 *
 * Probes on the allocators' markers fill one fixed-size record an event, in
 * place, in the buffer of the CPU they run on. Tracing can begin as soon as
 * the allocators are up and goes on until it is switched off; debugfs files
 * follow when debugfs exists. See Documentation/trace/kmemtrace.rst.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/build_bug.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/kstrtox.h>
#include <linux/marker_channel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <uapi/linux/kmemtrace.h>
#include "kmemtrace.h"
#include "slab.h"
#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#define KMEMTRACE_TSC
#include <asm/tsc.h>
#elif defined(CONFIG_UML_X86) && defined(CONFIG_64BIT)
#define KMEMTRACE_HOST_TSC
#include <linux/time-internal.h>
#include <asm/msr.h>
#elif defined(CONFIG_ARM64)
#include <clocksource/arm_arch_timer.h>
#endif

/* The interface, to the byte. */
static_assert(sizeof(struct kmemtrace_event) == 56);
static_assert(offsetof(struct kmemtrace_event, event_id) == 0);
static_assert(offsetof(struct kmemtrace_event, type_id) == 1);
static_assert(offsetof(struct kmemtrace_event, event_size) == 2);
static_assert(offsetof(struct kmemtrace_event, node) == 4);
static_assert(offsetof(struct kmemtrace_event, call_site) == 8);
static_assert(offsetof(struct kmemtrace_event, ptr) == 16);
static_assert(offsetof(struct kmemtrace_event, bytes_req) == 24);
static_assert(offsetof(struct kmemtrace_event, bytes_alloc) == 32);
static_assert(offsetof(struct kmemtrace_event, gfp_flags) == 40);
static_assert(offsetof(struct kmemtrace_event, timestamp) == 48);
static_assert(sizeof(struct kmemtrace_slab_event) == 64);
static_assert(sizeof(struct kmemtrace_pad) == 8);
static_assert(sizeof(struct kmemtrace_phase) == 56);
static_assert(offsetof(struct kmemtrace_phase, timestamp) == 48);

/* Whole pages of any size, and the bytes of 8192 events. */
#define KMEMTRACE_SUBBUF_SIZE	(448 * SZ_1K)
/* Some records are long; relay and readers have one in one piece. */
#define KMEMTRACE_MIN_SUBBUF	PAGE_ALIGN((unsigned long)SZ_16K)
#define KMEMTRACE_MAX_SUBBUF	((unsigned long)SZ_16M)

#define KMEMTRACE_MAX_PAD	4096

DEFINE_MARKER(kmalloc);
DEFINE_MARKER(kfree);
DEFINE_MARKER(kmem_cache_alloc);
DEFINE_MARKER(kmem_cache_free);
DEFINE_MARKER(kmem_cache_alloc_bulk);
DEFINE_MARKER(kmem_cache_free_bulk);
DEFINE_MARKER(kmem_cache_create);
DEFINE_MARKER(kmem_cache_destroy);
DEFINE_MARKER(page_alloc);
DEFINE_MARKER(page_alloc_failed);
DEFINE_MARKER(page_free);
DEFINE_MARKER(percpu_alloc);
DEFINE_MARKER(percpu_free);
DEFINE_MARKER(vmalloc);
DEFINE_MARKER(vm_area_free);

static const struct marker_channel_ops kmemtrace_channel_ops;
DEFINE_MARKER_CHANNEL(kmemtrace_channel, &kmemtrace_channel_ops);

/* Held over switching on and off. */
static DEFINE_MUTEX(kmemtrace_mutex);
static bool kmemtrace_enabled;

/* ---- the clock: any context ---- */

/*
 * Timestamps are cycles where one counter at one rate serves all CPUs: that costs
 * half of local_clock(), which has to make nanoseconds of them. A reader can do that.
 *
 * Each sub-buffer has one clock, that of its first record. What the kernel learns
 * about its counter in the meantime counts from the next one on.
 */
static bool kmemtrace_cycles __read_mostly;

/* The machine is about to sleep: set and looked at with kmemtrace_mutex held. */
static bool kmemtrace_sleeps;

enum kmemtrace_clock_param { CLOCK_AUTO, CLOCK_CYCLES, CLOCK_LOCAL };

static enum kmemtrace_clock_param kmemtrace_clock_param __ro_after_init;

#ifdef KMEMTRACE_HOST_TSC
static u64 kmemtrace_host_frequency __ro_after_init;
#endif

/* get_cycles() of UML is 0, but nothing keeps it from reading its host's counter. */
static __always_inline u64 kmemtrace_counter(void)
{
#ifdef KMEMTRACE_HOST_TSC
	return rdtsc();
#else
	return get_cycles();
#endif
}

/* Cycles a second, 0 as long as nobody knows. */
static u64 kmemtrace_frequency(void)
{
#if defined(KMEMTRACE_TSC)
	return tsc_khz * 1000ULL;
#elif defined(KMEMTRACE_HOST_TSC)
	return kmemtrace_host_frequency;
#elif defined(CONFIG_ARM64)
	return arch_timer_get_rate();
#else
	return 0;
#endif
}

/* Has the kernel found out that CPUs differ? */
static bool kmemtrace_cycles_broken(void)
{
#if defined(KMEMTRACE_TSC)
	return check_tsc_unstable();
#elif defined(KMEMTRACE_HOST_TSC)
	/* CLOCK_MONOTONIC has nothing to do with the host's time. */
	return time_travel_mode != TT_MODE_OFF;
#else
	return false;
#endif
}

/* Is there one counter for all CPUs, whatever they do, as far as is known by now? */
static bool kmemtrace_cycles_valid(void)
{
#if defined(KMEMTRACE_TSC)
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
#else
	/*
	 * Before the rate of its timer, arm64 doesn't know whether that is sound. UML
	 * never knows: its host doesn't tell when it finds out that CPUs differ.
	 */
	return IS_ENABLED(CONFIG_ARM64) && kmemtrace_frequency();
#endif
}

/* Of whole cycles, which never come back to where they were, and tick. */
static bool kmemtrace_cycles_possible(void)
{
	return sizeof(cycles_t) == sizeof(u64) && kmemtrace_counter() &&
	       !kmemtrace_cycles_broken();
}

/* Nobody records now. */
static void kmemtrace_choose_clock(void)
{
	bool cycles = kmemtrace_cycles_possible() && !kmemtrace_sleeps &&
		      (kmemtrace_clock_param == CLOCK_CYCLES ||
		       (kmemtrace_clock_param == CLOCK_AUTO &&
			kmemtrace_cycles_valid()));

	if (kmemtrace_clock_param == CLOCK_CYCLES && !cycles)
		pr_warn("kmemtrace.clock=cycles: there is no counter for all CPUs, using local_clock\n");
	WRITE_ONCE(kmemtrace_cycles, cycles);
}

static bool kmemtrace_counts_cycles(void)
{
	return READ_ONCE(kmemtrace_cycles) && !kmemtrace_cycles_broken();
}

/*
 * Events of two CPUs may be stamped in the wrong order by as much as their
 * clocks are apart: a little where they are synchronous, a tick where the clock
 * of each CPU is only kept within one of a common one.
 */
static u64 kmemtrace_uncertainty(bool cycles)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	if (!cycles && !sched_clock_stable())
		return TICK_NSEC;
#endif
	return NSEC_PER_USEC;
}

static u64 kmemtrace_time(bool cycles)
{
	return cycles ? kmemtrace_counter() : local_clock();
}

/*
 * The time and CLOCK_MONOTONIC at one moment, and by how much they may miss it: the
 * latter ticks until the kernel has found a clock for timers of high resolution.
 */
static void kmemtrace_read_clocks(struct kmemtrace_clock *clock, bool cycles)
{
	u64 frequency = cycles ? kmemtrace_frequency() : NSEC_PER_SEC;
	u64 before = kmemtrace_time(cycles), after;

	clock->monotonic = ktime_get_mono_fast_ns();
	after = kmemtrace_time(cycles);
	/* Nothing orders the three; a virtual CPU may have moved in between. */
	if ((s64)(after - before) < 0)
		after = before;
	clock->timestamp = before + (after - before) / 2;
	clock->error = hrtimer_resolution;
	if (frequency)
		clock->error += mul_u64_u64_div_u64(after - before,
						    NSEC_PER_SEC, frequency);
	else
		clock->error += TICK_NSEC;
	if (cycles)
		clock->frequency = frequency;
}

#ifdef KMEMTRACE_HOST_TSC
/* Nobody tells UML how fast the counter is: it counts for a while, if that matters. */
static int __init kmemtrace_calibrate(void)
{
	struct kmemtrace_clock first, last;
	u64 ns;

	if (kmemtrace_clock_param != CLOCK_CYCLES ||
	    !kmemtrace_cycles_possible())
		return 0;
	kmemtrace_read_clocks(&first, true);
	mdelay(10);
	kmemtrace_read_clocks(&last, true);
	ns = last.monotonic - first.monotonic;
	if (ns)
		kmemtrace_host_frequency =
			mul_u64_u64_div_u64(last.timestamp - first.timestamp,
					    NSEC_PER_SEC, ns);
	return 0;
}
late_initcall(kmemtrace_calibrate);
#endif

/* ---- what stands around records: any context, no locks, no allocation ---- */

/* Losses that the stream of a CPU tells of already. */
struct kmemtrace_told {
	struct marker_channel_loss	all;
	u64				nested;
};

static DEFINE_PER_CPU(struct kmemtrace_told, kmemtrace_told);

static size_t kmemtrace_put_clock(struct marker_channel_cpu *end,
				  size_t sequence, void *to)
{
	struct kmemtrace_clock *clock = to;

	/* What goes fast takes cycles. */
	end->direct = kmemtrace_counts_cycles();
	*clock = (struct kmemtrace_clock) {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.clock = end->direct ? KMEMTRACE_CLOCK_CYCLES :
				       KMEMTRACE_CLOCK_LOCAL,
		.event_size = sizeof(*clock),
		.cpu = smp_processor_id(),
		.sequence = sequence,
		.uncertainty = kmemtrace_uncertainty(end->direct),
	};
	kmemtrace_read_clocks(clock, end->direct);
	return sizeof(*clock);
}

static size_t kmemtrace_put_lost(struct marker_channel_cpu *end, void *to)
{
	struct kmemtrace_told *told = this_cpu_ptr(&kmemtrace_told);
	struct marker_channel_loss all = end->lost;
	u64 since = end->lost_since, nested, bytes;

	end->lost_since = 0;
	do {
		nested = READ_ONCE(end->lost_nmi.records);
		bytes = READ_ONCE(end->lost_nmi.bytes);
	} while (nested != READ_ONCE(end->lost_nmi.records));
	all.records += nested;
	all.bytes += bytes;

	if (all.records == told->all.records)
		return 0;
	*(struct kmemtrace_lost *)to = (struct kmemtrace_lost) {
		.event_id = KMEMTRACE_EVENT_LOST,
		.event_size = sizeof(struct kmemtrace_lost),
		.cpu = smp_processor_id(),
		.records = all.records - told->all.records,
		.bytes = all.bytes - told->all.bytes,
		.nested = nested - told->nested,
		.since = since,
		.timestamp = kmemtrace_time(end->direct),
	};
	told->all = all;
	told->nested = nested;
	return sizeof(struct kmemtrace_lost);
}

static size_t kmemtrace_begin_subbuf(struct marker_channel_cpu *end,
				     size_t sequence, void *to)
{
	size_t bytes = kmemtrace_put_clock(end, sequence, to);

	return bytes + kmemtrace_put_lost(end, to + bytes);
}

static void kmemtrace_fill_subbuf(void *to, size_t bytes)
{
	while (bytes) {
		size_t part = min(bytes, KMEMTRACE_MAX_PAD);
		struct kmemtrace_pad *pad = to;

		memset(to, 0, part);
		pad->event_id = KMEMTRACE_EVENT_PAD;
		pad->event_size = part;
		to += part;
		bytes -= part;
	}
}

static const struct marker_channel_ops kmemtrace_channel_ops = {
	.begin	= kmemtrace_begin_subbuf,
	.fill	= kmemtrace_fill_subbuf,
	.buffer	= kmemtrace_put_own,
};

/* ---- recording: any context, no locks, no allocation ---- */

/* The time, by the clock of the current sub-buffer. */
static __always_inline u64 kmemtrace_now(void)
{
	return kmemtrace_time(raw_cpu_read(kmemtrace_channel_cpu.fast));
}

/*
 * What the probes were called for, with or without room, but for NMIs, of which all
 * are lost: see cpu_events.
 */
static DEFINE_PER_CPU(u64, kmemtrace_events);

static __always_inline void kmemtrace_count(void)
{
	if (IS_ENABLED(CONFIG_KMEMTRACE_DEBUG) && kmemtrace_channel.running &&
	    !in_nmi())
		raw_cpu_inc(kmemtrace_events);
}

/* What an event is but for the place of it: see struct kmemtrace_event. */
struct kmemtrace_head {
	u8	event_id;
	u8	type_id;
	u16	size;
	s32	node;
};

/* @cache is stored where the size has room for it. */
static __always_inline void
kmemtrace_fill(struct kmemtrace_event *event, struct kmemtrace_head head,
	       unsigned long call_site, u64 ptr, u64 bytes_req,
	       u64 bytes_alloc, gfp_t gfp, struct kmem_cache *cache,
	       u64 timestamp)
{
	event->event_id = head.event_id;
	event->type_id = head.type_id;
	event->event_size = head.size;
	event->node = head.node;
	event->call_site = call_site;
	event->ptr = ptr;
	event->bytes_req = bytes_req;
	event->bytes_alloc = bytes_alloc;
	event->gfp_flags = (__force u32)gfp;
	event->timestamp = timestamp;
	if (head.size == sizeof(struct kmemtrace_slab_event))
		((struct kmemtrace_slab_event *)event)->cache =
			(unsigned long)kasan_reset_tag(cache);
}

/*
 * Interrupts stay off so that the order in the buffer is the order in time; raw,
 * so that nobody who traces that allocates from here.
 */
static __always_inline void
kmemtrace_record(struct kmemtrace_head head, unsigned long call_site, u64 ptr,
		 u64 bytes_req, u64 bytes_alloc, gfp_t gfp,
		 struct kmem_cache *cache)
{
	struct kmemtrace_event *event;
	unsigned long flags;

	raw_local_irq_save(flags);
	kmemtrace_count();
	event = marker_channel_begin(&kmemtrace_channel_cpu, head.size);
	if (likely(event))
		kmemtrace_fill(event, head, call_site, ptr, bytes_req,
			       bytes_alloc, gfp, cache, kmemtrace_now());
	raw_local_irq_restore(flags);
}

/*
 * The same where it takes no more than to fill a record: with cycles, room, and
 * outside NMIs. Nothing is called, so that all stays in registers that are free to
 * use. Returns false where that can't be, and nothing was done; else the record is to
 * be filled, and kmemtrace_end_fast() follows.
 */
static __always_inline bool
kmemtrace_begin_fast(size_t size, struct kmemtrace_event **event, u64 *now,
		     unsigned long *flags)
{
	void *slot;

	raw_local_irq_save(*flags);
	*now = kmemtrace_counter();
	if (likely(marker_channel_try(&kmemtrace_channel_cpu, size, &slot))) {
		kmemtrace_count();
		*event = slot;
		return true;
	}
	/* Else gcc begins with what this has in common with kmemtrace_end_fast(). */
	OPTIMIZER_HIDE_VAR(*flags);
	raw_local_irq_restore(*flags);
	return false;
}

static __always_inline void kmemtrace_end_fast(unsigned long flags)
{
	raw_local_irq_restore(flags);
}

static __always_inline struct kmemtrace_head
kmemtrace_head(u8 event_id, u8 type_id, size_t size, int node)
{
	return (struct kmemtrace_head) { event_id, type_id, size, node };
}

static __always_inline void
kmemtrace_alloc(u8 type_id, int node, unsigned long call_site, u64 ptr,
		size_t bytes_req, size_t bytes_alloc, gfp_t gfp)
{
	kmemtrace_record(kmemtrace_head(KMEMTRACE_EVENT_ALLOC, type_id,
					sizeof(struct kmemtrace_event), node),
			 call_site, ptr, bytes_req, bytes_alloc, gfp, NULL);
}

static __always_inline void
kmemtrace_free(u8 type_id, unsigned long call_site, u64 ptr, size_t bytes)
{
	kmemtrace_record(kmemtrace_head(KMEMTRACE_EVENT_FREE, type_id,
					sizeof(struct kmemtrace_event),
					NUMA_NO_NODE),
			 call_site, ptr, 0, bytes, 0, NULL);
}

static noinline void
kmemtrace_failed(u8 type_id, int node, unsigned long call_site,
		 u64 bytes_req, gfp_t gfp)
{
	kmemtrace_record(kmemtrace_head(KMEMTRACE_EVENT_FAILED, type_id,
					sizeof(struct kmemtrace_event), node),
			 call_site, 0, bytes_req, 0, gfp, NULL);
}

/* ---- probes of the slab ---- */

static __always_inline struct kmemtrace_head
kmemtrace_slab_head(u8 type_id, int node)
{
	return kmemtrace_head(KMEMTRACE_EVENT_ALLOC, type_id,
			      sizeof(struct kmemtrace_slab_event), node);
}

static __always_inline struct kmemtrace_head
kmemtrace_slab_free_head(u8 type_id)
{
	return kmemtrace_head(KMEMTRACE_EVENT_FREE, type_id,
			      sizeof(struct kmemtrace_event), NUMA_NO_NODE);
}

static u64 kmemtrace_slab_ptr(const void *ptr)
{
	return (unsigned long)kasan_reset_tag(ptr);
}

static __always_inline void
kmemtrace_slab_alloc(u8 type_id, unsigned long call_site, const void *ptr,
		     size_t bytes_req, gfp_t gfp, int node,
		     struct kmem_cache *cache)
{
	if (likely(ptr))
		kmemtrace_record(kmemtrace_slab_head(type_id, node), call_site,
				 kmemtrace_slab_ptr(ptr), bytes_req,
				 likely(cache) ? cache->size :
				 PAGE_SIZE << get_order(bytes_req),
				 gfp, cache);
	else
		kmemtrace_failed(type_id, node, call_site, bytes_req, gfp);
}

static __always_inline void
kmemtrace_slab_free(u8 type_id, unsigned long call_site, const void *ptr)
{
	if (likely(!ZERO_OR_NULL_PTR(ptr)))
		kmemtrace_record(kmemtrace_slab_free_head(type_id), call_site,
				 kmemtrace_slab_ptr(ptr), 0, 0, 0, NULL);
}

static noinline __noclone void
probe_kmalloc(void *data, unsigned long call_site, const void *ptr,
	      size_t bytes_req, struct kmem_cache *cache, gfp_t gfp, int node)
{
	kmemtrace_slab_alloc(KMEMTRACE_TYPE_KMALLOC, call_site, ptr, bytes_req,
			     gfp, node, cache);
}

static noinline __noclone void
probe_kfree(void *data, unsigned long call_site, const void *ptr)
{
	kmemtrace_slab_free(KMEMTRACE_TYPE_KMALLOC, call_site, ptr);
}

static noinline __noclone void
probe_kmem_cache_alloc(void *data, unsigned long call_site, const void *ptr,
		       struct kmem_cache *cache, gfp_t gfp, int node)
{
	kmemtrace_slab_alloc(KMEMTRACE_TYPE_CACHE, call_site, ptr,
			     cache->object_size, gfp, node, cache);
}

static noinline __noclone void
probe_kmem_cache_free(void *data, unsigned long call_site, const void *ptr)
{
	kmemtrace_slab_free(KMEMTRACE_TYPE_CACHE, call_site, ptr);
}

static __always_inline bool
kmemtrace_slab_alloc_fast(u8 type_id, unsigned long call_site, const void *ptr,
			  size_t bytes_req, gfp_t gfp, int node,
			  struct kmem_cache *cache)
{
	struct kmemtrace_event *event;
	unsigned long flags;
	u64 now;

	if (unlikely(!ptr) || unlikely(!cache))
		return false;
	if (unlikely(!kmemtrace_begin_fast(sizeof(struct kmemtrace_slab_event),
					   &event, &now, &flags)))
		return false;
	kmemtrace_fill(event, kmemtrace_slab_head(type_id, node), call_site,
		       kmemtrace_slab_ptr(ptr),
		       type_id == KMEMTRACE_TYPE_CACHE ? cache->object_size :
							 bytes_req,
		       cache->size, gfp, cache, now);
	kmemtrace_end_fast(flags);
	return true;
}

static __always_inline bool
kmemtrace_slab_free_fast(u8 type_id, unsigned long call_site, const void *ptr)
{
	struct kmemtrace_event *event;
	unsigned long flags;
	u64 now;

	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return true;
	if (unlikely(!kmemtrace_begin_fast(sizeof(struct kmemtrace_event),
					   &event, &now, &flags)))
		return false;
	kmemtrace_fill(event, kmemtrace_slab_free_head(type_id), call_site,
		       kmemtrace_slab_ptr(ptr), 0, 0, 0, NULL, now);
	kmemtrace_end_fast(flags);
	return true;
}

/*
 * The four that are called most, where timestamps are cycles: they leave what isn't
 * easy to the four above, which have the same arguments and are jumped to.
 */
static void probe_kmalloc_fast(void *data, unsigned long call_site,
			       const void *ptr, size_t bytes_req,
			       struct kmem_cache *cache, gfp_t gfp, int node)
{
	if (!kmemtrace_slab_alloc_fast(KMEMTRACE_TYPE_KMALLOC, call_site, ptr,
				       bytes_req, gfp, node, cache))
		probe_kmalloc(NULL, call_site, ptr, bytes_req, cache, gfp, node);
}

static void probe_kfree_fast(void *data, unsigned long call_site,
			     const void *ptr)
{
	if (!kmemtrace_slab_free_fast(KMEMTRACE_TYPE_KMALLOC, call_site, ptr))
		probe_kfree(NULL, call_site, ptr);
}

static void probe_kmem_cache_alloc_fast(void *data, unsigned long call_site,
					const void *ptr,
					struct kmem_cache *cache, gfp_t gfp,
					int node)
{
	if (!kmemtrace_slab_alloc_fast(KMEMTRACE_TYPE_CACHE, call_site, ptr, 0,
				       gfp, node, cache))
		probe_kmem_cache_alloc(NULL, call_site, ptr, cache, gfp, node);
}

static void probe_kmem_cache_free_fast(void *data, unsigned long call_site,
				       const void *ptr)
{
	if (!kmemtrace_slab_free_fast(KMEMTRACE_TYPE_CACHE, call_site, ptr))
		probe_kmem_cache_free(NULL, call_site, ptr);
}

static void probe_kmem_cache_alloc_bulk(void *data, unsigned long call_site,
					struct kmem_cache *cache, gfp_t gfp,
					size_t count, void **ptrs)
{
	if (unlikely(!ptrs)) {
		kmemtrace_failed(KMEMTRACE_TYPE_CACHE, NUMA_NO_NODE, call_site,
				 count * cache->object_size, gfp);
		return;
	}
	for (size_t i = 0; i < count; i++)
		kmemtrace_slab_alloc(KMEMTRACE_TYPE_CACHE, call_site, ptrs[i],
				     cache->object_size, gfp, NUMA_NO_NODE,
				     cache);
}

static void probe_kmem_cache_free_bulk(void *data, unsigned long call_site,
				       struct kmem_cache *cache, size_t count,
				       void **ptrs)
{
	u8 type_id = cache ? KMEMTRACE_TYPE_CACHE : KMEMTRACE_TYPE_KMALLOC;

	for (size_t i = 0; i < count; i++)
		kmemtrace_slab_free(type_id, call_site, ptrs[i]);
}

static void probe_kmem_cache_create(void *data, unsigned long call_site,
				    struct kmem_cache *cache, const char *name)
{
	kmemtrace_put_cache(KMEMTRACE_CACHE_CREATED, call_site, cache, name);
}

static void probe_kmem_cache_destroy(void *data, unsigned long call_site,
				     struct kmem_cache *cache)
{
	kmemtrace_put_cache(KMEMTRACE_CACHE_DESTROYED, call_site, cache,
			    cache->name);
}

static void probe_page_alloc(void *data, struct page *page, unsigned int order,
			     gfp_t gfp)
{
	size_t bytes = PAGE_SIZE << order;

	kmemtrace_alloc(KMEMTRACE_TYPE_PAGES, NUMA_NO_NODE,
			kmemtrace_callsite(), kmemtrace_page_ptr(page), bytes,
			bytes, gfp);
}

static void probe_page_alloc_failed(void *data, unsigned int order, gfp_t gfp)
{
	/* A size that nobody can have asks for an order that nobody has. */
	u64 bytes = order < 64 - PAGE_SHIFT ? (u64)PAGE_SIZE << order : U64_MAX;

	kmemtrace_failed(KMEMTRACE_TYPE_PAGES, NUMA_NO_NODE,
			 kmemtrace_callsite(), bytes, gfp);
}

static void probe_page_free(void *data, struct page *page, unsigned int order)
{
	kmemtrace_free(KMEMTRACE_TYPE_PAGES, kmemtrace_callsite(),
		       kmemtrace_page_ptr(page), PAGE_SIZE << order);
}

static __always_inline struct kmemtrace_head kmemtrace_page_head(u8 event_id)
{
	return kmemtrace_head(event_id, KMEMTRACE_TYPE_PAGES,
			      sizeof(struct kmemtrace_event), NUMA_NO_NODE);
}

static noinline __noclone void
kmemtrace_page_slow(u8 event_id, unsigned long call_site, u64 ptr,
		    u64 bytes_req, u64 bytes_alloc, gfp_t gfp)
{
	kmemtrace_record(kmemtrace_page_head(event_id), call_site, ptr,
			 bytes_req, bytes_alloc, gfp, NULL);
}

/* After the search for the caller, so that there was little to be kept over it. */
static __always_inline void
kmemtrace_page_fast(u8 event_id, unsigned long call_site, struct page *page,
		    size_t bytes_req, size_t bytes_alloc, gfp_t gfp)
{
	u64 ptr = kmemtrace_page_ptr(page);
	struct kmemtrace_event *event;
	unsigned long flags;
	u64 now;

	if (unlikely(!kmemtrace_begin_fast(sizeof(*event), &event, &now,
					   &flags))) {
		kmemtrace_page_slow(event_id, call_site, ptr, bytes_req,
				    bytes_alloc, gfp);
		return;
	}
	kmemtrace_fill(event, kmemtrace_page_head(event_id), call_site, ptr,
		       bytes_req, bytes_alloc, gfp, NULL, now);
	kmemtrace_end_fast(flags);
}

static void probe_page_alloc_fast(void *data, struct page *page,
				  unsigned int order, gfp_t gfp)
{
	unsigned long call_site = kmemtrace_callsite();

	kmemtrace_page_fast(KMEMTRACE_EVENT_ALLOC, call_site, page,
			    PAGE_SIZE << order, PAGE_SIZE << order, gfp);
}

static void probe_page_free_fast(void *data, struct page *page,
				 unsigned int order)
{
	unsigned long call_site = kmemtrace_callsite();

	kmemtrace_page_fast(KMEMTRACE_EVENT_FREE, call_site, page, 0,
			    PAGE_SIZE << order, 0);
}

static void probe_percpu_alloc(void *data, unsigned long call_site,
			       unsigned long ptr, size_t bytes_req,
			       size_t bytes_alloc, gfp_t gfp)
{
	unsigned int cpus = num_possible_cpus();

	/* Who asks for nothing fails without a record, as of vmalloc(). */
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
	kmemtrace_free(KMEMTRACE_TYPE_PERCPU, call_site, ptr,
		       bytes_alloc * num_possible_cpus());
}

static void probe_vmalloc(void *data, const void *call_site,
			  const struct vm_struct *area, size_t bytes_req,
			  gfp_t gfp, int node)
{
	if (likely(area))
		kmemtrace_alloc(KMEMTRACE_TYPE_VMALLOC, node,
				(unsigned long)call_site,
				kmemtrace_vmalloc_ptr(area), bytes_req,
				kmemtrace_vmalloc_bytes(area), gfp);
	else
		kmemtrace_failed(KMEMTRACE_TYPE_VMALLOC, node,
				 (unsigned long)call_site, bytes_req, gfp);
}

static void probe_vm_area_free(void *data, const struct vm_struct *area)
{
	if (kmemtrace_is_vmalloc(area))
		kmemtrace_free(KMEMTRACE_TYPE_VMALLOC, kmemtrace_callsite(),
			       kmemtrace_vmalloc_ptr(area), 0);
}

/**
 * kmemtrace_write - put a record into this CPU's stream
 * @record: begins like struct kmemtrace_event; its timestamp is ignored
 * @size: bytes, a multiple of 8
 *
 * Context: any.
 */
void kmemtrace_write(const void *record, size_t size)
{
	struct kmemtrace_event *event;
	unsigned long flags;

	raw_local_irq_save(flags);
	event = marker_channel_begin(&kmemtrace_channel_cpu, size);
	if (event) {
		memcpy(event, record, size);
		event->timestamp = kmemtrace_now();
	}
	raw_local_irq_restore(flags);
}

/**
 * kmemtrace_boot_phase - record that a part of the boot begins
 * @phase: which one
 *
 * Does nothing while tracing is off. Stays when the boot's memory is freed: it is
 * called then.
 *
 * Context: task.
 */
void kmemtrace_boot_phase(enum kmemtrace_phase_id phase)
{
	struct kmemtrace_phase record = {
		.event_id = KMEMTRACE_EVENT_PHASE,
		.phase = phase,
		.event_size = sizeof(record),
	};

	preempt_disable();
	record.cpu = smp_processor_id();
	kmemtrace_write(&record, sizeof(record));
	preempt_enable();
}

/* The pages of the buffer of @cpu, of which there may be none. */
struct page **kmemtrace_own_pages(unsigned int cpu, size_t *nr)
{
	return marker_channel_pages(&kmemtrace_channel, cpu, nr);
}

/* ---- switching on and off ---- */

/* Those of which there are two. */
static const struct kmemtrace_probes {
	marker_probe_kmalloc		*kmalloc;
	marker_probe_kfree		*kfree;
	marker_probe_kmem_cache_alloc	*kmem_cache_alloc;
	marker_probe_kmem_cache_free	*kmem_cache_free;
	marker_probe_page_alloc		*page_alloc;
	marker_probe_page_free		*page_free;
} kmemtrace_probes_fast = {
	probe_kmalloc_fast,
	probe_kfree_fast,
	probe_kmem_cache_alloc_fast,
	probe_kmem_cache_free_fast,
	probe_page_alloc_fast,
	probe_page_free_fast,
}, kmemtrace_probes_any = {
	probe_kmalloc,
	probe_kfree,
	probe_kmem_cache_alloc,
	probe_kmem_cache_free,
	probe_page_alloc,
	probe_page_free,
}, *kmemtrace_probes;

static void kmemtrace_unregister_probes(void)
{
	const struct kmemtrace_probes *probes = kmemtrace_probes;

	remove_marker_kmalloc(probes->kmalloc, NULL);
	remove_marker_kfree(probes->kfree, NULL);
	remove_marker_kmem_cache_alloc(probes->kmem_cache_alloc, NULL);
	remove_marker_kmem_cache_free(probes->kmem_cache_free, NULL);
	remove_marker_kmem_cache_alloc_bulk(probe_kmem_cache_alloc_bulk, NULL);
	remove_marker_kmem_cache_free_bulk(probe_kmem_cache_free_bulk, NULL);
	remove_marker_kmem_cache_create(probe_kmem_cache_create, NULL);
	remove_marker_kmem_cache_destroy(probe_kmem_cache_destroy, NULL);
	remove_marker_page_alloc(probes->page_alloc, NULL);
	remove_marker_page_alloc_failed(probe_page_alloc_failed, NULL);
	remove_marker_page_free(probes->page_free, NULL);
	remove_marker_percpu_alloc(probe_percpu_alloc, NULL);
	remove_marker_percpu_free(probe_percpu_free, NULL);
	remove_marker_vmalloc(probe_vmalloc, NULL);
	remove_marker_vm_area_free(probe_vm_area_free, NULL);
	marker_synchronize_unregister();
}

static int kmemtrace_register_probes(void)
{
	const struct kmemtrace_probes *probes =
		kmemtrace_cycles ? &kmemtrace_probes_fast :
				   &kmemtrace_probes_any;
	int ret;

	kmemtrace_probes = probes;
	ret = register_marker_kmalloc(probes->kmalloc, NULL) ?:
	      register_marker_kfree(probes->kfree, NULL) ?:
	      register_marker_kmem_cache_alloc(probes->kmem_cache_alloc, NULL) ?:
	      register_marker_kmem_cache_free(probes->kmem_cache_free, NULL) ?:
	      register_marker_kmem_cache_alloc_bulk(probe_kmem_cache_alloc_bulk,
						    NULL) ?:
	      register_marker_kmem_cache_free_bulk(probe_kmem_cache_free_bulk,
						   NULL) ?:
	      register_marker_kmem_cache_create(probe_kmem_cache_create,
						NULL) ?:
	      register_marker_kmem_cache_destroy(probe_kmem_cache_destroy,
						 NULL) ?:
	      register_marker_page_alloc(probes->page_alloc, NULL) ?:
	      register_marker_page_alloc_failed(probe_page_alloc_failed,
						NULL) ?:
	      register_marker_page_free(probes->page_free, NULL) ?:
	      register_marker_percpu_alloc(probe_percpu_alloc, NULL) ?:
	      register_marker_percpu_free(probe_percpu_free, NULL) ?:
	      register_marker_vmalloc(probe_vmalloc, NULL) ?:
	      register_marker_vm_area_free(probe_vm_area_free, NULL);
	if (ret)
		kmemtrace_unregister_probes();
	return ret;
}

/*
 * Probes come before the channel starts and go after it stopped, so that one
 * moment begins and one ends the trace for all kinds of event.
 */
static int kmemtrace_switch_on(void)
{
	unsigned int cpu;
	int ret;

	lockdep_assert_held(&kmemtrace_mutex);
	if (kmemtrace_enabled)
		return 0;
	ret = marker_channel_prepare(&kmemtrace_channel);
	if (ret)
		return ret;
	kmemtrace_choose_clock();
	kmemtrace_callsite_init();
	ret = kmemtrace_register_probes();
	if (ret) {
		/* Gives the buffers back. */
		marker_channel_stop(&kmemtrace_channel);
		return ret;
	}
	/* A new generation begins to count at 0. */
	for_each_possible_cpu(cpu) {
		per_cpu(kmemtrace_events, cpu) = 0;
		per_cpu(kmemtrace_told, cpu) = (struct kmemtrace_told) { };
	}
	marker_channel_start(&kmemtrace_channel);
	WRITE_ONCE(kmemtrace_enabled, true);
	if (system_state == SYSTEM_BOOTING)
		kmemtrace_boot_phase(KMEMTRACE_PHASE_ARMED);
	kmemtrace_snapshot();
	return 0;
}

static void kmemtrace_switch_off(void)
{
	lockdep_assert_held(&kmemtrace_mutex);
	if (!kmemtrace_enabled)
		return;
	marker_channel_stop(&kmemtrace_channel);
	kmemtrace_unregister_probes();
	WRITE_ONCE(kmemtrace_enabled, false);
}

/*
 * While the machine sleeps CLOCK_MONOTONIC stands still, and the counter goes on or
 * begins at 0: from here on, nanoseconds. They may go on as well: shortly before and
 * shortly after there is a pair of both.
 */
static int kmemtrace_suspend(struct notifier_block *nb, unsigned long action,
			     void *data)
{
	mutex_lock(&kmemtrace_mutex);
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		kmemtrace_sleeps = true;
		WRITE_ONCE(kmemtrace_cycles, false);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		kmemtrace_sleeps = false;
		break;
	}
	marker_channel_flush(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
	return NOTIFY_OK;
}

/* ---- debugfs ---- */

/* Says yes from the first record on, though the snapshot takes a while. */
static int kmemtrace_enable_show(struct seq_file *m, void *v)
{
	seq_puts(m, READ_ONCE(kmemtrace_enabled) ? "yes\n" : "no\n");
	return 0;
}

static int kmemtrace_enable_open(struct inode *inode, struct file *file)
{
	return single_open(file, kmemtrace_enable_show, NULL);
}

static ssize_t kmemtrace_enable_write(struct file *file,
				      const char __user *from, size_t count,
				      loff_t *ppos)
{
	char word[sizeof("yes\n")] = "";
	int ret = 0;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	/* A snapshot may be under way. */
	if (mutex_lock_interruptible(&kmemtrace_mutex))
		return -EINTR;
	if (sysfs_streq(word, "yes"))
		ret = kmemtrace_switch_on();
	else if (sysfs_streq(word, "no"))
		kmemtrace_switch_off();
	else
		ret = -EINVAL;
	mutex_unlock(&kmemtrace_mutex);
	return ret ?: count;
}

static const struct file_operations kmemtrace_enable_fops = {
	.owner		= THIS_MODULE,
	.open		= kmemtrace_enable_open,
	.read		= seq_read,
	.write		= kmemtrace_enable_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int abi_version_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%d\n", KMEMTRACE_ABI_VERSION);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(abi_version);

static int clock_show(struct seq_file *m, void *v)
{
	seq_puts(m, kmemtrace_counts_cycles() ? "cycles\n" : "local_clock\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

static int total_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;
	u64 total = 0;

	for_each_possible_cpu(cpu)
		total += marker_channel_lost(&kmemtrace_channel, cpu).bytes;
	seq_printf(m, "%llu\n", total);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(total_overruns);

static int cpu_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct marker_channel_loss lost =
			marker_channel_lost(&kmemtrace_channel, cpu);
		struct marker_channel_loss told =
			per_cpu(kmemtrace_told, cpu).all;

		/* A glimpse, while it runs. */
		seq_printf(m, "cpu%u %llu %llu %llu %llu\n", cpu, lost.bytes,
			   lost.records, lost.bytes - min(lost.bytes, told.bytes),
			   lost.records - min(lost.records, told.records));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_overruns);

static int cpu_events_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		seq_printf(m, "cpu%u %llu\n", cpu,
			   READ_ONCE(per_cpu(kmemtrace_events, cpu)) +
			   READ_ONCE(per_cpu(kmemtrace_channel_cpu,
					     cpu).lost_nmi.records));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_events);

static int subbuf_size_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", kmemtrace_channel.subbuf_size);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(subbuf_size);

static int n_subbufs_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", kmemtrace_channel.n_subbufs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(n_subbufs);

struct kmemtrace_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
};

static const struct kmemtrace_file kmemtrace_files[] __initconst = {
	{ "enable",		0600, &kmemtrace_enable_fops },
	{ "abi_version",	0400, &abi_version_fops },
	{ "clock",		0400, &clock_fops },
	{ "total_overruns",	0400, &total_overruns_fops },
	{ "cpu_overruns",	0400, &cpu_overruns_fops },
	{ "subbuf_size",	0400, &subbuf_size_fops },
	{ "n_subbufs",		0400, &n_subbufs_fops },
};

/* What nobody can read is not recorded. */
static int __init kmemtrace_give_up(const char *why, int error)
{
	pr_err("%s, nobody can read: switched off: %d\n", why, error);
	mutex_lock(&kmemtrace_mutex);
	kmemtrace_switch_off();
	marker_channel_discard(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
	return error;
}

static int __init kmemtrace_create_files(void)
{
	struct dentry *dir = debugfs_create_dir("kmemtrace", NULL);
	int ret;

	if (IS_ERR(dir))
		return kmemtrace_give_up("no debugfs", PTR_ERR(dir));
	ret = marker_channel_create_files(&kmemtrace_channel, dir);
	if (ret) {
		debugfs_remove(dir);
		return kmemtrace_give_up("no files for CPUs", ret);
	}
	if (IS_ENABLED(CONFIG_KMEMTRACE_DEBUG))
		debugfs_create_file("cpu_events", 0400, dir, NULL,
				    &cpu_events_fops);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_files); i++)
		debugfs_create_file(kmemtrace_files[i].name,
				    kmemtrace_files[i].mode, dir, NULL,
				    kmemtrace_files[i].fops);
	return 0;
}
late_initcall(kmemtrace_create_files);

static int __init kmemtrace_watch_suspend(void)
{
	pm_notifier(kmemtrace_suspend, 0);
	return 0;
}
late_initcall(kmemtrace_watch_suspend);

/* ---- boot ---- */

static bool kmemtrace_enable_param __initdata =
	IS_ENABLED(CONFIG_KMEMTRACE_DEFAULT_ENABLED);
static unsigned long kmemtrace_subbufs_param __initdata;
static bool kmemtrace_subbufs_given __initdata;
static unsigned long kmemtrace_subbuf_param __initdata = KMEMTRACE_SUBBUF_SIZE;

static int __init kmemtrace_parse_enable(char *arg)
{
	if (arg && !strcmp(arg, "yes"))
		kmemtrace_enable_param = true;
	else if (arg && !strcmp(arg, "no"))
		kmemtrace_enable_param = false;
	else
		pr_warn("kmemtrace.enable=%s is neither yes nor no, staying %s\n",
			arg ?: "", kmemtrace_enable_param ? "yes" : "no");
	return 0;
}
early_param("kmemtrace.enable", kmemtrace_parse_enable);

static int __init kmemtrace_parse_subbufs(char *arg)
{
	if (arg && !kstrtoul(arg, 10, &kmemtrace_subbufs_param))
		kmemtrace_subbufs_given = true;
	else
		pr_warn("kmemtrace.subbufs=%s is not a number, using the default\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.subbufs", kmemtrace_parse_subbufs);

static int __init kmemtrace_parse_subbuf_size(char *arg)
{
	unsigned long long asked;
	char *end = arg;

	asked = arg ? memparse(arg, &end) : 0;
	if (end == arg || *end)
		pr_warn("kmemtrace.subbuf_size=%s is not a size, using the default\n",
			arg ?: "");
	else
		kmemtrace_subbuf_param = min(asked, ULONG_MAX);
	return 0;
}
early_param("kmemtrace.subbuf_size", kmemtrace_parse_subbuf_size);

static int __init kmemtrace_parse_clock(char *arg)
{
	static const char * const words[] __initconst = {
		[CLOCK_AUTO]	= "auto",
		[CLOCK_CYCLES]	= "cycles",
		[CLOCK_LOCAL]	= "local",
	};
	int word = match_string(words, ARRAY_SIZE(words), arg ?: "");

	if (word >= 0)
		kmemtrace_clock_param = word;
	else
		pr_warn("kmemtrace.clock=%s is neither auto nor cycles nor local, using auto\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.clock", kmemtrace_parse_clock);

/* The nearest that is possible: of a CPU, two have to fit into its share. */
static unsigned long __init kmemtrace_subbuf_size(unsigned long pages,
						  unsigned int cpus,
						  unsigned long asked)
{
	unsigned long share = pages / 8 / cpus / 2;
	unsigned long most = min(share, KMEMTRACE_MAX_SUBBUF >> PAGE_SHIFT)
			     << PAGE_SHIFT;
	unsigned long size;

	most = max(most, KMEMTRACE_MIN_SUBBUF);
	/* The default is 2 sub-buffers at least, however small the machine is. */
	if (asked == KMEMTRACE_SUBBUF_SIZE)
		return PAGE_ALIGN(asked);
	size = asked < most ? PAGE_ALIGN(asked) : most;
	size = max(size, KMEMTRACE_MIN_SUBBUF);
	if (size != asked)
		pr_warn("kmemtrace.subbuf_size=%lu is not whole pages from 16K to %luK, using %luK\n",
			asked, most / SZ_1K, size / SZ_1K);
	return size;
}

/*
 * A boot makes hundreds of thousands of events before anyone can read, most of
 * them on one CPU: 328,000 and 537,000 were seen on small virtual machines. So
 * the default is an 8th of the memory, which is also the most that is allowed,
 * but no more than two million events a CPU. Memory is what buffers can be made
 * of: mapped with vmap(), and not highmem.
 */
#define KMEMTRACE_DEFAULT_BYTES		(256UL * KMEMTRACE_SUBBUF_SIZE)

static unsigned long __init kmemtrace_n_subbufs(unsigned long pages,
						unsigned int cpus,
						unsigned long size, bool given,
						unsigned long asked)
{
	unsigned long subbuf_pages = DIV_ROUND_UP(size, PAGE_SIZE);
	unsigned long most = pages / 8 / cpus / subbuf_pages;
	unsigned long n;

	/* Relay counts a buffer's bytes in an unsigned int. */
	most = clamp(most, 2UL, UINT_MAX / size);
	if (!given)
		return clamp(KMEMTRACE_DEFAULT_BYTES / size, 2UL, most);

	n = clamp(asked, 2UL, most);
	if (n != asked)
		pr_warn("kmemtrace.subbufs=%lu is out of range 2..%lu (an 8th of the memory), using %lu\n",
			asked, most, n);
	return n;
}

/**
 * kmemtrace_init - start tracing, if the command line or the configuration says
 *
 * Context: boot CPU, directly after mm_core_init(): relay needs the page and
 * slab allocators, percpu memory and vmap().
 */
void __init kmemtrace_init(void)
{
	unsigned long pages = min(totalram_pages() - totalhigh_pages(),
				  VMALLOC_TOTAL >> PAGE_SHIFT);
	unsigned int cpus = num_possible_cpus();
	unsigned long size = kmemtrace_subbuf_size(pages, cpus,
						   kmemtrace_subbuf_param);
	int ret;

	marker_channel_init(&kmemtrace_channel, size,
			    kmemtrace_n_subbufs(pages, cpus, size,
						kmemtrace_subbufs_given,
						kmemtrace_subbufs_param));
	if (!kmemtrace_enable_param)
		return;

	mutex_lock(&kmemtrace_mutex);
	ret = kmemtrace_switch_on();
	mutex_unlock(&kmemtrace_mutex);
	if (ret)
		pr_err("not enabled: %d\n", ret);
	else
		pr_info("enabled, %zu sub-buffers of %zu KiB a CPU\n",
			kmemtrace_channel.n_subbufs,
			kmemtrace_channel.subbuf_size / 1024);
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_test.c"
#include "kmemtrace_stress_test.c"
#endif
