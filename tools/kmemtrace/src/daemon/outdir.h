/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_OUTDIR_H
#define COLLECTOR_OUTDIR_H

#include <stdbool.h>
#include <stdio.h>

int outdir_anonymous(void);
int outdir_create(int dir, const char *name);
int outdir_stream(int dir, const char *name, FILE **out);
int outdir_replace(int dir, const char *name, int (*print)(FILE *out, void *arg), void *arg);
int outdir_open(const char *path, bool force);
int outdir_reserve(int dir, long bytes);
int outdir_clear(int fd);

#endif /* COLLECTOR_OUTDIR_H */
