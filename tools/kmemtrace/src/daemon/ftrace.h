/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_FTRACE_H
#define KMEMTRACED_FTRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/settings.h"

bool ftrace_probe(const struct settings *set, char *why, size_t size);
enum verdict ftrace_run(const struct settings *set, bool *stopped);

#endif /* KMEMTRACED_FTRACE_H */
