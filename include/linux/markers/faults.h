/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of page faults.
 *
 * They are called where the memory management handles a fault in the area of a process,
 * on all architectures. Not called for faults at addresses without an area, which end
 * with a signal or in an exception table, for faults at addresses of the kernel, and for
 * those that the architecture settles by itself.
 */
#ifndef _LINUX_MARKERS_FAULTS_H
#define _LINUX_MARKERS_FAULTS_H

#include <linux/marker.h>

/*
 * The instruction at @ip needs the page at @address. @ip is 0 if the kernel itself wants
 * the page, get_user_pages() for example. @flags are FAULT_FLAG_... . A fault that is
 * retried is called again, with FAULT_FLAG_TRIED if the lock of the address space was
 * dropped for it.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_FAULTS, page_fault,
	MARKER_PARAMS(unsigned long address, unsigned long ip,
		      unsigned int flags),
	MARKER_ARGS(address, ip, flags),
	"address %lx ip %lx flags %x")

/*
 * The fault ends with @result, VM_FAULT_... . VM_FAULT_RETRY: it isn't handled yet. Each
 * page_fault has one.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_FAULTS, page_fault_exit,
	MARKER_PARAMS(unsigned long address, unsigned int result),
	MARKER_ARGS(address, result),
	"address %lx result %x")

#endif /* _LINUX_MARKERS_FAULTS_H */
