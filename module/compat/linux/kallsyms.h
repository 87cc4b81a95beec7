/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to these functions: symbols.c finds them. */
#ifndef _COMPAT_LINUX_KALLSYMS_H
#define _COMPAT_LINUX_KALLSYMS_H

#include_next <linux/kallsyms.h>
#include <symbols.h>

#define kallsyms_lookup_name		kmemtrace_lookup_wrapper
#define kallsyms_lookup_size_offset	KMEMTRACE_CALL(kallsyms_lookup_size_offset)

#endif /* _COMPAT_LINUX_KALLSYMS_H */
