// SPDX-License-Identifier: GPL-2.0
/*
 * The reading side of marker channels: their files in debugfs.
 *
 * Each CPU has two files: cpu<n> is read, map<n> is mapped and takes the ioctls of
 * <uapi/linux/marker_channel.h>. Both give the published sub-buffers of the CPU,
 * oldest first, and may be used from any CPU. A write to the file flush
 * publishes all records so far.
 */
#define pr_fmt(fmt) "marker_channel: " fmt

#include <linux/cacheinfo.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <uapi/linux/marker_channel.h>
#include "marker_channel_internal.h"

/* ---- what the next reader gets, under read_lock ---- */

/*
 * Find the oldest published sub-buffer; if the channel overwrites, take it for the reader.
 * Return its index in the buffer, or -1 if there is none.
 */
static int marker_channel_oldest(struct marker_channel_cpu *pcpu,
				 struct marker_channel_span *span)
{
	struct rchan_buf *buf = marker_channel_buf(pcpu);
	struct marker_channel_ring *ring = pcpu->ring;

	if (!marker_channel_readable(pcpu))
		return -1;
	if (!ring) {
		span->sequence = buf->subbufs_consumed;
		span->position = span->sequence * pcpu->channel->subbuf_size;
		return buf->subbufs_consumed % pcpu->n_subbufs;
	}
	if (ring->taken < 0)
		marker_channel_take(pcpu);
	span->sequence = ring->sequence;
	span->position = ring->position;
	return ring->taken;
}

/**
 * marker_channel_claim - find the bytes that the next reader gets
 * @pcpu: the CPU's part of the channel
 * @span: result: the bytes of the oldest sub-buffer that were not consumed
 *
 * The CPU does not write the sub-buffer until marker_channel_consume().
 *
 * Context: task, may sleep; read_lock is held.
 * Return: false if there is no published sub-buffer.
 */
bool marker_channel_claim(struct marker_channel_cpu *pcpu,
			  struct marker_channel_span *span)
{
	struct marker_channel *channel = pcpu->channel;
	struct rchan_buf *buf = marker_channel_buf(pcpu);
	int index;

	lockdep_assert_held(&pcpu->read_lock);
	index = marker_channel_oldest(pcpu, span);
	if (index < 0)
		return false;
	span->offset = index * channel->subbuf_size + buf->bytes_consumed;
	span->from = buf->start + span->offset;
	span->bytes = channel->subbuf_size - buf->padding[index] -
		      buf->bytes_consumed;
	span->position += buf->bytes_consumed;
	return true;
}

/**
 * marker_channel_consume - release the claimed sub-buffer to the writer
 * @pcpu: the CPU's part of the channel
 *
 * Context: task, may sleep; read_lock is held.
 */
void marker_channel_consume(struct marker_channel_cpu *pcpu)
{
	struct marker_channel *channel = pcpu->channel;
	struct rchan_buf *buf = marker_channel_buf(pcpu);

	buf->bytes_consumed = 0;
	if (pcpu->ring) {
		marker_channel_give_back(pcpu);
	} else {
		/* Pairs with the acquire in marker_channel_unread(): copy before reuse. */
		smp_store_release(&buf->subbufs_consumed,
				  buf->subbufs_consumed + 1);
	}
	/*
	 * Pairs with smp_mb() in marker_channel_stop(): either that sees the
	 * last sub-buffer consumed, or this sees @flushed and frees the buffers.
	 */
	smp_mb();
	if (marker_channel_flushed(channel) && !marker_channel_readable(pcpu))
		schedule_work(&channel->release);
}

/* ---- cpu<n> ---- */

/*
 * Copy and consume up to *@count bytes of the oldest sub-buffer: all, or, if @in_part, as many as
 * the reader has mapped pages for. Return their number; *@count becomes the number of bytes that
 * there were.
 */
static size_t marker_channel_copy_out(struct marker_channel_cpu *pcpu,
				      char __user *to, size_t *count, bool in_part)
{
	struct marker_channel_span span;
	size_t copied = 0;

	mutex_lock(&pcpu->read_lock);
	if (marker_channel_claim(pcpu, &span)) {
		*count = min(span.bytes, *count);
		pagefault_disable();
		copied = *count - copy_to_user(to, span.from, *count);
		pagefault_enable();
		if (copied < *count && !in_part)
			copied = 0;
		marker_channel_buf(pcpu)->bytes_consumed += copied;
		if (copied == span.bytes)
			marker_channel_consume(pcpu);
	} else {
		*count = 0;
	}
	mutex_unlock(&pcpu->read_lock);
	return copied;
}

/**
 * marker_channel_read_some - copy bytes of the oldest sub-buffer to user space
 * @pcpu: the CPU's part of the channel
 * @to: where to
 * @count: maximum number of bytes
 *
 * They are bytes of one sub-buffer only, so that a second reader that takes over
 * begins with a whole one. No lock is held over a page fault of the reader: with
 * userfaultfd it takes as long as the reader likes.
 *
 * Return: the number of bytes; 0 if no sub-buffer is published; -EFAULT; -EINTR if the reader
 * is killed.
 */
ssize_t marker_channel_read_some(struct marker_channel_cpu *pcpu,
				 char __user *to, size_t count)
{
	size_t there = count, copied;

	copied = marker_channel_copy_out(pcpu, to, &there, false);
	while (!copied && there) {
		if (fault_in_safe_writeable(to, there) == there)
			return -EFAULT;
		if (fatal_signal_pending(current))
			return -EINTR;
		there = count;
		copied = marker_channel_copy_out(pcpu, to, &there, true);
	}
	return copied;
}

static ssize_t marker_channel_read(struct file *file, char __user *to,
				   size_t count, loff_t *ppos)
{
	return marker_channel_read_some(file->private_data, to, count);
}

/**
 * marker_channel_poll_cpu - poll() of a file of a CPU
 * @pcpu: the CPU's part of the channel
 * @file: the file
 * @wait: the table
 *
 * Return: EPOLLIN if a sub-buffer is published; EPOLLHUP if the channel is stopped and all
 * is read.
 */
__poll_t marker_channel_poll_cpu(struct marker_channel_cpu *pcpu,
				 struct file *file,
				 struct poll_table_struct *wait)
{
	__poll_t mask = 0;
	bool flushed;

	poll_wait(file, &pcpu->wait, wait);
	/*
	 * Pairs with wq_has_sleeper() in marker_channel_publish(): either that
	 * sees this reader, or this sees its sub-buffer.
	 */
	smp_mb();
	mutex_lock(&pcpu->read_lock);
	/* In this order: all sub-buffers are published when @flushed is set. */
	flushed = marker_channel_flushed(pcpu->channel);
	if (marker_channel_readable(pcpu))
		mask = EPOLLIN | EPOLLRDNORM;
	else if (flushed)
		mask = EPOLLHUP;
	mutex_unlock(&pcpu->read_lock);
	return mask;
}

static __poll_t marker_channel_poll(struct file *file,
				    struct poll_table_struct *wait)
{
	return marker_channel_poll_cpu(file->private_data, file, wait);
}

static int marker_channel_file_open(struct inode *inode, struct file *file)
{
	/* Records hold addresses and other internals of the kernel. */
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	if (ret)
		return ret;
	file->private_data = inode->i_private;
	return nonseekable_open(inode, file);
}

static const struct file_operations marker_channel_fops = {
	.owner	= THIS_MODULE,
	.open	= marker_channel_file_open,
	.read	= marker_channel_read,
	.poll	= marker_channel_poll,
};

/* ---- map<n> ---- */

static int marker_channel_next_subbuf(struct marker_channel_cpu *pcpu,
				      struct marker_channel_subbuf *subbuf)
{
	struct marker_channel_span span;
	int ret = -EAGAIN;

	mutex_lock(&pcpu->read_lock);
	if (marker_channel_claim(pcpu, &span)) {
		*subbuf = (struct marker_channel_subbuf) {
			.generation = pcpu->channel->generation,
			.sequence = span.sequence,
			.offset = span.offset,
			.bytes = span.bytes,
		};
		ret = 0;
	}
	mutex_unlock(&pcpu->read_lock);
	return ret;
}

static int
marker_channel_consume_subbuf(struct marker_channel_cpu *pcpu,
			      const struct marker_channel_subbuf *subbuf)
{
	struct marker_channel_span span;
	int ret = -ESTALE;

	mutex_lock(&pcpu->read_lock);
	if (subbuf->generation == pcpu->channel->generation &&
	    marker_channel_claim(pcpu, &span) &&
	    subbuf->sequence == span.sequence) {
		marker_channel_consume(pcpu);
		ret = 0;
	}
	mutex_unlock(&pcpu->read_lock);
	return ret;
}

static long marker_channel_ioctl(struct file *file, unsigned int cmd,
				 unsigned long arg)
{
	struct marker_channel_cpu *pcpu = file->private_data;
	void __user *user = (void __user *)arg;
	struct marker_channel_subbuf subbuf;
	int ret;

	switch (cmd) {
	case MARKER_CHANNEL_NEXT:
		ret = marker_channel_next_subbuf(pcpu, &subbuf);
		if (!ret && copy_to_user(user, &subbuf, sizeof(subbuf)))
			ret = -EFAULT;
		return ret;
	case MARKER_CHANNEL_CONSUME:
		if (copy_from_user(&subbuf, user, sizeof(subbuf)))
			return -EFAULT;
		return marker_channel_consume_subbuf(pcpu, &subbuf);
	default:
		return -ENOTTY;
	}
}

/**
 * marker_channel_map - map the buffer of a CPU
 * @pcpu: the CPU's part of the channel
 * @vma: where to, read only and shared
 * @generation: result: the generation of the buffer
 *
 * The rest of a mapping that is larger than the buffer stays empty. A page stays mapped when
 * the buffer is freed.
 *
 * Return: 0 or -errno.
 */
int marker_channel_map(struct marker_channel_cpu *pcpu,
		       struct vm_area_struct *vma, u64 *generation)
{
	struct rchan_buf *buf;
	unsigned long nr;
	int ret = -ENXIO;

	if (vma->vm_pgoff)
		return -EINVAL;
	/* A copied page of a private mapping would not change any more. */
	if (vma->vm_flags & (VM_WRITE | VM_EXEC) ||
	    !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	/* The reader's address would have other cache lines, with stale data. */
	if (cpu_dcache_is_aliasing())
		return -ENODEV;
	/* mprotect() must not grant what mmap() refuses. */
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYWRITE | VM_MAYEXEC);
	mutex_lock(&pcpu->map_lock);
	buf = marker_channel_buf(pcpu);
	if (buf) {
		*generation = pcpu->channel->generation;
		/* It would not see a larger buffer that replaces this one. */
		WRITE_ONCE(pcpu->mapped, true);
		nr = min_t(unsigned long, vma_pages(vma), buf->page_count);
		ret = vm_insert_pages(vma, vma->vm_start, buf->page_array, &nr);
	}
	mutex_unlock(&pcpu->map_lock);
	return ret;
}

static int marker_channel_mmap(struct file *file, struct vm_area_struct *vma)
{
	u64 generation;

	return marker_channel_map(file->private_data, vma, &generation);
}

/*
 * A file of its own, as lockdown refuses to open any file of debugfs that has mmap()
 * or ioctl().
 */
static const struct file_operations marker_channel_map_fops = {
	.owner		= THIS_MODULE,
	.open		= marker_channel_file_open,
	.unlocked_ioctl	= marker_channel_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.mmap		= marker_channel_mmap,
	.poll		= marker_channel_poll,
};

/* ---- flush ---- */

static int marker_channel_flush_set(void *data, u64 value)
{
	marker_channel_flush_if_spare(data);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(marker_channel_flush_fops, NULL,
			 marker_channel_flush_set, "%llu\n");

/* ---- creating the files ---- */

static enum cpuhp_state marker_channel_files_cpuhp __ro_after_init;

/* Create the files of a CPU when it first comes up. */
static int marker_channel_create_cpu_files(unsigned int cpu,
					   struct hlist_node *node)
{
	struct marker_channel *channel =
		hlist_entry(node, struct marker_channel, files_node);
	struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu, cpu);
	struct dentry *file;
	char name[16];

	if (pcpu->file)
		return 0;
	snprintf(name, sizeof(name), "cpu%u", cpu);
	file = channel->fops ?
	       debugfs_create_file_unsafe(name, 0400, channel->dir, pcpu,
					  channel->fops) :
	       debugfs_create_file(name, 0400, channel->dir, pcpu,
				   &marker_channel_fops);
	/* The CPU can run without its file. */
	if (IS_ERR(file)) {
		pr_err("%s: not created, its records can't be read: %ld\n",
		       name, PTR_ERR(file));
		return 0;
	}
	pcpu->file = file;
	if (channel->fops)
		return 0;
	/*
	 * debugfs_create_file() would hide mmap(). It protects against removal,
	 * and these files stay.
	 */
	snprintf(name, sizeof(name), "map%u", cpu);
	debugfs_create_file_unsafe(name, 0400, channel->dir, pcpu,
				   &marker_channel_map_fops);
	return 0;
}

/**
 * marker_channel_create_own_files - create a file with the owner's operations for each CPU
 * @channel: the channel
 * @dir: folder for the files, which stay from then on: flush, mode 0200; cpu<n>, mode 0400,
 *	of each CPU that has a buffer, is online or comes online
 * @fops: their operations; i_private of the inode is the CPU's part of the channel
 *
 * Context: task, may sleep; after core_initcall.
 * Return: 0 or -errno.
 */
int marker_channel_create_own_files(struct marker_channel *channel,
				    struct dentry *dir,
				    const struct file_operations *fops)
{
	unsigned int cpu;
	int ret;

	channel->dir = dir;
	channel->fops = fops;
	ret = cpuhp_state_add_instance(marker_channel_files_cpuhp,
				       &channel->files_node);
	if (ret)
		return ret;
	/* A CPU that is offline again may have records. */
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		if (marker_channel_buf(per_cpu_ptr(channel->cpu, cpu)))
			marker_channel_create_cpu_files(cpu,
							&channel->files_node);
	cpus_read_unlock();
	debugfs_create_file_unsafe("flush", 0200, dir, channel,
				   &marker_channel_flush_fops);
	return 0;
}

/**
 * marker_channel_create_files - create the files of a channel in debugfs
 * @channel: the channel
 * @dir: folder for the files: those of marker_channel_create_own_files(), and map<n>, mode
 *	0400, of each CPU that has a cpu<n>
 *
 * Context: task, may sleep; after core_initcall.
 * Return: 0 or -errno.
 */
int marker_channel_create_files(struct marker_channel *channel,
				struct dentry *dir)
{
	return marker_channel_create_own_files(channel, dir, NULL);
}

static int __init marker_channel_setup_files(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN,
					  "marker_channel:files",
					  marker_channel_create_cpu_files,
					  NULL);

	if (ret < 0)
		return ret;
	marker_channel_files_cpuhp = ret;
	return 0;
}
core_initcall(marker_channel_setup_files);
