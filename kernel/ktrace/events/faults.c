// SPDX-License-Identifier: GPL-2.0
/* Markers of page faults. */
#include <linux/markers/faults.h>

DEFINE_MARKER(page_fault);
DEFINE_MARKER(page_fault_exit);
