// SPDX-License-Identifier: GPL-2.0
/*
 * View: what was asked for and not had.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

static int by_count(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->type > y->type) - (x->type < y->type);
}

/* A sorted copy of the failures; to be freed. */
static struct failure *sorted_failures(const struct stats *s)
{
	struct failure *list = must_calloc(s->nr_failures + 1, sizeof(*list));

	if (s->nr_failures)
		memcpy(list, s->failures, s->nr_failures * sizeof(*list));
	qsort(list, s->nr_failures, sizeof(*list), by_count);
	return list;
}

static void print_failures(const struct report *r, size_t nr, FILE *out)
{
	struct failure *list = sorted_failures(&r->trace->ledger.stats);
	size_t i;

	for (i = 0; i < nr; i++) {
		fprintf(out, "  %10s %9s  %-9s  %#14" PRIx64 "  ",
			NUMBER(list[i].count), BYTES(list[i].bytes),
			event_types[list[i].type], list[i].gfp);
		print_site(r, list[i].site, out);
		fputc('\n', out);
	}
	free(list);
}

void failed_text(const struct report *r, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	size_t nr = view_limit(r, s->nr_failures);

	if (!nr)
		return;
	print_title(r, out, "Failed: %zu of %u call sites%s, by number", nr,
		    s->nr_failures, which(r));
	fprintf(out, "       times requested  interface  last gfp_flags  call site\n");
	print_failures(r, nr, out);
}

/* So many call sites are in the overview. */
#define BRIEF_FAILURES	3

void failed_brief(const struct report *r, FILE *out)
{
	size_t nr = brief_limit(r, r->trace->ledger.stats.nr_failures,
				BRIEF_FAILURES);

	if (!nr)
		return;
	print_title(r, out, "Failed times requested  interface  last gfp_flags  call site");
	print_failures(r, nr, out);
}

json_object *failed_json(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	struct failure *list = sorted_failures(s);
	json_object *array = json_object_new_array();
	uint32_t i;

	for (i = 0; i < s->nr_failures; i++) {
		json_object *obj = json_object_new_object();

		json_object_object_add(obj, "site", site_json(r, list[i].site));
		add_str(obj, "type", event_types[list[i].type]);
		add_u64(obj, "count", list[i].count);
		add_u64(obj, "bytes_req", list[i].bytes);
		add_hex(obj, "gfp_flags", list[i].gfp);
		json_object_array_add(array, obj);
	}
	free(list);
	return array;
}
