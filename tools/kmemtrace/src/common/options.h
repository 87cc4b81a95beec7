/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines: options are rows of a table, --help prints it.
 */
#ifndef KMEMTRACE_OPTIONS_H
#define KMEMTRACE_OPTIONS_H

#include <stdbool.h>

/* The operand that stands for the standard input, and its name in messages. */
#define STDIN_OPERAND	"-"
#define STDIN_NAME	"standard input"

/**
 * struct opt - one option, or the heading of those that follow
 * @short_name: letter, or 0
 * @name: long name; NULL for a heading
 * @arg: name of its argument, in brackets if it may be left out; NULL when it has none
 * @help: one line; NULL ends the table
 * @set: gets the argument, or NULL; returns something other than 0 if it is invalid
 */
struct opt {
	char short_name;
	const char *name;
	const char *arg;
	const char *help;
	int (*set)(const char *value);
};

/**
 * struct program - what --help prints about a program
 * @name: its name
 * @operands: the operands behind the options
 * @purpose: one line or more
 * @command: the operands are a command, whose options are not those of the program
 * @opts: its options, without --help and --version, which each program has
 * @more: further ones, which it shares with another program; NULL: none
 */
struct program {
	const char *name;
	const char *operands;
	const char *purpose;
	bool command;
	const struct opt *opts;
	const struct opt *more;
};

_Noreturn void options_answered(void);
int options_expected(const char *what);
bool options_given(const char *name);
int options_parse(const struct program *prog, int argc, char **argv);

#endif /* KMEMTRACE_OPTIONS_H */
