// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "number.h"

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
