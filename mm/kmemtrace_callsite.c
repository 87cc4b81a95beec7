// SPDX-License-Identifier: GPL-2.0
/*
 * Who called the page allocator?
 *
 * Its entry points call one another, and the markers stand where all of them
 * meet, so the return address there names the allocator itself. The stack is
 * walked from the probe outwards to the first return address that is in none
 * of the functions below.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/filter.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/instruction_pointer.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/log2.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/sort.h>
#include <linux/stacktrace.h>
#if defined(CONFIG_X86_64) && defined(CONFIG_UNWINDER_ORC)
#define KMEMTRACE_LEARNS
#include <asm/unwind.h>
#endif
#include "kmemtrace.h"

/*
 * The page allocator and what does nothing but pass a request on to it, vmalloc
 * included: its caller is who wanted the pages.
 */
static const char * const kmemtrace_wrappers[] = {
	/* taking */
	"__alloc_pages_direct_compact",
	"__alloc_pages_noprof",
	"__alloc_pages_slowpath",
	"__folio_alloc_noprof",
	"__page_frag_alloc_align",
	"__page_frag_cache_refill",
	"alloc_contig_pages_noprof",
	"alloc_contig_range_noprof",
	"alloc_pages_bulk_array_mempolicy_noprof",
	"alloc_pages_bulk_noprof",
	"alloc_pages_exact_nid_noprof",
	"alloc_pages_exact_noprof",
	"alloc_pages_mpol_noprof",
	"alloc_pages_noprof",
	"compaction_alloc",
	"folio_alloc_mpol_noprof",
	"folio_alloc_noprof",
	"get_free_pages_noprof",
	"get_page_from_freelist",
	"get_zeroed_page_noprof",
	"make_alloc_exact",
	"post_alloc_hook",
	"prep_new_page",
	"try_to_compact_pages",
	"vma_alloc_folio_noprof",
	/* taking through vmalloc */
	"__kvmalloc_node_noprof",
	"__vcalloc_noprof",
	"__vmalloc_area_node",
	"__vmalloc_array_noprof",
	"__vmalloc_node_noprof",
	"__vmalloc_node_range_noprof",
	"__vmalloc_noprof",
	"kvrealloc_noprof",
	"vcalloc_noprof",
	"vm_area_alloc_pages",
	"vmalloc_32_noprof",
	"vmalloc_32_user_noprof",
	"vmalloc_array_noprof",
	"vmalloc_huge_noprof",
	"vmalloc_node_noprof",
	"vmalloc_noprof",
	"vmalloc_user_noprof",
	"vrealloc_noprof",
	"vzalloc_node_noprof",
	"vzalloc_noprof",
	/* giving back */
	"__folio_put",
	"__free_pages",
	"__free_pages_ok",
	"__page_frag_cache_drain",
	"folios_put_refs",
	"compaction_free",
	"find_unlink_vmap_area",
	"free_contig_range",
	"free_pages",
	"free_pages_exact",
	"free_pages_prepare",
	"free_unref_folios",
	"free_unref_page",
	"kvfree",
	"page_frag_cache_drain",
	"page_frag_free",
	"put_pages_list",
	"release_pages",
	"remove_vm_area",
	"vfree",
	/* between a marker and one of several probes */
	"__marker_iterate_page_alloc",
	"__marker_iterate_page_alloc_failed",
	"__marker_iterate_page_free",
	"__marker_iterate_vm_area_free",
};

/* What compilers append to the names of static functions. */
static const char * const kmemtrace_suffixes[] = {
	"", ".isra.0", ".constprop.0", ".constprop.0.isra.0", ".part.0",
};

struct kmemtrace_range {
	unsigned long start;
	unsigned long end;
};

/* Sorted, apart from one another; written once, before the first search. */
static struct kmemtrace_range kmemtrace_ranges[ARRAY_SIZE(kmemtrace_wrappers) *
					       2];
static unsigned int kmemtrace_nr_ranges;

static bool kmemtrace_in_wrapper(unsigned long addr)
{
	unsigned int low = 0, high = kmemtrace_nr_ranges;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		/* A return address may be the first after its function. */
		if (addr <= kmemtrace_ranges[mid].start)
			high = mid;
		else if (addr > kmemtrace_ranges[mid].end)
			low = mid + 1;
		else
			return true;
	}
	return false;
}

/* A trampoline calls what it was put around for who called it. */
static bool kmemtrace_passes_on(unsigned long addr)
{
	return kmemtrace_in_wrapper(addr) || is_bpf_text_address(addr);
}

#ifdef KMEMTRACE_LEARNS
/*
 * The unwinder needs some 500 instructions a frame to find out how large it is. At a
 * given return address into one of the functions above it is always the same, so it is
 * asked once: a step is the lower half of the address, which is enough for text, and
 * what to add to the stack pointer to come behind the next return address. They are
 * written as one word, and stay: there are no more than calls in those functions.
 *
 * An address that is in none of them is a call site, or will be told apart again where
 * another one has taken its place.
 */
#define KMEMTRACE_STEPS		1024
#define KMEMTRACE_STEP_TRIES	4
#define KMEMTRACE_SITES		1024
#define KMEMTRACE_MAX_FRAMES	16
/* No frame of the allocator's is larger. */
#define KMEMTRACE_MAX_STEP	SZ_1K
/* What lies above a frame pointer in its frame: itself, the return address, alignment. */
#define KMEMTRACE_BP_GAP	SZ_128

/* The tries go on behind the end, which saves finding the start again. */
static u64 kmemtrace_steps[KMEMTRACE_STEPS + KMEMTRACE_STEP_TRIES - 1];
static u32 kmemtrace_sites[KMEMTRACE_SITES];

static u64 *kmemtrace_step(unsigned long addr, unsigned int try)
{
	return &kmemtrace_steps[hash_32(addr, ilog2(KMEMTRACE_STEPS)) + try];
}

static u32 *kmemtrace_site(unsigned long addr)
{
	return &kmemtrace_sites[hash_32(addr, ilog2(KMEMTRACE_SITES))];
}

static void kmemtrace_learn(unsigned long addr, unsigned int step)
{
	u64 new = (u64)addr << 32 | step;

	for (unsigned int i = 0; i < KMEMTRACE_STEP_TRIES; i++) {
		u64 old = cmpxchg(kmemtrace_step(addr, i), 0, new);

		if (!old || old == new)
			return;
	}
}

/* Was the return address changed to one that isn't a caller's? */
static bool kmemtrace_replaced(unsigned long addr)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (addr == (unsigned long)return_to_handler)
		return true;
#endif
#ifdef CONFIG_RETHOOK
	if (is_rethook_trampoline(addr))
		return true;
#endif
	return false;
}

/* How far it is from there to the caller's return address; 0: that isn't known. */
static __always_inline unsigned int kmemtrace_find_step(unsigned long addr)
{
	unsigned int try = 0;
	u64 step;

	do {
		step = READ_ONCE(*kmemtrace_step(addr, try));
		if (likely(step >> 32 == (u32)addr))
			return step;
	} while (step && ++try < KMEMTRACE_STEP_TRIES);
	return 0;
}

static __always_inline bool kmemtrace_is_site(unsigned long addr)
{
	if (likely(READ_ONCE(*kmemtrace_site(addr)) == (u32)addr))
		return true;
	if (kmemtrace_passes_on(addr) || kmemtrace_replaced(addr))
		return false;
	WRITE_ONCE(*kmemtrace_site(addr), addr);
	return true;
}

/*
 * Is a frame of that size whatever happened before? Not where it was found by the frame
 * pointer, which points to its upper end then, and not where somebody has changed the
 * return address to see the function's end. Where that register points elsewhere into
 * the frame, it is to an object in it.
 */
static bool kmemtrace_always(const struct unwind_state *from,
			     const struct unwind_state *to)
{
	return to->sp > from->sp && to->sp - from->sp <= KMEMTRACE_MAX_STEP &&
	       to->sp - from->bp > KMEMTRACE_BP_GAP && !to->regs &&
	       READ_ONCE_NOCHECK(((unsigned long *)to->sp)[-1]) == to->ip;
}

static noinline unsigned long kmemtrace_unwind(unsigned long *frame)
{
	struct unwind_state state, from;

	unwind_start(&state, current, NULL, &frame[1]);
	while (!unwind_done(&state) && kmemtrace_passes_on(state.ip)) {
		from = state;
		if (!unwind_next_frame(&state))
			return from.ip;
		if (kmemtrace_in_wrapper(from.ip) &&
		    kmemtrace_always(&from, &state))
			kmemtrace_learn(from.ip, state.sp - from.sp);
	}
	return unwind_done(&state) ? 0 : state.ip;
}

/* The search by what was learned; 0: that isn't enough. */
static __always_inline unsigned long kmemtrace_follow(unsigned long *frame)
{
	unsigned long addr = frame[1];
	void *sp = &frame[2];

	for (int i = 0; i < KMEMTRACE_MAX_FRAMES; i++) {
		unsigned int step = kmemtrace_find_step(addr);

		if (!step)
			return kmemtrace_is_site(addr) ? addr : 0;
		sp += step;
		addr = READ_ONCE_NOCHECK(((unsigned long *)sp)[-1]);
	}
	return 0;
}

static __always_inline unsigned long kmemtrace_search(unsigned long *frame)
{
	return kmemtrace_follow(frame) ?: kmemtrace_unwind(frame);
}
#else
struct kmemtrace_search {
	unsigned long probe;
	unsigned long call_site;
};

static bool kmemtrace_consume(void *cookie, unsigned long addr)
{
	struct kmemtrace_search *search = cookie;

	/* What lies before the probe is the walk itself. */
	if (search->probe) {
		if (addr == search->probe)
			search->probe = 0;
		return true;
	}
	search->call_site = addr;
	return kmemtrace_passes_on(addr);
}

static __always_inline unsigned long kmemtrace_search(unsigned long *frame)
{
	struct kmemtrace_search search = { .probe = _RET_IP_ };
#ifdef CONFIG_ARCH_STACKWALK
	arch_stack_walk(kmemtrace_consume, &search, current, NULL);
#else
	unsigned long entries[16];
	unsigned int n = stack_trace_save(entries, ARRAY_SIZE(entries), 0);

	for (unsigned int i = 0; i < n; i++)
		if (!kmemtrace_consume(&search, entries[i]))
			break;
#endif
	return search.call_site;
}
#endif

/**
 * kmemtrace_callsite_from - find who called the page allocator
 * @frame: __builtin_frame_address(0) of the caller, a probe on a page marker
 *
 * Context: any.
 * Return: a return address; the outermost one when all are in the allocator;
 * one in the probe when the stack can't be walked.
 */
noinline unsigned long kmemtrace_callsite_from(unsigned long *frame)
{
	return kmemtrace_search(frame) ?: _RET_IP_;
}
EXPORT_SYMBOL_IF_KUNIT(kmemtrace_callsite_from);

static void kmemtrace_add_range(const char *name)
{
	struct kmemtrace_range *range = &kmemtrace_ranges[kmemtrace_nr_ranges];
	unsigned long size, offset;
	unsigned long addr = kallsyms_lookup_name(name);

	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset) ||
	    kmemtrace_nr_ranges == ARRAY_SIZE(kmemtrace_ranges))
		return;
	range->start = addr;
	range->end = addr + size;
	kmemtrace_nr_ranges++;
}

static int kmemtrace_cmp_range(const void *a, const void *b)
{
	const struct kmemtrace_range *ra = a, *rb = b;

	return ra->start < rb->start ? -1 : ra->start > rb->start;
}

static void kmemtrace_merge_ranges(void)
{
	unsigned int last = 0;

	for (unsigned int i = 1; i < kmemtrace_nr_ranges; i++) {
		if (kmemtrace_ranges[i].start <= kmemtrace_ranges[last].end)
			kmemtrace_ranges[last].end = kmemtrace_ranges[i].end;
		else
			kmemtrace_ranges[++last] = kmemtrace_ranges[i];
	}
	if (kmemtrace_nr_ranges)
		kmemtrace_nr_ranges = last + 1;
}

/**
 * kmemtrace_callsite_init - find where the page allocator's functions are
 *
 * Context: task, or the boot CPU; before a page marker has a probe. Does
 * nothing when it was called before.
 */
void kmemtrace_callsite_init(void)
{
	static char name[KSYM_NAME_LEN];

	if (kmemtrace_nr_ranges)
		return;
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_wrappers); i++) {
		for (int j = 0; j < ARRAY_SIZE(kmemtrace_suffixes); j++) {
			snprintf(name, sizeof(name), "%s%s",
				 kmemtrace_wrappers[i], kmemtrace_suffixes[j]);
			kmemtrace_add_range(name);
		}
	}
	sort(kmemtrace_ranges, kmemtrace_nr_ranges, sizeof(kmemtrace_ranges[0]),
	     kmemtrace_cmp_range, NULL);
	kmemtrace_merge_ranges();
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_callsite_test.c"
#endif
