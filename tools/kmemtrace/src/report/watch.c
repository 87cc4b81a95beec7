// SPDX-License-Identifier: GPL-2.0
/*
 * What a terminal shows while a trace is read, and the signals that end that.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "report/format.h"
#include "report/watch.h"

/* Nanoseconds between two lines. */
#define INTERVAL	200000000

#define NS		1000000000

/* In file scope for the sake of signals, which any thread may get. */
static atomic_int caught, pending, is_over;

/* Takes the place of the standard input. */
static int nothing = -1;

/**
 * struct watch - what is shown
 * @shown: it is
 * @begun: when reading began, in nanoseconds; 0: it did not yet
 * @last: when something was shown
 * @bytes: how far it had come then
 * @has_line: there is a line on the terminal
 */
static struct watch {
	bool shown;
	uint64_t begun, last, bytes;
	bool has_line;
} watch;

/* ---- what is shown ---- */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

static void erase(void)
{
	if (watch.has_line)
		fprintf(stderr, "\r\033[K");
	watch.has_line = false;
}

/* How long has it taken? 0: no time to show that. */
static uint64_t time_to_show(void)
{
	uint64_t t;

	if (!watch.shown)
		return 0;
	t = now();
	if (!watch.begun) {
		watch.begun = t;
		watch.last = t;
	}
	if (t - watch.last < INTERVAL)
		return 0;
	watch.last = t;
	return t - watch.begun;
}

static void show(const char *text)
{
	erase();
	fprintf(stderr, "%s", text);
	watch.has_line = true;
}

static uint64_t per_second(uint64_t n, uint64_t ns)
{
	return (double)n * NS / (double)ns;
}

/**
 * watch_text - how far the reading of a trace has come
 * @buf: has room for WATCH_TEXT_LEN bytes
 * @p: how far
 * @ns: in that time, not 0
 *
 * Return: @buf, "42% of 71M, 8,123,456 events/s, 0:03 left".
 */
const char *watch_text(char *buf, const struct streams_progress *p, uint64_t ns)
{
	/* What a damaged file says of its size may be wrong. */
	double done = p->bytes < p->size ? (double)p->bytes / (double)p->size : 1;
	/* What has begun to be the last second is one. */
	double left = done > 0 ? (double)ns / NS * (1 - done) / done + 1 : 0;
	int len;

	len = snprintf(buf, WATCH_TEXT_LEN, "%.0f%% of %s, %s events/s",
		       100 * done, BYTES(p->size),
		       NUMBER(per_second(p->events, ns)));
	if (done > 0 && left < 100 * 3600)
		snprintf(buf + len, WATCH_TEXT_LEN - len, ", %u:%02u left",
			 (unsigned int)left / 60, (unsigned int)left % 60);
	return buf;
}

/**
 * watch_begin - the reading of a trace begins
 * @shown: how far it has come is shown on the standard error, which is a terminal
 */
void watch_begin(bool shown)
{
	erase();
	watch = (struct watch) { .shown = shown };
}

/* It has ended: there is no line any longer, and the next signal ends the program. */
void watch_end(void)
{
	erase();
	is_over = 1;
}

/* ---- what ends it ---- */

/*
 * Who doesn't want to wait for a report of what there is sends another. A read of the
 * standard input that is just about to begin must not wait either, nor he who writes.
 */
static void on_signal(int sig)
{
	int err = errno;

	if (atomic_exchange(&caught, sig) || is_over) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	pending = 1;
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	errno = err;
}

/* What is ignored stays so. A read that has begun is not to go on after the signal. */
static void watch_for(int sig)
{
	const struct sigaction ours = { .sa_handler = on_signal };
	struct sigaction old;

	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &ours, NULL);
}

/**
 * watch_signals - from here on, the first signal ends but the reading
 * @input: that of the standard input comes first
 */
void watch_signals(bool input)
{
	if (input)
		nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	watch_for(SIGINT);
	watch_for(SIGTERM);
}

static bool is_interrupted(void)
{
	return atomic_exchange(&pending, 0);
}

/* The first signal that came, or 0. It may have come too late to end anything. */
int watch_signal(void)
{
	return caught;
}

/* ---- who tells ---- */

/* See struct spool_watch. */
bool watch_input(uint64_t bytes)
{
	uint64_t ns = time_to_show();
	char text[WATCH_TEXT_LEN];

	if (ns) {
		snprintf(text, sizeof(text), "%s of the standard input, %s/s",
			 BYTES(bytes), BYTES(per_second(bytes, ns)));
		show(text);
	}
	return is_interrupted();
}

/* See struct trace_options. */
bool watch_streams(void *arg, const struct streams *s)
{
	struct streams_progress progress;
	uint64_t ns = time_to_show();
	char text[WATCH_TEXT_LEN];

	(void)arg;
	if (ns) {
		progress = streams_progress(s);
		/* It is read once more, from its beginning. */
		if (progress.bytes < watch.bytes)
			watch.begun = 0;
		else
			show(watch_text(text, &progress, ns));
		watch.bytes = progress.bytes;
	}
	return is_interrupted();
}
