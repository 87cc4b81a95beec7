// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - the library's one way to say something, and the one to give up
 *
 * Both may be replaced by whoever uses it.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"

/* Of a text that names a path; what is longer is cut. */
#define MAX_TEXT	8192

static void (*say)(void *arg, const char *text);
static void *say_arg;
static void (*end)(void *arg);
static void *end_arg;

/* @error: what happened, 0 if that has been said */
__attribute__((format(printf, 1, 0)))
static void tell(const char *fmt, va_list ap, int error)
{
	char text[MAX_TEXT];
	int len = vsnprintf(text, sizeof(text), fmt, ap);

	if (error && len >= 0 && len < MAX_TEXT)
		snprintf(text + len, MAX_TEXT - len, ": %s", strerror(error));
	if (say)
		say(say_arg, text);
	else
		warnx("%s", text);
}

/**
 * message - say something
 * @fmt: as printf, without a newline
 */
void message(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(fmt, ap, 0);
	va_end(ap);
}

/* The same, and what errno says, which stays. */
void message_errno(const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	tell(fmt, ap, error);
	va_end(ap);
	errno = error;
}

static _Noreturn void give_up(void)
{
	if (end)
		end(end_arg);
	exit(EXIT_UNUSABLE);
}

/**
 * fatal - say something, and don't come back
 * @fmt: as printf, without a newline
 */
void fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(fmt, ap, 0);
	va_end(ap);
	give_up();
}

/* Of what an analysis can't go on without. */
void out_of_memory(void)
{
	fatal("out of memory");
}

/* Where messages go from now on; NULL: the standard error. */
void message_to(void (*new_say)(void *arg, const char *text), void *arg)
{
	say = new_say;
	say_arg = arg;
}

/* What fatal() does from now on; NULL: it ends the process. */
void fatal_to(void (*new_end)(void *arg), void *arg)
{
	end = new_end;
	end_arg = arg;
}
