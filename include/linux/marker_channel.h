/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A channel takes what marker probes record to user space: one relay buffer a
 * CPU, written in place with interrupts off, read through debugfs. It knows no
 * record, only bytes.
 *
 * A CPU writes into its current sub-buffer, which no reader sees. When the
 * next record doesn't fit, or when the channel stops, the sub-buffer is
 * published with the bytes it holds. An empty one never is.
 *
 * What begins a sub-buffer and what fills its tail is the owner's: see struct
 * marker_channel_ops.
 */
#ifndef _LINUX_MARKER_CHANNEL_H
#define _LINUX_MARKER_CHANNEL_H

#include <linux/compiler.h>
#include <linux/irq_work_types.h>
#include <linux/list.h>
#include <linux/mutex_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue_types.h>

struct dentry;
struct marker_channel_cpu;
struct page;
struct rchan;
struct rchan_buf;

/**
 * struct marker_channel_loss - what was not recorded
 * @records: how many
 * @bytes: of those
 */
struct marker_channel_loss {
	u64	records;
	u64	bytes;
};

/**
 * struct marker_channel_ops - what the owner of a channel puts around records
 * @begin: writes to @to, the start of a CPU's @sequence-th sub-buffer from 0 on,
 *	and returns how many bytes, a fraction of a sub-buffer; sets
 *	@end->direct to false where marker_channel_try() has to fail in it
 * @fill: writes @bytes bytes behind the last record of a sub-buffer, up to the
 *	end of a page
 * @buffer: is told the @nr pages of the buffer of a CPU that comes up while the
 *	channel runs; by a task, as soon as they have been allocated
 *
 * Context: any but NMI, interrupts off, but for @buffer. Each may be NULL.
 */
struct marker_channel_ops {
	size_t	(*begin)(struct marker_channel_cpu *end, size_t sequence,
			 void *to);
	void	(*fill)(void *to, size_t bytes);
	void	(*buffer)(struct page **pages, size_t nr);
};

/**
 * struct marker_channel_cpu - one CPU's end of a channel
 * @pos: where the next record goes; NULL without a current sub-buffer
 * @fast: @end, or NULL where marker_channel_try() has to fail
 * @end: the end of the current sub-buffer
 * @direct: @fast is to be @end
 * @refilling: there is no current sub-buffer because it is being changed
 * @lost: what found no room
 * @lost_nmi: what came by NMIs
 * @lost_since: CLOCK_MONOTONIC of the first of @lost that @ops->begin has not
 *	seen, 0 if there is none; the owner sets it back
 * @buf: this CPU's relay buffer of this generation, set by the first record
 * @channel: whose end this is
 * @read_lock: held by a reader, and to take @buf away
 * @map_lock: held to map @buf, and to take it away; taken with mmap_lock held
 * @wait: readers waiting for a sub-buffer
 * @wakeup: wakes them outside the recording path
 * @file: in debugfs, set when the CPU first comes up or has recorded, as its map<n>
 *
 * @pos to @buf are written by their own CPU with interrupts off, and by others
 * only while that CPU is dead or the channel is stopped.
 */
struct marker_channel_cpu {
	char			*pos;
	char			*fast;
	char			*end;
	bool			direct;
	bool			refilling;
	struct marker_channel_loss lost;
	struct marker_channel_loss lost_nmi;
	u64			lost_since;
	struct rchan_buf	*buf;
	struct marker_channel	*channel;
	struct mutex		read_lock;
	struct mutex		map_lock;
	wait_queue_head_t	wait;
	struct irq_work		wakeup;
	struct dentry		*file;
};

/**
 * struct marker_channel - per-CPU buffers between probes and readers
 * @cpu: per-CPU ends, given by DEFINE_MARKER_CHANNEL()
 * @ops: the owner's, or NULL
 * @running: records are taken; read on the recording path
 * @flushed: neither prepared nor running, all that was taken is published
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers of a CPU
 * @lock: held over each change of @running, @flushed and of what follows
 * @rchan: the buffers; NULL while stopped and drained
 * @generation: number of these buffers
 * @dir: debugfs folder of the cpu<n> and map<n> files
 * @release: frees the buffers once a stopped channel is drained
 * @node: in the list of channels that follow CPU hotplug
 */
struct marker_channel {
	struct marker_channel_cpu __percpu *cpu;
	const struct marker_channel_ops *ops;
	bool			running;
	bool			flushed;
	size_t			subbuf_size;
	size_t			n_subbufs;
	struct mutex		lock;
	struct rchan		*rchan;
	u64			generation;
	struct dentry		*dir;
	struct work_struct	release;
	struct hlist_node	node;
};

/**
 * DECLARE_MARKER_CHANNEL - declare a channel that several source files use
 * @_name: its name; @_name_cpu are the per-CPU ends
 */
#define DECLARE_MARKER_CHANNEL(_name)					\
	DECLARE_PER_CPU(struct marker_channel_cpu, _name##_cpu);	\
	extern struct marker_channel _name

/**
 * DEFINE_MARKER_CHANNEL - define a channel that was declared
 * @_name: its name
 * @_ops: what the owner puts around records, or NULL
 */
#define DEFINE_MARKER_CHANNEL(_name, _ops)				\
	DEFINE_PER_CPU(struct marker_channel_cpu, _name##_cpu);		\
	struct marker_channel _name = {					\
		.cpu = &_name##_cpu,					\
		.ops = _ops,						\
	}

/**
 * DEFINE_STATIC_MARKER_CHANNEL - define a channel for one source file
 * @_name: its name; @_name_cpu are the per-CPU ends
 * @_ops: what the owner puts around records, or NULL
 */
#define DEFINE_STATIC_MARKER_CHANNEL(_name, _ops)			\
	static DEFINE_PER_CPU(struct marker_channel_cpu, _name##_cpu);	\
	static struct marker_channel _name = {				\
		.cpu = &_name##_cpu,					\
		.ops = _ops,						\
	}

void marker_channel_init(struct marker_channel *channel, size_t subbuf_size,
			 size_t n_subbufs);
int marker_channel_prepare(struct marker_channel *channel);
void marker_channel_start(struct marker_channel *channel);
void marker_channel_stop(struct marker_channel *channel);
void marker_channel_flush(struct marker_channel *channel);
void marker_channel_discard(struct marker_channel *channel);
int marker_channel_create_files(struct marker_channel *channel,
				struct dentry *dir);
struct marker_channel_loss marker_channel_lost(struct marker_channel *channel,
					       unsigned int cpu);
struct page **marker_channel_pages(struct marker_channel *channel,
				   unsigned int cpu, size_t *nr);

void *marker_channel_refill(struct marker_channel_cpu *end, size_t size);

/* Take @size bytes of what is between @pos and @end, if there are as many. */
static __always_inline bool
__marker_channel_take(char * __percpu *pos, char * __percpu *end, size_t size,
		      void **slot)
{
	char *next = raw_cpu_read(*pos) + size;

	if (unlikely(next > raw_cpu_read(*end)))
		return false;
	raw_cpu_write(*pos, next);
	*slot = next - size;
	return true;
}

/**
 * marker_channel_try - marker_channel_begin() where that is easy
 * @end: the channel's per-CPU ends
 * @size: bytes, never above the size of a sub-buffer
 * @slot: result
 *
 * Calls nothing, so that who records needs no stack for the common case.
 *
 * Context: any, NMI included, with interrupts off until the record is written.
 * Return: true when @slot is where to write; false when only
 * marker_channel_begin() knows, and nothing was changed.
 */
static __always_inline bool
marker_channel_try(struct marker_channel_cpu __percpu *end, size_t size,
		   void **slot)
{
	/* An NMI may have interrupted who writes. */
	return likely(!in_nmi()) &&
	       __marker_channel_take(&end->pos, &end->fast, size, slot);
}

/**
 * marker_channel_begin - reserve room for a record on this CPU
 * @end: the channel's per-CPU ends
 * @size: bytes, never above the size of a sub-buffer
 *
 * Context: any, NMI included, with interrupts off until the record is written.
 * Return: where to write; NULL when the record can't be taken, which has been
 * counted if it is a loss, as it always is in an NMI.
 */
static __always_inline void *
marker_channel_begin(struct marker_channel_cpu __percpu *end, size_t size)
{
	void *slot;

	if (likely(!in_nmi()) &&
	    __marker_channel_take(&end->pos, &end->end, size, &slot))
		return slot;
	return marker_channel_refill(this_cpu_ptr(end), size);
}

#endif /* _LINUX_MARKER_CHANNEL_H */
