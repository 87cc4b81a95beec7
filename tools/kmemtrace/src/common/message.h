/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages and fatal errors.
 */
#ifndef KMEMTRACE_MESSAGE_H
#define KMEMTRACE_MESSAGE_H

/* Exit status of all tools for unusable input. */
#define EXIT_UNUSABLE	2

void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_errno(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void out_of_memory(void);

void message_to(void (*say)(void *arg, const char *text), void *arg);
void fatal_to(void (*end)(void *arg), void *arg);

#endif /* KMEMTRACE_MESSAGE_H */
