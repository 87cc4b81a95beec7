// SPDX-License-Identifier: GPL-2.0
/*
 * Views: tasks, processes and memory cgroups.
 */
#include "config.h"

#include "common/text.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/view.h"

/**
 * struct who_view - a view that groups by who allocated
 * @key: by what
 * @rows: plural for titles
 * @column: singular for the heading of a column
 * @print: prints a group
 * @json: returns a group
 */
struct who_view {
	enum kmemtrace_key key;
	const char *rows, *column;
	void (*print)(const struct report *r, const struct kmemtrace_row *row, FILE *out);
	json_object *(*json)(const struct report *r, uint64_t key);
};

static size_t print_space(const struct report *r, enum kmemtrace_space space,
			  const struct who_view *view, FILE *out)
{
	struct kmemtrace_rows *rows = rows_by(r, space, view->key);
	size_t i, nr = rows_count(rows);

	if (nr)
		rows_heading(r, space, nr, view->rows, view->column, out);
	for (i = 0; i < view_limit(r, nr); i++) {
		row_text(r, kmemtrace_rows_get(rows, i), out);
		fputs("  ", out);
		view->print(r, kmemtrace_rows_get(rows, i), out);
		putc('\n', out);
	}
	kmemtrace_rows_close(rows);
	return nr;
}

static void view_text(const struct report *r, const struct who_view *view, const char *title,
		      FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_space(r, i, view, out);
	if (!nr)
		print_title(r, out, "%s: none%s", title, title_suffix(r));
}

static void add_context(json_object *obj, int context)
{
	static const char * const names[] = {
		[KMEMTRACE_IN_TASK] = "task",
		[KMEMTRACE_IN_SOFTIRQ] = "softirq",
		[KMEMTRACE_IN_HARDIRQ] = "hardirq",
	};

	add_str(obj, "context", context == KMEMTRACE_IN_UNKNOWN ? "unknown" : names[context]);
}

/* ---- tasks ---- */

static void print_process(const struct kmemtrace_process *p, FILE *out)
{
	text_print(p->comm, out);
	fprintf(out, "-%u", p->tgid);
}

static void print_task(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	const struct kmemtrace_task_info *task = kmemtrace_get_task(r->trace, row->key);

	fputs(row->name, out);
	if (task->pid == task->tgid)
		return;
	fputs(" of ", out);
	print_process(kmemtrace_get_process(r->trace, task->process), out);
}

static json_object *task_json(const struct report *r, uint64_t key)
{
	const struct kmemtrace_task_info *task = kmemtrace_get_task(r->trace, key);
	json_object *obj = json_object_new_object();

	add_str(obj, "name", task->name);
	add_context(obj, task->context);
	if (task->context != KMEMTRACE_IN_TASK)
		return obj;
	add_str(obj, "comm", task->comm);
	add_u64(obj, "pid", task->pid);
	add_u64(obj, "tgid", task->tgid);
	return obj;
}

static const struct who_view tasks = {
	KMEMTRACE_BY_TASK, "tasks", "task", print_task, task_json,
};

void tasks_text(const struct report *r, FILE *out)
{
	view_text(r, &tasks, "Tasks", out);
}

static json_object *space_tasks(const struct report *r, enum kmemtrace_space space)
{
	return rows_json(r, rows_by(r, space, KMEMTRACE_BY_TASK), task_json);
}

json_object *tasks_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_tasks);
}

/* ---- processes ---- */

static void print_name(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	(void)r;
	fputs(row->name, out);
}

static json_object *process_json(const struct report *r, uint64_t key)
{
	const struct kmemtrace_process *p = kmemtrace_get_process(r->trace, key);
	json_object *obj = json_object_new_object();

	if (p->context == KMEMTRACE_IN_TASK && p->tgid) {
		add_str(obj, "comm", p->comm);
		add_u64(obj, "tgid", p->tgid);
	} else {
		add_str(obj, "name", p->name);
	}
	add_context(obj, p->context);
	return obj;
}

static const struct who_view processes = {
	KMEMTRACE_BY_PROCESS, "processes", "process", print_name, process_json,
};

void processes_text(const struct report *r, FILE *out)
{
	view_text(r, &processes, "Processes", out);
}

static json_object *space_processes(const struct report *r, enum kmemtrace_space space)
{
	return rows_json(r, rows_by(r, space, KMEMTRACE_BY_PROCESS), process_json);
}

json_object *processes_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_processes);
}

/* ---- memory cgroups ---- */

/* Return whether a cgroup is a zombie if memory is charged to it. */
static bool is_removed(const struct report *r, uint64_t cgroup)
{
	return kmemtrace_get_cgroup(r->trace, cgroup)->is_removed;
}

static void print_cgroup(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	fprintf(out, "%s%s", row->name, is_removed(r, row->key) ? " (removed)" : "");
}

static json_object *cgroup_json(const struct report *r, uint64_t key)
{
	const struct kmemtrace_memory_cgroup *c = kmemtrace_get_cgroup(r->trace, key);
	json_object *obj = json_object_new_object();

	add_u64(obj, "number", c->number);
	add_str(obj, "path", c->path);
	if (c->number)
		json_object_object_add(obj, "is_removed", json_object_new_boolean(c->is_removed));
	if (c->is_removed)
		json_object_object_add(obj, "is_released", json_object_new_boolean(c->is_released));
	if (c->has_removed)
		add_time(obj, "removed_ns", r, c->removed);
	return obj;
}

static const struct who_view cgroups = {
	KMEMTRACE_BY_CGROUP, "memory cgroups", "cgroup", print_cgroup, cgroup_json,
};

/* Marks the number of a call path among addresses of call sites. */
#define PATH_MARK	(UINT64_C(1) << 62)

/* Return the call path of a key, if it is one. */
static const struct kmemtrace_call_path *path_of(const struct report *r, uint64_t key)
{
	const struct kmemtrace_call_path *path = NULL;

	if (key >> 32 == PATH_MARK >> 32)
		path = kmemtrace_get_path(r->trace, (uint32_t)key);
	return path && path->depth ? path : NULL;
}

/* Sets the call path or the call site, and the cgroup, of memory that keeps a removed cgroup. */
static bool keeper_keys(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	const struct report *r = arg;

	if (!kind->cgroup || !is_removed(r, kind->cgroup))
		return false;
	keys[0] = PATH_MARK | kind->path;
	if (!path_of(r, keys[0]))
		keys[0] = kind->call_site;
	keys[1] = kind->cgroup;
	return true;
}

/**
 * struct zombies - the call paths, or call sites, that keep removed cgroups
 * @rows: by call path or call site and cgroup, most live bytes first
 * @sums: by cgroup, most live bytes first
 */
struct zombies {
	struct kmemtrace_rows *rows, *sums;
};

static bool zombie_keys(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	uint64_t both[2];

	if (!keeper_keys(arg, kind, both))
		return false;
	keys[0] = both[1];
	return true;
}

static void zombies_collect(struct zombies *z, const struct report *r,
			    enum kmemtrace_space space)
{
	struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping),
		.keys = keeper_keys,
		.arg = (void *)r,
	};

	rows_group(&z->rows, r, space, &grouping, KMEMTRACE_LIVE);
	grouping.keys = zombie_keys;
	rows_group(&z->sums, r, space, &grouping, KMEMTRACE_LIVE);
}

static void zombies_free(struct zombies *z)
{
	kmemtrace_rows_close(z->rows);
	kmemtrace_rows_close(z->sums);
}

/* Return the first cgroups that have live memory. */
static size_t count_zombies(const struct zombies *z)
{
	const struct kmemtrace_row *row;
	size_t nr = 0;

	while ((row = kmemtrace_rows_get(z->sums, nr)) && row->live)
		nr++;
	return nr;
}

/* Print what keeps one cgroup. */
static void print_keepers(const struct report *r, const struct zombies *z, uint64_t cgroup,
			  FILE *out)
{
	const struct kmemtrace_row *row;
	size_t i, shown = 0;

	for (i = 0; shown < r->limit && (row = kmemtrace_rows_get(z->rows, i)); i++) {
		if (row->second_key != cgroup || !row->live)
			continue;
		row_begin_text(r, row, out);
		fputs("    ", out);
		if (path_of(r, row->key))
			print_call_path(r, path_of(r, row->key), 0, out);
		else
			print_site(r, row->key, out);
		putc('\n', out);
		shown++;
	}
}

static void print_zombie_heading(const struct report *r, enum kmemtrace_space space, size_t nr,
				 FILE *out)
{
	const char *error = error_blanks(r);

	print_title(r, out, "%s: %zu of %zu removed cgroups%s that live memory keeps, by live bytes",
		    space_infos[space].title, view_limit(r, nr), nr, title_suffix(r));
	fprintf(out, " live bytes%s %10s%s allocations%s  cgroup, and where its memory was allocated\n",
		error, space_infos[space].unit, error, error);
}

static void print_zombies(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *row;
	struct zombies z;
	size_t i, nr;

	zombies_collect(&z, r, space);
	nr = count_zombies(&z);
	if (nr)
		print_zombie_heading(r, space, nr, out);
	for (i = 0; i < view_limit(r, nr); i++) {
		const struct kmemtrace_memory_cgroup *c;

		row = kmemtrace_rows_get(z.sums, i);
		c = kmemtrace_get_cgroup(r->trace, row->key);
		row_begin_text(r, row, out);
		fputs("  ", out);
		if (c->path)
			text_print(c->path, out);
		else
			fprintf(out, "(cgroup %s)", NUMBER(c->number));
		putc('\n', out);
		print_keepers(r, &z, row->key, out);
	}
	zombies_free(&z);
}

void cgroups_text(const struct report *r, FILE *out)
{
	int i;

	view_text(r, &cgroups, "Memory cgroups", out);
	for (i = 0; i < NR_SPACES; i++)
		print_zombies(r, i, out);
}

/* Return a call path or a call site that keeps a cgroup. */
static json_object *keeper_json(const struct report *r, uint64_t key)
{
	const struct kmemtrace_call_path *path = path_of(r, key);
	json_object *obj, *frames;
	size_t i;

	if (!path)
		return site_json(r, key);
	obj = json_object_new_object();
	frames = json_object_new_array();
	for (i = 0; i < path->depth; i++)
		json_object_array_add(frames, site_json(r, path->frames[i]));
	json_object_object_add(obj, "frames", frames);
	return obj;
}

/* Add what keeps a removed cgroup. */
static void add_keepers(json_object *obj, const struct report *r, const struct zombies *z,
			uint64_t cgroup)
{
	json_object *list = json_object_new_array();
	const struct kmemtrace_row *row;
	size_t i, shown = 0;

	for (i = 0; shown < r->limit && (row = kmemtrace_rows_get(z->rows, i)); i++) {
		if (row->second_key != cgroup || !row->live)
			continue;
		json_object_array_add(list, row_json(keeper_json(r, row->key), row));
		shown++;
	}
	json_object_object_add(obj, "kept_by", list);
}

static json_object *space_cgroups(const struct report *r, enum kmemtrace_space space)
{
	struct kmemtrace_rows *rows = rows_by(r, space, KMEMTRACE_BY_CGROUP);
	json_object *list = json_object_new_array(), *obj;
	const struct kmemtrace_row *row;
	struct zombies z;
	size_t i;

	zombies_collect(&z, r, space);
	for (i = 0; i < r->limit && (row = kmemtrace_rows_get(rows, i)); i++) {
		obj = row_json(cgroup_json(r, row->key), row);
		if (is_removed(r, row->key))
			add_keepers(obj, r, &z, row->key);
		json_object_array_add(list, obj);
	}
	zombies_free(&z);
	kmemtrace_rows_close(rows);
	return list;
}

json_object *cgroups_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_cgroups);
}
