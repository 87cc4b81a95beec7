/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_MSG_H
#define KMEMTRACED_MSG_H

/* What the user reads goes to stderr: stdout belongs to the traced command. */

void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* KMEMTRACED_MSG_H */
