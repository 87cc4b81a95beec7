/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __SAMPLES_MARKER_SAMPLE_H
#define __SAMPLES_MARKER_SAMPLE_H

#include <linux/marker.h>

/* A counter was incremented. */
DECLARE_MARKER(sample_count,
	MARKER_PARAMS(unsigned long count, const char *who),
	MARKER_ARGS(count, who),
	"count %lu who %s")

#endif /* __SAMPLES_MARKER_SAMPLE_H */
