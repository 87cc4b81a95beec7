// SPDX-License-Identifier: GPL-2.0
/*
 * View: failed allocations.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

/**
 * struct failures - failed allocations
 * @list: call sites with the most failures first
 * @nr: entries of @list
 */
struct failures {
	const struct kmemtrace_failure **list;
	size_t nr;
};

static int by_count(const void *a, const void *b)
{
	const struct kmemtrace_failure *x = *(const struct kmemtrace_failure * const *)a;
	const struct kmemtrace_failure *y = *(const struct kmemtrace_failure * const *)b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->call_site != y->call_site)
		return x->call_site < y->call_site ? -1 : 1;
	return (x->api > y->api) - (x->api < y->api);
}

/* Return all failures; free their list. */
static struct failures failures_of(const struct report *r)
{
	const struct kmemtrace_failure *failure;
	struct failures f = { .nr = 0 };

	while ((failure = kmemtrace_get_failure(r->trace, f.nr))) {
		f.list = must_grow_list(f.list, f.nr, sizeof(*f.list));
		f.list[f.nr++] = failure;
	}
	if (f.nr)
		qsort(f.list, f.nr, sizeof(*f.list), by_count);
	return f;
}

static void print_failures(const struct report *r, const struct failures *f, size_t nr,
			   FILE *out)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		fprintf(out, "  %10s %9s  %-9s  %#14" PRIx64 "  ",
			NUMBER(f->list[i]->count), BYTES(f->list[i]->bytes_req),
			api_names[f->list[i]->api], f->list[i]->gfp_flags);
		print_site(r, f->list[i]->call_site, out);
		fputc('\n', out);
	}
}

void failed_text(const struct report *r, FILE *out)
{
	struct failures f = failures_of(r);
	size_t nr = view_limit(r, f.nr);

	if (nr) {
		print_title(r, out, "Failed: %zu of %zu call sites%s, by number", nr,
			    f.nr, title_suffix(r));
		fprintf(out, "       times requested  interface  last gfp_flags  call site\n");
		print_failures(r, &f, nr, out);
	}
	free(f.list);
}

/* Call sites in the overview. */
#define BRIEF_FAILURES	3

void failed_brief(const struct report *r, FILE *out)
{
	struct failures f = failures_of(r);
	size_t nr = brief_limit(r, f.nr, BRIEF_FAILURES);

	if (nr) {
		print_title(r, out, "Failed times requested  interface  last gfp_flags  call site");
		print_failures(r, &f, nr, out);
	}
	free(f.list);
}
