// SPDX-License-Identifier: GPL-2.0
/*
 * View: blocks of pages, by order and by whether they can be moved or reclaimed.
 */
#include "config.h"

#include "common/abi.h"
#include "report/format.h"
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
 * struct orders - allocations of pages
 * @of: by order and mobility; NULL: there are none
 * @orders: by order
 * @mobilities: by mobility
 * @rows: the rows, in groups
 */
struct orders {
	const struct kmemtrace_row *of[NR_ORDERS][NR_MOBILITIES];
	const struct kmemtrace_row *orders[NR_ORDERS], *mobilities[NR_MOBILITIES];
	struct kmemtrace_rows *rows[3];
};

static unsigned int order_of(const struct report *r, const struct kmemtrace_kind *kind)
{
	uint64_t nr = kind->bytes_alloc / kmemtrace_get_machine(r->trace)->page_size;

	return nr ? __builtin_ctzll(nr) : UNKNOWN_ORDER;
}

static enum kmemtrace_mobility mobility_of(const struct report *r,
					   const struct kmemtrace_kind *kind)
{
	if (kind->gfp_flags == KMEMTRACE_UNKNOWN_GFP)
		return KMEMTRACE_MOBILITY_UNKNOWN;
	return kmemtrace_gfp_mobility(r->trace, kind->gfp_flags);
}

static bool keys_of_order(void *r, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	keys[0] = order_of(r, kind);
	return true;
}

static bool keys_of_mobility(void *r, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	keys[1] = mobility_of(r, kind);
	return true;
}

static bool keys_of_both(void *r, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	keys[0] = order_of(r, kind);
	keys[1] = mobility_of(r, kind);
	return true;
}

static void group_by(struct kmemtrace_rows **rows, const struct report *r,
		     bool (*keys)(void *arg, const struct kmemtrace_kind *kind,
				  uint64_t keys[2]))
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = keys, .arg = (void *)r,
	};

	rows_group(rows, r, KMEMTRACE_SPACE_PAGES, &grouping, KMEMTRACE_KEYS);
}

static void collect(struct orders *o, const struct report *r)
{
	const struct kmemtrace_row *row;
	size_t i;

	*o = (struct orders) { .rows = { NULL } };
	group_by(&o->rows[0], r, keys_of_order);
	for (i = 0; (row = kmemtrace_rows_get(o->rows[0], i)); i++)
		o->orders[row->key] = row;
	group_by(&o->rows[1], r, keys_of_mobility);
	for (i = 0; (row = kmemtrace_rows_get(o->rows[1], i)); i++)
		o->mobilities[row->second_key] = row;
	group_by(&o->rows[2], r, keys_of_both);
	for (i = 0; (row = kmemtrace_rows_get(o->rows[2], i)); i++)
		o->of[row->key][row->second_key] = row;
}

static void free_orders(struct orders *o)
{
	size_t i;

	for (i = 0; i < sizeof(o->rows) / sizeof(*o->rows); i++)
		kmemtrace_rows_close(o->rows[i]);
}

static void print_cell(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	char buf[FORMAT_LEN];

	fprintf(out, " %11s", row ? r->sort->format(buf, sort_value(r->sort, row)) : "-");
}

static void print_cells(const struct report *r,
			const struct kmemtrace_row * const *mobilities,
			const struct kmemtrace_row *sum, FILE *out)
{
	int i;

	for (i = 0; i < NR_MOBILITIES; i++)
		print_cell(r, mobilities[i], out);
	print_cell(r, sum, out);
	fputc('\n', out);
}

static void print_orders(const struct report *r, const struct orders *o, FILE *out)
{
	int i;

	print_title(r, out, "Pages: orders and migrate types of blocks, by %s",
		    r->sort->title);
	fprintf(out, "    order");
	for (i = 0; i < NR_MOBILITIES; i++)
		fprintf(out, " %11s", mobility_names[i]);
	fprintf(out, " %11s\n", "all");
	for (i = 0; i < NR_ORDERS; i++) {
		if (!o->orders[i])
			continue;
		fprintf(out, "  %7s", i == UNKNOWN_ORDER ? "unknown" : NUMBER(i));
		print_cells(r, o->of[i], o->orders[i], out);
	}
	fprintf(out, "  %7s", "all");
	print_cells(r, o->mobilities, kmemtrace_total(r->trace, KMEMTRACE_SPACE_PAGES), out);
}

void orders_text(const struct report *r, FILE *out)
{
	struct orders o;

	collect(&o, r);
	if (kmemtrace_rows_get(o.rows[0], 0))
		print_orders(r, &o, out);
	free_orders(&o);
}
