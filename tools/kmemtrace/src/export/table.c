// SPDX-License-Identifier: GPL-2.0
/*
 * What the tables of a trace have in common: their file, their first columns, and texts.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/table.h"
#include "report/view.h"

/* ---- texts ---- */

/* Return a copy in printable ASCII; NULL of NULL. */
char *text_copy(const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;
	char *copy = text ? must_calloc(size, 1) : NULL;

	if (copy)
		text_printable(copy, size, text);
	return copy;
}

char *text_of_site(const struct table_file *t, uint64_t site)
{
	char name[1024];

	return text_copy(kmemtrace_site_name(t->e->r.trace, site, name, sizeof(name)));
}

char *text_of_space(uint64_t space)
{
	return text_copy(space_infos[space].name);
}

char *text_of_cache(const struct table_file *t, uint64_t cache)
{
	return text_copy(kmemtrace_cache_name(t->e->r.trace, cache));
}

static char *common_text(const struct table_file *t, size_t column)
{
	static const char * const keys[NR_COMMON] = { "host", "kernel_release", "boot_id" };

	if (!column && t->e->machine)
		return text_copy(t->e->machine);
	return text_copy(kmemtrace_metadata(t->e->r.trace, keys[column]));
}

static char *text_of(void *table, size_t column, uint64_t key)
{
	const struct table_file *t = table;

	return column < NR_COMMON ? common_text(t, column) : t->info->text(t, column, key);
}

/* Begin a row: set the columns that all tables have. */
void table_begin_row(struct table_file *t)
{
	size_t i;

	for (i = 0; i < NR_COMMON; i++)
		parquet_text(t->file, i, 0);
}

/* Set the FIGURE_COLUMNS, the first of which is @column. */
void table_add_figures(struct table_file *t, size_t column, const struct kmemtrace_row *row)
{
	const uint64_t figures[] = {
		row->allocs, row->frees, row->remote_frees, row->bytes_req, row->bytes_alloc,
		row->live, row->live_bytes_req, row->live_bytes_alloc, row->peak_bytes_alloc,
	};
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		parquet_number(t->file, column + i, figures[i]);
}

/* ---- files ---- */

/* Create the file of a table. */
int table_open(struct table_file *t, const struct export *e, const struct table_info *info)
{
	const struct parquet_user user = { text_of, t };

	*t = (struct table_file) { .e = e, .info = info };
	if (asprintf(&t->path, "%s/%s.parquet", e->path, info->name) < 0)
		out_of_memory();
	return parquet_open(&t->file, t->path, info->columns, &user);
}

/* Complete the file of a table; remove it after an error. Return @error, or another one. */
int table_close(struct table_file *t, int error)
{
	int ret = t->file ? parquet_close(t->file, error) : error;

	free(t->path);
	*t = (struct table_file) { .e = NULL };
	return ret;
}
