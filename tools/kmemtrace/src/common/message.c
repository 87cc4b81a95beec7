// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - messages and fatal errors
 *
 * A program can replace both.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"

/* Bytes of a message; a longer one is cut. */
#define MAX_TEXT	8192

static void (*say)(void *arg, const char *text);
static void *say_arg;
static void (*end)(void *arg);
static void *end_arg;

/* @error: errno to append as text; 0: append nothing */
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
 * message - emit a message
 * @fmt: as printf, without a newline
 */
void message(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(fmt, ap, 0);
	va_end(ap);
}

/* message() with the text of errno appended; errno keeps its value. */
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
 * fatal - emit a message and end the program
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

/* End the program: there is no memory. */
void out_of_memory(void)
{
	fatal("out of memory");
}

/* Set the receiver of messages; NULL: the standard error. */
void message_to(void (*new_say)(void *arg, const char *text), void *arg)
{
	say = new_say;
	say_arg = arg;
}

/* Set the handler of fatal(); NULL: it ends the process. */
void fatal_to(void (*new_end)(void *arg), void *arg)
{
	end = new_end;
	end_arg = arg;
}
