// SPDX-License-Identifier: GPL-2.0
/*
 * terminal.c - the standard output and error of a program
 *
 * A file comes from anywhere, and so does its name. Whatever prints a part of it, a terminal must
 * not obey it: stdout and stderr become streams that replace what is no visible character of UTF-8
 * by its bytes, such as "\x1b". printf(), warnx(), getopt_long() and libraries print there. What is
 * no text, such as a trace in a pipe, is written to the descriptors.
 *
 * text_print() also lets nobody take two names for the same one.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/file.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/utf8.h"

/* Bytes to replace at a time, and what one becomes at most: "\033[31m", or TEXT_ESCAPE_LEN. */
#define CHUNK	1024
#define MAX_COPY	5

/**
 * struct guard - a stream of printable text
 * @fd: where the text goes
 * @begun: the begin of a character, whose other bytes were not printed yet
 * @nr: bytes of @begun
 * @error: why it can't be written, as -errno; 0: it can
 */
struct guard {
	int fd;
	char begun[UTF8_MAX];
	size_t nr;
	int error;
};

static struct guard output = { .fd = STDOUT_FILENO }, errors = { .fd = STDERR_FILENO };

static bool has_colours;

/* Return the command that a byte stands for; NULL: it stands for none. */
static const char *command_of(char byte)
{
	static const char * const commands[] = { "\033[1m", "\033[31m", "\033[m" };
	const size_t i = (unsigned char)byte - (unsigned char)TERMINAL_BOLD[0];

	return has_colours && i < sizeof(commands) / sizeof(*commands) ? commands[i] : NULL;
}

/* Copy the next character of a text, or what replaces it. Return the bytes that it became. */
static size_t copy_character(const char **text, char *to)
{
	const char c = **text, *command = command_of(c);

	if (!command && c != '\n' && c != '\t')
		return text_visible(text, to);
	*to = c;
	(*text)++;
	return command ? (size_t)(stpcpy(to, command) - to) : 1;
}

/* Write all characters of a text but one that is not whole. Return 0 or -errno. */
static int write_printable(struct guard *g, const char *text, size_t len)
{
	const char *end = text + len - utf8_cut(text, len);
	char printable[MAX_COPY * (CHUNK + UTF8_MAX) + 1];
	size_t at = 0;

	g->nr = text + len - end;
	memcpy(g->begun, end, g->nr);
	while (text < end)
		if (*text >= ' ' && *text <= '~')
			printable[at++] = *text++;
		else
			at += copy_character(&text, printable + at);
	return file_write_all(g->fd, printable, at);
}

/* See fopencookie(3). After an error, nothing is written: the text would have a gap. */
static ssize_t guard_write(void *cookie, const char *bytes, size_t size)
{
	struct guard *g = cookie;
	char text[CHUNK + UTF8_MAX + 1];
	size_t done, len, part;

	for (done = 0; done < size && !g->error; done += part) {
		part = size - done < CHUNK ? size - done : CHUNK;
		memcpy(text, g->begun, g->nr);
		memcpy(text + g->nr, bytes + done, part);
		len = g->nr + part;
		text[len] = '\0';
		g->error = write_printable(g, text, len);
	}
	if (g->error)
		errno = -g->error;
	return g->error ? 0 : done;
}

static FILE *open_guard(struct guard *g, int mode)
{
	FILE *out = fopencookie(g, "w", (cookie_io_functions_t) { .write = guard_write });

	if (!out)
		errx(EXIT_UNUSABLE, "out of memory");
	setvbuf(out, NULL, mode, BUFSIZ);
	return out;
}

/* Let stdout and stderr take printable text only. options_parse() calls this in each program. */
void terminal_begin(void)
{
	stderr = open_guard(&errors, _IONBF);
	stdout = open_guard(&output, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
}

/* Let the bytes that stand for commands be these; otherwise they are escaped, too. */
void terminal_use_colours(void)
{
	has_colours = true;
}

/* Erase the last line of the standard error, which is a terminal. */
void terminal_erase_line(void)
{
	static const char erase[] = "\r\033[K";

	file_write_all(STDERR_FILENO, erase, strlen(erase));
}

/**
 * terminal_end - write the rest of the standard output
 *
 * Return: 0, or -errno after a message, if any part was not written.
 */
int terminal_end(void)
{
	fflush(stdout);
	if (output.error)
		warnx("standard output: %s", strerror(-output.error));
	return output.error;
}
