// SPDX-License-Identifier: GPL-2.0
/*
 * changes.c - the rows of the counters, and what changed since the last reading
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/changes.h"

#define NO_ID	UINT32_MAX

/**
 * struct counter_row - a row
 * @next: the next one in its bucket
 * @below: the next one of all, in the order in which they were seen first
 * @table: its table
 * @id: its number in the file; NO_ID: it has none
 * @seen: the last reading that had it
 * @now: its values in that reading
 * @written: its values in the file
 * @name: its name
 */
struct counter_row {
	struct counter_row *next, *below;
	enum counter_table table;
	uint32_t id;
	uint64_t seen;
	uint64_t now[COUNTER_VALUES], written[COUNTER_VALUES];
	char name[];
};

/* FNV-1a; the kernel's names need no better one. */
static uint32_t hash(enum counter_table table, const char *name)
{
	uint32_t h = 2166136261u ^ table;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h % CHANGES_BUCKETS;
}

/* Return the place of a row in its bucket, or of the end of the bucket. */
static struct counter_row **counter_row_at(struct changes *r, enum counter_table table,
					   const char *name)
{
	struct counter_row **at = &r->buckets[hash(table, name)];

	while (*at && ((*at)->table != table || strcmp((*at)->name, name)))
		at = &(*at)->next;
	return at;
}

static struct counter_row *add_counter_row(struct changes *r, struct counter_row **at,
					   enum counter_table table, const char *name)
{
	size_t size = strlen(name) + 1;
	struct counter_row *row = calloc(1, sizeof(*row) + size);

	if (!row)
		return NULL;
	row->table = table;
	row->id = NO_ID;
	memcpy(row->name, name, size);
	*at = row;
	*r->end = row;
	r->end = &row->below;
	r->nr++;
	return row;
}

/* Start a reading. */
void changes_begin(struct changes *r)
{
	if (!r->end)
		r->end = &r->first;
	r->reading++;
	r->left_out = 0;
}

/* Rows of one name, which a macro can make, are one; the size of an object stays. */
static void add_values(struct counter_row *row, const uint64_t *values)
{
	size_t i;

	for (i = 0; i < counter_nr_values(row->table); i++)
		if (row->table != COUNTER_SLABINFO || i != SLABINFO_SIZE)
			row->now[i] += values[i];
}

/* As procfs_fn: take a row of the current reading. */
int changes_take(void *changes, enum counter_table table, const char *name,
		 const uint64_t *values)
{
	struct changes *r = changes;
	struct counter_row **at = counter_row_at(r, table, name), *row = *at;

	if (!row && r->nr == COUNTER_MAX_ROWS) {
		r->left_out++;
		return 0;
	}
	if (!row)
		row = add_counter_row(r, at, table, name);
	if (!row)
		return -ENOMEM;
	if (row->seen == r->reading) {
		add_values(row, values);
		return 0;
	}
	row->seen = r->reading;
	memcpy(row->now, values, counter_nr_values(table) * sizeof(*values));
	return 0;
}

static void print_values(const struct counter_row *row, FILE *out)
{
	size_t i;

	for (i = 0; i < counter_nr_values(row->table); i++)
		fprintf(out, " %" PRIu64, row->now[i]);
}

static void write_counter_row(struct changes *r, struct counter_row *row, bool full, FILE *out)
{
	if (!full && row->id != NO_ID && !memcmp(row->now, row->written, sizeof(row->now)))
		return;
	if (full || row->id == NO_ID) {
		row->id = r->ids++;
		fprintf(out, "%s %" PRIu32, counter_table_name(row->table), row->id);
		print_values(row, out);
		fprintf(out, " %s\n", row->name);
	} else {
		fprintf(out, "%" PRIu32, row->id);
		print_values(row, out);
		fputc('\n', out);
	}
	memcpy(row->written, row->now, sizeof(row->now));
}

static void write_gone(struct counter_row *row, bool full, FILE *out)
{
	if (!full && row->id != NO_ID)
		fprintf(out, "gone %" PRIu32 "\n", row->id);
	row->id = NO_ID;
}

/* Free the row at @at, which the kernel does not have any more. */
static void free_gone_row(struct changes *r, struct counter_row **at)
{
	struct counter_row *row = *at, **bucket = counter_row_at(r, row->table, row->name);

	*bucket = row->next;
	*at = row->below;
	free(row);
	r->nr--;
}

/**
 * changes_write - write the rows of the current reading
 * @r: the rows
 * @full: write all rows, else only those that changed. IDs begin anew
 * @out: where to
 */
void changes_write(struct changes *r, bool full, FILE *out)
{
	struct counter_row **at = &r->first;

	if (full)
		r->ids = 0;
	while (*at) {
		struct counter_row *row = *at;

		if (row->seen == r->reading) {
			write_counter_row(r, row, full, out);
			at = &row->below;
			continue;
		}
		write_gone(row, full, out);
		free_gone_row(r, at);
	}
	r->end = at;
}

void changes_free(struct changes *r)
{
	struct counter_row *row, *below;

	for (row = r->first; row; row = below) {
		below = row->below;
		free(row);
	}
}
