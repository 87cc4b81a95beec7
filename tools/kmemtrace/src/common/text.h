/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text from a trace on its way to a terminal, which must not take it for
 * commands.
 */
#ifndef KMEMTRACE_TEXT_H
#define KMEMTRACE_TEXT_H

#include <stddef.h>
#include <stdio.h>

const char *text_printable(char *buf, size_t size, const char *text);
void text_print(const char *text, FILE *out);

#endif /* KMEMTRACE_TEXT_H */
