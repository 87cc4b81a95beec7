// SPDX-License-Identifier: GPL-2.0
/*
 * View: blocks of pages, by order and by what the page allocator was told of them: that
 * they can be moved, or reclaimed, or neither.
 */
#include "config.h"

#include "books/books.h"
#include "books/live.h"
#include "read/gfp.h"
#include "report/format.h"
#include "report/view.h"

/* Of what was there before the trace, nobody knows how it was allocated. */
#define UNKNOWN_ORDER	(LIVE_MAX_ORDER + 1)
#define NR_ORDERS	(LIVE_MAX_ORDER + 2)

static const char * const type_names[NR_MIGRATETYPES] = {
	[MIGRATETYPE_UNMOVABLE] = "unmovable",
	[MIGRATETYPE_MOVABLE] = "movable",
	[MIGRATETYPE_RECLAIMABLE] = "reclaimable",
	[MIGRATETYPE_UNKNOWN] = "unknown",
};

/**
 * struct orders - what was counted
 * @of: by order and type
 * @orders: by order
 * @types: by type
 * @sum: of all
 */
struct orders {
	struct row of[NR_ORDERS][NR_MIGRATETYPES];
	struct row orders[NR_ORDERS], types[NR_MIGRATETYPES];
	struct row sum;
};

static unsigned int order_of(const struct ledger *l, const struct kind *kind)
{
	uint64_t nr = class_size(kind->class) >> l->page_shift;

	return nr ? __builtin_ctzll(nr) : UNKNOWN_ORDER;
}

static enum migratetype type_of(const struct report *r, const struct kind *kind)
{
	if (!kind_step(kind))
		return MIGRATETYPE_UNKNOWN;
	return gfp_migratetype(tracedir_meta(&r->trace->dir, "kernel_release"),
			       kind_gfp(kind));
}

static void collect(struct orders *o, const struct report *r)
{
	const struct ledger *l = &r->trace->ledger;
	uint32_t i;

	*o = (struct orders) { 0 };
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		unsigned int order, type;
		struct row row;

		if (kind_space(kind) != SPACE_PAGES || !kind_is_counted(kind))
			continue;
		order = order_of(l, kind);
		type = type_of(r, kind);
		row = books_row(l, i);
		row_add(&o->of[order][type], &row);
		row_add(&o->orders[order], &row);
		row_add(&o->types[type], &row);
		row_add(&o->sum, &row);
	}
}

static void print_cell(const struct report *r, const struct row *row, FILE *out)
{
	char buf[FORMAT_LEN];

	fprintf(out, " %11s", row_is_used(row) ?
		r->sort->format(buf, r->sort->value(row)) : "-");
}

static void print_cells(const struct report *r, const struct row *types,
			const struct row *sum, FILE *out)
{
	int i;

	for (i = 0; i < NR_MIGRATETYPES; i++)
		print_cell(r, &types[i], out);
	print_cell(r, sum, out);
	fputc('\n', out);
}

void orders_text(const struct report *r, FILE *out)
{
	struct orders o;
	int i;

	collect(&o, r);
	if (!row_is_used(&o.sum))
		return;
	print_title(r, out, "Pages: orders of blocks, and how they may be moved, by %s",
		    r->sort->title);
	fprintf(out, "    order");
	for (i = 0; i < NR_MIGRATETYPES; i++)
		fprintf(out, " %11s", type_names[i]);
	fprintf(out, " %11s\n", "all");
	for (i = 0; i < NR_ORDERS; i++) {
		if (!row_is_used(&o.orders[i]))
			continue;
		fprintf(out, "  %7s", i == UNKNOWN_ORDER ? "unknown" : NUMBER(i));
		print_cells(r, o.of[i], &o.orders[i], out);
	}
	fprintf(out, "  %7s", "all");
	print_cells(r, o.types, &o.sum, out);
}

static json_object *cell_json(unsigned int order, unsigned int type,
			      const struct row *row)
{
	json_object *obj = json_object_new_object();

	if (order != UNKNOWN_ORDER)
		add_u64(obj, "order", order);
	if (type != MIGRATETYPE_UNKNOWN)
		add_str(obj, "migratetype", type_names[type]);
	return row_json(obj, row);
}

json_object *orders_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	json_object *list = json_object_new_array();
	unsigned int order, type;
	struct orders o;

	collect(&o, r);
	for (order = 0; order < NR_ORDERS; order++)
		for (type = 0; type < NR_MIGRATETYPES; type++)
			if (row_is_used(&o.of[order][type]))
				json_object_array_add(list,
					cell_json(order, type,
						  &o.of[order][type]));
	json_object_object_add(obj, space_infos[SPACE_PAGES].name, list);
	return obj;
}
