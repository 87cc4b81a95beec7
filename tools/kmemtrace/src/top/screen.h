/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal of kmemtrace-top.
 */
#ifndef KMEMTRACE_TOP_SCREEN_H
#define KMEMTRACE_TOP_SCREEN_H

#include "top/picture.h"

/* Keys that are no characters. */
enum {
	SCREEN_NONE = -1,
	SCREEN_RESIZED = 0x10000,
	SCREEN_UP,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_BACKSPACE,
	SCREEN_ENTER,
	SCREEN_ESCAPE,
};

int screen_open(void);
int screen_fd(void);
void screen_get_size(size_t *width, size_t *height);
void screen_show(const struct picture *pic, bool is_repainted);
int screen_key(void);
void screen_pause(void);
void screen_close(void);

#endif /* KMEMTRACE_TOP_SCREEN_H */
