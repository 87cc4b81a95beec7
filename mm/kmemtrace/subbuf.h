/* SPDX-License-Identifier: GPL-2.0 */
/* The records that begin a sub-buffer, and the PADs that fill its tail. */
#ifndef _MM_KMEMTRACE_SUBBUF_H
#define _MM_KMEMTRACE_SUBBUF_H

#include <linux/types.h>

struct marker_channel_cpu;
struct marker_channel_loss;

size_t kmemtrace_begin_subbuf(struct marker_channel_cpu *end, size_t sequence,
			      void *to);
void kmemtrace_fill_subbuf(void *to, size_t bytes);
void kmemtrace_reset_reported(void);
struct marker_channel_loss
kmemtrace_unreported(unsigned int cpu, struct marker_channel_loss lost);

#endif /* _MM_KMEMTRACE_SUBBUF_H */
