/* SPDX-License-Identifier: GPL-2.0 */
/*
 * See <linux/init.h>: here, each initcall is the only one of a module. And modules can't link to
 * the function below: symbols.c finds it.
 */
#ifndef _COMPAT_LINUX_MODULE_H
#define _COMPAT_LINUX_MODULE_H

#undef core_initcall
#undef late_initcall
#include_next <linux/module.h>
#include <initcalls.h>
#include <symbols.h>

#define __module_text_address		KMEMTRACE_CALL(__module_text_address)

#endif /* _COMPAT_LINUX_MODULE_H */
