// SPDX-License-Identifier: GPL-2.0
/*
 * Marker channels: their buffers, and switching them on and off. See
 * <linux/marker_channel.h>.
 *
 * relay allocates and maps the buffers. Its write and read paths are not used: they
 * copy records once more, publish empty sub-buffers on a flush, and drop a sub-buffer
 * if the reader runs on another CPU between two stores of the writer.
 *
 * Each counter in struct rchan_buf has one writer: the recording CPU writes
 * subbufs_produced and padding, the reader subbufs_consumed and bytes_consumed. In a
 * channel that overwrites, the CPU writes subbufs_consumed, see marker_channel_ring.c.
 *
 * A buffer lives from marker_channel_prepare() until the channel is stopped and
 * its reader has consumed everything, or until a larger one replaces it, see
 * marker_channel_grow.c. As long as a channel has buffers it follows CPU hotplug: a CPU
 * gets its buffer before it runs, and the current sub-buffer of a CPU that went offline
 * is published for it.
 */
#define pr_fmt(fmt) "marker_channel: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "marker_channel_internal.h"

/* ---- the buffers of a channel ---- */

/* The state of all channels that have buffers; 0 until the first one has. */
static enum cpuhp_state marker_channel_cpuhp;
static DEFINE_MUTEX(marker_channel_cpuhp_mutex);

/*
 * A CPU comes up. It needs no buffer once the channel has stopped. Without memory for a
 * buffer it runs too, and loses its records.
 */
static int marker_channel_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct marker_channel *channel =
		hlist_entry(node, struct marker_channel, node);

	if (READ_ONCE(channel->flushed))
		return 0;
	if (!per_cpu_ptr(channel->cpu, cpu)->rchan &&
	    (!marker_channel_fits(channel, channel->n_subbufs) ||
	     marker_channel_add_buf(channel, cpu)))
		pr_warn("cpu%u: no memory for a buffer, all its records are lost\n",
			cpu);
	return 0;
}

/* Runs on another CPU, when @cpu has executed its last instruction. */
static int marker_channel_cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct marker_channel *channel =
		hlist_entry(node, struct marker_channel, node);
	struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu, cpu);
	unsigned long flags;

	local_irq_save(flags);
	marker_channel_end_subbuf(pcpu);
	local_irq_restore(flags);
	/* The dead CPU may have queued an irq_work for this, which never runs. */
	wake_up_interruptible(&pcpu->wait);
	return 0;
}

/*
 * Register the hotplug state with the first channel that gets buffers, which may be
 * before the first initcall. Return 0 or -errno.
 */
static int marker_channel_setup_cpuhp(void)
{
	int ret = 0;

	mutex_lock(&marker_channel_cpuhp_mutex);
	if (!marker_channel_cpuhp) {
		ret = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN,
					      "marker_channel:buffer",
					      marker_channel_cpu_prepare,
					      marker_channel_cpu_dead);
		if (ret > 0) {
			marker_channel_cpuhp = ret;
			ret = 0;
		}
	}
	mutex_unlock(&marker_channel_cpuhp_mutex);
	return ret;
}

/*
 * Set the size of each CPU's buffer. Most of the boot runs on one CPU, before user space can
 * read. The scheduler may move it to another CPU. So if the boot CPU has a larger buffer, the
 * others begin with half of their share, and the other halves are spare: buffers that fill
 * up may grow by them.
 */
static void marker_channel_set_sizes(struct marker_channel *channel)
{
	bool boots = system_state == SYSTEM_BOOTING &&
		     channel->n_boot > channel->n_subbufs;
	size_t first = channel->n_subbufs;
	unsigned int cpu;

	if (boots && channel->grows)
		first = max_t(size_t, first / 2, 2);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(channel->cpu, cpu)->n_subbufs =
			boots && cpu_online(cpu) ? channel->n_boot : first;
	channel->n_spare = (channel->n_subbufs - first) *
			   (num_possible_cpus() - 1);
	WRITE_ONCE(channel->n_most, channel->n_spare ? channel->n_boot : 0);
}

static void marker_channel_remove_bufs(struct marker_channel *channel)
{
	unsigned int cpu;

	lockdep_assert_held(&channel->lock);
	if (!channel->has_bufs)
		return;
	/* From here on, a CPU that comes up gets no buffer. */
	cpuhp_state_remove_instance_nocalls(marker_channel_cpuhp,
					    &channel->node);
	for_each_possible_cpu(cpu) {
		marker_channel_remove_buf(per_cpu_ptr(channel->cpu, cpu));
		cond_resched();
	}
	channel->has_bufs = false;
	marker_channel_set_sizes(channel);
}

/* Other CPUs read the counts at any time. */
static void marker_channel_reset_loss(struct marker_channel_loss *loss)
{
	WRITE_ONCE(loss->records, 0);
	WRITE_ONCE(loss->bytes, 0);
}

static void marker_channel_reset_losses(struct marker_channel *channel)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu,
							      cpu);

		marker_channel_reset_loss(&pcpu->lost);
		marker_channel_reset_loss(&pcpu->overwritten);
		marker_channel_reset_loss(&pcpu->lost_nmi);
		pcpu->lost_since = 0;
		pcpu->base = 0;
		pcpu->events = 0;
	}
}

/*
 * Return the CPUs that may get their buffers now. Early in boot these are also the CPUs that
 * the boot brings up: their buffers are not part of the trace then. Not all architectures
 * know at this time which CPUs are present.
 */
static const struct cpumask *marker_channel_first_cpus(void)
{
	if (system_state != SYSTEM_BOOTING)
		return cpu_online_mask;
	return num_present_cpus() > 1 ? cpu_present_mask : cpu_possible_mask;
}

/*
 * Give all CPUs that are online a buffer. Others get one when they come up, if they get none
 * now. Return 0 or -ENOMEM.
 */
static int marker_channel_add_first_bufs(struct marker_channel *channel)
{
	unsigned int early = min_t(unsigned int, setup_max_cpus,
				   channel->n_early);
	unsigned int cpu, nr = 0;
	int ret;

	for_each_cpu(cpu, marker_channel_first_cpus()) {
		if (!cpu_online(cpu) && ++nr >= early)
			continue;
		ret = marker_channel_add_buf(channel, cpu);
		if (ret && cpu_online(cpu))
			return ret;
		cond_resched();
	}
	return 0;
}

/*
 * Begin a generation: give all CPUs that are online, and those that come up later, a
 * buffer. Return 0 or -errno.
 */
static int marker_channel_add_bufs(struct marker_channel *channel)
{
	int ret = marker_channel_setup_cpuhp();

	lockdep_assert_held(&channel->lock);
	if (ret)
		return ret;
	/* A CPU is either online now, or comes up later and runs the callback. */
	cpus_read_lock();
	ret = marker_channel_fits(channel, channel->n_subbufs *
				  num_online_cpus()) ? 0 : -ENOMEM;
	if (ret)
		goto unlock;
	ret = cpuhp_state_add_instance_nocalls_cpuslocked(marker_channel_cpuhp,
							  &channel->node);
	if (ret)
		goto unlock;
	channel->has_bufs = true;
	marker_channel_set_sizes(channel);
	ret = marker_channel_add_first_bufs(channel);
	if (ret)
		goto unlock;
	marker_channel_reset_losses(channel);
	/* A CPU that comes up from here on reads this, and gets a buffer. */
	WRITE_ONCE(channel->flushed, false);
unlock:
	cpus_read_unlock();
	if (ret)
		marker_channel_remove_bufs(channel);
	return ret;
}

static bool marker_channel_drained(struct marker_channel *channel)
{
	unsigned int cpu;

	lockdep_assert_held(&channel->lock);
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu,
							      cpu);

		if (marker_channel_readable(pcpu))
			return false;
	}
	return true;
}

/* Queued by a reader when it has consumed the last sub-buffer of its CPU. */
static void marker_channel_release(struct work_struct *work)
{
	struct marker_channel *channel =
		container_of(work, struct marker_channel, release);

	mutex_lock(&channel->lock);
	if (channel->flushed && marker_channel_drained(channel))
		marker_channel_remove_bufs(channel);
	mutex_unlock(&channel->lock);
}

/* Wake readers outside the recording path, which may run with scheduler locks held. */
static void marker_channel_wakeup(struct irq_work *work)
{
	struct marker_channel_cpu *pcpu =
		container_of(work, struct marker_channel_cpu, wakeup);

	wake_up_interruptible(&pcpu->wait);
	/* Earlier, there are no work queues. @buf may be replaced meanwhile. */
	if (READ_ONCE(pcpu->n_subbufs) < READ_ONCE(pcpu->channel->n_most) &&
	    system_state > SYSTEM_BOOTING)
		queue_work(system_unbound_wq, &pcpu->channel->grow);
}

/**
 * marker_channel_init - set up a channel of DEFINE_MARKER_CHANNEL()
 * @channel: the channel
 * @subbuf_size: bytes of a sub-buffer; no record spans two of them
 * @n_subbufs: number of sub-buffers of each CPU
 *
 * Allocates nothing.
 *
 * Context: task, or the boot CPU in early boot.
 */
void marker_channel_init(struct marker_channel *channel, size_t subbuf_size,
			 size_t n_subbufs)
{
	unsigned int cpu;

	channel->subbuf_size = subbuf_size;
	channel->n_subbufs = n_subbufs;
	channel->n_boot = 0;
	channel->n_early = UINT_MAX;
	channel->grows = false;
	channel->n_most = 0;
	channel->n_spare = 0;
	channel->flushed = true;
	mutex_init(&channel->lock);
	INIT_WORK(&channel->release, marker_channel_release);
	INIT_WORK(&channel->grow, marker_channel_grow);
	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu,
							      cpu);

		pcpu->channel = channel;
		pcpu->cpu = cpu;
		pcpu->n_subbufs = n_subbufs;
		mutex_init(&pcpu->read_lock);
		mutex_init(&pcpu->map_lock);
		init_waitqueue_head(&pcpu->wait);
		init_irq_work(&pcpu->wakeup, marker_channel_wakeup);
	}
}

/**
 * marker_channel_set_subbufs - set the number of sub-buffers of the next generation
 * @channel: a channel that neither is prepared nor runs
 * @n_subbufs: sub-buffers of each CPU, at least 2
 *
 * Context: task, may sleep.
 * Return: 0; -EBUSY in other states, or while sub-buffers of the last generation are unread.
 */
int marker_channel_set_subbufs(struct marker_channel *channel, size_t n_subbufs)
{
	int ret = -EBUSY;

	mutex_lock(&channel->lock);
	if (channel->flushed && marker_channel_drained(channel)) {
		marker_channel_remove_bufs(channel);
		channel->n_subbufs = n_subbufs;
		marker_channel_set_sizes(channel);
		ret = 0;
	}
	mutex_unlock(&channel->lock);
	return ret;
}

/**
 * marker_channel_largest - return the number of sub-buffers that a CPU has at most
 * @channel: the channel
 *
 * Return: that of this generation, or of the next one while there are no buffers. While
 * buffers may grow, the number that they may have.
 */
size_t marker_channel_largest(struct marker_channel *channel)
{
	size_t most = READ_ONCE(channel->n_most);
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		most = max(most, per_cpu_ptr(channel->cpu, cpu)->n_subbufs);
	return most;
}

/* ---- switching on and off ---- */

/**
 * marker_channel_prepare - allocate the buffers of a new generation
 * @channel: a stopped channel
 * @overwrite: in a full buffer, new records replace the oldest sub-buffer
 *
 * The caller then calls marker_channel_start(), or marker_channel_stop(), which
 * frees the buffers. The counts of losses begin at 0 again. A CPU that comes online
 * later gets its buffer before it runs. Without memory for it, all records of the
 * CPU are counted as lost.
 *
 * Context: task, may sleep; or the boot CPU once the page and slab allocators
 * and vmalloc are up.
 * Return: 0; -EBUSY while the channel is prepared or runs, or while sub-buffers of
 * the last generation are unread; -ENOMEM without memory for the buffers of all
 * CPUs that are online. The OOM killer is not invoked.
 */
int marker_channel_prepare(struct marker_channel *channel, bool overwrite)
{
	int ret = -EBUSY;

	mutex_lock(&channel->lock);
	if (!channel->flushed || !marker_channel_drained(channel))
		goto unlock;
	marker_channel_remove_bufs(channel);
	channel->generation++;
	channel->overwrite = overwrite;
	ret = marker_channel_add_bufs(channel);
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
 * marker_channel_start - accept records from now on
 * @channel: a prepared channel
 *
 * All CPUs begin at the same moment.
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
 * Runs on all CPUs that are online, while none of them runs anything else: all
 * CPUs end at the same moment. A CPU that is not online does not write, so one
 * of the others publishes its sub-buffer.
 */
static int marker_channel_stop_cpu(void *data)
{
	struct marker_channel *channel = data;
	unsigned int this_cpu = smp_processor_id();
	unsigned int cpu;

	WRITE_ONCE(channel->running, false);
	marker_channel_end_subbuf(per_cpu_ptr(channel->cpu, this_cpu));
	if (this_cpu != cpumask_first(cpu_online_mask))
		return 0;
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			marker_channel_end_subbuf(per_cpu_ptr(channel->cpu,
							      cpu));
	return 0;
}

/**
 * marker_channel_stop - accept no more records, and publish all earlier ones
 * @channel: the channel
 *
 * When it returns, no CPU is writing a record, and each sub-buffer that holds
 * records is published. Stopping loses nothing.
 *
 * Context: task, may sleep. Stops all CPUs for a moment.
 */
void marker_channel_stop(struct marker_channel *channel)
{
	unsigned int cpu;

	mutex_lock(&channel->lock);
	stop_machine(marker_channel_stop_cpu, channel, cpu_online_mask);
	/* Pairs with the acquire in marker_channel_flushed(): sub-buffers first. */
	smp_store_release(&channel->flushed, true);
	/*
	 * Pairs with smp_mb() in marker_channel_consume(): either this sees
	 * the last sub-buffer consumed, or the reader sees @flushed.
	 */
	smp_mb();
	for_each_possible_cpu(cpu)
		wake_up_interruptible(&per_cpu_ptr(channel->cpu, cpu)->wait);
	if (marker_channel_drained(channel))
		marker_channel_remove_bufs(channel);
	mutex_unlock(&channel->lock);
}

static void marker_channel_flush_cpu(void *data)
{
	struct marker_channel *channel = data;

	marker_channel_end_subbuf(this_cpu_ptr(channel->cpu));
}

/**
 * marker_channel_flush - publish all records so far
 * @channel: the channel
 *
 * Each CPU that is online begins a new sub-buffer with its next record. The
 * sub-buffer of a CPU that is offline was published when it went offline.
 *
 * Context: task, may sleep, or an atomic one with interrupts on.
 */
void marker_channel_flush(struct marker_channel *channel)
{
	on_each_cpu(marker_channel_flush_cpu, channel, true);
}

static bool marker_channel_has_records(int cpu, void *data)
{
	struct marker_channel *channel = data;

	return READ_ONCE(per_cpu_ptr(channel->cpu, cpu)->pos);
}

static void marker_channel_flush_cpu_if_spare(void *data)
{
	struct marker_channel *channel = data;

	marker_channel_end_subbuf_if_spare(this_cpu_ptr(channel->cpu));
}

/**
 * marker_channel_flush_if_spare - publish the records of CPUs that have room for more
 * @channel: the channel
 *
 * As marker_channel_flush(), but a CPU whose other sub-buffers are all unread
 * keeps its current one: it would lose its next record. A CPU without records to publish,
 * as one that is idle or runs a single task, is not interrupted.
 *
 * Context: task, may sleep, or an atomic one with interrupts on.
 */
void marker_channel_flush_if_spare(struct marker_channel *channel)
{
	on_each_cpu_cond(marker_channel_has_records,
			 marker_channel_flush_cpu_if_spare, channel, true);
}

/**
 * marker_channel_discard - free the buffers, read or unread
 * @channel: a stopped channel
 *
 * The counts of losses begin at 0 again.
 *
 * Context: task, may sleep.
 */
void marker_channel_discard(struct marker_channel *channel)
{
	mutex_lock(&channel->lock);
	if (channel->flushed) {
		marker_channel_remove_bufs(channel);
		marker_channel_reset_losses(channel);
	}
	mutex_unlock(&channel->lock);
}

/**
 * marker_channel_lost - return the records that a CPU had no room for in this generation
 * @channel: the channel
 * @cpu: a possible CPU
 *
 * Return: the losses; exact once the channel is stopped, an approximation before.
 */
struct marker_channel_loss marker_channel_lost(struct marker_channel *channel,
					       unsigned int cpu)
{
	struct marker_channel_cpu *pcpu = per_cpu_ptr(channel->cpu, cpu);

	return (struct marker_channel_loss) {
		.records = READ_ONCE(pcpu->lost.records) +
			   READ_ONCE(pcpu->lost_nmi.records),
		.bytes = READ_ONCE(pcpu->lost.bytes) +
			 READ_ONCE(pcpu->lost_nmi.bytes),
	};
}

/**
 * marker_channel_tell_bufs - call @ops->buffer for the buffers of all CPUs
 * @channel: a channel that runs
 *
 * A buffer that is allocated meanwhile may be told twice.
 *
 * Context: task, may sleep.
 */
void marker_channel_tell_bufs(struct marker_channel *channel)
{
	unsigned int cpu;

	mutex_lock(&channel->lock);
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		marker_channel_tell_buf(channel,
					per_cpu_ptr(channel->cpu, cpu)->buf);
	cpus_read_unlock();
	mutex_unlock(&channel->lock);
}
