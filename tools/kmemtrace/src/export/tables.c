// SPDX-License-Identifier: GPL-2.0
/*
 * parquet: the tables of a trace, each a file of Apache Parquet, for DuckDB, ClickHouse and others.
 *
 * All tables begin with the machine, its kernel and its boot, so that the files of many machines
 * are one table.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/output.h"
#include "export/tables.h"
#include "report/view.h"

static const struct table_info * const infos[] = {
	&table_lives,
	&table_sites,
	&table_caches,
	&table_cells,
	&table_traces,
};

#define NR_TABLES	(sizeof(infos) / sizeof(*infos))

/**
 * tables_choose - choose tables
 * @tables: result: a bit for each
 * @names: their names, separated by commas
 *
 * Return: 0 or -EINVAL.
 */
int tables_choose(unsigned int *tables, const char *names)
{
	size_t len, i;

	for (*tables = 0; *names; names += len + (names[len] == ',' && names[len + 1])) {
		len = strcspn(names, ",");
		for (i = 0; i < NR_TABLES; i++)
			if (strlen(infos[i]->name) == len && !strncmp(infos[i]->name, names, len))
				break;
		if (i == NR_TABLES)
			return -EINVAL;
		*tables |= 1U << i;
	}
	return *tables ? 0 : -EINVAL;
}

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

/* ---- files ---- */

static int open_table(struct table_file *t, const struct export *e,
		      const struct table_info *info)
{
	const struct parquet_user user = { text_of, t };

	*t = (struct table_file) { .e = e, .info = info };
	if (asprintf(&t->path, "%s/%s.parquet", e->path, info->name) < 0)
		out_of_memory();
	return parquet_open(&t->file, t->path, info->columns, &user);
}

static int close_table(struct table_file *t, int error)
{
	int ret = t->file ? parquet_close(t->file, error) : error;

	if (t->file && t->info->free)
		t->info->free(t);
	free(t->path);
	*t = (struct table_file) { .e = NULL };
	return ret;
}

static bool is_chosen(const struct export *e, size_t i)
{
	return !e->tables || e->tables >> i & 1;
}

static int take_life(void *tables, const struct kmemtrace_life *life)
{
	struct table_file *t = tables;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < NR_TABLES; i++)
		if (t[i].file && t[i].info->life)
			ret = t[i].info->life(&t[i], life);
	return ret;
}

/*
 * Create all files, so that an error comes before the work. Tables with a row for each life are
 * written while the trace is read.
 */
static int parquet_begin(struct export *e)
{
	struct table_file *tables = must_calloc(NR_TABLES, sizeof(*tables));
	bool has_lives = false;
	size_t i;
	int ret = 0;

	e->state = tables;
	if (mkdir(e->path, 0700) && errno != EEXIST)
		return output_fail(e->path, -errno);
	for (i = 0; !ret && i < NR_TABLES; i++) {
		if (!is_chosen(e, i))
			continue;
		ret = open_table(&tables[i], e, infos[i]);
		has_lives |= !!infos[i]->life;
	}
	if (!ret && has_lives)
		ret = kmemtrace_set_lives((struct kmemtrace_trace *)e->r.trace, take_life, tables);
	return ret;
}

static int parquet_end(struct export *e)
{
	struct table_file *tables = e->state;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < NR_TABLES; i++) {
		if (!tables[i].file)
			continue;
		if (infos[i]->end)
			ret = infos[i]->end(&tables[i]);
		ret = close_table(&tables[i], ret);
	}
	return ret;
}

/* Remove the tables that are still open: there was an error. */
static void parquet_free(struct export *e)
{
	struct table_file *tables = e->state;
	size_t i;

	for (i = 0; tables && i < NR_TABLES; i++)
		close_table(&tables[i], -ECANCELED);
	free(tables);
}

const struct format format_parquet = {
	.name = "parquet",
	.path = "kmemtrace.parquet",
	.is_folder = true,
	.has_tables = true,
	.begin = parquet_begin,
	.end = parquet_end,
	.free = parquet_free,
};
