// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace.c - the recorder of memory events
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "common/counters.h"
#include "common/file.h"
#include "common/with.h"
#include "daemon/control.h"
#include "daemon/end-counters.h"
#include "daemon/kmemtrace.h"
#include "daemon/mapping.h"
#include "daemon/msg.h"
#include "daemon/slabs.h"
#include "daemon/tasks.h"
#include "daemon/triggers.h"
#include "linux/kmemtrace.h"
#include "linux/marker_channel.h"

/*
 * Parse "cpu<n>" and the bytes and records that were lost, that of these are unreported, and that
 * were overwritten, which an older kernel does not tell. A kernel of ABI version 1 doesn't
 * count records, which all have one size, and its streams report no loss.
 */
static bool parse_overrun(const char *line, struct overrun *o)
{
	struct lost old = { 0 };
	int n = sscanf(line, "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		       " %" SCNu64 " %" SCNu64, &o->cpu, &o->all.bytes, &o->all.records,
		       &o->unreported.bytes, &o->unreported.records, &old.bytes,
		       &old.records);

	/* Without CONFIG_KMEMTRACE_DEBUG, the kernel counts bytes only; no record is smaller. */
	o->overwritten = old.records ? old.records : old.bytes / sizeof(struct kmemtrace_event);
	if (n == 2) {
		o->all.records = o->all.bytes / sizeof(struct kmemtrace_event);
		o->unreported = o->all;
	}
	return n == 2 || n == 5 || n == 7;
}

/* A sub-buffer begins with a CLOCK, and a LOST if events were lost before it. */
static void count_lost(struct tally *t, const void *data, size_t len)
{
	const struct kmemtrace_clock *clock = data;
	const struct kmemtrace_lost *lost;

	if (len < sizeof(*clock) || clock->event_id != KMEMTRACE_EVENT_CLOCK ||
	    len < clock->event_size + sizeof(*lost))
		return;
	lost = data + clock->event_size;
	if (lost->event_id != KMEMTRACE_EVENT_LOST)
		return;
	t->lost.bytes += lost->bytes;
	t->lost.records += lost->records;
}

/*
 * This trace lacks the losses that its streams report and, once all records are read, the
 * unreported losses at the end. The kernel's counters also have the losses in what another
 * kmemtraced read before.
 */
static void missing(struct overrun *o, const struct tally *t, enum extent extent,
		    bool overwrites)
{
	(void)overwrites;
	o->all = t->lost;
	if (extent == EXTENT_CUT)
		return;
	o->all.bytes += o->unreported.bytes;
	o->all.records += o->unreported.records;
}

/*
 * An eighth of the memory for the possible CPUs together, and no more bytes than the
 * kernel can count: kmemtrace_n_subbufs() in mm/kmemtrace/size.c.
 */
static uint64_t eighth_of_memory(void)
{
	unsigned long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct sysinfo si;
	uint64_t bytes;

	sysinfo(&si);
	bytes = (uint64_t)(si.totalram - si.totalhigh) * si.mem_unit / 8 / cpus;
	return bytes < UINT_MAX ? bytes : UINT_MAX;
}

/*
 * Each generation has buffers of its own. Map those that are there now, and ask again, to
 * see that they are the buffers of the sub-buffer.
 */
static ssize_t next_mapped_subbuf(struct mapping *m, const void **data)
{
	struct marker_channel_subbuf subbuf;
	uint64_t generation;
	int err;

	do {
		generation = m->generation;
		if (ioctl(m->fd, MARKER_CHANNEL_NEXT, &subbuf))
			return -errno;
		m->generation = subbuf.generation;
		if (m->map && generation == m->generation)
			break;
		err = mapping_map(m);
		if (err)
			return err;
	} while (true);
	m->position = subbuf.sequence;
	return mapping_part(m, subbuf.offset, subbuf.bytes, data);
}

static int consume(const struct mapping *m)
{
	const struct marker_channel_subbuf subbuf = {
		.generation = m->generation,
		.sequence = m->position,
	};

	return ioctl(m->fd, MARKER_CHANNEL_CONSUME, &subbuf) ? -errno : 0;
}

struct kmemtrace_wishes kmemtrace_wishes;

/* Tracing was on when the options were checked. */
static bool was_on;

static int check_wishes(const struct control *ctl, bool on, bool unread)
{
	const struct kmemtrace_wishes *w = &kmemtrace_wishes;

	(void)ctl;
	was_on = on && !unread;
	if ((!on && !unread) || (!w->no_baseline && !w->n_subbufs && !w->sample && !w->with))
		return 0;
	if (unread)
		say("tracing is off, but its last records haven't been read; save them first, without --no-baseline, --sample, --subbufs and --with");
	else
		say("tracing is on already; --no-baseline, --sample, --subbufs and --with are for a trace that begins now");
	return -EBUSY;
}

/* Say why the kernel did not take a wish. */
static int refused(const struct control *ctl, const char *option, const char *file, int err)
{
	if (err == -ENOENT)
		say("%s: %s/%s is not there: this kernel can't do that", option, ctl->path, file);
	else
		say("%s: %s/%s: %s", option, ctl->path, file, strerror(-err));
	return err;
}

static int resize(struct control *ctl)
{
	unsigned long most = control_max_subbufs(ctl);
	int err = control_resize(ctl, kmemtrace_wishes.n_subbufs);

	if (err != -ERANGE)
		return err ? refused(ctl, "--subbufs", "resize", err) : 0;
	say("--subbufs %lu: expected 2 to %lu, an 8th of the memory", kmemtrace_wishes.n_subbufs,
	    most);
	return err;
}

/**
 * struct setting - a file of the kernel that a wish changes for this trace
 * @option: the option
 * @file: the file
 * @before: what it had before, to be restored; empty: it stays
 */
struct setting {
	const char	*option;
	const char	*file;
	char		before[128];
};

static struct setting baseline = { "--no-baseline", "baseline", "" };
static struct setting sample = { "--sample", "sample", "" };
static struct setting with = { "--with", "with", "" };

static int change(struct control *ctl, struct setting *setting, const char *value)
{
	int err = file_read_line(ctl->dir, setting->file, setting->before,
				 sizeof(setting->before));

	if (!err)
		err = control_write(ctl, setting->file, value);
	return err ? refused(ctl, setting->option, setting->file, err) : 0;
}

static void restore(const struct control *ctl, const struct setting *setting)
{
	if (*setting->before)
		control_write(ctl, setting->file, setting->before);
}

/* Return whether a word of @len bytes is a line of @lines. */
static bool has_line(const char *lines, const char *word, size_t len)
{
	for (; *lines; lines += strcspn(lines, "\n"), lines += !!*lines)
		if (strcspn(lines, "\n") == len && !strncmp(lines, word, len))
			return true;
	return false;
}

/* Check that the kernel has the kinds of references of a list of words. */
static int check_refs(const struct control *ctl, const char *words)
{
	char kinds[1024] = "";
	size_t len, i;

	for (; *words; words += len, words += !!*words) {
		len = strcspn(words, ",");
		if (strncmp(words, "refs=", 5))
			continue;
		if (!*kinds && file_read_text(ctl->dir, "refs", kinds, sizeof(kinds)) <= 0) {
			say("--with %.*s: this kernel does not record references: it has no CONFIG_KMEMTRACE_REFS",
			    (int)len, words);
			return -ENOENT;
		}
		if (has_line(kinds, words + 5, len - 5))
			continue;
		for (i = 0; kinds[i]; i++)
			if (kinds[i] == '\n')
				kinds[i] = kinds[i + 1] ? ' ' : '\0';
		say("--with %.*s: this kernel records no such references, but these: %s",
		    (int)len, words, kinds);
		return -EINVAL;
	}
	return 0;
}

static int apply_wishes(struct control *ctl)
{
	int err = kmemtrace_wishes.n_subbufs ? resize(ctl) : 0;

	if (!err && kmemtrace_wishes.no_baseline)
		err = change(ctl, &baseline, "no");
	if (!err && kmemtrace_wishes.sample)
		err = change(ctl, &sample, kmemtrace_wishes.sample);
	if (!err && kmemtrace_wishes.with)
		err = check_refs(ctl, kmemtrace_wishes.with);
	if (!err && kmemtrace_wishes.with)
		err = change(ctl, &with, kmemtrace_wishes.with);
	if (!err && kmemtrace_wishes.look_ns)
		err = triggers_begin(ctl, kmemtrace_wishes.until_proc, was_on);
	return err;
}

static void restore_settings(const struct control *ctl)
{
	restore(ctl, &baseline);
	restore(ctl, &sample);
	restore(ctl, &with);
}

static int save_slabs(const struct control *ctl, int dir)
{
	(void)ctl;
	return slabs_save(dir, "/sys/kernel/slab");
}

static int save_counters(const struct control *ctl, int dir)
{
	return kmemtrace_wishes.proc ? end_counters_begin(ctl, dir, kmemtrace_wishes.proc) : 0;
}

/* Return whether the kernel recorded tasks. */
static bool records_tasks(const struct control *ctl)
{
	char text[256];

	return !file_read_line(ctl->dir, "with", text, sizeof(text)) && with_bits(text) & WITH_TASK;
}

static int save_end(const struct control *ctl, int dir)
{
	const int err = end_counters_end();

	return (records_tasks(ctl) ? tasks_save(dir, "/proc") : 0) ?: err;
}

static int finish_counters(const struct control *ctl, int dir)
{
	(void)ctl;
	(void)dir;
	return end_counters_finish();
}

static const char *const files[] = { "slabs", TASKS_FILE, COUNTERS_FILE, NULL };

const struct recorder kmemtrace = {
	.name = "kmemtrace",
	.collector = "kmemtraced",
	.config = "CONFIG_KMEMTRACE",
	.boot = "kmemtrace.enable=yes",
	.subbufs = "kmemtrace.subbufs",
	.output = "kmemtrace.data",
	.abi_file = "abi_version",
	.abi_prefix = "",
	.abi_version = KMEMTRACE_ABI_VERSION,
	.enable = "enable",
	.words = {
		[TRACING_OFF] = "no",
		[TRACING_ON] = "yes",
		[TRACING_OVERWRITES] = "overwrite",
	},
	.stream = "cpu",
	.map = "map",
	.overruns = "cpu_overruns",
	.files = files,
	.overwrite = &kmemtrace_wishes.overwrite,
	.bounds = "none of COMMAND, -t and --overwrite",
	.parse_overrun = parse_overrun,
	.count = count_lost,
	.missing = missing,
	.max_bytes = eighth_of_memory,
	.next = next_mapped_subbuf,
	.consume = consume,
	.check = check_wishes,
	.begin = apply_wishes,
	.end = restore_settings,
	.save_first = save_slabs,
	.begun = save_counters,
	.ended = save_end,
	.save_last = finish_counters,
	.is_over = triggers_look,
	.look_ns = &kmemtrace_wishes.look_ns,
};
