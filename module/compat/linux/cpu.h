/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this check. */
#ifndef _COMPAT_LINUX_CPU_H
#define _COMPAT_LINUX_CPU_H

#include_next <linux/cpu.h>

#define lockdep_assert_cpus_held()	do { } while (0)

#endif /* _COMPAT_LINUX_CPU_H */
