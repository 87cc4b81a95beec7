// SPDX-License-Identifier: GPL-2.0
/*
 * View: blocks of pages, by order and by whether they can be moved or reclaimed.
 */
#include "config.h"

#include "common/abi.h"
#include "kmemtrace-records.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* The order of memory that is older than the trace is unknown. */
#define UNKNOWN_ORDER	(ABI_MAX_ORDER + 1)
#define NR_ORDERS	(ABI_MAX_ORDER + 2)
#define NR_MOBILITIES	(KMEMTRACE_MOBILITY_UNKNOWN + 1)

static const char * const mobility_names[NR_MOBILITIES] = {
	[KMEMTRACE_UNMOVABLE] = "unmovable",
	[KMEMTRACE_MOVABLE] = "movable",
	[KMEMTRACE_RECLAIMABLE] = "reclaimable",
	[KMEMTRACE_MOBILITY_UNKNOWN] = "unknown",
};

/**
 * struct order_cell - blocks of one order and migrate type, or of all
 * @has: there are any
 * @value: what lists are sorted by
 */
struct order_cell {
	bool has;
	uint64_t value;
};

/* Blocks of pages by order and migrate type; the last entry of each dimension has all. */
struct orders {
	struct order_cell of[NR_ORDERS + 1][NR_MOBILITIES + 1];
};

static size_t collect_orders(struct orders *o, const struct report *r)
{
	struct kmemtrace_relation *rows = relation_of(r, "orders");
	const size_t nr = kmemtrace_relation_rows(rows);
	int i;

	*o = (struct orders) { 0 };
	while (kmemtrace_relation_next(rows)) {
		const uint64_t value = cell_number(rows, r->sort->name);
		const size_t mobility = cell_number(rows, "migratetype");
		size_t order = has_cell(rows, "order") ? cell_number(rows, "order") : UNKNOWN_ORDER;

		if (order > UNKNOWN_ORDER)
			order = UNKNOWN_ORDER;
		for (i = 0; i < 4; i++) {
			struct order_cell *cell = &o->of[i & 1 ? NR_ORDERS : order]
							[i & 2 ? NR_MOBILITIES : mobility];

			cell->has = true;
			cell->value += value;
		}
	}
	kmemtrace_relation_close(rows);
	return nr;
}

static void print_order(const struct report *r, const struct orders *o, int order,
			struct text_table *t)
{
	char buf[FORMAT_LEN];
	int i;

	fputs(order == NR_ORDERS ? "all" : order == UNKNOWN_ORDER ? "unknown" : NUMBER(order),
	      text_cell(t, 7, "order"));
	for (i = 0; i <= NR_MOBILITIES; i++)
		fputs(o->of[order][i].has ?
		      figure_format_of(r->sort)(buf, o->of[order][i].value) : "-",
		      text_cell(t, 10, i == NR_MOBILITIES ? "all" : mobility_names[i]));
	text_line_end(t);
}

void orders_text(const struct report *r, FILE *out)
{
	struct text_table t = { .r = r, .out = out };
	struct orders o;
	int i;

	if (!collect_orders(&o, r))
		return;
	print_title(r, out, "Pages: orders and migrate types of blocks, by %s",
		    FIGURE_TITLE(r->sort));
	while (text_table_pass(&t))
		for (i = 0; i <= NR_ORDERS; i++)
			if (o.of[i][NR_MOBILITIES].has)
				print_order(r, &o, i, &t);
}
