// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtraced - log the kernel's memory trace into a directory
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>

#include "linux/kmemtrace.h"

static const struct option long_options[] = {
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

int main(int argc, char *argv[])
{
	switch (getopt_long(argc, argv, "+hV", long_options, NULL)) {
	case 'h':
		puts("Usage: kmemtraced [OPTION...]");
		return 0;
	case 'V':
		printf("kmemtraced %s, trace ABI %d\n", PACKAGE_VERSION,
		       KMEMTRACE_ABI_VERSION);
		return 0;
	default:
		return 2;
	}
}
