// SPDX-License-Identifier: GPL-2.0
/*
 * The progress on a terminal while a trace is read, and the signals that end the reading.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/terminal.h"
#include "report/format.h"
#include "report/watch.h"

/* Nanoseconds between two lines. */
#define INTERVAL	200000000

/* In file scope: any thread may handle a signal. */
static atomic_int caught, pending, is_over;

/* The first signal ends the writing of the output, too. */
static bool guards_output;

/* Descriptor that replaces the standard input after a signal. */
static int nothing = -1;

/**
 * struct watch - the line that shows the progress
 * @shown: show it
 * @begun: when the stage began, in nanoseconds; 0: it did not begin
 * @last: when the line was written last
 * @bytes: bytes that had been read then
 * @has_line: the line is on the terminal
 * @stage: enum kmemtrace_stage
 */
static struct watch {
	bool shown;
	uint64_t begun, last, bytes;
	bool has_line;
	int stage;
} watch;

/* ---- the progress ---- */

static void erase(void)
{
	if (watch.has_line)
		terminal_erase_line();
	watch.has_line = false;
}

/* Return how long the stage has taken; 0: do not show it now. */
static uint64_t time_to_show(void)
{
	uint64_t t;

	if (!watch.shown)
		return 0;
	t = now_ns();
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

static uint64_t watch_rate(uint64_t n, uint64_t ns)
{
	return (double)n * NSEC_PER_SEC / (double)ns;
}

/**
 * watch_text - write the progress of reading as text
 * @buf: has room for WATCH_TEXT_LEN bytes
 * @p: the progress
 * @ns: time that it took, not 0
 *
 * Return: @buf, "42% of 71M, 8,123,456 events/s, 0:03 left".
 */
const char *watch_text(char *buf, const struct kmemtrace_progress *p, uint64_t ns)
{
	/* The size of a damaged file may be wrong. */
	double done = p->bytes < p->total ? (double)p->bytes / (double)p->total : 1;
	/* Round up to a second. */
	double left = done > 0 ? (double)ns / NSEC_PER_SEC * (1 - done) / done + 1 : 0;
	int len;

	len = snprintf(buf, WATCH_TEXT_LEN, "%.0f%% of %s, %s events/s",
		       100 * done, BYTES(p->total),
		       NUMBER(watch_rate(p->events, ns)));
	if (done > 0 && left < 100 * 3600)
		snprintf(buf + len, WATCH_TEXT_LEN - len, ", %u:%02u left",
			 (unsigned int)left / 60, (unsigned int)left % 60);
	return buf;
}

/**
 * watch_begin - begin to watch the reading of a trace
 * @shown: show the progress on the standard error, which is a terminal
 */
void watch_begin(bool shown)
{
	erase();
	watch = (struct watch) { .shown = shown };
}

/* End the watch: erase the line. The next signal ends the program, except after watch_output(). */
void watch_end(void)
{
	erase();
	is_over = !guards_output;
}

/* ---- the signals ---- */

/*
 * The first signal ends the reading, the second one the program. A read of the standard
 * input must not block after the first: it gets the end of a file instead. The writer of
 * the pipe gets SIGPIPE.
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

/* Handle a signal unless it is ignored. System calls are not restarted after it. */
static void watch_for(int sig)
{
	const struct sigaction ours = { .sa_handler = on_signal };
	struct sigaction old;

	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &ours, NULL);
}

/**
 * watch_signals - let the first signal end the reading only
 * @input: the trace is read from the standard input
 */
void watch_signals(bool input)
{
	if (input)
		nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	watch_for(SIGINT);
	watch_for(SIGTERM);
}

/*
 * Let watch_interrupted() return the first signal after the reading, too, which would end the
 * program: who writes a folder removes it then.
 */
void watch_output(void)
{
	guards_output = true;
}

/* Return whether a signal came; see struct context. */
bool watch_interrupted(void *arg)
{
	(void)arg;
	return atomic_exchange(&pending, 0);
}

/* Return the last signal, or 0. It may have come too late to end anything. */
int watch_signal(void)
{
	return caught;
}

/* ---- the library's hook ---- */

static void show_input(uint64_t bytes, uint64_t ns)
{
	char text[WATCH_TEXT_LEN];

	snprintf(text, sizeof(text), "%s of the standard input, %s/s",
		 BYTES(bytes), BYTES(watch_rate(bytes, ns)));
	show(text);
}

static void show_reading(const struct kmemtrace_progress *p, uint64_t ns)
{
	char text[WATCH_TEXT_LEN];

	/* With --cache, the library reads the trace a second time. */
	if (p->bytes < watch.bytes)
		watch.begun = 0;
	else
		show(watch_text(text, p, ns));
	watch.bytes = p->bytes;
}

/* Show the progress. Return whether a signal came; see struct kmemtrace_options. */
int watch_progress(void *arg, const struct kmemtrace_progress *p)
{
	uint64_t ns;

	(void)arg;
	if (p->stage != watch.stage)
		watch.begun = 0;
	watch.stage = p->stage;
	ns = p->stage == KMEMTRACE_OPENING ? 0 : time_to_show();
	if (ns && p->stage == KMEMTRACE_RECEIVING)
		show_input(p->bytes, ns);
	else if (ns)
		show_reading(p, ns);
	return watch_interrupted(NULL);
}
