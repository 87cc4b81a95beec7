// SPDX-License-Identifier: GPL-2.0
/* Markers of files. */
#include <linux/markers/files.h>

DEFINE_MARKER(file_read);
DEFINE_MARKER(file_write);

/* btrfs can be a module. */
EXPORT_MARKER_SYMBOL_GPL(file_read);
EXPORT_MARKER_SYMBOL_GPL(file_write);
