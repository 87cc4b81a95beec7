// SPDX-License-Identifier: GPL-2.0
/*
 * ktraced - log the kernel's events into a directory
 *
 * The recorder ktrace: its names, its options, and the selection of events.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/control.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/session.h"
#include "ktrace-daemon/buffer.h"
#include "ktrace-daemon/losses.h"
#include "ktrace-daemon/patterns.h"
#include "linux/ktrace.h"

/* Options. */
static struct patterns wanted;
static bool overwrite;

/* The kernel's selection at the start, and whether it was replaced. */
static char *former;
static bool replaced;

/* ---- selection ---- */

static FILE *open_control_file(const struct control *ctl, const char *name)
{
	int fd = openat(ctl->dir, name, O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

static int say_errno(const struct control *ctl, const char *name, int err)
{
	say("%s/%s: %s", ctl->path, name, strerror(-err));
	return err;
}

/* Remember the kernel's selection, without its newline. */
static int read_former(const struct control *ctl)
{
	FILE *f = open_control_file(ctl, "select");
	size_t size = 0;
	int err = 0;

	if (!f)
		return say_errno(ctl, "select", -errno);
	if (getline(&former, &size, f) < 0 && ferror(f))
		err = say_errno(ctl, "select", -EIO);
	fclose(f);
	if (err || !former)
		return err;
	former[strcspn(former, "\n")] = '\0';
	return 0;
}

static bool has_former(void)
{
	return former && *former;
}

/* The name may be that of a module's marker. */
static int warn_of_unknown(const struct control *ctl)
{
	FILE *info = open_control_file(ctl, "info");
	int err = info ? patterns_match(&wanted, info) : -errno;
	size_t i;

	if (info)
		fclose(info);
	if (err)
		return say_errno(ctl, "info", err);
	for (i = 0; i < wanted.n; i++)
		if (!wanted.list[i].matches)
			say("-e %s: no marker matches now; a module that is loaded later may have one",
			    wanted.list[i].text);
	return 0;
}

static int check_selection(const struct control *ctl, bool on, bool unread)
{
	int err;

	if (unread && wanted.n) {
		say("tracing is off, but its last records haven't been read; save them first, without -e");
		return -EBUSY;
	}
	if (unread)
		return 0;
	err = read_former(ctl);
	if (err)
		return err;
	if (wanted.n)
		return warn_of_unknown(ctl);
	if (has_former())
		say("no -e: recording %s, the kernel's selection", former);
	else if (!on)
		say("which events? -e NAME selects markers, and %s/info lists them",
		    ctl->path);
	return on || has_former() ? 0 : -EINVAL;
}

/* An empty selection is an empty line, because a write of no bytes may be ignored. */
static int write_selection(const struct control *ctl, const char *text)
{
	int err = control_write(ctl, "select", *text ? text : "\n");

	return err ? say_errno(ctl, "select", err) : 0;
}

static int select_events(struct control *ctl)
{
	char *text;
	int err;

	if (!wanted.n)
		return 0;
	text = patterns_text(&wanted);
	if (!text)
		return say_errno(ctl, "select", -ENOMEM);
	replaced = true;
	err = write_selection(ctl, text);
	free(text);
	return err;
}

static void restore_selection(const struct control *ctl)
{
	if (replaced)
		write_selection(ctl, former ? former : "");
	patterns_free(&wanted);
	free(former);
	former = NULL;
}

/* ---- files ---- */

/* Copy the rest of a file, whose descriptor is @from. */
static int copy_bytes(FILE *out, void *from)
{
	char text[4096];
	ssize_t n;

	/* Who closes the stream sees its errors. */
	while ((n = read(*(const int *)from, text, sizeof(text))) > 0)
		fwrite(text, n, 1, out);
	return n < 0 ? -errno : 0;
}

/*
 * Copy a file of the kernel into the trace directory, and replace an earlier copy. After an
 * error, that is still there.
 */
static int copy_kernel_file(const struct control *ctl, const char *name, int dir)
{
	int err, from = openat(ctl->dir, name, O_RDONLY | O_CLOEXEC);

	if (from < 0)
		return say_errno(ctl, name, -errno);
	err = outdir_replace(dir, name, copy_bytes, &from);
	close(from);
	if (err)
		say("copy %s: %s", name, strerror(-err));
	return err;
}

static const char *const files[] = { "info", "overflow", NULL };

/* Without the formats, no event can be read: they are there even if ktraced is killed. */
static int save_info(const struct control *ctl, int dir)
{
	return copy_kernel_file(ctl, "info", dir);
}

/* The formats again, because modules may have brought further ones. */
static int save_files(const struct control *ctl, int dir)
{
	int err, first = 0;
	size_t i;

	for (i = 0; files[i]; i++) {
		err = copy_kernel_file(ctl, files[i], dir);
		if (!first)
			first = err;
	}
	return first;
}

/*
 * The kernel refuses buffers of all CPUs that are larger than the available memory. Return
 * the part of a CPU, also where that memory is unknown, which is before Linux 3.14.
 */
static uint64_t share_of_available(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	uint64_t kilobytes = 0;
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0)
		if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
			break;
	free(line);
	if (f)
		fclose(f);
	return kilobytes * 1024 / sysconf(_SC_NPROCESSORS_ONLN);
}

static const struct recorder ktrace = {
	.name = "ktrace",
	.collector = "ktraced",
	.config = "CONFIG_KTRACE",
	.boot = "ktrace=NAME,...",
	.subbufs = "ktrace.subbufs",
	.output = "ktrace.data",
	.abi_file = "info",
	.abi_prefix = "version ",
	.abi_version = KTRACE_ABI_VERSION,
	.enable = "enabled",
	.words = {
		[TRACING_OFF] = "0",
		[TRACING_ON] = "1",
		[TRACING_OVERWRITES] = "overwrite",
	},
	.stream = "buffers/cpu",
	.map = "buffers/cpu",
	.overruns = "overflow",
	.files = files,
	.overwrite = &overwrite,
	.bounds = "none of COMMAND, -t, -e and --overwrite",
	.parse_overrun = losses_parse,
	.count = losses_count,
	.missing = losses_missing,
	.max_bytes = share_of_available,
	.next = buffer_next,
	.consume = buffer_consume,
	.check = check_selection,
	.begin = select_events,
	.end = restore_selection,
	.save_first = save_info,
	.save_last = save_files,
};

/* ---- command line ---- */

static int add_markers(const char *value)
{
	return patterns_add(&wanted, value);
}

static int keep_newest(const char *value)
{
	(void)value;
	overwrite = true;
	return 0;
}

static const struct opt opts[] = {
	{ .help = "What is recorded" },
	{ 'e', "event", "NAME", "record these markers: names and globs, with commas", add_markers },
	{ 0, "overwrite", NULL, "keep the newest events, read them at the end", keep_newest },
	{ 0 }
};

static const struct program prog = {
	.name = "ktraced",
	.operands = "[-- COMMAND [ARG]...]",
	.purpose = "Log the kernel's events into ktrace.data until COMMAND ends, the time is up or\n"
		   "Ctrl-C.\n"
		   "Exit status: 0 complete, 1 incomplete, 2 nothing was logged.",
	.command = true,
	.opts = opts,
	.more = settings_opts,
};

int main(int argc, char *argv[])
{
	return session_main(&ktrace, &prog, argc, argv);
}
