/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SETTINGS_H
#define COLLECTOR_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/options.h"
#include "daemon/recorder.h"
#include "daemon/sender.h"

/* Exit status, see kmemtraced(8) and ktraced(8). */
enum verdict {
	COMPLETE = 0,
	INCOMPLETE = 1,
	NOTHING = 2,
};

/**
 * struct settings - the options that all collectors have, and the command
 * @output: the trace directory, or the name of the standard output
 * @to_stdout: the trace goes to the standard output
 * @force: overwrite a trace, or a chain of traces, in @output
 * @compress: compress the streams
 * @limit_ns: stop after so long; 0: never
 * @rotate_bytes: go on in a new trace after so many bytes; 0: never
 * @rotate_ns: go on in a new trace after so long; 0: never
 * @keep: how many traces stay then; 0: all
 * @priority: real-time priority of the threads, 0: none
 * @command: what is traced; NULL: there is no command
 */
struct settings {
	const char	*output;
	bool		to_stdout, force, compress;
	uint64_t	limit_ns;
	uint64_t	rotate_bytes, rotate_ns;
	unsigned long	keep;
	int		priority;
	char		**command;
};

extern const struct opt settings_opts[];

const struct settings *settings_parse(const struct recorder *recorder,
				      const struct program *prog, int argc, char **argv);
int settings_amount(const char *value, uint64_t *bytes, uint64_t *ns);
int settings_rotate(const char *value);
int settings_keep(const char *value);
int settings_seconds(const char *value, uint64_t *ns);
int settings_open_output(const struct settings *set, struct sender *sender,
			 const struct signals *signals);
bool settings_is_root(void);

#endif /* COLLECTOR_SETTINGS_H */
