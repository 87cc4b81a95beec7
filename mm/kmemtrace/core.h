/* SPDX-License-Identifier: GPL-2.0 */
/* Switching kmemtrace on and off. */
#ifndef _MM_KMEMTRACE_CORE_H
#define _MM_KMEMTRACE_CORE_H

#include <linux/types.h>

/**
 * enum kmemtrace_state - whether events are recorded
 * @KMEMTRACE_OFF: they are not
 * @KMEMTRACE_ON: they are; those that find no room are lost
 * @KMEMTRACE_OVERWRITES: in full buffers, the newest replace the oldest
 */
enum kmemtrace_state {
	KMEMTRACE_OFF,
	KMEMTRACE_ON,
	KMEMTRACE_OVERWRITES,
};

enum kmemtrace_state kmemtrace_state(void);
int kmemtrace_switch(enum kmemtrace_state state);
void kmemtrace_give_up(void);
bool kmemtrace_has_baseline(void);
int kmemtrace_set_baseline(bool baseline);
unsigned int kmemtrace_get_sample(void);
int kmemtrace_set_sample(u64 one_of);
int kmemtrace_set_with(const char *words);

#endif /* _MM_KMEMTRACE_CORE_H */
