/* SPDX-License-Identifier: GPL-2.0 */
/*
 * References to counted objects, for kmemtrace.
 *
 * A subsystem calls kmemtrace_ref() beside each change of a reference count. While nothing records
 * the kind, a call is one NOP. Its arguments are evaluated only while the kind is recorded.
 */
#ifndef _LINUX_KMEMTRACE_REF_H
#define _LINUX_KMEMTRACE_REF_H

#include <linux/minmax.h>
#ifdef CONFIG_KMEMTRACE_REFS
#include <linux/marker_defs.h>
#endif

/* The count is not known, as other CPUs may have changed it. */
#define KMEMTRACE_REF_COUNT_UNKNOWN	(-1)

#ifdef CONFIG_KMEMTRACE_REFS
/* Declare a kind of counted objects, see DEFINE_KMEMTRACE_REF(). */
#define DECLARE_KMEMTRACE_REF(_kind)					\
	extern struct marker __marker_ref_##_kind;			\
	void kmemtrace_ref_##_kind(const void *object, int change, int count)
#else
#define DECLARE_KMEMTRACE_REF(_kind)	struct marker
#endif

/**
 * kmemtrace_ref - record that references to an object were taken or dropped
 * @_kind: the kind of the object
 * @_object: its address
 * @_change: how many; negative: they were dropped; 0: nothing is recorded
 * @_count: references that there are now, if that is known: @_change of a new object, 0 after the
 *	last one was dropped; else KMEMTRACE_REF_COUNT_UNKNOWN
 */
#ifdef CONFIG_KMEMTRACE_REFS
#define kmemtrace_ref(_kind, _object, _change, _count)			\
do {									\
	if (static_branch_unlikely(&__marker_ref_##_kind.key)) {	\
		kmemtrace_ref_##_kind(_object, _change, _count);	\
		/* The return address is the call site: no tail call. */ \
		barrier();						\
	}								\
} while (0)
#else
#define kmemtrace_ref(_kind, _object, _change, _count)			\
do {									\
	if (0) {							\
		(void)(_object);					\
		(void)(_change);					\
		(void)(_count);						\
	}								\
} while (0)
#endif

/*
 * The same after one reference was taken to an object that had some. Other CPUs may have dropped
 * them before @_count was read: the object is not new in any case.
 */
#define kmemtrace_ref_get(_kind, _object, _count)			\
	kmemtrace_ref(_kind, _object, 1, max_t(int, _count, 2))

/* The same after one reference was dropped: @_is_last is true if there is none any more. */
#define kmemtrace_ref_put(_kind, _object, _is_last)			\
	kmemtrace_ref(_kind, _object, -1,				\
		      (_is_last) ? 0 : KMEMTRACE_REF_COUNT_UNKNOWN)

#endif /* _LINUX_KMEMTRACE_REF_H */
