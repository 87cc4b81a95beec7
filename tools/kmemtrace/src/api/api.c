// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: opening and reading a trace, and its names. kmemtrace.h
 * describes the functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-objects.h"
#include "api/api.h"
#include "api/doubts.h"
#include "api/namesakes.h"
#include "api/once.h"
#include "api/stored.h"
#include "ledger/pipeline.h"
#include "common/callsite.h"
#include "common/text.h"
#include "read/gfp.h"
#include "read/spool.h"

/* Programs are compiled with the public constants, the library with its own. */
static_assert((int)KMEMTRACE_RECORD_ALLOC == KMEMTRACE_EVENT_ALLOC &&
	      (int)KMEMTRACE_RECORD_FREE == KMEMTRACE_EVENT_FREE &&
	      (int)KMEMTRACE_RECORD_LOST == KMEMTRACE_EVENT_LOST &&
	      (int)KMEMTRACE_RECORD_CLOCK == KMEMTRACE_EVENT_CLOCK &&
	      (int)KMEMTRACE_RECORD_CACHE == KMEMTRACE_EVENT_CACHE &&
	      (int)KMEMTRACE_RECORD_SNAPSHOT == KMEMTRACE_EVENT_SNAPSHOT &&
	      (int)KMEMTRACE_RECORD_FAILED == KMEMTRACE_EVENT_FAILED &&
	      (int)KMEMTRACE_RECORD_PHASE == KMEMTRACE_EVENT_PHASE &&
	      (int)KMEMTRACE_RECORD_MOVE == KMEMTRACE_EVENT_MOVE &&
	      (int)KMEMTRACE_RECORD_STACK == KMEMTRACE_EVENT_STACK &&
	      (int)KMEMTRACE_RECORD_TASK == KMEMTRACE_EVENT_TASK &&
	      (int)KMEMTRACE_RECORD_CGROUP == KMEMTRACE_EVENT_CGROUP &&
	      (int)KMEMTRACE_RECORD_CHARGE == KMEMTRACE_EVENT_CHARGE &&
	      (int)KMEMTRACE_RECORD_REFERENCE == KMEMTRACE_EVENT_REFERENCE,
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
	      (int)KMEMTRACE_FILTER_TASK == FILTER_TASK &&
	      (int)KMEMTRACE_FILTER_CGROUP == FILTER_CGROUP &&
	      (int)KMEMTRACE_FILTER_STACK == FILTER_STACK &&
	      (int)KMEMTRACE_FILTER_OLDER == FILTER_OLDER &&
	      (int)KMEMTRACE_FILTER_YOUNGER == FILTER_YOUNGER &&
	      (int)KMEMTRACE_FILTER_YOUNGER + 1 == NR_FILTERS,
	      "enum kmemtrace_filter");

static_assert((int)KMEMTRACE_UNMOVABLE == MIGRATETYPE_UNMOVABLE &&
	      (int)KMEMTRACE_MOVABLE == MIGRATETYPE_MOVABLE &&
	      (int)KMEMTRACE_RECLAIMABLE == MIGRATETYPE_RECLAIMABLE &&
	      (int)KMEMTRACE_MOBILITY_UNKNOWN == MIGRATETYPE_UNKNOWN,
	      "enum kmemtrace_mobility");
static_assert(KMEMTRACE_MAX_THREADS == PIPELINE_MAX_THREADS, "KMEMTRACE_MAX_THREADS");

/* ---- open a trace ---- */

/*
 * Copy the members that the program knows; the others are the defaults. Returns 0; -EINVAL:
 * the program did not set the size.
 */
int api_set_options(struct kmemtrace_options *to, const struct kmemtrace_options *from)
{
	memset(to, 0, sizeof(*to));
	if (from && from->size < sizeof(from->size))
		return -EINVAL;
	if (from)
		memcpy(to, from, from->size < sizeof(*to) ? from->size : sizeof(*to));
	return 0;
}

/* Ask the program whether to go on. Return true to end. */
static bool is_ended(const struct kmemtrace_trace *trace, enum kmemtrace_stage stage,
		     const struct streams_progress *p)
{
	const struct kmemtrace_progress progress = {
		.size = sizeof(progress),
		.stage = stage,
		.bytes = p->bytes,
		.total = p->size,
		.events = p->events,
	};

	return trace->options.watch(trace->options.arg, &progress);
}

static bool end_opening(void *trace)
{
	return is_ended(trace, KMEMTRACE_OPENING, &(struct streams_progress) { 0 });
}

static bool end_receiving(void *arg, uint64_t bytes)
{
	struct kmemtrace_trace *trace = arg;

	if (!is_ended(trace, KMEMTRACE_RECEIVING,
		      &(struct streams_progress) { .bytes = bytes }))
		return false;
	trace->reading.cut_input = bytes;
	return true;
}

static bool end_reading(void *trace, const struct streams_progress *p)
{
	return is_ended(trace, KMEMTRACE_READING, p);
}

/* Allocate an empty trace. Returns 0 or -errno. */
int api_new_trace(struct kmemtrace_trace **trace, const struct kmemtrace_options *options)
{
	struct kmemtrace_trace *new = calloc(1, sizeof(*new));
	int ret = new ? api_set_options(&new->options, options) : -ENOMEM;

	if (ret) {
		free(new);
		return ret;
	}
	new->t.ctx.say = new->options.say;
	new->t.ctx.arg = new->options.arg;
	if (new->options.watch) {
		new->t.ctx.interrupt = end_opening;
		new->t.ctx.interrupt_arg = new;
		new->reading.look = end_reading;
		new->reading.arg = new;
	}
	*trace = new;
	return 0;
}

static void describe_machine(struct kmemtrace_trace *trace)
{
	const struct tracedir *dir = &trace->t.dir;

	trace->machine = (struct kmemtrace_machine) {
		.size = sizeof(trace->machine),
		.name = dir->name,
		.byte_order = order_name(trace->t.order),
		.word_bits = dir->word_bits,
		.abi = dir->abi_version,
		.page_size = dir->page_size,
		.is_cut = trace->reading.is_input_cut,
		.lacks = tracedir_lacks(&trace->t.dir),
		.has_books = dir->has_books,
		.sample = dir->one_of,
		.nr_cpus = dir->nr_cpus,
	};
}

/* Complete the opening of @new, whose @files were opened with the result @ret. */
static int open_files(struct kmemtrace_trace **trace, struct kmemtrace_trace *new,
		      struct files *files, int ret)
{
	if (!ret)
		ret = trace_open(&new->t, files);
	files_put(files);
	if (!ret)
		ret = context_error(&new->t.ctx);
	if (ret) {
		kmemtrace_close(new);
		return ret;
	}
	describe_machine(new);
	*trace = new;
	return 0;
}

int kmemtrace_open(struct kmemtrace_trace **trace, const char *path,
		   const struct kmemtrace_options *options)
{
	struct kmemtrace_trace *new;
	struct files *files = NULL;
	int ret;

	*trace = NULL;
	ret = api_new_trace(&new, options);
	if (ret)
		return ret;
	ret = files_open(&files, &new->t.ctx, path,
			 new->options.name ? new->options.name : path);
	return open_files(trace, new, files, ret);
}

int kmemtrace_open_fd(struct kmemtrace_trace **trace, int dir,
		      const struct kmemtrace_options *options)
{
	struct kmemtrace_trace *new;
	struct files *files = NULL;
	char name[32];
	int ret;

	*trace = NULL;
	ret = api_new_trace(&new, options);
	if (ret)
		return ret;
	snprintf(name, sizeof(name), "descriptor %d", dir);
	ret = files_open_fd(&files, &new->t.ctx, dir,
			    new->options.name ? new->options.name : name);
	return open_files(trace, new, files, ret);
}

int kmemtrace_open_stream(struct kmemtrace_trace **trace, FILE *in,
			  const struct kmemtrace_options *options)
{
	struct kmemtrace_trace *new;
	struct files *files = NULL;
	int ret;

	*trace = NULL;
	ret = api_new_trace(&new, options);
	if (ret)
		return ret;
	new->receiving = (struct spool_watch) { end_receiving, new };
	ret = files_begin_stream(&files, &new->t.ctx, in,
				 new->options.name ? new->options.name : "stream",
				 new->options.watch ? &new->receiving : NULL);
	if (!ret)
		ret = new->options.once ? once_begin(files, &new->t.ctx) :
					  spool_pull_all(files_stream(files));
	if (!ret)
		new->reading.is_input_cut = files_stream(files)->is_cut;
	return open_files(trace, new, files, ret);
}

void kmemtrace_close(struct kmemtrace_trace *trace)
{
	int i;

	if (!trace)
		return;
	reasons_free(&trace->doubts);
	api_free_lists(trace);
	series_free(&trace->t.series);
	if (trace->live)
		live_close(trace->live);
	free(trace->live);
	trace_free(&trace->t);
	for (i = 0; i < NR_FILTERS; i++)
		free(trace->filters[i]);
	free(trace);
}

int kmemtrace_error(const struct kmemtrace_trace *trace)
{
	return context_error(&trace->t.ctx);
}

const struct kmemtrace_machine *
kmemtrace_get_machine(const struct kmemtrace_trace *trace)
{
	return &trace->machine;
}

const char *kmemtrace_metadata(const struct kmemtrace_trace *trace,
			       const char *key)
{
	return tracedir_meta(&trace->t.dir, key);
}

/* ---- choose a part of it ---- */

/* Return whether kmemtrace_read() or kmemtrace_open_live() was called. */
static bool is_begun(const struct kmemtrace_trace *trace)
{
	return trace->is_read || trace->live || kmemtrace_error(trace);
}

int kmemtrace_set_threads(struct kmemtrace_trace *trace, unsigned int threads)
{
	if (threads > PIPELINE_MAX_THREADS)
		return -EINVAL;
	trace->reading.threads = threads;
	return 0;
}

int kmemtrace_set_end(struct kmemtrace_trace *trace, uint64_t ns)
{
	if (trace->is_used)
		return -EBUSY;
	trace->reading.is_cut = true;
	trace->reading.at = ns;
	return 0;
}

int kmemtrace_set_begin(struct kmemtrace_trace *trace, uint64_t ns)
{
	if (is_begun(trace))
		return -EBUSY;
	trace->reading.is_late = true;
	trace->reading.from = ns;
	return 0;
}

int kmemtrace_set_cells(struct kmemtrace_trace *trace, bool wanted)
{
	if (trace->live ? trace->live->is_begun : is_begun(trace))
		return -EBUSY;
	trace->reading.has_cells = wanted;
	if (trace->live)
		trace->live->has_cells = wanted;
	return 0;
}

void kmemtrace_set_address(struct kmemtrace_trace *trace, uint64_t address)
{
	trace->address = address;
	trace->has_address = true;
}

int kmemtrace_set_own(struct kmemtrace_trace *trace, bool wanted)
{
	if (trace->live ? trace->live->is_begun : is_begun(trace))
		return -EBUSY;
	trace->reading.counts_own = wanted;
	if (trace->live)
		trace->live->counts_own = wanted;
	return 0;
}

static int check_filter(enum kmemtrace_filter filter, const char *text)
{
	struct filter f = { .types = 0 };

	return text && filter_set(&f, (enum filter_key)filter, text) ? -EINVAL : 0;
}

int kmemtrace_set_filter(struct kmemtrace_trace *trace,
			 enum kmemtrace_filter filter, const char *text)
{
	struct filter *f;
	char *copy = NULL;

	if ((unsigned int)filter >= NR_FILTERS)
		return -EINVAL;
	if (!trace)
		return check_filter(filter, text);
	if (is_begun(trace))
		return -EBUSY;
	if (text) {
		copy = strdup(text);
		if (!copy)
			return -ENOMEM;
		text_parse(copy);
	}
	f = &trace->reading.filter;
	free(trace->filters[filter]);
	trace->filters[filter] = copy;
	if (copy && !filter_set(f, (enum filter_key)filter, copy))
		return 0;
	f->texts[filter] = NULL;
	return text ? -EINVAL : 0;
}

int api_set_lives(struct kmemtrace_trace *trace,
		  int (*each)(void *arg, const struct kmemtrace_life *life), void *arg)
{
	if (is_begun(trace))
		return -EBUSY;
	trace->each_life = each;
	trace->life_arg = arg;
	return 0;
}

/* ---- a trace as a whole ---- */

static bool is_empty(const struct ledger *l)
{
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++)
		if (kind_is_counted(kinds_get(&l->kinds, i)))
			return false;
	for (i = 0; i < l->stats.nr_findings; i++)
		if (!l->stats.findings[i].is_hidden)
			return false;
	return !l->stats.nr_failures;
}

/* Return a bit for each filter that is set and that no event matched. */
static unsigned int unmatched_filters(const struct trace *t)
{
	unsigned int bits = 0;
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (t->options.filter.texts[i] && !(t->selection.fit >> i & 1))
			bits |= 1U << i;
	return bits;
}

static struct kmemtrace_summary summarise(const struct trace *t)
{
	const struct timemap *cycles = &t->maps.of[KMEMTRACE_CLOCK_CYCLES];
	const struct timemap *local = &t->maps.of[KMEMTRACE_CLOCK_LOCAL];

	return (struct kmemtrace_summary) {
		.size = sizeof(struct kmemtrace_summary),
		.events = t->events,
		.lost = t->lost_events,
		.first = t->first,
		.last = t->last,
		.is_lost_known = t->losses_known,
		.lost_bytes = t->lost,
		.reordered = t->ledger.stats.settled,
		.uncertainty = t->uncertainty,
		.cycle_ns = cycles->nr ? cycles->rate : 0,
		.cycle_error = cycles->nr ? cycles->error : 0,
		.local_error = local->nr ? local->error : 0,
		.symbols = t->symbols.nr,
		.is_hidden = t->symbols.hidden,
		.own_pages = t->ledger.stats.own,
		.is_cut = t->options.is_cut,
		.end = t->options.at,
		.is_stopped = t->is_interrupted || t->options.cut_input,
		.is_late = t->options.is_late,
		.begin = t->options.from,
		.is_filtered = t->ledger.selection,
		.is_empty = is_empty(&t->ledger),
		.unmatched = unmatched_filters(t),
		.has_nodes = t->ledger.nodes.are_many,
	};
}

/* Fill in all results but those of struct trace. Return 0 or -ENOMEM. */
int api_sum_up(struct kmemtrace_trace *trace)
{
	int ret;

	describe_machine(trace);
	trace->summary = summarise(&trace->t);
	ret = api_list_all(trace);
	if (!ret)
		ret = api_count_aged(trace);
	return ret ? ret : doubts_find(&trace->doubts, &trace->t);
}

int kmemtrace_read_counters(struct kmemtrace_trace *trace)
{
	int ret = context_error(&trace->t.ctx);

	if (ret || trace->has_counters)
		return ret;
	if (trace->live)
		return -EINVAL;
	if (!trace->t.dir.has_counters)
		return -ENOENT;
	ret = series_read(&trace->t.series, &trace->t.ctx, trace->t.dir.files);
	trace->has_counters = !ret;
	return ret ? context_fail(&trace->t.ctx, ret) : 0;
}

/* Read the streams, those of a stream that arrives to its end. Return 0 or -errno. */
static int read_streams(struct kmemtrace_trace *trace)
{
	const struct spool *s = files_stream(trace->t.dir.files);
	int ret;

	if (!s || s->is_over)
		return stored_read(&trace->t, &trace->reading);
	trace->is_gone = true;
	ret = once_read(&trace->t, &trace->reading);
	trace->reading.is_input_cut = s->is_cut;
	trace->t.options.is_input_cut = s->is_cut;
	trace->t.options.cut_input = trace->reading.cut_input;
	return ret;
}

int kmemtrace_read(struct kmemtrace_trace *trace)
{
	int ret = kmemtrace_error(trace);

	if (trace->is_read || ret)
		return ret;
	if (trace->live)
		return -EINVAL;
	trace->is_used = true;
	api_begin_lives(trace);
	ret = read_streams(trace);
	if (!ret && trace->t.dir.has_counters)
		ret = kmemtrace_read_counters(trace);
	if (!ret)
		ret = api_sum_up(trace);
	if (!ret)
		ret = kmemtrace_error(trace);
	trace->is_read = !ret;
	if (!ret)
		ret = api_end_lives(trace);
	if (!ret)
		return 0;
	trace->is_read = false;
	return context_fail(&trace->t.ctx, ret);
}

const struct kmemtrace_summary *
kmemtrace_get_summary(const struct kmemtrace_trace *trace)
{
	return trace->is_read ? &trace->summary : NULL;
}

const char *kmemtrace_doubt(const struct kmemtrace_trace *trace, size_t i)
{
	return trace->is_read && i < trace->doubts.nr ? trace->doubts.list[i] : NULL;
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

int kmemtrace_symbol_address(const struct kmemtrace_trace *trace, const char *name,
			     uint64_t *address)
{
	return symbols_address(&trace->t.symbols, name, address) ? 0 : -ENOENT;
}

const char *kmemtrace_site_note(const struct kmemtrace_trace *trace, uint64_t call_site)
{
	return trace_site_note(&trace->t, call_site);
}

const char *kmemtrace_namesake(const struct kmemtrace_trace *trace, uint64_t call_site, char *buf,
			       size_t size)
{
	FILE *out = size > 1 ? fmemopen(buf, size, "w") : NULL;
	struct symbol_ref ref;

	if (size)
		*buf = '\0';
	if (!out)
		return buf;
	symbols_find(&trace->t.symbols, call_site, &ref);
	if (ref.name)
		namesakes_print(trace, call_site - ref.offset, out);
	fclose(out);
	buf[size - 1] = '\0';
	return buf;
}

/* ---- for the other files ---- */

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
	if (ref.name)
		namesakes_print(trace, call_site - ref.offset, out);
}

void kmemtrace_set_source(struct kmemtrace_trace *trace, const struct kmemtrace_source *source)
{
	struct kmemtrace_source *to = &trace->source;

	memset(to, 0, sizeof(*to));
	if (source)
		memcpy(to, source, source->size < sizeof(*to) ? source->size : sizeof(*to));
}

void api_print_gfp(const struct kmemtrace_trace *trace, uint64_t flags,
		   FILE *out)
{
	char names[GFP_NAMES_LEN];

	if (gfp_names(names, kmemtrace_metadata(trace, "kernel_release"), flags))
		fputs(names, out);
	else
		fprintf(out, "%#" PRIx64, flags);
}
