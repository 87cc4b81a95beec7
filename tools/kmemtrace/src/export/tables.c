// SPDX-License-Identifier: GPL-2.0
/*
 * parquet: relations of the library, each a file of Apache Parquet, for DuckDB, ClickHouse and
 * others.
 *
 * All tables begin with the host, its kernel and its boot, so that the files of many machines are
 * one table.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/export.h"
#include "export/output.h"
#include "export/parquet.h"
#include "report/watch.h"

#define DEFAULT_TABLES	"trace,totals,sites,caches,cells,lives"

/* The columns with which each table begins: those of the relation trace, and their metadata. */
static const struct {
	const char *name, *key;
} common[] = {
	{ "host", "host" },
	{ "kernel", "kernel_release" },
	{ "boot_id", "boot_id" },
};

#define NR_COMMON	(sizeof(common) / sizeof(*common))

/**
 * struct table_file - a relation that is being written
 * @e: the export
 * @name: its name
 * @path: its file
 * @new: the file until it is whole
 * @fd: descriptor of the file, until @file is open; -1: there is none
 * @relation: the relation, or NULL
 * @columns: columns of the file
 * @numbers: of each of @columns but the first NR_COMMON: its number in @relation
 * @nr_columns: entries of @columns
 * @file: the open file, or NULL
 */
struct table_file {
	const struct export *e;
	const char *name;
	char *path;
	struct newfile new;
	int fd;
	struct kmemtrace_relation *relation;
	struct parquet_column *columns;
	size_t *numbers, nr_columns;
	struct parquet *file;
};

/**
 * struct tables - the tables that are being written
 * @list: the tables, at places that don't change
 * @nr: entries of @list
 * @is_new: their folder was created
 */
struct tables {
	struct table_file **list;
	size_t nr;
	bool is_new;
};

/* ---- choosing ---- */

/* Return whether a list of names, separated by commas, has one of @len bytes. */
static bool has_name(const char *names, const char *name, size_t len)
{
	size_t n;

	for (; *names; names += n + (names[n] == ',')) {
		n = strcspn(names, ",");
		if (n == len && !strncmp(names, name, len))
			return true;
	}
	return false;
}

/* Return whether names, separated by commas, are all those of relations. */
bool tables_exist(const char *names)
{
	const struct kmemtrace_relation_info *info;
	size_t len, i;

	do {
		len = strcspn(names, ",");
		for (i = 0; (info = kmemtrace_get_relation_info(i)); i++)
			if (strlen(info->name) == len && !strncmp(info->name, names, len))
				break;
		names += len;
	} while (info && *names++);
	return info;
}

/* ---- columns and texts ---- */

static bool is_common(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMON; i++)
		if (!strcmp(common[i].name, name))
			return true;
	return false;
}

static void add_column(struct table_file *t, struct parquet_column column, size_t number)
{
	const size_t nr = t->nr_columns++;

	/* The last one has no name. */
	t->columns = must_realloc(t->columns, nr + 2, sizeof(*t->columns));
	t->numbers = must_grow_list(t->numbers, nr, sizeof(*t->numbers));
	t->columns[nr] = column;
	t->columns[nr + 1] = (struct parquet_column) { .name = NULL };
	t->numbers[nr] = number;
}

static void list_table_columns(struct table_file *t)
{
	static const enum parquet_type types[] = {
		[KMEMTRACE_NUMBER] = PARQUET_NUMBER, [KMEMTRACE_SIGNED] = PARQUET_NUMBER,
		[KMEMTRACE_REAL] = PARQUET_REAL, [KMEMTRACE_BOOL] = PARQUET_BOOL,
		[KMEMTRACE_ADDRESS] = PARQUET_TEXT, [KMEMTRACE_TEXT] = PARQUET_TEXT,
	};
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; i < NR_COMMON; i++)
		add_column(t, (struct parquet_column) {
			.name = common[i].name, .type = PARQUET_TEXT, .is_optional = true,
			.is_constant = true,
		}, i);
	for (i = 0; (column = kmemtrace_relation_column(t->relation, i)); i++)
		if (!is_common(column->name))
			add_column(t, (struct parquet_column) {
				.name = column->name, .type = types[column->type],
				.is_optional = column->is_optional,
			}, i);
}

/* Return a copy of a text with the characters that can be shown; NULL of NULL. */
static char *visible(const char *text)
{
	char *copy = NULL;
	size_t size;
	FILE *out;

	if (!text)
		return NULL;
	out = open_memstream(&copy, &size);
	if (!out)
		out_of_memory();
	text_print(text, out);
	if (fclose(out))
		out_of_memory();
	return copy;
}

static char *text_of_key(void *table, size_t column, uint64_t key)
{
	const struct table_file *t = table;
	char *text;

	if (!column && t->e->host)
		return visible(t->e->host);
	if (column < NR_COMMON)
		return visible(kmemtrace_metadata(t->e->r.trace, common[column].key));
	text = kmemtrace_relation_text(t->relation, t->numbers[column], key);
	if (!text)
		out_of_memory();
	return text;
}

/* ---- rows ---- */

static int write_row(void *table, struct kmemtrace_relation *relation)
{
	const struct table_file *t = table;
	struct parquet *file = t->file;
	struct kmemtrace_field value;
	size_t i, nr = t->nr_columns;

	for (i = NR_COMMON; i < nr; i++)
		if (kmemtrace_relation_identity(relation, t->numbers[i], &value))
			parquet_set(file, i, value.number);
	return parquet_end_row(file);
}

/* Begin the file of a table, whose relation is open. */
static int begin_file(struct table_file *t)
{
	const struct parquet_user user = { text_of_key, t };
	const int fd = t->fd;

	t->fd = -1;
	list_table_columns(t);
	return parquet_open(&t->file, fd, t->path, t->columns, &user);
}

/* Write the rows of a table, unless the reading did. */
static int write_rows(struct table_file *t)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = t->name };
	int ret;

	if (t->relation)
		return 0;
	ret = kmemtrace_relation_open(t->e->r.trace, &query, &t->relation, NULL);
	if (!ret)
		ret = begin_file(t);
	while (!ret && kmemtrace_relation_next(t->relation))
		ret = watch_interrupted(NULL) ? -EINTR : write_row(t, t->relation);
	return ret;
}

/* ---- files ---- */

/* Create the file of a table, and prepare the reading of the trace for its relation. */
static int create_table(struct table_file *t, const struct kmemtrace_relation_info *info)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = info->name };
	struct kmemtrace_trace *trace = (struct kmemtrace_trace *)t->e->r.trace;
	int ret;

	if (asprintf(&t->path, "%s/%s.parquet", t->e->path, info->name) < 0)
		out_of_memory();
	t->fd = output_create(&t->new, t->path);
	if (t->fd < 0)
		return t->fd;
	if (info->needs_cells)
		return kmemtrace_set_cells(trace, true);
	if (!info->is_followed)
		return 0;
	ret = kmemtrace_relation_follow(trace, &query, write_row, t, &t->relation, NULL);
	return ret ? ret : begin_file(t);
}

/* Write the rest of a table. Return @error, or another one. */
static int finish_table(struct table_file *t, int error)
{
	if (t->file)
		error = parquet_close(t->file, error);
	else if (t->fd >= 0)
		close(t->fd);
	t->file = NULL;
	t->fd = -1;
	kmemtrace_relation_close(t->relation);
	t->relation = NULL;
	return error;
}

/* Create all files, so that an error comes before the work. */
static int parquet_begin(struct export *e)
{
	const char *names = e->tables ? e->tables : DEFAULT_TABLES;
	struct tables *tables = must_calloc(1, sizeof(*tables));
	const struct kmemtrace_relation_info *info;
	struct table_file *t;
	size_t i;
	int ret = 0;

	e->state = tables;
	tables->is_new = !mkdir(e->path, 0700);
	if (!tables->is_new && errno != EEXIST)
		return output_fail(e->path, -errno);
	for (i = 0; !ret && (info = kmemtrace_get_relation_info(i)); i++) {
		if (!has_name(names, info->name, strlen(info->name)))
			continue;
		t = must_calloc(1, sizeof(*t));
		*t = (struct table_file) {
			.e = e, .name = info->name, .new.fd = -1, .fd = -1,
		};
		tables->list = must_grow_list(tables->list, tables->nr, sizeof(*tables->list));
		tables->list[tables->nr++] = t;
		ret = create_table(t, info);
	}
	return ret;
}

/* Write all tables, and let them have their names when all are whole. */
static int parquet_end(struct export *e)
{
	struct tables *tables = e->state;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < tables->nr; i++)
		ret = finish_table(tables->list[i], write_rows(tables->list[i]));
	for (i = 0; !ret && i < tables->nr; i++)
		ret = output_finish(&tables->list[i]->new, tables->list[i]->path, 0);
	return ret;
}

static void free_table_file(struct table_file *t)
{
	finish_table(t, -ECANCELED);
	output_finish(&t->new, t->path, -ECANCELED);
	free(t->columns);
	free(t->numbers);
	free(t->path);
	free(t);
}

/* Remove the tables that have no name, and a folder that is empty then: there was an error. */
static void parquet_free(struct export *e)
{
	struct tables *tables = e->state;

	if (!tables)
		return;
	while (tables->nr)
		free_table_file(tables->list[--tables->nr]);
	if (tables->is_new)
		rmdir(e->path);
	free(tables->list);
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
