// SPDX-License-Identifier: GPL-2.0
/*
 * msg.c - messages, and a progress line that is overwritten
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/terminal.h"
#include "daemon/msg.h"

static bool progress_shown;

/**
 * say - print one line, with the program's name before it
 * @fmt: as printf, without a newline
 */
void say(const char *fmt, ...)
{
	va_list ap;

	if (progress_shown)
		terminal_erase_line();
	fprintf(stderr, "%s: ", program_invocation_short_name);
	progress_shown = false;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/**
 * say_progress - replace the progress line of the terminal
 * @fmt: as printf, without a newline
 */
void say_progress(const char *fmt, ...)
{
	va_list ap;

	terminal_erase_line();
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fflush(stderr);
	progress_shown = true;
}
