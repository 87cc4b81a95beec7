/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_KMEMTRACE_H
#define KMEMTRACED_KMEMTRACE_H

#include <stdbool.h>

#include "daemon/recorder.h"

/**
 * struct kmemtrace_wishes - how the next trace shall be
 * @no_baseline: it does not begin with what is live
 * @n_subbufs: sub-buffers of each CPU; 0: as many as the kernel has chosen
 * @proc: the directory /proc, whose counters it shall have if the recorder can't list all that
 *	is live; NULL: it shall have none
 */
struct kmemtrace_wishes {
	bool		no_baseline;
	unsigned long	n_subbufs;
	const char	*proc;
};

extern struct kmemtrace_wishes kmemtrace_wishes;
extern const struct recorder kmemtrace;

#endif /* KMEMTRACED_KMEMTRACE_H */
