// SPDX-License-Identifier: GPL-2.0
/*
 * stored.c - read the streams of a stored trace, from begin to end
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/carry.h"
#include "api/stored.h"
#include "common/with.h"
#include "ledger/ledger.h"
#include "ledger/pipeline.h"
#include "read/merge.h"

/**
 * struct reading - the reading of a trace
 * @t: the trace
 * @s: the streams
 * @m: the merged streams
 */
struct reading {
	struct trace *t;
	struct streams s;
	struct merge m;
};

/* Ask the program whether to end the reading, which has come so far. Return true to end. */
bool stored_look(struct trace *t, struct streams_progress p)
{
	if (!t->options.look(t->options.arg, &p))
		return false;
	t->is_interrupted = true;
	t->progress = p;
	return true;
}

static void take_stored_record(void *arg, const struct reader *r)
{
	const struct reading *reading = arg;

	trace_take(reading->t, r);
}

static bool look(void *arg)
{
	struct reading *reading = arg;

	return reading->t->options.look &&
	       stored_look(reading->t, streams_progress(&reading->s));
}

/* Note where reading ended. */
void stored_take_end(struct trace *t, const struct merge *m)
{
	t->last = m->time > t->first ? m->time : t->first;
	t->backwards = m->backwards;
	if (t->is_interrupted) {
		t->options.is_cut = true;
		t->options.at = trace_span(t);
	}
}

/* Skip the records before a time. Return 0, or -errno after a message. */
static int skip_before(struct ledger *l, struct reader *r, int64_t since)
{
	int64_t time;
	int ret = reader_next(r);

	if (ret <= 0 || r->rec.time >= since)
		return ret < 0 ? ret : reader_rewind(r);
	ledger_skip(l, &r->rec, r->cpu);
	while (ret > 0 && reader_peek_time(r, 1, &time) && time < since) {
		ret = reader_next(r);
		if (ret > 0)
			ledger_skip(l, &r->rec, r->cpu);
	}
	return ret < 0 ? ret : 0;
}

/* Find the time from which a stream has all records, if older ones were overwritten. */
static int find_since(struct reader *r, int64_t *since)
{
	const struct kmemtrace_clock *clock;
	int ret = reader_next(r);

	if (ret < 0)
		return ret;
	clock = (const void *)r->rec.ev;
	if (ret && clock->event_id == KMEMTRACE_EVENT_CLOCK && clock->sequence &&
	    r->rec.time > *since)
		*since = r->rec.time;
	return reader_rewind(r);
}

/*
 * Where the newest records replaced older ones, each CPU has them from another time on. Begin
 * where all CPUs have them: what is alone contradicts others.
 */
static int skip_lone(struct reading *reading)
{
	struct streams *s = &reading->s;
	int64_t since = INT64_MIN;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++)
		ret = find_since(&s->readers[i], &since);
	reading->t->ledger.since = since;
	for (i = 0; !ret && since != INT64_MIN && i < s->nr; i++)
		ret = skip_before(&reading->t->ledger, &s->readers[i], since);
	return ret;
}

/*
 * Read the books of the trace before, and skip what they have of the streams. The trace begins
 * where the one before ended. Return 0, or -errno after a message.
 */
static int begin_merge(struct reading *reading, struct merge *m, struct carry *carry)
{
	struct streams *s = &reading->s;
	struct trace *t = reading->t;
	int ret = carry_open(carry, t);
	size_t i;

	for (i = 0; !ret && i < s->nr; i++)
		ret = carry_skip(t, &s->readers[i]);
	if (!ret && t->ledger.is_behind)
		ret = skip_lone(reading);
	if (!ret)
		ret = merge_init(m, &t->ctx, s->readers, s->nr);
	t->first = m->time < carry->end ? m->time : carry->end;
	t->ledger.begin = t->first;
	return ret;
}

/*
 * Return the time of the last records to read: kmemtraced ended the trace then, or the user
 * wants no more.
 */
int64_t stored_last_time(struct trace *t)
{
	const int64_t wanted = trace_until(&t->options, t->first);
	uint64_t ns;

	t->is_continued = tracedir_meta_u64(&t->dir, "until_ns", &ns) && ns < INT64_MAX;
	return t->is_continued && (int64_t)ns < wanted ? (int64_t)ns : wanted;
}

/* Return the ABI version, from the metadata or else from the first record. */
static unsigned int abi_of(const struct trace *t, const struct reader *readers, size_t nr)
{
	size_t i;

	for (i = 0; !t->dir.abi_version && i < nr; i++)
		if (readers[i].rec.ev)
			return event_abi(readers[i].rec.ev);
	return t->dir.abi_version;
}

static bool assist(void *arg)
{
	struct reading *reading = arg;

	return streams_work_ahead(&reading->s);
}

/* Take all records from the current one on, and complete the sums. */
static int take_records(struct reading *reading)
{
	const struct pipeline_user user = {
		.each = take_stored_record,
		.look = look,
		.assist = assist,
		.arg = reading,
	};
	struct trace *t = reading->t;
	size_t i;
	int ret;

	/* From here on, look() ends the reading, and the report covers the part that was read. */
	t->ctx.interrupt = NULL;
	/* Files of a stream, all in one temporary file, are read by one thread. */
	if (t->ledger.nr_sums > 1 && files_in_directory(t->dir.files))
		streams_read_ahead(&reading->s);
	ret = pipeline_run(&t->ledger, &reading->m, stored_last_time(t), &user);
	streams_stop_ahead(&reading->s);
	stored_take_end(t, &reading->m);
	trace_sum_losses(t);
	for (i = 0; i < reading->s.nr; i++)
		trace_take_stream(t, &reading->s.readers[i]);
	return ret;
}

/* Find what timestamps mean, and begin. Return 0, or -errno after a message. */
static int begin(struct reading *reading)
{
	struct trace *t = reading->t;
	struct carry carry;
	int ret = streams_find_times(&reading->s, &t->dir, &t->maps);

	if (!ret)
		ret = own_find(&t->ledger.own, &reading->s, t->dir.page_size);
	if (ret)
		return ret;
	t->ledger.patient = reading->s.nr > 1;
	ret = begin_merge(reading, &reading->m, &carry);
	t->ledger.is_abi1 = abi_of(t, reading->s.readers, reading->s.nr) == 1;
	if (t->options.is_late)
		t->selection.begin = trace_time_after(t->first, t->options.from);
	if (!ret && t->options.has_cells)
		ret = ledger_count_cells(&t->ledger, t->first);
	if (!ret)
		ret = carry_take(&carry, t->first);
	carry_close(&carry);
	return ret;
}

static int read_stored_streams(struct trace *t)
{
	struct reading reading = { .t = t };
	size_t i;
	int ret;

	t->maps = (struct timemaps) { .nr_held = 0 };
	ret = streams_open(&reading.s, &t->dir);
	t->order = reading.s.order;
	for (i = 0; i < t->dir.nr_cpus; i++)
		t->cpus[i].present = t->dir.cpus[i].state == STREAM_THERE;
	if (!ret)
		ret = begin(&reading);
	if (!ret)
		ret = take_records(&reading);
	merge_free(&reading.m);
	streams_close(&reading.s);
	return ret;
}

/* Choose events, if the options of @t do. */
void stored_select(struct trace *t)
{
	if (!filter_is_set(&t->options.filter) && !t->options.is_late)
		return;
	selection_init(&t->selection, &t->ctx);
	t->selection.by_event = t->options.is_late ||
				t->options.filter.texts[FILTER_CPU] ||
				t->options.filter.texts[FILTER_SIZE];
	t->selection.filter = &t->options.filter;
	t->selection.symbols = &t->symbols;
	t->selection.who = &t->ledger.who;
	ledger_select(&t->ledger, &t->selection);
}

/* End @t where the reading of @all ended: it found no names after that. */
static void end_like(struct trace *t, const struct trace *all)
{
	if (!all->is_interrupted)
		return;
	t->is_interrupted = true;
	t->progress = all->progress;
	t->options.is_cut = true;
	t->options.at = all->options.at;
}

/* Without metadata, any trace may. */
static bool may_have_paths(const struct trace *t)
{
	return !t->dir.abi_version ||
	       with_bits(tracedir_meta(&t->dir, "with")) & WITH_STACK;
}

/* Return whether a filter needs names that the trace may have after what they are for. */
static bool needs_names(const struct trace *t)
{
	const struct filter *filter = &t->options.filter;

	return filter->texts[FILTER_CACHE] || filter->texts[FILTER_CGROUP] ||
	       filter->texts[FILTER_STACK] || (filter->texts[FILTER_MODULE] && may_have_paths(t));
}

/*
 * Choose caches, cgroups and call paths by all that the trace says of them: read it once
 * without a filter.
 */
static int choose_names(struct trace *t)
{
	struct trace_options options = t->options;
	struct trace *all;
	int ret;

	if (!needs_names(t))
		return 0;
	options.filter = (struct filter) { .types = 0 };
	options.is_late = false;
	options.has_cells = false;
	options.each_life = NULL;
	all = context_calloc(&t->ctx, 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	all->ctx.say = t->ctx.say;
	all->ctx.arg = t->ctx.arg;
	all->ctx.interrupt = t->ctx.interrupt;
	all->ctx.interrupt_arg = t->ctx.interrupt_arg;
	ret = trace_open(all, t->dir.files);
	if (!ret)
		ret = stored_read(all, &options);
	if (!ret)
		ret = selection_take_who(&t->selection, &all->ledger.who);
	if (!ret && t->options.filter.texts[FILTER_CACHE])
		ret = selection_take_caches(&t->selection, &all->ledger.caches);
	end_like(t, all);
	trace_free(all);
	free(all);
	return ret;
}

/**
 * stored_read - read the streams of a trace
 * @t: the trace; call trace_free() also after an error
 * @options: how to read it
 *
 * Return: 0, or -errno after a message.
 */
int stored_read(struct trace *t, const struct trace_options *options)
{
	int ret = trace_begin(t, options);

	if (ret)
		return ret;
	stored_select(t);
	ret = choose_names(t);
	if (!ret)
		ret = read_stored_streams(t);
	return ret ? ret : trace_load_rest(t);
}
