// SPDX-License-Identifier: GPL-2.0
/*
 * stock.c - choose the best source of a trace that this machine has
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/options.h"
#include "common/unseen.h"
#include "daemon/command.h"
#include "daemon/ftrace.h"
#include "daemon/kmemtrace.h"
#include "daemon/mounts.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/session.h"
#include "daemon/stock.h"

#define MAX_WHY		1024

/**
 * struct stock - the choice
 * @set: the options
 * @counters: how to read the kernel's counters
 * @stopped: a signal came before anything was logged
 * @why: why the source that was probed last can't be used
 */
struct stock {
	const struct settings		*set;
	const struct counters_options	*counters;
	bool				stopped;
	char				why[MAX_WHY];
};

static bool reject(struct stock *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note why a source can't be used. Return false. */
static bool reject(struct stock *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->why, sizeof(s->why), fmt, ap);
	va_end(ap);
	return false;
}

/* ---- the kernel's recorder: in the kernel, or a module ---- */

/* Find the recorder's file @name in debugfs, or note why it is not there. */
static bool find_file(struct stock *s, const char *name, char path[PATH_MAX])
{
	char dir[PATH_MAX - 64];

	if (mounts_find("debugfs", dir, sizeof(dir)))
		return reject(s, "debugfs is not mounted; try: mount -t debugfs none /sys/kernel/debug");
	snprintf(path, PATH_MAX, "%s/kmemtrace/%s", dir, name);
	if (!access(path, F_OK))
		return true;
	return reject(s, "%s is not there", path);
}

/* Return whether the recorder is there, and is the module. */
static bool has_module(struct stock *s)
{
	char path[PATH_MAX], text[32];
	int err;

	if (!find_file(s, "source", path))
		return false;
	err = file_read_line(AT_FDCWD, path, text, sizeof(text));
	if (err)
		return reject(s, "%s: %s", path, strerror(-err));
	return !strcmp(text, "source: module") ||
	       reject(s, "the kernel's recorder is no module");
}

static bool probe_series(struct stock *s)
{
	char path[PATH_MAX];

	if (has_module(s))
		return reject(s, "the kernel's recorder is the module");
	if (find_file(s, "enable", path))
		return true;
	if (strstr(s->why, "mount -t"))
		return false;
	return reject(s, "this kernel was built without the patches (CONFIG_KMEMTRACE)");
}

/* What modprobe prints, and what to do. */
static const struct {
	const char *text;
	const char *advice;
} refusals[] = {
	{ "not found", "install kmemtrace-dkms, which builds the module for this kernel" },
	{ "Key was rejected", "Secure Boot: the key that signed the module is not enrolled; try: mokutil --import /var/lib/dkms/mok.pub, and reboot" },
	{ "Required key not available", "Secure Boot: the module is not signed with an enrolled key; try: mokutil --import /var/lib/dkms/mok.pub, build the module again, and reboot" },
	{ "Operation not permitted", "lockdown, or the lack of CAP_SYS_MODULE, forbids to load it" },
	{ "Exec format error", "the module was built for another kernel; build it again" },
	{ "Invalid argument", "the module was built for another kernel; build it again" },
};

static bool refuse_module(struct stock *s, const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (strstr(text, refusals[i].text))
			return reject(s, "%s: %s", text, refusals[i].advice);
	return reject(s, "%s", *text ? text : "modprobe kmemtrace failed");
}

/* Read what modprobe prints, as one line. */
static void read_line(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len + 1 < size && (n = read(fd, text + len, size - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	for (; len; len--)
		if (text[len - 1] == '\n')
			text[len - 1] = ' ';
}

static _Noreturn void run_modprobe(int out)
{
	if (dup2(out, STDERR_FILENO) >= 0)
		execlp("modprobe", "modprobe", "kmemtrace", NULL);
	_exit(127);
}

/* Run "modprobe kmemtrace". Return its wait status, or -1; @text has what it printed. */
static int load_module(char *text, size_t size)
{
	int fds[2], status = -1;
	pid_t pid;

	*text = '\0';
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		run_modprobe(fds[1]);
	close(fds[1]);
	if (pid > 0) {
		read_line(fds[0], text, size);
		waitpid(pid, &status, 0);
	}
	close(fds[0]);
	return status;
}

static bool probe_module(struct stock *s)
{
	char text[MAX_WHY / 2];

	if (has_module(s))
		return true;
	if (strstr(s->why, "mount -t"))
		return false;
	if (!command_is_there("modprobe"))
		return reject(s, "modprobe is not installed; try: apt install kmod");
	if (load_module(text, sizeof(text)))
		return refuse_module(s, text);
	return has_module(s);
}

static enum verdict start_recorder(struct stock *s)
{
	return session_run(&kmemtrace, s->set);
}

/* ---- the others ---- */

static bool probe_ftrace(struct stock *s)
{
	return ftrace_probe(s->set, s->why, sizeof(s->why));
}

static enum verdict start_ftrace(struct stock *s)
{
	return ftrace_run(s->set, &s->stopped);
}

static bool probe_counters(struct stock *s)
{
	(void)s;
	return true;
}

static enum verdict start_counters(struct stock *s)
{
	return counters_run(&kmemtrace, s->set, s->counters);
}

/* Kinds of sources, as bits. */
#define RECORDER	1
#define TRACEPOINTS	2
#define COUNTERS	4

/* Options that some kinds of sources can't obey, and the kinds that can. */
static const struct {
	const char *option;
	unsigned int kinds;
} limited[] = {
	{ "no-baseline", RECORDER },
	{ "overwrite", RECORDER },
	{ "until", RECORDER },
	{ "sample", RECORDER },
	{ "with", RECORDER },
	{ "subbufs", RECORDER },
	{ "rotate", RECORDER },
	{ "keep", RECORDER },
	{ "compress", RECORDER | COUNTERS },
	{ "realtime", RECORDER },
};

/* Return the first option of the command line that this kind can't obey, or NULL. */
static const char *option_without_effect(unsigned int kind)
{
	size_t i;

	for (i = 0; i < sizeof(limited) / sizeof(*limited); i++)
		if (!(limited[i].kinds & kind) && options_given(limited[i].option))
			return limited[i].option;
	return NULL;
}

/**
 * struct trace_source - a source of a trace
 * @name: its name
 * @kind: its kind
 * @unseen: what it can't see, as words of the metadata
 * @probe: returns whether this machine has it, or notes why it has not
 * @start: logs a trace; NOTHING: it could not
 */
struct trace_source {
	const char *name;
	unsigned int kind;
	const char *unseen;
	bool (*probe)(struct stock *s);
	enum verdict (*start)(struct stock *s);
};

/* The best one first. */
static const struct trace_source sources[] = {
	{ "the patched kernel", RECORDER, "", probe_series, start_recorder },
	{ "the module kmemtrace", RECORDER, "baseline_objects boot percpu_bytes", probe_module,
	  start_recorder },
	{ "ftrace, by trace-cmd", TRACEPOINTS,
	  "baseline boot bulk caches moves page_bulk page_callers percpu_bytes vmalloc",
	  probe_ftrace, start_ftrace },
	{ "counters", COUNTERS, "boot events", probe_counters, start_counters },
};

#define NR_SOURCES	(sizeof(sources) / sizeof(*sources))

/* Return whether this machine has a source that obeys all options. */
static bool is_usable(struct stock *s, const struct trace_source *source)
{
	const char *option = option_without_effect(source->kind);

	if (option)
		return reject(s, "--%s has no effect on it", option);
	return source->probe(s);
}

/* Write what a source can't see as a list for people. */
static void list_unseen(const struct trace_source *source, char *text, size_t size)
{
	const char *list = source->unseen, *word, *separator = "";
	size_t len = 0, word_len;
	int i;

	snprintf(text, size, "nothing");
	while ((word = unseen_next(&list, &word_len)) && len < size) {
		i = unseen_find(word, word_len);
		if (i >= 0)
			len += snprintf(text + len, size - len, "%s%s", separator,
					unseen_text(i));
		separator = ", ";
	}
}

static void say_source(const struct trace_source *source, bool usable, const char *why)
{
	char unseen[MAX_WHY];

	list_unseen(source, unseen, sizeof(unseen));
	if (usable)
		say("source: %s: chosen; what it does not see: %s", source->name, unseen);
	else
		say("source: %s: no: %s; it would not see: %s", source->name, why, unseen);
}

/* Check the options now: each source would print the same message. */
static bool are_options_possible(const struct settings *set)
{
	int dir;

	if (set->command && !command_is_there(set->command[0])) {
		say("%s: %s", set->command[0], strerror(errno));
		return false;
	}
	if (set->to_stdout)
		return true;
	dir = outdir_open(set->output, set->force);
	if (dir < 0)
		return false;
	close(dir);
	return true;
}

/**
 * stock_run_counters - log a trace of the kernel's counters, whatever else this machine has
 * @set: the options
 * @counters: how to read the counters
 *
 * Return: the verdict.
 */
enum verdict stock_run_counters(const struct settings *set,
				const struct counters_options *counters)
{
	const char *option = option_without_effect(COUNTERS);

	if (!option)
		return counters_run(&kmemtrace, set, counters);
	say("--%s has no effect on a trace of counters", option);
	return NOTHING;
}

/**
 * stock_run - log a trace from the best source that this machine has
 * @set: the options
 * @counters: how to read the kernel's counters if it has no better source
 *
 * A source that can't obey an option of the command line is passed over.
 *
 * Return: the verdict.
 */
enum verdict stock_run(const struct settings *set, const struct counters_options *counters)
{
	struct stock s = { .set = set, .counters = counters };
	enum verdict verdict = NOTHING;
	bool usable;
	size_t i;

	if (!settings_is_root() || !are_options_possible(set))
		return NOTHING;
	for (i = 0; verdict == NOTHING && !s.stopped && i < NR_SOURCES; i++) {
		usable = is_usable(&s, &sources[i]);
		say_source(&sources[i], usable, s.why);
		if (usable)
			verdict = sources[i].start(&s);
		if (usable && verdict == NOTHING && !s.stopped && i + 1 < NR_SOURCES)
			say("source: %s: nothing was logged, for the reason above; trying the next",
			    sources[i].name);
	}
	if (verdict == NOTHING && !set->to_stdout)
		rmdir(set->output);
	return verdict;
}
