/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_TASKS_H
#define KMEMTRACED_TASKS_H

/* The file of a trace with the tasks that existed when it ended. */
#define TASKS_FILE	"tasks"

int tasks_save(int dir, const char *proc);

#endif /* KMEMTRACED_TASKS_H */
