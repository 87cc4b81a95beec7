// SPDX-License-Identifier: GPL-2.0
/*
 * View: the difference of two traces.
 */
#include "config.h"

#include <string.h>

#include "report/diff.h"
#include "report/format.h"
#include "report/table.h"
#include "report/view.h"

/* Print figures, or by how much they are larger than @before, unless that is NULL. */
static void print_figures_of_diff(struct text_table *t, const struct figures *before,
				  const struct figures *f)
{
	const char *columns = SORTED_COLUMNS(t->r, "live_bytes,peak_bytes,bytes,allocs,wasted,remote_frees");
	const struct kmemtrace_column *figure;
	struct shown_column c;
	char buf[FORMAT_LEN];

	while ((columns = shown_parse(&c, columns))) {
		figure = figure_find(c.name);
		fputs(before ? CHANGE(figure_format_of(figure), sort_value(figure, before),
				      sort_value(figure, f)) :
		      figure_format_of(figure)(buf, sort_value(figure, f)),
		      text_cell(t, 11, figure->heading));
	}
}

/* Print an allocator in both traces, and the change. */
static void print_delta_total(const struct diff *d, enum kmemtrace_space space,
			      struct text_table *t)
{
	const struct style *style = d->before->style;
	struct figures before, after;
	const struct {
		const char *name;
		const struct figures *before, *f;
	} lines[] = {
		{ "before", NULL, &before }, { "after", NULL, &after },
		{ "change", &before, &after },
	};
	size_t i;

	figures_of_total(&before, d->before, space);
	figures_of_total(&after, d->after, space);
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		fputs(i ? "" : space_infos[space].name, text_cell(t, -7, ""));
		fputs(lines[i].name, text_cell(t, -1, ""));
		print_figures_of_diff(t, lines[i].before, lines[i].f);
		if (lines[i].before && diff_exceeds(d, space))
			fprintf(text_cell(t, -1, ""), "%smore %s than --threshold allows%s",
				style->bad, FIGURE_TITLE(d->before->sort), style->end);
		text_line_end(t);
	}
}

static void print_delta_totals(const struct diff *d, FILE *out)
{
	struct text_table t = { .r = d->before, .out = out };
	int i;

	print_title(d->before, out, "Totals%s", title_suffix(d->before));
	while (text_table_pass(&t))
		for (i = 0; i < NR_SPACES; i++)
			if (d->before->is_used[i] || d->after->is_used[i])
				print_delta_total(d, i, &t);
}

static void print_list(const struct diff *d, const struct deltas *ds, const char *title,
		       FILE *out)
{
	const struct report *r = d->before;
	struct text_table t = { .r = r, .out = out };
	const size_t nr = view_limit(r, deltas_listed(ds));
	const struct delta *delta;
	const char *status;

	if (ds->nr)
		print_title(r, out, "%s: %zu of %zu %s%s that differ, by change of %s",
			    title, nr, deltas_listed(ds),
			    ds->before.key->rows, title_suffix(r), FIGURE_TITLE(r->sort));
	while (text_table_pass(&t)) {
		for (delta = ds->list; delta < ds->list + ds->nr; delta++) {
			if (delta >= ds->list + nr && !delta->is_rest)
				continue;
			print_figures_of_diff(&t, delta->before, delta->after);
			status = delta_status(delta);
			fputs(status ? status : "", text_cell(&t, -4, ""));
			fputs(delta->name, text_cell(&t, -1, ds->before.key->column));
			if (delta->was)
				fprintf(t.cell, ", was %s", delta->was);
			text_line_end(&t);
		}
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
