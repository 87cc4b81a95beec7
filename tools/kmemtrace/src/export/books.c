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
#include "export/output.h"
#include "export/export.h"

static int write_file(const struct export *e, const char *path)
{
	int ret, error, fd = output_create(path);
	FILE *out;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		return output_discard(path, -ENOMEM);
	}
	ret = kmemtrace_write_books(e->r.trace, out);
	if (ret == -EINVAL)
		warnx("%s: only a whole trace has books", kmemtrace_get_machine(e->r.trace)->name);
	error = ferror(out) || fflush(out) || (fsync(fd) && errno != EINVAL) ? -errno : 0;
	if (fclose(out) && !error)
		error = -errno;
	if (error)
		ret = output_fail(path, error);
	return output_discard(path, ret);
}

static int books_end(struct export *e)
{
	char *new;
	int ret;

	if (!strcmp(e->path, STDIN_OPERAND))
		return write_file(e, e->path);
	if (!access(e->path, F_OK))
		return output_fail(e->path, -EEXIST);
	if (asprintf(&new, "%s.new", e->path) < 0)
		out_of_memory();
	ret = write_file(e, new);
	if (!ret && rename(new, e->path))
		ret = output_discard(new, output_fail(e->path, -errno));
	free(new);
	return ret;
}

const struct format format_books = {
	.name = "books",
	.path = BOOKS_FILE,
	.has_records = true,
	.end = books_end,
};
