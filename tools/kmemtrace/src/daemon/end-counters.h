/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_END_COUNTERS_H
#define KMEMTRACED_END_COUNTERS_H

struct control;

int end_counters_begin(const struct control *ctl, int dir, const char *proc);
int end_counters_end(void);
int end_counters_finish(void);

#endif /* KMEMTRACED_END_COUNTERS_H */
