// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU buffers between marker probes and readers, see
 * <linux/marker_channel.h>.
 *
 * Relay gives the memory, creates a CPU's buffer before that CPU first runs,
 * and keeps the books: subbufs_produced belongs to the writer,
 * subbufs_consumed and bytes_consumed to the reader, padding[] says how much of
 * a published sub-buffer is unused. Its own write and read paths are not used:
 * they copy once more, publish empty sub-buffers on a flush, and drop a
 * sub-buffer whose reader, on another CPU, came between two stores of the writer.
 */
#define pr_fmt(fmt) "marker_channel: " fmt

#include <linux/cacheinfo.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/marker_channel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pfn.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <uapi/linux/marker_channel.h>

static enum cpuhp_state marker_channel_cpuhp __ro_after_init;

/* ---- the writer's side: interrupts off on the CPU that is written for ---- */

static bool marker_channel_full(struct marker_channel *channel,
				struct rchan_buf *buf)
{
	/* Pairs with the release in marker_channel_consume(): reuse after copy. */
	return buf->subbufs_produced - smp_load_acquire(&buf->subbufs_consumed)
		>= channel->n_subbufs;
}

/* What is published ends with a page, where the owner can fill it up. */
static char *marker_channel_fill(struct marker_channel *channel, char *pos,
				 char *limit)
{
	size_t bytes;

	if (!channel->ops || !channel->ops->fill)
		return pos;
	/* Sub-buffers begin with a page. */
	bytes = min_t(size_t, PTR_ALIGN(pos, PAGE_SIZE) - pos, limit - pos);
	if (bytes)
		channel->ops->fill(pos, bytes);
	return pos + bytes;
}

/* Whoever traces what is called from here finds no room: see @refilling. */
static void marker_channel_publish(struct marker_channel_cpu *end)
{
	struct marker_channel *channel = end->channel;
	struct rchan_buf *buf = end->buf;
	size_t produced = buf->subbufs_produced;
	char *pos = end->pos, *limit = end->end;

	end->pos = NULL;
	end->fast = NULL;
	end->end = NULL;
	pos = marker_channel_fill(channel, pos, limit);
	buf->padding[produced % channel->n_subbufs] = limit - pos;
	/* Pairs with the acquire in marker_channel_ready(): data first. */
	smp_store_release(&buf->subbufs_produced, produced + 1);
	/* A CPU on its last steps queues nothing: it would stay queued. */
	if (cpu_online(smp_processor_id()) && wq_has_sleeper(&end->wait))
		irq_work_queue(&end->wakeup);
}

static void *marker_channel_lose(struct marker_channel_cpu *end, size_t size)
{
	end->lost.records++;
	end->lost.bytes += size;
	if (!end->lost_since)
		end->lost_since = ktime_get_mono_fast_ns() ?: 1;
	return NULL;
}

static void *marker_channel_next(struct marker_channel_cpu *end, size_t size)
{
	struct marker_channel *channel = end->channel;
	struct rchan_buf *buf = end->buf;
	char *start, *pos;

	if (end->pos)
		marker_channel_publish(end);
	if (!buf) {
		buf = *this_cpu_ptr(channel->rchan->buf);
		/* Pairs with the acquire in marker_channel_buf(). */
		smp_store_release(&end->buf, buf);
	}
	if (!buf || marker_channel_full(channel, buf))
		return marker_channel_lose(end, size);
	start = buf->start + buf->subbufs_produced % channel->n_subbufs *
			     channel->subbuf_size;
	pos = start;
	end->direct = true;
	if (channel->ops && channel->ops->begin)
		pos += channel->ops->begin(end, buf->subbufs_produced, start);
	end->pos = pos + size;
	end->end = start + channel->subbuf_size;
	end->fast = end->direct ? end->end : NULL;
	return pos;
}

/**
 * marker_channel_refill - marker_channel_begin() when there is no room, or in an NMI
 * @end: this CPU's end
 * @size: bytes of the record
 *
 * Return: a slot in a fresh sub-buffer, or NULL.
 */
noinline void *marker_channel_refill(struct marker_channel_cpu *end,
				     size_t size)
{
	void *slot;

	/*
	 * A probe that was called before the channel started, or that was
	 * preempted until after it stopped: not a loss. Pairs with the release
	 * in marker_channel_start(): see the buffers.
	 */
	if (!smp_load_acquire(&end->channel->running))
		return NULL;
	/* One may interrupt another, as a breakpoint is one. */
	if (in_nmi()) {
		this_cpu_inc(end->channel->cpu->lost_nmi.records);
		this_cpu_add(end->channel->cpu->lost_nmi.bytes, size);
		return NULL;
	}
	/* Somebody traces what is called from here, and allocates. */
	if (end->refilling)
		return marker_channel_lose(end, size);
	end->refilling = true;
	barrier();
	slot = marker_channel_next(end, size);
	barrier();
	end->refilling = false;
	return slot;
}

static void marker_channel_flush_cpu(struct marker_channel_cpu *end)
{
	if (!end->pos)
		return;
	end->refilling = true;
	barrier();
	marker_channel_publish(end);
	barrier();
	end->refilling = false;
}

/* ---- the reader's side ---- */

static struct rchan_buf *marker_channel_buf(struct marker_channel_cpu *end)
{
	/* Pairs with the release in marker_channel_next(). */
	return smp_load_acquire(&end->buf);
}

static bool marker_channel_ready(struct rchan_buf *buf)
{
	/* Pairs with the release in marker_channel_publish(). */
	return buf && smp_load_acquire(&buf->subbufs_produced) !=
		      buf->subbufs_consumed;
}

static bool marker_channel_flushed(struct marker_channel *channel)
{
	/* Pairs with the release in marker_channel_stop(): all is published. */
	return smp_load_acquire(&channel->flushed);
}

static bool marker_channel_drained(struct marker_channel *channel)
{
	unsigned int cpu;

	lockdep_assert_held(&channel->lock);
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);

		if (marker_channel_ready(marker_channel_buf(end)))
			return false;
	}
	return true;
}

static void marker_channel_wakeup(struct irq_work *work)
{
	struct marker_channel_cpu *end =
		container_of(work, struct marker_channel_cpu, wakeup);

	wake_up_interruptible(&end->wait);
}

static size_t marker_channel_left(struct marker_channel *channel,
				  struct rchan_buf *buf)
{
	size_t index = buf->subbufs_consumed % channel->n_subbufs;

	return channel->subbuf_size - buf->padding[index] - buf->bytes_consumed;
}

/* Where the reader is in the buffer. */
static size_t marker_channel_offset(struct marker_channel *channel,
				    struct rchan_buf *buf)
{
	return buf->subbufs_consumed % channel->n_subbufs *
	       channel->subbuf_size + buf->bytes_consumed;
}

static void marker_channel_consume(struct rchan_buf *buf)
{
	buf->bytes_consumed = 0;
	/* Pairs with the acquire in marker_channel_full(). */
	smp_store_release(&buf->subbufs_consumed, buf->subbufs_consumed + 1);
}

/* The last of a stopped channel gives the memory back. */
static void marker_channel_consumed(struct marker_channel *channel,
				    struct rchan_buf *buf)
{
	/*
	 * Pairs with the one in marker_channel_stop(): either it sees what was
	 * consumed, or this that it has flushed.
	 */
	smp_mb();
	if (marker_channel_flushed(channel) && !marker_channel_ready(buf))
		schedule_work(&channel->release);
}

/*
 * Hands out what is left of a published sub-buffer, and nothing of the next: a stream
 * that somebody takes over begins with a whole one. 0: there is none now.
 */
static ssize_t marker_channel_read(struct file *file, char __user *to,
				   size_t count, loff_t *ppos)
{
	struct marker_channel_cpu *end = file->private_data;
	struct marker_channel *channel = end->channel;
	struct rchan_buf *buf;
	ssize_t ret = 0;

	mutex_lock(&end->read_lock);
	buf = marker_channel_buf(end);
	if (marker_channel_ready(buf)) {
		size_t left = marker_channel_left(channel, buf);
		size_t part = min(left, count);

		ret = -EFAULT;
		if (copy_to_user(to, buf->start +
				 marker_channel_offset(channel, buf), part))
			goto unlock;
		ret = part;
		buf->bytes_consumed += part;
		if (part == left) {
			marker_channel_consume(buf);
			marker_channel_consumed(channel, buf);
		}
	}
unlock:
	mutex_unlock(&end->read_lock);
	return ret;
}

static int marker_channel_next_subbuf(struct marker_channel_cpu *end,
				      struct marker_channel_subbuf *subbuf)
{
	struct marker_channel *channel = end->channel;
	struct rchan_buf *buf;
	int ret = -EAGAIN;

	mutex_lock(&end->read_lock);
	buf = marker_channel_buf(end);
	if (marker_channel_ready(buf)) {
		*subbuf = (struct marker_channel_subbuf) {
			.generation = channel->generation,
			.sequence = buf->subbufs_consumed,
			.offset = marker_channel_offset(channel, buf),
			.bytes = marker_channel_left(channel, buf),
		};
		ret = 0;
	}
	mutex_unlock(&end->read_lock);
	return ret;
}

static int
marker_channel_consume_subbuf(struct marker_channel_cpu *end,
			      const struct marker_channel_subbuf *subbuf)
{
	struct rchan_buf *buf;
	int ret = -ESTALE;

	mutex_lock(&end->read_lock);
	buf = marker_channel_buf(end);
	if (marker_channel_ready(buf) &&
	    subbuf->generation == end->channel->generation &&
	    subbuf->sequence == buf->subbufs_consumed) {
		marker_channel_consume(buf);
		marker_channel_consumed(end->channel, buf);
		ret = 0;
	}
	mutex_unlock(&end->read_lock);
	return ret;
}

static long marker_channel_ioctl(struct file *file, unsigned int cmd,
				 unsigned long arg)
{
	struct marker_channel_cpu *end = file->private_data;
	void __user *user = (void __user *)arg;
	struct marker_channel_subbuf subbuf;
	int ret;

	switch (cmd) {
	case MARKER_CHANNEL_NEXT:
		ret = marker_channel_next_subbuf(end, &subbuf);
		if (!ret && copy_to_user(user, &subbuf, sizeof(subbuf)))
			ret = -EFAULT;
		return ret;
	case MARKER_CHANNEL_CONSUME:
		if (copy_from_user(&subbuf, user, sizeof(subbuf)))
			return -EFAULT;
		return marker_channel_consume_subbuf(end, &subbuf);
	default:
		return -ENOTTY;
	}
}

/*
 * Pages that are mapped stay when the buffer goes. A CPU that hasn't recorded yet has
 * nothing to be mapped.
 */
static int marker_channel_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct marker_channel_cpu *end = file->private_data;
	struct rchan_buf *buf;
	int ret = -ENXIO;

	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	/* It would see what its own address has in the cache. */
	if (cpu_dcache_is_aliasing())
		return -ENODEV;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYWRITE);
	mutex_lock(&end->map_lock);
	buf = marker_channel_buf(end);
	if (buf)
		ret = vm_map_pages(vma, buf->page_array, buf->page_count);
	mutex_unlock(&end->map_lock);
	return ret;
}

static __poll_t marker_channel_poll(struct file *file,
				    struct poll_table_struct *wait)
{
	struct marker_channel_cpu *end = file->private_data;
	__poll_t mask = 0;
	bool flushed;

	poll_wait(file, &end->wait, wait);
	/* Pairs with wq_has_sleeper(): either it sees us, or we its sub-buffer. */
	smp_mb();
	mutex_lock(&end->read_lock);
	flushed = marker_channel_flushed(end->channel);
	if (marker_channel_ready(marker_channel_buf(end)))
		mask = EPOLLIN | EPOLLRDNORM;
	else if (flushed)
		mask = EPOLLHUP;
	mutex_unlock(&end->read_lock);
	return mask;
}

static int marker_channel_file_open(struct inode *inode, struct file *file)
{
	/* Records are about the kernel's insides, addresses among them. */
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

/* A file of its own: lockdown of debugfs forbids those that can be mapped. */
static const struct file_operations marker_channel_map_fops = {
	.owner		= THIS_MODULE,
	.open		= marker_channel_file_open,
	.unlocked_ioctl	= marker_channel_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.mmap		= marker_channel_mmap,
	.poll		= marker_channel_poll,
};

/* ---- buffers ---- */

/*
 * Relay wants a file a buffer; ours belong to CPUs and outlive the buffers. But here is
 * where it tells that there is another one. It stores no file of a channel that was
 * opened without a name, and only looks whether it got one: see relay_open_buf().
 */
static struct dentry *marker_channel_no_file(const char *filename,
					     struct dentry *parent,
					     umode_t mode,
					     struct rchan_buf *buf,
					     int *is_global)
{
	struct marker_channel *channel = buf->chan->private_data;
	static struct dentry none;

	/* Before it runs, its owner asks for those that there are. */
	if (READ_ONCE(channel->running) && channel->ops && channel->ops->buffer)
		channel->ops->buffer(buf->page_array, buf->page_count);
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

static void marker_channel_free(struct marker_channel *channel)
{
	unsigned int cpu;

	lockdep_assert_held(&channel->lock);
	if (!channel->rchan)
		return;
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);

		mutex_lock(&end->read_lock);
		mutex_lock(&end->map_lock);
		end->buf = NULL;
		mutex_unlock(&end->map_lock);
		mutex_unlock(&end->read_lock);
	}
	/* A CPU that comes up looks at its buffer. */
	cpus_read_lock();
	relay_close(channel->rchan);
	channel->rchan = NULL;
	cpus_read_unlock();
}

static void marker_channel_release(struct work_struct *work)
{
	struct marker_channel *channel =
		container_of(work, struct marker_channel, release);

	mutex_lock(&channel->lock);
	if (channel->flushed && marker_channel_drained(channel))
		marker_channel_free(channel);
	mutex_unlock(&channel->lock);
}

/**
 * marker_channel_init - set up what DEFINE_MARKER_CHANNEL() could not
 * @channel: the channel
 * @subbuf_size: bytes of a sub-buffer; records never straddle two
 * @n_subbufs: sub-buffers of a CPU
 *
 * Takes no memory. Context: task, or the boot CPU in early boot.
 */
void marker_channel_init(struct marker_channel *channel, size_t subbuf_size,
			 size_t n_subbufs)
{
	unsigned int cpu;

	channel->subbuf_size = subbuf_size;
	channel->n_subbufs = n_subbufs;
	channel->flushed = true;
	mutex_init(&channel->lock);
	INIT_WORK(&channel->release, marker_channel_release);
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);

		end->channel = channel;
		mutex_init(&end->read_lock);
		mutex_init(&end->map_lock);
		init_waitqueue_head(&end->wait);
		init_irq_work(&end->wakeup, marker_channel_wakeup);
	}
}

/*
 * Relay takes a page at a time, and would have the OOM killer make room for them.
 * Early in the boot there is nobody to kill.
 */
static bool marker_channel_fits(struct marker_channel *channel)
{
	long pages = PFN_UP(channel->subbuf_size * channel->n_subbufs) *
		     num_online_cpus();

	lockdep_assert_cpus_held();
	return system_state == SYSTEM_BOOTING || si_mem_available() >= pages;
}

/**
 * marker_channel_prepare - get the buffers of a new generation
 * @channel: a stopped channel
 *
 * To be followed by marker_channel_start(), or by marker_channel_stop(), which
 * gives the buffers back. Counts of losses begin at 0 again. A CPU that isn't
 * online gets its buffer from relay's hotplug callback before it runs.
 *
 * Context: task, may sleep; or the boot CPU once the page and slab allocators
 * and vmalloc are up.
 * Return: 0, -EBUSY while it is prepared, runs, or has sub-buffers of the last
 * generation that are unread, -ENOMEM, also where the buffers of all CPUs that are
 * online are larger than the memory that is available.
 */
int marker_channel_prepare(struct marker_channel *channel)
{
	struct rchan *rchan = NULL;
	unsigned int cpu;
	int ret = 0;

	mutex_lock(&channel->lock);
	if (!channel->flushed || !marker_channel_drained(channel)) {
		ret = -EBUSY;
		goto unlock;
	}
	marker_channel_free(channel);

	/* A CPU is either seen by relay_open() or by relay's callback. */
	cpus_read_lock();
	if (marker_channel_fits(channel))
		rchan = relay_open(NULL, NULL, channel->subbuf_size,
				   channel->n_subbufs, &marker_channel_relay,
				   channel);
	cpus_read_unlock();
	if (!rchan) {
		ret = -ENOMEM;
		goto unlock;
	}
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);

		end->lost = (struct marker_channel_loss) { };
		end->lost_nmi = (struct marker_channel_loss) { };
		end->lost_since = 0;
	}
	channel->rchan = rchan;
	channel->generation++;
	WRITE_ONCE(channel->flushed, false);
unlock:
	mutex_unlock(&channel->lock);
	return ret;
}

static int marker_channel_start_all(void *data)
{
	struct marker_channel *channel = data;

	/* Pairs with the acquire in marker_channel_refill(): buffers first. */
	smp_store_release(&channel->running, true);
	return 0;
}

/**
 * marker_channel_start - take records from now on
 * @channel: a prepared channel
 *
 * The stream begins at one moment on all CPUs.
 *
 * Context: task, may sleep, or the boot CPU in early boot. Stops all CPUs for a
 * moment.
 */
void marker_channel_start(struct marker_channel *channel)
{
	mutex_lock(&channel->lock);
	stop_machine(marker_channel_start_all, channel, NULL);
	mutex_unlock(&channel->lock);
}

/*
 * Runs on all CPUs that are online while none of them does anything else, so
 * that the stream ends at one moment. A CPU that isn't online can't write.
 */
static int marker_channel_stop_cpu(void *data)
{
	struct marker_channel *channel = data;
	unsigned int this_cpu = smp_processor_id();
	unsigned int cpu;

	WRITE_ONCE(channel->running, false);
	marker_channel_flush_cpu(per_cpu_ptr(channel->cpu, this_cpu));
	if (this_cpu == cpumask_first(cpu_online_mask))
		for_each_possible_cpu(cpu)
			if (!cpu_online(cpu))
				marker_channel_flush_cpu(per_cpu_ptr(channel->cpu,
								     cpu));
	return 0;
}

/**
 * marker_channel_stop - take no more records, make all that were taken readable
 * @channel: the channel
 *
 * When this returns no record is being written on any CPU, and each current
 * sub-buffer that holds records is published. Nothing is lost by stopping.
 *
 * Context: task, may sleep. Stops all CPUs for a moment.
 */
void marker_channel_stop(struct marker_channel *channel)
{
	unsigned int cpu;

	mutex_lock(&channel->lock);
	stop_machine(marker_channel_stop_cpu, channel, cpu_online_mask);
	/* Pairs with the acquire in marker_channel_flushed(). */
	smp_store_release(&channel->flushed, true);
	/* Pairs with the one in marker_channel_consumed(): who is last, releases. */
	smp_mb();
	for_each_possible_cpu(cpu)
		wake_up_interruptible(&per_cpu_ptr(channel->cpu, cpu)->wait);
	if (marker_channel_drained(channel))
		marker_channel_free(channel);
	mutex_unlock(&channel->lock);
}

static void marker_channel_flush_this(void *data)
{
	struct marker_channel *channel = data;

	marker_channel_flush_cpu(this_cpu_ptr(channel->cpu));
}

/**
 * marker_channel_flush - make all that was taken so far readable
 * @channel: the channel
 *
 * Each CPU that is online begins a new sub-buffer with its next record; those of
 * others were published when they went.
 *
 * Context: task, may sleep, or an atomic one with interrupts on.
 */
void marker_channel_flush(struct marker_channel *channel)
{
	on_each_cpu(marker_channel_flush_this, channel, true);
}

/**
 * marker_channel_discard - give the buffers back, read or not
 * @channel: a stopped channel
 */
void marker_channel_discard(struct marker_channel *channel)
{
	mutex_lock(&channel->lock);
	if (channel->flushed)
		marker_channel_free(channel);
	mutex_unlock(&channel->lock);
}

/**
 * marker_channel_lost - what found no room on a CPU in this generation
 * @channel: the channel
 * @cpu: a possible CPU
 *
 * Return: its sum; exact once the channel is stopped, a glimpse before.
 */
struct marker_channel_loss marker_channel_lost(struct marker_channel *channel,
					       unsigned int cpu)
{
	struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);

	return (struct marker_channel_loss) {
		.records = READ_ONCE(end->lost.records) +
			   READ_ONCE(end->lost_nmi.records),
		.bytes = READ_ONCE(end->lost.bytes) +
			 READ_ONCE(end->lost_nmi.bytes),
	};
}

/**
 * marker_channel_pages - the pages of a CPU's buffer
 * @channel: a channel that is prepared or runs, which the caller keeps so
 * @cpu: a possible CPU
 * @nr: result: how many; 0: there is no buffer
 *
 * Context: with CPUs locked against hotplug.
 * Return: the pages.
 */
struct page **marker_channel_pages(struct marker_channel *channel,
				   unsigned int cpu, size_t *nr)
{
	struct rchan_buf *buf;

	lockdep_assert_cpus_held();
	buf = *per_cpu_ptr(channel->rchan->buf, cpu);
	*nr = buf ? buf->page_count : 0;
	return buf ? buf->page_array : NULL;
}

/* ---- CPU hotplug ---- */

static int marker_channel_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct marker_channel *channel =
		hlist_entry(node, struct marker_channel, node);
	struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);
	struct dentry *file;
	char name[16];

	if (end->file)
		return 0;
	snprintf(name, sizeof(name), "cpu%u", cpu);
	file = debugfs_create_file(name, 0400, channel->dir, end,
				   &marker_channel_fops);
	/* Without its file a CPU's records can't be read, but it can run. */
	if (IS_ERR(file)) {
		pr_err("marker_channel: no %s, nobody can read its records: %ld\n",
		       name, PTR_ERR(file));
		return 0;
	}
	end->file = file;
	/* What debugfs wraps it doesn't let be mapped. These files stay. */
	snprintf(name, sizeof(name), "map%u", cpu);
	debugfs_create_file_unsafe(name, 0400, channel->dir, end,
				   &marker_channel_map_fops);
	return 0;
}

/* Runs on another CPU, when @cpu has executed its last instruction. */
static int marker_channel_cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct marker_channel *channel =
		hlist_entry(node, struct marker_channel, node);
	struct marker_channel_cpu *end = per_cpu_ptr(channel->cpu, cpu);
	unsigned long flags;

	local_irq_save(flags);
	marker_channel_flush_cpu(end);
	local_irq_restore(flags);
	/* What the dead CPU had queued to wake them doesn't run. */
	wake_up_interruptible(&end->wait);
	return 0;
}

/**
 * marker_channel_create_files - show the channel in debugfs
 * @channel: the channel
 * @dir: folder for cpu<n> and map<n>, mode 0400, for each CPU that is or comes
 *	online, or has recorded; it stays from then on
 *
 * Context: task, may sleep; after core_initcall.
 * Return: 0 or -errno.
 */
int marker_channel_create_files(struct marker_channel *channel,
				struct dentry *dir)
{
	unsigned int cpu;
	int ret;

	channel->dir = dir;
	ret = cpuhp_state_add_instance(marker_channel_cpuhp, &channel->node);
	if (ret)
		return ret;
	/* Some CPUs come up only to go again: see cpu_bootable(). */
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		if (marker_channel_buf(per_cpu_ptr(channel->cpu, cpu)))
			marker_channel_cpu_prepare(cpu, &channel->node);
	cpus_read_unlock();
	return 0;
}

static int __init marker_channel_setup(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN,
					  "marker_channel:prepare",
					  marker_channel_cpu_prepare,
					  marker_channel_cpu_dead);

	if (ret < 0)
		return ret;
	marker_channel_cpuhp = ret;
	return 0;
}
core_initcall(marker_channel_setup);
