// SPDX-License-Identifier: GPL-2.0
/*
 * figures.c - the figures of groups of allocations
 *
 * They are the columns that all groups have: bytes and counts that are no part of the key.
 */
#include "config.h"

#include <err.h>
#include <string.h>

#include "common/number.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

static bool is_figure(const struct kmemtrace_column *c)
{
	return c->type == KMEMTRACE_NUMBER && !c->is_key && !c->is_optional &&
	       (c->unit == KMEMTRACE_BYTES || c->unit == KMEMTRACE_COUNT);
}

/* The columns of figures, and the numbers of those from which others follow. */
static struct {
	struct kmemtrace_column list[MAX_FIGURES];
	size_t nr;
	size_t wasted, bytes, bytes_req, live_wasted, live_bytes, live_bytes_req;
} all;

/* Return the figure with a name, or NULL. */
const struct kmemtrace_column *figure_find(const char *name)
{
	const struct kmemtrace_column *list;
	size_t nr, i;

	list = figures_list(&nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

/* Return the number of a figure that there is. */
static size_t find(const char *name)
{
	const struct kmemtrace_column *figure = figure_find(name);

	if (!figure)
		errx(EXIT_UNUSABLE, "there is no figure '%s'", name);
	return figure - all.list;
}

/* Return the columns of figures, and how many there are. */
const struct kmemtrace_column *figures_list(size_t *nr)
{
	const struct kmemtrace_column *c;
	size_t i;

	*nr = all.nr;
	if (all.nr)
		return all.list;
	for (i = 0; (c = kmemtrace_get_relation_column("modules", i)); i++) {
		if (!is_figure(c))
			continue;
		if (all.nr == MAX_FIGURES)
			errx(EXIT_UNUSABLE, "more than %d figures", MAX_FIGURES);
		all.list[all.nr++] = *c;
	}
	all.wasted = find("wasted");
	all.bytes = find("bytes");
	all.bytes_req = find("bytes_req");
	all.live_wasted = find("live_wasted");
	all.live_bytes = find("live_bytes");
	all.live_bytes_req = find("live_bytes_req");
	*nr = all.nr;
	return all.list;
}

/* Read the figures of the present row of a relation. */
void figures_read(struct figures *f, struct kmemtrace_relation *relation)
{
	const struct kmemtrace_column *list;
	size_t nr, i;

	list = figures_list(&nr);
	*f = (struct figures) { .values = { 0 } };
	for (i = 0; i < nr; i++) {
		f->values[i] = cell_number(relation, list[i].name);
		f->errors[i] = list[i].error ? cell_number(relation, list[i].error) : 0;
	}
}

/* Read the figures of all allocations of an allocator. */
void figures_of_total(struct figures *f, const struct report *r, enum kmemtrace_space space)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals", .where = WHERE(space, NULL));

	*f = (struct figures) { .values = { 0 } };
	if (kmemtrace_relation_next(totals))
		figures_read(f, totals);
	kmemtrace_relation_close(totals);
}

/* Add figures of other allocations. What the sum wastes follows from its bytes. */
void figures_add(struct figures *sum, const struct figures *f)
{
	uint64_t *v = sum->values;
	size_t i;

	for (i = 0; i < all.nr; i++) {
		v[i] += f->values[i];
		sum->errors[i] = join_errors(sum->errors[i], f->errors[i]);
	}
	v[all.wasted] = wasted(v[all.bytes_req], v[all.bytes]);
	v[all.live_wasted] = wasted(v[all.live_bytes_req], v[all.live_bytes]);
}

/* Return a figure. */
uint64_t figure_value(const struct figures *f, const char *name)
{
	return f->values[find(name)];
}

/* Return the figure that lists are sorted by. */
uint64_t sort_value(const struct kmemtrace_column *figure, const struct figures *f)
{
	return f->values[figure - all.list];
}

/* Write the title of a figure: what says what it is begins with it, before a colon. */
const char *figure_title(char buf[FIGURE_TITLE_LEN], const struct kmemtrace_column *figure)
{
	snprintf(buf, FIGURE_TITLE_LEN, "%.*s", (int)strcspn(figure->help, ":"), figure->help);
	return buf;
}

/* Return what writes a value of a figure for people. */
figure_format *figure_format_of(const struct kmemtrace_column *figure)
{
	return figure->unit == KMEMTRACE_BYTES ? format_bytes : format_number;
}

/* Print cells of figures, see text_columns(). */
void text_figures(struct text_table *t, const struct figures *f, const char *columns)
{
	struct shown_column c;
	size_t i;

	while ((columns = shown_parse(&c, columns))) {
		i = find(c.name);
		text_value(t, &c, &all.list[i],
			   &(struct kmemtrace_field) { .number = f->values[i] }, f->errors[i]);
	}
}
