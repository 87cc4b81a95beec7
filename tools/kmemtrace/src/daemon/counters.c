// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - read the kernel's counters at an interval, for weeks, on any kernel
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
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/number.h"
#include "daemon/command.h"
#include "daemon/counters.h"
#include "daemon/metadata.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/readings.h"
#include "daemon/sender.h"
#include "daemon/signals.h"

/* Bytes for the last metadata if the disk is full. */
#define LAST_BYTES	16384

/**
 * struct counters - one run
 * @set: the options of each collector
 * @options: the options of this one
 * @ctl: no kernel interface, but the name of the recorder
 * @signals: the signals that end it
 * @command: the command, if there is one
 * @readings: the readings, and their file
 * @has: the tables that the last reading had
 * @dir: the trace directory
 * @reserve: outdir_reserve(), or -1
 * @sender: the standard output
 * @run: for the metadata
 * @more: lines of the metadata
 */
struct counters {
	const struct settings		*set;
	const struct counters_options	*options;
	struct control			ctl;
	struct signals			signals;
	struct command			command;
	struct readings			*readings;
	bool				has[NR_COUNTER_TABLES];
	int				dir;
	int				reserve;
	struct sender			sender;
	struct run_facts			run;
	char				more[256];
};

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

	if (file_read_line(c->readings->proc, file, text, sizeof(text)) || strcmp(text, "0"))
		return;
	if (!faccessat(c->readings->proc, file, W_OK, AT_EACCESS))
		say("%s/allocinfo: memory profiling is switched off; echo 1 >/proc/%s counts what is allocated from then on",
		    c->options->proc, file);
	else
		say("%s/allocinfo: memory profiling is switched off; boot with sysctl.vm.mem_profiling=1",
		    c->options->proc);
}

/* Find the tables. Return 0, or -errno after a message. */
static int find_tables(struct counters *c)
{
	int i, err = readings_open(&c->readings, c->options->proc);

	if (err) {
		say("%s: %s", c->options->proc, strerror(-err));
		return err;
	}
	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		c->has[i] = !c->readings->missing[i];
		if (!c->has[i])
			say("%s/%s: %s; %s", c->options->proc, counter_table_name(i),
			    strerror(-c->readings->missing[i]), tables[i].missing);
	}
	if (!readings_nr_tables(c->readings))
		return -ENOENT;
	if (c->has[COUNTER_ALLOCINFO])
		warn_of_profiling(c);
	return 0;
}

static void describe_tables(struct counters *c)
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

/* Say which tables this reading could not read. */
static void note_failed(struct counters *c)
{
	int i;

	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		if (!c->has[i] || !c->readings->missing[i])
			continue;
		say("%s/%s: %s; it is read no more", c->options->proc, counter_table_name(i),
		    strerror(-c->readings->missing[i]));
		c->has[i] = false;
		c->run.state = "interrupted";
	}
}

static void read_and_save(struct counters *c)
{
	struct readings *r = c->readings;
	int err;

	if (readings_read(r))
		note_failed(c);
	if (r->rows.left_out)
		say("%s left out: there are more than %d",
		    COUNT(r->rows.left_out, "row is", "rows are"), COUNTER_MAX_ROWS);
	err = readings_save(r);
	if (err && c->set->to_stdout)
		say("%s: %s: stopping", c->set->output, strerror(-err));
	else if (err && r->unsaved == 1)
		say("%s/%s: %s; trying again at each reading", c->set->output,
		    COUNTERS_FILE, strerror(-err));
}

/* ---- from begin to end ---- */

static int save_counters_metadata(struct counters *c)
{
	int err = metadata_write(c->dir, &c->ctl, &c->run);

	if (!err && c->set->to_stdout)
		err = sender_send_file(&c->sender, c->dir, "metadata");
	if (err)
		say("%s/metadata: %s", c->set->output, strerror(-err));
	return err;
}

static int create_counters_file(struct counters *c)
{
	struct store_place place = { 0 };
	int err;

	c->dir = settings_open_output(c->set, &c->sender, &c->signals);
	if (c->dir < 0)
		return c->dir;
	place.dir = c->dir;
	place.sender = c->set->to_stdout ? &c->sender : NULL;
	err = readings_create(c->readings, &place);
	if (err) {
		say("%s/%s: %s", c->set->output, COUNTERS_FILE, strerror(-err));
		return err;
	}
	c->run.compressed = true;
	c->run.state = "running";
	c->run.command = c->set->command;
	run_begin(&c->run, now_ns());
	err = save_counters_metadata(c);
	if (!c->set->to_stdout)
		c->reserve = outdir_reserve(c->dir, LAST_BYTES);
	return err;
}

static void show_readings(const struct counters *c)
{
	if (!c->set->command && !c->set->to_stdout && isatty(STDERR_FILENO))
		say_progress("%s of %s, %.1f MB", COUNT(c->readings->saved, "reading", "readings"),
			     COUNT(c->readings->rows.nr, "row", "rows"), store_size(c->readings->store) / 1e6);
}

/* Return whether something ended the run before @until. */
static bool ended_before(struct counters *c, uint64_t until)
{
	struct pollfd p[] = {
		{ .fd = c->signals.all, .events = POLLIN },
		{ .fd = c->set->to_stdout ? STDOUT_FILENO : -1 },
	};

	while (now_ns() < until) {
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
	uint64_t interval = c->options->interval_ns, next = now_ns();
	uint64_t end = c->set->limit_ns ? next + c->set->limit_ns : UINT64_MAX;
	bool ended = false;

	while (!ended) {
		next += interval;
		/* The machine was asleep or too busy for a reading, or for many. */
		if (next < now_ns())
			next = now_ns();
		ended = ended_before(c, next < end ? next : end) || next >= end;
		read_and_save(c);
		show_readings(c);
		/* A part of a packet can't be revoked. */
		ended |= c->sender.err;
	}
}

static int finish_file(struct counters *c)
{
	int err = readings_finish(c->readings);

	if (err)
		say("%s/%s: %s", c->set->output, COUNTERS_FILE, strerror(-err));
	return err;
}

static enum verdict conclude_counters(struct counters *c)
{
	const struct readings *r = c->readings;
	double mb = store_size(r->store) / 1e6;
	int err;

	c->run.end_ns = now_ns();
	err = finish_file(c);
	if (c->reserve >= 0)
		close(c->reserve);
	if (err || r->unsaved || strcmp(c->run.state, "running"))
		c->run.state = "interrupted";
	else
		c->run.state = "complete";
	if (!c->sender.err && save_counters_metadata(c))
		err = -EIO;
	if (!c->sender.err && c->set->to_stdout)
		err = sender_end(&c->sender);
	say("%s of %s in %.1f s, %.1f MB, compressed to %.3f MB",
	    COUNT(r->saved, "reading", "readings"), COUNT(r->rows.nr, "row", "rows"),
	    (c->run.end_ns - c->run.start_ns) / 1e9,
	    r->text_bytes / 1e6, mb);
	if (r->unsaved)
		say("INCOMPLETE: %s could not be saved", COUNT(r->unsaved, "reading", "readings"));
	return err || strcmp(c->run.state, "complete") ? INCOMPLETE : COMPLETE;
}

static enum verdict log_counters(struct counters *c)
{
	if (create_counters_file(c))
		return NOTHING;
	read_and_save(c);
	if (!c->readings->saved) {
		outdir_clear(c->dir);
		return NOTHING;
	}
	command_go(&c->command);
	say("reading the kernel's counters every %g s into %s%s",
	    c->options->interval_ns / 1e9, c->set->output,
	    c->set->command ? "" : ", Ctrl-C stops");
	read_on(c);
	command_stop(&c->command);
	return conclude_counters(c);
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
		describe_tables(c);
		verdict = log_counters(c);
	}
	if (c->readings)
		readings_close(c->readings);
	free(c);
	return verdict;
}
