// SPDX-License-Identifier: GPL-2.0
/*
 * The records that begin a sub-buffer, CLOCK, LOST and TASK, and the PADs that fill its tail.
 *
 * Context: any but NMI, interrupts off; no locks, no allocation.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/marker_channel.h>
#include <linux/marker_clock.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "clock.h"
#include "subbuf.h"
#include "task.h"

static_assert(sizeof(struct kmemtrace_clock) == 56);
static_assert(offsetof(struct kmemtrace_clock, timestamp) == 48);
static_assert(sizeof(struct kmemtrace_lost) == 56);
static_assert(offsetof(struct kmemtrace_lost, timestamp) == 48);
static_assert(sizeof(struct kmemtrace_pad) == 8);

#define KMEMTRACE_MAX_PAD	4096

/**
 * struct kmemtrace_reported - losses that LOST records of a CPU have reported
 * @all: all of them
 * @nested: the records among them that came in NMIs
 */
struct kmemtrace_reported {
	struct marker_channel_loss	all;
	u64				nested;
};

static DEFINE_PER_CPU(struct kmemtrace_reported, kmemtrace_reported);

static size_t kmemtrace_emit_clock(struct marker_channel_cpu *end,
				   size_t sequence, void *to)
{
	struct kmemtrace_clock *clock = to;
	struct marker_clock_reading now;

	/* Only sub-buffers stamped with cycles may use the fast path. */
	end->direct = kmemtrace_counts_cycles();
	marker_clock_read(&now, end->direct);
	*clock = (struct kmemtrace_clock) {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.clock = end->direct ? KMEMTRACE_CLOCK_CYCLES :
				       KMEMTRACE_CLOCK_LOCAL,
		.event_size = sizeof(*clock),
		.cpu = smp_processor_id(),
		.sequence = sequence,
		.monotonic = now.monotonic,
		.uncertainty = marker_clock_uncertainty(end->direct),
		.frequency = end->direct ? now.frequency : 0,
		.error = now.error,
		.timestamp = now.timestamp,
	};
	return sizeof(*clock);
}

/*
 * Emit the losses of this CPU since its last LOST record. Records that were overwritten are no
 * gap: the stream begins behind them. Return the bytes written.
 */
static size_t kmemtrace_emit_lost(struct marker_channel_cpu *end, void *to)
{
	struct kmemtrace_reported *reported = this_cpu_ptr(&kmemtrace_reported);
	struct marker_channel_loss all = end->lost;
	u64 since = end->lost_since, nested, bytes;

	end->lost_since = 0;
	/* An NMI may come between the two reads. */
	do {
		nested = READ_ONCE(end->lost_nmi.records);
		bytes = READ_ONCE(end->lost_nmi.bytes);
	} while (nested != READ_ONCE(end->lost_nmi.records));
	all.records += nested;
	all.bytes += bytes;

	if (all.records == reported->all.records)
		return 0;
	*(struct kmemtrace_lost *)to = (struct kmemtrace_lost) {
		.event_id = KMEMTRACE_EVENT_LOST,
		.event_size = sizeof(struct kmemtrace_lost),
		.cpu = smp_processor_id(),
		.records = all.records - reported->all.records,
		.bytes = all.bytes - reported->all.bytes,
		.nested = nested - reported->nested,
		.since = since,
		.timestamp = marker_clock_time(end->direct),
	};
	reported->all = all;
	reported->nested = nested;
	return sizeof(struct kmemtrace_lost);
}

/**
 * kmemtrace_begin_subbuf - emit the records that begin a sub-buffer
 * @end: this CPU's end of the channel
 * @sequence: number of the sub-buffer
 * @to: its start
 *
 * Return: the bytes written.
 */
size_t kmemtrace_begin_subbuf(struct marker_channel_cpu *end, size_t sequence,
			      void *to)
{
	size_t bytes = kmemtrace_emit_clock(end, sequence, to);

	bytes += kmemtrace_emit_lost(end, to + bytes);
	return bytes + kmemtrace_fill_task(to + bytes,
					   marker_clock_time(end->direct));
}

/**
 * kmemtrace_fill_subbuf - fill the tail of a sub-buffer with pads
 * @to: the first byte behind the last record
 * @bytes: bytes to fill, a multiple of 8
 */
void kmemtrace_fill_subbuf(void *to, size_t bytes)
{
	while (bytes) {
		size_t part = min(bytes, KMEMTRACE_MAX_PAD);
		struct kmemtrace_pad *pad = to;

		memset(to, 0, part);
		pad->event_id = KMEMTRACE_EVENT_PAD;
		pad->event_size = part;
		to += part;
		bytes -= part;
	}
}

/**
 * kmemtrace_reset_reported - forget the losses that were reported
 *
 * Context: no CPU records.
 */
void kmemtrace_reset_reported(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(kmemtrace_reported, cpu) = (struct kmemtrace_reported) { };
}

/**
 * kmemtrace_unreported - compute the losses that no LOST record has reported yet
 * @cpu: the CPU
 * @lost: all its losses
 *
 * Return: the difference; an estimate while the CPU records.
 */
struct marker_channel_loss
kmemtrace_unreported(unsigned int cpu, struct marker_channel_loss lost)
{
	struct marker_channel_loss reported = per_cpu(kmemtrace_reported, cpu).all;

	lost.records -= min(lost.records, reported.records);
	lost.bytes -= min(lost.bytes, reported.bytes);
	return lost;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "subbuf_test.c"
#endif
