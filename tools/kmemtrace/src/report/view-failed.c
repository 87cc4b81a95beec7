// SPDX-License-Identifier: GPL-2.0
/*
 * View: failed allocations.
 */
#include "config.h"

#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Print the call sites whose allocations failed most often. */
static void print_failures(const struct report *r, struct kmemtrace_relation *failures, FILE *out)
{
	const size_t nr = kmemtrace_relation_rows(failures);

	if (nr) {
		print_title(r, out, "Failed: %zu of %zu call sites%s, by number", view_limit(r, nr),
			    nr, title_suffix(r));
		relation_text(r, failures, "failed=times,bytes_req,api,gfp_flags=last gfp_flags",
			      "call site", out);
	}
	kmemtrace_relation_close(failures);
}

void failed_text(const struct report *r, FILE *out)
{
	print_failures(r, open_part(r, "failures", NULL), out);
}

/* Call sites in the overview. */
#define BRIEF_FAILURES	3

void failed_brief(const struct report *r, FILE *out)
{
	struct report brief = *r;

	brief.limit = brief_limit(r, SIZE_MAX, BRIEF_FAILURES);
	print_failures(&brief, relation_of(r, "failures", .limit = brief.limit), out);
}
