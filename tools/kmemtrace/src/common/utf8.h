/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Characters of UTF-8, and their escape sequences in JSON.
 */
#ifndef KMEMTRACE_UTF8_H
#define KMEMTRACE_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Most bytes of a character. */
#define UTF8_MAX	4

size_t utf8_length(const char *text);
uint32_t utf8_code(const char *text);
size_t utf8_cut(const char *text, size_t size);
size_t utf8_print_escaped(const char *text, FILE *out);

#endif /* KMEMTRACE_UTF8_H */
