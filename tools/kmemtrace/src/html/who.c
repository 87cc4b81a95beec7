// SPDX-License-Identifier: GPL-2.0
/*
 * who.c - places, and the names of what they consist of: call sites, call paths, tasks and memory
 * cgroups
 *
 * A list that another one refers to is in the order of numbers. Names are for people alone.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "html/who.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

/* Return the number that identifies what the row has in a column. */
static uint64_t identity_of(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	kmemtrace_relation_value(relation, kmemtrace_relation_find(relation, column), &value);
	return value.number;
}

/**
 * by_number - return the rows of a relation by the numbers of what they are about
 * @r: the report
 * @relation: the relation
 * @key: column whose values have these numbers
 * @columns: those that rows have
 *
 * Return: an array; null: no row has the number.
 */
json_object *by_number(const struct report *r, const char *relation, const char *key,
		       const char *columns)
{
	struct kmemtrace_relation *rows = relation_of(r, relation, .columns = columns);
	json_object *list = json_object_new_array(), *row;

	while (kmemtrace_relation_next(rows)) {
		row = relation_row_json(rows);
		if (kmemtrace_relation_find(rows, "process") >= 0)
			add_u64(row, "process_number", identity_of(rows, "process"));
		json_object_array_put_idx(list, identity_of(rows, key), row);
	}
	kmemtrace_relation_close(rows);
	return list;
}

/* ---- addresses ---- */

/**
 * struct addresses - all addresses of the trace
 * @list: sorted
 * @nr: entries of @list
 */
struct addresses {
	uint64_t *list;
	size_t nr;
};

static int by_call_site(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void list_addresses(const struct report *r, struct addresses *all)
{
	struct kmemtrace_relation *rows = relation_of(r, "addresses", .columns = "address");

	*all = (struct addresses) { .nr = 0 };
	while (kmemtrace_relation_next(rows)) {
		all->list = must_grow_list(all->list, all->nr, sizeof(*all->list));
		all->list[all->nr++] = identity_of(rows, "address");
	}
	kmemtrace_relation_close(rows);
}

static void print_addresses(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *rows = relation_of(r, "addresses");

	relation_print_json(rows, false, out);
	kmemtrace_relation_close(rows);
}

/* Return the number of an address in the list. */
static uint64_t number_of_row(const struct addresses *all, uint64_t address)
{
	const uint64_t *found = bsearch(&address, all->list, all->nr, sizeof(*found), by_call_site);

	return found - all->list;
}

/* ---- call paths and places ---- */

/* Return the numbers of the frames of a path, the call site first; -1: frames are missing. */
static json_object *path_json(const struct addresses *all, const struct kmemtrace_call_path *path)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < path->depth; i++)
		json_object_array_add(list,
				      json_object_new_uint64(number_of_row(all, path->frames[i])));
	if (path->is_cut || (!path->depth && path->number))
		json_object_array_add(list, json_object_new_int(-1));
	return list;
}

/* Return the call paths by number; null: no row has it. */
static json_object *paths_json(const struct report *r, const struct rows *rows,
			       const struct addresses *all)
{
	json_object *list = json_object_new_array();
	uint32_t path;
	size_t i;

	for (i = 0; i < rows->nr_places; i++) {
		path = rows->places[i].path;
		if (!json_object_array_get_idx(list, path))
			json_object_array_put_idx(list, path,
						  path_json(all, kmemtrace_get_path(r->trace, path)));
	}
	return list;
}

/* Print the places by number: call site, call path, task, cgroup. */
static void print_places(const struct rows *rows, const struct addresses *all, FILE *out)
{
	const struct place *place;
	size_t i;

	putc('[', out);
	for (i = 0; i < rows->nr_places; i++) {
		place = &rows->places[i];
		fprintf(out, "%s\n[%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", i ? "," : "",
			number_of_row(all, place->site), place->path, place->task, place->cgroup);
	}
	putc(']', out);
}

/* Print where memory comes from, and who has it. */
void print_who(const struct report *r, const struct rows *rows, FILE *out)
{
	const unsigned int with = kmemtrace_get_with(r->trace);
	struct addresses all;

	list_addresses(r, &all);
	print_member_name("sites", out);
	print_addresses(r, out);
	print_member_name("places", out);
	print_places(rows, &all, out);
	if (with & KMEMTRACE_WITH_STACK)
		print_member("paths", paths_json(r, rows, &all), out);
	if (with & KMEMTRACE_WITH_TASK)
		print_member("tasks", by_number(r, "tasks", "task", "task,process,pid,tgid"), out);
	if (with & KMEMTRACE_WITH_CGROUP)
		print_member("cgroups",
			     by_number(r, "cgroups", "cgroup", "cgroup,cgroup_id,is_removed"), out);
	free(all.list);
}
