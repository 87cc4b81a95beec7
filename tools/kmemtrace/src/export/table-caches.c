// SPDX-License-Identifier: GPL-2.0
/*
 * Table: a row for each slab cache with a counter.
 */
#include "config.h"

#include "export/table.h"

enum {
	CACHE = NR_COMMON, OBJECT_SIZE, SLOT_SIZE, CREATED, DESTROYED, FIGURES,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	/* null: large kmalloc(), which has no cache, or a cache without a name */
	[CACHE] = { "cache", PARQUET_TEXT, true },
	[OBJECT_SIZE] = { "object_size", PARQUET_NUMBER, true },
	[SLOT_SIZE] = { "slot_size", PARQUET_NUMBER, true },
	[CREATED] = { "created_ns", PARQUET_NUMBER, true },
	[DESTROYED] = { "destroyed_ns", PARQUET_NUMBER, true },
	FIGURE_COLUMNS,
	{ NULL }
};

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	(void)column;
	return text_of_cache(t, key);
}

static void set_cache(struct parquet *file, const struct kmemtrace_slab_cache *cache)
{
	if (!cache || !cache->address)
		return;
	parquet_number(file, OBJECT_SIZE, cache->object_size);
	parquet_number(file, SLOT_SIZE, cache->slot_size);
	if (cache->is_created)
		parquet_number(file, CREATED, cache->created);
	if (cache->is_destroyed)
		parquet_number(file, DESTROYED, cache->destroyed);
}

static int add_row(struct table_file *t, const struct kmemtrace_row *row)
{
	struct parquet *file = t->file;

	table_begin_row(t);
	parquet_text(file, CACHE, row->key);
	set_cache(file, kmemtrace_get_cache(t->e->r.trace, row->key));
	table_add_figures(t, FIGURES, row);
	return parquet_end_row(file);
}

static bool key_of_kind(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->cache;
	return true;
}

static int add_caches(struct table_file *t)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = key_of_kind,
	};
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;
	size_t i;
	int ret = kmemtrace_group(t->e->r.trace, KMEMTRACE_SPACE_SLAB, &grouping,
				  KMEMTRACE_KEYS, &rows);

	if (ret)
		return ret;
	for (i = 0; !ret && (row = kmemtrace_rows_get(rows, i)); i++)
		ret = add_row(t, row);
	kmemtrace_rows_close(rows);
	return ret;
}

const struct table_info table_caches = {
	.name = "caches",
	.columns = columns,
	.text = text,
	.end = add_caches,
};
