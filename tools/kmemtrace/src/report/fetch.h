/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information from debuginfod servers.
 */
#ifndef KMEMTRACE_FETCH_H
#define KMEMTRACE_FETCH_H

int fetch_vmlinux(const char *build_id, char **path);

#endif /* KMEMTRACE_FETCH_H */
