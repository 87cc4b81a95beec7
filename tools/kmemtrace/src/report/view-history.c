// SPDX-License-Identifier: GPL-2.0
/*
 * Views: when most lived and who owned it then, and what lived all of the time.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

/* Columns of a chart, and what fills them: from nothing to the peak. */
#define COLUMNS		64
#define BRIEF_COLUMNS	46
#define LEVELS		" .:-=+*#%@"
#define NR_LEVELS	(sizeof(LEVELS) - 1)

static const struct history *history_of(const struct report *r)
{
	return &r->trace->ledger.history;
}

/* Nanoseconds since the trace began. */
static uint64_t since(const struct report *r, int64_t time)
{
	return (uint64_t)time - (uint64_t)r->trace->first;
}

/* ---- the peak ---- */

static const struct sort_key *by_peak(void)
{
	return sort_key_find("peak");
}

static void print_owner(const struct list *list, const struct row *row,
			bool first, FILE *out)
{
	(void)first;
	fprintf(out, "%11s %6s %9s", BYTES(row->peak),
		PERCENT(row->peak, history_of(list->r)->peaks[list->space].bytes),
		BYTES(row->live_alloc));
}

static void print_peak(const struct report *r, enum space space, FILE *out)
{
	const struct peak *peak = &history_of(r)->peaks[space];
	const struct stats *s = &r->trace->ledger.stats;
	struct list list;

	if (!peak->bytes)
		return;
	print_title(r, out, "%s: peak of %s at %.9f s, %s at the end",
		    space_infos[space].title, BYTES(peak->bytes),
		    (double)since(r, peak->time) / 1e9,
		    BYTES(stats_live(s, space).alloc));
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

static json_object *owner_json(json_object *obj, const struct row *row)
{
	add_u64(obj, "bytes", row->peak);
	return obj;
}

static json_object *owners_json(const struct report *r, enum space space)
{
	json_object *owners;
	struct list list;

	list_collect(&list, r, space, by_peak());
	list_end(&list, by_peak());
	owners = list_json(&list, owner_json);
	list_free(&list);
	return owners;
}

/* So many owners are in the overview. */
#define BRIEF_OWNERS	3

static void print_brief_owner(const struct list *list, const struct row *row,
			      bool first, FILE *out)
{
	fprintf(out, "  %-8s", first ? space_infos[list->space].name : "");
	print_owner(list, row, first, out);
}

static void print_brief_owners(const struct report *r, enum space space, FILE *out)
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

static json_object *space_peak(const struct report *r, enum space space)
{
	const struct peak *peak = &history_of(r)->peaks[space];
	json_object *obj = json_object_new_object();

	add_u64(obj, "bytes", peak->bytes);
	if (peak->bytes)
		json_object_object_add(obj, "time_ns",
				       json_object_new_int64(peak->time));
	json_object_object_add(obj, "owners", owners_json(r, space));
	return obj;
}

json_object *peak_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_peak);
}

/* ---- all of the time ---- */

static char level(uint64_t value, uint64_t most)
{
	/* Whatever isn't nothing is seen. */
	uint64_t i = most ? (value * (NR_LEVELS - 1) + most - 1) / most : 0;

	return LEVELS[i < NR_LEVELS ? i : NR_LEVELS - 1];
}

static uint64_t step_most(const struct history_step *step, enum space space)
{
	return step->most[space];
}

static uint64_t step_live(const struct history_step *step, enum space space)
{
	return step->live[space];
}

static uint64_t step_bytes(const struct history_step *step, enum space space)
{
	return step->bytes[space];
}

static uint64_t step_allocs(const struct history_step *step, enum space space)
{
	return step->allocs[space];
}

/* The largest value of the steps from @i to before @end, and of one in any case. */
static uint64_t most_of(const struct history *h, unsigned int i,
			unsigned int end,
			uint64_t (*value)(const struct history_step *step,
					  enum space space),
			enum space space)
{
	uint64_t most = value(&h->steps[i], space);

	for (i++; i < end; i++)
		if (value(&h->steps[i], space) > most)
			most = value(&h->steps[i], space);
	return most;
}

static void print_chart(const struct report *r,
			uint64_t (*value)(const struct history_step *step,
					  enum space space),
			enum space space, uint64_t most, unsigned int columns,
			FILE *out)
{
	const struct history *h = history_of(r);
	unsigned int i;

	putc('|', out);
	for (i = 0; i < columns; i++)
		putc(level(most_of(h, i * h->nr_steps / columns,
				   (i + 1) * h->nr_steps / columns, value, space),
			   most), out);
	putc('|', out);
}

/* Allocations a second, in the step of most. */
static uint64_t rate(const struct history *h, uint64_t allocs)
{
	return (double)allocs * 1e9 / (double)h->width;
}

static void print_timeline(const struct report *r, enum space space, FILE *out)
{
	const struct history *h = history_of(r);
	uint64_t live = most_of(h, 0, h->nr_steps, step_most, space);
	uint64_t allocs = most_of(h, 0, h->nr_steps, step_allocs, space);

	fprintf(out, "  %-7s live %9s   ", space_infos[space].name, BYTES(live));
	print_chart(r, step_most, space, live, COLUMNS, out);
	fprintf(out, "\n  %-7s rate %11s/s ", "", NUMBER(rate(h, allocs)));
	print_chart(r, step_allocs, space, allocs, COLUMNS, out);
	fputc('\n', out);
}

void timeline_text(const struct report *r, FILE *out)
{
	const struct history *h = history_of(r);
	int i;

	if (!h->nr_steps)
		return;
	print_title(r, out, "Timeline: %.6f s from left to right, from nothing to the number before it",
		    (double)(h->nr_steps * h->width) / 1e9);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_timeline(r, i, out);
}

/* What lived, and when most did. */
static void print_brief_timeline(const struct report *r, enum space space, FILE *out)
{
	const struct history *h = history_of(r);
	const struct peak *peak = &h->peaks[space];

	fprintf(out, "  %-7s ", space_infos[space].name);
	print_chart(r, step_most, space,
		    most_of(h, 0, h->nr_steps, step_most, space), BRIEF_COLUMNS, out);
	fprintf(out, " %5s", BYTES(peak->bytes));
	if (peak->bytes)
		fprintf(out, " %15.9f", (double)since(r, peak->time) / 1e9);
	fputc('\n', out);
}

void timeline_brief(const struct report *r, FILE *out)
{
	const struct history *h = history_of(r);
	char title[80];
	int i;

	if (!h->nr_steps)
		return;
	snprintf(title, sizeof(title), "Timeline: %.6f s, from nothing to the peak",
		 (double)(h->nr_steps * h->width) / 1e9);
	print_title(r, out, "%-*s  peak           at, s", BRIEF_COLUMNS + 12, title);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_timeline(r, i, out);
	phases_marks(r, BRIEF_COLUMNS, out);
}

/* Nothing else in JSON has as many numbers: they are one line. */
static json_object *series_json(const struct history *h, enum space space,
				uint64_t (*value)(const struct history_step *step,
						  enum space space))
{
	json_object *list = json_object_new_array();
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	unsigned int i;

	if (!f)
		err(EXIT_UNUSABLE, "open_memstream");
	for (i = 0; i < h->nr_steps; i++)
		fprintf(f, "%s%" PRIu64, i ? "," : "[",
			value(&h->steps[i], space));
	fprintf(f, "]");
	if (fclose(f))
		err(EXIT_UNUSABLE, "open_memstream");
	json_object_set_serializer(list, json_object_userdata_to_json_string,
				   text, json_object_free_userdata);
	return list;
}

static json_object *space_timeline(const struct report *r, enum space space)
{
	const struct history *h = history_of(r);
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "most", series_json(h, space, step_most));
	json_object_object_add(obj, "live", series_json(h, space, step_live));
	json_object_object_add(obj, "allocs", series_json(h, space, step_allocs));
	json_object_object_add(obj, "bytes_alloc",
			       series_json(h, space, step_bytes));
	return obj;
}

json_object *timeline_json(const struct report *r)
{
	const struct history *h = history_of(r);
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "begin_ns", json_object_new_int64(h->begin));
	add_u64(obj, "step_ns", h->width);
	return h->nr_steps ? spaces_json(obj, r, space_timeline) : obj;
}
