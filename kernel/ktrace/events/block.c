// SPDX-License-Identifier: GPL-2.0
/* Markers of block devices. */
#include <linux/markers/block.h>

DEFINE_MARKER(block_issue);
DEFINE_MARKER(block_complete);
