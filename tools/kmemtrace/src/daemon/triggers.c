// SPDX-License-Identifier: GPL-2.0
/*
 * triggers.c - events that end a trace: an OOM kill, a failed allocation, too much live memory
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/msg.h"
#include "daemon/settings.h"
#include "daemon/triggers.h"

/* Memory of the kernel, by the names of /proc/meminfo. */
static const char *const live_names[] = {
	"Slab", "KernelStack", "PageTables", "SecPageTables", "VmallocUsed", "Percpu",
};

/* What ends the trace, and the counts when it began. */
static struct {
	bool		oom, failure;
	uint64_t	live;
	int		proc;
	uint64_t	kills, failures;
} wanted = { .proc = -1 };

/* ---- the option ---- */

static bool parse_trigger(const char *word)
{
	uint64_t ns;

	if (!strcmp(word, "oom"))
		wanted.oom = true;
	else if (!strcmp(word, "failure"))
		wanted.failure = true;
	else if (!strncmp(word, "live=", 5))
		return !settings_amount(word + 5, &wanted.live, &ns) && wanted.live;
	else
		return false;
	return true;
}

/**
 * triggers_parse - take the value of the option --until
 * @value: words with commas between them: oom, failure, live=SIZE
 *
 * Return: 0; 1: it is invalid.
 */
int triggers_parse(const char *value)
{
	char *list = strdup(value), *rest = list, *word;
	bool valid = list;

	while (valid && (word = strsep(&rest, ",")))
		valid = parse_trigger(word);
	free(list);
	return !valid;
}

/* ---- the counts ---- */

/* Return the number behind a name at the begin of a line; 0: there is no such line. */
static uint64_t read_row(const char *file, const char *name)
{
	int fd = openat(wanted.proc, file, O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	size_t len = strlen(name);
	uint64_t number = 0;
	char line[256];

	if (!f) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (!number && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, len) && strchr(": ", line[len]))
			number = strtoull(line + len + 1, NULL, 10);
	fclose(f);
	return number;
}

static uint64_t read_live(void)
{
	uint64_t kilobytes = 0;
	size_t i;

	for (i = 0; i < sizeof(live_names) / sizeof(*live_names); i++)
		kilobytes += read_row("meminfo", live_names[i]);
	return kilobytes * 1024;
}

static int read_failures(const struct control *ctl, uint64_t *failures)
{
	char line[32];
	int err = file_read_line(ctl->dir, "failures", line, sizeof(line));

	if (!err)
		*failures = strtoull(line, NULL, 10);
	return err;
}

/**
 * triggers_begin - note what the counts are when the trace begins
 * @ctl: the kernel's interface
 * @proc: the directory /proc
 * @is_on: tracing is on already
 *
 * Return: 0, or -errno after a message.
 */
int triggers_begin(const struct control *ctl, const char *proc, bool is_on)
{
	int err = wanted.failure ? read_failures(ctl, &wanted.failures) : 0;

	/* They are counted from the begin of a trace. */
	if (!is_on)
		wanted.failures = 0;
	if (err) {
		say("--until failure: %s/failures: %s", ctl->path, strerror(-err));
		return err;
	}
	wanted.proc = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (wanted.proc < 0) {
		err = -errno;
		say("--until: %s: %s", proc, strerror(-err));
		return err;
	}
	wanted.kills = read_row("vmstat", "oom_kill");
	return 0;
}

/**
 * triggers_look - check whether one of the events has come
 * @ctl: the kernel's interface, after triggers_begin()
 *
 * Return: true if so, after a message.
 */
bool triggers_look(const struct control *ctl)
{
	uint64_t now;

	if (wanted.oom && read_row("vmstat", "oom_kill") > wanted.kills) {
		say("the OOM killer has killed a process: stopping");
		return true;
	}
	if (wanted.failure && !read_failures(ctl, &now) && now > wanted.failures) {
		say("an allocation has failed: stopping");
		return true;
	}
	now = wanted.live ? read_live() : 0;
	if (now <= wanted.live || !wanted.live)
		return false;
	say("%" PRIu64 " bytes of kernel memory are live, more than %" PRIu64 ": stopping", now,
	    wanted.live);
	return true;
}
