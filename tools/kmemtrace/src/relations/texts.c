// SPDX-License-Identifier: GPL-2.0
/*
 * texts.c - the texts of identities
 */
#include "config.h"

#include <inttypes.h>

#include <stdlib.h>

#include "api/api-who.h"
#include "api/api.h"
#include "api/namesakes.h"
#include "common/callsite.h"
#include "common/text.h"
#include "relations/texts.h"

/**
 * text_of - return the text of an identity
 * @r: the relation
 * @write: writes it
 * @identity: the identity
 * @size: result: bytes of the text
 *
 * Return: the text, to be freed; NULL: no memory.
 */
char *text_of(const struct kmemtrace_relation *r, write_text *write, uint64_t identity,
	      size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	write(r, identity, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* The identity is a pointer to a string. */
void write_string(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	(void)r;
	text_print((const char *)(uintptr_t)identity, out);
}

WRITE_NAMES(write_allocator,
	[KMEMTRACE_SPACE_SLAB] = "slab",
	[KMEMTRACE_SPACE_PAGES] = "pages",
	[KMEMTRACE_SPACE_PERCPU] = "percpu",
	[KMEMTRACE_SPACE_VMALLOC] = "vmalloc",
)

WRITE_NAMES(write_api,
	[KMEMTRACE_API_KMALLOC] = "kmalloc",
	[KMEMTRACE_API_CACHE] = "cache",
	[KMEMTRACE_API_PAGES] = "pages",
	[KMEMTRACE_API_PERCPU] = "percpu",
	[KMEMTRACE_API_VMALLOC] = "vmalloc",
)

/* ---- call sites ---- */

/* Find the source file and the line of a call site; false: they are unknown. */
bool source_of_site(const struct kmemtrace_relation *r, uint64_t site, const char **file,
		    unsigned int *line)
{
	const struct kmemtrace_source *source = &r->trace->source;

	return source->find && !trace_site_note(&r->trace->t, site) &&
	       source->find(source->arg, site, file, line);
}

/* Replace a call site by its source file; false: it is unknown. */
bool file_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value)
{
	const char *file;
	unsigned int line;

	if (!source_of_site(r, value->number, &file, &line))
		return false;
	value->number = (uintptr_t)file;
	return true;
}

/* Replace a call site by its line in that file; false: it is unknown. */
bool line_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value)
{
	const char *file;
	unsigned int line;

	if (!source_of_site(r, value->number, &file, &line))
		return false;
	value->number = line;
	return true;
}

/* Replace a call site by what is inlined there; false: nothing is. */
bool inlined_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value)
{
	const struct kmemtrace_source *source = &r->trace->source;
	const char *inlined;

	if (!source->find_inlined || trace_site_note(&r->trace->t, value->number) ||
	    !source->find_inlined(source->arg, value->number, &inlined))
		return false;
	value->number = (uintptr_t)inlined;
	return true;
}

void write_site(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	api_print_site(r->trace, identity, out);
}

static struct symbol_ref symbol_of(const struct kmemtrace_relation *r, uint64_t site)
{
	struct symbol_ref ref = { 0 };

	if (!trace_site_note(&r->trace->t, site))
		symbols_find(&r->trace->t.symbols, site, &ref);
	return ref;
}

/* Print "function [module]", of a namesake which one it is. */
void write_function(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct symbol_ref ref = symbol_of(r, identity);

	callsite_print_full(&ref, trace_site_note(&r->trace->t, identity), out);
	if (ref.name)
		namesakes_print(r->trace, identity - ref.offset, out);
}

void write_module(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct symbol_ref ref = symbol_of(r, identity);

	callsite_print_module(&ref, trace_site_note(&r->trace->t, identity), out);
}

/* ---- call paths ---- */

/* Print the frames of a path, whose call site is known anyway. */
void print_frames(const struct kmemtrace_relation *r, const struct kmemtrace_call_path *path,
		  uint64_t call_site, write_text *print, FILE *out)
{
	size_t i;

	if (!path || !path->depth) {
		print(r, call_site, out);
		fputs(path && path->number ? " <- (unknown)" : "", out);
		return;
	}
	for (i = 0; i < path->depth; i++) {
		fputs(i ? " <- " : "", out);
		print(r, path->frames[i], out);
	}
	if (path->is_cut)
		fputs(" <- (more)", out);
}

void write_path(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct kmemtrace_call_path path = api_path(r->trace, identity);

	print_frames(r, &path, 0, write_site, out);
}

/* Write the addresses of a path, whose record the trace may lack. */
void write_path_addresses(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct kmemtrace_call_path path = api_path(r->trace, identity);

	if (path.depth)
		print_frames(r, &path, 0, write_address, out);
	else
		fputs("(unknown)", out);
}

void write_address(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	(void)r;
	fprintf(out, "%#" PRIx64, identity);
}

/* ---- who ---- */

void write_task(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	api_print_task(r->trace, identity, out);
}

/* Write the name of a task without its numbers. */
void write_task_name(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	if (identity >= NR_NO_TASKS)
		text_print(r->trace->t.ledger.who.tasks[identity].comm, out);
	else
		write_task(r, identity, out);
}

void write_process(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	api_print_process(r->trace, identity, out);
}

void write_cgroup(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	api_print_cgroup(r->trace, identity, out);
}

WRITE_NAMES(write_context,
	[IN_TASK] = "task",
	[IN_SOFTIRQ] = "softirq",
	[IN_HARDIRQ] = "hardirq",
)

/* ---- slab caches and flags ---- */

void write_cache(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct caches *caches = &r->trace->t.ledger.caches;
	const char *name = identity < caches->nr ? caches->list[identity].name : NULL;

	if (name)
		text_print(name, out);
	else
		fputs(identity ? "(no name)" : "(none)", out);
}

/* Print the names of the caches that were merged with it. */
void write_merged(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct cache *cache = &r->trace->t.ledger.caches.list[identity];
	size_t i;

	for (i = 0; i < cache->nr_aliases; i++) {
		fputs(i ? ", " : "", out);
		text_print(cache->aliases[i], out);
	}
}

void write_gfp(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	api_print_gfp(r->trace, identity, out);
}

WRITE_NAMES(write_mobility,
	[KMEMTRACE_UNMOVABLE] = "unmovable",
	[KMEMTRACE_MOVABLE] = "movable",
	[KMEMTRACE_RECLAIMABLE] = "reclaimable",
	[KMEMTRACE_MOBILITY_UNKNOWN] = "unknown",
)
