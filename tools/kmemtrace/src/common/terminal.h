/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The standard output and error of a program take printable text only.
 */
#ifndef KMEMTRACE_TERMINAL_H
#define KMEMTRACE_TERMINAL_H

/*
 * Bytes that no text of UTF-8 has, one after the other: each stands for a command to the terminal.
 */
#define TERMINAL_BOLD	"\xf8"
#define TERMINAL_RED	"\xf9"
#define TERMINAL_PLAIN	"\xfa"

void terminal_begin(void);
void terminal_use_colours(void);
void terminal_erase_line(void);
int terminal_end(void);

#endif /* KMEMTRACE_TERMINAL_H */
