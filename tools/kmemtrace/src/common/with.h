/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line "with" of the metadata: what a recorder was told to record with each event.
 */
#ifndef KMEMTRACE_WITH_H
#define KMEMTRACE_WITH_H

#define WITH_STACK	1
#define WITH_TASK	2
#define WITH_CGROUP	4
#define WITH_REFS	8

unsigned int with_bits(const char *text);

#endif /* KMEMTRACE_WITH_H */
