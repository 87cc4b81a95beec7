// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of the page allocator.
 *
 * Its entry points call one another, and the markers are in functions that all of them
 * call. So the return address of a marker is in the allocator itself. The caller of the
 * allocator is the first return address on the stack, from the probe outwards, that is
 * in none of the functions below. kmemtrace_callsite_from() finds it: see
 * callsite_walk.c.
 */
#include <linux/filter.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>
#include <linux/sort.h>

/*
 * Functions of the page allocator and of vmalloc, and wrappers that only call these, in
 * any version of the kernel. Some versions append _noprof.
 */
static const char * const kmemtrace_wrappers[] = {
	/* allocation */
	"__alloc_frozen_pages",
	"__alloc_pages",
	"__alloc_pages_bulk",
	"__alloc_pages_direct_compact",
	"__alloc_pages_slowpath",
	"__folio_alloc",
	"__get_free_pages",
	"__page_frag_alloc_align",
	"__page_frag_cache_refill",
	"alloc_contig_frozen_pages",
	"alloc_contig_frozen_range",
	"alloc_contig_pages",
	"alloc_contig_range",
	"alloc_frozen_pages",
	"alloc_frozen_pages_nolock",
	"alloc_page_interleave",
	"alloc_pages",
	"alloc_pages_bulk",
	"alloc_pages_bulk_array_interleave",
	"alloc_pages_bulk_array_mempolicy",
	"alloc_pages_bulk_array_preferred_many",
	"alloc_pages_bulk_mempolicy",
	"alloc_pages_exact",
	"alloc_pages_exact_nid",
	"alloc_pages_mpol",
	"alloc_pages_nolock",
	"alloc_pages_preferred_many",
	"compaction_alloc",
	"filemap_alloc_folio",
	"folio_alloc",
	"folio_alloc_mpol",
	"get_free_pages",
	"get_page_from_freelist",
	"get_zeroed_page",
	"isolate_freepages_range",
	"make_alloc_exact",
	"page_frag_alloc_align",
	"post_alloc_hook",
	"prep_new_page",
	"split_free_frozen_pages",
	"split_map_pages",
	"try_to_compact_pages",
	"vma_alloc_folio",
	/* allocation through vmalloc */
	"__kvmalloc_node",
	"__vcalloc",
	"__vmalloc",
	"__vmalloc_area_node",
	"__vmalloc_array",
	"__vmalloc_node",
	"__vmalloc_node_range",
	"kvmalloc_node",
	"kvrealloc",
	"kvrealloc_node_align",
	"vcalloc",
	"vm_area_alloc_pages",
	"vmalloc",
	"vmalloc_32",
	"vmalloc_32_user",
	"vmalloc_array",
	"vmalloc_huge",
	"vmalloc_huge_node",
	"vmalloc_node",
	"vmalloc_user",
	"vrealloc",
	"vrealloc_node_align",
	"vzalloc",
	"vzalloc_node",
	/* free */
	"___free_pages",
	"__folio_put",
	"__free_contig_frozen_range",
	"__free_contig_range",
	"__free_contig_range_common",
	"__free_frozen_pages",
	"__free_pages",
	"__free_pages_ok",
	"__free_pages_prepare",
	"__page_frag_cache_drain",
	"__put_compound_page",
	"__put_single_page",
	"__vfree",
	"__vunmap",
	"compaction_free",
	"find_unlink_vmap_area",
	"folios_put_refs",
	"free_compound_page",
	"free_contig_frozen_range",
	"free_contig_range",
	"free_frozen_pages",
	"free_frozen_pages_nolock",
	"free_pages",
	"free_pages_bulk",
	"free_pages_exact",
	"free_pages_nolock",
	"free_pages_prepare",
	"free_pcp_prepare",
	"free_prepared_contig_range",
	"free_transhuge_page",
	"free_unref_folios",
	"free_unref_page",
	"free_unref_page_list",
	"free_unref_page_prepare",
	"kvfree",
	"kvfree_atomic",
	"page_frag_cache_drain",
	"page_frag_free",
	"put_pages_list",
	"release_pages",
	"remove_vm_area",
	"vfree",
	"vm_area_free_pages",
	"vm_remove_mappings",
	/* callers of a function of the slab allocator, for the module */
	"__kmalloc_flags",
	"_kmalloc_nolock",
	/* jumps to the slab allocator, where the compiler makes sibling calls */
	"kfree_const",
	"kfree_sensitive",
	"kmemdup_array",
	"kstrdup_const",
	"kvfree_sensitive",
	"mempool_alloc_pages",
	"mempool_alloc_slab",
	"mempool_free",
	"mempool_free_pages",
	"mempool_free_slab",
	"mempool_kfree",
	"mempool_kmalloc",
	"mempool_kvfree",
	"mempool_kvmalloc",
	/* between a marker and its probes, if it has several */
	"__marker_iterate_page_alloc",
	"__marker_iterate_page_alloc_failed",
	"__marker_iterate_page_free",
	"__marker_iterate_vm_area_free",
	/* between a change of the references to a page and the probes on its tracepoint */
	"__page_ref_freeze",
	"__page_ref_mod",
	"__page_ref_mod_and_return",
	"__page_ref_mod_and_test",
	"__page_ref_mod_unless",
	"__page_ref_set",
	"__page_ref_unfreeze",
	"__traceiter_page_ref_freeze",
	"__traceiter_page_ref_mod",
	"__traceiter_page_ref_mod_and_return",
	"__traceiter_page_ref_mod_and_test",
	"__traceiter_page_ref_mod_unless",
	"__traceiter_page_ref_set",
	"__traceiter_page_ref_unfreeze",
	/* between an allocator and the probes on its tracepoint, for the module */
	"trace_mm_page_alloc",
	"trace_mm_page_free",
	"trace_percpu_alloc_percpu_fail",
	"trace_percpu_free_percpu",
	"__traceiter_mm_page_alloc",
	"__traceiter_mm_page_free",
	"__traceiter_percpu_alloc_percpu_fail",
	"__traceiter_percpu_free_percpu",
	"free_percpu",
	"kmem_cache_create",
	"kmem_cache_destroy",
	"shutdown_cache",
};

/* Compilers append these to the names of static functions. */
static const char * const kmemtrace_suffixes[] = {
	"", ".isra.0", ".constprop.0", ".constprop.0.isra.0", ".part.0",
	".part.0.isra.0", ".cold", ".isra.0.cold", ".constprop.0.cold",
	".part.0.cold",
};

struct kmemtrace_range {
	unsigned long start;
	unsigned long end;
};

/* Sorted by address; may have gaps in between. Written once, before the first search. */
static struct kmemtrace_range kmemtrace_ranges[ARRAY_SIZE(kmemtrace_wrappers) *
					       2];
static unsigned int kmemtrace_nr_ranges;

/**
 * kmemtrace_in_wrapper - check whether a return address is in the page allocator
 * @addr: the address
 *
 * Context: any.
 * Return: true if it is.
 */
bool kmemtrace_in_wrapper(unsigned long addr)
{
	unsigned int low = 0, high = kmemtrace_nr_ranges;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		/* A return address may be the first after its function. */
		if (addr <= kmemtrace_ranges[mid].start)
			high = mid;
		else if (addr > kmemtrace_ranges[mid].end)
			low = mid + 1;
		else
			return true;
	}
	return false;
}

/**
 * kmemtrace_passes_on - check whether a return address is not the caller's
 * @addr: the address
 *
 * Context: any.
 * Return: true if it is in the page allocator, or in a BPF trampoline, which calls a
 * traced function in place of the caller.
 */
bool kmemtrace_passes_on(unsigned long addr)
{
	return kmemtrace_in_wrapper(addr) || is_bpf_text_address(addr);
}

/**
 * kmemtrace_replaced - check whether a return address is that of a tracer
 * @addr: the address
 *
 * Context: any.
 * Return: true if a tracer has put it on the stack in place of the caller's.
 */
bool kmemtrace_replaced(unsigned long addr)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (addr == (unsigned long)return_to_handler)
		return true;
#endif
#ifdef CONFIG_RETHOOK
	if (is_rethook_trampoline(addr))
		return true;
#endif
	return is_kretprobe_trampoline(addr);
}

static void kmemtrace_add_range(const char *name)
{
	struct kmemtrace_range *range = &kmemtrace_ranges[kmemtrace_nr_ranges];
	unsigned long size, offset;
	unsigned long addr = kallsyms_lookup_name(name);

	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset) ||
	    kmemtrace_nr_ranges == ARRAY_SIZE(kmemtrace_ranges))
		return;
	range->start = addr;
	range->end = addr + size;
	kmemtrace_nr_ranges++;
}

/* Add the ranges of a function and of its parts and copies that the compiler made. */
static void kmemtrace_add_function(const char *function, const char *variant)
{
	static char name[KSYM_NAME_LEN];

	for (int i = 0; i < ARRAY_SIZE(kmemtrace_suffixes); i++) {
		snprintf(name, sizeof(name), "%s%s%s", function, variant,
			 kmemtrace_suffixes[i]);
		kmemtrace_add_range(name);
	}
}

static int kmemtrace_cmp_range(const void *a, const void *b)
{
	const struct kmemtrace_range *ra = a, *rb = b;

	return ra->start < rb->start ? -1 : ra->start > rb->start;
}

static void kmemtrace_merge_ranges(void)
{
	unsigned int last = 0;

	for (unsigned int i = 1; i < kmemtrace_nr_ranges; i++) {
		if (kmemtrace_ranges[i].start <= kmemtrace_ranges[last].end)
			kmemtrace_ranges[last].end = kmemtrace_ranges[i].end;
		else
			kmemtrace_ranges[++last] = kmemtrace_ranges[i];
	}
	if (kmemtrace_nr_ranges)
		kmemtrace_nr_ranges = last + 1;
}

/**
 * kmemtrace_callsite_init - look up the functions of the page allocator
 *
 * Does nothing when called again.
 *
 * Context: task, or the boot CPU; before a page marker has a probe.
 */
void kmemtrace_callsite_init(void)
{
	if (kmemtrace_nr_ranges)
		return;
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_wrappers); i++) {
		kmemtrace_add_function(kmemtrace_wrappers[i], "");
		kmemtrace_add_function(kmemtrace_wrappers[i], "_noprof");
	}
	sort(kmemtrace_ranges, kmemtrace_nr_ranges, sizeof(kmemtrace_ranges[0]),
	     kmemtrace_cmp_range, NULL);
	kmemtrace_merge_ranges();
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "callsite_test.c"
#endif
