// SPDX-License-Identifier: GPL-2.0
/* Markers of interrupts and softirqs. */
#include <linux/markers/irq.h>

DEFINE_MARKER(irq_handler_entry);
DEFINE_MARKER(irq_handler_exit);
DEFINE_MARKER(softirq_entry);
DEFINE_MARKER(softirq_exit);
