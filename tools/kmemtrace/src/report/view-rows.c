// SPDX-License-Identifier: GPL-2.0
/*
 * Views: call sites, grouped or not, and sizes.
 */
#include "config.h"

#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

/* ---- call sites ---- */

static void print_counters(const struct list *list, const struct kmemtrace_row *row,
			   bool first, FILE *out)
{
	(void)first;
	row_text(list->r, row, out);
}

/* Print a list. Return how many groups there are, shown or not. */
static size_t print_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;
	size_t nr;

	list_collect(&list, r, space, r->sort);
	nr = list.g.nr;
	if (nr)
		rows_heading(r, space, nr, list.g.key->rows, list.g.key->column,
			     out);
	list_text(&list, print_counters, out);
	list_free(&list);
	return nr;
}

void sites_text(const struct report *r, FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_sites(r, i, out);
	if (!nr)
		print_title(r, out, "Call sites: none%s", title_suffix(r));
}

/* Call sites of an allocator in the overview. */
#define BRIEF_SITES	4

static void print_brief_counters(const struct list *list, const struct kmemtrace_row *row,
				 bool first, FILE *out)
{
	fprintf(out, "  %-8s", first ? space_infos[list->space].name : "");
	brief_text(list->r, row, kmemtrace_total(list->r->trace, list->space), out);
	fprintf(out, " %11s", NUMBER(row->allocs));
}

/* Print the first groups, but those whose value is 0. Return how many. */
static size_t print_brief_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;
	size_t shown;

	list_collect(&list, r, space, r->sort);
	list.limit = brief_limit(r, list.g.nr, brief_rows(space, BRIEF_SITES));
	list_end(&list, r->sort);
	shown = list.limit;
	list_text(&list, print_brief_counters, out);
	list_free(&list);
	return shown;
}

void sites_brief(const struct report *r, FILE *out)
{
	size_t shown = 0;
	int i;

	print_title(r, out, "Sites     %11s%s  share allocations  %s%s",
		    r->sort->column, error_blanks(r), r->group->rows, title_suffix(r));
	for (i = 0; i < NR_SPACES; i++)
		shown += print_brief_sites(r, i, out);
	if (!shown)
		fprintf(out, "  none%s\n", title_suffix(r));
}

static json_object *space_sites(const struct report *r, enum kmemtrace_space space)
{
	json_object *array;
	struct list list;

	list_collect(&list, r, space, r->sort);
	array = list_json(&list, row_json);
	list_free(&list);
	return array;
}

json_object *sites_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_sites);
}

/* ---- sizes ---- */

/* The size of a block of pages is unknown if it is older than the trace. */
static void print_size(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	row_text(r, row, out);
	fprintf(out, "  %s\n", row->key ? NUMBER(row->key) : "unknown");
}

static void print_sizes(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_rows *rows = rows_by(r, space, KMEMTRACE_BY_SIZE);
	size_t i, nr = rows_count(rows);

	if (nr)
		rows_heading(r, space, nr, "sizes", "bytes each", out);
	for (i = 0; i < view_limit(r, nr); i++)
		print_size(r, kmemtrace_rows_get(rows, i), out);
	kmemtrace_rows_close(rows);
}

void sizes_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_sizes(r, i, out);
}

static json_object *size_json(const struct report *r, uint64_t size)
{
	json_object *obj = json_object_new_object();

	(void)r;
	add_u64(obj, "size", size);
	return obj;
}

static json_object *space_sizes(const struct report *r, enum kmemtrace_space space)
{
	return rows_json(r, rows_by(r, space, KMEMTRACE_BY_SIZE), size_json);
}

json_object *sizes_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_sizes);
}
