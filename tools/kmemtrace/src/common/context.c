// SPDX-License-Identifier: GPL-2.0
/*
 * context.c - messages and errors of one trace
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/context.h"
#include "common/text.h"

/* Bytes of a message; a longer one is cut. */
#define MAX_TEXT	8192

/*
 * A message may have names of files and of the trace in it: whoever receives it may print it.
 *
 * @error: errno to append as text; 0: append nothing
 */
__attribute__((format(printf, 2, 0)))
static void say_with_errno(const struct context *ctx, const char *fmt, va_list ap, int error)
{
	char text[MAX_TEXT], visible[MAX_TEXT];
	int len = vsnprintf(text, sizeof(text), fmt, ap);

	if (error && len >= 0 && len < MAX_TEXT)
		snprintf(text + len, MAX_TEXT - len, ": %s", strerror(error));
	text_all_visible(visible, sizeof(visible), text);
	if (ctx->say)
		ctx->say(ctx->arg, visible);
	else
		warnx("%s", visible);
}

/**
 * context_say - emit a message
 * @ctx: the context of the trace
 * @fmt: as for printf(), without a newline
 */
void context_say(const struct context *ctx, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_with_errno(ctx, fmt, ap, 0);
	va_end(ap);
}

/* context_say() with the text of errno appended; errno keeps its value. */
void context_say_errno(const struct context *ctx, const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	say_with_errno(ctx, fmt, ap, error);
	va_end(ap);
	errno = error;
}

/**
 * context_fail - make the trace unusable
 * @ctx: the context of the trace
 * @error: why, as -errno; the first one stays
 *
 * Return: @error.
 */
int context_fail(struct context *ctx, int error)
{
	int none = 0;

	atomic_compare_exchange_strong(&ctx->error, &none, error);
	return error;
}

/**
 * context_check - check whether long work may go on
 * @ctx: the context of the trace
 *
 * Return: 0; or the error that makes the trace unusable, which is -EINTR once
 * @ctx->interrupt has returned true.
 */
int context_check(struct context *ctx)
{
	int error = context_error(ctx);

	if (!error && ctx->interrupt && ctx->interrupt(ctx->interrupt_arg))
		error = context_fail(ctx, -EINTR);
	return error;
}

/* Cut a name of which more than @max bytes would be printed, and note that. */
void context_cut(struct context *ctx, char *name, size_t max)
{
	/* A byte is printed as four characters at most: most names need no closer look. */
	if (strnlen(name, max / 4 + 1) > max / 4 && text_cut(name, max))
		ctx->has_cut = true;
}

/* reallocarray() that records -ENOMEM in @ctx where it fails; @old is kept then. */
void *context_realloc(struct context *ctx, void *old, size_t nr, size_t size)
{
	void *new = reallocarray(old, nr, size);

	if (!new && nr)
		context_fail(ctx, -ENOMEM);
	return new;
}

/* calloc() that records -ENOMEM in @ctx where it fails. */
void *context_calloc(struct context *ctx, size_t nr, size_t size)
{
	void *new = calloc(nr, size);

	if (!new && nr)
		context_fail(ctx, -ENOMEM);
	return new;
}

/* Bytes of a huge page, and of a cache line. */
#define HUGE_PAGE	((size_t)2 << 20)
#define LINE		64

/**
 * context_large - allocate memory that begins with a cache line
 * @ctx: the context of the trace
 * @bytes: how many, at least one
 *
 * Huge pages avoid most faults and TLB misses, where there is at least one.
 *
 * Return: memory to be freed, not zeroed; NULL: no memory, @ctx has -ENOMEM.
 */
void *context_large(struct context *ctx, size_t bytes)
{
	void *new;

	if (posix_memalign(&new, bytes < HUGE_PAGE ? LINE : HUGE_PAGE, bytes)) {
		context_fail(ctx, -ENOMEM);
		return NULL;
	}
	madvise(new, bytes & -HUGE_PAGE, MADV_HUGEPAGE);
	return new;
}

/**
 * context_whole - round bytes up to whole huge pages, if that costs little
 * @bytes: how many
 *
 * Return: the bytes to ask context_zeroed() for.
 */
size_t context_whole(size_t bytes)
{
	size_t whole = (bytes + HUGE_PAGE - 1) & -HUGE_PAGE;

	return whole > bytes && whole - bytes <= bytes / 4 ? whole : bytes;
}

/* Map bytes that are zero, from a multiple of HUGE_PAGE on. Returns NULL without memory. */
static void *map_zeroes(size_t bytes)
{
	const size_t page = sysconf(_SC_PAGESIZE), room = ((bytes - 1) | (page - 1)) + 1;
	char *map = mmap(NULL, room + HUGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before = -(uintptr_t)map & (HUGE_PAGE - 1);

	if (map == MAP_FAILED)
		return NULL;
	if (before)
		munmap(map, before);
	munmap(map + before + room, HUGE_PAGE - before);
	madvise(map + before, room & -HUGE_PAGE, MADV_HUGEPAGE);
	return map + before;
}

/**
 * context_zeroed - allocate memory as context_large(), but zeroed
 * @ctx: the context of the trace
 * @bytes: how many, at least one
 *
 * The kernel gives large memory zeroed: to clear it again would take as long as to use it.
 *
 * Return: memory for context_free_zeroed(); NULL: no memory, @ctx has -ENOMEM.
 */
void *context_zeroed(struct context *ctx, size_t bytes)
{
	void *new;

	if (bytes < HUGE_PAGE) {
		new = context_large(ctx, bytes);
		return new ? memset(new, 0, bytes) : NULL;
	}
	new = map_zeroes(bytes);
	if (!new)
		context_fail(ctx, -ENOMEM);
	return new;
}

/* Free what context_zeroed() returned for so many bytes. */
void context_free_zeroed(void *old, size_t bytes)
{
	if (bytes < HUGE_PAGE)
		free(old);
	else
		munmap(old, bytes);
}

/**
 * context_grow_list - make room for one more entry in a list
 * @ctx: the context of the trace
 * @list: the list; NULL: an empty one
 * @nr: its entries
 * @size: bytes of an entry
 *
 * Makes the room twice @nr whenever @nr is a power of two. So entries may be removed, too.
 *
 * Return: the list; NULL: no memory, @ctx has -ENOMEM and @list is unchanged.
 */
void *context_grow_list(struct context *ctx, void *list, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return list;
	return context_realloc(ctx, list, nr ? 2 * nr : 1, size);
}
