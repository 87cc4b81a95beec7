// SPDX-License-Identifier: GPL-2.0
/*
 * ending.c - signals that end an import
 *
 * A reader of the trace would take a part of it for all. So a signal kills the process that reads
 * the file, and the process that writes the trace removes what it wrote.
 */
#include "config.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "import/ending.h"

static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU };

/* In file scope: the handler uses them. */
static atomic_int caught, reader;

static void end_reader(int sig)
{
	caught = sig;
	if (reader)
		kill(reader, SIGKILL);
}

/* Let no signal kill this process: they are caught, or ignored if they were before. */
void ending_catch(void)
{
	const struct sigaction ours = { .sa_handler = end_reader, .sa_flags = SA_RESTART };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &ours, NULL);
	/* A write that causes one fails instead. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

/* Let this process, a reader, ignore the signals: the one that writes ends it. */
void ending_ignore(void)
{
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (ends[i] != SIGXCPU)
			signal(ends[i], SIG_IGN);
	signal(SIGXCPU, SIG_DFL);
	/* A file that is too large ends the reader. */
	signal(SIGXFSZ, SIG_DFL);
}

/* Let a signal, also one that came already, kill the reader @pid; 0: there is none. */
void ending_kills(pid_t pid)
{
	reader = pid;
	if (caught && pid)
		kill(pid, SIGKILL);
}

/* Return the signal that came, or 0. */
int ending_signal(void)
{
	return caught;
}
