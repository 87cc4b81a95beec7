// SPDX-License-Identifier: GPL-2.0
/*
 * View: the slab caches.
 */
#include "config.h"

#include <inttypes.h>

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

void caches_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *caches;
	struct children sites;
	struct text_table t;
	size_t i, nr;

	if (!trace_figure(r, "caches"))
		return;
	caches = open_part(r, "caches", "is_used=1");
	nr = kmemtrace_relation_rows(caches);
	children_list(&sites, part_open(r, part_of(r, "cache_sites"), NULL, 0), "cache");
	print_title(r, out, "Caches: %zu of %zu in use%s, by %s",
		    view_limit(r, nr), nr, title_suffix(r), FIGURE_TITLE(r->sort));
	text_table_begin(&t, r, caches, KMEMTRACE_SPACE_SLAB,
			 SORTED_COLUMNS(r, "live_bytes,live=objects,allocs,frees,waste_ratio,object_size#,slot_size#"),
			 "cache, top call sites", out);
	while (kmemtrace_relation_next(caches)) {
		text_table_row(&t, caches, out);
		print_cache_name(caches, out);
		putc('\n', out);
		for (i = 0; i < r->limit && i < TOP_SITES &&
		     children_go(&sites, cell_number(caches, "cache"), i); i++) {
			text_table_row(&t, sites.relation, out);
			fputs("  ", out);
			print_key(sites.relation, out);
			putc('\n', out);
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
	struct kmemtrace_relation *caches;
	char where[64];
	uint64_t all;

	if (!trace_figure(r, "caches"))
		return;
	all = total_figure(r, KMEMTRACE_SPACE_SLAB, sort);
	if (all)
		print_title(r, out, "Caches    %11s%s  share     objects%s   each  cache",
			    r->sort->heading, error_blanks(r), error_blanks(r));
	snprintf(where, sizeof(where), "%s>0", sort);
	caches = relation_of(r, "caches", .where = where, .sort = sort,
			     .limit = brief_limit(r, SIZE_MAX, BRIEF_CACHES));
	while (kmemtrace_relation_next(caches)) {
		fprintf(out, "%10s", "");
		print_column(r, caches, sort, 10, out);
		fprintf(out, " %6s", PERCENT(cell_number(caches, sort), all));
		print_column(r, caches, "live", 11, out);
		fprintf(out, " %6s  ", has_cell(caches, "slot_size") ?
			NUMBER(cell_number(caches, "slot_size")) : "");
		print_own_name(caches, out);
		if (cell_number(caches, "merged_caches"))
			fprintf(out, " and %" PRIu64 " more", cell_number(caches, "merged_caches"));
		putc('\n', out);
	}
	kmemtrace_relation_close(caches);
}
