// SPDX-License-Identifier: GPL-2.0
/*
 * Views: the peak and its owners, and the timeline.
 */
#include "config.h"

#include "common/memory.h"
#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

/* Columns of a chart. */
#define COLUMNS		64
#define BRIEF_COLUMNS	46

/* ---- the peak ---- */

static const struct sort_key *by_peak(void)
{
	return sort_key_find("peak_bytes");
}

static void print_owner(const struct list *list, const struct kmemtrace_row *row,
			bool first, FILE *out)
{
	const struct kmemtrace_row *total = kmemtrace_total(list->r->trace, list->space);

	(void)first;
	fprintf(out, "%11s %6s %9s", BYTES(row->peak_bytes_alloc),
		PERCENT(row->peak_bytes_alloc, total->peak_bytes_alloc),
		BYTES(row->live_bytes_alloc));
}

static void print_peak(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *total = kmemtrace_total(r->trace, space);
	int64_t time = kmemtrace_get_space(r->trace, space)->peak_time;
	struct list list;

	if (!total->peak_bytes_alloc)
		return;
	print_title(r, out, "%s: peak of %s at %.9f s, %s at the end",
		    space_infos[space].title, BYTES(total->peak_bytes_alloc),
		    (double)since(r, time) / 1e9, BYTES(total->live_bytes_alloc));
	fprintf(out, "  live then  share       now  %s\n", r->group->column);
	list_collect(&list, r, space, by_peak());
	list_end(&list, by_peak());
	list_text(&list, print_owner, out);
	list_free(&list);
}

void peak_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_peak(r, i, out);
}

static json_object *owner_json(json_object *obj, const struct kmemtrace_row *row)
{
	add_u64(obj, "bytes", row->peak_bytes_alloc);
	return obj;
}

static json_object *owners_json(const struct report *r, enum kmemtrace_space space)
{
	json_object *owners;
	struct list list;

	list_collect(&list, r, space, by_peak());
	list_end(&list, by_peak());
	owners = list_json(&list, owner_json);
	list_free(&list);
	return owners;
}

/* Owners in the overview. */
#define BRIEF_OWNERS	3

static void print_brief_owner(const struct list *list, const struct kmemtrace_row *row,
			      bool first, FILE *out)
{
	fprintf(out, "  %-8s", first ? space_infos[list->space].name : "");
	print_owner(list, row, first, out);
}

static void print_brief_owners(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;

	list_collect(&list, r, space, by_peak());
	list.limit = brief_limit(r, list.g.nr, brief_rows(space, BRIEF_OWNERS));
	list_end(&list, by_peak());
	list_text(&list, print_brief_owner, out);
	list_free(&list);
}

void peak_brief(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Peak        live then  share    at end  %s", r->group->rows);
	for (i = 0; i < NR_SPACES; i++)
		print_brief_owners(r, i, out);
}

static json_object *space_peak(const struct report *r, enum kmemtrace_space space)
{
	uint64_t bytes = kmemtrace_total(r->trace, space)->peak_bytes_alloc;
	json_object *obj = json_object_new_object();

	add_u64(obj, "bytes", bytes);
	if (bytes)
		add_time(obj, "time_ns", r, kmemtrace_get_space(r->trace, space)->peak_time);
	json_object_object_add(obj, "owners", owners_json(r, space));
	return obj;
}

json_object *peak_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_peak);
}

/* ---- the timeline ---- */

/* Each returns a number of a step. */
typedef uint64_t step_value(const struct kmemtrace_step *step, enum kmemtrace_space space);

static uint64_t step_most(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->most[space];
}

static uint64_t step_live(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->live[space];
}

static uint64_t step_bytes(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->bytes_alloc[space];
}

static uint64_t step_allocs(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->allocs[space];
}

/* Return the largest value of the steps from @i to before @end, and of step @i at least. */
static uint64_t most_of(const struct report *r, size_t i, size_t end, step_value *value,
			enum kmemtrace_space space)
{
	uint64_t most = 0, n;

	do {
		n = value(kmemtrace_get_step(r->trace, i), space);
		if (n > most)
			most = n;
	} while (++i < end);
	return most;
}

static size_t nr_steps(const struct report *r)
{
	return kmemtrace_get_timeline(r->trace)->nr_steps;
}

/* Return the length of the timeline in seconds. */
static double length(const struct report *r)
{
	const struct kmemtrace_timeline *t = kmemtrace_get_timeline(r->trace);

	return (double)(t->nr_steps * t->step_ns) / 1e9;
}

static void print_chart(const struct report *r, step_value *value,
			enum kmemtrace_space space, uint64_t most, unsigned int columns,
			FILE *out)
{
	size_t i, nr = nr_steps(r);

	putc('|', out);
	for (i = 0; i < columns; i++)
		putc(format_level(most_of(r, i * nr / columns, (i + 1) * nr / columns, value,
				   space), most), out);
	putc('|', out);
}

/* Return @allocs of one step as allocations a second. */
static uint64_t rate(const struct report *r, uint64_t allocs)
{
	return (double)allocs * 1e9 / (double)kmemtrace_get_timeline(r->trace)->step_ns;
}

static void print_timeline(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	uint64_t live = most_of(r, 0, nr_steps(r), step_most, space);
	uint64_t allocs = most_of(r, 0, nr_steps(r), step_allocs, space);

	fprintf(out, "  %-7s live %9s   ", space_infos[space].name, BYTES(live));
	print_chart(r, step_most, space, live, COLUMNS, out);
	fprintf(out, "\n  %-7s rate %11s/s ", "", NUMBER(rate(r, allocs)));
	print_chart(r, step_allocs, space, allocs, COLUMNS, out);
	fputc('\n', out);
}

void timeline_text(const struct report *r, FILE *out)
{
	int i;

	if (!nr_steps(r))
		return;
	print_title(r, out, "Timeline: %.6f s from left to right, from zero to the number before the line",
		    length(r));
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_timeline(r, i, out);
}

/* Print the chart of live memory, and the peak. */
static void print_brief_timeline(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	uint64_t peak = kmemtrace_total(r->trace, space)->peak_bytes_alloc;

	fprintf(out, "  %-7s ", space_infos[space].name);
	print_chart(r, step_most, space, most_of(r, 0, nr_steps(r), step_most, space),
		    BRIEF_COLUMNS, out);
	fprintf(out, " %5s", BYTES(peak));
	if (peak)
		fprintf(out, " %15.9f",
			(double)since(r, kmemtrace_get_space(r->trace, space)->peak_time) / 1e9);
	fputc('\n', out);
}

void timeline_brief(const struct report *r, FILE *out)
{
	char title[80];
	int i;

	if (!nr_steps(r))
		return;
	snprintf(title, sizeof(title), "Timeline: %.6f s, from zero to the peak",
		 length(r));
	print_title(r, out, "%-*s  peak           at, s", BRIEF_COLUMNS + 12, title);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_timeline(r, i, out);
	phases_marks(r, BRIEF_COLUMNS, out);
}

/* Return a number of all steps. */
static json_object *series_json(const struct report *r, enum kmemtrace_space space,
				step_value *value)
{
	size_t nr = nr_steps(r), i;
	uint64_t *numbers = must_calloc(nr + 1, sizeof(*numbers));
	json_object *list;

	for (i = 0; i < nr; i++)
		numbers[i] = value(kmemtrace_get_step(r->trace, i), space);
	list = numbers_json(numbers, nr);
	free(numbers);
	return list;
}

static json_object *space_timeline(const struct report *r, enum kmemtrace_space space)
{
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "most", series_json(r, space, step_most));
	json_object_object_add(obj, "live", series_json(r, space, step_live));
	json_object_object_add(obj, "allocs", series_json(r, space, step_allocs));
	json_object_object_add(obj, "bytes_alloc",
			       series_json(r, space, step_bytes));
	return obj;
}

json_object *timeline_json(const struct report *r)
{
	const struct kmemtrace_timeline *t = kmemtrace_get_timeline(r->trace);
	json_object *obj = json_object_new_object();

	add_time(obj, "begin_ns", r, t->begin);
	add_u64(obj, "step_ns", t->step_ns);
	return t->nr_steps ? spaces_json(obj, r, space_timeline) : obj;
}
