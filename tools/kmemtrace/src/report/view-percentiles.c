// SPDX-License-Identifier: GPL-2.0
/*
 * View: percentiles of the sizes of allocations.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

void percentiles_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *rows = relation_of(r, "percentiles");
	struct text_table t = { .r = r, .out = out };

	print_title(r, out, "Percentiles of the sizes of allocations, in bytes");
	while (text_table_next(&t, rows)) {
		const enum kmemtrace_space space = cell_number(rows, "allocator");

		if (!r->is_used[space])
			continue;
		text_columns(&t, rows, "allocator=");
		fputs(NUMBER(total_figure(r, space, "allocs")), text_cell(&t, 0, "allocations"));
		text_columns(&t, rows, "bytes_req_p50#=requested 50%,bytes_req_p90#,bytes_req_p99#,bytes_req_max#");
		text_columns(&t, rows, "bytes_p50#=allocated 50%,bytes_p90#,bytes_p99#,bytes_max#");
		text_line_end(&t);
	}
	kmemtrace_relation_close(rows);
}
