// SPDX-License-Identifier: GPL-2.0
/*
 * View: the slab caches.
 */
#include "config.h"

#include "report/figures.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Stands for the name of a cache where there is none. */
#define NO_CACHE_NAME	"none: large kmalloc()"

/* Call sites of a cache in the text. */
#define TOP_SITES	3

static void print_own_name(struct kmemtrace_relation *cache, FILE *out)
{
	if (!cell_number(cache, "cache"))
		fputs(NO_CACHE_NAME, out);
	else
		print_cell(cache, "cache", out);
}

/* Print "dentry (also foo, bar), destroyed". */
static void print_cache_name(struct kmemtrace_relation *cache, FILE *out)
{
	print_own_name(cache, out);
	if (has_cell(cache, "merged")) {
		fputs(" (also ", out);
		print_cell(cache, "merged", out);
		putc(')', out);
	}
	if (has_cell(cache, "destroyed_ns"))
		fputs(", destroyed", out);
}

/* The columns of a cache and of its call sites, and the heading of both. */
#define CACHE_COLUMNS	"live_bytes,live=objects,allocs,frees,waste_ratio"
#define CACHE_HEADING	"cache, top call sites"

void caches_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *caches;
	struct children sites;
	struct text_table t = { .r = r, .out = out };
	size_t i, nr;

	if (!trace_figure(r, "caches"))
		return;
	caches = open_part(r, "caches", "is_used=1");
	nr = kmemtrace_relation_rows(caches);
	children_list(&sites, part_open(r, part_of(r, "cache_sites"), NULL, 0), "cache");
	print_title(r, out, "Caches: %zu of %zu in use%s, by %s",
		    view_limit(r, nr), nr, title_suffix(r), FIGURE_TITLE(r->sort));
	while (text_table_next(&t, caches)) {
		text_columns(&t, caches,
			     SORTED_COLUMNS(r, CACHE_COLUMNS ",object_size#,slot_size#"));
		print_cache_name(caches, text_cell(&t, -1, CACHE_HEADING));
		text_line_end(&t);
		for (i = 0; i < r->limit && i < TOP_SITES &&
		     children_go(&sites, cell_number(caches, "cache"), i); i++) {
			text_columns(&t, sites.relation, SORTED_COLUMNS(r, CACHE_COLUMNS));
			fputs("  ", text_cell(&t, -1, CACHE_HEADING));
			print_key(sites.relation, t.cell);
			text_line_end(&t);
		}
	}
	children_free(&sites);
	kmemtrace_relation_close(caches);
}

/* Caches in the overview. */
#define BRIEF_CACHES	3

void caches_brief(const struct report *r, FILE *out)
{
	const char *sort = r->sort->name;
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	struct kmemtrace_relation *caches;
	char where[64];
	uint64_t all;

	if (!trace_figure(r, "caches"))
		return;
	all = total_figure(r, KMEMTRACE_SPACE_SLAB, sort);
	snprintf(where, sizeof(where), "%s>0", sort);
	caches = relation_of(r, "caches", .where = where, .sort = sort,
			     .limit = brief_limit(r, SIZE_MAX, BRIEF_CACHES));
	while (text_table_next(&t, caches)) {
		text_cell(&t, -7, "Caches");
		text_columns(&t, caches, sort);
		text_share(&t, cell_number(caches, sort), all);
		text_columns(&t, caches, "live=objects,slot_size#");
		print_own_name(caches, text_cell(&t, -1, "cache"));
		if (cell_number(caches, "merged_caches"))
			fprintf(t.cell, " and %s more", NUMBER(cell_number(caches, "merged_caches")));
		text_line_end(&t);
	}
	kmemtrace_relation_close(caches);
}
