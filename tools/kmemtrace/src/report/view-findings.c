// SPDX-License-Identifier: GPL-2.0
/*
 * View: events that contradict each other, by class, with the call sites of both events.
 */
#include "config.h"

#include "common/memory.h"
#include "common/unseen.h"
#include "report/format.h"
#include "report/view.h"

/**
 * struct class - how to show a class of findings
 * @name: in JSON
 * @text: description
 * @legal: it is no error
 * @unseen: bits of enum unseen; it is no error where the source does not see one of them
 */
struct class {
	const char *name;
	const char *text;
	bool legal;
	uint32_t unseen;
};

static const struct class classes[KMEMTRACE_NR_FINDING_CLASSES] = {
	[KMEMTRACE_ALLOC_TWICE] = { "alloc_twice",
		"allocated twice" },
	[KMEMTRACE_FREE_TWICE] = { "free_twice",
		"freed twice" },
	[KMEMTRACE_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began", false,
		UNSEEN_BIT(UNSEEN_BASELINE) | UNSEEN_BIT(UNSEEN_BASELINE_OBJECTS) },
	[KMEMTRACE_FREE_UNEXPLAINED] = { "free_unexplained",
		"freed, but neither allocated nor live when tracing began" },
	[KMEMTRACE_FREE_IN_USE] = { "free_in_use",
		"freed with a live object in it" },
	[KMEMTRACE_IN_FREE_PAGES] = { "in_free_pages",
		"allocated in pages that are free" },
	[KMEMTRACE_CACHE_IN_USE] = { "cache_in_use",
		"cache destroyed with live objects" },
	[KMEMTRACE_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache" },
	[KMEMTRACE_MIXED_LEGAL] = { "mixed_api_legal",
		"allocated and freed by different APIs, as this kernel allows", true },
	[KMEMTRACE_SHORT] = { "short",
		"fewer bytes allocated than requested" },
	[KMEMTRACE_IMPOSSIBLE] = { "impossible",
		"impossible records, not counted" },
};

static bool is_explained(const struct report *r, unsigned int finding_class)
{
	const struct class *class = &classes[finding_class];

	return class->legal || (class->unseen & r->unseen);
}

static int by_class_and_count(const void *a, const void *b)
{
	const struct kmemtrace_finding *x = *(const struct kmemtrace_finding * const *)a;
	const struct kmemtrace_finding *y = *(const struct kmemtrace_finding * const *)b;

	if (x->finding_class != y->finding_class)
		return x->finding_class < y->finding_class ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->first_site > y->first_site) - (x->first_site < y->first_site);
}

/* Return the findings that match, sorted by class and allocator; NULL ends them. */
static const struct kmemtrace_finding **sorted_findings(const struct report *r)
{
	const struct kmemtrace_finding **list = NULL, *f;
	size_t nr = 0, i;

	for (i = 0; (f = kmemtrace_get_finding(r->trace, i)); i++) {
		if (f->is_hidden)
			continue;
		list = must_grow_list(list, nr, sizeof(*list));
		list[nr++] = f;
	}
	if (nr)
		qsort(list, nr, sizeof(*list), by_class_and_count);
	list = must_grow_list(list, nr, sizeof(*list));
	list[nr] = NULL;
	return list;
}

/* Return how many findings a filter hides. */
static uint64_t hidden_findings(const struct report *r)
{
	const struct kmemtrace_finding *f;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; (f = kmemtrace_get_finding(r->trace, i)); i++)
		if (f->is_hidden)
			sum += f->count;
	return sum;
}

static bool same_group(const struct kmemtrace_finding *a,
		       const struct kmemtrace_finding *b)
{
	return b && a->finding_class == b->finding_class && a->space == b->space;
}

static void print_finding(const struct report *r, const struct kmemtrace_finding *f,
			  FILE *out)
{
	fprintf(out, "  %11s  ", NUMBER(f->count));
	if (f->first_site != KMEMTRACE_NO_SITE) {
		print_site(r, f->first_site, out);
		fprintf(out, ", then ");
	}
	print_site(r, f->site, out);
	fputc('\n', out);
}

/* Print the first findings of a group, and how many more there are. */
static void print_sites(const struct report *r, const struct kmemtrace_finding **list,
			size_t nr, size_t limit, FILE *out)
{
	size_t i;

	for (i = 0; i < nr && i < limit; i++)
		print_finding(r, list[i], out);
	if (nr > limit)
		fprintf(out, "               and %zu more call sites\n",
			nr - limit);
}

/* Print the group that begins at @list, in full or briefly. Return where the next begins. */
static const struct kmemtrace_finding **print_group(const struct report *r,
					  const struct kmemtrace_finding **list,
					  bool brief, FILE *out)
{
	const struct class *class = &classes[(*list)->finding_class];
	bool explained = is_explained(r, (*list)->finding_class);
	const struct kmemtrace_finding **end = list;
	uint64_t count = 0;
	size_t nr;

	do {
		count += (*end)->count;
		end++;
	} while (same_group(*list, *end));
	nr = end - list;
	fprintf(out, "%s  %s, %s: %s%s\n", explained ? "" : r->style->bad,
		space_infos[(*list)->space].name, class->text, NUMBER(count),
		explained ? "" : r->style->end);
	if (!brief)
		print_sites(r, list, nr, r->limit, out);
	else if (!explained)
		print_sites(r, list, nr, brief_limit(r, nr, 1), out);
	return end;
}

static void print_findings(const struct report *r, bool brief, FILE *out)
{
	const struct kmemtrace_finding **list = sorted_findings(r), **at = list;

	print_title(r, out, "Findings%s%s", title_suffix(r), !*list ? ": none" :
		    !unexplained_findings(r) ? ", none of which is an error" :
		    kmemtrace_doubt(r->trace, 0) ?
		    " (the trace is incomplete: missing events may explain them)" :
		    "");
	while (*at)
		at = print_group(r, at, brief, out);
	if (hidden_findings(r))
		fprintf(out, "  %s more of events that don't match\n",
			NUMBER(hidden_findings(r)));
	free(list);
}

void findings_text(const struct report *r, FILE *out)
{
	print_findings(r, false, out);
}

/* The overview has no call sites of findings that are no errors. */
void findings_brief(const struct report *r, FILE *out)
{
	print_findings(r, true, out);
}

/* Return the descriptions of classes by their names in JSON. */
json_object *finding_texts_json(void)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < KMEMTRACE_NR_FINDING_CLASSES; i++)
		add_str(obj, classes[i].name, classes[i].text);
	return obj;
}

/* Return the number of findings that may be errors, hidden ones included. */
uint64_t unexplained_findings(const struct report *r)
{
	const struct kmemtrace_finding *f;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; (f = kmemtrace_get_finding(r->trace, i)); i++)
		if (!is_explained(r, f->finding_class))
			sum += f->count;
	return sum;
}
