// SPDX-License-Identifier: GPL-2.0
/*
 * reasons.c - the reasons why a trace is incomplete
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/reasons.h"

/* Add a reason; @reasons->is_full if there is no memory. */
void because(struct reasons *reasons, const char *fmt, ...)
{
	char *reason, **list;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&reason, fmt, ap) < 0)
		reason = NULL;
	va_end(ap);
	list = reason ? grow_list(reasons->list, reasons->nr, sizeof(*list)) : NULL;
	if (!list) {
		reasons->is_full = true;
		free(reason);
		return;
	}
	reasons->list = list;
	reasons->list[reasons->nr++] = reason;
}

/* Free all reasons. */
void reasons_free(struct reasons *reasons)
{
	size_t i;

	for (i = 0; i < reasons->nr; i++)
		free(reasons->list[i]);
	free(reasons->list);
}
