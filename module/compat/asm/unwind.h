/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to the unwind data: symbols.c finds it. */
#ifndef _COMPAT_ASM_UNWIND_H
#define _COMPAT_ASM_UNWIND_H

#include_next <asm/unwind.h>
#include <symbols.h>

#define __start_orc_unwind_ip		\
	((const int *)kmemtrace_symbol___start_orc_unwind_ip)
#define __stop_orc_unwind_ip		\
	((const int *)kmemtrace_symbol___stop_orc_unwind_ip)
#define __start_orc_unwind		\
	((const struct orc_entry *)kmemtrace_symbol___start_orc_unwind)

#endif /* _COMPAT_ASM_UNWIND_H */
