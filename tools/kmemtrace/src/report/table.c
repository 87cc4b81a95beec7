// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - tables for people
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "kmemtrace-records.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/site.h"
#include "report/table.h"
#include "report/view.h"

/* ---- values ---- */

static bool value_of(struct kmemtrace_relation *relation, const char *column,
		     struct kmemtrace_field *value)
{
	const int i = kmemtrace_relation_find(relation, column);

	return i >= 0 && kmemtrace_relation_value(relation, i, value);
}

/* Return a text of the row, which is valid until the next row; NULL where it has none. */
const char *cell_text(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	if (!value_of(relation, column, &value))
		return NULL;
	if (!value.text)
		out_of_memory();
	return value.text;
}

/* Print a value in the form of a unit. A number without one identifies something: a line. */
static void print_value(const struct kmemtrace_column *column, int unit,
			const struct kmemtrace_field *value, FILE *out)
{
	const int64_t change = value->signed_number;

	if (column->type == KMEMTRACE_TEXT)
		fputs(value->text ? value->text : "", out);
	else if (column->type == KMEMTRACE_ADDRESS)
		fprintf(out, "%#" PRIx64, value->number);
	else if (column->type == KMEMTRACE_BOOL)
		fputs(value->number ? "yes" : "no", out);
	else if (unit == KMEMTRACE_RATIO)
		fprintf(out, "%.1f%%", 100 * value->real);
	else if (column->type == KMEMTRACE_REAL)
		fprintf(out, "%.6g", value->real);
	else if (column->type == KMEMTRACE_SIGNED && unit == KMEMTRACE_BYTES)
		fputs(CHANGE(format_bytes, change < 0 ? -(uint64_t)change : 0,
			     change < 0 ? 0 : change), out);
	else if (unit == KMEMTRACE_BYTES)
		fputs(BYTES(value->number), out);
	else if (unit == KMEMTRACE_NS)
		fputs(TIME(value->number), out);
	else if (unit == KMEMTRACE_TIME || unit == KMEMTRACE_CLOCK)
		fprintf(out, "%.9f", (column->type == KMEMTRACE_SIGNED ? (double)change :
				      (double)value->number) / 1e9);
	else if (column->type == KMEMTRACE_SIGNED && change < 0)
		fprintf(out, "-%s", NUMBER(-(uint64_t)change));
	else if (unit == KMEMTRACE_NO_UNIT)
		fprintf(out, "%" PRIu64, value->number);
	else
		fputs(NUMBER(value->number), out);
}

/* Print a value of the row; nothing where it has none. */
void print_cell(struct kmemtrace_relation *relation, const char *name, FILE *out)
{
	const int i = kmemtrace_relation_find(relation, name);
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;

	if (i < 0 || !kmemtrace_relation_value(relation, i, &value))
		return;
	column = kmemtrace_relation_column(relation, i);
	print_value(column, column->unit, &value, out);
}

/* Return whether the row has a value in a column. */
bool has_cell(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	return value_of(relation, column, &value);
}

/* Return a value of the row, 0 where it has none. */
uint64_t cell_number(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value = { .number = 0 };

	value_of(relation, column, &value);
	return value.number;
}

/* The same of a real number. */
double cell_real(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value = { .real = 0 };

	value_of(relation, column, &value);
	return value.real;
}

/**
 * calls_of_row - set the calls of a row's call path
 * @calls: result, not to be copied
 * @r: the report
 * @row: a relation with the column frames, at the row; the path of a row with no caller_address has
 *	known calls
 */
void calls_of_row(struct calls *calls, const struct report *r, struct kmemtrace_relation *row)
{
	const int frames = kmemtrace_relation_find(row, "frames");
	const struct kmemtrace_call_path *path = NULL;
	struct kmemtrace_field number;

	if (kmemtrace_relation_identity(row, frames, &number))
		path = kmemtrace_get_path(r->trace, number.number);
	*calls = (struct calls) { .addresses = &calls->site, .nr = 1, .is_unknown = path };
	if (path && path->depth)
		*calls = (struct calls) { path->frames, path->depth, .is_cut = path->is_cut };
	else
		calls->site = cell_number(row, "caller_address");
}

/* Write a condition, see WHERE(). */
const char *where_allocator(char buf[WHERE_LEN], enum kmemtrace_space space, const char *more)
{
	snprintf(buf, WHERE_LEN, "allocator=%s%s%s", space_infos[space].name, more ? "," : "",
		 more ? more : "");
	return buf;
}

/* Return a figure of all allocations of an allocator. */
uint64_t total_figure(const struct report *r, enum kmemtrace_space space, const char *column)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals", .where = WHERE(space, NULL));
	uint64_t figure = 0;

	if (kmemtrace_relation_next(totals))
		figure = cell_number(totals, column);
	kmemtrace_relation_close(totals);
	return figure;
}

/* Return a figure of the trace as a whole. */
uint64_t trace_figure(const struct report *r, const char *column)
{
	struct kmemtrace_relation *trace = relation_of(r, "trace");
	uint64_t figure;

	kmemtrace_relation_next(trace);
	figure = cell_number(trace, column);
	kmemtrace_relation_close(trace);
	return figure;
}

/* ---- keys ---- */

#define COLUMN_NAME_LEN	32

/* The name of a column with a prefix. Valid to the end of the block it is used in. */
#define PREFIXED(prefix, column)	prefixed_column((char[COLUMN_NAME_LEN]) { 0 }, prefix, column)

static const char *prefixed_column(char buf[COLUMN_NAME_LEN], const char *prefix, const char *column)
{
	snprintf(buf, COLUMN_NAME_LEN, "%s%s", prefix, column);
	return buf;
}

/* Print the line of a call site whose columns begin with a prefix, and what is inlined there. */
static void print_source_of(struct kmemtrace_relation *relation, const char *prefix, FILE *out)
{
	print_source_line(cell_text(relation, PREFIXED(prefix, "file")),
		   cell_number(relation, PREFIXED(prefix, "line")),
		   cell_text(relation, PREFIXED(prefix, "inlined")), out);
}

/* Print a call site whose columns begin with a prefix, its line, and what is inlined there. */
void print_site_of(struct kmemtrace_relation *relation, const char *prefix, FILE *out)
{
	print_cell(relation, PREFIXED(prefix, "site"), out);
	print_source_of(relation, prefix, out);
}

static bool is_key_column(const struct kmemtrace_relation *relation, const char *column)
{
	const int found = kmemtrace_relation_find(relation, column);

	return found >= 0 && kmemtrace_relation_column(relation, found)->is_key;
}

/*
 * Print @before and a place, such as "function+0x12 file.c:34": the first of these columns that is
 * a key. The line of a call site or of a line follows. Return false: none is a key.
 */
bool print_place(struct kmemtrace_relation *relation, const char *prefix, const char *before,
		 FILE *out)
{
	static const char * const columns[] = { "site", "function", "file", "module", "dir" };
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		if (!is_key_column(relation, PREFIXED(prefix, columns[i])))
			continue;
		fputs(before, out);
		print_cell(relation, PREFIXED(prefix, columns[i]), out);
		if (!i || (i == 1 && is_key_column(relation, PREFIXED(prefix, "line"))))
			print_source_of(relation, prefix, out);
		return true;
	}
	return false;
}

static void print_task_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field pid, tgid, exited;

	fputs(cell_text(relation, "task"), out);
	if (value_of(relation, "pid", &pid) && value_of(relation, "tgid", &tgid) &&
	    pid.number != tgid.number)
		fprintf(out, " of %s", cell_text(relation, "process"));
	if (value_of(relation, "has_exited", &exited) && exited.number)
		fputs(" (exited)", out);
}

static void print_cgroup_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field removed;

	fputs(cell_text(relation, "cgroup"), out);
	if (value_of(relation, "is_removed", &removed) && removed.number)
		fputs(" (removed)", out);
}

static void print_size_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field size;

	fputs(value_of(relation, "size", &size) ? NUMBER(size.number) : "unknown", out);
}

static void print_gfp_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field flags;
	const char *names = cell_text(relation, "gfp_names");

	if (!value_of(relation, "gfp_flags", &flags)) {
		fputs("unknown", out);
		return;
	}
	fprintf(out, "%#" PRIx64, flags.number);
	/* Without names, the text is the number. */
	if (names && *names != '0')
		fprintf(out, "  %s", names);
}

/* What the key of a group is for people, by the column that is the key. */
static const struct {
	const char *column;
	void (*print)(struct kmemtrace_relation *relation, FILE *out);
} keys[] = {
	{ "task", print_task_key }, { "cgroup", print_cgroup_key }, { "size", print_size_key },
	{ "gfp_flags", print_gfp_key },
};

/* Return whether a column has numbers for programs: people read the name beside them. */
static bool is_id(const char *name)
{
	const size_t len = strlen(name);

	return len > 3 && !strcmp(name + len - 3, "_id");
}

/* Print what tells the row from others, but its allocator. */
void print_key(struct kmemtrace_relation *relation, FILE *out)
{
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;
	const char *separator = "";
	size_t i, j;

	for (j = 0; j < sizeof(keys) / sizeof(*keys); j++) {
		if (!is_key_column(relation, keys[j].column))
			continue;
		keys[j].print(relation, out);
		return;
	}
	if (print_place(relation, "", "", out)) {
		print_place(relation, "freed_", ", then ", out);
		return;
	}
	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++) {
		if (!column->is_key || !strcmp(column->name, "allocator") || is_id(column->name) ||
		    !kmemtrace_relation_value(relation, i, &value))
			continue;
		fputs(separator, out);
		print_value(column, column->unit, &value, out);
		separator = ", ";
	}
}

/* ---- tables ---- */

/* Columns have at least these widths, so that those of several tables are alike. */
static int least_width(const struct kmemtrace_column *column, char form)
{
	return column->type == KMEMTRACE_TEXT ? -1 : form == '#' ? 0 :
	       column->unit == KMEMTRACE_COUNT ? 10 : column->unit == KMEMTRACE_BYTES ? 9 : 6;
}

/* Parse the first of "NAME[#|~][=HEADING],...". Return the others; NULL: there is none. */
const char *shown_parse(struct shown_column *c, const char *columns)
{
	const size_t len = strcspn(columns, ",");
	size_t end = strcspn(columns, ",#~=");

	if (!len)
		return NULL;
	*c = (struct shown_column) { .form = strchr("#~", columns[end]) ? columns[end] : 0 };
	snprintf(c->name, sizeof(c->name), "%.*s", (int)end, columns);
	end += !!c->form;
	c->has_heading = columns[end] == '=';
	if (c->has_heading)
		snprintf(c->heading, sizeof(c->heading), "%.*s", (int)(len - end - 1),
			 columns + end + 1);
	return columns + len + (columns[len] == ',');
}

/* Print a cell, "-" if @value is NULL, and its standard error in a sample, if it may have one. */
void text_value(struct text_table *t, const struct shown_column *c,
		const struct kmemtrace_column *column, const struct kmemtrace_field *value,
		uint64_t error)
{
	const int unit = c->form == '#' ? KMEMTRACE_COUNT :
			 c->form == '~' ? KMEMTRACE_BYTES : column->unit;
	FILE *out = text_cell(t, least_width(column, c->form),
			      c->has_heading ? c->heading : column->heading);

	if (value)
		print_value(column, unit, value, out);
	else
		putc('-', out);
	if (column->error)
		text_error(t, value ? value->number : 0, error);
}

/**
 * text_columns - print cells of a row
 * @t: the table
 * @row: the relation, at the row
 * @columns: "NAME[#|~][=HEADING],...": #: bytes have all digits; ~: a number is bytes
 */
void text_columns(struct text_table *t, struct kmemtrace_relation *row, const char *columns)
{
	struct kmemtrace_field value;
	struct shown_column c;
	int i;

	while ((columns = shown_parse(&c, columns))) {
		const struct kmemtrace_column *column;

		i = kmemtrace_relation_find(row, c.name);
		if (i < 0)
			continue;
		column = kmemtrace_relation_column(row, i);
		text_value(t, &c, column, kmemtrace_relation_value(row, i, &value) ? &value : NULL,
			   column->error ? cell_number(row, column->error) : 0);
	}
}

/* Return how many rows there are, shown or not, without the rest, which is below the list. */
size_t listed_rows(struct kmemtrace_relation *relation)
{
	size_t nr = kmemtrace_relation_rows(relation);

	while (kmemtrace_relation_next(relation))
		nr -= kmemtrace_relation_is_rest(relation);
	kmemtrace_relation_rewind(relation);
	return nr;
}

/* Print the headings, then a line for each row; its key comes last. */
void relation_text(const struct report *r, struct kmemtrace_relation *relation,
		   const char *columns, const char *last, FILE *out)
{
	struct text_table t = { .r = r, .out = out };

	while (text_table_next(&t, relation)) {
		text_columns(&t, relation, columns);
		print_key(relation, text_cell(&t, -1, last));
		text_line_end(&t);
	}
}

/*
 * Return the figure that lists are sorted by, or NULL if it is one of the columns @shown, whose names
 * are separated by commas.
 */
const struct kmemtrace_column *sort_beside(const struct report *r, const char *shown)
{
	const char *name = r->sort->name;
	const size_t len = strlen(name);

	for (; *shown; shown += strcspn(shown, ","), shown += *shown == ',')
		if (!strncmp(shown, name, len) && strchr(",=", shown[len]))
			return NULL;
	return r->sort;
}

/* Write columns; the last one is what lists are sorted by, unless it is another one. */
const char *sorted_columns(char buf[TABLE_COLUMNS_LEN], const struct report *r, const char *columns)
{
	const struct kmemtrace_column *sort = sort_beside(r, columns);

	snprintf(buf, TABLE_COLUMNS_LEN, "%s%s%s", columns, sort ? "," : "", sort ? sort->name : "");
	return buf;
}

/* ---- rows below a row ---- */

static int by_parent(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* List the rows of a relation by what identifies their parent, a column. */
void children_list(struct children *c, struct kmemtrace_relation *relation, const char *column)
{
	size_t row;

	*c = (struct children) { .relation = relation };
	for (row = 0; kmemtrace_relation_next(relation); row++) {
		c->list = must_grow_list(c->list, c->nr, sizeof(*c->list));
		c->list[c->nr++] = (struct child) { cell_number(relation, column), row };
	}
	if (c->nr)
		qsort(c->list, c->nr, sizeof(*c->list), by_parent);
}

/* Go to child @i of a parent, in the order of the relation. Return false: there are no more. */
bool children_go(const struct children *c, uint64_t parent, size_t i)
{
	size_t first = 0, end = c->nr, middle;

	while (first < end) {
		middle = first + (end - first) / 2;
		if (c->list[middle].parent < parent)
			first = middle + 1;
		else
			end = middle;
	}
	return first + i < c->nr && c->list[first + i].parent == parent &&
	       kmemtrace_relation_go(c->relation, c->list[first + i].row);
}

/* Free the list, and close the relation. */
void children_free(struct children *c)
{
	free(c->list);
	kmemtrace_relation_close(c->relation);
}

/* ---- call paths ---- */

/* Return how many calls of helper functions a path begins with; 0: nobody knows. */
static size_t nr_helpers(const struct calls *calls, struct kmemtrace_relation *row)
{
	const uint64_t caller = cell_number(row, "caller_address");
	size_t i;

	for (i = 0; i < calls->nr; i++)
		if (calls->addresses[i] == caller)
			return i;
	return 0;
}

/* Return how many calls of a path are shown: helper functions, and @most more. */
static size_t nr_shown(const struct calls *calls, struct kmemtrace_relation *row, size_t most)
{
	const size_t helpers = nr_helpers(calls, row);

	/* The line that says so would take the place of one more call. */
	return calls->nr - helpers > most && calls->nr - helpers - most > 1 ?
	       helpers + most : calls->nr;
}

/**
 * text_calls - print a call path below its row, a call in a line, the innermost first
 * @t: the table
 * @row: the relation, at the row
 * @most: how many calls, from the one that wanted the memory on
 */
void text_calls(struct text_table *t, struct kmemtrace_relation *row, size_t most)
{
	struct calls calls;
	size_t i, nr;

	calls_of_row(&calls, t->r, row);
	nr = nr_shown(&calls, row, most);
	for (i = 0; i < nr; i++) {
		print_site(t->r, calls.addresses[i], text_below(t, CALLS_INDENT));
		text_line_end(t);
	}
	if (nr < calls.nr) {
		fprintf(text_below(t, CALLS_INDENT), "%zu more frames", calls.nr - nr);
		text_line_end(t);
	}
	if (calls.is_cut || calls.is_unknown) {
		fputs(calls.is_cut ? "(more)" : "(unknown)", text_below(t, CALLS_INDENT));
		text_line_end(t);
	}
}
