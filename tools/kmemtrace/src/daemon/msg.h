/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_MSG_H
#define COLLECTOR_MSG_H

/* Messages go to stderr: stdout belongs to the command that is traced. */

void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* COLLECTOR_MSG_H */
