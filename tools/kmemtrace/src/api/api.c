// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: a trace, its sums and its names. kmemtrace.h says what the
 * functions do.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "books/pipeline.h"
#include "common/memory.h"
#include "read/callsite.h"
#include "read/gfp.h"

/* What programs were compiled with, and what the kernel and the ledger use. */
static_assert((int)KMEMTRACE_RECORD_ALLOC == KMEMTRACE_EVENT_ALLOC &&
	      (int)KMEMTRACE_RECORD_FREE == KMEMTRACE_EVENT_FREE &&
	      (int)KMEMTRACE_RECORD_LOST == KMEMTRACE_EVENT_LOST &&
	      (int)KMEMTRACE_RECORD_CLOCK == KMEMTRACE_EVENT_CLOCK &&
	      (int)KMEMTRACE_RECORD_CACHE == KMEMTRACE_EVENT_CACHE &&
	      (int)KMEMTRACE_RECORD_SNAPSHOT == KMEMTRACE_EVENT_SNAPSHOT &&
	      (int)KMEMTRACE_RECORD_FAILED == KMEMTRACE_EVENT_FAILED &&
	      (int)KMEMTRACE_RECORD_PHASE == KMEMTRACE_EVENT_PHASE,
	      "enum kmemtrace_record_id");
static_assert((int)KMEMTRACE_API_KMALLOC == KMEMTRACE_TYPE_KMALLOC &&
	      (int)KMEMTRACE_API_CACHE == KMEMTRACE_TYPE_CACHE &&
	      (int)KMEMTRACE_API_PAGES == KMEMTRACE_TYPE_PAGES &&
	      (int)KMEMTRACE_API_PERCPU == KMEMTRACE_TYPE_PERCPU &&
	      (int)KMEMTRACE_API_VMALLOC == KMEMTRACE_TYPE_VMALLOC &&
	      (int)KMEMTRACE_API_UNKNOWN == SLOT_ANY_TYPE, "enum kmemtrace_api");
static_assert((int)KMEMTRACE_SPACE_SLAB == SPACE_SLAB &&
	      (int)KMEMTRACE_SPACE_PAGES == SPACE_PAGES &&
	      (int)KMEMTRACE_SPACE_PERCPU == SPACE_PERCPU &&
	      (int)KMEMTRACE_SPACE_VMALLOC == SPACE_VMALLOC,
	      "enum kmemtrace_space");
static_assert((int)KMEMTRACE_FILTER_SITE == FILTER_SITE &&
	      (int)KMEMTRACE_FILTER_MODULE == FILTER_MODULE &&
	      (int)KMEMTRACE_FILTER_CACHE == FILTER_CACHE &&
	      (int)KMEMTRACE_FILTER_TYPE == FILTER_TYPE &&
	      (int)KMEMTRACE_FILTER_CPU == FILTER_CPU &&
	      (int)KMEMTRACE_FILTER_SIZE == FILTER_SIZE &&
	      (int)KMEMTRACE_FILTER_SIZE + 1 == NR_FILTERS,
	      "enum kmemtrace_filter");

/* ---- messages ---- */

void kmemtrace_on_message(void (*say)(void *arg, const char *text), void *arg)
{
	message_to(say, arg);
}

void kmemtrace_on_fatal(void (*end)(void *arg), void *arg)
{
	fatal_to(end, arg);
}

/* ---- a trace ---- */

int kmemtrace_open(struct kmemtrace_trace **trace, const char *path)
{
	struct kmemtrace_trace *new = must_calloc(1, sizeof(*new));
	int ret = -ENOMEM;

	new->path = strdup(path);
	if (new->path)
		ret = trace_open(&new->t, new->path, new->path);
	if (ret) {
		kmemtrace_close(new);
		new = NULL;
	}
	*trace = new;
	return ret;
}

void kmemtrace_close(struct kmemtrace_trace *trace)
{
	int i;

	if (!trace)
		return;
	trust_free(&trace->trust);
	trace_free(&trace->t);
	for (i = 0; i < NR_FILTERS; i++)
		free(trace->filters[i]);
	free(trace->path);
	free(trace);
}

const char *kmemtrace_metadata(const struct kmemtrace_trace *trace,
			       const char *key)
{
	return tracedir_meta(&trace->t.dir, key);
}

int kmemtrace_set_threads(struct kmemtrace_trace *trace, unsigned int threads)
{
	if (threads > PIPELINE_MAX_THREADS)
		return -EINVAL;
	trace->options.threads = threads;
	return 0;
}

int kmemtrace_set_end(struct kmemtrace_trace *trace, uint64_t ns)
{
	if (trace->is_used)
		return -EBUSY;
	trace->options.is_cut = true;
	trace->options.at = ns;
	return 0;
}

int kmemtrace_set_begin(struct kmemtrace_trace *trace, uint64_t ns)
{
	if (trace->is_read || trace->error)
		return -EBUSY;
	trace->options.is_late = true;
	trace->options.from = ns;
	return 0;
}

static bool look(void *arg, const struct streams *s)
{
	const struct kmemtrace_trace *trace = arg;
	const struct streams_progress p = streams_progress(s);

	return trace->look(trace->look_arg, p.bytes, p.size);
}

void kmemtrace_set_watch(struct kmemtrace_trace *trace,
			 int (*new_look)(void *arg, uint64_t bytes, uint64_t size),
			 void *arg)
{
	trace->look = new_look;
	trace->look_arg = arg;
	trace->options.look = new_look ? look : NULL;
	trace->options.arg = trace;
}

int kmemtrace_set_filter(struct kmemtrace_trace *trace,
			 enum kmemtrace_filter filter, const char *text)
{
	struct filter *f = &trace->options.filter;
	char *copy = NULL;

	if (trace->is_read || trace->error)
		return -EBUSY;
	if ((unsigned int)filter >= NR_FILTERS)
		return -EINVAL;
	if (text) {
		copy = strdup(text);
		if (!copy)
			return -ENOMEM;
	}
	free(trace->filters[filter]);
	trace->filters[filter] = copy;
	if (copy && !filter_set(f, (enum filter_key)filter, copy))
		return 0;
	f->texts[filter] = NULL;
	return text ? -EINVAL : 0;
}

/* ---- what it adds up to ---- */

static struct kmemtrace_row total_of(const struct ledger *l, enum space space)
{
	const struct totals *t = &l->stats.totals[space];
	const struct amount live = stats_live(&l->stats, space);

	return (struct kmemtrace_row) {
		.size = sizeof(struct kmemtrace_row),
		.allocs = t->allocs,
		.bytes_req = t->req,
		.bytes_alloc = t->alloc,
		.frees = t->matched,
		.remote_frees = t->remote,
		.live = live.nr,
		.live_bytes_req = live.req,
		.live_bytes_alloc = live.alloc,
		.peak_bytes_alloc = l->history.peaks[space].bytes,
	};
}

static void sum_up(struct kmemtrace_trace *trace)
{
	const struct trace *t = &trace->t;
	int space;

	trace->summary = (struct kmemtrace_summary) {
		.size = sizeof(trace->summary),
		.events = t->events,
		.lost = t->lost_events,
		.first = t->first,
		.last = t->last,
	};
	for (space = 0; space < NR_SPACES; space++)
		trace->totals[space] = total_of(&t->ledger, space);
	trust_judge(&trace->trust, t);
}

int kmemtrace_read(struct kmemtrace_trace *trace)
{
	if (trace->is_read || trace->error)
		return trace->error;
	trace->is_used = true;
	trace->error = trace_read(&trace->t, &trace->options);
	if (trace->error)
		return trace->error;
	sum_up(trace);
	trace->is_read = true;
	return 0;
}

const struct kmemtrace_summary *
kmemtrace_get_summary(const struct kmemtrace_trace *trace)
{
	return trace->is_read ? &trace->summary : NULL;
}

const char *kmemtrace_doubt(const struct kmemtrace_trace *trace, size_t i)
{
	return i < trace->trust.nr ? trace->trust.reasons[i] : NULL;
}

const struct kmemtrace_row *kmemtrace_total(const struct kmemtrace_trace *trace,
					    enum kmemtrace_space space)
{
	if (!trace->is_read || (unsigned int)space >= NR_SPACES)
		return NULL;
	return &trace->totals[space];
}

/* ---- names ---- */

const char *kmemtrace_symbol(const struct kmemtrace_trace *trace,
			     uint64_t call_site, uint64_t *offset,
			     const char **module)
{
	struct symbol_ref ref;

	symbols_find(&trace->t.symbols, call_site, &ref);
	if (offset)
		*offset = ref.offset;
	if (module)
		*module = ref.module;
	return ref.name;
}

const char *kmemtrace_site_name(const struct kmemtrace_trace *trace,
				uint64_t call_site, char *buf, size_t size)
{
	char *text = api_text(trace, call_site, api_print_site);

	snprintf(buf, size, "%s", text);
	free(text);
	return buf;
}

const char *kmemtrace_gfp_name(const struct kmemtrace_trace *trace,
			       uint64_t gfp_flags, char *buf, size_t size)
{
	char *text = api_text(trace, gfp_flags, api_print_gfp);

	snprintf(buf, size, "%s", text);
	free(text);
	return buf;
}

/* ---- for the other files ---- */

/**
 * api_text - what a function prints
 * @trace: the trace
 * @value: for @print
 * @print: prints it
 *
 * Return: a string to free().
 */
char *api_text(const struct kmemtrace_trace *trace, uint64_t value,
	       void (*print)(const struct kmemtrace_trace *trace,
			     uint64_t value, FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		print(trace, value, out);
	if (!out || fclose(out))
		out_of_memory();
	return text;
}

void api_print_site(const struct kmemtrace_trace *trace, uint64_t call_site,
		    FILE *out)
{
	const char *note = trace_site_note(&trace->t, call_site);
	struct symbol_ref ref;

	if (note) {
		fprintf(out, "(%s)", note);
		return;
	}
	symbols_find(&trace->t.symbols, call_site, &ref);
	callsite_print(call_site, &ref, out);
}

void api_print_gfp(const struct kmemtrace_trace *trace, uint64_t flags,
		   FILE *out)
{
	char buf[GFP_NAMES_LEN];
	const char *names;

	names = gfp_names(buf, kmemtrace_metadata(trace, "kernel_release"),
			  flags);
	if (names)
		fputs(names, out);
	else
		fprintf(out, "%#" PRIx64, flags);
}
