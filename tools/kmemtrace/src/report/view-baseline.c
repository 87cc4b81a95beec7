// SPDX-License-Identifier: GPL-2.0
/*
 * View: what was live when tracing began, and what that explains.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

/**
 * struct explained - events that the snapshot makes sense of
 * @name: in JSON
 * @text: what they are
 * @count: how many
 */
struct explained {
	const char *name, *text;
	uint64_t (*count)(const struct baseline *b);
};

static uint64_t count_in_transit(const struct baseline *b)
{
	return b->in_transit;
}

static uint64_t count_freed_during(const struct baseline *b)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		sum += b->freed_during[i];
	return sum;
}

static uint64_t count_large_kmalloc(const struct baseline *b)
{
	return b->large_kmalloc;
}

static uint64_t count_reserved_freed(const struct baseline *b)
{
	return b->reserved_freed;
}

static uint64_t count_unsure_freed(const struct baseline *b)
{
	return b->unsure_freed;
}

static const struct explained explained[] = {
	{ "in_transit", "allocations that were under way", count_in_transit },
	{ "freed_during", "frees before the snapshot came to it",
	  count_freed_during },
	{ "large_kmalloc", "frees of large kmalloc()s from before the trace",
	  count_large_kmalloc },
	{ "reserved_freed", "pages that the boot handed over, or that were plugged in",
	  count_reserved_freed },
	{ "unsure_freed", "frees of objects in slabs that could not be looked at",
	  count_unsure_freed },
};

#define NR_EXPLAINED	(sizeof(explained) / sizeof(*explained))

static void print_space(const struct report *r, enum space space, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct amount *then = &s->baseline.at_end[space];
	const struct amount *now = &s->totals[space].older;

	fprintf(out, "  %-7s%13s %-7s %9s, of which live at the end %13s %9s\n",
		space_infos[space].name, NUMBER(then->nr),
		space_infos[space].unit, BYTES(then->alloc), NUMBER(now->nr),
		BYTES(now->alloc));
}

void baseline_text(const struct report *r, FILE *out)
{
	const struct baseline *b = &r->trace->ledger.stats.baseline;
	size_t i;

	if (!b->begun)
		return;
	print_title(r, out, "Baseline: live when tracing began%s",
		    b->complete ? "" : " (incomplete)");
	for (i = 0; i < NR_SPACES; i++)
		if (b->complete && space_is_used(r, i))
			print_space(r, i, out);
	if (b->unsure)
		fprintf(out, "  %s slab(s) could not be looked at, since they were never at rest\n",
			NUMBER(b->unsure));
	for (i = 0; i < NR_EXPLAINED; i++)
		if (explained[i].count(b))
			fprintf(out, "  explains %11s %s\n",
				NUMBER(explained[i].count(b)),
				explained[i].text);
}

json_object *baseline_json(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct baseline *b = &s->baseline;
	json_object *obj = json_object_new_object();
	size_t i;

	json_object_object_add(obj, "complete",
			       json_object_new_boolean(b->complete));
	if (b->complete)
		json_object_object_add(obj, "end_ns",
				       json_object_new_int64(b->end));
	for (i = 0; i < NR_SPACES; i++) {
		json_object *space = json_object_new_object();

		add_u64(space, "live", b->at_end[i].nr);
		add_u64(space, "live_bytes_req", b->at_end[i].req);
		add_u64(space, "live_bytes_alloc", b->at_end[i].alloc);
		add_u64(space, "freed_during", b->freed_during[i]);
		json_object_object_add(obj, space_infos[i].name, space);
	}
	add_u64(obj, "unsure", b->unsure);
	add_u64(obj, "reserved", b->reserved);
	for (i = 0; i < NR_EXPLAINED; i++)
		add_u64(obj, explained[i].name, explained[i].count(b));
	return obj;
}
