/* SPDX-License-Identifier: GPL-2.0 */
/* See <linux/init.h>: here, each initcall is the only one of a module. */
#ifndef _COMPAT_LINUX_MODULE_H
#define _COMPAT_LINUX_MODULE_H

#undef core_initcall
#undef late_initcall
#include_next <linux/module.h>
#include <initcalls.h>

#endif /* _COMPAT_LINUX_MODULE_H */
