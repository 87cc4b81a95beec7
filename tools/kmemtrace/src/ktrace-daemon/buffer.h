/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTRACED_BUFFER_H
#define KTRACED_BUFFER_H

#include <sys/types.h>

struct mapping;

ssize_t buffer_next(struct mapping *m, const void **data);
int buffer_consume(const struct mapping *m);

#endif /* KTRACED_BUFFER_H */
