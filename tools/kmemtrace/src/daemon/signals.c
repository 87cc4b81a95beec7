// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - the signals that end a collector
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "daemon/msg.h"
#include "daemon/signals.h"

/**
 * signals_open - block all signals that a collector waits for
 * @s: result
 *
 * A blocked signal is queued even if nohup or a shell made the collector ignore it. For
 * SIGHUP that would defeat nohup, so it stays ignored. The other signals always end the
 * collector. SIGPIPE and SIGXFSZ are only blocked: they must not kill it while tracing is
 * on, and the write that caused them fails with an error.
 *
 * Return: 0, or -errno after a message.
 */
int signals_open(struct signals *s)
{
	struct sigaction hup;
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGXCPU);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	s->interrupts = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->all = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	s->taken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->interrupts >= 0 && s->all >= 0 && s->taken >= 0)
		return 0;
	err = -errno;
	say("signalfd: %s", strerror(-err));
	return err;
}

/* Take a signal. Return whether it ends the collector. */
bool signals_take(const struct signals *s)
{
	struct signalfd_siginfo si;

	if (read(s->all, &si, sizeof(si)) != sizeof(si) ||
	    si.ssi_signo == SIGCHLD)
		return false;
	eventfd_write(s->taken, 1);
	say("%s: stopping", strsignal(si.ssi_signo));
	return true;
}
