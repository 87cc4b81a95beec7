/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A context and files, for the tests of the readers.
 */
#ifndef KMEMTRACE_TEST_FILES_H
#define KMEMTRACE_TEST_FILES_H

#include "read/files.h"

/* Messages go to the standard error; each test sees its own errors only. */
static struct context test_ctx;

/* Files of any path. They stay to the end. */
static inline struct files *test_files(void)
{
	static struct files *files;

	if (!files)
		assert_int_equal(files_open_here(&files, &test_ctx), 0);
	return files;
}

#endif /* KMEMTRACE_TEST_FILES_H */
