// SPDX-License-Identifier: GPL-2.0
/*
 * Views: directories of call sites, as a tree.
 */
#include "config.h"

#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

static void print_counters(const struct list *list, const struct kmemtrace_row *row,
			   bool first, FILE *out)
{
	(void)first;
	row_text(list->r, row, out);
}

/* Print a tree. Return how many groups there are, shown or not. */
static size_t print_tree(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;
	size_t nr;

	list_collect(&list, r, space, r->sort);
	nr = list.g.nr;
	if (nr)
		rows_heading(r, space, nr, list.g.key->rows, list.g.key->column, out);
	list_text(&list, print_counters, out);
	list_free(&list);
	return nr;
}

void sites_tree_text(const struct report *r, FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_tree(r, i, out);
	if (!nr)
		print_title(r, out, "Call sites: none%s", title_suffix(r));
}

static void print_owner(const struct list *list, const struct kmemtrace_row *row, bool first,
			FILE *out)
{
	const struct kmemtrace_row *total = kmemtrace_total(list->r->trace, list->space);

	(void)first;
	fprintf(out, "%11s %6s %9s", BYTES(row->peak_bytes_alloc),
		PERCENT(row->peak_bytes_alloc, total->peak_bytes_alloc),
		BYTES(row->live_bytes_alloc));
}

/* Print the owners of the peak of an allocator. */
void peak_tree_text(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct sort_key *by_peak = sort_key_find("peak_bytes");
	struct list list;

	fprintf(out, "  live then  share       now  %s\n", r->group->column);
	list_collect(&list, r, space, by_peak);
	list_end(&list, by_peak);
	list_text(&list, print_owner, out);
	list_free(&list);
}

static void print_brief(const struct list *list, const struct kmemtrace_row *row, bool first,
			FILE *out)
{
	const struct report *r = list->r;
	const uint64_t value = sort_value(r->sort, row);
	const struct kmemtrace_row *total = kmemtrace_total(r->trace, list->space);

	fprintf(out, "  %-8s%11s %6s %11s", first ? space_infos[list->space].name : "",
		r->sort->format((char[FORMAT_LEN]) { 0 }, value),
		PERCENT(value, sort_value(r->sort, total)), NUMBER(row->allocs));
}

/* Print the first directories in the overview. Return how many. */
size_t sites_tree_brief(const struct report *r, enum kmemtrace_space space, size_t usual,
			FILE *out)
{
	struct list list;
	size_t shown;

	list_collect(&list, r, space, r->sort);
	list.limit = brief_limit(r, list.g.nr, usual);
	list_end(&list, r->sort);
	shown = list.limit;
	list_text(&list, print_brief, out);
	list_free(&list);
	return shown;
}
