/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of newer kernels that the test modules use. */
#ifndef MARKER_COMPAT_H
#define MARKER_COMPAT_H

#include <linux/hrtimer.h>

static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *timer),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

#endif
