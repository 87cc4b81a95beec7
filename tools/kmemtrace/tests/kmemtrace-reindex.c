// SPDX-License-Identifier: GPL-2.0
/*
 * Change the contents of an index: kmemtrace-reindex SEED <index >index changes some words of one
 * frame, and writes frames with checksums that fit.
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "api/index.h"
#include "common/memory.h"

#define MAX_SIZE	(1 << 26)

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % below;
}

/* Values that are likely to be wrong, and others. */
static uint64_t draw_value(void)
{
	static const uint64_t values[] = {
		0, 1, 2, UINT8_MAX, UINT32_MAX, UINT64_MAX, INT64_MAX, UINT64_C(1) << 63,
		UINT64_C(1) << 32, UINT64_C(1) << 40,
	};
	const size_t i = draw(sizeof(values) / sizeof(*values) + 1);

	return i < sizeof(values) / sizeof(*values) ? values[i] : state;
}

/* Change a part of a word, or all of it. */
static void change(unsigned char *bytes, size_t size)
{
	static const size_t widths[] = { 1, 2, 4, 8 };
	const size_t width = widths[draw(4)];
	/* The begin of a state has more kinds of values than the rest. */
	const size_t within = draw(2) && size > 4096 ? 4096 : size;
	const uint64_t value = draw_value();
	size_t at;

	if (size < sizeof(value))
		return;
	at = draw(within - sizeof(value) + 1) / width * width;
	memcpy(bytes + at, &value, width);
}

/* Decompress a frame, change it if @changes, and append it to @out. */
static void copy_frame(const unsigned char *in, struct index_frame *frame, size_t changes,
		       unsigned char *out, size_t *end)
{
	unsigned char *bytes = must_calloc(1, frame->bytes + 1);
	size_t size = ZSTD_decompress(bytes, frame->bytes, in + frame->at, frame->stored);

	if (ZSTD_isError(size))
		errx(EXIT_UNUSABLE, "a frame is damaged");
	while (changes--)
		change(bytes, size);
	frame->at = *end;
	frame->stored = ZSTD_compress(out + *end, 2 * MAX_SIZE - *end, bytes, size, 1);
	*end += frame->stored;
	free(bytes);
}

int main(int argc, char **argv)
{
	unsigned char *in = must_calloc(1, MAX_SIZE), *out = must_calloc(2, MAX_SIZE), *table;
	size_t size = fread(in, 1, MAX_SIZE, stdin), end = 0, i, nr, chosen, begin;
	struct index_end last;
	struct index_point *points;

	if (argc != 2 || size < sizeof(last))
		errx(EXIT_UNUSABLE, "need SEED, and an index");
	state = strtoull(argv[1], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
	memcpy(&last, in + size - sizeof(last), sizeof(last));
	table = must_calloc(1, last.table.bytes + 1);
	if (ZSTD_isError(ZSTD_decompress(table, last.table.bytes, in + last.table.at,
					 last.table.stored)))
		errx(EXIT_UNUSABLE, "the table is damaged");
	/* The points are the end of the table, behind their number. */
	for (nr = 0; (nr + 1) * sizeof(*points) + 8 <= last.table.bytes; nr++) {
		uint64_t count;

		memcpy(&count, table + last.table.bytes - nr * sizeof(*points) - 8, 8);
		if (nr && count == nr)
			break;
	}
	begin = last.table.bytes - nr * sizeof(*points);
	points = must_calloc(nr + 1, sizeof(*points));
	memcpy(points, table + begin, nr * sizeof(*points));
	chosen = draw(nr + 1);
	for (i = 0; i < nr; i++)
		copy_frame(in, &points[i].frame, i == chosen || draw(2) ? 1 + draw(3) : 0,
			   out, &end);
	memcpy(table + begin, points, nr * sizeof(*points));
	if (chosen == nr)
		change(table, last.table.bytes);
	last.table.at = end;
	last.table.stored = ZSTD_compress(out + end, 2 * MAX_SIZE - end, table,
					  last.table.bytes, 1);
	end += last.table.stored;
	memcpy(out + end, &last, sizeof(last));
	end += sizeof(last);
	fwrite(out, 1, end, stdout);
	free(points);
	free(table);
	free(out);
	free(in);
	return 0;
}
