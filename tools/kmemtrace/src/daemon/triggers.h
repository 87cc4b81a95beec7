/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_TRIGGERS_H
#define KMEMTRACED_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/control.h"

/* How often events that end a trace are looked for: a CPU's buffer holds more than that. */
#define TRIGGERS_NS	UINT64_C(100000000)

int triggers_parse(const char *value);
int triggers_begin(const struct control *ctl, const char *proc, bool is_on);
bool triggers_look(const struct control *ctl);

#endif /* KMEMTRACED_TRIGGERS_H */
