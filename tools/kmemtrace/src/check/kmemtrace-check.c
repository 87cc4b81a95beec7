// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-check: check each record of a trace against the rules of the ABI.
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "common/options.h"
#include "common/terminal.h"
#include "kmemtrace.h"

static const struct opt opts[] = {
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-check",
	.operands = "FILE|DIR|-...",
	.purpose = "Check each record of kmemtrace streams against the rules of the ABI; - is what\n"
		   "kmemtraced -o - writes, from the standard input.\n"
		   "Exit status: 0 clean, 1 findings, 2 unusable input.",
	.opts = opts,
};

static enum verdict check_stdin(void)
{
	static bool is_read;
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = STDIN_NAME,
	};
	enum verdict verdict = UNUSABLE;
	struct kmemtrace_trace *trace;

	if (is_read) {
		warnx("%s: given more than once", STDIN_NAME);
		return UNUSABLE;
	}
	is_read = true;
	if (!kmemtrace_open_stream(&trace, stdin, &options))
		verdict = check_trace(trace, NULL);
	kmemtrace_close(trace);
	return verdict;
}

static enum verdict check_operand(const char *operand)
{
	return strcmp(operand, STDIN_OPERAND) ? check_path(operand) :
						check_stdin();
}

int main(int argc, char **argv)
{
	enum verdict verdict = CLEAN;
	int i;

	i = options_parse(&prog, argc, argv);
	if (i < 0)
		return UNUSABLE;
	if (i == argc) {
		warnx("no FILE or DIR given; try '%s --help'", prog.name);
		return UNUSABLE;
	}
	for (; i < argc; i++)
		verdict = worse(verdict, check_operand(argv[i]));
	return terminal_end() ? UNUSABLE : verdict;
}
