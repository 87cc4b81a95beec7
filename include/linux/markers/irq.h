/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of interrupts and softirqs.
 */
#ifndef _LINUX_MARKERS_IRQ_H
#define _LINUX_MARKERS_IRQ_H

#include <linux/marker.h>

/*
 * The handler @name of interrupt @irq begins; called for each handler of a shared
 * interrupt. Not called for interrupts that have a vector of the architecture instead of a
 * handler: those of local timers and between CPUs on x86, for example. Called in NMI
 * context for an interrupt that is requested as an NMI; ktrace only counts such events.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_IRQ, irq_handler_entry,
	MARKER_PARAMS(unsigned int irq, const char *name),
	MARKER_ARGS(irq, name),
	"irq %u name %s")

/*
 * The handler ends. @handled is its result: 0 if the interrupt was not for it, else bits of
 * IRQ_HANDLED and IRQ_WAKE_THREAD. Not called for the thread that it may have woken up.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_IRQ, irq_handler_exit,
	MARKER_PARAMS(unsigned int irq, unsigned int handled),
	MARKER_ARGS(irq, handled),
	"irq %u handled %u")

/*
 * The softirq @vector begins, one of ..._SOFTIRQ: at the end of an interrupt, where bottom
 * halves are enabled, or in ksoftirqd.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_IRQ, softirq_entry,
	MARKER_PARAMS(unsigned int vector),
	MARKER_ARGS(vector),
	"vector %u")

/* The softirq ends. */
DECLARE_MARKER_IF(CONFIG_KTRACE_IRQ, softirq_exit,
	MARKER_PARAMS(unsigned int vector),
	MARKER_ARGS(vector),
	"vector %u")

#endif /* _LINUX_MARKERS_IRQ_H */
