// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - relations of the kernel's own counters
 */
#include "config.h"

#include "relations/columns.h"

static WRITE_NAMES(write_counter_table,
	[KMEMTRACE_COUNTER_SITE] = "allocinfo",
	[KMEMTRACE_COUNTER_CACHE] = "slabinfo",
	[KMEMTRACE_COUNTER_VMSTAT] = "vmstat",
	[KMEMTRACE_COUNTER_MEMINFO] = "meminfo",
)

FILL(fill_counters, struct kmemtrace_counter, kmemtrace_get_counter)

static int64_t counter_origin(const struct kmemtrace_relation *r)
{
	return kmemtrace_get_counters(r->trace)->begin;
}

static bool get_peak_time(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			  struct kmemtrace_field *value)
{
	(void)arg;
	value->signed_number = ((const struct kmemtrace_counter *)row)->peak_time -
			       counter_origin(r);
	return true;
}

static bool has_count(const struct kmemtrace_counter *c)
{
	return c->table == KMEMTRACE_COUNTER_SITE || c->table == KMEMTRACE_COUNTER_CACHE;
}

static bool get_count(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		      struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return has_count(row);
}

static bool get_of_cache(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			 struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return ((const struct kmemtrace_counter *)row)->table == KMEMTRACE_COUNTER_CACHE;
}

static bool get_per_hour(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			 struct kmemtrace_field *value)
{
	const struct kmemtrace_counter *c = row;

	(void)r;
	(void)arg;
	value->number = c->per_hour < 1e18 ? (uint64_t)(c->per_hour + 0.5) : UINT64_MAX;
	return c->is_growing;
}

#define COUNTER(member)		MEMBER(struct kmemtrace_counter, member)
#define COUNTER_IF(g, member)	.get = g, .arg = offsetof(struct kmemtrace_counter, member)

static const struct column counter_columns[] = {
	COLUMN("table", "table", TEXT, NO_UNIT, COUNTER(table),
	       "allocinfo, slabinfo, vmstat or meminfo", KEY, .print = write_counter_table),
	COLUMN("is_total", "total", BOOL, NO_UNIT, COUNTER(is_total), "it is the sum of its table",
	       KEY),
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER(name),
	       "of a call site its function, else the name that the kernel gives it", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER(place), "file and line of a call site", KEY,
	       MAYBE, .print = write_string),
	COLUMN("module", "module", TEXT, NO_UNIT, COUNTER(module), "module of a call site", KEY,
	       MAYBE, .print = write_string),
	COLUMN("value", "value", NUMBER, NO_UNIT, COUNTER(value),
	       "bytes of a call site or of the live objects of a cache, else the value"),
	COLUMN("first", "first", NUMBER, NO_UNIT, COUNTER(first), "the same in the first reading"),
	COLUMN("peak", "peak", NUMBER, NO_UNIT, COUNTER(peak), "the largest of all readings"),
	{ .name = "peak_ns", .heading = "peak at", .type = KMEMTRACE_SIGNED, .unit = KMEMTRACE_NS,
	  .get = get_peak_time, .help = "when that was read first, after the first reading" },
	COLUMN("count", "count", NUMBER, COUNT, COUNTER_IF(get_count, count),
	       "live allocations of a call site, live objects of a cache", MAYBE),
	COLUMN("first_count", "first count", NUMBER, COUNT, COUNTER_IF(get_count, first_count),
	       "the same in the first reading", MAYBE),
	COLUMN("object_size", "object", NUMBER, BYTES, COUNTER_IF(get_of_cache, object_size),
	       "bytes of an object of a cache", MAYBE),
	COLUMN("pages", "pages", NUMBER, COUNT, COUNTER_IF(get_of_cache, pages),
	       "pages of a cache", MAYBE),
	COLUMN("first_pages", "first pages", NUMBER, COUNT, COUNTER_IF(get_of_cache, first_pages),
	       "the same in the first reading", MAYBE),
	COLUMN("rises", "rises", NUMBER, COUNT, COUNTER(rises),
	       "readings in which the value was larger than in the one before"),
	COLUMN("falls", "falls", NUMBER, COUNT, COUNTER(falls),
	       "readings in which it was smaller"),
	COLUMN("is_growing", "grows", BOOL, NO_UNIT, COUNTER(is_growing),
	       "it grew in each eighth of the time"),
	{ .name = "per_hour", .heading = "per hour", .type = KMEMTRACE_NUMBER,
	  .get = get_per_hour, MAYBE, .help = "by how much it grows in an hour, if it does" },
};

static int fill_readings(struct kmemtrace_relation *r)
{
	const struct kmemtrace_counters *counters = kmemtrace_get_counters(r->trace);

	return counters ? relation_add(r, counters) : 0;
}

static bool get_last_reading(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			     struct kmemtrace_field *value)
{
	const struct kmemtrace_counters *c = row;

	(void)r;
	(void)arg;
	value->signed_number = c->end - c->begin;
	return true;
}

#define READING(member)	MEMBER(struct kmemtrace_counters, member)

static const struct column reading_columns[] = {
	COLUMN("readings", "readings", NUMBER, COUNT, READING(readings), "whole readings"),
	COLUMN("seconds", "seconds", SIGNED, NO_UNIT, READING(seconds),
	       "time of the first one in seconds since 1970, UTC"),
	COLUMN("origin_ns", "origin", SIGNED, CLOCK, READING(begin), "time of the first one"),
	{ .name = "last_ns", .heading = "last", .type = KMEMTRACE_SIGNED, .unit = KMEMTRACE_NS,
	  .get = get_last_reading, .help = "time of the last one after the first one" },
	COLUMN("step_ns", "step", NUMBER, NS, READING(step_ns),
	       "length of a step of counter_steps; 0: all readings have one time"),
	COLUMN("left_out", "left out", NUMBER, COUNT, READING(left_out),
	       "rows that are not listed, since there are too many"),
	COLUMN("problem", "problem", TEXT, NO_UNIT, READING(problem),
	       "why the file could not be read to its end, or empty", .print = write_string),
};

/**
 * struct counter_step_row - a counter in a step of time
 * @table: enum kmemtrace_counter_table
 * @name: as in counters
 * @place: as in counters
 * @begin: when the step begins, after the first reading
 * @least: the smallest value
 * @most: the largest value
 */
struct counter_step_row {
	int table;
	const char *name, *place;
	int64_t begin;
	uint64_t least, most;
};

static int fill_counter_steps(struct kmemtrace_relation *r)
{
	const struct kmemtrace_counters *c = kmemtrace_get_counters(r->trace);
	const struct kmemtrace_counter *counter;
	uint64_t least, most;
	size_t i, step;
	int ret = 0;

	for (i = 0; c && (counter = kmemtrace_get_counter(r->trace, i)); i++)
		for (step = 0; !ret && kmemtrace_counter_step(r->trace, i, step, &least, &most); step++)
			ret = relation_add(r, &(struct counter_step_row) {
				.table = counter->table,
				.name = counter->name,
				.place = counter->place,
				.begin = (int64_t)((uint64_t)c->step_begin + step * c->step_ns -
						   (uint64_t)c->begin),
				.least = least,
				.most = most,
			});
	return ret;
}

#define COUNTER_STEP(member)	MEMBER(struct counter_step_row, member)

static const struct column counter_step_columns[] = {
	COLUMN("table", "table", TEXT, NO_UNIT, COUNTER_STEP(table),
	       "allocinfo, slabinfo, vmstat or meminfo", KEY, .print = write_counter_table),
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER_STEP(name), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER_STEP(place), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("begin_ns", "begin", SIGNED, NS, COUNTER_STEP(begin),
	       "when the step begins, after the first reading", KEY),
	COLUMN("least", "least", NUMBER, NO_UNIT, COUNTER_STEP(least), "the smallest value in it"),
	COLUMN("most", "most", NUMBER, NO_UNIT, COUNTER_STEP(most), "the largest value in it"),
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(SINGLE("readings", "The readings of the kernel's own counters."),
	     reading_columns, struct kmemtrace_counters, fill_readings, NULL),
	LIST(INFO("counters", "The kernel's own counters, in the order of the kernel."),
	     counter_columns, struct kmemtrace_counter, fill_counters, NULL),
	LIST(INFO("counter_steps", "The kernel's own counters by step of time."),
	     counter_step_columns, struct counter_step_row, fill_counter_steps, NULL),
};

RELATIONS(counter_relations, list);
