// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - tables for people
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* ---- values ---- */

static bool value_of(struct kmemtrace_relation *relation, const char *column,
		     struct kmemtrace_field *value)
{
	const int i = kmemtrace_relation_find(relation, column);

	return i >= 0 && kmemtrace_relation_value(relation, i, value);
}

static const char *text_of(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	if (!value_of(relation, column, &value))
		return NULL;
	if (!value.text)
		out_of_memory();
	return value.text;
}

static double number_of(const struct kmemtrace_column *column, const struct kmemtrace_field *value)
{
	return column->type == KMEMTRACE_REAL ? value->real :
	       column->type == KMEMTRACE_SIGNED ? (double)value->signed_number :
						  (double)value->number;
}

/* Print a value in the form of its unit. */
static void print_value(const struct kmemtrace_column *column, const struct kmemtrace_field *value,
			FILE *out)
{
	if (column->type == KMEMTRACE_TEXT)
		fputs(value->text ? value->text : "", out);
	else if (column->type == KMEMTRACE_ADDRESS)
		fprintf(out, "%#" PRIx64, value->number);
	else if (column->type == KMEMTRACE_BOOL)
		fputs(value->number ? "yes" : "no", out);
	else if (column->unit == KMEMTRACE_BYTES)
		fputs(BYTES(value->number), out);
	else if (column->unit == KMEMTRACE_NS)
		fputs(TIME(value->number), out);
	else if (column->unit == KMEMTRACE_TIME || column->unit == KMEMTRACE_CLOCK)
		fprintf(out, "%.9f", number_of(column, value) / 1e9);
	else if (column->unit == KMEMTRACE_RATIO)
		fprintf(out, "%.1f%%", 100 * value->real);
	else if (column->type == KMEMTRACE_REAL)
		fprintf(out, "%.6g", value->real);
	else if (column->type == KMEMTRACE_SIGNED && value->signed_number < 0)
		fprintf(out, "-%s", NUMBER(-value->signed_number));
	else
		fputs(NUMBER(value->number), out);
}

/* Print a value of the row; nothing where it has none. */
void print_cell(struct kmemtrace_relation *relation, const char *column, FILE *out)
{
	const int i = kmemtrace_relation_find(relation, column);
	struct kmemtrace_field value;

	if (i >= 0 && kmemtrace_relation_value(relation, i, &value))
		print_value(kmemtrace_relation_column(relation, i), &value, out);
}

/* Return a value of the row as a text, to be freed; "-" where it has none. */
static char *text_of_cell(struct kmemtrace_relation *relation, size_t column)
{
	struct kmemtrace_field value;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		out_of_memory();
	if (kmemtrace_relation_value(relation, column, &value))
		print_value(kmemtrace_relation_column(relation, column), &value, out);
	else
		putc('-', out);
	if (fclose(out))
		out_of_memory();
	return text;
}

/* Print the standard error of a value of the row, if it may have one. */
static void print_error(const struct report *r, struct kmemtrace_relation *relation, size_t column,
			FILE *out)
{
	const char *name = kmemtrace_relation_column(relation, column)->error;
	struct kmemtrace_field value, error;

	if (!name || !is_sample(r))
		return;
	kmemtrace_relation_value(relation, column, &value);
	value_of(relation, name, &error);
	error_text(r, value.number, error.number, out);
}

/* Print a value of the row in @width columns, after a blank. */
void print_column(const struct report *r, struct kmemtrace_relation *relation, const char *column,
		  int width, FILE *out)
{
	const int i = kmemtrace_relation_find(relation, column);
	char *text = text_of_cell(relation, i);

	fprintf(out, " %*s", width, text);
	free(text);
	print_error(r, relation, i, out);
}

/* Return a value of the row as a text, to be freed; "-" where it has none. */
char *cell_text(struct kmemtrace_relation *relation, const char *column)
{
	return text_of_cell(relation, kmemtrace_relation_find(relation, column));
}

/* Return whether the row has a value in a column. */
bool has_cell(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	return value_of(relation, column, &value);
}

/* Return the heading of a column. */
const char *heading_of(const struct kmemtrace_relation *relation, const char *column)
{
	return kmemtrace_relation_column(relation,
					 kmemtrace_relation_find(relation, column))->heading;
}

/* Return a value of the row, 0 where it has none. */
uint64_t cell_number(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value = { .number = 0 };

	value_of(relation, column, &value);
	return value.number;
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

/* Print a column whose name begins with a prefix, if the row has a value; @before it. */
static void print_of(struct kmemtrace_relation *relation, const char *prefix, const char *column,
		     const char *before, FILE *out)
{
	struct kmemtrace_field value;
	char name[32];

	snprintf(name, sizeof(name), "%s%s", prefix, column);
	if (!value_of(relation, name, &value))
		return;
	fputs(before, out);
	print_cell(relation, name, out);
}

/*
 * Print a place, such as "function+0x12 file.c:34": the first of these columns that is a key. File
 * and line of a call site and of a line follow.
 */
bool print_place(struct kmemtrace_relation *relation, const char *prefix, FILE *out)
{
	static const char * const columns[] = { "site", "function", "file", "module", "dir" };
	char name[32];
	size_t i;
	int found;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		snprintf(name, sizeof(name), "%s%s", prefix, columns[i]);
		found = kmemtrace_relation_find(relation, name);
		if (found < 0 || !kmemtrace_relation_column(relation, found)->is_key)
			continue;
		print_of(relation, prefix, columns[i], "", out);
		snprintf(name, sizeof(name), "%sline", prefix);
		if (i < 2 && kmemtrace_relation_find(relation, name) >= 0 &&
		    (!i || kmemtrace_relation_column(relation, kmemtrace_relation_find(relation,
										       name))->is_key)) {
			print_of(relation, prefix, "file", " ", out);
			print_of(relation, prefix, "line", ":", out);
		}
		return true;
	}
	return false;
}

/* Print where memory was allocated and where it was freed. */
void print_keys(struct kmemtrace_relation *relation, FILE *out)
{
	print_place(relation, "", out);
	fputs(", then ", out);
	print_place(relation, "freed_", out);
}

static void print_task_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field pid, tgid;

	fputs(text_of(relation, "task"), out);
	if (value_of(relation, "pid", &pid) && value_of(relation, "tgid", &tgid) &&
	    pid.number != tgid.number)
		fprintf(out, " of %s", text_of(relation, "process"));
}

static void print_cgroup_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field removed;

	fputs(text_of(relation, "cgroup"), out);
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
	const char *names = text_of(relation, "gfp_names");

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

/* Print what tells the row from others, but its allocator. */
void print_key(struct kmemtrace_relation *relation, FILE *out)
{
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;
	const char *separator = "";
	size_t i, j;

	for (j = 0; j < sizeof(keys) / sizeof(*keys); j++) {
		const int found = kmemtrace_relation_find(relation, keys[j].column);

		if (found < 0 || !kmemtrace_relation_column(relation, found)->is_key)
			continue;
		keys[j].print(relation, out);
		return;
	}
	if (print_place(relation, "", out))
		return;
	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++) {
		if (!column->is_key || !strcmp(column->name, "allocator") ||
		    !kmemtrace_relation_value(relation, i, &value))
			continue;
		fputs(separator, out);
		print_value(column, &value, out);
		separator = ", ";
	}
}

/* ---- tables ---- */

#define MAX_COLUMNS	16
#define MAX_HEADING	32

/* Columns have at least these widths, so that those of several tables are alike. */
#define COUNT_WIDTH	10
#define BYTES_WIDTH	9
#define SHARE_WIDTH	6

static int least_width(const struct kmemtrace_column *column, bool is_share)
{
	if (is_share || column->unit == KMEMTRACE_RATIO)
		return SHARE_WIDTH;
	return column->unit == KMEMTRACE_COUNT ? COUNT_WIDTH :
	       column->unit == KMEMTRACE_BYTES ? BYTES_WIDTH : 0;
}

/**
 * struct shown_column - a column of a table
 * @column: the column of the relation
 * @number: its number
 * @heading: above it
 * @is_share: it has parts of @whole
 * @has_error: a column for the standard error follows
 * @width: of its widest text
 * @whole: the same figure of all allocations
 */
struct shown_column {
	const struct kmemtrace_column *column;
	size_t number;
	char heading[MAX_HEADING];
	bool is_share, has_error;
	int width;
	uint64_t whole;
};

/* Parse "NAME[%][=HEADING],...". Return how many columns there are. */
static size_t parse_columns(const struct report *r, const struct kmemtrace_relation *relation,
			    enum kmemtrace_space space, const char *text, struct shown_column *list)
{
	size_t nr = 0, len, name;
	char buf[MAX_HEADING];
	int found;

	for (; *text && nr < MAX_COLUMNS; text += len + (text[len] == ',')) {
		struct shown_column *c = &list[nr];

		len = strcspn(text, ",");
		name = strcspn(text, ",%=");
		snprintf(buf, sizeof(buf), "%.*s", (int)name, text);
		found = kmemtrace_relation_find(relation, buf);
		if (found < 0)
			continue;
		*c = (struct shown_column) {
			.column = kmemtrace_relation_column(relation, found),
			.number = found,
			.is_share = text[name] == '%',
		};
		if (c->is_share)
			c->whole = total_figure(r, space, c->column->name);
		name += c->is_share;
		snprintf(c->heading, sizeof(c->heading), "%.*s", (int)(len - name - 1), text + name + 1);
		if (text[name] != '=')
			snprintf(c->heading, sizeof(c->heading), "%s", c->column->heading);
		c->has_error = c->column->error && is_sample(r) && !c->is_share;
		c->width = strlen(c->heading);
		if (c->width < least_width(c->column, c->is_share))
			c->width = least_width(c->column, c->is_share);
		nr++;
	}
	return nr;
}

/* Return a value as a text: a part of @whole, or itself. */
static char *shown_text(struct kmemtrace_relation *relation, const struct shown_column *c)
{
	struct kmemtrace_field value;
	char *text;

	if (!c->is_share)
		return text_of_cell(relation, c->number);
	kmemtrace_relation_value(relation, c->number, &value);
	if (asprintf(&text, "%s", PERCENT(value.number, c->whole)) < 0)
		out_of_memory();
	return text;
}

/* Print the headings, then a line for each row; its key comes last. */
void relation_text(const struct report *r, struct kmemtrace_relation *relation,
		enum kmemtrace_space space, const char *columns, const char *last, FILE *out)
{
	struct shown_column list[MAX_COLUMNS];
	size_t nr = parse_columns(r, relation, space, columns, list), nr_cells = 0, i, cell;
	char **cells = NULL;

	while (kmemtrace_relation_next(relation)) {
		for (i = 0; i < nr; i++) {
			cells = must_grow_list(cells, nr_cells, sizeof(*cells));
			cells[nr_cells] = shown_text(relation, &list[i]);
			if ((int)strlen(cells[nr_cells]) > list[i].width)
				list[i].width = strlen(cells[nr_cells]);
			nr_cells++;
		}
	}
	for (i = 0; i < nr; i++)
		fprintf(out, " %*s%s", list[i].width, list[i].heading,
			list[i].has_error ? error_blanks(r) : "");
	fprintf(out, "  %s\n", last);
	kmemtrace_relation_rewind(relation);
	for (cell = 0; kmemtrace_relation_next(relation);) {
		for (i = 0; i < nr; i++, cell++) {
			fprintf(out, " %*s", list[i].width, cells[cell]);
			if (list[i].has_error)
				print_error(r, relation, list[i].number, out);
			free(cells[cell]);
		}
		fputs("  ", out);
		print_key(relation, out);
		putc('\n', out);
	}
	free(cells);
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

/* The same; the last column is what the list is sorted by, unless it is another column. */
void sorted_text(const struct report *r, struct kmemtrace_relation *relation,
		 enum kmemtrace_space space, const char *columns, const char *last, FILE *out)
{
	const struct kmemtrace_column *sort = sort_beside(r, columns);
	char all[256];

	snprintf(all, sizeof(all), "%s%s%s", columns, sort ? "," : "", sort ? sort->name : "");
	relation_text(r, relation, space, all, last, out);
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
