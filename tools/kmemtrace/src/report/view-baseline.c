// SPDX-License-Identifier: GPL-2.0
/*
 * View: memory that was live when tracing began, and events that it explains.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

/**
 * struct explained - events that the snapshot explains
 * @name: in JSON
 * @text: description
 * @count: returns how many there are
 */
struct explained {
	const char *name, *text;
	uint64_t (*count)(const struct report *r);
};

static uint64_t count_in_transit(const struct report *r)
{
	return kmemtrace_get_baseline(r->trace)->in_transit;
}

static uint64_t count_freed_during(const struct report *r)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		sum += kmemtrace_get_space(r->trace, i)->freed_during;
	return sum;
}

static uint64_t count_large_kmalloc(const struct report *r)
{
	return kmemtrace_get_baseline(r->trace)->large_kmalloc;
}

static uint64_t count_reserved_freed(const struct report *r)
{
	return kmemtrace_get_baseline(r->trace)->reserved_freed;
}

static uint64_t count_unsure_freed(const struct report *r)
{
	return kmemtrace_get_baseline(r->trace)->unsure_freed;
}

static const struct explained explained[] = {
	{ "in_transit", "allocations that were under way", count_in_transit },
	{ "freed_during", "frees before the snapshot reached the memory",
	  count_freed_during },
	{ "large_kmalloc", "frees of large kmalloc() objects older than the trace",
	  count_large_kmalloc },
	{ "reserved_freed", "pages that the boot released, or that were hot-plugged",
	  count_reserved_freed },
	{ "unsure_freed", "frees of objects in slabs that could not be examined",
	  count_unsure_freed },
};

#define NR_EXPLAINED	(sizeof(explained) / sizeof(*explained))

static void print_space(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_space_info *s = kmemtrace_get_space(r->trace, space);

	if (!s->has_baseline) {
		fprintf(out, "  %-7s not known\n", space_infos[space].name);
		return;
	}
	fprintf(out, "  %-7s%13s %-7s %9s, of which live at the end %13s %9s\n",
		space_infos[space].name, NUMBER(s->begin_live),
		space_infos[space].unit, BYTES(s->begin_bytes_alloc),
		NUMBER(s->older_live), BYTES(s->older_bytes_alloc));
}

void baseline_text(const struct report *r, FILE *out)
{
	const struct kmemtrace_baseline *b = kmemtrace_get_baseline(r->trace);
	size_t i;

	if (!b->is_begun)
		return;
	print_title(r, out, "Baseline: live %s%s",
		    overwrites(r) ? "before the first event and at the end" :
				    "when tracing began",
		    b->is_complete ? "" : " (incomplete)");
	for (i = 0; i < NR_SPACES; i++)
		if (b->end && space_is_used(r, i))
			print_space(r, i, out);
	if (b->unsure)
		fprintf(out, "  %s slab(s) could not be examined, because they were always in use\n",
			NUMBER(b->unsure));
	if (b->unlisted)
		fprintf(out, "  without slab objects: SLOB can't list those in its %s page(s)\n",
			NUMBER(b->unlisted));
	if (b->took_ns)
		fprintf(out, "  was recorded in %.3f ms\n", b->took_ns / 1e6);
	if (b->stop_ns)
		fprintf(out, "  all CPUs stood still for %.3f ms at a time, at most\n",
			b->stop_ns / 1e6);
	for (i = 0; i < NR_EXPLAINED; i++)
		if (explained[i].count(r))
			fprintf(out, "  explains %11s %s\n",
				NUMBER(explained[i].count(r)),
				explained[i].text);
}
