// SPDX-License-Identifier: GPL-2.0
/*
 * functions.c - the functions of a kernel over the traces of one boot
 *
 * A function keeps its address as long as it is there. Its place among those of its name changes
 * when another one is loaded. A module that is loaded again has its functions at other addresses.
 */
#include "config.h"

#include <search.h>
#include <string.h>

#include "common/memory.h"
#include "kmemtrace-records.h"
#include "report/functions.h"

/**
 * struct name - the functions of one name
 * @text: the name
 * @module: its module; "": the kernel itself
 * @first: the first function, or NULL
 */
struct name {
	const char *text, *module;
	struct function *first;
};

static int by_function_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	const int order = strcmp(x->text, y->text);

	return order ? order : strcmp(x->module, y->module);
}

static struct name *find_known_name(struct functions *f, const struct name *key)
{
	struct name **found = tfind(key, &f->names, by_function_text), *name;

	if (found)
		return *found;
	name = must_calloc(1, sizeof(*name));
	name->text = strdup(key->text);
	name->module = strdup(key->module);
	if (!name->text || !name->module || !tsearch(name, &f->names, by_function_text))
		out_of_memory();
	return name;
}

/* Return whether a trace has a function of this name at an address. */
static bool is_at(const struct kmemtrace_trace *trace, const struct name *name, uint64_t address)
{
	const char *module;
	uint64_t offset;
	/* A return address is behind the call. */
	const char *text = kmemtrace_symbol(trace, address + 1, &offset, &module);

	return text && offset == 1 &&
	       !by_function_text(name, &(struct name) { .text = text, .module = module ?: "" });
}

/* Return a function that is gone: one at @which place if there is such a one, or NULL. */
static struct function *find_gone(const struct kmemtrace_trace *trace, const struct name *name,
				  const char *which)
{
	struct function *any = NULL, *function;

	for (function = name->first; function; function = function->next) {
		if (is_at(trace, name, function->start))
			continue;
		if (!strcmp(function->which, which))
			return function;
		any = any ? any : function;
	}
	return any;
}

static struct function *add_function(struct name *name)
{
	struct function *new = must_calloc(1, sizeof(*new)), **last = &name->first;

	while (*last)
		last = &(*last)->next;
	return *last = new;
}

/**
 * functions_find - return the function of a call site
 * @f: the functions
 * @trace: a trace of the same boot as those of earlier calls
 * @call_site: a return address
 *
 * It is the one of its name that is at its address. If there is none, it is one that is gone from
 * its own; else it is new.
 *
 * Return: the function; NULL: the call site has no symbol.
 */
struct function *functions_find(struct functions *f, const struct kmemtrace_trace *trace,
				uint64_t call_site)
{
	struct function *function;
	char which[WHICH_MAX];
	const char *module, *text;
	struct name *name;
	uint64_t offset;

	text = kmemtrace_symbol(trace, call_site, &offset, &module);
	if (!text)
		return NULL;
	name = find_known_name(f, &(struct name) { .text = text, .module = module ?: "" });
	kmemtrace_namesake(trace, call_site, which, sizeof(which));
	for (function = name->first; function; function = function->next)
		if (function->start == call_site - offset)
			break;
	if (!function) {
		function = find_gone(trace, name, which);
		if (function)
			function->is_guess |= *which || function->has_namesakes;
		else
			function = add_function(name);
	}
	function->start = call_site - offset;
	function->has_namesakes |= *which;
	function->was_alone |= !*which;
	memcpy(function->which, which, sizeof(which));
	return function;
}

static void free_name(void *n)
{
	struct function *function, *next;
	struct name *name = n;

	for (function = name->first; function; function = next) {
		next = function->next;
		free(function);
	}
	free((char *)name->text);
	free((char *)name->module);
	free(name);
}

/* Free what functions_find() allocated. */
void functions_free(struct functions *f)
{
	tdestroy(f->names, free_name);
}
