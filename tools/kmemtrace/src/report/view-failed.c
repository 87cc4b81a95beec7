// SPDX-License-Identifier: GPL-2.0
/*
 * View: failed allocations.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/format.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

static void print_failures(const struct report *r, struct kmemtrace_relation *failures, FILE *out)
{
	char *api;

	while (kmemtrace_relation_next(failures)) {
		print_column(r, failures, "failed", 11, out);
		print_column(r, failures, "bytes_req", 9, out);
		api = cell_text(failures, "api");
		fprintf(out, "  %-9s", api);
		free(api);
		fprintf(out, "  %#14" PRIx64 "  ", cell_number(failures, "gfp_flags"));
		print_place(failures, "", out);
		fputc('\n', out);
	}
}

void failed_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *failures = open_part(r, "failures", NULL);
	const size_t nr = kmemtrace_relation_rows(failures);

	if (nr) {
		print_title(r, out, "Failed: %zu of %zu call sites%s, by number", view_limit(r, nr),
			    nr, title_suffix(r));
		fprintf(out, "       times requested  interface  last gfp_flags  call site\n");
	}
	print_failures(r, failures, out);
	kmemtrace_relation_close(failures);
}

/* Call sites in the overview. */
#define BRIEF_FAILURES	3

void failed_brief(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *failures =
		relation_of(r, "failures", .limit = brief_limit(r, SIZE_MAX, BRIEF_FAILURES));

	if (kmemtrace_relation_rows(failures))
		print_title(r, out, "Failed times requested  interface  last gfp_flags  call site");
	print_failures(r, failures, out);
	kmemtrace_relation_close(failures);
}
