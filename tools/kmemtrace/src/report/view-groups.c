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
	const size_t nr = kmemtrace_relation_rows(groups);
	char columns[160];

	snprintf(columns, sizeof(columns), "live_bytes,live=%s,allocs,bytes_req,bytes,waste_ratio,remote_frees",
		 space_infos[space].unit);
	if (nr) {
		print_title(r, out, "%s: %zu of %zu %s%s, by %s", space_infos[space].title,
			    view_limit(r, nr), nr, rows, title_suffix(r), FIGURE_TITLE(r->sort));
		relation_text(r, groups, space, SORTED_COLUMNS(r, columns), last, out);
	}
	kmemtrace_relation_close(groups);
	return nr;
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

/* Return the first groups of an allocator in the overview, but those whose value is 0. */
static struct kmemtrace_relation *open_brief(const struct report *r, enum kmemtrace_space space,
					     const char *sort, size_t usual)
{
	char has[64];

	snprintf(has, sizeof(has), "%s>0", sort);
	return relation_of(r, "sites", .group_by = r->group->name, .where = WHERE(space, has),
			   .sort = sort, .limit = brief_limit(r, SIZE_MAX, brief_rows(space, usual)));
}

/* Call sites of an allocator in the overview. */
#define BRIEF_SITES	4

/* Print these groups. Return how many. */
static size_t print_brief_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const char *sort = r->sort->name;
	const uint64_t whole = total_figure(r, space, sort);
	struct kmemtrace_relation *groups;
	size_t shown = 0;

	groups = open_brief(r, space, sort, BRIEF_SITES);
	for (; kmemtrace_relation_next(groups); shown++) {
		fprintf(out, "  %-8s", shown ? "" : space_infos[space].name);
		print_column(r, groups, sort, 10, out);
		fprintf(out, " %6s", PERCENT(cell_number(groups, sort), whole));
		print_column(r, groups, "allocs", 11, out);
		fputs("  ", out);
		print_key(groups, out);
		putc('\n', out);
	}
	kmemtrace_relation_close(groups);
	return shown;
}

void sites_brief(const struct report *r, FILE *out)
{
	size_t shown = 0;
	int i;

	print_title(r, out, "Sites     %11s%s  share allocations%s  %s%s", r->sort->heading,
		    r->sort->error ? error_blanks(r) : "", error_blanks(r), r->group->rows,
		    title_suffix(r));
	for (i = 0; i < NR_SPACES; i++)
		shown += r->group->is_tree ?
			 sites_tree_brief(r, i, brief_rows(i, BRIEF_SITES), out) :
			 print_brief_sites(r, i, out);
	if (!shown)
		fprintf(out, "  none%s\n", title_suffix(r));
}

/* ---- the owners of the peak ---- */

static void print_peak(const struct report *r, struct kmemtrace_relation *totals,
		       enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_relation *owners;

	print_title(r, out, "%s: peak of %s at %.9f s, %s at the end",
		    space_infos[space].title, BYTES(cell_number(totals, "peak_bytes")),
		    (double)cell_number(totals, "peak_ns") / 1e9,
		    BYTES(cell_number(totals, "live_bytes")));
	if (r->group->is_tree) {
		peak_tree_text(r, space, out);
		return;
	}
	owners = open_part(r, "peak", WHERE(space, NULL));
	relation_text(r, owners, space, "peak_bytes=live then,peak_bytes%=share,live_bytes=now",
		   r->group->column, out);
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

static void print_brief_owners(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const uint64_t whole = total_figure(r, space, "peak_bytes");
	struct kmemtrace_relation *owners;
	bool is_first = true;

	owners = open_brief(r, space, "peak_bytes", BRIEF_OWNERS);
	for (; kmemtrace_relation_next(owners); is_first = false) {
		fprintf(out, "  %-8s", is_first ? space_infos[space].name : "");
		print_column(r, owners, "peak_bytes", 10, out);
		fprintf(out, " %6s", PERCENT(cell_number(owners, "peak_bytes"), whole));
		print_column(r, owners, "live_bytes", 9, out);
		fputs("  ", out);
		print_key(owners, out);
		putc('\n', out);
	}
	kmemtrace_relation_close(owners);
}

void peak_brief(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Peak        live then  share    at end%s  %s", error_blanks(r),
		    r->group->rows);
	for (i = 0; i < NR_SPACES; i++)
		print_brief_owners(r, i, out);
}

/* ---- memory cgroups ---- */

static struct kmemtrace_relation *open_removed(const struct report *r, enum kmemtrace_space space,
					       const char *keys, size_t limit)
{
	return relation_of(r, "cgroups", .where = WHERE(space, "is_removed=true,live>0"),
			   .group_by = keys, .sort = "live_bytes", .limit = limit);
}

static void print_removed(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const char *by = has_with(r, KMEMTRACE_WITH_STACK) ? "stack" : "site";
	struct kmemtrace_relation *cgroups = open_removed(r, space, NULL, r->limit);
	const size_t nr = kmemtrace_relation_rows(cgroups);
	struct children keepers;
	char keys[32], columns[64];
	struct text_table t;
	size_t i;

	snprintf(keys, sizeof(keys), "cgroup,%s", by);
	children_list(&keepers, open_removed(r, space, keys, 0), "cgroup");
	if (nr) {
		print_title(r, out, "%s: %zu of %zu removed cgroups%s that live memory keeps, by live bytes",
			    space_infos[space].title, view_limit(r, nr), nr, title_suffix(r));
		snprintf(columns, sizeof(columns), "live_bytes,live=%s,allocs", space_infos[space].unit);
		text_table_begin(&t, r, cgroups, space, columns,
				 "cgroup, and where its memory was allocated", out);
	}
	while (kmemtrace_relation_next(cgroups)) {
		text_table_row(&t, cgroups, out);
		print_cell(cgroups, "cgroup", out);
		putc('\n', out);
		for (i = 0; i < r->limit &&
		     children_go(&keepers, cell_number(cgroups, "cgroup"), i); i++) {
			text_table_row(&t, keepers.relation, out);
			fputs("  ", out);
			print_cell(keepers.relation, by, out);
			putc('\n', out);
		}
	}
	children_free(&keepers);
	kmemtrace_relation_close(cgroups);
}

void cgroups_text(const struct report *r, FILE *out)
{
	int i;

	print_view(r, "cgroups", "memory cgroups", "cgroup", "Memory cgroups", out);
	for (i = 0; i < NR_SPACES; i++)
		print_removed(r, i, out);
}
