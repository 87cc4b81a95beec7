/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers: their order, and their text.
 */
#ifndef KMEMTRACE_NUMBER_H
#define KMEMTRACE_NUMBER_H

#include <stdint.h>

/* Compare two numbers for qsort(). */
static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Room for the largest number with its commas. */
#define FORMAT_LEN	32

/* The text of a number; valid to the end of the block it is used in. */
#define NUMBER(n)	format_number((char[FORMAT_LEN]) { 0 }, n)

/* Room for that and a noun. */
#define COUNT_LEN	96

/* The same with a noun, of which there is @one or @many: "1 event", "1,234 events". */
#define COUNT(n, one, many)	format_count((char[COUNT_LEN]) { 0 }, n, one, many)

const char *format_number(char *buf, uint64_t n);
const char *format_count(char *buf, uint64_t n, const char *one, const char *many);
int number_parse(const char **text, uint64_t *n);
uint64_t number_root(double square);

/* Return the standard error of the sum of two figures that don't depend on each other. */
static inline uint64_t join_errors(uint64_t a, uint64_t b)
{
	return a && b ? number_root((double)a * (double)a + (double)b * (double)b) : a + b;
}

#endif /* KMEMTRACE_NUMBER_H */
