/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTRACED_LOSSES_H
#define KTRACED_LOSSES_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/losses.h"

bool losses_parse(const char *line, struct overrun *o);
void losses_count(struct tally *t, const void *data, size_t len);
void losses_missing(struct overrun *o, const struct tally *t, enum extent extent,
		    bool overwrites);

#endif /* KTRACED_LOSSES_H */
