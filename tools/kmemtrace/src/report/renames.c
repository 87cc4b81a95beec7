// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions and caches in several kernels. Some were renamed, and slab allocators have
 * functions of their own for the same purpose.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "report/renames.h"

/**
 * struct renaming - a function, or a slab cache, that has two names
 * @from: its name in older kernels, or in another allocator
 * @to: its name in the latest kernel
 */
static const struct renaming {
	const char *from, *to;
} renamings[] = {
	/* The pages of SLAB, SLOB and SLUB. */
	{ "cache_grow_begin", "allocate_slab" },
	{ "slob_new_pages", "allocate_slab" },
	/* kmalloc() of a constant size: before 6.1, before 6.11. */
	{ "kmem_cache_alloc_trace", "__kmalloc_cache" },
	{ "kmalloc_trace", "__kmalloc_cache" },
	{ "kmem_cache_alloc_node_trace", "__kmalloc_cache_node" },
	{ "kmalloc_node_trace", "__kmalloc_cache_node" },
	/* Before 6.12. */
	{ "__alloc_file", "alloc_empty_file" },
	{ "__class_register", "class_register" },
	{ "__kmalloc_large_node", "___kmalloc_large_node" },
	{ "__kmem_cache_create", "do_kmem_cache_create" },
	{ "__percpu_counter_init", "__percpu_counter_init_many" },
	{ "__tlb_remove_page_size", "__tlb_remove_folio_pages_size" },
	{ "create_usercopy", "__kmem_cache_create_args" },
	{ "cred_jar", "cred" },
	{ "kmalloc_large", "__kmalloc_large" },
	{ "kmem_cache_create_usercopy", "__kmem_cache_create_args" },
	{ "kvmalloc_node", "__kvmalloc_node" },
	{ "module_alloc", "execmem_alloc" },
	{ "prealloc_shrinker", "shrinker_alloc" },
	{ "tcp_net_metrics_init", "tcp_metrics_init" },
	/* Before 7.2. */
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
 * renames_function - return the name of a function without suffixes
 * @name: result
 * @function: name of the function
 *
 * Omits the suffixes of the compiler, such as .part.0, and that of the kernel's allocation
 * profiling.
 */
void renames_function(char name[RENAMES_MAX], const char *function)
{
	size_t len = *function ? 1 + strcspn(function + 1, ".") : 0;

	len = length_without(function, len, "_noprof");
	snprintf(name, RENAMES_MAX, "%.*s", (int)len, function);
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
 * renames_cache - return the name of a slab cache without infixes
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

/* Return the latest name of what is called @name without its module, @len bytes. */
static const char *latest(const char *name, size_t *len)
{
	size_t i;

	for (i = 0; i < sizeof(renamings) / sizeof(*renamings); i++)
		if (strlen(renamings[i].from) == *len &&
		    !strncmp(renamings[i].from, name, *len)) {
			*len = strlen(renamings[i].to);
			return renamings[i].to;
		}
	return name;
}

/**
 * renames_compare - compare the latest names of two functions or caches
 * @a: a name, may end with " [module]"
 * @b: another name
 *
 * Return: as strcmp(); 0: in some kernel, @a has the name @b, or the other way round.
 */
int renames_compare(const char *a, const char *b)
{
	size_t a_len = strcspn(a, " "), b_len = strcspn(b, " ");
	const char *a_module = a + a_len, *b_module = b + b_len;
	size_t len;
	int order;

	a = latest(a, &a_len);
	b = latest(b, &b_len);
	len = a_len < b_len ? a_len : b_len;
	order = memcmp(a, b, len);
	if (!order)
		order = (a_len > b_len) - (a_len < b_len);
	return order ? order : strcmp(a_module, b_module);
}
