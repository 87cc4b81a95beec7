// SPDX-License-Identifier: GPL-2.0
/*
 * View: the difference of two traces.
 */
#include "config.h"

#include <string.h>

#include "report/diff.h"
#include "report/format.h"
#include "report/view.h"

/* Columns: the usual ones, and what lists are sorted by. */
#define NR_USUAL	6
#define MAX_SHOWN	(NR_USUAL + 1)

static size_t list_shown(const struct report *r, const struct kmemtrace_column *list[MAX_SHOWN])
{
	static const char * const usual[NR_USUAL] = {
		"live_bytes", "peak_bytes", "bytes", "allocs", "wasted", "remote_frees",
	};
	bool has_sort = false;
	size_t nr;

	for (nr = 0; nr < NR_USUAL; nr++) {
		list[nr] = figure_find(usual[nr]);
		has_sort |= list[nr] == r->sort;
	}
	if (!has_sort)
		list[nr++] = r->sort;
	return nr;
}

/* Return the width of a column: no heading is wider. */
static int width_of_names(const struct kmemtrace_column *figure)
{
	const int width = strlen(figure->heading);

	return width > 11 ? width : 11;
}

static void print_columns(const struct report *r, FILE *out)
{
	const struct kmemtrace_column *shown[MAX_SHOWN];
	size_t nr = list_shown(r, shown), i;

	for (i = 0; i < nr; i++)
		fprintf(out, " %*s", width_of_names(shown[i]), shown[i]->heading);
}

static void print_delta(const struct report *r, const struct figures *row, FILE *out)
{
	const struct kmemtrace_column *shown[MAX_SHOWN];
	size_t nr = list_shown(r, shown), i;
	char buf[FORMAT_LEN];

	for (i = 0; i < nr; i++)
		fprintf(out, " %*s", width_of_names(shown[i]),
			figure_format_of(shown[i])(buf, sort_value(shown[i], row)));
}

static void print_change(const struct report *r, const struct figures *before,
			 const struct figures *after, FILE *out)
{
	const struct kmemtrace_column *shown[MAX_SHOWN];
	size_t nr = list_shown(r, shown), i;

	for (i = 0; i < nr; i++)
		fprintf(out, " %*s", width_of_names(shown[i]),
			CHANGE(figure_format_of(shown[i]), sort_value(shown[i], before),
			       sort_value(shown[i], after)));
}

static void print_total(const struct diff *d, enum kmemtrace_space space, FILE *out)
{
	const struct style *style = d->before->style;
	struct figures before, after;

	figures_of_total(&before, d->before, space);
	figures_of_total(&after, d->after, space);
	fprintf(out, "  %-7s before", space_infos[space].name);
	print_delta(d->before, &before, out);
	fprintf(out, "\n          after ");
	print_delta(d->before, &after, out);
	fprintf(out, "\n          change");
	print_change(d->before, &before, &after, out);
	if (diff_exceeds(d, space))
		fprintf(out, "  %smore %s than --threshold allows%s", style->bad,
			FIGURE_TITLE(d->before->sort), style->end);
	fputc('\n', out);
}

static void print_delta_totals(const struct diff *d, FILE *out)
{
	int i;

	print_title(d->before, out, "Totals%s", title_suffix(d->before));
	fprintf(out, "                ");
	print_columns(d->before, out);
	fputc('\n', out);
	for (i = 0; i < NR_SPACES; i++)
		if (d->before->is_used[i] || d->after->is_used[i])
			print_total(d, i, out);
}

static void print_list(const struct diff *d, const struct deltas *ds, const char *title,
		       FILE *out)
{
	const struct report *r = d->before;
	const char *status;
	size_t i;

	if (!ds->nr)
		return;
	print_title(r, out, "%s: %zu of %zu %s%s that differ, by change of %s",
		    title, view_limit(r, ds->nr), ds->nr,
		    ds->before.key->rows, title_suffix(r), FIGURE_TITLE(r->sort));
	print_columns(r, out);
	fprintf(out, "        %s\n", ds->before.key->column);
	for (i = 0; i < view_limit(r, ds->nr); i++) {
		print_change(r, ds->list[i].before, ds->list[i].after, out);
		status = delta_status(&ds->list[i]);
		fprintf(out, "  %-4s  %s", status ? status : "", ds->list[i].name);
		if (ds->list[i].was)
			fprintf(out, ", was %s", ds->list[i].was);
		fputc('\n', out);
	}
}

/* Print the difference. */
void diff_text(const struct diff *d, FILE *out)
{
	int i;

	print_trace_head(d->before, out);
	print_trace_head(d->after, out);
	if (diff_is_empty(d)) {
		print_title(d->before, out, "Call sites%s: no difference",
			    title_suffix(d->before));
		return;
	}
	print_delta_totals(d, out);
	for (i = 0; i < NR_SPACES; i++)
		print_list(d, &d->of[i], space_infos[i].title, out);
	print_list(d, &d->caches, space_infos[KMEMTRACE_SPACE_SLAB].title, out);
}
