/* SPDX-License-Identifier: GPL-2.0 */
/* main.c calls what is an initcall or a boot parameter of a built-in recorder. */
#ifndef _COMPAT_LINUX_INIT_H
#define _COMPAT_LINUX_INIT_H

#include_next <linux/init.h>
#include <initcalls.h>

#endif /* _COMPAT_LINUX_INIT_H */
