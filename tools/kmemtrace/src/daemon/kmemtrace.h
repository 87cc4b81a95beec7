/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_KMEMTRACE_H
#define KMEMTRACED_KMEMTRACE_H

#include "daemon/recorder.h"

extern const struct recorder kmemtrace;

#endif /* KMEMTRACED_KMEMTRACE_H */
