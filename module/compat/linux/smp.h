/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this limit, which counts during boot alone. */
#ifndef _COMPAT_LINUX_SMP_H
#define _COMPAT_LINUX_SMP_H

#include_next <linux/smp.h>

#undef setup_max_cpus
#define setup_max_cpus	nr_cpu_ids

#endif /* _COMPAT_LINUX_SMP_H */
