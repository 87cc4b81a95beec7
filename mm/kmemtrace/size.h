/* SPDX-License-Identifier: GPL-2.0 */
/* How large the buffers of kmemtrace are. */
#ifndef _MM_KMEMTRACE_SIZE_H
#define _MM_KMEMTRACE_SIZE_H

#include <linux/init.h>
#include <linux/mm.h>
#include <linux/sizes.h>

/* Relay and readers take a record in one piece, and some records are long. */
#define KMEMTRACE_MIN_SUBBUF	PAGE_ALIGN((unsigned long)SZ_16K)

void __init kmemtrace_size_buffers(size_t *subbuf_size, size_t *n_subbufs);

#endif /* _MM_KMEMTRACE_SIZE_H */
