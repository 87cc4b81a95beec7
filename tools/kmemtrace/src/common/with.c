// SPDX-License-Identifier: GPL-2.0
/*
 * with.c - parse what a recorder was told to record with each event
 */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "common/with.h"

/* Return the bits WITH_* of words separated by commas; 0 of NULL. Skip unknown words. */
unsigned int with_bits(const char *text)
{
	static const char * const words[] = { "stack", "task", "cgroup", "refs" };
	unsigned int bits = 0;
	size_t i, len;

	/* A word may have a value: refs=page. */
	for (; text && *text; text += strcspn(text, ","), text += !!*text) {
		len = strcspn(text, ",=");
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (len == strlen(words[i]) && !strncmp(text, words[i], len))
				bits |= 1U << i;
	}
	return bits;
}
