// SPDX-License-Identifier: GPL-2.0
/*
 * text-table.c - lines of cells in columns
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/text-table.h"
#include "report/view.h"

/**
 * struct text_column - a column
 * @heading: above it
 * @is_left: its texts begin at the left
 * @width: of its widest text
 * @begin: where it begins in a line
 */
struct text_column {
	char *heading;
	bool is_left;
	int width, begin;
};

/* Return the characters of a text in UTF-8. */
static int characters(const char *text, size_t size)
{
	int nr = 0;

	while (size--)
		nr += (*text++ & 0xc0) != 0x80;
	return nr;
}

/* Lines of text are no longer than this, unless a word is. */
#define TEXT_WIDTH	80

/* Blanks before a line that goes on with a text, more than before its first line. */
#define TEXT_INDENT	4

/* Print a text in lines that end between words. */
static void print_wrapped(const char *text, size_t size, int indent, FILE *out)
{
	const char *const end = text + size;
	const char *word = text, *blank;
	int width, at = fprintf(out, "%*s", indent, "");

	for (; word < end; word = blank + 1) {
		blank = memchr(word, ' ', end - word);
		if (!blank)
			blank = end;
		width = characters(word, blank - word);
		if (word != text && at + 1 + width > TEXT_WIDTH)
			at = fprintf(out, "\n%*s", indent + TEXT_INDENT, "") - 1;
		else if (word != text)
			at += fprintf(out, " ");
		fwrite(word, blank - word, 1, out);
		at += width;
	}
}

/* Take the text of the last cell: in the first pass its width, later print it. */
static void end_cell(struct text_table *t)
{
	struct text_column *c;
	size_t size;
	int width;

	if (!t->next && !t->indent)
		return;
	size = ftello(t->cell);
	if (fflush(t->cell))
		out_of_memory();
	rewind(t->cell);
	if (t->indent) {
		if (t->pass == 2)
			print_wrapped(t->text, size, t->indent, t->out);
		t->indent = 0;
		return;
	}
	c = &t->columns[t->next - 1];
	width = characters(t->text, size);
	if (t->pass == 1) {
		c->width = width > c->width ? width : c->width;
	} else if (size) {
		const int blanks = c->begin + (c->is_left ? 0 : c->width - width) - t->at;

		/* A title may be longer than what it reaches over. */
		t->at += fprintf(t->out, "%*s", blanks > !!t->at ? blanks : !!t->at, "") + width;
		fwrite(t->text, size, 1, t->out);
	}
}

/* Let columns begin behind each other: one blank is between them, two are before texts. */
static void place_columns(struct text_table *t)
{
	struct text_column *c;
	int at = 0;

	for (c = t->columns; c < t->columns + t->nr; c++) {
		if (c->width)
			at += c->is_left ? 2 : 1;
		c->begin = at;
		at += c->width;
	}
}

static void end_line(struct text_table *t)
{
	end_cell(t);
	t->next = 0;
	t->at = 0;
}

static void print_headings(struct text_table *t)
{
	size_t i = 0;

	place_columns(t);
	if (t->is_titled) {
		print_title_begin(t->r, t->out);
		t->at = fprintf(t->out, "%s", t->columns[i++].heading);
	}
	for (; i < t->nr; i++)
		fputs(t->columns[i].heading, text_cell(t, 0, t->columns[i].heading));
	end_line(t);
	if (t->is_titled)
		print_title_end(t->r, t->out);
	else
		putc('\n', t->out);
}

/**
 * text_table_pass - begin the next pass over the cells of a table
 * @t: the table, of which @r, @out and @is_titled are set and all else is 0
 *
 * Return: false after the last pass. A table without any cell has no headings.
 */
bool text_table_pass(struct text_table *t)
{
	size_t i;

	if (!t->pass++) {
		t->cell = open_memstream(&t->text, &t->size);
		if (!t->cell)
			out_of_memory();
		return true;
	}
	if (t->pass == 2 && t->nr) {
		print_headings(t);
		return true;
	}
	fclose(t->cell);
	for (i = 0; i < t->nr; i++)
		free(t->columns[i].heading);
	free(t->columns);
	free(t->text);
	return false;
}

/* Go to the next row: in each pass, to all rows of a relation. Return false after the last pass. */
bool text_table_next(struct text_table *t, struct kmemtrace_relation *rows)
{
	if (!t->pass)
		text_table_pass(t);
	while (!kmemtrace_relation_next(rows)) {
		kmemtrace_relation_rewind(rows);
		if (!text_table_pass(t))
			return false;
	}
	return true;
}

static void add_text_column(struct text_table *t, int width, const char *heading)
{
	const bool is_title = t->is_titled && !t->nr;
	struct text_column *c;

	t->columns = must_grow_list(t->columns, t->nr, sizeof(*c));
	c = &t->columns[t->nr++];
	*c = (struct text_column) {
		.heading = strdup(heading), .is_left = width < 0, .width = abs(width),
	};
	if (!c->heading)
		out_of_memory();
	if (!is_title && characters(heading, strlen(heading)) > c->width)
		c->width = characters(heading, strlen(heading));
}

/**
 * text_cell - begin the next cell of a line
 * @t: the table
 * @width: the least width of its column; negative: of texts, which begin at the left
 * @heading: of its column: cells before it stay empty if it is not the next one
 *
 * Return: what takes its text, until the next cell or the end of the line.
 */
FILE *text_cell(struct text_table *t, int width, const char *heading)
{
	end_cell(t);
	while (t->next < t->nr && strcmp(t->columns[t->next].heading, heading))
		t->next++;
	if (t->next++ == t->nr)
		add_text_column(t, width, heading);
	return t->cell;
}

/**
 * text_below - begin a line below that of a row, which no column reaches into
 * @t: the table, after text_line_end()
 * @indent: blanks before the line, at least 1
 *
 * Return: what takes its text, until the end of the line. A long text takes several lines.
 */
FILE *text_below(struct text_table *t, int indent)
{
	t->indent = indent;
	return t->cell;
}

/* Print the standard error of an estimate, if the trace is a sample. */
void text_error(struct text_table *t, uint64_t value, uint64_t error)
{
	if (is_sample(t->r))
		fputs(ERROR(value, error), text_cell(t, 0, ""));
}

/* Print a part of a whole. */
void text_share(struct text_table *t, uint64_t part, uint64_t whole)
{
	fputs(PERCENT(part, whole), text_cell(t, 6, "share"));
}

/* End a line. */
void text_line_end(struct text_table *t)
{
	end_line(t);
	if (t->pass == 2)
		putc('\n', t->out);
}
