// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - command lines: options are rows of a table, --help prints it
 */
#include "config.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/exit.h"
#include "common/options.h"
#include "common/terminal.h"

/* getopt_long() returns this for the first row: no letter, nor '?' or ':'. */
#define ROW	256
#define MAX_OPTS	64

static int print_help(const char *value);
static int print_version(const char *value);

static const struct program *program;

/* The options of @program, and whether the command line has them. */
static const struct opt *rows[MAX_OPTS];
static bool given[MAX_OPTS];
static size_t nr_rows;

/* See options_expected(). */
static const char *expected;

static const struct opt common[] = {
	{ .help = "Help" },
	{ 'h', "help", NULL, "print this and exit", print_help },
	{ 'V', "version", NULL, "print the version and exit", print_version },
	{ 0 }
};

/* Return whether an option has an argument, as getopt_long() wants it. */
static int arg_of(const struct opt *o)
{
	if (!o->arg)
		return no_argument;
	return *o->arg == '[' ? optional_argument : required_argument;
}

/* Write "--name ARG", or "--name[=ARG]". */
static void print_option(char *buf, size_t size, const struct opt *o)
{
	if (arg_of(o) == optional_argument)
		snprintf(buf, size, "--%s[=%s", o->name, o->arg + 1);
	else
		snprintf(buf, size, "--%s%s%s", o->name, o->arg ? " " : "",
			 o->arg ? o->arg : "");
}

static void print_option_rows(const struct opt *opts)
{
	const struct opt *o;
	char letter[] = "-?, ", name[32];

	for (o = opts; o->help; o++) {
		if (!o->name) {
			printf("%s:\n", o->help);
			continue;
		}
		letter[1] = o->short_name;
		print_option(name, sizeof(name), o);
		printf("  %4s%-18s %s\n", o->short_name ? letter : "", name,
		       o->help);
	}
}

/* End the program after an option that only prints something. */
void options_answered(void)
{
	exit(terminal_end() ? EXIT_UNUSABLE : EXIT_SUCCESS);
}

static int print_help(const char *value)
{
	(void)value;
	printf("Usage: %s [OPTION]... %s\n%s\n\n", program->name,
	       program->operands, program->purpose);
	print_option_rows(program->opts);
	if (program->more)
		print_option_rows(program->more);
	print_option_rows(common);
	options_answered();
}

static int print_version(const char *value)
{
	(void)value;
	printf("%s %s\n", program->name, PACKAGE_VERSION);
	options_answered();
}

static void add_rows(const struct opt *opts)
{
	for (; opts->help; opts++) {
		if (!opts->name)
			continue;
		assert(nr_rows < MAX_OPTS);
		rows[nr_rows++] = opts;
	}
}

/* Return whether the command line has the option with this long name. */
bool options_given(const char *name)
{
	size_t i;

	for (i = 0; i < nr_rows; i++)
		if (given[i] && !strcmp(rows[i]->name, name))
			return true;
	return false;
}

/**
 * options_expected - say what an option takes, where its help doesn't say it
 * @what: what its argument must be, which must stay valid
 *
 * Return: what @set of struct opt returns then.
 */
int options_expected(const char *what)
{
	expected = what;
	return -EINVAL;
}

static void say_expected(const struct opt *o, const char *value)
{
	if (expected)
		warnx("--%s: '%s', expected %s", o->name, value, expected);
	else
		warnx("--%s: '%s', expected %s: %s", o->name, value, o->arg, o->help);
}

/**
 * options_parse - parse the options of a command line
 * @prog: the program
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * Return: the index of the first operand, or -1 after a message.
 */
int options_parse(const struct program *prog, int argc, char **argv)
{
	struct option longs[MAX_OPTS + 1] = { 0 };
	char shorts[2 * MAX_OPTS + 2] = "";
	size_t len = 0, i;
	int c;

	terminal_begin();
	program = prog;
	/* getopt_long() begins its messages with this, as warnx() does with the name. */
	argv[0] = program_invocation_short_name;
	/* "+" stops getopt_long() at the first operand. */
	if (prog->command)
		shorts[len++] = '+';
	add_rows(prog->opts);
	if (prog->more)
		add_rows(prog->more);
	add_rows(common);
	for (i = 0; i < nr_rows; i++) {
		longs[i].name = rows[i]->name;
		longs[i].has_arg = arg_of(rows[i]);
		longs[i].val = ROW + i;
		if (!rows[i]->short_name)
			continue;
		shorts[len++] = rows[i]->short_name;
		if (rows[i]->arg)
			shorts[len++] = ':';
	}

	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		for (i = 0; i < nr_rows; i++)
			if (c == (int)(ROW + i) || c == rows[i]->short_name)
				break;
		if (i == nr_rows) {
			fprintf(stderr, "Try '%s --help'.\n", prog->name);
			return -1;
		}
		if (rows[i]->set(optarg)) {
			say_expected(rows[i], optarg);
			return -1;
		}
		given[i] = true;
	}
	return optind;
}
