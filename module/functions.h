/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of functions of the kernel, as they begin and as they end. */
#ifndef _KMEMTRACE_FUNCTIONS_H
#define _KMEMTRACE_FUNCTIONS_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/rethook.h>
#include <linux/types.h>

/**
 * struct kmemtrace_watch - a function whose calls are watched
 * @enter: called when a call begins, with the registers of its first instruction; or NULL
 * @keep: the same, for @leave: keeps in @call what the end of the call needs; or NULL
 * @leave: called when a call ends, with its result
 * @size: bytes of @call
 * @ops: of the function tracer
 * @rethook: replaces the return addresses of calls that have to be seen to end
 * @missed: calls that were not, because too many had begun and not ended, or in an NMI
 */
struct kmemtrace_watch {
	void			(*enter)(struct pt_regs *regs);
	void			(*keep)(void *call, struct pt_regs *regs);
	void			(*leave)(void *call, unsigned long result);
	size_t			size;
	struct ftrace_ops	ops;
	struct rethook		*rethook;
	atomic_long_t		missed;
};

int kmemtrace_watch_init(struct kmemtrace_watch *watch, unsigned long function);
int kmemtrace_watch_begin(struct kmemtrace_watch *watch);
void kmemtrace_watch_end(struct kmemtrace_watch *watch);
void kmemtrace_watch_free(struct kmemtrace_watch *watch);

#endif /* _KMEMTRACE_FUNCTIONS_H */
