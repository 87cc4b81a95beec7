// SPDX-License-Identifier: GPL-2.0
/* Print the largest allocation, and the functions with the most live memory at the end. */
#include <inttypes.h>
#include <kmemtrace.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	const struct kmemtrace_row *row;
	struct kmemtrace_trace *trace;
	struct kmemtrace_rows *rows;
	uint64_t largest = 0, i;

	if (argc != 2 || kmemtrace_open(&trace, argv[1], NULL) || kmemtrace_read(trace) ||
	    kmemtrace_records_open(trace, &records) ||
	    kmemtrace_aggregate(trace, KMEMTRACE_SPACE_SLAB, KMEMTRACE_BY_FUNCTION,
				KMEMTRACE_LIVE, &rows))
		return 2;
	while (kmemtrace_records_next(records, &record) > 0)
		if (record->id == KMEMTRACE_RECORD_ALLOC && record->bytes_alloc > largest)
			largest = record->bytes_alloc;
	printf("largest: %" PRIu64 " bytes\n", largest);
	for (i = 0; i < 3 && (row = kmemtrace_rows_get(rows, i)); i++)
		printf("live: %" PRIu64 " bytes, %s\n", row->live_bytes_alloc, row->name);
	kmemtrace_records_close(records);
	kmemtrace_rows_close(rows);
	kmemtrace_close(trace);
}
