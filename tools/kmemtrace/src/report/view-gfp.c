// SPDX-License-Identifier: GPL-2.0
/*
 * View: allocations by gfp flags.
 */
#include "config.h"

#include <inttypes.h>

#include "report/format.h"
#include "report/view.h"

/* Room for the names of all flags. */
#define NAMES_LEN	1024

static void print_flags(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	char buf[NAMES_LEN];
	const char *names;

	row_text(r, row, out);
	if (row->key == KMEMTRACE_UNKNOWN_GFP) {
		fprintf(out, "  unknown\n");
		return;
	}
	names = kmemtrace_gfp_name(r->trace, row->key, buf, sizeof(buf));
	fprintf(out, "  %#" PRIx64 "%s%s\n", row->key, names ? "  " : "",
		names ? names : "");
}

static void print_space(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_rows *rows = rows_by(r, space, KMEMTRACE_BY_GFP);
	size_t i, nr = rows_count(rows);

	if (nr)
		rows_heading(r, space, nr, "gfp flags", "gfp flags", out);
	for (i = 0; i < view_limit(r, nr); i++)
		print_flags(r, kmemtrace_rows_get(rows, i), out);
	kmemtrace_rows_close(rows);
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
	char buf[NAMES_LEN];

	if (flags == KMEMTRACE_UNKNOWN_GFP) {
		add_str(obj, "note", "unknown");
		return obj;
	}
	add_hex(obj, "flags", flags);
	add_str(obj, "names", kmemtrace_gfp_name(r->trace, flags, buf, sizeof(buf)));
	return obj;
}

static json_object *space_json(const struct report *r, enum kmemtrace_space space)
{
	return rows_json(r, rows_by(r, space, KMEMTRACE_BY_GFP), flags_json);
}

json_object *gfp_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_json);
}
