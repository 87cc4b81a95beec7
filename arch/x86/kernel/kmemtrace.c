// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the caller of the page allocator, by earlier results of the ORC unwinder.
 *
 * The unwinder takes some 500 instructions to find the size of a frame. For a given
 * return address into the page allocator the size is always the same, so this file
 * keeps it in a table of steps. A step is the lower half of the return address, which
 * is unique in kernel text, and the distance to the caller's return address. Both are
 * written as one word and never removed: there are only as many steps as calls in the
 * page allocator.
 *
 * An address outside the page allocator is a call site. Call sites are kept in a table
 * too; there, a new one replaces an old one with the same hash.
 */
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/instruction_pointer.h>
#include <linux/kmemtrace.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <asm/unwind.h>

#define KMEMTRACE_STEPS		1024
#define KMEMTRACE_STEP_TRIES	4
#define KMEMTRACE_SITES		1024
#define KMEMTRACE_MAX_FRAMES	16
/* The maximum size of a frame of the page allocator. */
#define KMEMTRACE_MAX_STEP	SZ_1K

/* With additional elements at the end, so that the tries don't wrap around. */
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

/* Return the distance from @addr to its caller's return address, 0 if unknown. */
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

/* A frame pointer points to the caller's frame pointer, which the function has saved. */
static bool kmemtrace_has_frame_pointer(const struct unwind_state *from,
					const struct unwind_state *to)
{
	return from->bp - from->sp < to->sp - from->sp &&
	       READ_ONCE_NOCHECK(*(unsigned long *)from->bp) == to->bp;
}

/*
 * Return true if the frame between @from and @to always has this size. That is not
 * known in two cases: the unwinder used the frame pointer, or a tracer has replaced the
 * return address.
 */
static bool kmemtrace_always(const struct unwind_state *from,
			     const struct unwind_state *to)
{
	return to->sp > from->sp && to->sp - from->sp <= KMEMTRACE_MAX_STEP &&
	       !kmemtrace_has_frame_pointer(from, to) && !to->regs &&
	       READ_ONCE_NOCHECK(((unsigned long *)to->sp)[-1]) == to->ip;
}

/* Find the call site with the unwinder, and store the steps to it. */
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

/* Find the call site by stored steps; return 0 if one is missing. */
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

/* See mm/kmemtrace/callsite_walk.c. */
noinline unsigned long kmemtrace_callsite_from(unsigned long *frame)
{
	return kmemtrace_follow(frame) ?: kmemtrace_unwind(frame) ?: _RET_IP_;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_test.c"
#endif
