// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions of the kernel, as they begin and as they end.
 *
 * The function tracer calls @enter as if the function itself did, in any context. A kprobe
 * would not see a call while another kprobe runs on the CPU, such as that of an interrupt. So
 * nothing here protects against recursion: what is called must call no watched function. If
 * others trace the same function, ftrace itself leaves out calls by their callbacks.
 *
 * To see a call end, its return address is replaced, as kretprobes do.
 */
#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rethook.h>
#include <linux/slab.h>
#include <linux/types.h>
#include "functions.h"
#include "symbols.h"

#if !defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS) || !defined(CONFIG_RETHOOK)
#error "kmemtrace needs a kernel with CONFIG_DYNAMIC_FTRACE_WITH_REGS and CONFIG_KPROBES"
#endif

/* Calls of one function that may be in it at the same time: it may sleep for memory. */
#define KMEMTRACE_CALLS		256

/* What the end of a call needs lies behind the node. */
#define KMEMTRACE_CALL_OF(_node)	((void *)((_node) + 1))

static void kmemtrace_leave(struct rethook_node *node, void *data,
#ifdef KMEMTRACE_RETHOOK_HAS_ADDRESS
			    unsigned long return_address,
#endif
			    struct pt_regs *regs)
{
	struct kmemtrace_watch *watch = data;

	watch->leave(KMEMTRACE_CALL_OF(node), regs_return_value(regs));
}

static void kmemtrace_keep(struct kmemtrace_watch *watch, struct pt_regs *regs)
{
	struct rethook_node *node = NULL;

	/* The pool is not for NMIs, which lose their events in any case. */
	if (!in_nmi())
		node = KMEMTRACE_CALL(rethook_try_get)(watch->rethook);
	if (!node) {
		atomic_long_inc(&watch->missed);
		return;
	}
	watch->keep(KMEMTRACE_CALL_OF(node), regs);
	KMEMTRACE_CALL(rethook_hook)(node, regs, true);
}

static void kmemtrace_enter(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct kmemtrace_watch *watch =
		container_of(ops, struct kmemtrace_watch, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);

	preempt_disable_notrace();
	if (watch->leave)
		kmemtrace_keep(watch, regs);
	else
		watch->enter(regs);
	preempt_enable_notrace();
}

/* Give @watch all nodes that it will ever have: nothing is allocated later. */
static struct rethook *kmemtrace_alloc_rethook(struct kmemtrace_watch *watch)
{
	const size_t size = sizeof(struct rethook_node) + watch->size;
#ifdef KMEMTRACE_RETHOOK_HAS_POOL
	struct rethook *rethook =
		KMEMTRACE_CALL(rethook_alloc)(watch, kmemtrace_leave, size,
					      KMEMTRACE_CALLS);

	return IS_ERR_OR_NULL(rethook) ? NULL : rethook;
#else
	struct rethook *rethook =
		KMEMTRACE_CALL(rethook_alloc)(watch, kmemtrace_leave);

	for (int i = 0; rethook && i < KMEMTRACE_CALLS; i++) {
		struct rethook_node *node = kzalloc(size, GFP_KERNEL);

		if (node) {
			KMEMTRACE_CALL(rethook_add_node)(rethook, node);
		} else {
			KMEMTRACE_CALL(rethook_free)(rethook);
			rethook = NULL;
		}
	}
	return rethook;
#endif
}

/**
 * kmemtrace_watch_init - say which function is watched
 * @watch: what is to be called; zeros otherwise
 * @function: its address
 *
 * Context: task, may sleep.
 * Return: 0 or -errno; in any case, kmemtrace_watch_free() has to follow.
 */
int kmemtrace_watch_init(struct kmemtrace_watch *watch, unsigned long function)
{
	watch->ops.func = kmemtrace_enter;
	/* With PERMANENT, sysctl kernel.ftrace_enabled can't switch it off. */
	watch->ops.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT;
	return ftrace_set_filter_ip(&watch->ops, function, 0, 1);
}

/**
 * kmemtrace_watch_begin - watch the function from now on
 * @watch: after kmemtrace_watch_init()
 *
 * Context: task, may sleep.
 * Return: 0; -ENOMEM; -EBUSY: the function tracer is switched off.
 */
int kmemtrace_watch_begin(struct kmemtrace_watch *watch)
{
	int ret;

	atomic_long_set(&watch->missed, 0);
	if (watch->leave) {
		watch->rethook = kmemtrace_alloc_rethook(watch);
		if (!watch->rethook)
			return -ENOMEM;
	}
	ret = register_ftrace_function(&watch->ops);
	if (ret && watch->leave) {
		KMEMTRACE_CALL(rethook_free)(watch->rethook);
		watch->rethook = NULL;
	}
	return ret;
}

/**
 * kmemtrace_watch_end - undo kmemtrace_watch_begin()
 * @watch: it
 *
 * @leave may run until synchronize_rcu() returns. It is not called at the end of a call
 * that ends later.
 *
 * Context: task, may sleep.
 */
void kmemtrace_watch_end(struct kmemtrace_watch *watch)
{
	/* ftrace has given up after an error of its own, and may call this module for good. */
	if (WARN_ON(unregister_ftrace_function(&watch->ops))) {
		__module_get(THIS_MODULE);
		return;
	}
	if (watch->rethook)
		KMEMTRACE_CALL(rethook_free)(watch->rethook);
	watch->rethook = NULL;
}

/**
 * kmemtrace_watch_free - undo kmemtrace_watch_init()
 * @watch: it
 *
 * Context: task, may sleep.
 */
void kmemtrace_watch_free(struct kmemtrace_watch *watch)
{
	ftrace_free_filter(&watch->ops);
}
