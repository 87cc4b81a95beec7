// SPDX-License-Identifier: GPL-2.0
/*
 * addresses.c - relation of all call sites and their callers
 */
#include "config.h"

#include "common/number.h"
#include "relations/columns.h"

static int add_address(struct kmemtrace_relation *r, uint64_t address)
{
	return address == NO_SITE ? 0 : relation_add(r, &address);
}

static int compare_addresses(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int fill_addresses(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	const struct kmemtrace_call_path *path;
	size_t i, j;
	int ret = 0;

	for (i = 0; !ret && i < l->kinds.nr; i++)
		ret = add_address(r, kinds_get(&l->kinds, i)->site);
	for (i = 0; !ret && (path = kmemtrace_get_path(r->trace, i)); i++)
		for (j = 0; !ret && j < path->depth; j++)
			ret = add_address(r, path->frames[j]);
	relation_merge(r, compare_addresses, NULL);
	return ret;
}

/* The row is the address. */
static const struct column address_columns[] = {
	{ .name = "site", .heading = "call site", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_site, .help = "function, offset and module of the address" },
	{ .name = "address", .heading = "address", .type = KMEMTRACE_ADDRESS, .get = column_site,
	  .help = "a return address", KEY },
	{ .name = "function", .heading = "function", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_function, .help = "its function and module" },
	{ .name = "module", .heading = "module", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_module, .help = "its module, or kernel" },
	{ .name = "file", .heading = "file", .type = KMEMTRACE_TEXT, .get = column_file,
	  .print = write_string, .help = "its source file, with a vmlinux", MAYBE },
	{ .name = "line", .heading = "line", .type = KMEMTRACE_NUMBER, .get = column_line,
	  .help = "its line in that file", MAYBE },
};

static const struct relation list[] = {
	LIST(INFO("addresses", "Call sites and their callers, by address."),
	     address_columns, uint64_t, fill_addresses, compare_addresses),
};

RELATIONS(address_relations, list);
