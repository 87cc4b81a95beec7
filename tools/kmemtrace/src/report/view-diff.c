// SPDX-License-Identifier: GPL-2.0
/*
 * View: the difference of two traces. Each sort key is a column.
 */
#include "config.h"

#include "report/diff.h"
#include "report/format.h"
#include "report/view.h"

static void print_columns(FILE *out)
{
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		fprintf(out, " %11s", key->column);
}

static void print_row(const struct figures *row, FILE *out)
{
	char buf[FORMAT_LEN];
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		fprintf(out, " %11s", key->format(buf, sort_value(key, row)));
}

static void print_change(const struct figures *before, const struct figures *after, FILE *out)
{
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		fprintf(out, " %11s", CHANGE(key->format, sort_value(key, before),
					     sort_value(key, after)));
}

static void print_total(const struct diff *d, enum kmemtrace_space space, FILE *out)
{
	const struct style *style = d->before->style;
	struct figures before, after;

	figures_of_total(&before, d->before, space);
	figures_of_total(&after, d->after, space);
	fprintf(out, "  %-7s before", space_infos[space].name);
	print_row(&before, out);
	fprintf(out, "\n          after ");
	print_row(&after, out);
	fprintf(out, "\n          change");
	print_change(&before, &after, out);
	if (diff_exceeds(d, space))
		fprintf(out, "  %smore %s than --threshold allows%s", style->bad,
			d->before->sort->title, style->end);
	fputc('\n', out);
}

static void print_totals(const struct diff *d, FILE *out)
{
	int i;

	print_title(d->before, out, "Totals%s", title_suffix(d->before));
	fprintf(out, "                ");
	print_columns(out);
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
		    ds->before.key->rows, title_suffix(r), r->sort->title);
	print_columns(out);
	fprintf(out, "        %s\n", ds->before.key->column);
	for (i = 0; i < view_limit(r, ds->nr); i++) {
		print_change(ds->list[i].before, ds->list[i].after, out);
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
	print_totals(d, out);
	for (i = 0; i < NR_SPACES; i++)
		print_list(d, &d->of[i], space_infos[i].title, out);
	print_list(d, &d->caches, space_infos[KMEMTRACE_SPACE_SLAB].title, out);
}
