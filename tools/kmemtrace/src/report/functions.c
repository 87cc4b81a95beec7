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

/* Functions of a name that are looked for at other addresses. A kernel has fewer of each name. */
#define MAX_GONE	64

/**
 * struct name - the functions of one name
 * @text: the name
 * @module: its module; "": the kernel itself
 * @first: the first function, or NULL
 * @last: where the next one is put
 * @trace: number of the trace whose gone functions are listed below
 * @gone: functions that are not at their address in that trace; some were taken since
 * @places: those that were not, by their place
 */
struct name {
	const char *text, *module;
	struct function *first, **last;
	unsigned int trace;
	struct function *gone;
	void *places;
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
	name->last = &name->first;
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

static int by_place(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return strcmp(x->which, y->which);
}

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static void forget_place(void *function)
{
	(void)function;
}

/*
 * List the functions of a name that the trace does not have at their addresses, of the first
 * MAX_GONE: each trace of a chain may ask for it again.
 */
static void list_gone(struct functions *f, const struct kmemtrace_trace *trace, struct name *name)
{
	struct function *function, **last = &name->gone;
	unsigned int left = MAX_GONE;

	tdestroy(name->places, forget_place);
	name->places = NULL;
	name->trace = f->trace;
	for (function = name->first; function && left--; function = function->next) {
		if (is_at(trace, name, function->start))
			continue;
		function->is_gone = true;
		*last = function;
		last = &function->next_gone;
		if (!tsearch(function, &name->places, by_place))
			out_of_memory();
	}
	*last = NULL;
}

/* Take a function that is gone: one at this place if there is such a one. Return NULL for none. */
static struct function *take_gone(struct functions *f, const struct kmemtrace_trace *trace,
				  struct name *name, const struct function *new)
{
	struct function **found, *function;

	if (name->trace != f->trace)
		list_gone(f, trace, name);
	while (name->gone && !name->gone->is_gone)
		name->gone = name->gone->next_gone;
	found = tfind(new, &name->places, by_place);
	function = found ? *found : name->gone;
	if (function) {
		function->is_gone = false;
		tdelete(function, &name->places, by_place);
	}
	return function;
}

static struct function *add_function(struct name *name)
{
	struct function *new = must_calloc(1, sizeof(*new));

	*name->last = new;
	name->last = &new->next;
	return new;
}

/* Begin with another trace of the same boot. */
void functions_next_trace(struct functions *f)
{
	f->trace++;
}

/**
 * functions_find - return the function of a call site
 * @f: the functions
 * @trace: a trace of the same boot as those of earlier calls
 * @call_site: a return address
 *
 * This is the known function of that name at that address. If there is none, it is a known one
 * whose address the trace does not have any more; else it is a new one.
 *
 * Return: the function; NULL: the call site has no symbol.
 */
struct function *functions_find(struct functions *f, const struct kmemtrace_trace *trace,
				uint64_t call_site)
{
	struct function key = { .start = call_site }, **found, *function;
	const char *module, *text;
	uint64_t offset;

	text = kmemtrace_symbol(trace, call_site, &offset, &module);
	if (!text)
		return NULL;
	key.start -= offset;
	key.name = find_known_name(f, &(struct name) { .text = text, .module = module ?: "" });
	kmemtrace_namesake(trace, call_site, key.which, sizeof(key.which));
	found = tfind(&key, &f->starts, by_start);
	function = found ? *found : take_gone(f, trace, key.name, &key);
	if (!function) {
		function = add_function(key.name);
	} else if (!found) {
		function->is_guess |= *key.which || function->has_namesakes;
		tdelete(function, &f->starts, by_start);
	}
	function->has_namesakes |= *key.which;
	function->start = key.start;
	function->name = key.name;
	memcpy(function->which, key.which, sizeof(key.which));
	if (!found && !tsearch(function, &f->starts, by_start))
		out_of_memory();
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
	tdestroy(name->places, forget_place);
	free((char *)name->text);
	free((char *)name->module);
	free(name);
}

/* Free what functions_find() allocated. */
void functions_free(struct functions *f)
{
	tdestroy(f->starts, forget_place);
	tdestroy(f->names, free_name);
}
