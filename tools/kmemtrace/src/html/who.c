// SPDX-License-Identifier: GPL-2.0
/*
 * who.c - places, and the names of what they consist of: call sites, call paths, tasks and memory
 * cgroups
 *
 * A list that another one refers to is in the order of numbers. Names are for people alone.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "html/who.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

static struct kmemtrace_relation *open_columns(const struct report *r, const char *relation,
					       const char *columns)
{
	return relation_open(r->trace, &(struct kmemtrace_query) {
		.size = sizeof(struct kmemtrace_query),
		.relation = relation,
		.columns = columns,
	});
}

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
	struct kmemtrace_relation *rows = open_columns(r, relation, columns);
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

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* List the addresses, and return their names in the same order. */
static json_object *addresses_json(const struct report *r, struct addresses *all)
{
	struct kmemtrace_relation *rows = open_columns(r, "addresses", NULL);
	json_object *list = json_object_new_array();

	*all = (struct addresses) { .nr = 0 };
	while (kmemtrace_relation_next(rows)) {
		all->list = must_grow_list(all->list, all->nr, sizeof(*all->list));
		all->list[all->nr++] = identity_of(rows, "address");
		json_object_array_add(list, relation_row_json(rows));
	}
	kmemtrace_relation_close(rows);
	return list;
}

static void add_number(json_object *list, uint64_t number)
{
	json_object_array_add(list, json_object_new_uint64(number));
}

static void add_address(json_object *list, const struct addresses *all, uint64_t address)
{
	const uint64_t *found = bsearch(&address, all->list, all->nr, sizeof(*found), by_address);

	add_number(list, found - all->list);
}

/* ---- call paths and places ---- */

/* Return the numbers of the frames of a path, the call site first; -1: frames are missing. */
static json_object *path_json(const struct addresses *all, const struct kmemtrace_call_path *path)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < path->depth; i++)
		add_address(list, all, path->frames[i]);
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

/* Return the places by number: call site, call path, task, cgroup. */
static json_object *places_json(const struct rows *rows, const struct addresses *all)
{
	json_object *list = json_object_new_array(), *numbers;
	size_t i;

	for (i = 0; i < rows->nr_places; i++) {
		numbers = json_object_new_array();
		add_address(numbers, all, rows->places[i].site);
		add_number(numbers, rows->places[i].path);
		add_number(numbers, rows->places[i].task);
		add_number(numbers, rows->places[i].cgroup);
		json_object_array_add(list, numbers);
	}
	return list;
}

/* Add where memory comes from, and who has it. */
void add_who(json_object *obj, const struct report *r, const struct rows *rows)
{
	const unsigned int with = kmemtrace_get_with(r->trace);
	struct addresses all;

	json_object_object_add(obj, "sites", addresses_json(r, &all));
	json_object_object_add(obj, "places", places_json(rows, &all));
	if (with & KMEMTRACE_WITH_STACK)
		json_object_object_add(obj, "paths", paths_json(r, rows, &all));
	if (with & KMEMTRACE_WITH_TASK)
		json_object_object_add(obj, "tasks",
				       by_number(r, "tasks", "task", "task,process,pid,tgid"));
	if (with & KMEMTRACE_WITH_CGROUP)
		json_object_object_add(obj, "cgroups",
				       by_number(r, "cgroups", "cgroup", "cgroup,cgroup_id,is_removed"));
	free(all.list);
}
