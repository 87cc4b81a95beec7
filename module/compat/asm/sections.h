/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to the bounds of sections: symbols.c finds them. */
#ifndef _COMPAT_ASM_SECTIONS_H
#define _COMPAT_ASM_SECTIONS_H

#include_next <asm/sections.h>
#include <symbols.h>

#define __irqentry_text_start		kmemtrace_symbol___irqentry_text_start
#define __irqentry_text_end		kmemtrace_symbol___irqentry_text_end
#define __softirqentry_text_start	kmemtrace_symbol___softirqentry_text_start
#define __softirqentry_text_end		kmemtrace_symbol___softirqentry_text_end

#endif /* _COMPAT_ASM_SECTIONS_H */
