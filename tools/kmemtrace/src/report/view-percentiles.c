// SPDX-License-Identifier: GPL-2.0
/*
 * View: percentiles of the sizes of allocations.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

static const char * const percentiles[] = {
	"bytes_req_p50", "bytes_req_p90", "bytes_req_p99", "bytes_req_max",
	"bytes_p50", "bytes_p90", "bytes_p99", "bytes_max",
};

#define NR_PERCENTILES	(sizeof(percentiles) / sizeof(*percentiles))

/* Each half of the columns has a blank more before it. */
static const char *before(size_t i)
{
	return i == NR_PERCENTILES / 2 ? "  " : "";
}

void percentiles_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *rows = relation_of(r, "percentiles");
	size_t i;

	print_title(r, out, "Percentiles of the sizes of allocations, in bytes");
	fprintf(out, "  %-7s %11s  %39s  %39s\n         %11s ", "", "",
		"requested", "allocated", "allocations");
	for (i = 0; i < NR_PERCENTILES; i++)
		fprintf(out, "%s %9s", before(i), heading_of(rows, percentiles[i]));
	fputc('\n', out);
	while (kmemtrace_relation_next(rows)) {
		const enum kmemtrace_space space = cell_number(rows, "allocator");

		if (!r->is_used[space])
			continue;
		fprintf(out, "  %-7s%11s ", space_infos[space].name,
			NUMBER(total_figure(r, space, "allocs")));
		for (i = 0; i < NR_PERCENTILES; i++)
			fprintf(out, "%s %9s", before(i), has_cell(rows, percentiles[i]) ?
				NUMBER(cell_number(rows, percentiles[i])) : "-");
		fputc('\n', out);
	}
	kmemtrace_relation_close(rows);
}
