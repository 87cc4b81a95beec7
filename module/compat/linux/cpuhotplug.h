/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module removes its states when it is unloaded, so that it has to know them. Modules
 * can't link to __cpuhp_state_add_instance_cpuslocked(): symbols.c finds it.
 */
#ifndef _COMPAT_LINUX_CPUHOTPLUG_H
#define _COMPAT_LINUX_CPUHOTPLUG_H

#include_next <linux/cpuhotplug.h>
#include <symbols.h>
#include <unload.h>

#define cpuhp_setup_state_multi	kmemtrace_setup_cpuhp
#define cpuhp_state_add_instance	kmemtrace_add_instance

#define __cpuhp_state_add_instance_cpuslocked \
	KMEMTRACE_CALL(__cpuhp_state_add_instance_cpuslocked)
#define cpuhp_state_add_instance_nocalls_cpuslocked(_state, _node) \
	__cpuhp_state_add_instance_cpuslocked(_state, _node, false)

#endif /* _COMPAT_LINUX_CPUHOTPLUG_H */
