// SPDX-License-Identifier: GPL-2.0
/*
 * What the report shows of a trace. A view is a row of a table: its name in
 * JSON, what prints it, what makes JSON of it.
 */
#include "config.h"

#include <stdarg.h>

#include "view.h"

const struct style style_plain = { "", "", "" };
const struct style style_coloured = { "\033[1m", "\033[31m", "\033[m" };

const struct space_info space_infos[NR_SPACES] = {
	[SPACE_SLAB] = { "slab", "Slab", "objects", "" },
	[SPACE_PAGES] = { "pages", "Pages", "pages", "" },
	[SPACE_PERCPU] = { "percpu", "Percpu", "objects", "  lie in pages" },
	[SPACE_VMALLOC] = { "vmalloc", "Vmalloc", "areas", "  lie in pages" },
};

/* Is there anything in a namespace? Those of ABI version 1 are always shown. */
bool space_is_used(const struct report *r, enum space space)
{
	const struct stats *s = &r->trace->ledger.stats;

	return space <= SPACE_PAGES || s->sites[space].nr;
}

/* Print the line that begins a part of the report. */
void print_title(const struct report *r, FILE *out, const char *fmt, ...)
{
	va_list ap;

	fprintf(out, "\n%s", r->style->title);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fprintf(out, "%s\n", r->style->end);
}

/**
 * struct view - one part of the report
 * @name: its key in JSON
 * @text: prints it
 * @json: makes JSON of it
 */
struct view {
	const char *name;
	void (*text)(const struct report *r, FILE *out);
	json_object *(*json)(const struct report *r);
};

static const struct view views[] = {
	{ "trace", trace_text, trace_json },
	{ "totals", totals_text, totals_json },
	{ "baseline", baseline_text, baseline_json },
	{ "timeline", timeline_text, timeline_json },
	{ "peak", peak_text, peak_json },
	{ "sites", sites_text, sites_json },
	{ "sizes", sizes_text, sizes_json },
	{ "caches", caches_text, caches_json },
	{ "fragmentation", fragmentation_text, fragmentation_json },
	{ "gfp", gfp_text, gfp_json },
	{ "cpus", cpus_text, cpus_json },
	{ "failed", failed_text, failed_json },
	{ "findings", findings_text, findings_json },
};

/* Print all views. */
void report_text(const struct report *r, FILE *out)
{
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++)
		views[i].text(r, out);
}

/* All views as one object, to be json_object_put(). */
json_object *report_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++)
		json_object_object_add(obj, views[i].name, views[i].json(r));
	return obj;
}
