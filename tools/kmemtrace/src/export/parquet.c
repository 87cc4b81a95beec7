// SPDX-License-Identifier: GPL-2.0
/*
 * Write a table as a file of Apache Parquet.
 *
 * The rows are collected in memory until they are a row group. Then each column becomes a chunk:
 * of numbers, one page with all values; of texts, a page with the different ones and a page
 * with their indices. Pages are compressed with zstd. The metadata at the end of the file says
 * where each chunk is.
 *
 * The format is that of https://parquet.apache.org/docs/file-format/, with data pages of
 * version 1, which every reader knows.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "common/file.h"
#include "common/lookup.h"
#include "export/output.h"
#include "export/parquet.h"
#include "export/thrift.h"

#define MAGIC		"PAR1"
#define CREATED_BY	"kmemtrace-export version " PACKAGE_VERSION

/* Rows of a row group. */
#define GROUP_ROWS	(64 * 1024)

/* A level of zstd: higher ones take much longer, and save little. */
#define LEVEL		3

/* No index. */
#define NO_INDEX	UINT32_MAX

/* Numbers of parquet.thrift. */
enum {
	TYPE_BOOLEAN		= 0,
	TYPE_INT64		= 2,
	TYPE_DOUBLE		= 5,
	TYPE_BYTE_ARRAY		= 6,
	CONVERTED_UTF8		= 0,
	REPETITION_REQUIRED	= 0,
	REPETITION_OPTIONAL	= 1,
	ENCODING_PLAIN		= 0,
	ENCODING_RLE		= 3,
	ENCODING_DICTIONARY	= 8,
	CODEC_ZSTD		= 6,
	PAGE_DATA		= 0,
	PAGE_DICTIONARY		= 2,
};

/**
 * struct column_chunk - the values of a column in the current row group
 * @info: its name and type
 * @values: of each row, as for parquet_set(); of a text, the index of its key
 * @is_set: of each row: it has a value
 * @nr_set: rows that have one
 * @keys: of a text, the different keys, by index
 * @nr_keys: entries of @keys
 * @lookup: finds indices of keys
 */
struct column_chunk {
	const struct parquet_column *info;
	uint64_t *values;
	bool *is_set;
	size_t nr_set;
	uint64_t *keys;
	uint32_t nr_keys;
	struct lookup lookup;
};

/**
 * struct chunk - where a column of a row group is
 * @offset: where in the file it begins
 * @data: where in the file its page of data is
 * @size: its bytes
 * @uncompressed: its bytes without compression
 */
struct chunk {
	uint64_t offset, data, size, uncompressed;
};

/**
 * struct parquet - a file that is being written
 * @path: for messages
 * @fd: the file
 * @at: bytes that were written
 * @user: of the texts
 * @columns: the columns
 * @nr_columns: entries of @columns
 * @nr: rows of the current row group
 * @room: rows that the columns have room for
 * @rows: rows of all row groups before
 * @groups: their metadata
 * @nr_groups: how many
 * @zstd: compresses
 * @page: the page that is made
 * @packed: the page, compressed
 */
struct parquet {
	const char *path;
	int fd;
	uint64_t at;
	struct parquet_user user;
	struct column_chunk *columns;
	size_t nr_columns;
	size_t nr, room;
	uint64_t rows;
	struct bytes groups;
	size_t nr_groups;
	ZSTD_CCtx *zstd;
	struct bytes page, packed;
};

/* ---- rows ---- */

/* Make room for one more row. */
static void make_room(struct parquet *p)
{
	size_t i;

	if (p->nr < p->room)
		return;
	p->room = p->room ? 2 * p->room : 256;
	for (i = 0; i < p->nr_columns; i++) {
		struct column_chunk *c = &p->columns[i];

		c->values = must_realloc(c->values, p->room, sizeof(*c->values));
		c->is_set = must_realloc(c->is_set, p->room, sizeof(*c->is_set));
		memset(c->is_set + p->nr, 0, (p->room - p->nr) * sizeof(*c->is_set));
	}
}

/* Return the index of the key of a text. */
static uint32_t index_of(const struct parquet *p, struct column_chunk *c, uint64_t key)
{
	struct lookup_place place;
	uint32_t i;

	/* Neighbours often have the same text. */
	if (p->nr && c->is_set[p->nr - 1] && c->keys[c->values[p->nr - 1]] == key)
		return c->values[p->nr - 1];
	place = lookup_begin(&c->lookup, &key, sizeof(key));
	while ((i = lookup_next(&c->lookup, &place)) != LOOKUP_NONE)
		if (c->keys[i] == key)
			return i;
	c->keys = must_grow_list(c->keys, c->nr_keys, sizeof(*c->keys));
	if (!lookup_add(&c->lookup, &place, c->nr_keys))
		out_of_memory();
	c->keys[c->nr_keys] = key;
	return c->nr_keys++;
}

/**
 * parquet_set - set a value of the current row
 * @p: the file
 * @column: number of the column
 * @value: the number, the bits of the double, 0 or 1, or the key of the text. Numbers too large
 *	for int64_t are in hostile traces only
 */
void parquet_set(struct parquet *p, size_t column, uint64_t value)
{
	struct column_chunk *c = &p->columns[column];

	c->values[p->nr] = c->info->type == PARQUET_TEXT ? index_of(p, c, value) : value;
	c->is_set[p->nr] = true;
	c->nr_set++;
}

/* ---- pages ---- */

static int write_bytes(struct parquet *p, const void *bytes, size_t len)
{
	int ret = file_write_all(p->fd, bytes, len);

	p->at += len;
	return ret ? output_fail(p->path, ret) : 0;
}

static void add_page_head(struct bytes *to, int type, size_t size, size_t packed, uint32_t nr,
			  int encoding)
{
	struct thrift head = { .to = to }, part;

	thrift_i32(&head, 1, type);
	thrift_i32(&head, 2, size);
	thrift_i32(&head, 3, packed);
	part = thrift_struct(&head, type == PAGE_DATA ? 5 : 7);
	thrift_i32(&part, 1, nr);
	thrift_i32(&part, 2, encoding);
	if (type == PAGE_DATA) {
		thrift_i32(&part, 3, ENCODING_RLE);
		thrift_i32(&part, 4, ENCODING_RLE);
	}
	thrift_end(&part);
	thrift_end(&head);
}

/* Compress and write the page, and count its bytes. */
static int write_page(struct parquet *p, struct chunk *chunk, int type, uint32_t nr,
		      int encoding)
{
	size_t max = ZSTD_compressBound(p->page.len), len;
	struct bytes head = { .len = 0 };
	int ret;

	p->packed.len = 0;
	len = ZSTD_compressCCtx(p->zstd, bytes_extend(&p->packed, max), max, p->page.at,
				p->page.len, LEVEL);
	if (ZSTD_isError(len))
		return -ENOMEM;
	add_page_head(&head, type, p->page.len, len, nr, encoding);
	chunk->size += head.len + len;
	chunk->uncompressed += head.len + p->page.len;
	ret = write_bytes(p, head.at, head.len);
	if (!ret)
		ret = write_bytes(p, p->packed.at, len);
	free(head.at);
	p->page.len = 0;
	return ret;
}

/* ---- numbers of few bits: runs of one number, and groups of 8 ---- */

/* Return how many numbers from @at on are the same, at most @most. */
static size_t run_of(const uint32_t *numbers, size_t at, size_t nr, size_t most)
{
	size_t n = 1;

	while (at + n < nr && n < most && numbers[at + n] == numbers[at])
		n++;
	return n;
}

static void add_run(struct bytes *to, uint32_t number, size_t nr, unsigned int bits)
{
	bytes_add_varint(to, (uint64_t)nr << 1);
	bytes_add_le(to, number, (bits + 7) / 8);
}

/* Add groups of 8 numbers; the last one is filled with zeros. */
static void add_groups(struct bytes *to, const uint32_t *numbers, size_t nr, unsigned int bits)
{
	size_t groups = (nr + 7) / 8, i;
	uint64_t word = 0;
	unsigned int used = 0;

	bytes_add_varint(to, (uint64_t)groups << 1 | 1);
	for (i = 0; i < 8 * groups; i++) {
		word |= (uint64_t)(i < nr ? numbers[i] : 0) << used;
		for (used += bits; used >= 8; used -= 8, word >>= 8)
			bytes_add_u8(to, word);
	}
}

static void add_numbers(struct bytes *to, const uint32_t *numbers, size_t nr, unsigned int bits)
{
	const size_t worth = 16;
	size_t i, end, run;

	for (i = 0; i < nr; i = end) {
		run = run_of(numbers, i, nr, nr);
		end = i + run;
		if (run >= worth || end == nr) {
			add_run(to, numbers[i], run, bits);
			continue;
		}
		end = i;
		do
			end += 8;
		while (end < nr && run_of(numbers, end, nr, worth) < worth);
		if (end > nr)
			end = nr;
		add_groups(to, numbers + i, end - i, bits);
	}
}

static unsigned int bits_of(uint32_t n)
{
	return n ? 32 - __builtin_clz(n) : 0;
}

/* ---- chunks ---- */

/* Add which rows have a value, of which there are some. */
static void add_mixed_levels(struct parquet *p, const struct column_chunk *c)
{
	uint32_t *levels = must_calloc(p->nr, sizeof(*levels));
	size_t i;

	for (i = 0; i < p->nr; i++)
		levels[i] = c->is_set[i];
	add_numbers(&p->page, levels, p->nr, 1);
	free(levels);
}

/* Add which rows have a value, behind the number of bytes. */
static void add_levels(struct parquet *p, const struct column_chunk *c)
{
	const size_t at = p->page.len;
	uint32_t size;

	if (!c->info->is_optional)
		return;
	bytes_add_le(&p->page, 0, sizeof(size));
	if (c->nr_set && c->nr_set < p->nr)
		add_mixed_levels(p, c);
	else
		add_run(&p->page, c->nr_set > 0, p->nr, 1);
	size = htole32(p->page.len - at - sizeof(size));
	memcpy(p->page.at + at, &size, sizeof(size));
}

/* Keep the values that are written: of an optional column those that are set. */
static size_t pack_values(const struct parquet *p, struct column_chunk *c)
{
	size_t i, nr = 0;

	if (c->nr_set == p->nr)
		return p->nr;
	for (i = 0; i < p->nr; i++)
		if (c->is_set[i] || !c->info->is_optional)
			c->values[nr++] = c->is_set[i] ? c->values[i] : 0;
	return nr;
}

/* Numbers have 8 bytes, booleans are 8 in a byte, the first one in its lowest bit. */
static int write_numbers(struct parquet *p, struct column_chunk *c, struct chunk *chunk)
{
	const bool is_bool = c->info->type == PARQUET_BOOL;
	unsigned char *to;
	uint64_t value;
	size_t i, nr;

	add_levels(p, c);
	nr = pack_values(p, c);
	to = bytes_extend(&p->page, is_bool ? (nr + 7) / 8 : nr * sizeof(value));
	for (i = 0; i < nr && is_bool; i++)
		to[i / 8] = (i % 8 ? to[i / 8] : 0) | c->values[i] << i % 8;
	for (i = 0; i < nr && !is_bool; i++) {
		value = htole64(c->values[i]);
		memcpy(to + i * sizeof(value), &value, sizeof(value));
	}
	return write_page(p, chunk, PAGE_DATA, p->nr, ENCODING_PLAIN);
}

/*
 * Write the different texts. Set in @indices, for each index of a key, the index of its text:
 * several keys may have one text. Return how many texts there are. No text is in memory twice.
 */
static uint32_t add_texts(struct parquet *p, const struct column_chunk *c, uint32_t *indices)
{
	size_t *places = must_calloc(c->nr_keys + 1, sizeof(*places)), len;
	struct lookup lookup = { .nr = 0 };
	struct lookup_place place;
	uint32_t i, found, nr = 0;
	char *text;

	for (i = 0; i < c->nr_keys; i++) {
		text = p->user.text(p->user.arg, c - p->columns, c->keys[i]);
		if (!text && c->info->is_optional) {
			indices[i] = NO_INDEX;
			continue;
		}
		len = text ? strlen(text) : 0;
		place = lookup_begin(&lookup, text ?: "", len);
		while ((found = lookup_next(&lookup, &place)) != LOOKUP_NONE)
			if (places[found + 1] - places[found] == sizeof(uint32_t) + len &&
			    !memcmp(p->page.at + places[found + 1] - len, text ?: "", len))
				break;
		if (found == LOOKUP_NONE) {
			if (!lookup_add(&lookup, &place, nr))
				out_of_memory();
			found = nr++;
			bytes_add_le(&p->page, len, sizeof(uint32_t));
			bytes_add(&p->page, text, len);
			places[nr] = p->page.len;
		}
		indices[i] = found;
		free(text);
	}
	lookup_free(&lookup);
	free(places);
	return nr;
}

static int write_texts(struct parquet *p, struct column_chunk *c, struct chunk *chunk)
{
	uint32_t *indices = must_calloc(c->nr_keys + 1, sizeof(*indices));
	uint32_t *values = must_calloc(p->nr + 1, sizeof(*values)), nr_texts;
	unsigned int bits;
	size_t i, nr = 0;
	int ret;

	nr_texts = add_texts(p, c, indices);
	bits = bits_of(nr_texts ? nr_texts - 1 : 0);
	ret = write_page(p, chunk, PAGE_DICTIONARY, nr_texts, ENCODING_PLAIN);
	chunk->data = p->at;
	for (i = 0; i < p->nr; i++) {
		c->is_set[i] = c->is_set[i] && indices[c->values[i]] != NO_INDEX;
		if (c->is_set[i])
			values[nr++] = indices[c->values[i]];
	}
	c->nr_set = nr;
	if (!ret) {
		add_levels(p, c);
		bytes_add_u8(&p->page, bits);
		add_numbers(&p->page, values, nr, bits);
		ret = write_page(p, chunk, PAGE_DATA, p->nr, ENCODING_DICTIONARY);
	}
	free(indices);
	free(values);
	return ret;
}

static int type_of(const struct column_chunk *c)
{
	static const int types[] = {
		[PARQUET_NUMBER] = TYPE_INT64, [PARQUET_REAL] = TYPE_DOUBLE,
		[PARQUET_BOOL] = TYPE_BOOLEAN, [PARQUET_TEXT] = TYPE_BYTE_ARRAY,
	};

	return types[c->info->type];
}

static void add_chunk(struct parquet *p, const struct column_chunk *c, const struct chunk *chunk)
{
	struct thrift t = { .to = &p->groups }, meta;
	bool is_text = c->info->type == PARQUET_TEXT;

	thrift_i64(&t, 2, chunk->offset);
	meta = thrift_struct(&t, 3);
	thrift_i32(&meta, 1, type_of(c));
	thrift_list(&meta, 2, THRIFT_I32, is_text ? 3 : 2);
	thrift_number(&p->groups, ENCODING_PLAIN);
	thrift_number(&p->groups, ENCODING_RLE);
	if (is_text)
		thrift_number(&p->groups, ENCODING_DICTIONARY);
	thrift_list(&meta, 3, THRIFT_BINARY, 1);
	thrift_text(&p->groups, c->info->name);
	thrift_i32(&meta, 4, CODEC_ZSTD);
	thrift_i64(&meta, 5, p->nr);
	thrift_i64(&meta, 6, chunk->uncompressed);
	thrift_i64(&meta, 7, chunk->size);
	thrift_i64(&meta, 9, chunk->data);
	if (is_text)
		thrift_i64(&meta, 11, chunk->offset);
	thrift_end(&meta);
	thrift_end(&t);
}

static void set_constant(struct parquet *p, struct column_chunk *c)
{
	index_of(p, c, 0);
	memset(c->values, 0, p->nr * sizeof(*c->values));
	memset(c->is_set, true, p->nr * sizeof(*c->is_set));
	c->nr_set = p->nr;
}

static int write_chunk(struct parquet *p, struct column_chunk *c, struct chunk *chunk)
{
	int ret;

	if (c->info->is_constant)
		set_constant(p, c);
	*chunk = (struct chunk) { .offset = p->at, .data = p->at };
	if (c->info->type == PARQUET_TEXT)
		ret = write_texts(p, c, chunk);
	else
		ret = write_numbers(p, c, chunk);
	add_chunk(p, c, chunk);
	memset(c->is_set, 0, p->room * sizeof(*c->is_set));
	c->nr_set = 0;
	lookup_free(&c->lookup);
	c->nr_keys = 0;
	return ret;
}

/* Write the rows that were collected. */
static int write_group(struct parquet *p)
{
	struct thrift t = { .to = &p->groups };
	uint64_t size = 0;
	struct chunk chunk;
	size_t i;
	int ret = 0;

	thrift_list(&t, 1, THRIFT_STRUCT, p->nr_columns);
	for (i = 0; !ret && i < p->nr_columns; i++) {
		ret = write_chunk(p, &p->columns[i], &chunk);
		size += chunk.uncompressed;
	}
	thrift_i64(&t, 2, size);
	thrift_i64(&t, 3, p->nr);
	thrift_end(&t);
	p->nr_groups++;
	p->rows += p->nr;
	p->nr = 0;
	return ret;
}

/* End the current row. Return 0, or -errno after a message. */
int parquet_end_row(struct parquet *p)
{
	int ret = ++p->nr == GROUP_ROWS ? write_group(p) : 0;

	make_room(p);
	return ret;
}

/* ---- the file ---- */

static void add_schema(struct bytes *to, const struct column_chunk *c)
{
	struct thrift t = { .to = to };

	thrift_i32(&t, 1, type_of(c));
	thrift_i32(&t, 3, c->info->is_optional ? REPETITION_OPTIONAL : REPETITION_REQUIRED);
	thrift_string(&t, 4, c->info->name);
	if (c->info->type == PARQUET_TEXT)
		thrift_i32(&t, 6, CONVERTED_UTF8);
	thrift_end(&t);
}

static int write_footer(struct parquet *p)
{
	struct bytes footer = { .len = 0 };
	struct thrift t = { .to = &footer }, root = { .to = &footer };
	size_t i;
	int ret;

	thrift_i32(&t, 1, 1);
	thrift_list(&t, 2, THRIFT_STRUCT, p->nr_columns + 1);
	thrift_string(&root, 4, "table");
	thrift_i32(&root, 5, p->nr_columns);
	thrift_end(&root);
	for (i = 0; i < p->nr_columns; i++)
		add_schema(&footer, &p->columns[i]);
	thrift_i64(&t, 3, p->rows);
	thrift_list(&t, 4, THRIFT_STRUCT, p->nr_groups);
	bytes_add(&footer, p->groups.at, p->groups.len);
	thrift_string(&t, 6, CREATED_BY);
	thrift_end(&t);
	bytes_add_le(&footer, footer.len, sizeof(uint32_t));
	bytes_add(&footer, MAGIC, strlen(MAGIC));
	ret = write_bytes(p, footer.at, footer.len);
	free(footer.at);
	return ret;
}

static void free_all(struct parquet *p)
{
	size_t i;

	for (i = 0; i < p->nr_columns; i++) {
		free(p->columns[i].values);
		free(p->columns[i].is_set);
		free(p->columns[i].keys);
		lookup_free(&p->columns[i].lookup);
	}
	free(p->columns);
	free(p->groups.at);
	free(p->page.at);
	free(p->packed.at);
	ZSTD_freeCCtx(p->zstd);
	free(p);
}

/**
 * parquet_open - begin a file
 * @parquet: result; NULL after an error
 * @fd: its descriptor, from output_create(), which parquet_close() closes
 * @path: its path, which stays valid
 * @columns: its columns, which stay valid
 * @user: the texts
 *
 * Return: 0, or -errno after a message.
 */
int parquet_open(struct parquet **parquet, int fd, const char *path,
		 const struct parquet_column *columns, const struct parquet_user *user)
{
	struct parquet *p = must_calloc(1, sizeof(*p));
	size_t i;
	int ret;

	*parquet = NULL;
	while (columns[p->nr_columns].name)
		p->nr_columns++;
	p->columns = must_calloc(p->nr_columns, sizeof(*p->columns));
	for (i = 0; i < p->nr_columns; i++)
		p->columns[i].info = &columns[i];
	p->fd = fd;
	p->path = path;
	p->user = *user;
	p->zstd = ZSTD_createCCtx();
	if (!p->zstd)
		out_of_memory();
	make_room(p);
	ret = write_bytes(p, MAGIC, strlen(MAGIC));
	if (ret)
		return parquet_close(p, ret);
	*parquet = p;
	return 0;
}

/**
 * parquet_close - write the rest of a file, unless there was an error
 * @p: the file
 * @error: 0, or an error as -errno
 *
 * Return: @error; or -errno after a message.
 */
int parquet_close(struct parquet *p, int error)
{
	const char *path = p->path;

	if (!error && p->nr)
		error = write_group(p);
	if (!error)
		error = write_footer(p);
	if (close(p->fd) && !error)
		error = output_fail(path, -errno);
	free_all(p);
	return error;
}
