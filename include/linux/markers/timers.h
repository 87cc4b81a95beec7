/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of timers.
 *
 * The address of a timer tells it from others while it exists; that of its function tells
 * what it is for. The markers that set a timer are called with the lock of the timers
 * of a CPU held: a probe must not use timers.
 */
#ifndef _LINUX_MARKERS_TIMERS_H
#define _LINUX_MARKERS_TIMERS_H

#include <linux/marker.h>
#include <linux/types.h>

/*
 * A timer is set to the time @expires; @now is the time, both in jiffies. The timer
 * wheel may run the function later. Also called when a pending timer moves to another
 * time or from a CPU that goes offline. Not called if a pending timer stays in its bucket
 * of the wheel.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_TIMERS, timer_set,
	MARKER_PARAMS(unsigned long timer, unsigned long function,
		      unsigned long expires, unsigned long now),
	MARKER_ARGS(timer, function, expires, now),
	"timer %lx function %lx expires %lu now %lu")

/* The timer expired, and its function begins, in a softirq. */
DECLARE_MARKER_IF(CONFIG_KTRACE_TIMERS, timer_expire,
	MARKER_PARAMS(unsigned long timer, unsigned long function),
	MARKER_ARGS(timer, function),
	"timer %lx function %lx")

/*
 * A high-resolution timer is set to the time @expires, in nanoseconds of its clock.
 * @mode has the bits HRTIMER_MODE_... . Also called when its function starts it again.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_TIMERS, hrtimer_set,
	MARKER_PARAMS(unsigned long timer, unsigned long function,
		      s64 expires, unsigned int mode),
	MARKER_ARGS(timer, function, expires, mode),
	"timer %lx function %lx expires %lld mode %x")

/*
 * The high-resolution timer expired, and its function begins. @now is the time of its
 * clock in nanoseconds, as the interrupt has read it.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_TIMERS, hrtimer_expire,
	MARKER_PARAMS(unsigned long timer, unsigned long function, s64 now),
	MARKER_ARGS(timer, function, now),
	"timer %lx function %lx now %lld")

#endif /* _LINUX_MARKERS_TIMERS_H */
