/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_PROCFS_H
#define KMEMTRACED_PROCFS_H

#include <stdint.h>

#include "common/counters.h"

/**
 * typedef procfs_fn - take a row
 * @arg: the argument of procfs_read()
 * @table: its table
 * @name: its name; may be that of another row
 * @values: its values
 *
 * Return: 0 or -errno.
 */
typedef int procfs_fn(void *arg, enum counter_table table, const char *name,
		      const uint64_t *values);

int procfs_read(int proc, enum counter_table table, procfs_fn *fn, void *arg);

#endif /* KMEMTRACED_PROCFS_H */
