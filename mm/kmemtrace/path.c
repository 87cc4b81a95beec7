// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the call path of an allocation, by the kernel's own interface. An architecture with a
 * faster way defines its own kmemtrace_path_walk().
 */
#include <kunit/visibility.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
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
	return true;
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
 * A path whose stack does not have @call_site is that one address.
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
