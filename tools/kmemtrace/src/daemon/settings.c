// SPDX-License-Identifier: GPL-2.0
/*
 * settings.c - the options that all collectors have
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/settings.h"

static struct settings settings = { .priority = 1 };

/**
 * settings_seconds - parse a time
 * @value: seconds, which may have a fraction
 * @ns: result
 *
 * Return: 0; 1: it is no number, not above 0, or too long.
 */
int settings_seconds(const char *value, uint64_t *ns)
{
	char *end;
	double seconds = strtod(value, &end);

	*ns = seconds > 0 && seconds < 1e9 ? seconds * 1e9 : 0;
	return *end || !*ns;
}

/**
 * settings_amount - parse a number with a unit: K, M or G bytes (of 1024), as a small letter where
 *	no time has it, or with "iB", too; or s, m, h or d of time
 * @value: the text
 * @bytes: result; 0 if it is a time
 * @ns: result; 0 if it is a size
 *
 * Return: 0; 1: it is none, or it is 0.
 */
int settings_amount(const char *value, uint64_t *bytes, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t bytes, seconds;
	} units[] = {
		{ "K", UINT64_C(1) << 10, 0 },
		{ "k", UINT64_C(1) << 10, 0 },
		{ "KiB", UINT64_C(1) << 10, 0 },
		{ "M", UINT64_C(1) << 20, 0 },
		{ "MiB", UINT64_C(1) << 20, 0 },
		{ "G", UINT64_C(1) << 30, 0 },
		{ "g", UINT64_C(1) << 30, 0 },
		{ "GiB", UINT64_C(1) << 30, 0 },
		{ "s", 0, 1 },
		{ "m", 0, 60 },
		{ "h", 0, 3600 },
		{ "d", 0, 86400 },
	};
	char *unit;
	double number = strtod(value, &unit);
	size_t i;

	if (!(number > 0 && number < 1e6))
		return 1;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(units[i].name, unit))
			continue;
		*bytes = number * units[i].bytes;
		*ns = number * units[i].seconds * 1e9;
		return !*bytes && !*ns;
	}
	return 1;
}

/**
 * settings_rotate - set when to go on in a new trace
 * @value: see settings_amount()
 *
 * Return: 0; 1: it is invalid, or there is one already.
 */
int settings_rotate(const char *value)
{
	if (settings.rotate_bytes || settings.rotate_ns)
		return 1;
	return settings_amount(value, &settings.rotate_bytes, &settings.rotate_ns);
}

/* Set how many traces of a chain stay; the newest one needs the one before for its books. */
int settings_keep(const char *value)
{
	char *end;

	settings.keep = strtoul(value, &end, 10);
	return *end || *value == '-' || settings.keep < 2 ?
	       options_expected("a number of traces, 2 or more") : 0;
}

static int set_destination(const char *value)
{
	settings.to_stdout = !strcmp(value, "-");
	settings.output = settings.to_stdout ? "standard output" : value;
	return !*value;
}

static int set_time_limit(const char *value)
{
	return settings_seconds(value, &settings.limit_ns) ?
	       options_expected("seconds, such as 10 or 0.5") : 0;
}

static int set_realtime(const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);

	settings.priority = number;
	return !*value || *end || number < 0 ||
	       number > sched_get_priority_max(SCHED_FIFO);
}

static int set_force(const char *value)
{
	(void)value;
	settings.force = true;
	return 0;
}

static int set_compress(const char *value)
{
	(void)value;
	settings.compress = true;
	return 0;
}

const struct opt settings_opts[] = {
	{ .help = "Where the trace goes" },
	{ 'o', "output", "DIR", "log into DIR instead, - is a pipe", set_destination },
	{ 'z', "compress", NULL, "compress the streams with zstd", set_compress },
	{ 'f', "force", NULL, "overwrite the trace in DIR", set_force },
	{ .help = "How it is logged" },
	{ 't', "time", "SECONDS", "stop after so long", set_time_limit },
	{ 'r', "realtime", "PRIO", "read with this real-time priority, 0: none (default 1)", set_realtime },
	{ 0 }
};

/**
 * settings_parse - parse the command line of a collector
 * @recorder: the recorder
 * @prog: the program
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * Return: the settings; NULL after a message.
 */
const struct settings *settings_parse(const struct recorder *recorder,
				      const struct program *prog, int argc, char **argv)
{
	int i;

	settings.output = recorder->output;
	i = options_parse(prog, argc, argv);
	if (i < 0)
		return NULL;
	settings.command = i < argc ? argv + i : NULL;
	if (settings.to_stdout && (settings.rotate_bytes || settings.rotate_ns)) {
		say("--rotate needs a directory: -o - is one trace");
		return NULL;
	}
	if (settings.keep && !settings.rotate_bytes && !settings.rotate_ns) {
		say("--keep needs --rotate");
		return NULL;
	}
	if (settings.to_stdout && isatty(STDOUT_FILENO)) {
		say("standard output is a terminal; -o - is for a pipe, such as one to %s-report -",
		    recorder->name);
		return NULL;
	}
	return &settings;
}

/* Return whether root runs the collector; else print a message. */
bool settings_is_root(void)
{
	if (!geteuid())
		return true;
	say("must be run as root");
	return false;
}

/**
 * settings_open_output - open the place of a new trace
 * @set: the settings
 * @sender: set up if the trace goes to a pipe
 * @signals: for @sender
 *
 * Where it goes to a pipe, small files are collected in memory, and sent at the end.
 *
 * Return: the descriptor of a directory, or -errno after a message.
 */
int settings_open_output(const struct settings *set, struct sender *sender,
			 const struct signals *signals)
{
	int dir;

	if (!set->to_stdout)
		return outdir_open(set->output, set->force);
	dir = outdir_anonymous();
	if (dir < 0) {
		say("no directory in memory: %s", strerror(-dir));
		return dir;
	}
	sender_init(sender, STDOUT_FILENO, signals);
	return dir;
}
