// SPDX-License-Identifier: GPL-2.0
/*
 * archive.c - values as bytes, to be stored and restored
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/archive.h"

/* The length of a text that is missing. */
#define NO_TEXT	UINT64_MAX

/* Make room for @size more bytes. Return false without memory. */
static bool make_room(struct archive *a, size_t size)
{
	size_t room = a->room ? a->room : 4096;
	unsigned char *bytes;

	while (room - a->size < size)
		room *= 2;
	if (room == a->room)
		return true;
	bytes = context_realloc(a->ctx, a->bytes, 1, room);
	if (!bytes)
		return false;
	a->bytes = bytes;
	a->room = room;
	return true;
}

static void write_bytes(struct archive *a, const void *value, size_t size)
{
	if (a->is_damaged || !size)
		return;
	if (!make_room(a, size)) {
		a->is_damaged = true;
		return;
	}
	memcpy(a->bytes + a->size, value, size);
	a->size += size;
}

/**
 * archive_bytes - write or read a value
 * @a: the archive
 * @value: the value; zeros if it can't be read
 * @size: its bytes
 */
void archive_bytes(struct archive *a, void *value, size_t size)
{
	if (!a->reads) {
		write_bytes(a, value, size);
		return;
	}
	archive_expect(a, size <= a->size - a->at);
	if (!size)
		return;
	if (a->is_damaged) {
		memset(value, 0, size);
		return;
	}
	memcpy(value, a->bytes + a->at, size);
	a->at += size;
}

/**
 * archive_rows - write or read many values that are alike
 * @a: the archive
 * @rows: the values; zeros if they can't be read
 * @nr: how many
 * @size: bytes of each
 *
 * Bytes are stored by column: the first byte of each value, then the second byte of each. Columns
 * compress better than rows.
 */
void archive_rows(struct archive *a, void *rows, size_t nr, size_t size)
{
	unsigned char *row = rows, *column;
	size_t i, k;

	if (!a->reads) {
		if (!a->is_damaged && !make_room(a, nr * size))
			a->is_damaged = true;
		if (a->is_damaged)
			return;
		column = a->bytes + a->size;
		a->size += nr * size;
	} else {
		archive_expect(a, !nr || size <= (a->size - a->at) / nr);
		if (a->is_damaged) {
			memset(rows, 0, nr * size);
			return;
		}
		column = a->bytes + a->at;
		a->at += nr * size;
	}
	for (k = 0; k < size; k++, column += nr)
		for (i = 0; i < nr; i++)
			if (a->reads)
				row[i * size + k] = column[i];
			else
				column[i] = row[i * size + k];
}

/* Write or read a truth value. */
void archive_bool(struct archive *a, bool *value)
{
	*value = archive_number(a, *value, true);
}

/**
 * archive_number - write or read a number
 * @a: the archive
 * @number: the number, if it is written
 * @max: the largest possible number
 *
 * Return: the number.
 */
uint64_t archive_number(struct archive *a, uint64_t number, uint64_t max)
{
	archive_value(a, &number);
	archive_expect(a, number <= max);
	return a->is_damaged ? 0 : number;
}

/**
 * archive_count - write or read a number of entries that follow
 * @a: the archive
 * @nr: the number, if it is written
 * @size: bytes that each entry has at least
 *
 * Return: the number, no more than there are bytes for.
 */
size_t archive_count(struct archive *a, size_t nr, size_t size)
{
	return archive_number(a, nr, a->reads ? (a->size - a->at) / size : SIZE_MAX);
}

/**
 * archive_list - write or read a list of values without pointers
 * @a: the archive
 * @list: the list that is written; if one is read, NULL
 * @nr: number of entries, if it is read as archive_count() returned it
 * @size: bytes of each
 *
 * Return: the list, fit for context_grow_list(); NULL if it can't be read.
 */
void *archive_list(struct archive *a, void *list, size_t nr, size_t size)
{
	size_t room = 1;

	while (room < nr)
		room *= 2;
	if (a->reads)
		list = context_calloc(a->ctx, room, size);
	archive_expect(a, list || !nr);
	if (list)
		archive_bytes(a, list, nr * size);
	return list;
}

/* Write or read a text, or NULL. A text that is read is the caller's. */
void archive_text(struct archive *a, char **text)
{
	uint64_t len = NO_TEXT;

	if (a->reads)
		*text = NULL;
	else if (*text)
		len = strlen(*text);
	len = archive_number(a, len, NO_TEXT);
	if (len == NO_TEXT)
		return;
	archive_expect(a, !a->reads || len <= a->size - a->at);
	if (a->is_damaged)
		return;
	if (a->reads)
		*text = context_calloc(a->ctx, len + 1, 1);
	if (*text)
		archive_bytes(a, *text, len);
}

/* Expect that what was read is possible. */
void archive_expect(struct archive *a, bool is_possible)
{
	if (is_possible && !context_error(a->ctx))
		return;
	a->is_damaged = true;
	a->at = a->size;
}

/* Free the values. */
void archive_free(struct archive *a)
{
	free(a->bytes);
	*a = (struct archive) { .ctx = a->ctx };
}
