// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - the tables of counters that the kernel has
 */
#include "config.h"

#include <string.h>

#include "common/counters.h"

static const struct {
	const char *name;
	size_t nr_values;
} tables[NR_COUNTER_TABLES] = {
	[COUNTER_ALLOCINFO] = { "allocinfo", 2 },
	[COUNTER_SLABINFO] = { "slabinfo", 4 },
	[COUNTER_VMSTAT] = { "vmstat", 1 },
	[COUNTER_MEMINFO] = { "meminfo", 1 },
};

/* Return the name of a table, which is that of its file in /proc. */
const char *counter_table_name(enum counter_table table)
{
	return tables[table].name;
}

/* Return how many values each row of a table has. */
size_t counter_nr_values(enum counter_table table)
{
	return tables[table].nr_values;
}

/* Return the table of a name of @len bytes; -1: there is none. */
int counter_table_find(const char *name, size_t len)
{
	int i;

	for (i = 0; i < NR_COUNTER_TABLES; i++)
		if (strlen(tables[i].name) == len && !memcmp(tables[i].name, name, len))
			return i;
	return -1;
}
