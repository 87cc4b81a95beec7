// SPDX-License-Identifier: GPL-2.0
/*
 * Table: a row for each allocation, with its end.
 */
#include "config.h"

#include "export/table.h"
#include "report/view.h"

enum {
	ALLOCATOR = NR_COMMON, API, SITE, FREED_BY, CACHE, BORN, DIED, CPU, FREED_CPU, BYTES_REQ,
	BYTES, WEIGHT,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	[ALLOCATOR] = { "allocator", PARQUET_TEXT, false },
	[API] = { "api", PARQUET_TEXT, true },
	[SITE] = { "site", PARQUET_TEXT, false },
	[FREED_BY] = { "freed_by", PARQUET_TEXT, true },
	[CACHE] = { "cache", PARQUET_TEXT, true },
	[BORN] = { "born_ns", PARQUET_NUMBER, true },
	[DIED] = { "died_ns", PARQUET_NUMBER, true },
	[CPU] = { "cpu", PARQUET_NUMBER, true },
	[FREED_CPU] = { "freed_cpu", PARQUET_NUMBER, true },
	[BYTES_REQ] = { "bytes_req", PARQUET_NUMBER, false },
	[BYTES] = { "bytes", PARQUET_NUMBER, false },
	[WEIGHT] = { "weight", PARQUET_NUMBER, false },
	{ NULL }
};

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	switch (column) {
	case ALLOCATOR:
		return text_of_space(key);
	case API:
		return key == KMEMTRACE_API_UNKNOWN ? NULL : text_copy(api_names[key]);
	case CACHE:
		return text_of_cache(t, key);
	default:
		return text_of_site(t, key);
	}
}

static int add_life(struct table_file *t, const struct kmemtrace_life *life)
{
	struct parquet *file = t->file;

	table_begin_row(t);
	parquet_text(file, ALLOCATOR, life->space);
	parquet_text(file, API, life->api);
	parquet_text(file, SITE, life->call_site);
	parquet_text(file, CACHE, life->cache);
	parquet_number(file, BYTES_REQ, life->bytes_req);
	parquet_number(file, BYTES, life->bytes_alloc);
	parquet_number(file, WEIGHT, life->weight);
	if (!life->is_older) {
		parquet_number(file, BORN, life->born);
		parquet_number(file, CPU, life->cpu);
	}
	if (life->is_ended) {
		parquet_number(file, DIED, life->died);
		parquet_number(file, FREED_CPU, life->free_cpu);
	}
	if (life->has_free)
		parquet_text(file, FREED_BY, life->free_site);
	return parquet_end_row(file);
}

const struct table_info table_lives = {
	.name = "lives",
	.columns = columns,
	.text = text,
	.life = add_life,
};
