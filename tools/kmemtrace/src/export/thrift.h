/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compact protocol of Thrift, which the metadata of Parquet has.
 */
#ifndef KMEMTRACE_THRIFT_H
#define KMEMTRACE_THRIFT_H

#include "export/bytes.h"

/* Types of values. */
enum thrift_type {
	THRIFT_I32	= 5,
	THRIFT_I64	= 6,
	THRIFT_BINARY	= 8,
	THRIFT_LIST	= 9,
	THRIFT_STRUCT	= 12,
};

/**
 * struct thrift - a structure that is being written
 * @to: where to
 * @last: number of its last field
 */
struct thrift {
	struct bytes *to;
	unsigned int last;
};

/* Begin a field of a structure; its number is at most 15 more than that of the last one. */
static inline void thrift_field(struct thrift *t, unsigned int number, enum thrift_type type)
{
	bytes_add_u8(t->to, (number - t->last) << 4 | type);
	t->last = number;
}

static inline void thrift_number(struct bytes *to, int64_t n)
{
	bytes_add_varint(to, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static inline void thrift_text(struct bytes *to, const char *text)
{
	size_t len = strlen(text);

	bytes_add_varint(to, len);
	bytes_add(to, text, len);
}

static inline void thrift_i32(struct thrift *t, unsigned int number, int32_t n)
{
	thrift_field(t, number, THRIFT_I32);
	thrift_number(t->to, n);
}

static inline void thrift_i64(struct thrift *t, unsigned int number, int64_t n)
{
	thrift_field(t, number, THRIFT_I64);
	thrift_number(t->to, n);
}

static inline void thrift_string(struct thrift *t, unsigned int number, const char *text)
{
	thrift_field(t, number, THRIFT_BINARY);
	thrift_text(t->to, text);
}

/* Begin a field that is a list; its values follow. */
static inline void thrift_list(struct thrift *t, unsigned int number, enum thrift_type type,
			       size_t nr)
{
	thrift_field(t, number, THRIFT_LIST);
	bytes_add_u8(t->to, (nr < 15 ? nr : 15) << 4 | type);
	if (nr >= 15)
		bytes_add_varint(t->to, nr);
}

/* Begin a field that is a structure. */
static inline struct thrift thrift_struct(struct thrift *t, unsigned int number)
{
	thrift_field(t, number, THRIFT_STRUCT);
	return (struct thrift) { .to = t->to };
}

/* End a structure. */
static inline void thrift_end(struct thrift *t)
{
	bytes_add_u8(t->to, 0);
}

#endif /* KMEMTRACE_THRIFT_H */
