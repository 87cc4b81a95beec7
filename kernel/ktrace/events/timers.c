// SPDX-License-Identifier: GPL-2.0
/* Markers of timers. */
#include <linux/markers/timers.h>

DEFINE_MARKER(timer_set);
DEFINE_MARKER(timer_expire);
DEFINE_MARKER(hrtimer_set);
DEFINE_MARKER(hrtimer_expire);
