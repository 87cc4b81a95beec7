// SPDX-License-Identifier: GPL-2.0
/*
 * Finds functions and data of the kernel that modules can't link to.
 *
 * A kprobe is placed by the name of its function, and then knows the address. That is how
 * kallsyms_lookup_name() is found, which finds all others.
 *
 * Looking up a name takes milliseconds on some kernels, and the search for call sites
 * looks up thousands of names. So while the module is loaded, one pass over all symbols
 * makes a hash table of them.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/types.h>
#include <linux/vmalloc.h>
#include "symbols.h"

#undef kallsyms_lookup_name

void *kmemtrace_symbol_kallsyms_lookup_size_offset;
#ifdef CONFIG_BPF_JIT
void *kmemtrace_symbol_is_bpf_text_address;
#endif
void *kmemtrace_symbol_arch_stack_walk;
void *kmemtrace_symbol_core_kernel_text;
void *kmemtrace_symbol___module_text_address;
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
void *kmemtrace_symbol_sched_clock_stable;
#endif
void *kmemtrace_symbol___cpuhp_state_add_instance_cpuslocked;
void *kmemtrace_symbol_find_vm_area;
void *kmemtrace_symbol_slab_caches;
void *kmemtrace_symbol_slab_mutex;
void *kmemtrace_symbol_zone_pcp_disable;
void *kmemtrace_symbol_zone_pcp_enable;
#ifdef CONFIG_MEMORY_HOTPLUG
void *kmemtrace_symbol_get_online_mems;
void *kmemtrace_symbol_put_online_mems;
#endif
void *kmemtrace_symbol_rethook_alloc;
#ifndef KMEMTRACE_RETHOOK_HAS_POOL
void *kmemtrace_symbol_rethook_add_node;
#endif
void *kmemtrace_symbol_rethook_try_get;
void *kmemtrace_symbol_rethook_hook;
void *kmemtrace_symbol_rethook_free;
void *kmemtrace_symbol___start_orc_unwind_ip;
void *kmemtrace_symbol___stop_orc_unwind_ip;
void *kmemtrace_symbol___start_orc_unwind;
void *kmemtrace_symbol_do_syscall_64;
void *kmemtrace_symbol___irqentry_text_start;
void *kmemtrace_symbol___irqentry_text_end;
void *kmemtrace_symbol___softirqentry_text_start;
void *kmemtrace_symbol___softirqentry_text_end;
unsigned long kmemtrace_return_to_handler;
unsigned long kmemtrace_trampoline;

static typeof(kallsyms_lookup_name) *kmemtrace_kallsyms_lookup_name;

/* ---- the hash table of all symbols ---- */

/* Twice as many as a large kernel has symbols. */
#define KMEMTRACE_SLOTS		(1UL << 19)

/* The upper half is the hash of a name, the lower half its address less that of _stext. */
static u64 *kmemtrace_slots;
static unsigned long kmemtrace_text;

/* Return the slot of the first symbol with this hash, or an empty one. */
static u64 *kmemtrace_slot(u32 hash)
{
	unsigned long i = hash % KMEMTRACE_SLOTS;

	while (kmemtrace_slots[i] && kmemtrace_slots[i] >> 32 != hash)
		i = (i + 1) % KMEMTRACE_SLOTS;
	return &kmemtrace_slots[i];
}

#ifdef KMEMTRACE_SYMBOLS_OF_MODULES
static int kmemtrace_add_symbol(void *data, const char *name,
				struct module *module, unsigned long addr)
{
	if (module)
		return 0;
#else
static int kmemtrace_add_symbol(void *data, const char *name,
				unsigned long addr)
{
#endif
	u32 *nr = data;
	u32 hash = full_name_hash(NULL, name, strlen(name));
	u64 *slot;

	if (addr <= kmemtrace_text || addr - kmemtrace_text > U32_MAX)
		return 0;
	slot = kmemtrace_slot(hash);
	if (!*slot) {
		*slot = (u64)hash << 32 | (addr - kmemtrace_text);
		++*nr;
	}
	/* A search ends at an empty slot. */
	return *nr > KMEMTRACE_SLOTS / 4 * 3;
}

/* Without the memory for it, or on a kernel that can't list symbols, there is no table. */
static void kmemtrace_index_symbols(void)
{
	typeof(kallsyms_on_each_symbol) *each;
	u32 nr = 0;

	each = (void *)kmemtrace_kallsyms_lookup_name("kallsyms_on_each_symbol");
	kmemtrace_text = kmemtrace_kallsyms_lookup_name("_stext");
	if (!each || !kmemtrace_text)
		return;
	kmemtrace_slots = kvcalloc(KMEMTRACE_SLOTS, sizeof(*kmemtrace_slots),
				   GFP_KERNEL);
	if (kmemtrace_slots)
		each(kmemtrace_add_symbol, &nr);
}

/* Names may share a hash. */
static bool kmemtrace_is_name_of(const char *name, unsigned long addr)
{
	char found[KSYM_SYMBOL_LEN];
	size_t len = strlen(name);

	sprint_symbol(found, addr);
	return !strncmp(found, name, len) && !strncmp(found + len, "+0x0/", 5);
}

/**
 * kmemtrace_forget_symbols - free the hash table
 *
 * From then on, each name is looked up in the kernel's own table.
 */
void kmemtrace_forget_symbols(void)
{
	kvfree(kmemtrace_slots);
	kmemtrace_slots = NULL;
}

/**
 * kmemtrace_lookup_name - the kernel's kallsyms_lookup_name()
 * @name: of a function or data
 *
 * Context: task, may sleep.
 * Return: its address, 0 if there is none.
 */
unsigned long kmemtrace_lookup_name(const char *name)
{
	unsigned long addr;
	u64 slot;

	if (kmemtrace_slots) {
		slot = *kmemtrace_slot(full_name_hash(NULL, name, strlen(name)));
		addr = kmemtrace_text + (u32)slot;
		if (!slot)
			return 0;
		if (kmemtrace_is_name_of(name, addr))
			return addr;
	}
	return kmemtrace_kallsyms_lookup_name(name);
}

/**
 * kmemtrace_find_function - find the code of a function
 * @function: result
 * @name: its name
 */
void kmemtrace_find_function(struct kmemtrace_function *function,
			     const char *name)
{
	unsigned long addr = kmemtrace_lookup_name(name), offset;

	*function = (struct kmemtrace_function) { };
	if (!addr || !kallsyms_lookup_size_offset(addr, &function->size, &offset))
		return;
	function->start = addr;
	function->first = addr + 1;
}

/* ---- what the module calls ---- */

static int kmemtrace_no_op(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

/* Return the address of a function, or -errno. */
static unsigned long kmemtrace_probe_function(const char *name)
{
	struct kprobe probe = {
		.symbol_name = name,
		.pre_handler = kmemtrace_no_op,
	};
	int ret = register_kprobe(&probe);

	if (ret)
		return ret;
	unregister_kprobe(&probe);
	return (unsigned long)probe.addr;
}

struct kmemtrace_needed {
	const char	*name;
	void		**address;
};

#define KMEMTRACE_NEEDED(_name)	{ #_name, &kmemtrace_symbol_##_name }

static const struct kmemtrace_needed kmemtrace_needed[] = {
	KMEMTRACE_NEEDED(kallsyms_lookup_size_offset),
	KMEMTRACE_NEEDED(arch_stack_walk),
	KMEMTRACE_NEEDED(core_kernel_text),
	KMEMTRACE_NEEDED(__module_text_address),
	KMEMTRACE_NEEDED(__cpuhp_state_add_instance_cpuslocked),
	KMEMTRACE_NEEDED(find_vm_area),
	KMEMTRACE_NEEDED(slab_caches),
	KMEMTRACE_NEEDED(slab_mutex),
	KMEMTRACE_NEEDED(zone_pcp_disable),
	KMEMTRACE_NEEDED(zone_pcp_enable),
#ifdef CONFIG_MEMORY_HOTPLUG
	KMEMTRACE_NEEDED(get_online_mems),
	KMEMTRACE_NEEDED(put_online_mems),
#endif
	KMEMTRACE_NEEDED(rethook_alloc),
#ifndef KMEMTRACE_RETHOOK_HAS_POOL
	KMEMTRACE_NEEDED(rethook_add_node),
#endif
	KMEMTRACE_NEEDED(rethook_try_get),
	KMEMTRACE_NEEDED(rethook_hook),
	KMEMTRACE_NEEDED(rethook_free),
#ifdef CONFIG_BPF_JIT
	KMEMTRACE_NEEDED(is_bpf_text_address),
#endif
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	KMEMTRACE_NEEDED(sched_clock_stable),
#endif
};

/* What the module can do without. */
static const struct kmemtrace_needed kmemtrace_useful[] = {
	KMEMTRACE_NEEDED(__start_orc_unwind_ip),
	KMEMTRACE_NEEDED(__stop_orc_unwind_ip),
	KMEMTRACE_NEEDED(__start_orc_unwind),
	KMEMTRACE_NEEDED(do_syscall_64),
	KMEMTRACE_NEEDED(__irqentry_text_start),
	KMEMTRACE_NEEDED(__irqentry_text_end),
	KMEMTRACE_NEEDED(__softirqentry_text_start),
	KMEMTRACE_NEEDED(__softirqentry_text_end),
};

/**
 * kmemtrace_find_symbols - find what the module needs
 *
 * Context: task, may sleep; before anything else of the module.
 * Return: 0 or -errno, after a message.
 */
int kmemtrace_find_symbols(void)
{
	unsigned long addr = kmemtrace_probe_function("kallsyms_lookup_name");

	if (IS_ERR_VALUE(addr)) {
		pr_err("can't place a kprobe on kallsyms_lookup_name: %ld; this kernel forbids kprobes or has none\n",
		       (long)addr);
		return addr;
	}
	kmemtrace_kallsyms_lookup_name = (void *)addr;
	kmemtrace_index_symbols();
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_needed); i++) {
		addr = kmemtrace_lookup_name(kmemtrace_needed[i].name);
		if (!addr) {
			pr_err("this kernel does not have %s\n",
			       kmemtrace_needed[i].name);
			kmemtrace_forget_symbols();
			return -ENOENT;
		}
		*kmemtrace_needed[i].address = (void *)addr;
	}
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_useful); i++)
		*kmemtrace_useful[i].address =
			(void *)kmemtrace_lookup_name(kmemtrace_useful[i].name);
	kmemtrace_return_to_handler = kmemtrace_lookup_name("return_to_handler");
	kmemtrace_trampoline = kmemtrace_lookup_name("arch_rethook_trampoline") ?:
			       kmemtrace_lookup_name("__kretprobe_trampoline");
	return 0;
}
