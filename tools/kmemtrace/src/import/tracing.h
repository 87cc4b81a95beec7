/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracing data: the formats of tracepoints, as perf stores them.
 */
#ifndef IMPORT_TRACING_H
#define IMPORT_TRACING_H

#include "import/span.h"

struct tep_handle;

/**
 * struct tracing - the machine that the formats are of
 * @word_bits: bits of a word
 * @page_size: bytes of a page
 */
struct tracing {
	unsigned int word_bits;
	uint64_t page_size;
};

const char *tracing_read(struct span *s, struct tep_handle *tep, struct tracing *t);

#endif /* IMPORT_TRACING_H */
