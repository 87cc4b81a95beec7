/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_KMEMTRACE_H
#define KMEMTRACED_KMEMTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/recorder.h"

/**
 * struct kmemtrace_wishes - how the next trace shall be
 * @no_baseline: it has no snapshot of what is live
 * @overwrite: the newest events replace the oldest ones
 * @sample: it has one of so many small slab objects; NULL: as many as the kernel has chosen
 * @with: what is recorded with each allocation: words as the kernel's file "with" takes them;
 *	NULL: what the kernel has chosen
 * @n_subbufs: sub-buffers of each CPU; 0: as many as the kernel has chosen
 * @proc: the directory /proc, whose counters it shall have if the recorder can't list all that
 *	is live; NULL: it shall have none
 * @look_ns: how often to look for events that end it; 0: never
 * @until_proc: the directory /proc that has these events
 */
struct kmemtrace_wishes {
	bool		no_baseline;
	bool		overwrite;
	const char	*sample;
	const char	*with;
	unsigned long	n_subbufs;
	const char	*proc;
	uint64_t	look_ns;
	const char	*until_proc;
};

extern struct kmemtrace_wishes kmemtrace_wishes;
extern const struct recorder kmemtrace;

#endif /* KMEMTRACED_KMEMTRACE_H */
