// SPDX-License-Identifier: GPL-2.0
/*
 * parquet: the tables of a trace, each a file of Apache Parquet, for DuckDB, ClickHouse and others.
 *
 * All tables begin with the machine, its kernel and its boot, so that the files of many machines
 * are one table.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/memory.h"
#include "export/output.h"
#include "export/table.h"

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
	struct kmemtrace_trace *trace = (struct kmemtrace_trace *)e->r.trace;
	struct table_file *tables = must_calloc(NR_TABLES, sizeof(*tables));
	bool has_lives = false, has_cells = false;
	size_t i;
	int ret = 0;

	e->state = tables;
	if (mkdir(e->path, 0700) && errno != EEXIST)
		return output_fail(e->path, -errno);
	for (i = 0; !ret && i < NR_TABLES; i++) {
		if (!is_chosen(e, i))
			continue;
		ret = table_open(&tables[i], e, infos[i]);
		has_lives |= !!infos[i]->life;
		has_cells |= infos[i]->has_cells;
	}
	if (!ret && has_lives)
		ret = kmemtrace_set_lives(trace, take_life, tables);
	if (!ret)
		ret = kmemtrace_set_cells(trace, has_cells);
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
		ret = table_close(&tables[i], ret);
	}
	return ret;
}

/* Remove the tables that are still open: there was an error. */
static void parquet_free(struct export *e)
{
	struct table_file *tables = e->state;
	size_t i;

	for (i = 0; tables && i < NR_TABLES; i++)
		table_close(&tables[i], -ECANCELED);
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
