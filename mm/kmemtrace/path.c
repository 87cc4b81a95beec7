// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the call path of an allocation, by the kernel's own interface. An architecture with a
 * faster way defines its own kmemtrace_path_walk().
 */
#include <kunit/visibility.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <asm/sections.h>
#include "path.h"

/**
 * struct kmemtrace_walk - a walk through the stack
 * @path: result
 * @begin: where the path begins, 0 if the walk is there
 * @passed: number of addresses before @begin
 */
struct kmemtrace_walk {
	struct kmemtrace_path	*path;
	unsigned long		begin;
	unsigned int		passed;
};

/*
 * The function that runs softirqs. Where compilers make sibling calls, the one that calls it from
 * the section for entries is not on the stack.
 */
static unsigned long kmemtrace_softirqs, kmemtrace_softirqs_size;

static bool kmemtrace_is_between(unsigned long addr, const char *start,
				 const char *end)
{
	return addr >= (unsigned long)start && addr < (unsigned long)end;
}

/*
 * Return whether an interrupt or a softirq begins there. What was interrupted has not asked for
 * the memory.
 */
static bool kmemtrace_is_entry(unsigned long addr)
{
	if (in_hardirq())
		return kmemtrace_is_between(addr, __irqentry_text_start,
					    __irqentry_text_end);
	return in_serving_softirq() &&
	       (addr - kmemtrace_softirqs < kmemtrace_softirqs_size ||
		kmemtrace_is_between(addr, __softirqentry_text_start,
				     __softirqentry_text_end));
}

/* Return true as long as the walk must continue. */
static bool kmemtrace_walk_add(void *cookie, unsigned long addr)
{
	struct kmemtrace_walk *walk = cookie;
	struct kmemtrace_path *path = walk->path;

	if (walk->begin && addr != walk->begin)
		return ++walk->passed < 2 * KMEMTRACE_MAX_PASSED;
	walk->begin = 0;
	if (path->depth == KMEMTRACE_MAX_FRAMES) {
		path->is_cut = true;
		return false;
	}
	path->frames[path->depth++] = addr;
	path->hash = kmemtrace_path_hash(path->hash, addr);
	return !kmemtrace_is_entry(addr);
}

/* Walk from @begin on. */
static void kmemtrace_walk_from(struct kmemtrace_path *path, unsigned long begin)
{
	struct kmemtrace_walk walk = { .path = path, .begin = begin };

	path->depth = 0;
	path->hash = 0;
	path->is_cut = false;
#ifdef CONFIG_ARCH_STACKWALK
	arch_stack_walk(kmemtrace_walk_add, &walk, current, NULL);
#else
	unsigned long entries[KMEMTRACE_MAX_FRAMES + KMEMTRACE_MAX_PASSED];
	unsigned int n = stack_trace_save(entries, ARRAY_SIZE(entries), 0);

	for (unsigned int i = 0; i < n; i++)
		if (!kmemtrace_walk_add(&walk, entries[i]))
			break;
#endif
}

/**
 * kmemtrace_path_init - get the memory that walks need
 *
 * Context: task, or the boot CPU; before the first walk.
 * Return: 0 or -errno; kmemtrace_path_exit() frees it in any case.
 */
int __weak kmemtrace_path_init(void)
{
	unsigned long addr = kallsyms_lookup_name("handle_softirqs"), offset;

	/* Linux 6.1 does not have it in all versions. */
	if (kallsyms_lookup_size_offset(addr, &kmemtrace_softirqs_size, &offset))
		kmemtrace_softirqs = addr;
	return 0;
}

/**
 * kmemtrace_path_exit - free what kmemtrace_path_init() got, if it did
 *
 * Context: task, or the boot CPU; after the last walk.
 */
void __weak kmemtrace_path_exit(void)
{
}

/**
 * kmemtrace_path_walk - walk the call path of an allocation
 * @path: result
 * @call_site: return address into the caller of the allocator, where it begins
 * @frame: __builtin_frame_address(0) of the caller
 *
 * A path ends where an interrupt or a softirq begins. One whose stack does not have @call_site is
 * that one address.
 *
 * Context: any but NMI.
 */
noinline void __weak kmemtrace_path_walk(struct kmemtrace_path *path,
					 unsigned long call_site,
					 unsigned long *frame)
{
	kmemtrace_walk_from(path, call_site);
	if (path->depth)
		return;
	path->frames[path->depth++] = call_site;
	path->hash = kmemtrace_path_hash(path->hash, call_site);
	path->is_cut = true;
}
EXPORT_SYMBOL_IF_KUNIT(kmemtrace_path_walk);

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "path_test.c"
#endif
