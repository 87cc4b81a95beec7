/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of the ABI and their fields. records.def has the rows.
 */
#ifndef KMEMTRACE_RECORDS_H
#define KMEMTRACE_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum record_kind - what a field holds, and the rule for its value
 * @KIND_NUMBER: a number
 * @KIND_BYTES: a number of bytes
 * @KIND_NANOSECONDS: a time
 * @KIND_COUNT: how many words there are at the end
 * @KIND_HEX: an address, as a number that may be longer than an address; bits
 * @KIND_WORDS: words up to the end of the record; the kinds so far have no rule
 * @KIND_PAGES: a number of bytes: whole pages, at least one
 * @KIND_BOOL: 0 or 1
 * @KIND_CPU: number of the CPU of the stream
 * @KIND_NODE: a NUMA node
 * @KIND_NODE_OR_NONE: a NUMA node, or -1
 * @KIND_ADDRESS: an address, not 0
 * @KIND_SLAB_CACHE: the address of a slab cache, not 0
 * @KIND_SITE: an address, or 0
 * @KIND_FLAGS: 32 bits
 * @KIND_CHOICE: one of some values
 * @KIND_CONSTANT: the same value always
 * @KIND_ZEROS: 0, of one word or of several
 * @KIND_TEXT: a text, which ends with a 0; further ones follow
 * @KIND_NAME: the same; its characters are printable
 */
enum record_kind {
	KIND_NUMBER,
	KIND_BYTES,
	KIND_NANOSECONDS,
	KIND_COUNT,
	KIND_HEX,
	KIND_WORDS,
	KIND_PAGES,
	KIND_BOOL,
	KIND_CPU,
	KIND_NODE,
	KIND_NODE_OR_NONE,
	KIND_ADDRESS,
	KIND_SLAB_CACHE,
	KIND_SITE,
	KIND_FLAGS,
	KIND_CHOICE,
	KIND_CONSTANT,
	KIND_ZEROS,
	KIND_TEXT,
	KIND_NAME,
};

/* A value of a field, and its name. */
struct record_value {
	unsigned int number;
	const char *name;
};

/**
 * struct record_field - a field of a record
 * @name: its name; NULL: there are no more
 * @kind: what it holds
 * @offset: where it is in the record
 * @size: its bytes; 0: it ends with the record
 * @constant: of KIND_CONSTANT
 * @values: of KIND_CHOICE, in ascending order; the last one has no name
 */
struct record_field {
	const char *name;
	enum record_kind kind;
	size_t offset, size;
	int constant;
	const struct record_value *values;
};

/**
 * struct record_layout - the fields of a record
 * @name: its name
 * @id: enum kmemtrace_event_id
 * @first: the first value of its type_id; -1: its second byte is no type_id
 * @last: the last one
 * @abi: the first version of the ABI that has it
 * @size: bytes that each has
 * @fields: its fields, in the order of @offset, without those that all records have
 */
struct record_layout {
	const char *name;
	unsigned int id;
	int first, last;
	unsigned int abi;
	size_t size;
	const struct record_field *fields;
};

/* The names of the interfaces, see enum kmemtrace_type_id. */
extern const char * const record_types[];

/* All of them; the last one has no name. */
extern const struct record_layout record_layouts[];

const struct record_layout *record_layout(unsigned int id, unsigned int type);
int64_t record_number(const void *raw, const struct record_field *field);

#endif /* KMEMTRACE_RECORDS_H */
