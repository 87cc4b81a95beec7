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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/booksfile.h"
#include "common/memory.h"
#include "common/options.h"
#include "export/export.h"
#include "export/output.h"

/* The trace before may be removed once the file has its name, so it has to be on the disk. */
static int write_books_file(void *arg, FILE *out)
{
	const struct export *e = arg;
	int ret = kmemtrace_write_books(e->r.trace, out);

	if (ret == -EINVAL)
		warnx("%s: only a whole trace has books", kmemtrace_get_machine(e->r.trace)->name);
	if (!ret && (fflush(out) || (fsync(fileno(out)) && errno != EINVAL)))
		return output_fail(e->path, -errno);
	return ret;
}

static int total_end(struct export *e)
{
	char *new;
	int ret;

	if (!strcmp(e->path, STDIN_OPERAND))
		return output_write(e->path, write_books_file, e);
	if (!access(e->path, F_OK))
		return output_fail(e->path, -EEXIST);
	if (asprintf(&new, "%s.new", e->path) < 0)
		out_of_memory();
	ret = output_write(new, write_books_file, e);
	if (!ret && rename(new, e->path))
		ret = output_discard(new, output_fail(e->path, -errno));
	free(new);
	return ret;
}

const struct format format_books = {
	.name = "books",
	.path = BOOKS_FILE,
	.has_records = true,
	.end = total_end,
};
