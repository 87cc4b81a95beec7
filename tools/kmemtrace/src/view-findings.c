// SPDX-License-Identifier: GPL-2.0
/*
 * View: what should not be, by class, with the call sites of both events.
 */
#include "config.h"

#include "format.h"
#include "memory.h"
#include "trust.h"
#include "view.h"

struct class {
	const char *name;
	const char *text;
};

static const struct class classes[NR_FINDINGS] = {
	[FINDING_ALLOC_TWICE] = { "alloc_twice",
		"allocated twice" },
	[FINDING_FREE_TWICE] = { "free_twice",
		"freed twice" },
	[FINDING_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began" },
	[FINDING_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache (legal since 6.4)" },
	[FINDING_SHORT] = { "short",
		"fewer bytes given than asked for" },
	[FINDING_IMPOSSIBLE] = { "impossible",
		"impossible records, not counted" },
};

static int by_class_and_count(const void *a, const void *b)
{
	const struct finding *x = *(const struct finding * const *)a;
	const struct finding *y = *(const struct finding * const *)b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/* All findings, those of one class and namespace together. To be freed. */
static const struct finding **sorted_findings(const struct stats *s)
{
	const struct finding **list = must_calloc(s->nr_findings + 1,
						  sizeof(*list));
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++)
		list[i] = &s->findings[i];
	qsort(list, s->nr_findings, sizeof(*list), by_class_and_count);
	return list;
}

static bool same_group(const struct finding *a, const struct finding *b)
{
	return b && a->class == b->class && a->space == b->space;
}

static void print_finding(const struct report *r, const struct finding *f,
			  FILE *out)
{
	const struct row *rows = r->trace->ledger.stats.sites[f->space].rows;

	fprintf(out, "  %11s  ", NUMBER(f->count));
	if (f->site != NO_SITE) {
		print_site(r, rows[f->site].key, out);
		fprintf(out, ", then ");
	}
	print_site(r, rows[f->site2].key, out);
	fputc('\n', out);
}

/* Print the group that begins at @list, and return where the next one does. */
static const struct finding **print_group(const struct report *r,
					  const struct finding **list,
					  FILE *out)
{
	const struct finding **end = list;
	uint64_t count = 0;
	size_t i, nr;

	do {
		count += (*end)->count;
		end++;
	} while (same_group(*list, *end));
	nr = end - list;
	fprintf(out, "  %s, %s: %s\n", space_names[(*list)->space],
		classes[(*list)->class].text, NUMBER(count));
	for (i = 0; i < view_limit(r, nr); i++)
		print_finding(r, list[i], out);
	if (nr > r->limit)
		fprintf(out, "               and %zu more call sites\n",
			nr - r->limit);
	return end;
}

void findings_text(const struct report *r, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct finding **list = sorted_findings(s), **at = list;

	struct trust trust;

	trust_judge(&trust, r->trace);
	fprintf(out, "\nFindings%s\n", !s->nr_findings ? ": none" :
		trust.nr ? " (of an incomplete trace: what is missing may explain them)" :
		"");
	trust_free(&trust);
	while (*at)
		at = print_group(r, at, out);
	free(list);
}

json_object *findings_json(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct finding **list = sorted_findings(s);
	json_object *array = json_object_new_array();
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++) {
		json_object *obj = json_object_new_object();
		const struct finding *f = list[i];
		const struct row *rows = s->sites[f->space].rows;

		add_str(obj, "class", classes[f->class].name);
		add_str(obj, "space", space_names[f->space]);
		add_u64(obj, "count", f->count);
		if (f->site != NO_SITE)
			json_object_object_add(obj, "first",
				site_json(r, rows[f->site].key));
		json_object_object_add(obj, "site",
				       site_json(r, rows[f->site2].key));
		add_hex(obj, "ptr", f->ptr);
		json_object_object_add(obj, "time_ns",
				       json_object_new_int64(f->time));
		add_u64(obj, "cpu", f->cpu);
		json_object_array_add(array, obj);
	}
	free(list);
	return array;
}
