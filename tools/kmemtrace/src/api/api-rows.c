// SPDX-License-Identifier: GPL-2.0
/*
 * api-rows.c - the counters of kinds as public structures, and their standard errors
 */
#include "config.h"

#include "api/api-rows.h"
#include "books/books.h"
#include "books/sample.h"
#include "common/number.h"

/* Return the counters of kind @i; the caller sets the keys. */
struct kmemtrace_row api_row(const struct ledger *l, uint32_t i)
{
	const struct row row = books_row(l, i);

	return (struct kmemtrace_row) {
		.size = sizeof(struct kmemtrace_row),
		.allocs = row.allocs,
		.bytes_req = row.req,
		.bytes_alloc = row.alloc,
		.frees = row.frees,
		.remote_frees = row.remote,
		.live = row.live,
		.live_bytes_req = row.live_req,
		.live_bytes_alloc = row.live_alloc,
		.peak_bytes_alloc = row.peak,
	};
}

/* Return the group of kind @i, see spread.h, or API_NO_GROUP. */
unsigned int api_group(const struct ledger *l, uint32_t i)
{
	const struct kind *kind = kinds_get(&l->kinds, i);

	return sample_weight(l, kind) > 1 ? kind_group(kind) : API_NO_GROUP;
}

/* Add the counters of a row, without their standard errors. */
void api_row_add(struct kmemtrace_row *sum, const struct kmemtrace_row *row)
{
	sum->allocs += row->allocs;
	sum->bytes_req += row->bytes_req;
	sum->bytes_alloc += row->bytes_alloc;
	sum->frees += row->frees;
	sum->remote_frees += row->remote_frees;
	sum->live += row->live;
	sum->live_bytes_req += row->live_bytes_req;
	sum->live_bytes_alloc += row->live_bytes_alloc;
	sum->peak_bytes_alloc += row->peak_bytes_alloc;
}

void kmemtrace_row_add(struct kmemtrace_row *sum, const struct kmemtrace_row *row)
{
	api_row_add(sum, row);
	sum->allocs_error = join_errors(sum->allocs_error, row->allocs_error);
	sum->bytes_alloc_error = join_errors(sum->bytes_alloc_error, row->bytes_alloc_error);
	sum->live_error = join_errors(sum->live_error, row->live_error);
	sum->live_bytes_alloc_error = join_errors(sum->live_bytes_alloc_error,
						  row->live_bytes_alloc_error);
}

/* Add the counters of kinds of one api_group(). */
void row_errors_add(struct row_errors *e, unsigned int group, const struct kmemtrace_row *row)
{
	if (group == API_NO_GROUP)
		return;
	e->allocs.sums[group] += row->allocs;
	e->bytes_alloc.sums[group] += row->bytes_alloc;
	e->live.sums[group] += row->live;
	e->live_bytes_alloc.sums[group] += row->live_bytes_alloc;
}

/* Set the standard errors of a row. */
void row_errors_end(const struct row_errors *e, struct kmemtrace_row *row)
{
	row->allocs_error = spread_error(&e->allocs);
	row->bytes_alloc_error = spread_error(&e->bytes_alloc);
	row->live_error = spread_error(&e->live);
	row->live_bytes_alloc_error = spread_error(&e->live_bytes_alloc);
}
