/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The exit status of all programs for unusable input, and the number that is
 * added to that of a signal which ended them, as in shells.
 */
#ifndef KMEMTRACE_EXIT_H
#define KMEMTRACE_EXIT_H

#define EXIT_UNUSABLE	2
#define EXIT_SIGNAL	128

#endif /* KMEMTRACE_EXIT_H */
