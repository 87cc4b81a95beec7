// SPDX-License-Identifier: GPL-2.0
/*
 * View: what was allocated with which gfp flags.
 */
#include "config.h"

#include <inttypes.h>

#include "books/books.h"
#include "common/memory.h"
#include "read/gfp.h"
#include "report/format.h"
#include "report/view.h"

/* Flags have 32 bits: what is older than the trace has none that are known. */
#define UNKNOWN		UINT64_MAX

static uint64_t flags_of(const struct kind *kind)
{
	return kind_step(kind) ? kind_gfp(kind) : UNKNOWN;
}

static const char *names_of(const struct report *r, char *buf, uint64_t flags)
{
	return gfp_names(buf, tracedir_meta(&r->trace->dir, "kernel_release"),
			 flags);
}

static void print_flags(const struct report *r, const struct row *row, FILE *out)
{
	char buf[GFP_NAMES_LEN];
	const char *names;

	row_text(row, out);
	if (row->key == UNKNOWN) {
		fprintf(out, "  unknown\n");
		return;
	}
	names = names_of(r, buf, row->key);
	fprintf(out, "  %#" PRIx64 "%s%s\n", row->key, names ? "  " : "",
		names ? names : "");
}

static void print_space(const struct report *r, enum space space, FILE *out)
{
	const struct row **rows;
	struct table sum;
	size_t i, nr;

	books_add_up(&r->trace->ledger, space, flags_of, &sum);
	rows = sorted_rows(&sum, r->sort, &nr);
	if (nr)
		rows_heading(r, space, nr, "gfp flags", "gfp flags", out);
	for (i = 0; i < view_limit(r, nr); i++)
		print_flags(r, rows[i], out);
	free(rows);
	table_free(&sum);
}

void gfp_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_space(r, i, out);
}

static json_object *flags_json(const struct report *r, uint64_t flags)
{
	json_object *obj = json_object_new_object();
	char buf[GFP_NAMES_LEN];

	if (flags == UNKNOWN) {
		add_str(obj, "note", "unknown");
		return obj;
	}
	add_hex(obj, "flags", flags);
	add_str(obj, "names", names_of(r, buf, flags));
	return obj;
}

static json_object *space_json(const struct report *r, enum space space)
{
	struct table sum;
	json_object *list;

	books_add_up(&r->trace->ledger, space, flags_of, &sum);
	list = rows_json(r, &sum, flags_json);
	table_free(&sum);
	return list;
}

json_object *gfp_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_json);
}
