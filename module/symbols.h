/* SPDX-License-Identifier: GPL-2.0 */
/* Functions and data of the kernel that modules can't link to. */
#ifndef _KMEMTRACE_SYMBOLS_H
#define _KMEMTRACE_SYMBOLS_H

#include <linux/types.h>

/*
 * Call the function _name as the header that declares it does. kmemtrace_symbol__name
 * is its address. An undefined one is not called: kmemtrace_find_symbols() fails.
 */
#define KMEMTRACE_CALL(_name)	(*(typeof(&_name))kmemtrace_symbol_##_name)

extern void *kmemtrace_symbol_kallsyms_lookup_size_offset;
#ifdef CONFIG_BPF_JIT
extern void *kmemtrace_symbol_is_bpf_text_address;
#endif
extern void *kmemtrace_symbol_arch_stack_walk;
extern void *kmemtrace_symbol_core_kernel_text;
extern void *kmemtrace_symbol___module_text_address;
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
extern void *kmemtrace_symbol_sched_clock_stable;
#endif
extern void *kmemtrace_symbol___cpuhp_state_add_instance_cpuslocked;
extern void *kmemtrace_symbol_find_vm_area;
extern void *kmemtrace_symbol_slab_caches;
extern void *kmemtrace_symbol_slab_mutex;
extern void *kmemtrace_symbol_zone_pcp_disable;
extern void *kmemtrace_symbol_zone_pcp_enable;
#ifdef CONFIG_MEMORY_HOTPLUG
extern void *kmemtrace_symbol_get_online_mems;
extern void *kmemtrace_symbol_put_online_mems;
#endif
extern void *kmemtrace_symbol_rethook_alloc;
#ifndef KMEMTRACE_RETHOOK_HAS_POOL
extern void *kmemtrace_symbol_rethook_add_node;
#endif
extern void *kmemtrace_symbol_rethook_try_get;
extern void *kmemtrace_symbol_rethook_hook;
extern void *kmemtrace_symbol_rethook_free;

/* The unwind data of the kernel; NULL if the kernel does not list its data. */
extern void *kmemtrace_symbol___start_orc_unwind_ip;
extern void *kmemtrace_symbol___stop_orc_unwind_ip;
extern void *kmemtrace_symbol___start_orc_unwind;

/* What the entry of system calls calls; NULL if the kernel does not list it. */
extern void *kmemtrace_symbol_do_syscall_64;

/* Where interrupts and softirqs begin; NULL if the kernel does not list it. */
extern void *kmemtrace_symbol___irqentry_text_start;
extern void *kmemtrace_symbol___irqentry_text_end;
extern void *kmemtrace_symbol___softirqentry_text_start;
extern void *kmemtrace_symbol___softirqentry_text_end;

/* Where a tracer lets functions return to, 0 if the kernel has no such tracer. */
extern unsigned long kmemtrace_return_to_handler;
extern unsigned long kmemtrace_trampoline;

/**
 * struct kmemtrace_function - the code of a function
 * @start: its first byte; 0 if the kernel does not have it
 * @first: the lowest return address into it: it may be the first behind the function, too
 * @size: its bytes, and the number of such addresses
 */
struct kmemtrace_function {
	unsigned long start;
	unsigned long first;
	unsigned long size;
};

/* Return true if a return address is in a function. */
static inline bool kmemtrace_is_inside(const struct kmemtrace_function *function,
				       unsigned long addr)
{
	return addr - function->first < function->size;
}

int kmemtrace_find_symbols(void);
void kmemtrace_forget_symbols(void);
unsigned long kmemtrace_lookup_name(const char *name);
unsigned long kmemtrace_lookup_wrapper(const char *name);
void kmemtrace_find_function(struct kmemtrace_function *function,
			     const char *name);

#endif /* _KMEMTRACE_SYMBOLS_H */
