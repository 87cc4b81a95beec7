// SPDX-License-Identifier: GPL-2.0
/* Markers of the scheduler. */
#include <linux/markers/sched.h>

DEFINE_MARKER(sched_switch);
DEFINE_MARKER(sched_wakeup);
DEFINE_MARKER(sched_migrate);
DEFINE_MARKER(process_fork);
DEFINE_MARKER(process_exec);
DEFINE_MARKER(process_exit);
