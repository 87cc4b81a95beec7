// SPDX-License-Identifier: GPL-2.0
/*
 * Table: a row for each call site and allocator.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "export/table.h"
#include "report/site.h"

enum {
	ALLOCATOR = NR_COMMON, SITE, FUNCTION, MODULE, SOURCE_FILE, LINE, FIGURES,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	[ALLOCATOR] = { "allocator", PARQUET_TEXT, false },
	[SITE] = { "site", PARQUET_TEXT, false },
	[FUNCTION] = { "function", PARQUET_TEXT, false },
	[MODULE] = { "module", PARQUET_TEXT, false },
	[SOURCE_FILE] = { "file", PARQUET_TEXT, true },
	[LINE] = { "line", PARQUET_NUMBER, true },
	FIGURE_COLUMNS,
	{ NULL }
};

static char *printed(const struct site *site,
		     void (*print)(const struct site *site, FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		print(site, out);
	if (!out || fclose(out))
		out_of_memory();
	return text;
}

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	struct site site;

	if (column == ALLOCATOR)
		return text_of_space(key);
	if (column == SITE)
		return text_of_site(t, key);
	site = site_find(&t->e->r, key);
	if (column == SOURCE_FILE)
		return text_copy(site.line.file);
	return printed(&site, column == MODULE ? print_site_module : print_site_function);
}

static int add_row(struct table_file *t, enum kmemtrace_space space,
		   const struct kmemtrace_row *row)
{
	const struct site site = site_find(&t->e->r, row->key);
	struct parquet *file = t->file;
	size_t column;

	table_begin_row(t);
	parquet_text(file, ALLOCATOR, space);
	for (column = SITE; column <= SOURCE_FILE; column++)
		parquet_text(file, column, row->key);
	if (site.line.file)
		parquet_number(file, LINE, site.line.line);
	table_add_figures(t, FIGURES, row);
	return parquet_end_row(file);
}

static int add_space(struct table_file *t, enum kmemtrace_space space)
{
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;
	size_t i;
	int ret = kmemtrace_aggregate(t->e->r.trace, space, KMEMTRACE_BY_SITE,
				      KMEMTRACE_KEYS, &rows);

	if (ret)
		return ret;
	for (i = 0; !ret && (row = kmemtrace_rows_get(rows, i)); i++)
		ret = add_row(t, space, row);
	kmemtrace_rows_close(rows);
	return ret;
}

static int add_sites(struct table_file *t)
{
	int space, ret = 0;

	for (space = 0; !ret && space < NR_SPACES; space++)
		ret = add_space(t, space);
	return ret;
}

const struct table_info table_sites = {
	.name = "sites",
	.columns = columns,
	.text = text,
	.end = add_sites,
};
