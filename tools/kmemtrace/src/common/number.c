// SPDX-License-Identifier: GPL-2.0
/*
 * number.c - numbers as text
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

/* Write 1234567 as "1,234,567". */
const char *format_number(char *buf, uint64_t n)
{
	char digits[FORMAT_LEN];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *to = buf;
	int i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return buf;
}

/* Write a number and its noun; see COUNT(). */
const char *format_count(char *buf, uint64_t n, const char *one, const char *many)
{
	snprintf(buf, COUNT_LEN, "%s %s", NUMBER(n), n == 1 ? one : many);
	return buf;
}

/**
 * number_parse - parse a number
 * @text: a whole number and an optional K, M or G, in units of 1024, as a small letter or with iB,
 *	too; set to the text behind them
 * @n: result
 *
 * Return: 0, or -EINVAL.
 */
int number_parse(const char **text, uint64_t *n)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	int shift = 0;

	errno = 0;
	*n = strtoull(*text, &end, 10);
	if (errno || !isdigit((unsigned char)**text))
		return -EINVAL;
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (unit - units + 1);
		end += strncmp(end + 1, "iB", 2) ? 1 : 3;
	}
	if (*n > UINT64_MAX >> shift)
		return -EINVAL;
	*n <<= shift;
	*text = end;
	return 0;
}

/* Return a rounded square root, by Newton's method: the library doesn't need libm. */
uint64_t number_root(double square)
{
	double next = square > 1 ? square : 1, last;

	if (square <= 0)
		return 0;
	do {
		last = next;
		next = (last + square / last) / 2;
	} while (next < last);
	return last + 0.5;
}
