/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this function: symbols.c finds it. */
#ifndef _COMPAT_LINUX_KERNEL_H
#define _COMPAT_LINUX_KERNEL_H

#include_next <linux/kernel.h>
#include <symbols.h>

#define core_kernel_text		KMEMTRACE_CALL(core_kernel_text)

#endif /* _COMPAT_LINUX_KERNEL_H */
