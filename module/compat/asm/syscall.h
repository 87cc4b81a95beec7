/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to the entry of system calls: symbols.c finds what it calls. */
#ifndef _COMPAT_ASM_SYSCALL_H
#define _COMPAT_ASM_SYSCALL_H

#include_next <asm/syscall.h>
#include <symbols.h>

#define do_syscall_64			kmemtrace_symbol_do_syscall_64

#endif /* _COMPAT_ASM_SYSCALL_H */
