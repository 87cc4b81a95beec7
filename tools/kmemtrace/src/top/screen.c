// SPDX-License-Identifier: GPL-2.0
/*
 * screen.c - the terminal of kmemtrace-top
 *
 * The standard input may be the stream, so keys come from /dev/tty. ncurses has one terminal
 * a process, and so has this file.
 */
#include "config.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "top/screen.h"

/* <term.h> has it, and a macro for each capability, such as lines. */
extern char *tigetstr(const char *name);

static FILE *tty;
static SCREEN *terminal;

/* How each look is shown, with colours and without. */
static const struct {
	short colour;
	attr_t with_colours, without;
} looks[] = {
	[LOOK_PLAIN]	= { -1, A_NORMAL, A_NORMAL },
	[LOOK_TITLE]	= { -1, A_BOLD, A_BOLD },
	[LOOK_GOOD]	= { COLOR_GREEN, A_NORMAL, A_NORMAL },
	[LOOK_BAD]	= { COLOR_RED, A_BOLD, A_STANDOUT },
	[LOOK_HEADING]	= { -1, A_REVERSE, A_REVERSE },
	[LOOK_KEYS]	= { COLOR_CYAN, A_NORMAL, A_NORMAL },
};

static bool has_colours;

static void open_colours(void)
{
	size_t i;

	has_colours = !getenv("NO_COLOR") && has_colors() && start_color() == OK &&
		      use_default_colors() == OK;
	for (i = 0; has_colours && i < sizeof(looks) / sizeof(*looks); i++)
		init_pair(i + 1, looks[i].colour, -1);
}

/* Return whether the terminal can move its cursor. */
static bool is_capable(void)
{
	const char *cup = tigetstr("cup");

	return cup && cup != (const char *)-1;
}

/**
 * screen_open - take over the terminal
 *
 * Return: 0; -ENOTTY: there is none; -EOPNOTSUPP: it can't move its cursor; or another -errno.
 */
int screen_open(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -ENOTTY;
	tty = fdopen(fd, "r+");
	if (!tty) {
		close(fd);
		return -ENOMEM;
	}
	terminal = newterm(NULL, tty, tty);
	if (!terminal || !is_capable()) {
		screen_close();
		return -EOPNOTSUPP;
	}
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	open_colours();
	return 0;
}

/* Return the file to poll for keys. */
int screen_fd(void)
{
	return fileno(tty);
}

void screen_get_size(size_t *width, size_t *height)
{
	*width = COLS;
	*height = LINES;
}

static void show_line(int y, const struct line *line)
{
	const attr_t attr = has_colours ? looks[line->look].with_colours :
					  looks[line->look].without;

	mvaddstr(y, 0, line->text);
	mvchgat(y, 0, -1, attr, has_colours ? (short)(line->look + 1) : 0, NULL);
}

/* Show a picture. Other programs may have written to the terminal: @is_repainted repairs that. */
void screen_show(const struct picture *pic, bool is_repainted)
{
	size_t i;

	erase();
	for (i = 0; i < pic->height; i++)
		show_line(i, &pic->lines[i]);
	if (is_repainted)
		redrawwin(stdscr);
	refresh();
}

/* Return the next key, or SCREEN_NONE. */
int screen_key(void)
{
	static const struct {
		int from, to;
	} keys[] = {
		{ KEY_RESIZE, SCREEN_RESIZED }, { KEY_UP, SCREEN_UP },
		{ KEY_DOWN, SCREEN_DOWN }, { KEY_PPAGE, SCREEN_PAGE_UP },
		{ KEY_NPAGE, SCREEN_PAGE_DOWN }, { KEY_HOME, SCREEN_HOME },
		{ KEY_END, SCREEN_END }, { KEY_BACKSPACE, SCREEN_BACKSPACE },
		{ '\b', SCREEN_BACKSPACE }, { 127, SCREEN_BACKSPACE },
		{ KEY_ENTER, SCREEN_ENTER }, { '\n', SCREEN_ENTER },
		{ 27, SCREEN_ESCAPE },
	};
	int key = getch();
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (key == keys[i].from)
			return keys[i].to;
	return key == ERR || key > 255 ? SCREEN_NONE : key;
}

/* Give the terminal back until the next screen_show(). */
void screen_pause(void)
{
	if (terminal)
		endwin();
}

/* Undo screen_open(); do nothing if it failed or was not called. */
void screen_close(void)
{
	if (terminal) {
		endwin();
		delscreen(terminal);
	}
	if (tty)
		fclose(tty);
	terminal = NULL;
	tty = NULL;
}
