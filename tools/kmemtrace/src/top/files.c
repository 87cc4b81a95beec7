// SPDX-License-Identifier: GPL-2.0
/*
 * files.c - write the model, or the trace, to a new file in the working directory
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "html/page.h"
#include "top/files.h"
#include "top/html.h"
#include "top/json.h"

/* The most files of one kind that a directory may have. */
#define MAX_FILES	1000

static const char *nothing_missing(void)
{
	return NULL;
}

/**
 * struct file_format - a format of files
 * @suffix: of the files
 * @missing: returns the Debian package without which this program was built, or NULL
 * @print: prints the model, or the trace
 */
static const struct file_format {
	const char *suffix;
	const char *(*missing)(void);
	void (*print)(const struct top *top, const struct kmemtrace_trace *trace, FILE *out);
} formats[] = {
	[TOP_JSON] = { "json", nothing_missing, top_print_json },
	[TOP_HTML] = { "html", page_missing, top_print_html },
};

/* Create a file with a number that no other one has. Return the file; NULL, and errno. */
static FILE *create(const char *suffix, char *name, size_t size)
{
	int i, fd = -1;
	FILE *out;

	errno = EEXIST;
	for (i = 1; fd < 0 && errno == EEXIST && i <= MAX_FILES; i++) {
		snprintf(name, size, "kmemtrace-top-%d.%s", i, suffix);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !out)
		close(fd);
	return out;
}

/* Close a file. Return 0; or -errno, and the file is removed. */
static int finish(FILE *out, const char *name)
{
	const int ret = file_finish(out, 0);

	if (ret)
		unlink(name);
	return ret;
}

/**
 * top_write - write a file whose name has the next number
 * @format: its format
 * @top: the model
 * @trace: its trace
 * @message: result, for the user
 * @size: bytes of @message
 */
void top_write(enum top_format format, const struct top *top,
	       const struct kmemtrace_trace *trace, char *message, size_t size)
{
	const struct file_format *f = &formats[format];
	char name[64] = "";
	FILE *out;
	int ret;

	if (f->missing()) {
		snprintf(message, size, "built without d3: install %s, and build this program again",
			 f->missing());
		return;
	}
	if (top->head.state == TOP_EMPTY) {
		snprintf(message, size, "nothing has arrived");
		return;
	}
	out = create(f->suffix, name, sizeof(name));
	ret = out ? 0 : -errno;
	if (out) {
		f->print(top, trace, out);
		ret = finish(out, name);
	}
	if (ret)
		snprintf(message, size, "%s: %s", name, strerror(-ret));
	else
		snprintf(message, size, "wrote %s", name);
}
