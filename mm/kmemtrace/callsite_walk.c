// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the caller of the page allocator with a stack walk. An architecture with a
 * faster way defines its own kmemtrace_callsite_from().
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

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
	struct kmemtrace_search search = { .probe = _RET_IP_ };

	kmemtrace_walk(&search);
	return search.call_site ?: _RET_IP_;
}
EXPORT_SYMBOL_IF_KUNIT(kmemtrace_callsite_from);
