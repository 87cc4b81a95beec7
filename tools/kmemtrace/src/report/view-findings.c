// SPDX-License-Identifier: GPL-2.0
/*
 * View: what should not be, by class, with the call sites of both events.
 */
#include "config.h"

#include "api/trust.h"
#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

/**
 * struct class - how a class of findings is shown
 * @name: in JSON
 * @text: what it is
 * @explained: it is known why, and no error
 */
struct class {
	const char *name;
	const char *text;
	bool explained;
};

static const struct class classes[NR_FINDINGS] = {
	[FINDING_ALLOC_TWICE] = { "alloc_twice",
		"allocated twice" },
	[FINDING_FREE_TWICE] = { "free_twice",
		"freed twice" },
	[FINDING_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began" },
	[FINDING_FREE_UNEXPLAINED] = { "free_unexplained",
		"freed, but neither allocated nor live when tracing began" },
	[FINDING_FREE_IN_USE] = { "free_in_use",
		"freed with a live object in it" },
	[FINDING_IN_FREE_PAGES] = { "in_free_pages",
		"allocated in pages that are free" },
	[FINDING_CACHE_IN_USE] = { "cache_in_use",
		"cache destroyed with live objects" },
	[FINDING_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache" },
	[FINDING_MIXED_LEGAL] = { "mixed_api_legal",
		"allocated and freed by different APIs, as this kernel allows", true },
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
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->site2 != y->site2)
		return x->site2 < y->site2 ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

/* Those that match, of one class and namespace together; NULL ends them. */
static const struct finding **sorted_findings(const struct stats *s)
{
	const struct finding **list = must_calloc(s->nr_findings + 1,
						  sizeof(*list));
	size_t nr = 0;
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++)
		if (s->findings[i].count && !s->findings[i].is_hidden)
			list[nr++] = &s->findings[i];
	qsort(list, nr, sizeof(*list), by_class_and_count);
	return list;
}

/* A filter should make no one believe that there are none. */
static uint64_t hidden_findings(const struct stats *s)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++)
		if (s->findings[i].is_hidden)
			sum += s->findings[i].count;
	return sum;
}

static bool same_group(const struct finding *a, const struct finding *b)
{
	return b && a->class == b->class && a->space == b->space;
}

static void print_finding(const struct report *r, const struct finding *f,
			  FILE *out)
{
	fprintf(out, "  %11s  ", NUMBER(f->count));
	if (f->site != NO_SITE) {
		print_site(r, f->site, out);
		fprintf(out, ", then ");
	}
	print_site(r, f->site2, out);
	fputc('\n', out);
}

/* The first call sites of a group, and that there are more. */
static void print_sites(const struct report *r, const struct finding **list,
			size_t nr, size_t limit, FILE *out)
{
	size_t i;

	for (i = 0; i < nr && i < limit; i++)
		print_finding(r, list[i], out);
	if (nr > limit)
		fprintf(out, "               and %zu more call sites\n",
			nr - limit);
}

/*
 * Print the group that begins at @list, or what the overview has of it, and return
 * where the next one does.
 */
static const struct finding **print_group(const struct report *r,
					  const struct finding **list,
					  bool brief, FILE *out)
{
	const struct class *class = &classes[(*list)->class];
	const struct finding **end = list;
	uint64_t count = 0;
	size_t nr;

	do {
		count += (*end)->count;
		end++;
	} while (same_group(*list, *end));
	nr = end - list;
	fprintf(out, "%s  %s, %s: %s%s\n", class->explained ? "" : r->style->bad,
		space_infos[(*list)->space].name, class->text, NUMBER(count),
		class->explained ? "" : r->style->end);
	if (!brief)
		print_sites(r, list, nr, r->limit, out);
	else if (!class->explained)
		print_sites(r, list, nr, brief_limit(r, nr, 1), out);
	return end;
}

static void print_findings(const struct report *r, bool brief, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct finding **list = sorted_findings(s), **at = list;
	struct trust trust;

	trust_judge(&trust, r->trace);
	print_title(r, out, "Findings%s%s", which(r), !*list ? ": none" :
		    !unexplained_findings(s) ? ", none of which is an error" :
		    trust.nr ? " (of an incomplete trace: what is missing may explain them)" :
		    "");
	trust_free(&trust);
	while (*at)
		at = print_group(r, at, brief, out);
	if (hidden_findings(s))
		fprintf(out, "  %s more of other events\n",
			NUMBER(hidden_findings(s)));
	free(list);
}

void findings_text(const struct report *r, FILE *out)
{
	print_findings(r, false, out);
}

/* What is no error has no call site there. */
void findings_brief(const struct report *r, FILE *out)
{
	print_findings(r, true, out);
}

/* The event before that @f contradicts, which it may not have. */
static void add_first(const struct report *r, const struct finding *f,
		      json_object *obj)
{
	json_object *first;

	if (f->site == NO_SITE)
		return;
	first = site_json(r, f->site);
	json_object_object_add(first, "time_ns",
			       json_object_new_int64(f->time_before));
	add_u64(first, "cpu", f->cpu_before);
	json_object_object_add(obj, "first", first);
}

static json_object *finding_json(const struct report *r,
				 const struct finding *f)
{
	json_object *obj = json_object_new_object();

	add_str(obj, "class", classes[f->class].name);
	json_object_object_add(obj, "explained",
			json_object_new_boolean(classes[f->class].explained));
	add_str(obj, "space", space_infos[f->space].name);
	add_u64(obj, "count", f->count);
	add_first(r, f, obj);
	json_object_object_add(obj, "site", site_json(r, f->site2));
	add_hex(obj, "ptr", f->ptr);
	json_object_object_add(obj, "time_ns", json_object_new_int64(f->time));
	add_u64(obj, "cpu", f->cpu);
	return obj;
}

json_object *findings_json(const struct report *r)
{
	const struct finding **list, **at;
	json_object *array = json_object_new_array();

	list = sorted_findings(&r->trace->ledger.stats);
	for (at = list; *at; at++)
		json_object_array_add(array, finding_json(r, *at));
	free(list);
	return array;
}

/* How many findings are there that nothing explains, whether they match or not? */
uint64_t unexplained_findings(const struct stats *s)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_FINDINGS; i++)
		if (!classes[i].explained)
			sum += s->by_class[i];
	return sum;
}
