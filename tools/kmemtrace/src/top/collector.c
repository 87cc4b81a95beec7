// SPDX-License-Identifier: GPL-2.0
/*
 * collector.c - start and stop kmemtraced
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "top/collector.h"

#define PROGRAM	"kmemtraced"

/* The path of root may lack the folder of system programs. */
static void run_collector(int out, int err)
{
	char * const argv[] = { (char *)PROGRAM, (char *)"-o", (char *)"-", NULL };

	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0) {
		execvp(PROGRAM, argv);
		execv("/usr/sbin/" PROGRAM, argv);
		execv("/usr/local/sbin/" PROGRAM, argv);
	}
	dprintf(err, PROGRAM ": %s\n", strerror(errno));
	_exit(127);
}

/**
 * collector_start - start kmemtraced
 * @c: result
 *
 * Return: 0 or -errno.
 */
int collector_start(struct collector *c)
{
	int out[2], err[2], ret;

	if (pipe2(out, O_CLOEXEC))
		return -errno;
	if (pipe2(err, O_CLOEXEC)) {
		ret = -errno;
		close(out[0]);
		close(out[1]);
		return ret;
	}
	*c = (struct collector) { .pid = fork(), .out = out[0], .err = err[0] };
	if (!c->pid)
		run_collector(out[1], err[1]);
	ret = c->pid < 0 ? -errno : 0;
	close(out[1]);
	close(err[1]);
	if (ret) {
		close(out[0]);
		close(err[0]);
	}
	return ret;
}

/* Read what arrives until both files end. */
static void discard(int out, int err)
{
	struct pollfd p[] = {
		{ .fd = out, .events = POLLIN },
		{ .fd = err, .events = POLLIN },
	};
	char bytes[16 * 1024];
	int i;

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return;
		for (i = 0; i < 2; i++)
			if (p[i].revents && !read(p[i].fd, bytes, sizeof(bytes)))
				p[i].fd = -1;
	}
}

/*
 * Stop kmemtraced, and wait until it has switched tracing off. It must be able to write all
 * records: those that stay in the kernel would be all that the next collector gets.
 */
void collector_stop(struct collector *c)
{
	kill(c->pid, SIGTERM);
	discard(c->out, c->err);
	close(c->out);
	close(c->err);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
