/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks that can be made wrong while the kernel runs, to see which test notices.
 * Only in the kernel of scripts/mutants: no part of the series.
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
 * @hook: its marker
 * @file: where it stands
 * @function: where it stands
 * @line: where it stands
 * @mutation: enum kmemtrace_mutation
 * @hits: how often it was passed while its marker had a probe
 *
 * The linker puts them side by side: the alignment leaves no gaps.
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
