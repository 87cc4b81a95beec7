// SPDX-License-Identifier: GPL-2.0
/*
 * measure: run a command, and print what it cost.
 *
 *	measure COMMAND [ARGUMENT]...
 *
 * Prints "UNIT WORK KILOBYTES" to the standard output: WORK is what the command did in
 * user mode, in instructions where the processor counts them ("instructions"), else in
 * microseconds ("microseconds"); KILOBYTES is its largest resident set. The output of
 * the command goes to /dev/null. The exit status is that of the command.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NO_MEASURE	2

/* Count the instructions of @pid from its next exec() on. Returns -1 where none can. */
static int open_counter(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void run(char **argv, int go)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char byte;

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		err(EXIT_NO_MEASURE, "/dev/null");
	/* The parent writes as soon as it counts. */
	if (read(go, &byte, 1) != 1)
		exit(EXIT_NO_MEASURE);
	execvp(*argv, argv);
	err(EXIT_NO_MEASURE, "%s", *argv);
}

static uint64_t microseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

static void print_cost(int counter, const struct rusage *usage)
{
	uint64_t instructions;

	if (counter >= 0 &&
	    read(counter, &instructions, sizeof(instructions)) == sizeof(instructions) &&
	    instructions)
		printf("instructions %" PRIu64, instructions);
	else
		printf("microseconds %" PRIu64, microseconds(&usage->ru_utime));
	printf(" %ld\n", usage->ru_maxrss);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int go[2], status, counter;
	pid_t pid;

	if (argc < 2)
		errx(EXIT_NO_MEASURE, "no COMMAND");
	if (pipe2(go, O_CLOEXEC))
		err(EXIT_NO_MEASURE, "pipe");
	pid = fork();
	if (pid < 0)
		err(EXIT_NO_MEASURE, "fork");
	if (!pid)
		run(argv + 1, go[0]);
	counter = open_counter(pid);
	if (write(go[1], "", 1) != 1 || wait4(pid, &status, 0, &usage) != pid)
		err(EXIT_NO_MEASURE, "%s", argv[1]);
	print_cost(counter, &usage);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_NO_MEASURE;
}
