/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cmocka and temporary files, for each unit test.
 */
#ifndef KMEMTRACE_TEST_H
#define KMEMTRACE_TEST_H

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Write a temporary file; returns its name, to be unlink()ed and free()d. */
static inline char *test_file(const void *data, size_t len)
{
	char *name = strdup("/tmp/kmemtrace-test-XXXXXX");
	int fd;

	assert_non_null(name);
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	assert_int_equal(close(fd), 0);
	return name;
}

static inline void test_file_remove(char *name)
{
	unlink(name);
	free(name);
}

#endif /* KMEMTRACE_TEST_H */
