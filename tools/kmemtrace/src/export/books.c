// SPDX-License-Identifier: GPL-2.0
/*
 * books: what is live at the end of a trace, with which the next trace of a chain begins.
 *
 * A reader of that trace finds the whole file, or none.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>

#include "common/booksfile.h"
#include "export/export.h"
#include "export/output.h"

static int write_books_file(void *arg, FILE *out)
{
	const struct export *e = arg;
	int ret = kmemtrace_write_books(e->r.trace, out);

	if (ret == -EINVAL)
		warnx("%s: only a whole trace has books", kmemtrace_get_machine(e->r.trace)->name);
	/* The stream has the reason. */
	return ret == -EIO ? 0 : ret;
}

/* The trace before may be removed once the file has its name: it is on the disk then. */
static int total_end(struct export *e)
{
	return output_write(e->path, write_books_file, e);
}

const struct format format_books = {
	.name = "books",
	.path = BOOKS_FILE,
	.has_records = true,
	.end = total_end,
};
