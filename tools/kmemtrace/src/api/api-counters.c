// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: the kernel's counters over time. kmemtrace.h describes the
 * functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-counters.h"
#include "api/handle.h"
#include "sums/series.h"

static_assert((int)KMEMTRACE_COUNTER_SITE == COUNTER_ALLOCINFO &&
	      (int)KMEMTRACE_COUNTER_CACHE == COUNTER_SLABINFO &&
	      (int)KMEMTRACE_COUNTER_VMSTAT == COUNTER_VMSTAT &&
	      (int)KMEMTRACE_COUNTER_MEMINFO == COUNTER_MEMINFO,
	      "enum kmemtrace_counter_table");

/*
 * Divide "mm/slub.c:12 [module] func:name" into its words. Where it has another form, all of
 * it is the name.
 */
static void name_site(struct kmemtrace_counter *c, char *text)
{
	char *function = strstr(text, " func:"), *module = strstr(text, " [");

	if (!function)
		return;
	*function = '\0';
	c->name = function + strlen(" func:");
	c->place = text;
	if (!module || module > function || function[-1] != ']')
		return;
	*module = '\0';
	function[-1] = '\0';
	c->module = module + strlen(" [");
}

static void describe(struct kmemtrace_counter *c, const struct series *s,
		     const struct series_row *row)
{
	*c = (struct kmemtrace_counter) {
		.size = sizeof(*c),
		.table = row->table,
		.is_total = row->is_total,
		.name = row->name,
		.value = row->value,
		.peak = row->peak,
		.peak_time = row->peak_time,
		.rises = row->rises,
		.falls = row->falls,
	};
	c->first = s->nr_steps ? series_step(row, 0).least : 0;
	if (row->table == COUNTER_ALLOCINFO) {
		c->count = row->values[1];
		c->first_count = row->first[1];
	}
	if (row->table == COUNTER_SLABINFO) {
		c->count = row->values[SLABINFO_ACTIVE];
		c->first_count = row->first[SLABINFO_ACTIVE];
		c->object_size = row->values[SLABINFO_SIZE];
		c->pages = row->values[SLABINFO_PAGES];
		c->first_pages = row->first[SLABINFO_PAGES];
	}
	c->is_growing = !row->is_total && series_growth(s, row, &c->per_hour);
	if (row->table == COUNTER_ALLOCINFO && row->name)
		name_site(c, row->name);
}

static int list_counters(struct kmemtrace_trace *trace)
{
	const struct series *s = &trace->t.series;
	struct kmemtrace_counter *list;
	size_t i;

	list = context_calloc(&trace->t.ctx, s->nr + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < s->nr; i++)
		describe(&list[i], s, s->rows[i]);
	trace->counter_rows = (struct list) { list, s->nr };
	return 0;
}

static enum kmemtrace_fault fault_of(const struct counters_state *state)
{
	static const enum kmemtrace_fault faults[] = {
		[INPUT_OK] = KMEMTRACE_FAULT_NONE,
		[INPUT_CUT] = KMEMTRACE_FAULT_CUT,
		[INPUT_DAMAGED] = KMEMTRACE_FAULT_DAMAGED,
	};

	if (*state->problem)
		return KMEMTRACE_FAULT_SIZE;
	if (state->fault)
		return faults[state->fault];
	return state->is_partial ? KMEMTRACE_FAULT_TRUNCATED : KMEMTRACE_FAULT_NONE;
}

static void describe_all(struct kmemtrace_trace *trace)
{
	const struct series *s = &trace->t.series;

	trace->counters = (struct kmemtrace_counters) {
		.size = sizeof(trace->counters),
		.readings = s->state.readings,
		.begin = s->begin,
		.end = s->end,
		.seconds = s->seconds,
		.step_begin = (int64_t)((uint64_t)s->begin - s->origin),
		.step_ns = s->width,
		.nr_steps = s->nr_steps,
		.fault = fault_of(&s->state),
		.fault_at = *s->state.problem ? s->state.offset : s->state.fault_at,
		.problem = s->state.problem,
		.left_out = s->left_out,
	};
}

int kmemtrace_read_counters(struct kmemtrace_trace *trace)
{
	int ret = context_error(&trace->t.ctx);

	if (ret || trace->counters.size)
		return ret;
	if (trace->live)
		return -EINVAL;
	if (!trace->t.dir.has_counters)
		return -ENOENT;
	ret = series_read(&trace->t.series, &trace->t.ctx, trace->t.dir.files);
	if (!ret)
		ret = list_counters(trace);
	if (ret)
		return context_fail(&trace->t.ctx, ret);
	describe_all(trace);
	return 0;
}

const struct kmemtrace_counters *
kmemtrace_get_counters(const struct kmemtrace_trace *trace)
{
	return trace->counters.size ? &trace->counters : NULL;
}

const struct kmemtrace_counter *
kmemtrace_get_counter(const struct kmemtrace_trace *trace, size_t i)
{
	const struct list *rows = &trace->counter_rows;

	return i < rows->nr ? (const struct kmemtrace_counter *)rows->at + i : NULL;
}

bool kmemtrace_counter_step(const struct kmemtrace_trace *trace, size_t i, size_t step,
			    uint64_t *least, uint64_t *most)
{
	const struct series *s = &trace->t.series;
	struct series_step at;

	if (i >= trace->counter_rows.nr || step >= s->nr_steps)
		return false;
	at = series_step(s->rows[i], step);
	*least = at.least;
	*most = at.most;
	return true;
}

void api_free_counters(struct kmemtrace_trace *trace)
{
	free(trace->counter_rows.at);
	series_free(&trace->t.series);
}
