// SPDX-License-Identifier: GPL-2.0
/*
 * The files buffers/cpu<n>: read(), poll(), mmap() and the ioctls of <uapi/linux/ktrace.h>.
 *
 * A position counts the bytes of all sub-buffers before it, used or not.
 */
#define pr_fmt(fmt) "ktrace: " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/linux/ktrace.h>
#include "../marker_channel_internal.h"
#include "ktrace.h"

/**
 * struct ktrace_reader - an open file
 * @cpu: the CPU's part of the channel
 * @generation: that of the buffer that was mapped last through this file, 0 for none
 */
struct ktrace_reader {
	struct marker_channel_cpu	*cpu;
	u64				generation;
};

static int ktrace_buffer_open(struct inode *inode, struct file *file)
{
	struct ktrace_reader *reader;
	/* Records hold addresses and other internals of the kernel. */
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	if (ret)
		return ret;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	if (!reader)
		return -ENOMEM;
	reader->cpu = inode->i_private;
	file->private_data = reader;
	return nonseekable_open(inode, file);
}

static int ktrace_buffer_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static ssize_t ktrace_buffer_read(struct file *file, char __user *to,
				  size_t count, loff_t *ppos)
{
	struct ktrace_reader *reader = file->private_data;

	return marker_channel_read_some(reader->cpu, to, count);
}

static __poll_t ktrace_buffer_poll(struct file *file,
				   struct poll_table_struct *wait)
{
	struct ktrace_reader *reader = file->private_data;

	return marker_channel_poll_cpu(reader->cpu, file, wait);
}

static int ktrace_buffer_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct ktrace_reader *reader = file->private_data;

	return marker_channel_map(reader->cpu, vma, &reader->generation);
}

/* ---- positions, under read_lock ---- */

/*
 * Find the bytes of the oldest sub-buffer that are not consumed. Without a complete one,
 * both positions are the same.
 */
static int ktrace_find(struct ktrace_reader *reader, u64 *consumed,
		       u64 *produced)
{
	struct marker_channel *channel = reader->cpu->channel;
	struct rchan_buf *buf = marker_channel_buf(reader->cpu);
	struct marker_channel_span span = { };

	if (!buf)
		return -ENXIO;
	if (reader->generation && reader->generation != channel->generation)
		return -ESTALE;
	if (!marker_channel_claim(reader->cpu, &span))
		span.position = reader->cpu->ring ?
				reader->cpu->ring->position :
				(u64)buf->subbufs_consumed *
				channel->subbuf_size;
	*consumed = span.position;
	*produced = span.position + span.bytes;
	return 0;
}

/* Consume all bytes up to a position. */
static int ktrace_consume(struct ktrace_reader *reader, u64 position)
{
	struct rchan_buf *buf = marker_channel_buf(reader->cpu);
	u64 consumed, produced;
	int ret = ktrace_find(reader, &consumed, &produced);

	if (ret)
		return ret;
	if (position < consumed || position > produced)
		return -EINVAL;
	buf->bytes_consumed += position - consumed;
	if (position == produced && produced > consumed)
		marker_channel_consume(reader->cpu);
	return 0;
}

static long ktrace_buffer_ioctl(struct file *file, unsigned int cmd,
				unsigned long arg)
{
	struct ktrace_reader *reader = file->private_data;
	struct marker_channel *channel = reader->cpu->channel;
	u64 value = channel->subbuf_size * reader->cpu->n_subbufs;
	u64 __user *user = (u64 __user *)arg;
	u64 consumed, produced;
	int ret = 0;

	switch (cmd) {
	case KTRACE_BUF_GET_SIZE:
		break;
	case KTRACE_BUF_GET_PRODUCED:
	case KTRACE_BUF_GET_CONSUMED:
		mutex_lock(&reader->cpu->read_lock);
		ret = ktrace_find(reader, &consumed, &produced);
		mutex_unlock(&reader->cpu->read_lock);
		value = cmd == KTRACE_BUF_GET_PRODUCED ? produced : consumed;
		break;
	case KTRACE_BUF_PUT_PRODUCED:
		marker_channel_flush_one(reader->cpu);
		return 0;
	case KTRACE_BUF_PUT_CONSUMED:
		if (get_user(value, user))
			return -EFAULT;
		mutex_lock(&reader->cpu->read_lock);
		ret = ktrace_consume(reader, value);
		mutex_unlock(&reader->cpu->read_lock);
		return ret;
	default:
		return -ENOTTY;
	}
	return ret ?: put_user(value, user);
}

const struct file_operations ktrace_buffer_fops = {
	.owner		= THIS_MODULE,
	.open		= ktrace_buffer_open,
	.release	= ktrace_buffer_release,
	.read		= ktrace_buffer_read,
	.poll		= ktrace_buffer_poll,
	.mmap		= ktrace_buffer_mmap,
	.unlocked_ioctl	= ktrace_buffer_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
};
