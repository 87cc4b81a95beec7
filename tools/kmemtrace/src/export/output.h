/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that an export creates. None is overwritten.
 */
#ifndef KMEMTRACE_OUTPUT_H
#define KMEMTRACE_OUTPUT_H

#include <stdio.h>

#include "common/newfile.h"

int output_create(struct newfile *f, const char *path);
int output_fail(const char *path, int error);
int output_write(const char *path, int (*write)(void *arg, FILE *out), void *arg);
int output_finish(struct newfile *f, const char *path, int error);

#endif /* KMEMTRACE_OUTPUT_H */
