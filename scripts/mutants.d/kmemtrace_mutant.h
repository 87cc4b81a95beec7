/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defects of the hooks that a test switches on at run time. They are only in the
 * kernel of scripts/mutants, and not in the series.
 */
#ifndef _LINUX_KMEMTRACE_MUTANT_H
#define _LINUX_KMEMTRACE_MUTANT_H

#include <linux/irqflags.h>
#include <linux/percpu.h>

enum kmemtrace_mutation {
	KMEMTRACE_RIGHT,
	KMEMTRACE_REMOVED,
	KMEMTRACE_DOUBLED,
	KMEMTRACE_RETYPED,
};

/**
 * struct kmemtrace_mutant - one hook
 * @hook: name of its marker
 * @file: source file of the call
 * @function: function of the call
 * @line: line of the call
 * @mutation: enum kmemtrace_mutation, its defect
 * @hits: number of calls while the marker had a probe
 *
 * The alignment is that of the section, so that the linker makes an array of them.
 */
struct kmemtrace_mutant {
	const char	*hook;
	const char	*file;
	const char	*function;
	unsigned int	line;
	unsigned int	mutation;
	atomic64_t	hits;
} __aligned(64);

DECLARE_PER_CPU(u8, kmemtrace_retype);

#undef marker_call
#define marker_call(_name, ...)						\
do {									\
	static struct kmemtrace_mutant __mutant __used			\
		__section("__kmemtrace_mutants") = {			\
		.hook = #_name, .file = __FILE__,			\
		.function = __func__, .line = __LINE__,			\
	};								\
	unsigned long __flags;						\
									\
	if (!__marker_enabled_##_name())				\
		break;							\
	atomic64_inc(&__mutant.hits);					\
	switch (READ_ONCE(__mutant.mutation)) {				\
	case KMEMTRACE_REMOVED:						\
		break;							\
	case KMEMTRACE_DOUBLED:						\
		__marker_call_##_name(__VA_ARGS__);			\
		fallthrough;						\
	case KMEMTRACE_RIGHT:						\
		__marker_call_##_name(__VA_ARGS__);			\
		break;							\
	case KMEMTRACE_RETYPED:						\
		raw_local_irq_save(__flags);				\
		raw_cpu_write(kmemtrace_retype, 1);			\
		__marker_call_##_name(__VA_ARGS__);			\
		raw_cpu_write(kmemtrace_retype, 0);			\
		raw_local_irq_restore(__flags);				\
		break;							\
	}								\
} while (0)

#endif /* _LINUX_KMEMTRACE_MUTANT_H */
