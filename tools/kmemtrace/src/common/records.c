// SPDX-License-Identifier: GPL-2.0
/*
 * The records of the ABI and their fields, made of the rows in records.def.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "common/abi.h"
#include "common/records.h"
#include "linux/kmemtrace.h"

/* All records are swapped alike, and cast to the structure that names their fields. */
#define RECORD(name, constant, id, first, last, abi, type) \
	static_assert((id) == KMEMTRACE_EVENT_##constant && \
		      offsetof(struct kmemtrace_##type, timestamp) == \
		      offsetof(struct kmemtrace_event, timestamp), #name);
#define SAME_VALUE(constant, number, name, ...) \
	static_assert((number) == KMEMTRACE_##constant, name);
#define CHOICE(type, member, values, ...)	values(SAME_VALUE)
#define ZEROS(type, member, words) \
	static_assert((words) == 1 || (words) * sizeof(uint64_t) == SIZE(type, member), #type);
#define SIZE(type, member)	sizeof(((struct kmemtrace_##type *)NULL)->member)
#include "common/records.def"
TYPES(SAME_VALUE)

#define RECORD(name, constant, id, first, last, abi, type) \
	{ #name, id, first, last, abi, sizeof(struct kmemtrace_##type), \
	  (const struct record_field[]) {
#define ROW(type, member, kind, bytes, constant, values) \
	{ #member, KIND_##kind, offsetof(struct kmemtrace_##type, member), bytes, constant, \
	  values },
#define FIELD(type, member, kind, ...)	ROW(type, member, kind, SIZE(type, member), 0, NULL)
#define CONSTANT(type, member, value) \
	ROW(type, member, CONSTANT, SIZE(type, member), value, NULL)
#define ZEROS(type, member, words)	ROW(type, member, ZEROS, SIZE(type, member), 0, NULL)
#define TAIL(type, member, kind, ...)	ROW(type, member, kind, 0, 0, NULL)
#define CHOICE(type, member, choices, ...) \
	ROW(type, member, CHOICE, SIZE(type, member), 0, VALUES(choices))
#define VALUES(choices)	((const struct record_value[]) { choices(VALUE) { 0, NULL } })
#define VALUE(constant, number, name, ...)	{ number, name },
#define END	{ .name = NULL } } },

const struct record_layout record_layouts[] = {
#include "common/records.def"
	{ .name = NULL }
};

#define TYPE_NAME(constant, number, name, ...)	name,
const char * const record_types[EVENT_NR_TYPES] = { TYPES(TYPE_NAME) };

/**
 * record_layout - find the fields of a record
 * @id: enum kmemtrace_event_id
 * @type: its second byte
 *
 * Return: the layout, or NULL.
 */
const struct record_layout *record_layout(unsigned int id, unsigned int type)
{
	const struct record_layout *l;

	for (l = record_layouts; l->name; l++)
		if (l->id == id &&
		    (l->first < 0 || ((int)type >= l->first && (int)type <= l->last)))
			return l;
	return NULL;
}

/**
 * record_number - read a number
 * @raw: the record, in this machine's byte order
 * @f: a field of 1, 4 or 8 bytes
 *
 * Return: the number; that of 4 bytes is signed, like node and cpu.
 */
int64_t record_number(const void *raw, const struct record_field *f)
{
	const void *at = (const char *)raw + f->offset;
	uint64_t word;
	int32_t half;

	switch (f->size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)at;
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		return half;
	default:
		memcpy(&word, at, sizeof(word));
		return word;
	}
}
