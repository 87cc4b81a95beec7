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

/* Return the columns of figures, and how many there are. */
const struct kmemtrace_column *figures_list(size_t *nr)
{
	static struct kmemtrace_column list[MAX_FIGURES];
	static size_t found;
	const struct kmemtrace_column *c;
	size_t i;

	for (i = 0; !list[0].name || i; i++) {
		c = kmemtrace_get_relation_column("modules", i);
		if (!c)
			break;
		if (!is_figure(c))
			continue;
		if (found == MAX_FIGURES)
			errx(EXIT_UNUSABLE, "more than %d figures", MAX_FIGURES);
		list[found++] = *c;
	}
	*nr = found;
	return list;
}

/* Return the number of a figure. */
static size_t find(const char *name)
{
	const struct kmemtrace_column *list;
	size_t nr, i;

	list = figures_list(&nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return i;
	errx(EXIT_UNUSABLE, "there is no figure '%s'", name);
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

/* What is wasted follows from other figures. */
static void set_wasted(struct figures *f, const char *name, const char *got, const char *asked)
{
	f->values[find(name)] = wasted(figure_value(f, asked), figure_value(f, got));
}

/* Add figures of other allocations. */
void figures_add(struct figures *sum, const struct figures *f)
{
	size_t i;

	for (i = 0; i < MAX_FIGURES; i++) {
		sum->values[i] += f->values[i];
		sum->errors[i] = join_errors(sum->errors[i], f->errors[i]);
	}
	set_wasted(sum, "wasted", "bytes", "bytes_req");
	set_wasted(sum, "live_wasted", "live_bytes", "live_bytes_req");
}

/* Return a figure. */
uint64_t figure_value(const struct figures *f, const char *name)
{
	return f->values[find(name)];
}

/* Return the figure that lists are sorted by. */
uint64_t sort_value(const struct sort_key *key, const struct figures *f)
{
	static const struct sort_key *last;
	static size_t figure;

	if (key != last)
		figure = find(key->name);
	last = key;
	return f->values[figure];
}

/* Print a figure in @width columns, after a blank, and its standard error. */
void figure_text(const struct report *r, const struct figures *f, const char *name, int width,
		 FILE *out)
{
	const size_t i = find(name);
	const struct kmemtrace_column *list;
	size_t nr;

	list = figures_list(&nr);
	fprintf(out, " %*s", width, list[i].unit == KMEMTRACE_BYTES ? BYTES(f->values[i]) :
								       NUMBER(f->values[i]));
	if (list[i].error)
		error_text(r, f->values[i], f->errors[i], out);
}
