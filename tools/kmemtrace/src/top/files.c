// SPDX-License-Identifier: GPL-2.0
/*
 * files.c - write the model, or the trace, to a new file in the working directory
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/newfile.h"
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

/* Create a file with a number that no other one has. Return a descriptor, or -errno. */
static int create(struct newfile *f, const char *suffix, char *name, size_t size)
{
	int i, fd = -EEXIST;

	for (i = 1; fd == -EEXIST && i <= MAX_FILES; i++) {
		snprintf(name, size, "kmemtrace-top-%d.%s", i, suffix);
		fd = newfile_create(f, name, NULL);
	}
	return fd;
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
	struct newfile new;
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
	ret = create(&new, f->suffix, name, sizeof(name));
	if (ret >= 0) {
		out = file_stream(ret);
		if (out)
			f->print(top, trace, out);
		ret = newfile_end(&new, out ? file_finish(out, 0) : -ENOMEM);
	}
	if (ret)
		snprintf(message, size, "%s: %s", name, strerror(-ret));
	else
		snprintf(message, size, "wrote %s", name);
}
