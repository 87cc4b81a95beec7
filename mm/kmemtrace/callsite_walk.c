// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the caller of an allocator on the stack.
 *
 * Where frames are linked, the search follows the links. It reads two words of each frame,
 * and keeps the return addresses that it has classified in two tables: those into the
 * page allocator, which lead on, and call sites, which end the search. A new address
 * replaces an old one with the same index.
 *
 * In all other cases it walks the stack with the kernel's unwinder: where frames are not
 * linked, at a return address that a tracer has replaced, and at a frame that is not
 * above the one before.
 *
 * An architecture with another fast way defines its own kmemtrace_callsite_from().
 *
 * The markers of the slab allocator pass on the return address of its entry point. Where
 * frames are linked, kernels are built without sibling calls, or with few of them. So
 * that address may be in a wrapper, which elsewhere jumps to the allocator and leaves no
 * return address. kmemtrace_caller_from() finds the caller of such a wrapper.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/stacktrace.h>
#include <asm/kmemtrace.h>
#include "callsite.h"

/* The maximum size of a frame of the page allocator. */
#define KMEMTRACE_MAX_FRAME	SZ_2K

/* Return addresses into the allocator, and call sites. */
static unsigned long kmemtrace_passed[KMEMTRACE_KNOWN];
unsigned long kmemtrace_sites[KMEMTRACE_KNOWN];

/**
 * struct kmemtrace_search - state of a stack walk
 * @probe: return address into the probe, 0 once the walk has passed it
 * @call_site: the last address behind the probe, 0 if there was none
 */
struct kmemtrace_search {
	unsigned long probe;
	unsigned long call_site;
};

/* Return true as long as the walk must continue. */
static bool kmemtrace_consume(void *cookie, unsigned long addr)
{
	struct kmemtrace_search *search = cookie;

	/* The addresses before the probe are those of the walk itself. */
	if (search->probe) {
		if (addr == search->probe)
			search->probe = 0;
		return true;
	}
	search->call_site = addr;
	return kmemtrace_passes_on(addr);
}

#ifdef CONFIG_ARCH_STACKWALK
static __always_inline void kmemtrace_walk(struct kmemtrace_search *search)
{
	arch_stack_walk(kmemtrace_consume, search, current, NULL);
}
#else
static __always_inline void kmemtrace_walk(struct kmemtrace_search *search)
{
	unsigned long entries[16];
	unsigned int n = stack_trace_save(entries, ARRAY_SIZE(entries), 0);

	for (unsigned int i = 0; i < n; i++)
		if (!kmemtrace_consume(search, entries[i]))
			break;
}
#endif

/* Find the call site with the unwinder; return 0 if the stack can't be walked. */
static noinline unsigned long kmemtrace_unwind(unsigned long probe)
{
	struct kmemtrace_search search = { .probe = probe };

	kmemtrace_walk(&search);
	return search.call_site;
}

/* Store @addr in its table. Return the table, or NULL if only the unwinder knows more. */
static unsigned long *kmemtrace_classify(unsigned long addr)
{
	unsigned long *table = kmemtrace_sites;

	if (kmemtrace_in_wrapper(addr))
		table = kmemtrace_passed;
	else if (kmemtrace_passes_on(addr) || kmemtrace_replaced(addr))
		return NULL;
	WRITE_ONCE(*kmemtrace_known(table, addr), addr);
	return table;
}

/* Return the frame of the caller; NULL if it is not above @frame, or too far away. */
static __always_inline unsigned long *
kmemtrace_next_frame(const unsigned long *frame)
{
	unsigned long *next = arch_kmemtrace_caller_frame(frame);

	if (unlikely((unsigned long)next - (unsigned long)frame - 1 >=
		     KMEMTRACE_MAX_FRAME))
		return NULL;
	return next;
}

/*
 * Find the call site by the links of the frames, from @frame on; return 0 if they don't
 * lead to it, or, without @learn, at a new address.
 */
static __always_inline unsigned long kmemtrace_follow_links(unsigned long *frame,
							    const bool learn)
{
	unsigned long *table;

	/* A function of the allocator has linked its frame. */
	do {
		unsigned long addr = arch_kmemtrace_return_address(frame);

		if (likely(kmemtrace_is_in(kmemtrace_passed, addr)))
			continue;
		if (likely(kmemtrace_is_in(kmemtrace_sites, addr)))
			return addr;
		if (!learn)
			return 0;
		table = kmemtrace_classify(addr);
		if (table != kmemtrace_passed)
			return table ? addr : 0;
	} while ((frame = kmemtrace_next_frame(frame)));
	return 0;
}

/* Find the call site by the links of the frames, and learn new addresses. */
static noinline unsigned long kmemtrace_follow(unsigned long *frame)
{
	return kmemtrace_follow_links(frame, true);
}

/*
 * Find the call site at new addresses too, and with the unwinder. As a function of its own,
 * this costs kmemtrace_callsite_from() no registers.
 */
static noinline unsigned long kmemtrace_find(unsigned long *frame,
					     unsigned long probe)
{
	unsigned long call_site = 0;

	if (KMEMTRACE_LINKED_FRAMES)
		call_site = kmemtrace_follow(frame);
	return call_site ?: kmemtrace_unwind(probe) ?: probe;
}

/**
 * kmemtrace_callsite_from - find the caller of the page allocator
 * @frame: __builtin_frame_address(0) of the caller, a probe on a page marker
 *
 * Context: any.
 * Return: a return address: the first on the stack that is not in the allocator; the
 * outermost one if all are in it; one in the probe if the stack can't be walked.
 */
noinline unsigned long __weak kmemtrace_callsite_from(unsigned long *frame)
{
	unsigned long call_site = 0;

	if (KMEMTRACE_LINKED_FRAMES)
		call_site = kmemtrace_follow_links(frame, false);
	return likely(call_site) ? call_site : kmemtrace_find(frame, _RET_IP_);
}
EXPORT_SYMBOL_IF_KUNIT(kmemtrace_callsite_from);

/**
 * kmemtrace_caller_from - find the caller of a wrapper that has called the slab allocator
 * @call_site: the return address that the allocator has passed on
 * @frame: __builtin_frame_address(0) of the caller, a probe on a slab marker
 *
 * Context: any.
 * Return: @call_site if it is not in a wrapper; else the first return address that is in
 * none, or @call_site if the frames don't lead to it.
 */
noinline unsigned long kmemtrace_caller_from(unsigned long call_site,
					     unsigned long *frame)
{
	if (!kmemtrace_in_wrapper(call_site)) {
		kmemtrace_classify(call_site);
		return call_site;
	}
	/* The functions of the slab allocator come first. */
	while (frame && arch_kmemtrace_return_address(frame) != call_site)
		frame = kmemtrace_next_frame(frame);
	if (!frame)
		return call_site;
	return kmemtrace_follow(frame) ?: call_site;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "callsite_walk_test.c"
#endif
