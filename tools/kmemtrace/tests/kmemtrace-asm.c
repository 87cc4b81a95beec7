// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-asm: write the streams that a table on the standard input
 * describes, valid or not.
 *
 * A line is one record:
 *	CPU EVENT TYPE SIZE NODE SITE PTR REQ ALLOC GFP TIME [TAIL...]
 * The columns have the names of struct kmemtrace_event; in other records, the
 * fields at the same places. EVENT is the name of a record in common/records.def, or
 * a number; TYPE is kmalloc, cache, pages, percpu, vmalloc, end or a number, such as
 * the op of a cache.
 *
 * TAIL follows the first 56 bytes: numbers of 8 bytes each, and "TEXT" without blanks,
 * which ends with one or more zeros up to a multiple of 8 bytes; in it, "\HH" is any
 * byte. SIZE is the size in the record, which may differ from its length; if SIZE is
 * larger, zeros follow.
 *
 * "CPU pad BYTES [AT]" is a pad of BYTES bytes; the byte at AT is not 0. "CPU raw HEX"
 * writes these bytes. A '#' begins a comment.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "common/records.h"

enum column {
	CPU, EVENT, TYPE, SIZE, NODE, SITE, PTR, REQ, ALLOC, GFP, TIME,
	NR_COLUMNS
};

/**
 * struct line - one line of the table
 * @values: of the columns
 * @nr: columns so far
 * @tail: words after the columns
 * @tail_size: bytes of it
 */
struct line {
	uint64_t values[NR_COLUMNS];
	size_t nr;
	char tail[EVENT_MAX_SIZE];
	size_t tail_size;
};

/* Parse a name of the column, or any number. */
static uint64_t value_of(const char *word, enum column column)
{
	const struct record_layout *l;
	unsigned int i;

	for (l = record_layouts; column == EVENT && l->name; l++)
		if (!strcmp(word, l->name))
			return l->id;
	for (i = 0; column == TYPE && i < EVENT_NR_TYPES; i++)
		if (!strcmp(word, record_types[i]))
			return i;
	if (column == TYPE && !strcmp(word, "end"))
		return KMEMTRACE_TYPE_END;
	return strtoull(word, NULL, 0);
}

static int emit_pad(FILE *f)
{
	unsigned char rec[UINT16_MAX + 1] = { 0 };
	struct kmemtrace_event ev = { .event_id = KMEMTRACE_EVENT_PAD };
	unsigned long at;

	ev.event_size = strtoul(asm_word(), NULL, 0);
	at = strtoul(asm_word(), NULL, 0);
	event_encode(&ev, asm_order, rec);
	if (at && at < ev.event_size)
		rec[at] = 0xff;
	fwrite(rec, ev.event_size, 1, f);
	return 0;
}

static void emit_record(FILE *f, const struct line *l)
{
	char rec[UINT16_MAX] = { 0 };
	const uint64_t *v = l->values;
	size_t size = EVENT_MIN_SIZE + l->tail_size;
	struct kmemtrace_event ev = {
		.event_id = v[EVENT],
		.type_id = v[TYPE],
		.event_size = v[SIZE],
		.node = v[NODE],
		.call_site = v[SITE],
		.ptr = v[PTR],
		.bytes_req = v[REQ],
		.bytes_alloc = v[ALLOC],
		.gfp_flags = v[GFP],
		.timestamp = v[TIME],
	};

	event_encode(&ev, asm_order, rec);
	memcpy(rec + EVENT_MIN_SIZE, l->tail, l->tail_size);
	fwrite(rec, ev.event_size > size ? ev.event_size : size, 1, f);
}

/* Write "TEXT" or a number as whole words. */
static int add_tail(struct line *l, const char *word)
{
	char *tail = l->tail + l->tail_size;
	size_t size = 8;

	/* No text is longer than its word. */
	if (l->tail_size + strlen(word) + size > sizeof(l->tail))
		return -EINVAL;
	if (*word == '"')
		size = (asm_text(tail, word) + 7) / 8 * 8;
	else
		event_encode_word(strtoull(word, NULL, 0), asm_order, tail);
	l->tail_size += size;
	return 0;
}

static int emit_line(FILE *f, unsigned int cpu, const char *word)
{
	struct line l = { .values = { [CPU] = cpu }, .nr = EVENT };

	if (!strcmp(word, "pad"))
		return emit_pad(f);
	for (; *word; word = asm_word()) {
		if (l.nr < NR_COLUMNS) {
			l.values[l.nr] = value_of(word, l.nr);
			l.nr++;
		} else if (add_tail(&l, word)) {
			return -EINVAL;
		}
	}
	if (l.nr < NR_COLUMNS)
		return -EINVAL;
	emit_record(f, &l);
	return 0;
}

static const struct opt opts[] = {
	ASM_OPT_ORDER,
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-asm",
	.operands = "DIR",
	.purpose = "Write the streams that a table on the standard input describes into DIR.",
	.opts = opts,
};

int main(int argc, char **argv)
{
	return asm_main(&prog, argc, argv, emit_line);
}
