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

static const char *text_of_value(struct kmemtrace_relation *relation, const char *column)
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

	fputs(text_of_value(relation, "task"), out);
	if (value_of(relation, "pid", &pid) && value_of(relation, "tgid", &tgid) &&
	    pid.number != tgid.number)
		fprintf(out, " of %s", text_of_value(relation, "process"));
}

static void print_cgroup_key(struct kmemtrace_relation *relation, FILE *out)
{
	struct kmemtrace_field removed;

	fputs(text_of_value(relation, "cgroup"), out);
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
	const char *names = text_of_value(relation, "gfp_names");

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
		const int found = kmemtrace_relation_find(relation, keys[j].column);

		if (found < 0 || !kmemtrace_relation_column(relation, found)->is_key)
			continue;
		keys[j].print(relation, out);
		return;
	}
	if (print_place(relation, "", out))
		return;
	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++) {
		if (!column->is_key || !strcmp(column->name, "allocator") || is_id(column->name) ||
		    !kmemtrace_relation_value(relation, i, &value))
			continue;
		fputs(separator, out);
		print_value(column, &value, out);
		separator = ", ";
	}
}

/* ---- tables ---- */

/* Columns have at least these widths, so that those of several tables are alike. */
#define COUNT_WIDTH	10
#define BYTES_WIDTH	9
#define SHARE_WIDTH	6

static int least_width(const struct shown_column *c)
{
	if (c->is_share || c->column->unit == KMEMTRACE_RATIO)
		return SHARE_WIDTH;
	return c->column->unit == KMEMTRACE_COUNT ? COUNT_WIDTH :
	       c->column->unit == KMEMTRACE_BYTES && !c->is_exact ? BYTES_WIDTH : 0;
}

static void widen(struct shown_column *c, const char *text)
{
	if ((int)strlen(text) > c->width)
		c->width = strlen(text);
}

/* Return the width as printf() has it: texts begin at the left. */
static int width_of(const struct shown_column *c)
{
	return c->column->type == KMEMTRACE_TEXT ? -c->width : c->width;
}

/* Parse "NAME[%|#][=HEADING],...": %: a part of the whole; #: bytes without a unit. */
static void parse_columns(struct text_table *t, enum kmemtrace_space space, const char *text)
{
	size_t len, name;
	char buf[TABLE_HEADING_LEN];
	int found;

	for (t->nr = 0; *text && t->nr < TABLE_MAX_COLUMNS; text += len + (text[len] == ',')) {
		struct shown_column *c = &t->list[t->nr];

		len = strcspn(text, ",");
		name = strcspn(text, ",%#=");
		snprintf(buf, sizeof(buf), "%.*s", (int)name, text);
		found = kmemtrace_relation_find(t->relation, buf);
		if (found < 0)
			continue;
		*c = (struct shown_column) {
			.column = kmemtrace_relation_column(t->relation, found),
			.is_share = text[name] == '%',
			.is_exact = text[name] == '#',
		};
		if (c->is_share)
			c->whole = total_figure(t->r, space, c->column->name);
		name += c->is_share || c->is_exact;
		snprintf(c->heading, sizeof(c->heading), "%.*s", (int)(len - name - 1), text + name + 1);
		if (text[name] != '=')
			snprintf(c->heading, sizeof(c->heading), "%s", c->column->heading);
		c->has_error = c->column->error && is_sample(t->r) && !c->is_share;
		c->width = least_width(c);
		widen(c, c->heading);
		t->nr++;
	}
}

/* Return a value of a row as a text, to be freed. */
static char *shown_text(struct kmemtrace_relation *row, const struct shown_column *c)
{
	const int i = kmemtrace_relation_find(row, c->column->name);
	struct kmemtrace_field value;
	char *text = NULL;

	if (!(c->is_share || c->is_exact))
		return text_of_cell(row, i);
	if (asprintf(&text, "%s", !kmemtrace_relation_value(row, i, &value) ? "-" :
		     c->is_share ? PERCENT(value.number, c->whole) : NUMBER(value.number)) < 0)
		out_of_memory();
	return text;
}

/**
 * text_table_begin - print the headings of a table
 * @t: result
 * @r: the report
 * @relation: its rows, with which the columns are wide enough; it is at its begin again
 * @space: the allocator of which shares are
 * @columns: names of columns, separated by commas, see parse_columns()
 * @last: the heading of what the caller prints after each row
 * @out: where to
 */
void text_table_begin(struct text_table *t, const struct report *r,
		      struct kmemtrace_relation *relation, enum kmemtrace_space space,
		      const char *columns, const char *last, FILE *out)
{
	char *text;
	size_t i;

	*t = (struct text_table) { .r = r, .relation = relation };
	parse_columns(t, space, columns);
	while (kmemtrace_relation_next(relation)) {
		for (i = 0; i < t->nr; i++) {
			text = shown_text(relation, &t->list[i]);
			widen(&t->list[i], text);
			free(text);
		}
	}
	kmemtrace_relation_rewind(relation);
	for (i = 0; i < t->nr; i++)
		fprintf(out, " %*s%s", width_of(&t->list[i]), t->list[i].heading,
			t->list[i].has_error ? error_blanks(r) : "");
	fprintf(out, "  %s\n", last);
}

/*
 * Print the present row of a relation. One of another relation, below a row, has figures alone: the
 * columns that may lack a value describe the row above.
 */
void text_table_row(const struct text_table *t, struct kmemtrace_relation *row, FILE *out)
{
	const struct shown_column *c;
	char *text;

	for (c = t->list; c < t->list + t->nr; c++) {
		if (row != t->relation && c->column->is_optional) {
			fprintf(out, " %*s", c->width, "");
			continue;
		}
		text = shown_text(row, c);
		fprintf(out, " %*s", width_of(c), text);
		free(text);
		if (c->has_error)
			print_error(t->r, row, kmemtrace_relation_find(row, c->column->name), out);
	}
	fputs("  ", out);
}

/* Return the width of a table before what the caller prints. */
int text_table_width(const struct text_table *t)
{
	int width = 2;
	size_t i;

	for (i = 0; i < t->nr; i++)
		width += 1 + t->list[i].width + (t->list[i].has_error ? ERROR_COLUMNS : 0);
	return width;
}

/* Print the headings, then a line for each row; its key comes last. */
void relation_text(const struct report *r, struct kmemtrace_relation *relation,
		   enum kmemtrace_space space, const char *columns, const char *last, FILE *out)
{
	struct text_table t;

	text_table_begin(&t, r, relation, space, columns, last, out);
	while (kmemtrace_relation_next(relation)) {
		text_table_row(&t, relation, out);
		print_key(relation, out);
		putc('\n', out);
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
