/* SPDX-License-Identifier: GPL-2.0 */
/* The size of kmemtrace's buffers. */
#ifndef _MM_KMEMTRACE_SIZE_H
#define _MM_KMEMTRACE_SIZE_H

#include <linux/init.h>
#include <linux/mm.h>
#include <linux/sizes.h>

/* A sub-buffer must hold the longest record in one piece. */
#define KMEMTRACE_MIN_SUBBUF	PAGE_ALIGN((unsigned long)SZ_16K)

void __init kmemtrace_size_buffers(size_t *subbuf_size, size_t *n_subbufs);

#endif /* _MM_KMEMTRACE_SIZE_H */
