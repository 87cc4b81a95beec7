// SPDX-License-Identifier: GPL-2.0
/*
 * books: what is live at the end of a trace, with which the next trace of a chain begins.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "common/booksfile.h"
#include "export/output.h"
#include "export/export.h"

static int books_end(struct export *e)
{
	int ret, error, fd = output_create(e->path);
	FILE *out;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		return output_discard(e->path, -ENOMEM);
	}
	ret = kmemtrace_write_books(e->r.trace, out);
	if (ret == -EINVAL)
		warnx("%s: only a whole trace has books", kmemtrace_get_machine(e->r.trace)->name);
	error = ferror(out) || fflush(out) ? -errno : 0;
	if (fclose(out) && !error)
		error = -errno;
	if (error)
		ret = output_fail(e->path, error);
	return output_discard(e->path, ret);
}

const struct format format_books = {
	.name = "books",
	.path = BOOKS_FILE,
	.has_records = true,
	.end = books_end,
};
