// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people, and from them.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

/* 1234567 as "1,234,567" */
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

/**
 * number_parse - read a number of bytes, or of something else
 * @text: a whole number, which K, M or G may follow, in units of 1024; set to what is
 *	behind that
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
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unit - units + 1);
		end++;
	}
	if (*n > UINT64_MAX >> shift)
		return -EINVAL;
	*n <<= shift;
	*text = end;
	return 0;
}
