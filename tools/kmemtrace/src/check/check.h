/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check each record of a trace against the rules of the ABI.
 */
#ifndef KMEMTRACE_CHECK_H
#define KMEMTRACE_CHECK_H

/**
 * enum verdict - verdict on a stream, and the exit status of kmemtrace-check
 * @CLEAN: no record breaks a rule
 * @FINDINGS: some do
 * @UNUSABLE: the stream can't be read
 */
enum verdict {
	CLEAN = 0,
	FINDINGS = 1,
	UNUSABLE = 2,
};

struct kmemtrace_trace;

enum verdict check_path(const char *path);
enum verdict check_trace(struct kmemtrace_trace *trace, const char *path);
enum verdict worse(enum verdict a, enum verdict b);

#endif /* KMEMTRACE_CHECK_H */
