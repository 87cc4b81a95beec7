/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of marker channels. */
#ifndef __KERNEL_MARKER_CHANNEL_INTERNAL_H
#define __KERNEL_MARKER_CHANNEL_INTERNAL_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/marker_channel.h>
#include <linux/relay.h>

/* Return the CPU's buffer, or NULL. */
static inline struct rchan_buf *
marker_channel_buf(struct marker_channel_cpu *pcpu)
{
	/* Pairs with the release in marker_channel_add_buf(): contents first. */
	return smp_load_acquire(&pcpu->buf);
}

/* Return whether there is a published sub-buffer that was not consumed. */
static inline bool marker_channel_ready(struct rchan_buf *buf)
{
	/* Pairs with the release in marker_channel_publish(): data first. */
	return buf && smp_load_acquire(&buf->subbufs_produced) !=
		      READ_ONCE(buf->subbufs_consumed);
}

/* Return whether the channel is stopped, so that no more will be published. */
static inline bool marker_channel_flushed(struct marker_channel *channel)
{
	/* Pairs with the release in marker_channel_stop(): sub-buffers first. */
	return smp_load_acquire(&channel->flushed);
}

void marker_channel_end_subbuf(struct marker_channel_cpu *pcpu);
void marker_channel_end_subbuf_if_spare(struct marker_channel_cpu *pcpu);

#endif /* __KERNEL_MARKER_CHANNEL_INTERNAL_H */
