// SPDX-License-Identifier: GPL-2.0
/* The channel to user space, and records that are not written by a probe. */
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/kmemtrace.h>
#include <linux/marker_channel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "record.h"

static_assert(sizeof(struct kmemtrace_event) == 56);
static_assert(offsetof(struct kmemtrace_event, event_id) == 0);
static_assert(offsetof(struct kmemtrace_event, type_id) == 1);
static_assert(offsetof(struct kmemtrace_event, event_size) == 2);
static_assert(offsetof(struct kmemtrace_event, node) == 4);
static_assert(offsetof(struct kmemtrace_event, call_site) == 8);
static_assert(offsetof(struct kmemtrace_event, ptr) == 16);
static_assert(offsetof(struct kmemtrace_event, bytes_req) == 24);
static_assert(offsetof(struct kmemtrace_event, bytes_alloc) == 32);
static_assert(offsetof(struct kmemtrace_event, gfp_flags) == 40);
static_assert(offsetof(struct kmemtrace_event, timestamp) == 48);
static_assert(sizeof(struct kmemtrace_slab_event) == 64);
static_assert(sizeof(struct kmemtrace_phase) == 56);
static_assert(offsetof(struct kmemtrace_phase, timestamp) == 48);
static_assert(sizeof(struct kmemtrace_move) == 56);
static_assert(offsetof(struct kmemtrace_move, timestamp) == 48);

/* core.c sets its operations. */
DEFINE_MARKER_CHANNEL(kmemtrace_channel, NULL);

/**
 * kmemtrace_write - copy a record into the buffer of this CPU
 * @record: begins like struct kmemtrace_event; its timestamp is ignored
 * @size: bytes, a multiple of 8
 *
 * Context: any.
 */
void kmemtrace_write(const void *record, size_t size)
{
	struct kmemtrace_event *event;
	unsigned long flags;

	raw_local_irq_save(flags);
	event = marker_channel_begin(&kmemtrace_channel_cpu, size);
	if (event) {
		memcpy(event, record, size);
		event->timestamp = kmemtrace_now();
	}
	raw_local_irq_restore(flags);
}

/**
 * kmemtrace_boot_phase - record that a phase of the boot begins
 * @phase: which one
 *
 * Does nothing while tracing is off. Not __init: it is called when the memory of init
 * functions is freed.
 *
 * Context: task.
 */
void kmemtrace_boot_phase(enum kmemtrace_phase_id phase)
{
	struct kmemtrace_phase record = {
		.event_id = KMEMTRACE_EVENT_PHASE,
		.phase = phase,
		.event_size = sizeof(record),
	};

	preempt_disable();
	record.cpu = smp_processor_id();
	kmemtrace_write(&record, sizeof(record));
	preempt_enable();
}
