// SPDX-License-Identifier: GPL-2.0
/*
 * Marker channels whose buffers grow during boot.
 *
 * Before user space reads, a buffer must hold all records of its CPU. Which CPU needs a
 * large one is not known when they are allocated. So a CPU whose buffer is half full gets a
 * larger one, as long as the channel has sub-buffers to spare.
 *
 * A buffer that never was full has each sub-buffer at its number in the stream, and so has
 * the larger one. The CPU publishes its current sub-buffer and goes on in the larger buffer.
 * Then those that are published and not consumed are copied, which no reader sees before.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "marker_channel_internal.h"

/**
 * struct marker_channel_larger - a buffer that replaces a smaller one
 * @pcpu: the CPU
 * @buf: the buffer
 * @n_subbufs: number of its sub-buffers
 * @used: result: the CPU uses it
 */
struct marker_channel_larger {
	struct marker_channel_cpu *pcpu;
	struct rchan_buf	*buf;
	size_t			n_subbufs;
	bool			used;
};

/* Runs on the CPU, with interrupts off: no writer is interrupted. */
static void marker_channel_use_larger(void *data)
{
	struct marker_channel_larger *larger = data;
	struct marker_channel_cpu *pcpu = larger->pcpu;
	struct rchan_buf *old = pcpu->buf, *buf = larger->buf;

	/* A reader was faster: the current sub-buffer is the first one again. */
	if (old->subbufs_produced + !!pcpu->pos > pcpu->n_subbufs)
		return;
	marker_channel_end_subbuf(pcpu);
	buf->subbufs_produced = old->subbufs_produced;
	buf->subbufs_consumed = old->subbufs_consumed;
	buf->bytes_consumed = old->bytes_consumed;
	WRITE_ONCE(pcpu->n_subbufs, larger->n_subbufs);
	/* Pairs with the acquire in marker_channel_buf(): counts first. */
	smp_store_release(&pcpu->buf, buf);
	larger->used = true;
}

/* Copy what readers may claim as soon as they get read_lock. */
static void marker_channel_copy(struct rchan_buf *to,
				const struct rchan_buf *from, size_t size)
{
	for (size_t i = from->subbufs_consumed; i < from->subbufs_produced; i++) {
		to->padding[i] = from->padding[i];
		memcpy(to->start + i * size, from->start + i * size,
		       size - from->padding[i]);
	}
}

/*
 * Let a CPU use a larger buffer. Return the buffer that it does not use any more: the old one
 * or, if nobody may take that away, the larger one.
 */
static struct rchan *marker_channel_replace(struct marker_channel_cpu *pcpu,
					    struct rchan *rchan,
					    struct marker_channel_larger *larger)
{
	struct rchan_buf *old = pcpu->buf;

	lockdep_assert_held(&pcpu->read_lock);
	mutex_lock(&pcpu->map_lock);
	/* A mapping has the pages of the old one. */
	if (!pcpu->mapped)
		smp_call_function_single(pcpu->cpu, marker_channel_use_larger,
					 larger, true);
	if (larger->used) {
		marker_channel_copy(larger->buf, old,
				    pcpu->channel->subbuf_size);
		swap(pcpu->rchan, rchan);
	}
	mutex_unlock(&pcpu->map_lock);
	return rchan;
}

/* Give a CPU a buffer of up to twice the size. read_lock is held. */
static void marker_channel_grow_cpu(struct marker_channel_cpu *pcpu)
{
	struct marker_channel *channel = pcpu->channel;
	size_t more = min3(channel->n_spare, pcpu->n_subbufs,
			   channel->n_most - pcpu->n_subbufs);
	struct marker_channel_larger larger = {
		.pcpu = pcpu,
		.n_subbufs = pcpu->n_subbufs + more,
	};
	struct rchan *rchan = NULL;

	if (marker_channel_fits(channel, larger.n_subbufs))
		larger.buf = marker_channel_open(channel, pcpu->cpu,
						 larger.n_subbufs, &rchan);
	if (larger.buf) {
		marker_channel_tell_buf(channel, larger.buf);
		relay_close(marker_channel_replace(pcpu, rchan, &larger));
		if (larger.used)
			channel->n_spare -= more;
	}
	/* None grows any more. */
	if (!larger.buf || !channel->n_spare)
		WRITE_ONCE(channel->n_most, 0);
}

/**
 * marker_channel_grow - give larger buffers to the CPUs that need them
 * @work: in the channel
 *
 * Context: task, may sleep.
 */
void marker_channel_grow(struct work_struct *work)
{
	struct marker_channel *channel =
		container_of(work, struct marker_channel, grow);
	unsigned int cpu;

	mutex_lock(&channel->lock);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu,
							      cpu);

		/* A reader may sleep in a page fault; CPU hotplug must not wait for it. */
		if (channel->flushed || !mutex_trylock(&pcpu->read_lock))
			continue;
		if (marker_channel_is_short(pcpu))
			marker_channel_grow_cpu(pcpu);
		mutex_unlock(&pcpu->read_lock);
	}
	cpus_read_unlock();
	mutex_unlock(&channel->lock);
}
