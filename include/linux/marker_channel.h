/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A channel carries the records of marker probes to user space. Each CPU has a
 * buffer of its own. Probes write it in place with interrupts off, and user space
 * reads it through debugfs. A channel handles bytes; its owner defines the contents
 * of records.
 *
 * A buffer consists of sub-buffers. A CPU writes into its current sub-buffer,
 * which no reader sees. The sub-buffer is published with its bytes when the next
 * record does not fit, when the channel is flushed or stops, or when the CPU has
 * gone offline. An empty one is never published.
 *
 * The owner may begin each sub-buffer with bytes of its own, and fill the
 * page that ends it: see struct marker_channel_ops.
 */
#ifndef _LINUX_MARKER_CHANNEL_H
#define _LINUX_MARKER_CHANNEL_H

#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct dentry;
struct file_operations;
struct marker_channel_cpu;
struct page;
struct rchan;
struct rchan_buf;

/**
 * struct marker_channel_loss - records that were lost
 * @records: their number
 * @bytes: their size
 */
struct marker_channel_loss {
	u64	records;
	u64	bytes;
};

/**
 * struct marker_channel_ops - callbacks of a channel's owner
 * @begin: write the first bytes of a CPU's @sequence-th sub-buffer, counted from
 *	0, to @to; return their number, a fraction of a sub-buffer; set
 *	@pcpu->direct to false if marker_channel_try() must fail in it
 * @fill: write @bytes bytes behind the last record of a sub-buffer, up to the
 *	end of a page
 * @buffer: receive the @nr pages of the buffer of a CPU: for one that is allocated while
 *	the channel runs, and in marker_channel_tell_bufs(); called by a task
 *
 * Context: @begin and @fill: any but NMI, interrupts off. Each may be NULL.
 */
struct marker_channel_ops {
	size_t	(*begin)(struct marker_channel_cpu *pcpu, size_t sequence,
			 void *to);
	void	(*fill)(void *to, size_t bytes);
	void	(*buffer)(struct page **pages, size_t nr);
};

/**
 * struct marker_channel_ring - the sub-buffers of a CPU in a channel that overwrites
 * @taken: the sub-buffer that a reader has, -1 for none; the CPU does not write it
 * @sequence: the number of @taken, counted in the CPU's stream
 * @position: the position of @taken for ioctls, or that behind the last one
 * @n_spare: number of elements in @spare
 * @spare: sub-buffers that are neither published, nor taken, nor the current one
 * @queue: the published ones; the n-th is at n modulo the number of sub-buffers
 * @first: for each sub-buffer, the number of records before it that were not lost
 *
 * Changed by the CPU itself, with interrupts off, or by another one while it is dead.
 */
struct marker_channel_ring {
	int	taken;
	u64	sequence;
	u64	position;
	size_t	n_spare;
	u32	*spare;
	u32	*queue;
	u64	*first;
};

/**
 * struct marker_channel_cpu - the part of a channel that belongs to one CPU
 * @pos: address of the next record; NULL without a current sub-buffer
 * @fast: @end, or NULL if marker_channel_try() must fail
 * @end: end of the current sub-buffer
 * @base: for the owner: the timestamp from which those of the records count
 * @events: for the owner: the number of records and of lost ones, but for those in NMIs
 * @direct: set while a sub-buffer begins: whether @fast will be @end
 * @refilling: the current sub-buffer is being changed, so that there is none
 * @mapped: @buf was mapped; changed under @map_lock
 * @index: which of the sub-buffers is the current one
 * @lost: records that were lost for lack of room
 * @overwritten: records that were written, and overwritten; their number only if the owner
 *	counts @events
 * @lost_nmi: records that were lost in NMIs
 * @lost_since: CLOCK_MONOTONIC of the first of @lost since the owner set this
 *	to 0, as @ops->begin does; 0 if there is none
 * @rchan: relay's channel of @buf
 * @buf: the CPU's buffer of this generation, NULL without one
 * @n_subbufs: number of sub-buffers of @buf; changed by the CPU when it gets a larger buffer
 * @ring: how @buf is used if the channel overwrites, else NULL
 * @channel: the channel
 * @cpu: the CPU
 * @read_lock: held by a reader, and to remove @buf
 * @map_lock: held to map @buf and to remove it; taken with mmap_lock held
 * @wait: readers that wait for a sub-buffer
 * @wakeup: wakes them outside the recording path
 * @file: file cpu<n> in debugfs; map<n> is created with it
 *
 * @pos to @lost_since are written by their own CPU with interrupts off, and by
 * others only while that CPU is dead or the channel is stopped.
 */
struct marker_channel_cpu {
	char			*pos;
	char			*fast;
	char			*end;
	u64			base;
	u64			events;
	bool			direct;
	bool			refilling;
	bool			mapped;
	u32			index;
	struct marker_channel_loss lost;
	struct marker_channel_loss overwritten;
	struct marker_channel_loss lost_nmi;
	u64			lost_since;
	struct rchan		*rchan;
	struct rchan_buf	*buf;
	size_t			n_subbufs;
	struct marker_channel_ring *ring;
	struct marker_channel	*channel;
	unsigned int		cpu;
	struct mutex		read_lock;
	struct mutex		map_lock;
	wait_queue_head_t	wait;
	struct irq_work		wakeup;
	struct dentry		*file;
};

/**
 * struct marker_channel - per-CPU buffers between probes and readers
 * @cpu: per-CPU part, set by DEFINE_MARKER_CHANNEL()
 * @ops: the owner's callbacks, or NULL
 * @running: the channel accepts records; read on the recording path
 * @flushed: the channel is neither prepared nor running, all records are published
 * @overwrite: in a full buffer of this generation, new records replace the oldest sub-buffer
 * @cycles: for the owner: the next sub-buffers are stamped with cycles
 * @grows: buffers that fill up during boot may grow
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: number of sub-buffers of each CPU
 * @n_boot: number of those of the boot CPU if it gets them during boot; 0: @n_subbufs
 * @n_early: number of CPUs that may get their buffers at most before the boot brings them up
 * @n_most: number of sub-buffers to which a buffer may grow; 0: none grows any more
 * @n_spare: number of sub-buffers by which all buffers may grow
 * @lock: held over each change of @n_subbufs, @n_most, @n_spare, @running, @flushed,
 *	@has_bufs and @generation
 * @has_bufs: CPUs have buffers, and those that come up get theirs
 * @generation: number of the last preparation
 * @dir: debugfs folder of the files
 * @fops: operations of the owner for the files of CPUs, or NULL
 * @release: frees the buffers once a stopped channel is drained
 * @grow: replaces buffers that are short of room by larger ones
 * @node: in the list of channels whose buffers follow CPU hotplug
 * @files_node: in the list of channels whose files follow CPU hotplug
 */
struct marker_channel {
	struct marker_channel_cpu __percpu *cpu;
	const struct marker_channel_ops *ops;
	bool			running;
	bool			flushed;
	bool			has_bufs;
	bool			overwrite;
	bool			cycles;
	bool			grows;
	size_t			subbuf_size;
	size_t			n_subbufs;
	size_t			n_boot;
	unsigned int		n_early;
	size_t			n_most;
	size_t			n_spare;
	struct mutex		lock;
	u64			generation;
	struct dentry		*dir;
	const struct file_operations *fops;
	struct work_struct	release;
	struct work_struct	grow;
	struct hlist_node	node;
	struct hlist_node	files_node;
};

/**
 * DECLARE_MARKER_CHANNEL - declare a channel that several source files use
 * @_name: its name; @_name_cpu is its per-CPU part
 */
#define DECLARE_MARKER_CHANNEL(_name)					\
	DECLARE_PER_CPU(struct marker_channel_cpu, _name##_cpu);	\
	extern struct marker_channel _name

/**
 * DEFINE_MARKER_CHANNEL - define a channel that was declared
 * @_name: its name
 * @_ops: the owner's callbacks, or NULL
 */
#define DEFINE_MARKER_CHANNEL(_name, _ops)				\
	DEFINE_PER_CPU(struct marker_channel_cpu, _name##_cpu);		\
	struct marker_channel _name = {					\
		.cpu = &_name##_cpu,					\
		.ops = _ops,						\
	}

/**
 * DEFINE_STATIC_MARKER_CHANNEL - define a channel for one source file
 * @_name: its name; @_name_cpu is its per-CPU part
 * @_ops: the owner's callbacks, or NULL
 */
#define DEFINE_STATIC_MARKER_CHANNEL(_name, _ops)			\
	static DEFINE_PER_CPU(struct marker_channel_cpu, _name##_cpu);	\
	static struct marker_channel _name = {				\
		.cpu = &_name##_cpu,					\
		.ops = _ops,						\
	}

/* The default size of a sub-buffer, a multiple of every page size; the smallest size. */
#define MARKER_CHANNEL_SUBBUF		(448UL * SZ_1K)
#define MARKER_CHANNEL_MIN_SUBBUF	PAGE_ALIGN((unsigned long)SZ_16K)

/**
 * struct marker_channel_size - what the command line asks for
 * @owner: the name before the dot of the boot parameters
 * @subbuf_size: bytes of a sub-buffer; initialise it with %MARKER_CHANNEL_SUBBUF
 * @n_subbufs: number of sub-buffers of each CPU
 * @given: the command line has @n_subbufs
 * @default_bytes: bytes of a CPU's buffer without @given, if the memory is large enough
 * @grows: if the memory is not large enough for that, buffers that fill up during boot may
 *	grow until a reader maps them
 */
struct marker_channel_size {
	const char	*owner;
	unsigned long	subbuf_size;
	unsigned long	n_subbufs;
	bool		given;
	unsigned long	default_bytes;
	bool		grows;
};

void marker_channel_parse_subbufs(struct marker_channel_size *asked,
				  const char *arg);
bool marker_channel_parse_mode(const struct marker_channel_size *asked,
			       const char *arg);
void marker_channel_parse_subbuf_size(struct marker_channel_size *asked,
				      const char *arg);
void marker_channel_init_size(struct marker_channel *channel,
			      const struct marker_channel_size *asked);
void marker_channel_init(struct marker_channel *channel, size_t subbuf_size,
			 size_t n_subbufs);
int marker_channel_resize(struct marker_channel *channel, size_t n_subbufs);
size_t marker_channel_largest(struct marker_channel *channel);
int marker_channel_prepare(struct marker_channel *channel, bool overwrite);
void marker_channel_start(struct marker_channel *channel);
void marker_channel_stop(struct marker_channel *channel);
void marker_channel_flush(struct marker_channel *channel);
void marker_channel_flush_if_spare(struct marker_channel *channel);
void marker_channel_discard(struct marker_channel *channel);
int marker_channel_create_files(struct marker_channel *channel,
				struct dentry *dir);
int marker_channel_create_own_files(struct marker_channel *channel,
				    struct dentry *dir,
				    const struct file_operations *fops);
struct marker_channel_loss marker_channel_lost(struct marker_channel *channel,
					       unsigned int cpu);
void marker_channel_tell_bufs(struct marker_channel *channel);

void *marker_channel_refill(struct marker_channel_cpu *pcpu, size_t size);

/* Reserve @size bytes between @pos and @end; return false if there is no room. */
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
 * marker_channel_try - reserve room for a record without a function call
 * @pcpu: the per-CPU part of the channel
 * @size: bytes, at most the size of a sub-buffer
 * @slot: result
 *
 * Calls nothing, so that a caller needs no stack frame for the common case.
 *
 * Context: any, NMI included, with interrupts off until the record is written.
 * Return: true if @slot is the room for the record; false if nothing was changed,
 * and the caller must use marker_channel_begin() instead.
 */
static __always_inline bool
marker_channel_try(struct marker_channel_cpu __percpu *pcpu, size_t size,
		   void **slot)
{
	/* An NMI may have interrupted a writer. */
	return likely(!in_nmi()) &&
	       __marker_channel_take(&pcpu->pos, &pcpu->fast, size, slot);
}

/**
 * marker_channel_begin - reserve room for a record on this CPU
 * @pcpu: the per-CPU part of the channel
 * @size: bytes, at most the size of a sub-buffer
 *
 * Context: any, NMI included, with interrupts off until the record is written.
 * Return: the address for the record, or NULL if there is none. The record has
 * then been counted as lost, unless the channel does not run. An NMI always
 * loses its record.
 */
static __always_inline void *
marker_channel_begin(struct marker_channel_cpu __percpu *pcpu, size_t size)
{
	void *slot;

	if (likely(!in_nmi()) &&
	    __marker_channel_take(&pcpu->pos, &pcpu->end, size, &slot))
		return slot;
	return marker_channel_refill(this_cpu_ptr(pcpu), size);
}

#endif /* _LINUX_MARKER_CHANNEL_H */
