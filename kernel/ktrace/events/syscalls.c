// SPDX-License-Identifier: GPL-2.0
/* Markers of system calls. */
#include <linux/markers/syscalls.h>

DEFINE_MARKER(syscall_entry);
DEFINE_MARKER(syscall_exit);
