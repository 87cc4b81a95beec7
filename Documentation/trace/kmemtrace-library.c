// SPDX-License-Identifier: GPL-2.0
/* What was the largest allocation, and who has most of what is live at the end? */
#include <inttypes.h>
#include <stdio.h>

#include <kmemtrace.h>

int main(int argc, char **argv)
{
	struct kmemtrace_record largest = { .bytes_alloc = 0 };
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	const struct kmemtrace_row *row;
	struct kmemtrace_trace *trace;
	struct kmemtrace_rows *rows;
	const char *doubt;
	char site[256];
	size_t i;

	if (kmemtrace_open(&trace, argc > 1 ? argv[1] : "kmemtrace.data") ||
	    kmemtrace_records_open(trace, &records))
		return 2;
	while (kmemtrace_records_next(records, &record) > 0)
		if (record->id == KMEMTRACE_RECORD_ALLOC &&
		    record->bytes_alloc > largest.bytes_alloc)
			largest = *record;
	kmemtrace_records_close(records);
	kmemtrace_site_name(trace, largest.call_site, site, sizeof(site));
	printf("largest: %" PRIu64 " bytes, %s\n", largest.bytes_alloc, site);

	if (kmemtrace_read(trace) ||
	    kmemtrace_aggregate(trace, KMEMTRACE_SPACE_SLAB, KMEMTRACE_BY_FUNCTION,
				KMEMTRACE_LIVE, &rows))
		return 2;
	for (i = 0; (doubt = kmemtrace_doubt(trace, i)); i++)
		printf("not the whole truth: %s\n", doubt);
	for (i = 0; i < 3 && (row = kmemtrace_rows_get(rows, i)); i++)
		printf("live: %" PRIu64 " bytes, %" PRIu64 " objects, %s\n",
		       row->live_bytes_alloc, row->live, row->name);
	kmemtrace_rows_close(rows);
	kmemtrace_close(trace);
	return 0;
}
