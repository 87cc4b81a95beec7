/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of events that the file info of a trace describes.
 */
#ifndef KTRACE_TYPES_H
#define KTRACE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/reasons.h"
#include "ktrace/layout.h"
#include "read/tracedir.h"

/**
 * enum type_state - whether events of a type can be decoded
 * @TYPE_NEW: no event was met
 * @TYPE_GOOD: its layout is known
 * @TYPE_BAD: its format can't be read
 */
enum type_state {
	TYPE_NEW,
	TYPE_GOOD,
	TYPE_BAD,
};

/**
 * struct type - a type of events
 * @id: number in the records
 * @name: name of the marker
 * @format: of its arguments
 * @layout: its arguments; valid after types_find()
 * @state: of @layout
 * @is_selected: the options choose it
 * @events: for the user: how many were selected
 * @bytes: for the user: their bytes
 */
struct type {
	uint16_t id;
	const char *name;
	const char *format;
	struct layout layout;
	enum type_state state;
	bool is_selected;
	uint64_t events, bytes;
};

/**
 * struct types - all types of a trace
 * @list: in the order of the file
 * @nr: entries of @list
 * @has_info: there is a file info
 * @word_bits: bits of a long and of a pointer; 0: unknown
 */
struct types {
	struct type *list;
	size_t nr;
	bool has_info;
	unsigned int word_bits;

	/* private: */
	char *text;
	uint32_t *by_id;
};

int types_load(struct types *types, const struct tracedir *dir, struct reasons *reasons);
void types_free(struct types *types);
struct type *types_find(struct types *types, struct context *ctx, uint16_t id);

#endif /* KTRACE_TYPES_H */
