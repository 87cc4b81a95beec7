/* SPDX-License-Identifier: GPL-2.0 */
/* A macro of newer kernels. */
#ifndef _COMPAT_LINUX_CACHEINFO_H
#define _COMPAT_LINUX_CACHEINFO_H

#include_next <linux/cacheinfo.h>

/* The addresses of a page may have other cache lines each. */
#ifndef cpu_dcache_is_aliasing
#include <linux/cacheflush.h>
#define cpu_dcache_is_aliasing()	ARCH_IMPLEMENTS_FLUSH_DCACHE_PAGE
#endif

#endif /* _COMPAT_LINUX_CACHEINFO_H */
