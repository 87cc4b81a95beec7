/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does each record of a trace keep the rules of the ABI?
 */
#ifndef KMEMTRACE_CHECK_H
#define KMEMTRACE_CHECK_H

/**
 * enum verdict - on a stream; the exit status of kmemtrace-check
 * @CLEAN: each record keeps the rules
 * @FINDINGS: some do not
 * @UNUSABLE: can't be read, or is no stream
 */
enum verdict {
	CLEAN = 0,
	FINDINGS = 1,
	UNUSABLE = 2,
};

struct context;
struct files;

enum verdict check_path(const char *path);
enum verdict check_files(struct context *ctx, struct files *files);
enum verdict worse(enum verdict a, enum verdict b);

#endif /* KMEMTRACE_CHECK_H */
