/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader of a foreign file finds, as items in a pipe. The reader runs in a process of
 * its own; the items are all that the other side believes, and it checks each of them.
 */
#ifndef IMPORT_ITEM_H
#define IMPORT_ITEM_H

#include <stdint.h>
#include <stdio.h>

#include "linux/kmemtrace.h"

/* Bytes of the text of one item. */
#define ITEM_MAX_TEXT	4096

/* No Linux has more CPUs. */
#define IMPORT_CPUS	8192

/* No tracer loses so many events; their bytes are a number of 64 bits. */
#define ITEM_MAX_LOST	(UINT64_C(1) << 40)

/**
 * enum item_kind - what an item is
 * @ITEM_EVENT: an allocation, free or failure: @event
 * @ITEM_LOST: @value events are missing before @time; 0: an unknown number
 * @ITEM_LOST_ALL: @value more events of @cpu are missing in all, those of ITEM_LOST included
 * @ITEM_SEEN: events of row @value of the table in formats.c were recorded
 * @ITEM_WORD_BITS: @value bits of a word of the machine
 * @ITEM_PAGE_SIZE: @value bytes of a page
 * @ITEM_BIG_ENDIAN: the machine is big-endian if @value
 * @ITEM_UNCERTAINTY: clocks of two CPUs may differ by @value nanoseconds
 * @ITEM_UNSEEN: the source does not see the enum unseen @value
 * @ITEM_META: the text is enum meta @value of the metadata; the first one counts
 * @ITEM_SYMBOL: the text is a line of kallsyms
 * @ITEM_MODULE: the text is the name of a module; @event has its address and bytes
 * @ITEM_ERROR: the text says why the file can't be read
 * @ITEM_END: all has been read
 */
enum item_kind {
	ITEM_EVENT,
	ITEM_LOST,
	ITEM_LOST_ALL,
	ITEM_SEEN,
	ITEM_WORD_BITS,
	ITEM_PAGE_SIZE,
	ITEM_BIG_ENDIAN,
	ITEM_UNCERTAINTY,
	ITEM_UNSEEN,
	ITEM_META,
	ITEM_SYMBOL,
	ITEM_MODULE,
	ITEM_ERROR,
	ITEM_END,
};

/* What the metadata says of the machine. */
enum meta {
	META_CPUS,
	META_RELEASE,
	META_MACHINE,
	META_HOST,
	META_RAM,
	META_COMMAND,
	NR_META
};

/**
 * struct item - one item
 * @kind: enum item_kind
 * @cpu: its CPU
 * @size: bytes of text behind the item, at most ITEM_MAX_TEXT
 * @zero: 0
 * @time: nanoseconds
 * @value: see enum item_kind
 * @event: of ITEM_EVENT and ITEM_MODULE, in this machine's byte order
 */
struct item {
	uint32_t kind;
	uint32_t cpu;
	uint32_t size;
	uint32_t zero;
	int64_t time;
	uint64_t value;
	struct kmemtrace_event event;
};

int item_read(FILE *from, struct item *item, char text[ITEM_MAX_TEXT + 1]);

void item_value(FILE *to, enum item_kind kind, uint64_t value);
void item_lost(FILE *to, enum item_kind kind, uint32_t cpu, int64_t time, uint64_t value);
void item_event(FILE *to, uint32_t cpu, const struct kmemtrace_event *event);
void item_module(FILE *to, const char *name, uint64_t address, uint64_t bytes);
void item_meta(FILE *to, enum meta meta, const char *text);
void item_text(FILE *to, enum item_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* IMPORT_ITEM_H */
