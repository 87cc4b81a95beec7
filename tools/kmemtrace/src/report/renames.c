// SPDX-License-Identifier: GPL-2.0
/*
 * Names under which two kernels are compared: functions and caches were renamed, and
 * allocators have functions of their own for the same purpose.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "report/renames.h"

/**
 * struct renaming - two functions that are compared as one
 * @from: its name in older kernels, or in another allocator
 * @to: its name in the latest kernel
 */
static const struct renaming {
	const char *from, *to;
} functions[] = {
	/* The pages of SLAB, SLOB and SLUB. */
	{ "cache_grow_begin", "allocate_slab" },
	{ "slob_new_pages", "allocate_slab" },
	/* kmalloc() of a constant size; 6.1, 6.11. */
	{ "kmem_cache_alloc_trace", "__kmalloc_cache" },
	{ "kmalloc_trace", "__kmalloc_cache" },
	{ "kmem_cache_alloc_node_trace", "__kmalloc_cache_node" },
	{ "kmalloc_node_trace", "__kmalloc_cache_node" },
	/* 6.10 */
	{ "kmalloc_large", "__kmalloc_large" },
	{ "kmalloc_large_node", "__kmalloc_large_node" },
	{ "__kmalloc_large_node", "___kmalloc_large_node" },
	/* 6.12 */
	{ "kvmalloc_node", "__kvmalloc_node" },
	{ "kmem_cache_create_usercopy", "__kmem_cache_create_args" },
	/* Between 6.1 and 6.12. */
	{ "__percpu_counter_init", "__percpu_counter_init_many" },
	{ "__tlb_remove_page_size", "__tlb_remove_folio_pages_size" },
	{ "module_alloc", "execmem_alloc" },
	{ "prealloc_shrinker", "shrinker_alloc" },
	/* Between 6.12 and 7.2. */
	{ "__kthread_create_worker", "kthread_create_worker_on_node" },
	{ "full_proxy_open", "full_proxy_open_regular" },
	{ "getname_flags", "do_getname" },
	{ "krealloc", "krealloc_node_align" },
	{ "kvrealloc", "kvrealloc_node_align" },
	{ "pipe_write", "anon_pipe_write" },
	{ "vrealloc", "vrealloc_node_align" },
};

static size_t length_without(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !strncmp(name + len - n, suffix, n) ? len - n : len;
}

/**
 * renames_function - return the name under which a function is compared
 * @name: result
 * @function: name of the function
 *
 * Omits the suffixes that the compiler adds to a part of a function, such as .part.0, and
 * that of functions below the kernel's allocation profiling.
 */
void renames_function(char name[RENAMES_MAX], const char *function)
{
	size_t i, len = *function ? 1 + strcspn(function + 1, ".") : 0;

	len = length_without(function, len, "_noprof");
	snprintf(name, RENAMES_MAX, "%.*s", (int)len, function);
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(name, functions[i].from)) {
			snprintf(name, RENAMES_MAX, "%s", functions[i].to);
			return;
		}
}

/* Return what follows @prefix in @name; NULL: it begins otherwise. */
static const char *after(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) ? NULL : name + len;
}

/* Return the size in "kmalloc-cg-1k" and "kmalloc-rnd-05-1k"; NULL: it has another name. */
static const char *kmalloc_size(const char *cache)
{
	const char *size = after(cache, "kmalloc-cg-");

	if (size)
		return size;
	size = after(cache, "kmalloc-rnd-");
	if (!size)
		return NULL;
	size += strspn(size, "0123456789");
	return *size == '-' ? size + 1 : NULL;
}

/**
 * renames_cache - return the name under which a slab cache is compared
 * @name: result
 * @cache: name of the cache
 *
 * Configurations have several caches for one size of kmalloc(): one for accounted memory
 * (CONFIG_MEMCG), and 16 of which the call site selects one (CONFIG_RANDOM_KMALLOC_CACHES).
 * All of them are compared as one.
 */
void renames_cache(char name[RENAMES_MAX], const char *cache)
{
	const char *size = kmalloc_size(cache);

	snprintf(name, RENAMES_MAX, "%s%s", size ? "kmalloc-" : "", size ? size : cache);
}
