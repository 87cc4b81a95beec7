// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - relations of the kernel's own counters
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/text.h"
#include "relations/columns.h"

/**
 * struct counters_row - a counter, or a counter in a step of time
 * @number: number of the counter, in the order of the kernel
 * @step: number of the step
 */
struct counters_row {
	uint32_t number, step;
};

static int fill_counters(struct kmemtrace_relation *r)
{
	const struct series *s = &r->trace->t.series;
	struct counters_row row = { .number = 0 };
	int ret = 0;

	for (; !ret && row.number < s->nr; row.number++)
		ret = relation_add(r, &row);
	return ret;
}

/* Rows are many: relation_add() of each took a fifth of the instructions of a report. */
static int fill_counter_steps(struct kmemtrace_relation *r)
{
	const struct series *s = &r->trace->t.series;
	const size_t nr = s->nr * s->nr_steps;
	struct counters_row *rows = reallocarray(NULL, nr + 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	r->rows = (char *)rows;
	for (; r->nr < nr; r->nr++)
		rows[r->nr] = (struct counters_row) { r->nr / s->nr_steps, r->nr % s->nr_steps };
	return 0;
}

/* What get_counter() returns. */
enum {
	OF_TABLE, OF_IS_TOTAL, OF_NAME, OF_PLACE, OF_MODULE, OF_VALUE, OF_FIRST, OF_CHANGE, OF_PEAK,
	OF_PEAK_TIME, OF_RISES, OF_FALLS, OF_IS_GROWING, OF_PER_HOUR, OF_BEGIN, OF_LEAST, OF_MOST,
};

static bool get_counter(const struct kmemtrace_relation *r, const void *row, unsigned int what,
			struct kmemtrace_field *value)
{
	const struct counters_row *at = row;
	const struct series *s = &r->trace->t.series;
	const struct series_row *c = s->rows[at->number];
	const struct series_step step = series_step(c, at->step);
	double per_hour = 0;

	switch (what) {
	case OF_TABLE:		value->number = c->table; break;
	case OF_IS_TOTAL:	value->number = c->is_total; break;
	case OF_NAME:		value->number = (uintptr_t)c->name; return c->name;
	case OF_PLACE:		value->number = (uintptr_t)c->place; return c->place;
	case OF_MODULE:		value->number = (uintptr_t)c->module; return c->module;
	case OF_VALUE:		value->number = c->value; break;
	case OF_FIRST:		value->number = series_step(c, 0).least; break;
	case OF_CHANGE:		value->number = c->value - series_step(c, 0).least; break;
	case OF_PEAK:		value->number = c->peak; break;
	case OF_PEAK_TIME:	value->signed_number = time_since(s->begin, c->peak_time); break;
	case OF_RISES:		value->number = c->rises; break;
	case OF_FALLS:		value->number = c->falls; break;
	case OF_IS_GROWING:	value->number = series_growth(s, c, &per_hour); break;
	case OF_PER_HOUR:	if (!series_growth(s, c, &per_hour))
					return false;
				value->number = per_hour < 1e18 ? (uint64_t)(per_hour + 0.5) :
								  UINT64_MAX;
				break;
	case OF_BEGIN:		value->number = at->step * s->width - s->origin; break;
	case OF_LEAST:		value->number = step.least; break;
	default:		value->number = step.most; break;
	}
	return true;
}

/* A value of /proc/allocinfo or /proc/slabinfo: live objects or allocations. */
static bool get_count(const struct kmemtrace_relation *r, const void *row, unsigned int is_first,
		      struct kmemtrace_field *value)
{
	const struct series_row *c =
		r->trace->t.series.rows[((const struct counters_row *)row)->number];
	const uint64_t *values = is_first ? c->first : c->values;

	value->number = values[c->table == COUNTER_SLABINFO ? SLABINFO_ACTIVE : 1];
	return c->table == COUNTER_SLABINFO || c->table == COUNTER_ALLOCINFO;
}

/* A value of /proc/slabinfo, in an array at @offset of the counter. */
static bool get_of_cache(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			 struct kmemtrace_field *value)
{
	const struct series_row *c =
		r->trace->t.series.rows[((const struct counters_row *)row)->number];

	value->number = *(const uint64_t *)((const char *)c + offset);
	return c->table == COUNTER_SLABINFO;
}

static void write_counter_table(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	(void)r;
	fputs(counter_table_name(identity), out);
}

#define COUNTER(what)			.get = get_counter, .arg = what
#define COUNT_OF(is_first)		.get = get_count, .arg = is_first
#define OF_CACHE(values, which)		\
	.get = get_of_cache, .arg = offsetof(struct series_row, values[which])

#define COUNTER_NUMBER							\
	COLUMN("number", "number", NUMBER, NO_UNIT, MEMBER(struct counters_row, number),	\
	       "number of the counter in the order of the kernel, from 0")
#define COUNTER_TABLE							\
	COLUMN("table", "table", TEXT, NO_UNIT, COUNTER(OF_TABLE),		\
	       "allocinfo, slabinfo, vmstat or meminfo", KEY, .print = write_counter_table)

static const struct column counter_columns[] = {
	COUNTER_NUMBER,
	COUNTER_TABLE,
	COLUMN("is_total", "total", BOOL, NO_UNIT, COUNTER(OF_IS_TOTAL),
	       "it is the sum of its table", KEY),
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER(OF_NAME),
	       "of a call site its function, else the name that the kernel gives it", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER(OF_PLACE), "file and line of a call site",
	       KEY, MAYBE, .print = write_string),
	COLUMN("module", "module", TEXT, NO_UNIT, COUNTER(OF_MODULE), "module of a call site", KEY,
	       MAYBE, .print = write_string),
	COLUMN("value", "value", NUMBER, NO_UNIT, COUNTER(OF_VALUE),
	       "bytes of a call site or of the live objects of a cache, else the value"),
	COLUMN("first", "first", NUMBER, NO_UNIT, COUNTER(OF_FIRST),
	       "the same in the first reading"),
	COLUMN("change", "change", SIGNED, NO_UNIT, COUNTER(OF_CHANGE), "the value, less the first"),
	COLUMN("peak", "peak", NUMBER, NO_UNIT, COUNTER(OF_PEAK), "the largest of all readings"),
	COLUMN("peak_ns", "peak at", SIGNED, NS, COUNTER(OF_PEAK_TIME),
	       "when that was read first, after the first reading"),
	COLUMN("count", "count", NUMBER, COUNT, COUNT_OF(false),
	       "live allocations of a call site, live objects of a cache", MAYBE),
	COLUMN("first_count", "first count", NUMBER, COUNT, COUNT_OF(true),
	       "the same in the first reading", MAYBE),
	COLUMN("object_size", "object", NUMBER, BYTES, OF_CACHE(values, SLABINFO_SIZE),
	       "bytes of an object of a cache", MAYBE),
	COLUMN("pages", "pages", NUMBER, COUNT, OF_CACHE(values, SLABINFO_PAGES),
	       "pages of a cache", MAYBE),
	COLUMN("first_pages", "first pages", NUMBER, COUNT, OF_CACHE(first, SLABINFO_PAGES),
	       "the same in the first reading", MAYBE),
	COLUMN("rises", "rises", NUMBER, COUNT, COUNTER(OF_RISES),
	       "readings in which the value was larger than in the one before"),
	COLUMN("falls", "falls", NUMBER, COUNT, COUNTER(OF_FALLS),
	       "readings in which it was smaller"),
	COLUMN("is_growing", "grows", BOOL, NO_UNIT, COUNTER(OF_IS_GROWING),
	       "it grew in each eighth of the time"),
	COLUMN("per_hour", "per hour", NUMBER, NO_UNIT, COUNTER(OF_PER_HOUR),
	       "by how much it grows in an hour, if it does", MAYBE),
};

static const struct column counter_step_columns[] = {
	COUNTER_NUMBER,
	COUNTER_TABLE,
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER(OF_NAME), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER(OF_PLACE), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("begin_ns", "begin", SIGNED, NS, COUNTER(OF_BEGIN),
	       "when the step begins, after the first reading", KEY),
	COLUMN("least", "least", NUMBER, NO_UNIT, COUNTER(OF_LEAST), "the smallest value in it"),
	COLUMN("most", "most", NUMBER, NO_UNIT, COUNTER(OF_MOST), "the largest value in it"),
};

/* ---- the readings ---- */

static int fill_readings(struct kmemtrace_relation *r)
{
	return r->trace->has_counters ? relation_add(r, &(struct counters_row) { .number = 0 }) : 0;
}

/* What get_readings() returns. */
enum {
	READ_WHOLE, READ_SECONDS, READ_BEGIN, READ_LAST, READ_STEP, READ_STEPS, READ_LEFT_OUT,
	READ_PROBLEM,
};

static bool get_readings(const struct kmemtrace_relation *r, const void *row, unsigned int what,
			 struct kmemtrace_field *value)
{
	const struct series *s = &r->trace->t.series;

	(void)row;
	switch (what) {
	case READ_WHOLE:	value->number = s->state.readings; break;
	case READ_SECONDS:	value->signed_number = s->seconds; break;
	case READ_BEGIN:	value->signed_number = s->begin; break;
	case READ_LAST:		value->signed_number = time_since(s->begin, s->end); break;
	case READ_STEP:		value->number = s->width; break;
	case READ_STEPS:	value->number = s->nr_steps; break;
	case READ_LEFT_OUT:	value->number = s->left_out; break;
	default:		value->number = (uintptr_t)&s->state; break;
	}
	return true;
}

static void write_problem(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const struct counters_state *state = (const struct counters_state *)(uintptr_t)identity;

	(void)r;
	if (*state->problem) {
		fprintf(out, "offset %" PRIu64 " of its text: ", state->offset);
		text_print(state->problem, out);
	} else if (state->fault) {
		fprintf(out, "offset %" PRIu64 ": %s", state->fault_at,
			state->fault == INPUT_CUT ? "no whole frame, and no seek table" :
						    "the frame is damaged");
	} else if (state->is_partial) {
		fputs("a reading has no end", out);
	}
}

#define READINGS(what)	.get = get_readings, .arg = what

static const struct column reading_columns[] = {
	COLUMN("readings", "readings", NUMBER, COUNT, READINGS(READ_WHOLE), "whole readings"),
	COLUMN("seconds", "seconds", SIGNED, NO_UNIT, READINGS(READ_SECONDS),
	       "time of the first one in seconds since 1970, UTC"),
	COLUMN("origin_ns", "origin", SIGNED, CLOCK, READINGS(READ_BEGIN), "time of the first one"),
	COLUMN("last_ns", "last", SIGNED, NS, READINGS(READ_LAST),
	       "time of the last one after the first one"),
	COLUMN("step_ns", "step", NUMBER, NS, READINGS(READ_STEP),
	       "length of a step of counter_steps; 0: all readings have one time"),
	COLUMN("steps", "steps", NUMBER, COUNT, READINGS(READ_STEPS), "steps of each counter"),
	COLUMN("left_out", "left out", NUMBER, COUNT, READINGS(READ_LEFT_OUT),
	       "rows that are not listed, since there are too many"),
	COLUMN("problem", "problem", TEXT, NO_UNIT, READINGS(READ_PROBLEM),
	       "why the file could not be read to its end, or empty", .print = write_problem),
};

/* ---- the relations ---- */

#define OF_COUNTERS(info, list, f)						\
	{ info, COLUMNS(list), .row_size = sizeof(struct counters_row), .fill = f,	\
	  .space = NR_SPACES, .is_of_counters = true }

static const struct relation list[] = {
	OF_COUNTERS(SINGLE("readings", "The readings of the kernel's own counters."),
		    reading_columns, fill_readings),
	OF_COUNTERS(INFO("counters", "The kernel's own counters, in the order of the kernel."),
		    counter_columns, fill_counters),
	OF_COUNTERS(INFO("counter_steps", "The kernel's own counters by step of time."),
		    counter_step_columns, fill_counter_steps),
};

RELATIONS(counter_relations, list);
