/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace directory that the items of a reader become.
 */
#ifndef IMPORT_OUTPUT_H
#define IMPORT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "import/item.h"
#include "import/stream.h"

/**
 * struct imported_trace - a trace that is written
 * @source: what recorded it, for the metadata
 * @max_items: more items are refused
 * @has_symbols: kallsyms came from elsewhere: the reader's are not written
 * @streams: its streams
 * @is_complete: the reader has read all
 * @error: why it could not; "" if it said nothing
 */
struct imported_trace {
	const char *source;
	uint64_t max_items;
	bool has_symbols;
	struct out_streams streams;
	bool is_complete;
	char error[ITEM_MAX_TEXT + 1];

	/* private: */
	uint64_t word_bits;
	uint32_t seen, unseen;
	uint64_t callers, no_callers;
	int64_t first, end;
	char *meta;
	size_t meta_size;
	FILE *meta_to, *kallsyms, *modules;
};

int output_read(struct imported_trace *o, FILE *from);
int output_end(struct imported_trace *o);
uint64_t output_events(const struct imported_trace *o);
uint64_t output_lost(const struct imported_trace *o);
void output_free(struct imported_trace *o);

#endif /* IMPORT_OUTPUT_H */
