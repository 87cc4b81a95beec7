/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_COUNTERS_H
#define KMEMTRACED_COUNTERS_H

#include <stdint.h>

#include "daemon/recorder.h"
#include "daemon/settings.h"

/* Nanoseconds between readings if nobody chose another number. */
#define COUNTERS_INTERVAL	UINT64_C(1000000000)

/**
 * struct counters_options - how to read the kernel's counters
 * @interval_ns: time between two readings
 * @proc: the directory /proc, or another one with such files
 */
struct counters_options {
	uint64_t	interval_ns;
	const char	*proc;
};

enum verdict counters_run(const struct recorder *recorder, const struct settings *set,
			  const struct counters_options *options);

#endif /* KMEMTRACED_COUNTERS_H */
