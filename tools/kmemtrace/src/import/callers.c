// SPDX-License-Identifier: GPL-2.0
/*
 * callers.c - find the caller of the page allocator
 *
 * As the recorder does: it is the first return address behind those in functions of the page
 * allocator. mm/kmemtrace/callsite.c lists these; make writes the list into wrappers.h.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "import/callers.h"

static const char *wrappers[] = {
#include "wrappers.h"
};

#define NR_WRAPPERS	(sizeof(wrappers) / sizeof(*wrappers))

/* Some kernels append it to the names of allocation functions. */
#define NOPROF	"_noprof"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char * const *)a, *(const char * const *)b);
}

/* Remove what kernels and compilers append to the name of a function. */
static void cut_suffixes(char *name)
{
	const size_t suffix = sizeof(NOPROF) - 1;
	size_t len;

	name[strcspn(name, ".")] = '\0';
	len = strlen(name);
	if (len > suffix && !strcmp(name + len - suffix, NOPROF))
		name[len - suffix] = '\0';
}

static bool is_wrapper(const char *function)
{
	static bool is_sorted;
	char name[64];
	const char *key = name;

	if (!is_sorted)
		qsort(wrappers, NR_WRAPPERS, sizeof(*wrappers), by_name);
	is_sorted = true;
	if (strlen(function) >= sizeof(name))
		return false;
	strcpy(name, function);
	cut_suffixes(name);
	return bsearch(&key, wrappers, NR_WRAPPERS, sizeof(*wrappers), by_name);
}

/**
 * callers_find - find the caller of the page allocator
 * @tep: has the symbols of the kernel
 * @stack: return addresses, the innermost first
 * @nr: how many
 *
 * The first ones may be in the tracer.
 *
 * Return: the address; 0: there is none, or there are no symbols.
 */
uint64_t callers_find(struct tep_handle *tep, const uint64_t *stack, size_t nr)
{
	const char *function;
	bool inside = false, is_inside;
	size_t i;

	for (i = 0; i < nr; i++, inside = is_inside) {
		/* A return address may be the first after its function. */
		function = tep_find_function(tep, stack[i] - 1);
		is_inside = function && is_wrapper(function);
		if (inside && !is_inside)
			return stack[i];
	}
	return 0;
}
