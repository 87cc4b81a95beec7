// SPDX-License-Identifier: GPL-2.0
/*
 * msg.c - messages, and a progress line that is overwritten
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "common/terminal.h"
#include "daemon/msg.h"

/* Time that the collector waits for who reads its messages: a terminal may be stopped. */
#define MESSAGE_PATIENCE_MS	5000

static bool progress_shown;

/*
 * Return whether a message can be printed. Who takes none must not keep the collector from ending,
 * and is not waited for again until there is room.
 */
static bool is_read(void)
{
	static bool stalls;
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	stalls = !poll(&p, 1, stalls ? 0 : MESSAGE_PATIENCE_MS);
	return !stalls;
}

/**
 * say - print one line, with the program's name before it
 * @fmt: as printf, without a newline
 */
void say(const char *fmt, ...)
{
	va_list ap;

	if (!is_read())
		return;
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

	if (!is_read())
		return;
	terminal_erase_line();
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fflush(stderr);
	progress_shown = true;
}
