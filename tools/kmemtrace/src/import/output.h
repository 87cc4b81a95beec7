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

/* Bytes of the kernel's names, without the 0 behind them: of utsname, symbols and modules. */
#define NAME_OF_MACHINE	64
/* Longest command. */
#define IMPORT_COMMAND	255
#define NAME_OF_SYMBOL	511
#define NAME_OF_MODULE	63

/**
 * struct imported_trace - a trace that is written
 * @source: what recorded it, for the metadata
 * @path: its folder, for messages
 * @has_symbols: kallsyms came from elsewhere: the reader's are not written
 * @cut: names that were longer than those of a kernel
 * @streams: its streams
 * @is_complete: the reader has read all
 * @error: why it could not; "" if it said nothing
 */
struct imported_trace {
	const char *source, *path;
	bool has_symbols;
	uint64_t cut;
	struct out_streams streams;
	bool is_complete;
	char error[ITEM_MAX_TEXT + 1];

	/* private: */
	uint64_t word_bits;
	uint32_t seen, unseen;
	uint64_t callers, no_callers;
	int64_t first, end;
	char meta[NR_META][IMPORT_COMMAND + 1];
	FILE *kallsyms, *modules;
};

int output_read(struct imported_trace *o, FILE *from);
int output_symbol(struct imported_trace *o, const char *text);
int output_end(struct imported_trace *o);
uint64_t output_events(const struct imported_trace *o);
uint64_t output_lost(const struct imported_trace *o);
void output_free(struct imported_trace *o);

#endif /* IMPORT_OUTPUT_H */
