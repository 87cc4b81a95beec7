// SPDX-License-Identifier: GPL-2.0
/* Print the call sites of the slab allocator with the most live memory at the end. */
#include <inttypes.h>
#include <kmemtrace.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query),
		.relation = "sites",
		.where = "allocator=slab",
		.sort = "live_bytes",
		.limit = 3,
		.columns = "live_bytes,live,site",
	};
	struct kmemtrace_field bytes, objects, site;
	struct kmemtrace_relation *sites;
	struct kmemtrace_trace *trace;

	if (argc != 2 || kmemtrace_open(&trace, argv[1], NULL) || kmemtrace_read(trace) ||
	    kmemtrace_relation_open(trace, &query, &sites, NULL))
		return 2;
	while (kmemtrace_relation_next(sites)) {
		kmemtrace_relation_value(sites, 0, &bytes);
		kmemtrace_relation_value(sites, 1, &objects);
		kmemtrace_relation_value(sites, 2, &site);
		printf("%" PRIu64 " bytes in %" PRIu64 " objects: %s\n", bytes.number,
		       objects.number, site.text);
	}
	kmemtrace_relation_close(sites);
	kmemtrace_close(trace);
}
