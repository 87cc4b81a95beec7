// SPDX-License-Identifier: GPL-2.0
/*
 * helpers.c - helper functions of the kernel, which allocate for those who call them
 *
 * Who reads a call path wants to know who wanted the memory. That is the first function that is not
 * an allocator, and no helper of many: a copy of a text, a node of a tree, a socket buffer, a page
 * table.
 */
#include "config.h"

#include <string.h>

#include "read/symbols.h"
#include "relations/helpers.h"

/* Names of functions, and with a star how they begin. */
static const char *const helpers[] = {
	/* slab and pages */
	"kmalloc*", "__kmalloc*", "kzalloc*", "kcalloc*", "krealloc*", "kmem_cache_alloc*",
	"kmem_cache_zalloc*", "___slab_alloc", "__slab_alloc", "new_slab", "allocate_slab",
	"alloc_slab_page", "alloc_slab_obj_exts", "cache_alloc_refill", "cache_grow_begin",
	"____cache_alloc", "alloc_pages*", "__alloc_pages*", "alloc_frozen_pages*", "__get_free_pages*",
	"get_free_pages*", "get_zeroed_page*", "folio_alloc*", "__folio_alloc*", "vma_alloc_*",
	"alloc_page_interleave", "page_frag_alloc*", "__page_frag_*", "__page_cache_alloc",
	/* copies and texts */
	"kmemdup*", "kstrdup*", "kstrndup*", "kvmemdup*", "memdup_user*", "vmemdup_user*",
	"memdup_array_user*", "strndup_user*", "kasprintf*", "kvasprintf*",
	/* vmalloc and per-CPU */
	"kvmalloc*", "__kvmalloc*", "kvrealloc*", "kvzalloc*", "vmalloc*", "vzalloc*", "__vmalloc*",
	"vcalloc*", "vmap", "vmap_pfn", "__get_vm_area_node", "get_vm_area*", "alloc_vmap_area",
	"vm_area_alloc_pages", "pcpu_alloc*", "__alloc_percpu*", "alloc_percpu*", "percpu_counter_init*",
	"__percpu_counter_init*", "percpu_ref_init", "percpu_init_rwsem", "__percpu_init_rwsem",
	/* managed by a device, pools, DMA */
	"devm_k*", "devres_alloc*", "__devres_alloc*", "mempool_*", "dma_alloc*", "dma_direct_alloc*",
	"dma_pool_alloc*", "gen_pool_*", "sg_alloc_*", "__sg_alloc_*", "sg_kmalloc",
	/* nodes */
	"mas_*", "mtree_*", "mt_alloc*", "radix_tree_*", "idr_*", "ida_*", "xas_*", "xa_*", "__xa_*",
	"bucket_table_alloc", "rhashtable_init*", "list_lru_*", "__list_lru_*", "memcg_list_lru_*",
	"assoc_array_*",
	/* kobjects and sysfs */
	"kobject_set_name*", "__kernfs_*", "kernfs_*", "sysfs_*", "internal_create_group*",
	"__register_sysctl_table",
	/* socket buffers and sockets */
	"__alloc_skb", "alloc_skb*", "kmalloc_reserve", "skb_clone", "skb_copy*", "__pskb_copy*",
	"pskb_expand_head", "skb_clone_sk", "build_skb*", "__build_skb*", "napi_alloc_skb",
	"__napi_alloc_skb", "__netdev_alloc_skb", "netdev_alloc_*", "__netdev_alloc_*",
	"sock_alloc_send_*", "sock_wmalloc", "sock_kmalloc", "sk_alloc", "sk_prot_alloc",
	"skb_ext_add", "skb_segment",
	/* page tables */
	"pte_alloc_*", "__pte_alloc*", "__pmd_alloc*", "__pud_alloc*", "__p4d_alloc*", "pgd_alloc",
	/* files, inodes and names */
	"__d_alloc", "d_alloc*", "alloc_inode", "new_inode*", "alloc_empty_file*", "alloc_file*",
	"getname_flags", "getname_kernel", "seq_open", "single_open*", "__seq_open_private",
	"alloc_buffer_head", "folio_alloc_buffers", "alloc_page_buffers", "create_empty_buffers",
	"folio_create_empty_buffers", "bio_alloc_*", "bvec_alloc", "__filemap_get_folio",
	"pagecache_get_page",
	/* BPF maps */
	"bpf_map_kmalloc_node", "bpf_map_kzalloc", "bpf_map_area_alloc", "bpf_map_alloc_percpu",
};

/**
 * function_matches - tell whether a symbol is a function
 * @symbol: the symbol; suffixes such as .isra.0 and _noprof don't matter
 * @pattern: name of the function; with a star at its end, of all that begin so
 *
 * Return: whether it is.
 */
bool function_matches(const char *symbol, const char *pattern)
{
	const size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(symbol, pattern, len - 1);
	return !strncmp(symbol, pattern, len) &&
	       (!symbol[len] || symbol[len] == '.' || !strcmp(symbol + len, "_noprof"));
}

static bool is_helper(const char *symbol)
{
	size_t i;

	for (i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		if (function_matches(symbol, helpers[i]))
			return true;
	return false;
}

/**
 * helpers_before - find who wanted the memory
 * @symbols: of the kernel
 * @frames: return addresses of a call path, that of the innermost caller first
 * @nr: number of @frames
 *
 * Return: how many calls of helpers come before it; 0: none, or all are.
 */
size_t helpers_before(const struct symbols *symbols, const uint64_t *frames, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		struct symbol_ref ref = { .name = NULL };

		symbols_find(symbols, frames[i], &ref);
		if (!ref.name || !is_helper(ref.name))
			return i;
	}
	return 0;
}
