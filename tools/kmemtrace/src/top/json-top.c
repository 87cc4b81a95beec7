// SPDX-License-Identifier: GPL-2.0
/*
 * json-top.c - the rows of one second as JSON
 */
#include "config.h"

#include "report/format.h"
#include "top/json.h"

static const char * const states[] = {
	[TOP_EMPTY] = "waiting", [TOP_RUNS] = "running", [TOP_ENDED] = "ended",
	[TOP_CUT] = "broken off",
};

static void add_i64(json_object *obj, const char *key, int64_t value)
{
	json_object_object_add(obj, key, json_object_new_int64(value));
}

static json_object *total_json(const struct top_total *t)
{
	json_object *obj = json_object_new_object();

	add_u64(obj, "live_bytes", t->live);
	add_u64(obj, "live", t->objects);
	add_i64(obj, "change_bytes", t->change);
	add_i64(obj, "change_bytes_per_second", (int64_t)t->rate);
	add_u64(obj, "allocs_per_second", (uint64_t)t->allocs);
	add_u64(obj, "frees_per_second", (uint64_t)t->frees);
	add_u64(obj, "wasted_bytes", t->waste);
	add_u64(obj, "failed", t->failed);
	return obj;
}

static json_object *row_json(const struct top_row *row)
{
	json_object *obj = json_object_new_object();

	add_str(obj, "name", row->name);
	add_u64(obj, "live_bytes", row->live);
	add_u64(obj, "live", row->objects);
	add_i64(obj, "change_bytes", row->change);
	add_i64(obj, "change_bytes_per_second", (int64_t)row->rate);
	add_u64(obj, "allocs_per_second", (uint64_t)row->allocs);
	if (row->age != NO_AGE)
		add_u64(obj, "oldest_ns", row->age);
	add_u64(obj, "wasted_bytes", row->waste);
	return obj;
}

static void add_rows(json_object *obj, const struct top *top)
{
	json_object *rows = json_object_new_array();
	size_t i;

	add_str(obj, "allocator", top_spaces[top->space]);
	add_str(obj, "group_by", top_groups[top->group].name);
	add_str(obj, "sort", top_sorts[top->sort].name);
	if (*top->filter)
		add_str(obj, "filter", top->filter);
	for (i = 0; i < top->nr_rows; i++)
		json_object_array_add(rows, row_json(&top->rows[i]));
	json_object_object_add(obj, "rows", rows);
}

/* Print the totals and all rows of the model. */
void top_print_json(const struct top *top, FILE *out)
{
	json_object *obj = json_object_new_object(), *totals = json_object_new_object();
	const struct top_head *head = &top->head;
	int space;

	add_str(obj, "kernel", head->kernel);
	add_str(obj, "state", states[head->state]);
	json_object_object_add(obj, "complete", json_object_new_boolean(!head->nr_doubts));
	if (head->nr_doubts)
		add_str(obj, "reason", head->doubt);
	add_u64(obj, "time_ns", head->time);
	add_u64(obj, "marked_ns", head->marked);
	add_u64(obj, "events", head->events);
	add_u64(obj, "events_per_second", (uint64_t)head->rate);
	add_u64(obj, "lost", head->lost);
	if (head->sample > 1)
		add_u64(obj, "sample", head->sample);
	for (space = 0; space < KMEMTRACE_NR_SPACES; space++)
		json_object_object_add(totals, top_spaces[space], total_json(&top->totals[space]));
	json_object_object_add(obj, "totals", totals);
	add_rows(obj, top);
	print_json(obj, out);
}
