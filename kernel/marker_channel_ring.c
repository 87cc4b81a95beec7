// SPDX-License-Identifier: GPL-2.0
/*
 * The sub-buffers of a channel that overwrites, see @overwrite of struct marker_channel.
 *
 * A CPU writes its sub-buffers in any order. A queue has the published ones. When no other
 * sub-buffer is free, the CPU takes the oldest one out of the queue and writes it again.
 *
 * A reader takes the oldest one out of the queue as well, so that the CPU does not write
 * it, and gives it back after reading. Only the CPU itself changes its queue: a reader
 * interrupts the CPU, which then does that for the reader.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include "marker_channel_internal.h"

/**
 * marker_channel_init_ring - set up the ring of a CPU
 * @pcpu: the CPU's part of the channel
 *
 * Return: 0 or -ENOMEM.
 */
int marker_channel_init_ring(struct marker_channel_cpu *pcpu)
{
	size_t n = pcpu->n_subbufs;
	struct marker_channel_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL);

	if (!ring)
		return -ENOMEM;
	pcpu->ring = ring;
	ring->taken = -1;
	ring->queue = kvcalloc(n, sizeof(*ring->queue), GFP_KERNEL);
	ring->spare = kvcalloc(n, sizeof(*ring->spare), GFP_KERNEL);
	ring->first = kvcalloc(n, sizeof(*ring->first), GFP_KERNEL);
	if (!ring->queue || !ring->spare || !ring->first) {
		marker_channel_free_ring(pcpu);
		return -ENOMEM;
	}
	/* The first one is used first. */
	while (ring->n_spare < n) {
		ring->spare[ring->n_spare] = n - 1 - ring->n_spare;
		ring->n_spare++;
	}
	return 0;
}

/**
 * marker_channel_free_ring - free the ring of a CPU, if it has one
 * @pcpu: the CPU's part of the channel, which is not in use
 */
void marker_channel_free_ring(struct marker_channel_cpu *pcpu)
{
	struct marker_channel_ring *ring = pcpu->ring;

	pcpu->ring = NULL;
	if (!ring)
		return;
	kvfree(ring->queue);
	kvfree(ring->spare);
	kvfree(ring->first);
	kfree(ring);
}

/* Run @func on the CPU of @pcpu, with interrupts off; elsewhere if the CPU is offline. */
static void marker_channel_call(struct marker_channel_cpu *pcpu,
				smp_call_func_t func)
{
	unsigned long flags;

	cpus_read_lock();
	if (!cpu_online(pcpu->cpu) ||
	    smp_call_function_single(pcpu->cpu, func, pcpu, true)) {
		local_irq_save(flags);
		func(pcpu);
		local_irq_restore(flags);
	}
	cpus_read_unlock();
}

/* Return the least position from @from on that is at @offset of a buffer of @size. */
static u64 marker_channel_next_position(u64 from, size_t offset, size_t size)
{
	u64 position;
	u32 rest;

	div_u64_rem(from, size, &rest);
	position = from - rest + offset;
	return position < from ? position + size : position;
}

static void marker_channel_take_here(void *data)
{
	struct marker_channel_cpu *pcpu = data;
	struct marker_channel *channel = pcpu->channel;
	struct marker_channel_ring *ring = pcpu->ring;

	if (ring->taken >= 0 ||
	    pcpu->buf->subbufs_produced == pcpu->buf->subbufs_consumed)
		return;
	ring->sequence = pcpu->buf->subbufs_consumed;
	WRITE_ONCE(ring->taken, marker_channel_pop(pcpu));
	ring->position =
		marker_channel_next_position(ring->position,
					     ring->taken * channel->subbuf_size,
					     channel->subbuf_size *
					     pcpu->n_subbufs);
}

/**
 * marker_channel_take - take the oldest published sub-buffer for a reader, if there is one
 * @pcpu: the CPU's part of a channel that overwrites; a reader that has one keeps it
 *
 * Context: task, may sleep; read_lock is held.
 */
void marker_channel_take(struct marker_channel_cpu *pcpu)
{
	marker_channel_call(pcpu, marker_channel_take_here);
}

static void marker_channel_give_back_here(void *data)
{
	struct marker_channel_cpu *pcpu = data;
	struct marker_channel_ring *ring = pcpu->ring;

	ring->position += pcpu->channel->subbuf_size;
	ring->spare[ring->n_spare++] = ring->taken;
	WRITE_ONCE(ring->taken, -1);
}

/**
 * marker_channel_give_back - let the CPU write the sub-buffer that a reader has
 * @pcpu: the CPU's part of a channel that overwrites
 *
 * Context: task, may sleep; read_lock is held.
 */
void marker_channel_give_back(struct marker_channel_cpu *pcpu)
{
	marker_channel_call(pcpu, marker_channel_give_back_here);
}

static void marker_channel_flush_here(void *data)
{
	marker_channel_end_subbuf_if_spare(data);
}

/**
 * marker_channel_flush_one - publish the records of one CPU, if it has room for more
 * @pcpu: the CPU's part of the channel
 *
 * Context: task, may sleep.
 */
void marker_channel_flush_one(struct marker_channel_cpu *pcpu)
{
	marker_channel_call(pcpu, marker_channel_flush_here);
}
