// SPDX-License-Identifier: GPL-2.0
/*
 * View: memory that slab objects waste, by call site and by requested size.
 */
#include "config.h"

#include "report/format.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Sizes of a call site in the text. */
#define TOP_SIZES	3

/* Print "65-72: 1,200", the sizes and the number of allocations. */
static void print_size(struct kmemtrace_relation *request, FILE *out)
{
	const uint64_t from = cell_number(request, "size_from"), to = cell_number(request, "size_to");

	if (!to)
		fputs("unknown", out);
	else if (from == to)
		fputs(NUMBER(to), out);
	else
		fprintf(out, "%s-%s", NUMBER(from), NUMBER(to));
	fprintf(out, ": %s", NUMBER(cell_number(request, "allocs")));
}

static void print_sizes(const struct children *requests, uint64_t site, FILE *out)
{
	size_t i;

	fputs("  ", out);
	for (i = 0; i < TOP_SIZES && children_go(requests, site, i); i++) {
		fputs(i ? "; " : "", out);
		print_size(requests->relation, out);
	}
	fputs(children_go(requests, site, i) ? "; ..." : "", out);
}

void fragmentation_text(const struct report *r, FILE *out)
{
	static const char last[] = "call site, sizes: allocations";
	struct kmemtrace_relation *sites = open_part(r, "wasters", NULL);
	const size_t nr = kmemtrace_relation_rows(sites);
	struct text_table t = { .r = r, .out = out };
	struct children requests;

	children_list(&requests, relation_of(r, "requests", .sort = "wasted"), "address");
	if (nr)
		print_title(r, out, "Fragmentation: %zu of %zu call sites that %swaste slab, by bytes wasted: %s, %s avoidable",
			    view_limit(r, nr), nr, is_filtered(r) ? "match and " : "",
			    BYTES(total_figure(r, KMEMTRACE_SPACE_SLAB, "wasted")),
			    BYTES(total_figure(r, KMEMTRACE_SPACE_SLAB, "avoidable")));
	while (text_table_next(&t, sites)) {
		text_columns(&t, sites, "wasted,waste_ratio=ratio,avoidable,allocs,live_wasted,live_avoidable=avoidable");
		print_key(sites, text_cell(&t, -1, last));
		text_line_end(&t);
		print_sizes(&requests, cell_number(sites, "address"), text_cell(&t, -1, last));
		text_line_end(&t);
	}
	children_free(&requests);
	kmemtrace_relation_close(sites);
}

/* Call sites in the overview. */
#define BRIEF_WASTERS	3

void fragmentation_brief(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *sites =
		relation_of(r, "sites", .where = "allocator=slab,wasted>0", .sort = "wasted",
			    .limit = brief_limit(r, SIZE_MAX, BRIEF_WASTERS));
	const uint64_t all = total_figure(r, KMEMTRACE_SPACE_SLAB, "wasted");
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	char last[32];

	snprintf(last, sizeof(last), "call sites%s", title_suffix(r));
	while (text_table_next(&t, sites)) {
		text_cell(&t, -11, "Fragmentation");
		text_columns(&t, sites, "wasted");
		text_share(&t, cell_number(sites, "wasted"), all);
		text_columns(&t, sites, "allocs,live_wasted=live");
		print_key(sites, text_cell(&t, -1, last));
		text_line_end(&t);
	}
	kmemtrace_relation_close(sites);
}
