// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - read the kernel's counters at an interval, for weeks, on any kernel
 *
 * A reading writes the rows that changed. A full one follows whenever those rows have
 * taken as much text as all rows: a reader that starts there finds everything.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/changes.h"
#include "daemon/command.h"
#include "daemon/counters.h"
#include "daemon/metadata.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/procfs.h"
#include "daemon/sender.h"
#include "daemon/signals.h"
#include "daemon/store.h"

#define NSEC_PER_SEC	UINT64_C(1000000000)
#define NSEC_PER_MSEC	UINT64_C(1000000)

/* Bytes of text in a frame. */
#define FRAME		((size_t)256 * 1024)

/* Bytes for the last metadata if the disk is full. */
#define LAST_BYTES	16384

/**
 * struct counters - one run
 * @set: the options of each collector
 * @options: the options of this one
 * @ctl: no kernel interface, but the name of the recorder
 * @signals: the signals that end it
 * @command: the command, if there is one
 * @proc: the directory /proc
 * @has: the tables that the kernel has
 * @dir: the trace directory
 * @reserve: outdir_reserve(), or -1
 * @sender: the standard output
 * @place: where the file goes
 * @store: the file
 * @rows: the rows
 * @full_bytes: text of the last full reading
 * @delta_bytes: text of the readings since then
 * @is_full_due: the next reading is a full one, because the last one could not be saved
 * @text_bytes: text of all readings
 * @readings: readings that were saved
 * @unsaved: readings that could not be saved
 * @run: for the metadata
 * @more: lines of the metadata
 */
struct counters {
	const struct settings		*set;
	const struct counters_options	*options;
	struct control			ctl;
	struct signals			signals;
	struct command			command;
	int				proc;
	bool				has[NR_COUNTER_TABLES];
	int				dir;
	int				reserve;
	struct sender			sender;
	struct place			place;
	struct store			*store;
	struct changes			rows;
	uint64_t			full_bytes;
	uint64_t			delta_bytes;
	bool				is_full_due;
	uint64_t			text_bytes;
	uint64_t			readings;
	uint64_t			unsaved;
	struct run			run;
	char				more[256];
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* ---- what the kernel has ---- */

/* What a missing table means, and its word for the metadata. */
static const struct {
	const char *missing;
	const char *word;
} tables[NR_COUNTER_TABLES] = {
	[COUNTER_ALLOCINFO] = {
		"no call sites: the kernel needs CONFIG_MEM_ALLOC_PROFILING, which Linux 6.10 and later have, and sysctl.vm.mem_profiling=1 on its command line",
		" call_sites" },
	[COUNTER_SLABINFO] = {
		"no slab caches: the kernel needs CONFIG_SLUB_DEBUG", " slab" },
	[COUNTER_VMSTAT] = { "no counters of pages", "" },
	[COUNTER_MEMINFO] = { "no sums of memory", "" },
};

/* Call sites have no counts while profiling is switched off. */
static void warn_of_profiling(const struct counters *c)
{
	static const char file[] = "sys/vm/mem_profiling";
	char text[16];

	if (file_read_line(c->proc, file, text, sizeof(text)) || strcmp(text, "0"))
		return;
	if (!faccessat(c->proc, file, W_OK, AT_EACCESS))
		say("%s/allocinfo: memory profiling is switched off; echo 1 >/proc/%s counts what is allocated from then on",
		    c->options->proc, file);
	else
		say("%s/allocinfo: memory profiling is switched off; boot with sysctl.vm.mem_profiling=1",
		    c->options->proc);
}

/* Find the tables. Return 0, or -errno after a message. */
static int find_tables(struct counters *c)
{
	int i, found = 0;

	c->proc = open(c->options->proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->proc < 0) {
		say("%s: %s", c->options->proc, strerror(errno));
		return -ENOENT;
	}
	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		c->has[i] = !faccessat(c->proc, counter_table_name(i), R_OK, AT_EACCESS);
		if (c->has[i])
			found++;
		else
			say("%s/%s: %s; %s", c->options->proc, counter_table_name(i),
			    strerror(errno), tables[i].missing);
	}
	if (!found)
		return -ENOENT;
	if (c->has[COUNTER_ALLOCINFO])
		warn_of_profiling(c);
	return 0;
}

static void describe(struct counters *c)
{
	size_t len;
	int i;

	snprintf(c->more, sizeof(c->more), "source: counters\nunseen: boot events");
	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		len = strlen(c->more);
		if (!c->has[i])
			snprintf(c->more + len, sizeof(c->more) - len, "%s",
				 tables[i].word);
	}
	len = strlen(c->more);
	snprintf(c->more + len, sizeof(c->more) - len, "\ninterval_ns: %" PRIu64 "\n",
		 c->options->interval_ns);
	c->run.more = c->more;
}

/* ---- a reading ---- */

static void read_tables(struct counters *c)
{
	int i, err;

	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		if (!c->has[i])
			continue;
		err = procfs_read(c->proc, i, changes_take, &c->rows);
		if (!err)
			continue;
		say("%s/%s: %s; it is read no more", c->options->proc, counter_table_name(i),
		    strerror(-err));
		c->has[i] = false;
		c->run.state = "interrupted";
	}
	if (c->rows.left_out)
		say("%" PRIu64 " rows are left out: there are more than %d",
		    c->rows.left_out, COUNTER_MAX_ROWS);
}

static bool is_full_due(const struct counters *c)
{
	return c->is_full_due || c->delta_bytes >= c->full_bytes ||
	       c->rows.ids > COUNTER_MAX_ROWS;
}

static void write_reading(struct counters *c, bool full, FILE *out)
{
	if (full)
		fprintf(out, COUNTERS_MAGIC "\n");
	fprintf(out, "reading %s %" PRIu64 " %" PRIu64 "\n", full ? "full" : "delta",
		now_ns(CLOCK_MONOTONIC), now_ns(CLOCK_REALTIME) / NSEC_PER_SEC);
	changes_begin(&c->rows);
	read_tables(c);
	changes_write(&c->rows, full, out);
	fprintf(out, "end\n");
}

/* Append text. Return 0 or -errno. */
static int save(struct counters *c, const char *text, size_t size)
{
	size_t len;
	int err = 0;

	for (; !err && size; text += len, size -= len) {
		len = size < FRAME ? size : FRAME;
		err = store_reserve(c->store);
		if (!err)
			err = store_append(c->store, text, len);
	}
	return err;
}

/* After an error, the file may end within a reading: a full one follows. */
static void note_saved(struct counters *c, bool full, size_t size, int err)
{
	c->is_full_due = err;
	if (err) {
		if (c->set->to_stdout)
			say("%s: %s: stopping", c->set->output, strerror(-err));
		else if (!c->unsaved)
			say("%s/%s: %s; trying again at each reading", c->set->output,
			    COUNTERS_FILE, strerror(-err));
		c->unsaved++;
		return;
	}
	c->readings++;
	c->text_bytes += size;
	if (full)
		c->full_bytes = size;
	c->delta_bytes = full ? 0 : c->delta_bytes + size;
}

static void take_reading(struct counters *c)
{
	bool full = is_full_due(c);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err = -ENOMEM;

	if (out) {
		write_reading(c, full, out);
		err = fclose(out) ? -ENOMEM : save(c, text, size);
	}
	free(text);
	note_saved(c, full, size, err);
}

/* ---- from begin to end ---- */

static int save_metadata(struct counters *c)
{
	int err = metadata_write(c->dir, &c->ctl, &c->run);

	if (!err && c->set->to_stdout)
		err = sender_send_file(&c->sender, c->signals.interrupts, c->dir, "metadata");
	if (err)
		say("%s/metadata: %s", c->set->output, strerror(-err));
	return err;
}

static int open_output(struct counters *c)
{
	int err;

	c->dir = settings_open_output(c->set, &c->sender);
	if (c->dir < 0)
		return c->dir;
	c->place = (struct place) {
		.dir = c->dir,
		.sender = c->set->to_stdout ? &c->sender : NULL,
		.stop = c->signals.interrupts,
		.compress = true,
	};
	err = store_open_file(&c->store, &c->place, COUNTERS_FILE, FRAME);
	if (err) {
		say("%s/%s: %s", c->set->output, COUNTERS_FILE, strerror(-err));
		return err;
	}
	c->run.compressed = true;
	c->run.state = "running";
	c->run.start_ns = now_ns(CLOCK_MONOTONIC);
	err = save_metadata(c);
	if (!c->set->to_stdout)
		c->reserve = outdir_reserve(c->dir, LAST_BYTES);
	return err;
}

/* Return the milliseconds until @ns, rounded up; 0 if it has passed, a day at most. */
static int ms_until(uint64_t ns)
{
	uint64_t now = now_ns(CLOCK_MONOTONIC), left = ns > now ? ns - now : 0;
	const uint64_t day = 86400 * NSEC_PER_SEC;

	return ((left < day ? left : day) + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
}

static void show_progress(const struct counters *c)
{
	if (!c->set->command && !c->set->to_stdout && isatty(STDERR_FILENO))
		say_progress("%" PRIu64 " readings of %zu rows, %.1f MB", c->readings,
			     c->rows.nr, store_size(c->store) / 1e6);
}

/* Return whether something ended the run before @until. */
static bool is_ended(struct counters *c, uint64_t until)
{
	struct pollfd p[] = {
		{ .fd = c->signals.all, .events = POLLIN },
		{ .fd = c->set->to_stdout ? STDOUT_FILENO : -1 },
	};

	while (now_ns(CLOCK_MONOTONIC) < until) {
		if (poll(p, 2, ms_until(until)) < 0)
			return true;
		if (p[0].revents && (signals_take(&c->signals) || command_ended(&c->command)))
			return true;
		if (p[1].revents & (POLLERR | POLLHUP | POLLNVAL)) {
			say("%s: its reader is gone: stopping", c->set->output);
			return true;
		}
	}
	return false;
}

/* Read until the end; the last reading is that of the end. */
static void read_on(struct counters *c)
{
	uint64_t interval = c->options->interval_ns, next = now_ns(CLOCK_MONOTONIC);
	uint64_t end = c->set->limit_ns ? next + c->set->limit_ns : UINT64_MAX;
	bool ended = false;

	while (!ended) {
		next += interval;
		/* The machine was asleep or too busy for a reading, or for many. */
		if (next < now_ns(CLOCK_MONOTONIC))
			next = now_ns(CLOCK_MONOTONIC);
		ended = is_ended(c, next < end ? next : end) || next >= end;
		take_reading(c);
		show_progress(c);
		/* A part of a packet can't be revoked. */
		ended |= c->sender.err;
	}
}

static int finish_file(struct counters *c)
{
	int err = c->unsaved && c->set->to_stdout ? -EPIPE : store_finish(c->store);
	int closed = store_close(c->store);

	err = err ? err : closed;
	if (err)
		say("%s/%s: %s", c->set->output, COUNTERS_FILE, strerror(-err));
	return err;
}

static enum verdict conclude(struct counters *c)
{
	double mb = store_size(c->store) / 1e6;
	int err;

	c->run.end_ns = now_ns(CLOCK_MONOTONIC);
	err = finish_file(c);
	if (c->reserve >= 0)
		close(c->reserve);
	if (err || c->unsaved || strcmp(c->run.state, "running"))
		c->run.state = "interrupted";
	else
		c->run.state = "complete";
	if (!c->sender.err && save_metadata(c))
		err = -EIO;
	if (!c->sender.err && c->set->to_stdout)
		err = sender_end(&c->sender, c->signals.interrupts);
	say("%" PRIu64 " readings of %zu rows in %.1f s, %.1f MB, compressed to %.3f MB",
	    c->readings, c->rows.nr, (c->run.end_ns - c->run.start_ns) / 1e9,
	    c->text_bytes / 1e6, mb);
	if (c->unsaved)
		say("INCOMPLETE: %" PRIu64 " readings could not be saved", c->unsaved);
	return err || strcmp(c->run.state, "complete") ? INCOMPLETE : COMPLETE;
}

static enum verdict log_counters(struct counters *c)
{
	if (open_output(c))
		return NOTHING;
	take_reading(c);
	if (!c->readings) {
		outdir_clear(c->dir);
		return NOTHING;
	}
	command_go(&c->command);
	say("reading the kernel's counters every %g s into %s%s",
	    c->options->interval_ns / 1e9, c->set->output,
	    c->set->command ? "" : ", Ctrl-C stops");
	read_on(c);
	command_stop(&c->command);
	return conclude(c);
}

/**
 * counters_run - read the kernel's counters until the end
 * @recorder: the recorder whose programs read the trace
 * @set: the options
 * @options: which counters, and how often
 *
 * Return: the verdict.
 */
enum verdict counters_run(const struct recorder *recorder, const struct settings *set,
			  const struct counters_options *options)
{
	struct counters *c = calloc(1, sizeof(*c));
	enum verdict verdict = NOTHING;

	if (!c) {
		say("%s", strerror(ENOMEM));
		return NOTHING;
	}
	c->set = set;
	c->options = options;
	c->ctl = (struct control) { .recorder = recorder, .dir = -1 };
	c->reserve = -1;
	if (!signals_open(&c->signals) && !find_tables(c) &&
	    !command_prepare(&c->command, set->command,
			     set->to_stdout ? STDERR_FILENO : STDOUT_FILENO)) {
		describe(c);
		verdict = log_counters(c);
	}
	changes_free(&c->rows);
	free(c);
	return verdict;
}
