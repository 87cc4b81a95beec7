/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_MOUNTS_H
#define COLLECTOR_MOUNTS_H

#include <stddef.h>

int mounts_find(const char *type, char *path, size_t size);

#endif /* COLLECTOR_MOUNTS_H */
