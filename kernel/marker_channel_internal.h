/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of marker channels. */
#ifndef __KERNEL_MARKER_CHANNEL_INTERNAL_H
#define __KERNEL_MARKER_CHANNEL_INTERNAL_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/marker_channel.h>
#include <linux/relay.h>
#include <linux/types.h>

struct file;
struct poll_table_struct;
struct vm_area_struct;
struct work_struct;

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

/* Return whether a reader has or can take a sub-buffer. */
static inline bool marker_channel_readable(struct marker_channel_cpu *pcpu)
{
	struct rchan_buf *buf = marker_channel_buf(pcpu);

	return buf && ((pcpu->ring && READ_ONCE(pcpu->ring->taken) >= 0) ||
		       marker_channel_ready(buf));
}

/* Return whether the channel is stopped, so that no more will be published. */
static inline bool marker_channel_flushed(struct marker_channel *channel)
{
	/* Pairs with the release in marker_channel_stop(): sub-buffers first. */
	return smp_load_acquire(&channel->flushed);
}

/*
 * Return whether the CPU's buffer is half full and may grow. The caller is the CPU, or holds
 * the channel's lock.
 */
static inline bool marker_channel_is_short(struct marker_channel_cpu *pcpu)
{
	size_t produced, consumed, n = READ_ONCE(pcpu->n_subbufs);
	struct rchan_buf *buf = marker_channel_buf(pcpu);

	if (n >= READ_ONCE(pcpu->channel->n_most) || pcpu->ring || !buf ||
	    READ_ONCE(pcpu->mapped))
		return false;
	produced = READ_ONCE(buf->subbufs_produced);
	consumed = READ_ONCE(buf->subbufs_consumed);
	return produced - consumed >= n / 2 &&
	       (produced < n || (produced == n && !consumed));
}

bool marker_channel_fits(const struct marker_channel *channel,
			 size_t n_subbufs);
struct rchan_buf *marker_channel_open(struct marker_channel *channel,
				      unsigned int cpu, size_t n_subbufs,
				      struct rchan **rchan);
void marker_channel_tell_buf(struct marker_channel *channel,
			     struct rchan_buf *buf);
int marker_channel_add_buf(struct marker_channel *channel, unsigned int cpu);
void marker_channel_remove_buf(struct marker_channel_cpu *pcpu);

void marker_channel_grow(struct work_struct *work);

void marker_channel_end_subbuf(struct marker_channel_cpu *pcpu);
void marker_channel_end_subbuf_if_spare(struct marker_channel_cpu *pcpu);
void marker_channel_flush_one(struct marker_channel_cpu *pcpu);

int marker_channel_set_subbufs(struct marker_channel *channel, size_t n_subbufs);

int marker_channel_init_ring(struct marker_channel_cpu *pcpu);
void marker_channel_free_ring(struct marker_channel_cpu *pcpu);
int marker_channel_pop(struct marker_channel_cpu *pcpu);
void marker_channel_take(struct marker_channel_cpu *pcpu);
void marker_channel_give_back(struct marker_channel_cpu *pcpu);

/**
 * struct marker_channel_span - what a reader may read, see marker_channel_claim()
 * @from: its first byte
 * @bytes: number of bytes, at least 1
 * @sequence: number of its sub-buffer, counted in the CPU's stream
 * @offset: offset of @from in the buffer
 * @position: position of @from for ioctls
 */
struct marker_channel_span {
	const char	*from;
	size_t		bytes;
	u64		sequence;
	size_t		offset;
	u64		position;
};

bool marker_channel_claim(struct marker_channel_cpu *pcpu,
			  struct marker_channel_span *span);
void marker_channel_consume(struct marker_channel_cpu *pcpu);
ssize_t marker_channel_read_some(struct marker_channel_cpu *pcpu,
				 char __user *to, size_t count);
__poll_t marker_channel_poll_cpu(struct marker_channel_cpu *pcpu,
				 struct file *file,
				 struct poll_table_struct *wait);
int marker_channel_map(struct marker_channel_cpu *pcpu,
		       struct vm_area_struct *vma, u64 *generation);

#endif /* __KERNEL_MARKER_CHANNEL_INTERNAL_H */
