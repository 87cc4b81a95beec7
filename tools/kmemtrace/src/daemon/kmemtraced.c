// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtraced - log the kernel's memory trace into a directory
 */
#include "config.h"

#include "daemon/kmemtrace.h"
#include "daemon/session.h"

static const struct program prog = {
	.name = "kmemtraced",
	.operands = "[-- COMMAND [ARG]...]",
	.purpose = "Log the kernel's memory trace into kmemtrace.data until COMMAND ends, the time\n"
		   "is up or Ctrl-C.\n"
		   "Exit status: 0 complete, 1 incomplete, 2 nothing was logged.",
	.command = true,
	.opts = settings_opts,
};

int main(int argc, char *argv[])
{
	return session_main(&kmemtrace, &prog, argc, argv);
}
