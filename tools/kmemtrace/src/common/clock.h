/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of CLOCK_MONOTONIC.
 */
#ifndef KMEMTRACE_CLOCK_H
#define KMEMTRACE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC	UINT64_C(1000000000)
#define NSEC_PER_MSEC	UINT64_C(1000000)

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Return the milliseconds until @ns, rounded up, for poll(); 0 if it has passed, a day at most. */
static inline int ms_until(uint64_t ns)
{
	const uint64_t now = now_ns(), left = ns > now ? ns - now : 0, day = 86400 * NSEC_PER_SEC;

	return ((left < day ? left : day) + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
}

#endif /* KMEMTRACE_CLOCK_H */
