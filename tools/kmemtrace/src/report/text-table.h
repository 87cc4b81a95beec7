/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of cells in columns, for people: widths follow from what is in the cells.
 *
 * Who prints a table makes all its cells twice. The first pass finds the columns and their widths;
 * the second one prints the headings and the lines, so that no cell has to be kept.
 */
#ifndef KMEMTRACE_REPORT_TEXT_TABLE_H
#define KMEMTRACE_REPORT_TEXT_TABLE_H

#include "report/report.h"

/**
 * struct text_table - a table that is being printed
 * @r: the report
 * @out: where to
 * @is_titled: the headings are a title, which begins with that of the first column; this one may
 *	be longer than the column
 * @cell: takes the text of the last cell
 * @columns: its columns, private as all that follows
 * @nr: entries of @columns; after the last pass, 0 means that nothing was printed
 * @next: number of the column behind that of the last cell
 * @indent: blanks before the line of text that is being printed; 0: it is one of cells
 * @at: characters that are printed in the present line
 * @pass: 0: not begun, 1: widths are found, 2: lines are printed
 * @text: the text of the last cell
 * @size: its bytes
 */
struct text_table {
	const struct report *r;
	FILE *out;
	bool is_titled;
	FILE *cell;
	struct text_column *columns;
	size_t nr, next;
	int indent, at, pass;
	char *text;
	size_t size;
};

bool text_table_pass(struct text_table *t);
bool text_table_next(struct text_table *t, struct kmemtrace_relation *rows);
FILE *text_cell(struct text_table *t, int width, const char *heading);
FILE *text_below(struct text_table *t, int indent);
void text_error(struct text_table *t, uint64_t value, uint64_t error);
void text_share(struct text_table *t, uint64_t part, uint64_t whole);
void text_line_end(struct text_table *t);

#endif /* KMEMTRACE_REPORT_TEXT_TABLE_H */
