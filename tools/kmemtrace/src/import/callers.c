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

/* By name. */
static const char * const wrappers[] = {
#include "wrappers.h"
};

#define NR_WRAPPERS	(sizeof(wrappers) / sizeof(*wrappers))

/* Some kernels append it to the names of allocation functions. */
#define NOPROF	"_noprof"

static int compare_with_entry(const void *key, const void *entry)
{
	return strcmp(key, *(const char * const *)entry);
}

/* More bytes than a name of the list has, with what is appended. */
#define MAX_NAME	64

/*
 * Return the length of a name without what kernels and compilers append to it; MAX_NAME: it is
 * longer.
 */
static size_t length_without_suffix(const char *name)
{
	size_t suffix = sizeof(NOPROF) - 1, len;

	for (len = 0; len < MAX_NAME && name[len] && name[len] != '.'; len++)
		;
	if (len < MAX_NAME && len > suffix && !memcmp(name + len - suffix, NOPROF, suffix))
		len -= suffix;
	return len;
}

static bool is_wrapper(const char *function)
{
	size_t len = length_without_suffix(function);
	char name[MAX_NAME];

	if (len == MAX_NAME)
		return false;
	memcpy(name, function, len);
	name[len] = '\0';
	return bsearch(name, wrappers, NR_WRAPPERS, sizeof(*wrappers), compare_with_entry);
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
