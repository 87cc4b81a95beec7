// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the caller of the page allocator, by earlier results of the ORC unwinder; and the call
 * path of an allocation, by the unwinder's data.
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
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>
#include <asm/kmemtrace.h>
#include <asm/orc_types.h>
#include <asm/syscall.h>
#include <asm/text-patching.h>
#include <asm/unwind.h>
#include "../../../mm/kmemtrace/path.h"

#define KMEMTRACE_STEPS		1024
#define KMEMTRACE_STEP_TRIES	4
#define KMEMTRACE_SITES		1024
#define KMEMTRACE_MAX_NEAR	16
/* The maximum size of a frame of the page allocator. */
#define KMEMTRACE_MAX_STEP	SZ_1K
/* A step of a path is at the lower 16 bits of its address, or shortly after. */
#define KMEMTRACE_PATH_STEPS	(SZ_64K + KMEMTRACE_STEP_TRIES - 1)

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

	for (int i = 0; i < KMEMTRACE_MAX_NEAR; i++) {
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

/* ---- call paths ---- */

/*
 * A path takes the same way, with a table of steps of its own, from any return address in the
 * kernel. An entry has the lower half of the address in its lower half, and these parts.
 */

/*
 * The caller's stack pointer is so many bytes above that of the callee; 0: it is another kind
 * of step.
 */
#define KMEMTRACE_STEP_SIZE	48
/* So many bytes below the caller's stack pointer is its frame pointer; 0: it was not changed. */
#define KMEMTRACE_STEP_SAVED	32
#define KMEMTRACE_STEP_MASK	0xffff

/* Other kinds, in place of KMEMTRACE_STEP_SAVED. The frame pointer leads to the caller. */
#define KMEMTRACE_STEP_BP	1
/* The stack is aligned: so many bytes below the frame pointer is the caller's stack pointer. */
#define KMEMTRACE_STEP_ALIGNED	4
/* The stack ends. */
#define KMEMTRACE_STEP_END	2
/*
 * The registers at entry are so many bytes on: the path ends if user space ran, or on the stack of
 * interrupts.
 */
#define KMEMTRACE_STEP_REGS	3
/* The caller is the entry of system calls: only the user's registers are on its stack. */
#define KMEMTRACE_STEP_SYSCALL	5
#define KMEMTRACE_STEP_KIND	7

/* NULL while no trace has paths. */
static u64 *kmemtrace_path_steps __read_mostly;
/* The end of the CPU's stack for interrupts and softirqs, once a walk has begun there. */
static DEFINE_PER_CPU(unsigned long, kmemtrace_irq_top);

#ifdef CONFIG_MODULES
/* Code may take the place of the module's. None of the module's is on a stack any more. */
static int kmemtrace_forget_steps(struct notifier_block *nb,
				  unsigned long action, void *data)
{
	if (action != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (int i = 0; i < KMEMTRACE_PATH_STEPS; i++)
		WRITE_ONCE(kmemtrace_path_steps[i], 0);
	return NOTIFY_OK;
}

static struct notifier_block kmemtrace_module_notifier = {
	.notifier_call = kmemtrace_forget_steps,
};

static int kmemtrace_watch_modules(void)
{
	return register_module_notifier(&kmemtrace_module_notifier);
}

static void kmemtrace_unwatch_modules(void)
{
	unregister_module_notifier(&kmemtrace_module_notifier);
}
#else
static int kmemtrace_watch_modules(void)
{
	return 0;
}

static void kmemtrace_unwatch_modules(void)
{
}
#endif

/* See mm/kmemtrace/path.c. */
int kmemtrace_path_init(void)
{
	u64 *steps = vzalloc(array_size(KMEMTRACE_PATH_STEPS, sizeof(*steps)));

	kmemtrace_path_steps = steps;
	return steps ? kmemtrace_watch_modules() : -ENOMEM;
}

/* See mm/kmemtrace/path.c. */
void kmemtrace_path_exit(void)
{
	kmemtrace_unwatch_modules();
	vfree(kmemtrace_path_steps);
	kmemtrace_path_steps = NULL;
}

/* Return the unwind data of an instruction, as the ORC unwinder finds it; NULL without any. */
static const struct orc_entry *
kmemtrace_find_orc(unsigned long addr, const int *ips,
		   const struct orc_entry *entries, size_t nr)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((unsigned long)&ips[mid] + ips[mid] <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &entries[low - 1] : NULL;
}

#ifdef CONFIG_MODULES
/* Preemption is off: a module stays. */
static const struct orc_entry *kmemtrace_module_orc(unsigned long addr)
{
	const struct module *module = __module_text_address(addr);

	/* The init code goes when the module is loaded, and other code may come there. */
	if (!module || within_module_init(addr, module))
		return NULL;
	return kmemtrace_find_orc(addr, module->arch.orc_unwind_ip,
				  module->arch.orc_unwind,
				  module->arch.num_orcs);
}
#else
static const struct orc_entry *kmemtrace_module_orc(unsigned long addr)
{
	return NULL;
}
#endif

/* The same for the code of the kernel and of modules. No other code stays where it is. */
static const struct orc_entry *kmemtrace_orc(unsigned long addr)
{
	if (!core_kernel_text(addr))
		return kmemtrace_module_orc(addr);
	return kmemtrace_find_orc(addr, __start_orc_unwind_ip, __start_orc_unwind,
				  __stop_orc_unwind_ip - __start_orc_unwind_ip);
}

static unsigned long kmemtrace_word(unsigned long addr)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)addr);
}

/**
 * struct kmemtrace_place - a frame of a walk
 * @addr: return address into the function
 * @sp: its stack pointer
 * @bp: its frame pointer
 * @top: end of the stack
 */
struct kmemtrace_place {
	unsigned long	addr;
	unsigned long	sp;
	unsigned long	bp;
	unsigned long	top;
};

static __always_inline bool kmemtrace_is_by_bp(u64 step)
{
	unsigned int kind = step >> KMEMTRACE_STEP_SAVED & KMEMTRACE_STEP_KIND;

	return kind == KMEMTRACE_STEP_BP || kind == KMEMTRACE_STEP_ALIGNED;
}

/* Go to the caller by the frame pointer. Return false if it does not lead up the stack. */
static __always_inline bool kmemtrace_go_by_bp(struct kmemtrace_place *at,
					       unsigned long kind)
{
	unsigned long sp;

	if (at->bp < at->sp || at->bp >= at->top)
		return false;
	if (likely(kind == KMEMTRACE_STEP_BP))
		sp = at->bp + 2 * sizeof(long);
	else
		sp = kmemtrace_word(at->bp - (kind & ~KMEMTRACE_STEP_KIND));
	if (sp <= at->sp)
		return false;
	at->sp = sp;
	at->bp = kmemtrace_word(at->bp);
	return true;
}

/* Go to the caller. Return false if the step does not lead to one on this stack. */
static __always_inline bool kmemtrace_go(struct kmemtrace_place *at, u64 step)
{
	unsigned long saved = step >> KMEMTRACE_STEP_SAVED & KMEMTRACE_STEP_MASK;
	unsigned long size = step >> KMEMTRACE_STEP_SIZE;

	if (unlikely(!size)) {
		if (!kmemtrace_is_by_bp(step) || !kmemtrace_go_by_bp(at, saved))
			return false;
		saved = 0;
	}
	at->sp += size;
	if (unlikely(at->sp > at->top))
		return false;
	if (saved)
		at->bp = kmemtrace_word(at->sp - saved);
	at->addr = kmemtrace_word(at->sp - sizeof(long));
	return true;
}

/* Return the step that the unwind data of a call say; 0 if there is no such step. */
static u64 kmemtrace_orc_step(const struct orc_entry *orc)
{
	const u64 saved = orc->bp_reg == ORC_REG_PREV_SP ? -orc->bp_offset : 0;
	const bool changes_bp = orc->bp_reg != ORC_REG_UNDEFINED;
	u64 kind = 0;

	switch (orc->sp_reg) {
	case ORC_REG_SP:
		if (orc->sp_offset <= 0 || (changes_bp && !saved))
			return 0;
		return (u64)orc->sp_offset << KMEMTRACE_STEP_SIZE |
		       saved << KMEMTRACE_STEP_SAVED;
	case ORC_REG_BP:
		if (orc->sp_offset == 16 && saved == 16)
			kind = KMEMTRACE_STEP_BP;
		break;
	case ORC_REG_BP_INDIRECT:
		if (orc->sp_offset < 0 && orc->bp_reg == ORC_REG_BP &&
		    !orc->bp_offset)
			kind = KMEMTRACE_STEP_ALIGNED - orc->sp_offset;
		break;
	}
	return kind << KMEMTRACE_STEP_SAVED;
}

/*
 * Return whether the call before a return address is that of do_syscall_64(). Only the entry of
 * system calls makes it. A call that was patched to go elsewhere first is not recognized.
 */
static bool kmemtrace_is_syscall(unsigned long addr)
{
	const u8 *call = (const u8 *)addr - CALL_INSN_SIZE;

	return *call == CALL_INSN_OPCODE &&
	       addr + *(const s32 *)(call + 1) == (unsigned long)do_syscall_64;
}

/* Return the end of the stack that has @sp, 0 if it is not known. */
static __always_inline unsigned long kmemtrace_find_top(unsigned long sp)
{
	unsigned long top = (unsigned long)task_pt_regs(current);

	if (likely(top - sp < THREAD_SIZE))
		return top;
	top = raw_cpu_read(kmemtrace_irq_top);
	return top - sp < IRQ_STACK_SIZE ? top : 0;
}

/*
 * Return whether an interrupt or a softirq begins between two frames: their stack ends, or one
 * has interrupted another. What was interrupted has not asked for the memory. An exception on
 * the stack of a task, as a page fault, comes from what the task does.
 */
static bool kmemtrace_is_entry(const struct unwind_state *from,
			       const struct unwind_state *to)
{
	return from->stack_info.type == STACK_TYPE_IRQ &&
	       (to->stack_info.type != STACK_TYPE_IRQ || to->regs != from->regs);
}

/* Return the step of a call; 0 if it may differ another time. */
static u64 kmemtrace_call_step(const struct unwind_state *from,
			       const struct unwind_state *to)
{
	/* The call is before the return address. */
	const struct orc_entry *orc = kmemtrace_orc(from->ip - 1);
	struct kmemtrace_place at = {
		.sp = from->sp,
		.bp = from->bp,
		.top = kmemtrace_find_top(from->sp),
	};
	u64 step = orc ? kmemtrace_orc_step(orc) : 0;

	/* Compare with what the unwinder did: a tracer may have replaced the return address. */
	if (!step || !kmemtrace_go(&at, step) || at.sp != to->sp ||
	    at.bp != to->bp || at.addr != to->ip)
		return 0;
	if (at.sp == at.top && kmemtrace_is_syscall(at.addr))
		return (u64)KMEMTRACE_STEP_SYSCALL << KMEMTRACE_STEP_SAVED;
	return step;
}

/* Return the step between two frames, or to the end; 0 if it may differ another time. */
static u64 kmemtrace_any_step(const struct unwind_state *from,
			      struct unwind_state *to)
{
	const unsigned long bytes = (unsigned long)to->regs - from->sp;
	const bool is_entry = kmemtrace_is_entry(from, to);

	if (from->error || from->signal || to->error)
		return 0;
	if (!unwind_done(to) && to->regs == from->regs && !is_entry)
		return kmemtrace_call_step(from, to);
	if (!kmemtrace_orc(from->ip - 1))
		return 0;
	if (unwind_done(to) || (is_entry && !to->regs))
		return (u64)KMEMTRACE_STEP_END << KMEMTRACE_STEP_SAVED;
	if (!to->regs || !(user_mode(to->regs) || is_entry) ||
	    bytes & KMEMTRACE_STEP_KIND || bytes > KMEMTRACE_STEP_MASK)
		return 0;
	return (u64)(bytes | KMEMTRACE_STEP_REGS) << KMEMTRACE_STEP_SAVED;
}

static void kmemtrace_learn_path(unsigned long addr, u64 step)
{
	u64 *at = &kmemtrace_path_steps[(u16)addr];

	for (unsigned int i = 0; i < KMEMTRACE_STEP_TRIES; i++) {
		u64 old = cmpxchg(&at[i], 0, step | (u32)addr);

		if (!old || (u32)old == (u32)addr)
			return;
	}
}

/* Return the entry of @addr where it is not the first with its index; 0 if there is none. */
static noinline u64 kmemtrace_search_step(unsigned long addr)
{
	const u64 *at = &kmemtrace_path_steps[(u16)addr];

	for (unsigned int i = 1; at[i - 1] && i < KMEMTRACE_STEP_TRIES; i++) {
		u64 step = READ_ONCE(at[i]);

		if ((u32)step == (u32)addr)
			return step;
	}
	return 0;
}

/* Return the entry of @addr, 0 if there is none. */
static __always_inline u64 kmemtrace_path_step(unsigned long addr)
{
	const u64 *at = &kmemtrace_path_steps[(u16)addr];
	u64 step = READ_ONCE(at[0]);

	if (likely((u32)step == (u32)addr))
		return step;
	step = READ_ONCE(at[1]);
	return likely((u32)step == (u32)addr) ? step : kmemtrace_search_step(addr);
}

static __always_inline void kmemtrace_path_begin(struct kmemtrace_path *path)
{
	path->hash = 0;
	path->depth = 0;
	path->is_cut = false;
}

static __always_inline void kmemtrace_path_add(struct kmemtrace_path *path,
					       unsigned long addr)
{
	path->frames[path->depth++] = addr;
	path->hash = kmemtrace_path_hash(path->hash, addr);
}

/*
 * Walk with the unwinder, to the entry of an interrupt or to the end, and store the steps. Return
 * false if @begin was not passed.
 */
static bool kmemtrace_path_unwind(struct kmemtrace_path *path,
				  unsigned long begin, unsigned long *frame)
{
	struct unwind_state state, from;
	unsigned int passed = 0;
	unsigned long addr;

	kmemtrace_path_begin(path);
	unwind_start(&state, current, NULL, &frame[1]);
	if (state.stack_info.type == STACK_TYPE_IRQ)
		raw_cpu_write(kmemtrace_irq_top,
			      (unsigned long)state.stack_info.end);
	while (!unwind_done(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		if (addr == begin || path->depth) {
			if (path->depth == KMEMTRACE_MAX_FRAMES) {
				path->is_cut = true;
				return true;
			}
			kmemtrace_path_add(path, addr);
		} else if (++passed == KMEMTRACE_MAX_PASSED) {
			return false;
		}
		from = state;
		unwind_next_frame(&state);
		if (from.ip == addr) {
			u64 step = kmemtrace_any_step(&from, &state);

			if (step)
				kmemtrace_learn_path(addr, step);
		}
		if (kmemtrace_is_entry(&from, &state))
			break;
	}
	path->is_cut = unwind_error(&state);
	return path->depth;
}

/* Return true if a path ends there. */
static __always_inline bool kmemtrace_is_end(const struct kmemtrace_place *at,
					     u64 step)
{
	unsigned long kind = step >> KMEMTRACE_STEP_SAVED;

	if (kind == KMEMTRACE_STEP_END)
		return true;
	if ((kind & KMEMTRACE_STEP_KIND) != KMEMTRACE_STEP_REGS)
		return false;
	kind = at->sp + (kind & ~KMEMTRACE_STEP_KIND);
	return kind <= at->top && (at->top == raw_cpu_read(kmemtrace_irq_top) ||
				   user_mode((struct pt_regs *)kind));
}

/*
 * Find the frame pointer of the frame behind those of a path: the outermost of them that changed
 * it has saved it. @known of them are inside of that whose frame pointer is known.
 */
static unsigned long kmemtrace_find_bp(const struct kmemtrace_path *path,
				       const struct kmemtrace_place *at,
				       unsigned int known, unsigned int depth)
{
	unsigned long sp = at->sp;

	while (depth-- > known) {
		u64 step = kmemtrace_path_step(path->frames[depth]);
		unsigned int saved = step >> KMEMTRACE_STEP_SAVED &
				     KMEMTRACE_STEP_MASK;

		/* A module goes: its steps were forgotten meanwhile. */
		if (!step)
			return 0;
		if (saved)
			return kmemtrace_word(sp - saved);
		sp -= step >> KMEMTRACE_STEP_SIZE;
	}
	return at->bp;
}

/*
 * Go to the caller of the last frame of a path by a step without a size. Return false if the path
 * ends there, or if the step is not known.
 */
static __always_inline bool kmemtrace_go_far(const struct kmemtrace_path *path,
					     struct kmemtrace_place *at,
					     unsigned int *known,
					     unsigned int depth, u64 step)
{
	const unsigned long kind = step >> KMEMTRACE_STEP_SAVED;

	if (likely(kind == KMEMTRACE_STEP_SYSCALL)) {
		at->sp = at->top;
		return true;
	}
	if (!kmemtrace_is_by_bp(step))
		return false;
	at->bp = kmemtrace_find_bp(path, at, *known, depth);
	*known = depth + 1;
	return kmemtrace_go_by_bp(at, kind);
}

/*
 * Walk a path by stored steps, to the end of the stack. Return false if a step is missing. Few
 * frames need the frame pointer, so it is not kept in between.
 */
static __always_inline bool kmemtrace_path_go(struct kmemtrace_path *path,
					      struct kmemtrace_place at)
{
	unsigned long addr = at.addr, sp = at.sp, depth = 0;
	unsigned int known = 0;
	u64 hash = 0, step, size;

	do {
		path->frames[depth] = addr;
		hash = kmemtrace_path_hash(hash, addr);
		step = kmemtrace_path_step(addr);
		size = step >> KMEMTRACE_STEP_SIZE;
		if (unlikely(!size)) {
			at.sp = sp;
			if (!kmemtrace_go_far(path, &at, &known, depth, step))
				break;
			sp = at.sp;
		}
		sp += size;
		if (unlikely(sp > at.top))
			break;
		addr = kmemtrace_word(sp - sizeof(long));
	} while (++depth < KMEMTRACE_MAX_FRAMES);
	path->hash = hash;
	path->is_cut = depth == KMEMTRACE_MAX_FRAMES;
	path->depth = path->is_cut ? depth : depth + 1;
	return path->is_cut || (!size && kmemtrace_is_end(&at, step));
}

/*
 * Walk by stored steps, on the stack of the task or of interrupts. Return false if a step is
 * missing, the path does not begin there, or an exception of the kernel is in it.
 */
static __always_inline bool kmemtrace_path_follow(struct kmemtrace_path *path,
						  unsigned long begin,
						  unsigned long *frame)
{
	struct kmemtrace_place at = {
		.addr = frame[1],
		.sp = (unsigned long)&frame[2],
		.bp = frame[0],
		.top = kmemtrace_find_top((unsigned long)&frame[2]),
	};

	if (!at.top)
		return false;
	for (int i = 0; at.addr != begin; i++)
		if (i == KMEMTRACE_MAX_PASSED ||
		    !kmemtrace_go(&at, kmemtrace_path_step(at.addr)))
			return false;
	return kmemtrace_path_go(path, at);
}

/* See mm/kmemtrace/path.c. */
noinline void kmemtrace_path_walk(struct kmemtrace_path *path,
				  unsigned long call_site, unsigned long *frame)
{
	if (likely(kmemtrace_path_follow(path, call_site, frame)) ||
	    kmemtrace_path_unwind(path, call_site, frame))
		return;
	kmemtrace_path_begin(path);
	kmemtrace_path_add(path, call_site);
	path->is_cut = true;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_test.c"
#endif
