/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_ENDS_H
#define KMEMTRACED_ENDS_H

struct control;

int ends_begin(const struct control *ctl, int dir, const char *proc);
int ends_end(void);
int ends_finish(void);

#endif /* KMEMTRACED_ENDS_H */
