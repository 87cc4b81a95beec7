/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of the programs that write traces. */
#ifndef KMEMTRACE_DIR_OPERAND_H
#define KMEMTRACE_DIR_OPERAND_H

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "common/memory.h"
#include "common/options.h"

/* Parse the options. The only operand is "-", or a folder, which is created if missing. */
static inline const char *dir_operand(const struct program *prog, int argc,
				      char **argv)
{
	int arg = options_parse(prog, argc, argv);

	if (arg < 0)
		exit(EXIT_UNUSABLE);
	if (argc - arg != 1)
		errx(EXIT_UNUSABLE, "need one DIR; try '--help'");
	if (strcmp(argv[arg], "-") && mkdir(argv[arg], 0777) && errno != EEXIST)
		err(EXIT_UNUSABLE, "%s", argv[arg]);
	return argv[arg];
}

#endif /* KMEMTRACE_DIR_OPERAND_H */
