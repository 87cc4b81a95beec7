// SPDX-License-Identifier: GPL-2.0
/*
 * The writing side of marker channels: begin and publish sub-buffers, count losses.
 *
 * All functions run with interrupts off, on the CPU that they write for or, once that
 * CPU is dead, on another one. They take no lock and allocate nothing. An NMI may
 * interrupt a writer anywhere. It gets no room, and only changes lost_nmi.
 */
#include <linux/align.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>
#include "marker_channel_internal.h"

/* Return the number of sub-buffers that are published and not consumed. */
static size_t marker_channel_unread(struct rchan_buf *buf)
{
	/* Pairs with the release in marker_channel_consume(): reuse after copy. */
	return buf->subbufs_produced - smp_load_acquire(&buf->subbufs_consumed);
}

/* Remove the oldest published sub-buffer from the queue, and return it. */
int marker_channel_pop(struct marker_channel_cpu *pcpu)
{
	struct rchan_buf *buf = pcpu->buf;
	size_t consumed = buf->subbufs_consumed;

	WRITE_ONCE(buf->subbufs_consumed, consumed + 1);
	return pcpu->ring->queue[consumed % pcpu->n_subbufs];
}

/* Return the number of records so far that were not lost, if the owner counts them. */
static u64 marker_channel_written(struct marker_channel_cpu *pcpu)
{
	return pcpu->events - pcpu->lost.records;
}

/* Return the number of records before the oldest published sub-buffer. */
static u64 marker_channel_first(struct marker_channel_cpu *pcpu)
{
	struct rchan_buf *buf = pcpu->buf;
	size_t consumed = buf->subbufs_consumed;

	if (consumed == buf->subbufs_produced)
		return marker_channel_written(pcpu);
	return pcpu->ring->first[pcpu->ring->queue[consumed % pcpu->n_subbufs]];
}

/* Let the owner fill the page that ends the data; return the end of the data. */
static char *marker_channel_fill(struct marker_channel *channel, char *pos,
				 char *limit)
{
	size_t bytes;

	if (!channel->ops || !channel->ops->fill)
		return pos;
	/* A sub-buffer begins with a page. */
	bytes = min_t(size_t, PTR_ALIGN(pos, PAGE_SIZE) - pos, limit - pos);
	if (bytes)
		channel->ops->fill(pos, bytes);
	return pos + bytes;
}

/* Publish the current sub-buffer. The caller has set @refilling. */
static void marker_channel_publish(struct marker_channel_cpu *pcpu)
{
	struct marker_channel *channel = pcpu->channel;
	struct rchan_buf *buf = pcpu->buf;
	size_t produced = buf->subbufs_produced;
	char *pos = pcpu->pos, *limit = pcpu->end;

	/* A probe on a function that is called from here must find no room. */
	pcpu->pos = NULL;
	pcpu->fast = NULL;
	pcpu->end = NULL;
	pos = marker_channel_fill(channel, pos, limit);
	buf->padding[pcpu->index] = limit - pos;
	if (pcpu->ring)
		pcpu->ring->queue[produced % pcpu->n_subbufs] = pcpu->index;
	/* Pairs with the acquire in marker_channel_ready(): data first. */
	smp_store_release(&buf->subbufs_produced, produced + 1);
	/* A CPU that goes offline would never run the irq_work. */
	if (cpu_online(smp_processor_id()) &&
	    (wq_has_sleeper(&pcpu->wait) || marker_channel_is_short(pcpu)))
		irq_work_queue(&pcpu->wakeup);
}

static void marker_channel_add_loss(struct marker_channel_loss *loss,
				    u64 records, size_t bytes)
{
	WRITE_ONCE(loss->records, loss->records + records);
	WRITE_ONCE(loss->bytes, loss->bytes + bytes);
}

/* Count a lost record. Other CPUs read the counts at any time. */
static void *marker_channel_lose(struct marker_channel_cpu *pcpu, size_t size)
{
	marker_channel_add_loss(&pcpu->lost, 1, size);
	if (!pcpu->lost_since)
		pcpu->lost_since = ktime_get_mono_fast_ns() ?: 1;
	return NULL;
}

/*
 * Take the oldest published sub-buffer out of the queue and return it. The queue is not
 * empty: of two or more sub-buffers, a reader has one at most, and there is no current one.
 */
static u32 marker_channel_overwrite(struct marker_channel_cpu *pcpu)
{
	struct marker_channel_ring *ring = pcpu->ring;
	struct rchan_buf *buf = pcpu->buf;
	u32 index = marker_channel_pop(pcpu);
	s64 records = marker_channel_first(pcpu) - ring->first[index];
	size_t bytes = pcpu->channel->subbuf_size - buf->padding[index];

	/* A lost record that is no event has no number. */
	marker_channel_add_loss(&pcpu->overwritten, max_t(s64, records, 0), bytes);
	return index;
}

/*
 * Choose the next current sub-buffer. Return false if the CPU has no buffer, or if all
 * sub-buffers are unread and the channel doesn't overwrite.
 */
static bool marker_channel_find_free(struct marker_channel_cpu *pcpu)
{
	struct rchan_buf *buf = pcpu->buf;
	struct marker_channel_ring *ring = pcpu->ring;

	if (!buf || (!ring && marker_channel_unread(buf) >= pcpu->n_subbufs))
		return false;
	if (!ring)
		pcpu->index = buf->subbufs_produced % pcpu->n_subbufs;
	else if (ring->n_spare)
		pcpu->index = ring->spare[--ring->n_spare];
	else
		pcpu->index = marker_channel_overwrite(pcpu);
	if (ring)
		ring->first[pcpu->index] = marker_channel_written(pcpu);
	return true;
}

/* Publish the current sub-buffer and reserve @size bytes in the next one. */
static void *marker_channel_next(struct marker_channel_cpu *pcpu, size_t size)
{
	struct marker_channel *channel = pcpu->channel;
	struct rchan_buf *buf = pcpu->buf;
	char *start, *pos;

	if (pcpu->pos)
		marker_channel_publish(pcpu);
	if (!marker_channel_find_free(pcpu))
		return marker_channel_lose(pcpu, size);
	start = buf->start + pcpu->index * channel->subbuf_size;
	pos = start;
	pcpu->direct = true;
	if (channel->ops && channel->ops->begin)
		pos += channel->ops->begin(pcpu, buf->subbufs_produced, start);
	pcpu->pos = pos + size;
	pcpu->end = start + channel->subbuf_size;
	pcpu->fast = pcpu->direct ? pcpu->end : NULL;
	return pos;
}

/**
 * marker_channel_refill - marker_channel_begin() without room, or in an NMI
 * @pcpu: the channel's part of this CPU
 * @size: bytes of the record
 *
 * Return: a slot in a new sub-buffer, or NULL.
 */
noinline void *marker_channel_refill(struct marker_channel_cpu *pcpu,
				     size_t size)
{
	void *slot;

	/*
	 * A probe that runs before the channel starts, or that was preempted
	 * until after it stopped, loses nothing. Pairs with the release in
	 * marker_channel_start_all(): buffers first.
	 */
	if (!smp_load_acquire(&pcpu->channel->running))
		return NULL;
	/* this_cpu: one NMI may interrupt another, as a breakpoint is one. */
	if (in_nmi()) {
		this_cpu_inc(pcpu->channel->cpu->lost_nmi.records);
		this_cpu_add(pcpu->channel->cpu->lost_nmi.bytes, size);
		return NULL;
	}
	/* A probe on a function that is called from here recurses. */
	if (pcpu->refilling)
		return marker_channel_lose(pcpu, size);
	pcpu->refilling = true;
	barrier();
	slot = marker_channel_next(pcpu, size);
	barrier();
	pcpu->refilling = false;
	return slot;
}

/**
 * marker_channel_end_subbuf - publish the current sub-buffer, if there is one
 * @pcpu: the channel's part of this CPU, or of one that is dead
 *
 * A current sub-buffer is never empty: a record begins it.
 */
void marker_channel_end_subbuf(struct marker_channel_cpu *pcpu)
{
	if (!pcpu->pos)
		return;
	pcpu->refilling = true;
	barrier();
	marker_channel_publish(pcpu);
	barrier();
	pcpu->refilling = false;
}

/**
 * marker_channel_end_subbuf_if_spare - the same, if another sub-buffer is free
 * @pcpu: the channel's part of this CPU
 *
 * If all other sub-buffers are unread, the current one stays: the next record would
 * be lost. A channel that overwrites would lose its oldest sub-buffer.
 */
void marker_channel_end_subbuf_if_spare(struct marker_channel_cpu *pcpu)
{
	bool spare;

	if (!pcpu->pos)
		return;
	spare = pcpu->ring ? pcpu->ring->n_spare :
		marker_channel_unread(pcpu->buf) + 1 < pcpu->n_subbufs;
	if (spare)
		marker_channel_end_subbuf(pcpu);
}
