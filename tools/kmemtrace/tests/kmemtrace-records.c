// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-records DIR: print all records of a trace in the order of time, for tests that
 * compare them with what another program read: time, CPU, the fields of struct kmemtrace_event,
 * and the words behind it or the name.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmemtrace.h"
#include "linux/kmemtrace.h"

/* Return where the name at the end of a record begins; a large number: it has none. */
static size_t name_at(const struct kmemtrace_record *record)
{
	switch (record->id) {
	case KMEMTRACE_RECORD_CACHE:
		return sizeof(struct kmemtrace_cache);
	case KMEMTRACE_RECORD_TASK:
	case KMEMTRACE_RECORD_CGROUP:
		return sizeof(struct kmemtrace_event);
	}
	return SIZE_MAX;
}

/* Print a name as bytes: it may have blanks. */
static void print_name(const char *name, size_t size)
{
	size_t i, len = strnlen(name, size);

	printf(" x");
	for (i = 0; i < len; i++)
		printf("%02x", (unsigned char)name[i]);
}

static void print_record(const struct kmemtrace_record *record)
{
	const struct kmemtrace_event *ev = record->raw;
	const char *tail = record->raw;
	size_t at = sizeof(*ev);
	uint64_t word;

	printf("%" PRId64 " %u %d %u %u %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
	       record->time, record->cpu, record->id, ev->type_id, ev->event_size, ev->node,
	       (uint64_t)ev->call_site, (uint64_t)ev->ptr, (uint64_t)ev->bytes_req,
	       (uint64_t)ev->bytes_alloc, (uint64_t)ev->gfp_flags);
	for (; at + sizeof(word) <= record->raw_size; at += sizeof(word)) {
		if (at >= name_at(record))
			break;
		memcpy(&word, tail + at, sizeof(word));
		printf(" %" PRIu64, word);
	}
	if (name_at(record) != SIZE_MAX)
		print_name(tail + at, record->raw_size - at);
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
