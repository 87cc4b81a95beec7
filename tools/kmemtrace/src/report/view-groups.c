// SPDX-License-Identifier: GPL-2.0
/*
 * Views: groups of allocations, by call site or what --group-by says, by task, process, memory
 * cgroup, size or flags; and the owners of the peak.
 */
#include "config.h"

#include <string.h>

#include "report/format.h"
#include "report/groups.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Print the groups of an allocator. Return how many there are, shown or not. */
static size_t print_groups(const struct report *r, const char *member,
			   enum kmemtrace_space space, const char *rows, const char *last,
			   FILE *out)
{
	struct kmemtrace_relation *groups = open_part(r, member, WHERE(space, NULL));
	const size_t all = kmemtrace_relation_rows(groups), nr = listed_rows(groups);
	char columns[160];

	snprintf(columns, sizeof(columns), "live_bytes,live=%s,allocs,bytes_req,bytes,waste_ratio,remote_frees%s",
		 space_infos[space].unit,
		 kmemtrace_relation_find(groups, "tasks") < 0 ? "" : ",tasks,exited_bytes");
	if (all) {
		print_title(r, out, "%s: %zu of %zu %s%s, by %s", space_infos[space].title,
			    view_limit(r, nr), nr, rows, title_suffix(r), FIGURE_TITLE(r->sort));
		relation_text(r, groups, SORTED_COLUMNS(r, columns), last, out);
	}
	kmemtrace_relation_close(groups);
	return all;
}

/* Print the groups of all allocators. @title: of the view, where there are none */
static void print_view(const struct report *r, const char *member, const char *rows,
		       const char *last, const char *title, FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_groups(r, member, i, rows, last, out);
	if (!nr && title)
		print_title(r, out, "%s: none%s", title, title_suffix(r));
}

void tasks_text(const struct report *r, FILE *out)
{
	print_view(r, "tasks", "tasks", "task", "Tasks", out);
	print_view(r, "task_names", "names of tasks", "task name", NULL, out);
}

void processes_text(const struct report *r, FILE *out)
{
	print_view(r, "processes", "processes", "process", "Processes", out);
}

void sizes_text(const struct report *r, FILE *out)
{
	print_view(r, "sizes", "sizes", "bytes each", NULL, out);
}

void gfp_text(const struct report *r, FILE *out)
{
	print_view(r, "gfp", "gfp flags", "gfp flags", NULL, out);
}

/* ---- call sites ---- */

void sites_text(const struct report *r, FILE *out)
{
	if (r->group->is_tree)
		sites_tree_text(r, out);
	else
		print_view(r, "sites", r->group->rows, r->group->column, "Call sites", out);
}

/**
 * struct brief_groups - groups of allocations in the overview
 * @title: of their table
 * @sort: the figure that they are sorted by; they have a share of it
 * @columns: this figure
 * @more: what follows the share
 * @last: heading of their names
 * @usual: how many there are of an allocator
 */
struct brief_groups {
	const char *title, *sort, *columns, *more, *last;
	size_t usual;
};

/* Print the first groups of each allocator that have a value. Return false: there are none. */
static bool print_brief_groups(const struct report *r, const struct brief_groups *b, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals"), *groups;
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	bool has_rest[NR_SPACES] = { false };
	enum kmemtrace_space space;
	size_t nr[NR_SPACES];
	char has[64];

	snprintf(has, sizeof(has), "%s>0", b->sort);
	groups = relation_of(r, "sites", .group_by = r->group->name, .where = has, .sort = b->sort,
			     .limit = brief_limit(r, SIZE_MAX, b->usual));
	while (kmemtrace_relation_next(groups))
		has_rest[cell_number(groups, "allocator")] |= kmemtrace_relation_is_rest(groups);
	while (text_table_pass(&t)) {
		memset(nr, 0, sizeof(nr));
		kmemtrace_relation_rewind(groups);
		while (kmemtrace_relation_next(groups)) {
			space = cell_number(groups, "allocator");
			if (nr[space]++ >= brief_limit(r, SIZE_MAX, brief_rows(space, b->usual,
									       has_rest[space])) &&
			    !kmemtrace_relation_is_rest(groups))
				continue;
			kmemtrace_relation_go(totals, space);
			fputs(nr[space] > 1 ? "" : space_infos[space].name,
			      text_cell(&t, -7, b->title));
			text_columns(&t, groups, b->columns);
			text_share(&t, cell_number(groups, b->sort), cell_number(totals, b->sort));
			text_columns(&t, groups, b->more);
			print_key(groups, text_cell(&t, -1, b->last));
			text_line_end(&t);
		}
	}
	kmemtrace_relation_close(groups);
	kmemtrace_relation_close(totals);
	return t.nr;
}

/* Call sites of an allocator in the overview. */
#define BRIEF_SITES	4

void sites_brief(const struct report *r, FILE *out)
{
	char last[64];
	const struct brief_groups sites = {
		"Sites", r->sort->name, r->sort->name, "allocs", last, BRIEF_SITES,
	};

	snprintf(last, sizeof(last), "%s%s", r->group->rows, title_suffix(r));
	if (!(r->group->is_tree ? sites_tree_brief(r, BRIEF_SITES, last, out) :
				  print_brief_groups(r, &sites, out)))
		print_title(r, out, "Sites: none%s", title_suffix(r));
}

/* ---- the owners of the peak ---- */

static void print_peak(const struct report *r, struct kmemtrace_relation *totals,
		       enum kmemtrace_space space, FILE *out)
{
	const uint64_t whole = cell_number(totals, "peak_bytes");
	struct text_table t = { .r = r, .out = out };
	struct kmemtrace_relation *owners;

	print_title(r, out, "%s: peak of %s at %.9f s, %s at the end",
		    space_infos[space].title, BYTES(whole),
		    (double)cell_number(totals, "peak_ns") / 1e9,
		    BYTES(cell_number(totals, "live_bytes")));
	if (r->group->is_tree) {
		peak_tree_text(r, space, out);
		return;
	}
	owners = open_part(r, "peak", WHERE(space, NULL));
	while (text_table_next(&t, owners)) {
		text_columns(&t, owners, "peak_bytes=live then");
		text_share(&t, cell_number(owners, "peak_bytes"), whole);
		text_columns(&t, owners, "live_bytes=now");
		print_key(owners, text_cell(&t, -1, r->group->column));
		text_line_end(&t);
	}
	kmemtrace_relation_close(owners);
}

void peak_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals");
	int i;

	for (i = 0; kmemtrace_relation_next(totals); i++)
		if (has_cell(totals, "peak_ns"))
			print_peak(r, totals, i, out);
	kmemtrace_relation_close(totals);
}

/* Owners in the overview. */
#define BRIEF_OWNERS	3

void peak_brief(const struct report *r, FILE *out)
{
	const struct brief_groups owners = {
		"Peak", "peak_bytes", "peak_bytes=live then", "live_bytes=at end", r->group->rows,
		BRIEF_OWNERS,
	};

	print_brief_groups(r, &owners, out);
}

/* ---- memory cgroups ---- */

/* Print where the memory was allocated that keeps removed cgroups: a leak often keeps many. */
static void print_keepers(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *keepers = open_part(r, "keepers", WHERE(space, NULL));
	const size_t nr = kmemtrace_relation_rows(keepers);
	struct text_table t = { .r = r, .out = out };
	char columns[64];

	if (nr)
		print_title(r, out, "%s: %zu of %zu call paths%s that keep removed cgroups, by live bytes",
			    space_infos[space].title, view_limit(r, nr), nr, title_suffix(r));
	snprintf(columns, sizeof(columns), "live_bytes,live=%s,cgroups", space_infos[space].unit);
	while (text_table_next(&t, keepers)) {
		text_columns(&t, keepers, columns);
		print_cell(keepers, "stack", text_cell(&t, -1, "call path"));
		text_line_end(&t);
	}
	kmemtrace_relation_close(keepers);
}

void cgroups_text(const struct report *r, FILE *out)
{
	int i;

	print_view(r, "cgroups", "memory cgroups", "cgroup", "Memory cgroups", out);
	for (i = 0; i < NR_SPACES; i++)
		print_keepers(r, i, out);
}
