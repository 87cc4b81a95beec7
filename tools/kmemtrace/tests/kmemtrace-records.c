// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-records DIR: print all records of a trace in the order of time, for tests that
 * compare them with what another program read: time, CPU, the first three fields, the name, and
 * the other fields but those that are the same in each record. Texts are bytes in hexadecimal,
 * as they may have blanks.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/records.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"

static void print_text(const char *text, size_t size)
{
	size_t i, len = strnlen(text, size);

	putchar('x');
	for (i = 0; i < len; i++)
		printf("%02x", (unsigned char)text[i]);
}

static void print_words(const char *words, size_t size)
{
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, words + i, sizeof(word));
		printf("%s%" PRIu64, i ? "," : "", word);
	}
}

static void print_field(const struct kmemtrace_record *record, const struct record_field *f)
{
	const char *at = (const char *)record->raw + f->offset;
	const size_t rest = record->raw_size - f->offset;

	printf(" %s=", f->name);
	if (f->kind == KIND_TEXT || f->kind == KIND_NAME)
		print_text(at, rest);
	else if (f->kind == KIND_WORDS)
		print_words(at, rest);
	else if (f->size == sizeof(int32_t))
		printf("%" PRId64, record_number(record->raw, f));
	else
		printf("%" PRIu64, (uint64_t)record_number(record->raw, f));
}

static void print_record(const struct kmemtrace_record *record)
{
	const struct kmemtrace_event *ev = record->raw;
	const struct record_layout *layout = record_layout(record->id, ev->type_id);
	const struct record_field *f;

	printf("%" PRId64 " %u %d %u %u %s", record->time, record->cpu, record->id, ev->type_id,
	       ev->event_size, layout ? layout->name : "other");
	for (f = layout ? layout->fields : NULL; f && f->name; f++)
		if (f->kind != KIND_ZEROS && f->kind != KIND_CONSTANT &&
		    f->offset + f->size <= record->raw_size)
			print_field(record, f);
	putchar('\n');
}

int main(int argc, char **argv)
{
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	struct kmemtrace_trace *trace;
	int ret;

	if (argc != 2)
		errx(EXIT_FAILURE, "usage: kmemtrace-records DIR");
	if (kmemtrace_open(&trace, argv[1], NULL) || kmemtrace_records_open(trace, &records))
		return EXIT_FAILURE;
	while ((ret = kmemtrace_records_next(records, &record)) > 0)
		print_record(record);
	kmemtrace_records_close(records);
	kmemtrace_close(trace);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
