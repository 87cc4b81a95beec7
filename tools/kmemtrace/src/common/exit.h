/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The exit status of all programs for unusable input.
 */
#ifndef KMEMTRACE_EXIT_H
#define KMEMTRACE_EXIT_H

#define EXIT_UNUSABLE	2

#endif /* KMEMTRACE_EXIT_H */
