// SPDX-License-Identifier: GPL-2.0
/* The buffer that a CPU has in a marker channel. relay allocates and maps it. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/percpu.h>
#include <linux/pfn.h>
#include <linux/relay.h>
#include <linux/topology.h>
#include "marker_channel_internal.h"

/**
 * marker_channel_fits - find out whether the available memory is enough for sub-buffers
 * @channel: the channel
 * @n_subbufs: their number
 *
 * If they took the last free pages, the next allocation of another task would invoke the
 * OOM killer. During boot, the page allocator does not have all memory yet, and the
 * number of available pages means nothing.
 *
 * Return: true if it is, or during boot.
 */
bool marker_channel_fits(const struct marker_channel *channel,
			 size_t n_subbufs)
{
	return system_state < SYSTEM_RUNNING ||
	       si_mem_available() >= PFN_UP(channel->subbuf_size) * n_subbufs;
}

/* Return the node of a CPU, if it has memory already. */
static int marker_channel_node(unsigned int cpu)
{
	int node = cpu_to_node(cpu);

	return node != NUMA_NO_NODE && node_state(node, N_MEMORY) ?
	       node : NUMA_NO_NODE;
}

/*
 * Each CPU has a global relay channel, which has a single buffer. relay's callback for
 * CPUs that come up allocates nothing for a global channel, and so never keeps a CPU
 * offline. relay requires a file here, but does not use it because the channel has no
 * name.
 */
static struct dentry *marker_channel_no_file(const char *filename,
					     struct dentry *parent,
					     umode_t mode,
					     struct rchan_buf *buf,
					     int *is_global)
{
	static struct dentry none;

	*is_global = 1;
	return &none;
}

static int marker_channel_no_remove(struct dentry *dentry)
{
	return 0;
}

static const struct rchan_callbacks marker_channel_relay = {
	.create_buf_file	= marker_channel_no_file,
	.remove_buf_file	= marker_channel_no_remove,
};

/**
 * marker_channel_open - allocate a buffer
 * @channel: the channel
 * @cpu: the CPU that gets it
 * @n_subbufs: number of its sub-buffers
 * @rchan: result: relay's channel of the buffer, to close it
 *
 * Context: task, may sleep.
 * Return: the buffer, or NULL without memory for it.
 */
struct rchan_buf *marker_channel_open(struct marker_channel *channel,
				      unsigned int cpu, size_t n_subbufs,
				      struct rchan **rchan)
{
	*rchan = relay_open_node(NULL, NULL, channel->subbuf_size, n_subbufs,
				 &marker_channel_relay, NULL,
				 marker_channel_node(cpu));
	/* A global channel has its only buffer here. */
	return *rchan ? *per_cpu_ptr((*rchan)->buf, 0) : NULL;
}

/**
 * marker_channel_tell_buf - tell the owner of a running channel the pages of a buffer
 * @channel: the channel
 * @buf: the buffer, or NULL
 *
 * Context: task, may sleep.
 */
void marker_channel_tell_buf(struct marker_channel *channel,
			     struct rchan_buf *buf)
{
	if (buf && READ_ONCE(channel->running) && channel->ops &&
	    channel->ops->buffer)
		channel->ops->buffer(buf->page_array, buf->page_count);
}

/**
 * marker_channel_add_buf - give a CPU a buffer
 * @channel: the channel
 * @cpu: the CPU, without a buffer
 *
 * Context: task, may sleep.
 * Return: 0 or -ENOMEM.
 */
int marker_channel_add_buf(struct marker_channel *channel, unsigned int cpu)
{
	struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu, cpu);
	struct rchan_buf *buf;
	struct rchan *rchan;

	buf = marker_channel_open(channel, cpu, pcpu->n_subbufs, &rchan);
	if (!buf)
		return -ENOMEM;
	if (channel->overwrite && marker_channel_init_ring(pcpu)) {
		relay_close(rchan);
		return -ENOMEM;
	}
	/* The owner asks for earlier ones when the channel has started. */
	marker_channel_tell_buf(channel, buf);
	pcpu->rchan = rchan;
	pcpu->mapped = false;
	/* Pairs with the acquire in marker_channel_buf(): contents first. */
	smp_store_release(&pcpu->buf, buf);
	return 0;
}

/**
 * marker_channel_remove_buf - free the buffer of a CPU, if it has one
 * @pcpu: the CPU's part of a stopped channel
 *
 * A page that a reader maps stays until it is unmapped.
 *
 * Context: task, may sleep.
 */
void marker_channel_remove_buf(struct marker_channel_cpu *pcpu)
{
	mutex_lock(&pcpu->read_lock);
	mutex_lock(&pcpu->map_lock);
	WRITE_ONCE(pcpu->buf, NULL);
	mutex_unlock(&pcpu->map_lock);
	mutex_unlock(&pcpu->read_lock);
	relay_close(pcpu->rchan);
	pcpu->rchan = NULL;
	marker_channel_free_ring(pcpu);
}
