// SPDX-License-Identifier: GPL-2.0
/*
 * who.c - the names of call paths, tasks and memory cgroups, those that rows have
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "html/who.h"
#include "report/format.h"
#include "report/site.h"
#include "report/view.h"

/**
 * struct frames - the frames of all call paths, each address once
 * @addresses: sorted
 * @nr: entries of @addresses
 */
struct frames {
	uint64_t *addresses;
	size_t nr;
};

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Append the frames of a call path. */
static void append(struct frames *f, const struct kmemtrace_call_path *path)
{
	size_t i;

	for (i = 0; i < path->depth; i++) {
		f->addresses = must_grow_list(f->addresses, f->nr, sizeof(*f->addresses));
		f->addresses[f->nr++] = path->frames[i];
	}
}

static void find_frames(struct frames *f, const struct report *r, const bool *is_used)
{
	const struct kmemtrace_call_path *path;
	size_t i, nr = 0;

	*f = (struct frames) { .nr = 0 };
	for (i = 0; (path = kmemtrace_get_path(r->trace, i)); i++)
		if (is_used[i])
			append(f, path);
	if (f->nr)
		qsort(f->addresses, f->nr, sizeof(*f->addresses), by_address);
	for (i = 0; i < f->nr; i++)
		if (!nr || f->addresses[i] != f->addresses[nr - 1])
			f->addresses[nr++] = f->addresses[i];
	f->nr = nr;
}

static json_object *frames_json(const struct report *r, const struct frames *f)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < f->nr; i++)
		json_object_array_add(list, site_json(r, f->addresses[i]));
	return list;
}

/* Return the numbers of the frames of a path, the call site first; -1: frames are missing. */
static json_object *path_json(const struct frames *f, const struct kmemtrace_call_path *path)
{
	json_object *list = json_object_new_array();
	const uint64_t *found;
	size_t i;

	for (i = 0; i < path->depth; i++) {
		found = bsearch(&path->frames[i], f->addresses, f->nr, sizeof(*found), by_address);
		json_object_array_add(list, json_object_new_uint64(found - f->addresses));
	}
	if (path->is_cut || (!path->depth && path->number))
		json_object_array_add(list, json_object_new_int(-1));
	return list;
}

/* Return the call paths by number; null: no row has it. */
static void add_paths(json_object *obj, const struct report *r, const struct rows *rows)
{
	json_object *list = json_object_new_array();
	const struct kmemtrace_call_path *path;
	struct frames frames;
	bool *is_used;
	size_t i, nr;

	for (nr = 0; kmemtrace_get_path(r->trace, nr); nr++)
		;
	is_used = must_calloc(nr, sizeof(*is_used));
	for (i = 0; i < rows->nr_places; i++)
		is_used[rows->places[i].path] = true;
	find_frames(&frames, r, is_used);
	for (i = 0; (path = kmemtrace_get_path(r->trace, i)); i++)
		json_object_array_add(list, is_used[i] ? path_json(&frames, path) : NULL);
	json_object_object_add(obj, "frames", frames_json(r, &frames));
	json_object_object_add(obj, "paths", list);
	free(frames.addresses);
	free(is_used);
}

static json_object *process_json(const struct kmemtrace_process *p)
{
	json_object *name;
	char *text;

	if (p->context != KMEMTRACE_IN_TASK || !p->tgid)
		return text_json(p->name);
	if (asprintf(&text, "%s-%u", p->comm, p->tgid) < 0)
		out_of_memory();
	name = text_json(text);
	free(text);
	return name;
}

/* Return the tasks by number, each with its process. */
static json_object *tasks_list_json(const struct report *r)
{
	json_object *list = json_object_new_array(), *one;
	const struct kmemtrace_task_info *task;
	size_t i;

	for (i = 0; (task = kmemtrace_get_task(r->trace, i)); i++) {
		one = json_object_new_object();
		add_str(one, "name", task->name);
		json_object_object_add(one, "process",
				       process_json(kmemtrace_get_process(r->trace,
									  task->process)));
		if (task->pid) {
			add_u64(one, "pid", task->pid);
			add_u64(one, "tgid", task->tgid);
		}
		json_object_array_add(list, one);
	}
	return list;
}

/* Return the cgroups by number. */
static json_object *cgroups_list_json(const struct report *r)
{
	json_object *list = json_object_new_array(), *one;
	const struct kmemtrace_memory_cgroup *c;
	size_t i;

	for (i = 0; (c = kmemtrace_get_cgroup(r->trace, i)); i++) {
		one = json_object_new_object();
		add_u64(one, "number", c->number);
		add_str(one, "path", c->path);
		if (c->is_removed)
			json_object_object_add(one, "removed", json_object_new_boolean(true));
		json_object_array_add(list, one);
	}
	return list;
}

/* Return the places by number: call path, task, cgroup. */
static json_object *places_json(const struct rows *rows)
{
	json_object *list = json_object_new_array(), *numbers;
	size_t i;

	for (i = 0; i < rows->nr_places; i++) {
		numbers = json_object_new_array();
		json_object_array_add(numbers, json_object_new_uint64(rows->places[i].path));
		json_object_array_add(numbers, json_object_new_uint64(rows->places[i].task));
		json_object_array_add(numbers, json_object_new_uint64(rows->places[i].cgroup));
		json_object_array_add(list, numbers);
	}
	return list;
}

/**
 * who_json - return the names of those who allocated
 * @r: the report
 * @rows: its rows
 *
 * Return: an object.
 */
json_object *who_json(const struct report *r, const struct rows *rows)
{
	const unsigned int with = kmemtrace_get_with(r->trace);
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "places", places_json(rows));
	if (with & KMEMTRACE_WITH_STACK)
		add_paths(obj, r, rows);
	if (with & KMEMTRACE_WITH_TASK)
		json_object_object_add(obj, "tasks", tasks_list_json(r));
	if (with & KMEMTRACE_WITH_CGROUP)
		json_object_object_add(obj, "cgroups", cgroups_list_json(r));
	return obj;
}
