// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - one run of a collector: log the kernel's trace into a directory
 *
 * The main thread waits for the end and saves the symbols; the threads of collect.c move
 * the trace. Only the main thread gets signals, and it reads them from a signalfd.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/number.h"
#include "daemon/collect.h"
#include "daemon/command.h"
#include "daemon/control.h"
#include "daemon/folders.h"
#include "daemon/metadata.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/recorder.h"
#include "daemon/sender.h"
#include "daemon/session.h"
#include "daemon/settings.h"
#include "daemon/signals.h"
#include "daemon/symsave.h"

/**
 * enum rotation - the stages of a rotation
 * @ROTATION_NONE: there is one trace
 * @ROTATION_SPLITS: the threads begin to write to the next trace, too
 * @ROTATION_CUTS: they do, and store all that was recorded so far, to end the current one
 */
enum rotation {
	ROTATION_NONE,
	ROTATION_SPLITS,
	ROTATION_CUTS,
};

/**
 * struct session - one run
 * @set: the options
 * @recorder: the recorder
 * @ctl: the kernel's interface
 * @output: name of the trace directory, or of the standard output
 * @path: of a trace of a chain, to be freed
 * @folders: the traces before and after this one, if it is rotated
 * @rotation: whether the next trace has begun
 * @dir: the trace directory; outdir_anonymous() if its files are sent to @sender
 * @reserve: outdir_reserve(), or -1
 * @next_dir: the directory of the next trace
 * @places: where the streams go: those of the current trace and of the next one, in turn
 * @nr_places: how many traces have begun
 * @start_ns: CLOCK_MONOTONIC when the first trace began
 * @retry_ns: when to try again to begin the next trace
 * @lost_before: events that the traces before this one lost
 * @stored_before: bytes of their files
 * @waits: the next trace is due, but the books of this one are being written
 * @sender: the standard output
 * @signals: the signals that end it
 * @collector: the threads
 * @symbols: kallsyms and modules
 * @sent: bytes of each of @symbol_files that were sent
 * @flush_ns: CLOCK_MONOTONIC before the last flush
 * @command: the command that is traced, if there is one
 * @run: for the metadata
 * @on: tracing was on at the start, or its records were unread; -EPERM: that can't be
 *	known or changed
 * @mode: how tracing goes on, enum tracing or as @on
 * @unread: tracing was off at the start, but its records were unread
 * @ready: each stream has its thread
 * @flawed: something is missing, and a message said so
 */
struct session {
	const struct settings	*set;
	const struct recorder	*recorder;
	struct control		ctl;
	const char		*output;
	char			*path;
	struct folders		folders;
	enum rotation		rotation;
	int			dir, next_dir;
	int			reserve;
	struct store_place		places[2];
	unsigned int		nr_places;
	uint64_t		start_ns, retry_ns;
	uint64_t		lost_before, stored_before;
	bool			waits;
	struct sender		sender;
	struct signals		signals;
	struct cpu_readers	collector;
	struct symsave		symbols;
	size_t			sent[2];
	uint64_t		flush_ns;
	struct command		command;
	struct run_facts		run;
	int			on;
	int			mode;
	bool			unread;
	bool			ready;
	bool			flawed;
};

/* ---- start ---- */

/*
 * While the newest records replace the oldest ones, a reader would take the oldest before
 * they are replaced. So the threads start after tracing was switched off.
 */
static bool reads_later(const struct session *s)
{
	return s->mode == TRACING_OVERWRITES;
}

static bool wants_overwrite(const struct session *s)
{
	return s->recorder->overwrite && *s->recorder->overwrite;
}

/* Tracing that is on goes on as it is. */
static int choose_mode(struct session *s)
{
	const struct recorder *r = s->recorder;

	s->mode = s->on;
	if (s->on == TRACING_OFF)
		s->mode = wants_overwrite(s) ? TRACING_OVERWRITES : TRACING_ON;
	if (wants_overwrite(s) && s->mode != TRACING_OVERWRITES) {
		say("tracing is on, and does not overwrite; switch it off first: echo %s >%s/%s",
		    r->words[TRACING_OFF], s->ctl.path, r->enable);
		return -EBUSY;
	}
	return 0;
}

/* Find out whether tracing is on, and whether it may be switched on. */
static int check_state(struct session *s, bool bounded)
{
	const struct recorder *r = s->recorder;
	bool drained = control_drained(&s->ctl);

	if (!control_may_read(&s->ctl)) {
		say("%s/%s<n>: lockdown for confidentiality forbids to read what was recorded",
		    s->ctl.path, r->stream);
		return -EPERM;
	}
	s->on = control_state(&s->ctl);
	if (s->on == -EPERM) {
		if (drained) {
			say("%s/%s: lockdown forbids to switch tracing on; boot with %s",
			    s->ctl.path, r->enable, r->boot);
			return -EPERM;
		}
		say("%s/%s: lockdown forbids to switch tracing off; at the end, records in sub-buffers that aren't full stay in the kernel, and the trace will be INCOMPLETE",
		    s->ctl.path, r->enable);
		return 0;
	}
	if (s->on < 0) {
		say("%s/%s: %s", s->ctl.path, r->enable, strerror(-s->on));
		return s->on;
	}
	if (s->on) {
		say(s->on == TRACING_OVERWRITES ?
		    "tracing is on and overwrites; the trace will have what the buffers hold at the end" :
		    "tracing is on; the trace begins with what the buffers hold already");
		return 0;
	}
	if (drained)
		return 0;
	if (bounded || wants_overwrite(s)) {
		say("tracing is off, but its last records haven't been read; save them first, with %s",
		    r->bounds);
		return -EBUSY;
	}
	say("tracing is off; saving the records that haven't been read");
	s->on = TRACING_ON;
	s->unread = true;
	return 0;
}

/* Check the options that the recorder alone has. */
static int check_options(struct session *s)
{
	const struct recorder *r = s->recorder;
	int err = choose_mode(s);

	return !err && r->check ? r->check(&s->ctl, s->on, s->unread) : err;
}

static int send_file(struct session *s, const char *name)
{
	return sender_send_file(&s->sender, s->dir, name);
}

/* Return the bytes of the recorder's own files, as far as they are in the directory. */
static long recorder_bytes(const struct session *s)
{
	const char *const *name;
	struct stat st;
	long sum = 0;

	for (name = s->recorder->files; *name; name++)
		if (!fstatat(s->dir, *name, &st, AT_SYMLINK_NOFOLLOW))
			sum += st.st_size;
	return sum;
}

static void release_room(struct session *s)
{
	if (s->reserve >= 0)
		close(s->reserve);
	s->reserve = -1;
}

/*
 * The last files find room even if the streams fill the disk. The final metadata and the
 * losses have a few lines for each CPU; the metadata has at most 8192 bytes about the
 * machine. The recorder may write its own files again, and they may have grown by a half.
 */
static void reserve_room(struct session *s)
{
	long bytes = 8192 + 512 * sysconf(_SC_NPROCESSORS_CONF) + recorder_bytes(s) * 3 / 2;

	release_room(s);
	if (!s->set->to_stdout)
		s->reserve = outdir_reserve(s->dir, bytes);
}

static int save_metadata(struct session *s)
{
	int err = metadata_write(s->dir, &s->ctl, &s->run);

	if (!err && s->set->to_stdout)
		err = send_file(s, "metadata");
	if (err)
		say("%s/metadata: %s", s->output, strerror(-err));
	return err;
}

/* Start the missing threads. Return 0, or -errno, with a message unless @quiet. */
static int start_threads(struct session *s, bool quiet)
{
	int err = collect_start(&s->collector);

	if (err && !quiet && s->collector.unstarted >= 0)
		say("cpu%d: start a thread: %s", s->collector.unstarted, strerror(-err));
	else if (err && !quiet)
		say("start threads: %s", strerror(-err));
	return err;
}

static int start_readers(struct session *s)
{
	int err = start_threads(s, false);

	if (!err && s->collector.refused)
		say("real-time priority %d: %s; without it, events may be lost while the machine is busy (-r 0 doesn't ask for it)",
		    s->set->priority, strerror(-s->collector.refused));
	return err;
}

static int start_trace(struct session *s)
{
	int err;

	s->run.state = "running";
	s->run.overwrites = s->mode == TRACING_OVERWRITES;
	run_begin(&s->run, now_ns());
	s->start_ns = s->run.start_ns;
	err = save_metadata(s);
	if (err)
		return err;
	reserve_room(s);
	return reads_later(s) ? 0 : start_readers(s);
}

static const char *const symbol_files[] = { "kallsyms", "modules" };

/* Send the symbols that were not sent: who follows the trace wants names. */
static int send_symbols(struct session *s)
{
	int i, err = 0;

	for (i = 0; s->set->to_stdout && !err && i < 2; i++) {
		err = sender_send_rest(&s->sender, s->dir, symbol_files[i], &s->sent[i]);
		if (err)
			say("%s/%s: %s", s->output, symbol_files[i], strerror(-err));
	}
	return err;
}

static void save_symbols(struct session *s)
{
	if (symsave_begin(&s->symbols, s->dir) || send_symbols(s))
		s->flawed = true;
	if (s->recorder->save_first && s->recorder->save_first(&s->ctl, s->dir))
		s->flawed = true;
}

/* The streams have their threads: a recorder that takes its time loses no event. */
static void note_begun(struct session *s)
{
	if (!s->ready || s->unread || !s->recorder->begun)
		return;
	if (s->recorder->begun(&s->ctl, s->dir))
		s->flawed = true;
}

/**
 * struct switching - tracing is being switched on
 * @ctl: the kernel's interface
 * @mode: how
 * @done: eventfd, written when @err is known
 * @err: 0 or -errno
 */
struct switching {
	const struct control	*ctl;
	enum tracing		mode;
	int			done;
	int			err;
};

static void *switch_thread(void *arg)
{
	struct switching *sw = arg;

	sw->err = control_switch(sw->ctl, sw->mode);
	eventfd_write(sw->done, 1);
	return NULL;
}

/* Wait until tracing is on, or until switching it on has failed. */
static void wait_until_on(const struct switching *sw)
{
	struct pollfd p = { .fd = sw->done, .events = POLLIN };

	while (control_state(sw->ctl) == TRACING_OFF && poll(&p, 1, 10) == 0)
		;
}

static int say_switched(const struct session *s, int err)
{
	const struct recorder *r = s->recorder;

	if (!err)
		say("tracing was off, switched it on");
	else if (err == -ENOMEM)
		say("%s/%s: no memory for %lu sub-buffers of %lu bytes a CPU; lower %s=",
		    s->ctl.path, r->enable, s->ctl.n_subbufs, s->ctl.subbuf_size,
		    r->subbufs);
	else
		say("%s/%s: %s", s->ctl.path, r->enable, strerror(-err));
	return err;
}

static void log_streams(struct session *s)
{
	s->ready = !start_trace(s);
	s->flawed |= !s->ready;
}

/*
 * kmemtrace records a snapshot of all live memory first, and reports that tracing is on.
 * The snapshot may be larger than the buffers, so the readers start while another thread
 * switches tracing on.
 */
static int switch_on(struct session *s)
{
	struct switching sw = { .ctl = &s->ctl, .mode = s->mode };
	pthread_t thread;
	int err;

	sw.done = eventfd(0, EFD_CLOEXEC);
	if (sw.done < 0)
		return say_switched(s, -errno);
	err = -pthread_create(&thread, NULL, switch_thread, &sw);
	if (!err) {
		wait_until_on(&sw);
		if (control_state(&s->ctl) > TRACING_OFF)
			log_streams(s);
		pthread_join(thread, NULL);
		err = sw.err;
	}
	close(sw.done);
	return say_switched(s, err);
}

/* Prepare the recorder. */
static int prepare_recorder(struct session *s)
{
	return s->recorder->begin ? s->recorder->begin(&s->ctl) : 0;
}

/*
 * Copying the symbols makes the kernel work, so it happens before tracing is switched on.
 * Where tracing is on already, the streams come first.
 *
 * A stream begins with the symbols, so that they don't take the pipe from the records.
 *
 * After an error, there is nothing to log, and no file is left.
 */
static int start_tracing(struct session *s)
{
	int err;

	if (s->on) {
		log_streams(s);
		if (!s->unread && prepare_recorder(s))
			s->flawed = true;
		note_begun(s);
		save_symbols(s);
		reserve_room(s);
		return 0;
	}
	run_begin(&s->run, now_ns());
	save_symbols(s);
	/* Nobody reads the stream: tracing stays off. */
	if (s->sender.err)
		return 0;
	err = prepare_recorder(s);
	if (!err)
		err = switch_on(s);
	if (err) {
		outdir_clear(s->dir);
		return err;
	}
	note_begun(s);
	reserve_room(s);
	return 0;
}

/* ---- while tracing ---- */

static uint64_t lost_events(const struct run_facts *run)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < run->n_overruns; i++)
		sum += run->overruns[i].all.records;
	return sum;
}

static uint64_t overwritten_events(const struct run_facts *run)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < run->n_overruns; i++)
		sum += run->overruns[i].overwritten;
	return sum;
}

static void read_overruns(struct session *s, enum extent extent)
{
	struct overrun *o;
	struct tally tally;
	int i;

	free(s->run.overruns);
	s->run.overruns = NULL;
	s->run.n_overruns = control_overruns(&s->ctl, &s->run.overruns);
	for (i = 0; i < s->run.n_overruns; i++) {
		o = &s->run.overruns[i];
		tally = collect_reported(&s->collector, o->cpu);
		s->recorder->missing(o, &tally, extent, s->run.overwrites);
	}
}

/*
 * Show nothing while a command runs or who reads the stream shows it: the terminal is
 * theirs.
 */
static void show_progress(struct session *s)
{
	uint64_t bytes = collect_bytes(&s->collector);
	double seconds = (now_ns() - s->start_ns) / 1e9;

	if (s->command.argv || s->set->to_stdout || !isatty(STDERR_FILENO))
		return;
	if (reads_later(s)) {
		say_progress("%.0f s: nothing is read until the end", seconds);
		return;
	}
	read_overruns(s, EXTENT_GROWS);
	say_progress("%.0f s: %.1f MB, %.1f MB/s, %s lost",
		     seconds, bytes / 1e6, bytes / 1e6 / seconds,
		     COUNT(lost_events(&s->run), "event", "events"));
}

static void start_missing_readers(struct session *s)
{
	if (start_threads(s, s->flawed))
		s->flawed = true;
}

/*
 * A quiet CPU would keep its records for long: make those so far readable. Who reads a stream
 * may follow it, so let the threads send them. Not all kernels can do that.
 */
static void flush_subbufs(struct session *s)
{
	uint64_t now = now_ns();

	if (reads_later(s) || s->unread || s->collector.behind || control_flush(&s->ctl))
		return;
	if (s->set->to_stdout && collect_drain(&s->collector))
		s->flush_ns = now;
}

/* All records before the last flush were sent: tell who follows the trace. */
static void take_drained(struct session *s)
{
	eventfd_t n;
	int i;

	eventfd_read(s->collector.drained, &n);
	read_overruns(s, EXTENT_GROWS);
	if (s->run.n_overruns < 0)
		return;
	s->run.unread = calloc(s->run.n_overruns + 1, sizeof(*s->run.unread));
	if (!s->run.unread)
		return;
	for (i = 0; i < s->run.n_overruns; i++)
		s->run.unread[i] = collect_unread(&s->collector, s->run.overruns[i].cpu);
	s->run.flushed_ns = s->flush_ns;
	if (!s->sender.err && save_metadata(s))
		s->flawed = true;
	free(s->run.unread);
	s->run.unread = NULL;
}

static uint64_t stored_bytes(const struct run_facts *run)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < run->n_streams; i++)
		sum += run->streams[i].stored;
	return sum;
}

/* ---- one trace after another ---- */

/* How long a record may take to get from its clock into the buffer, and clocks may differ. */
#define MARGIN_NS	(10 * NSEC_PER_MSEC)
/* When to try again to begin a trace. */
#define RETRY_NS	(60 * NSEC_PER_SEC)

static bool is_rotated(const struct session *s)
{
	return s->set->rotate_bytes || s->set->rotate_ns;
}

static bool is_due(const struct session *s)
{
	if (!is_rotated(s) || reads_later(s) || s->unread || s->rotation ||
	    now_ns() < s->retry_ns)
		return false;
	if (s->set->rotate_ns)
		return now_ns() - s->run.start_ns >= s->set->rotate_ns;
	return collect_begun(&s->collector) >= s->set->rotate_bytes;
}

/* Don't try again, and don't say it again, at once. */
static void put_off(struct session *s)
{
	s->retry_ns = now_ns() + RETRY_NS;
	s->flawed = true;
}

/* Begin the next trace: the threads write to both. */
static void begin_next(struct session *s)
{
	struct store_place *place = &s->places[(s->nr_places + 1) % 2];
	int err;

	s->next_dir = folders_create(&s->folders);
	if (s->next_dir < 0) {
		put_off(s);
		return;
	}
	*place = s->places[s->nr_places % 2];
	place->dir = s->next_dir;
	err = collect_split(&s->collector, place);
	if (!err) {
		s->rotation = ROTATION_SPLITS;
		return;
	}
	say("%s: begin the next trace: %s", s->output, strerror(-err));
	put_off(s);
	folders_remove(&s->folders, s->next_dir);
	close(s->next_dir);
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec ts = { .tv_nsec = ns };

	nanosleep(&ts, NULL);
}

/*
 * All threads write to both traces. End the current one at this time: what was recorded up to
 * then shall be in it, and what is recorded from then on in the next one.
 */
static void cut_here(struct session *s)
{
	sleep_ns(MARGIN_NS);
	s->run.until_ns = now_ns();
	sleep_ns(MARGIN_NS);
	control_flush(&s->ctl);
	collect_cut(&s->collector);
	s->rotation = ROTATION_CUTS;
}

static void take_stream(const struct stream_result *r, void *arg)
{
	struct session *s = arg;
	struct run_facts *run = &s->run;

	if (run->overruns && run->streams) {
		run->overruns[run->n_overruns++] = (struct overrun) {
			.cpu = r->cpu,
			.all = r->lost,
		};
		run->streams[run->n_streams++] = *r;
	}
	if (!r->action)
		return;
	say("%s/%s: %s: %s", s->output, r->name, r->action, strerror(-r->err));
	s->flawed = true;
}

/* Complete the metadata of the trace that has ended. */
static void end_this(struct session *s)
{
	struct run_facts *run = &s->run;
	struct store_place *next = &s->places[(s->nr_places + 1) % 2];

	free(run->overruns);
	run->n_overruns = 0;
	run->overruns = calloc(s->collector.n + 1, sizeof(*run->overruns));
	run->streams = calloc(s->collector.n + 1, sizeof(*run->streams));
	if (!run->overruns || !run->streams) {
		say("%s: %s", s->output, strerror(ENOMEM));
		s->flawed = true;
	}
	collect_take(&s->collector, next, take_stream, s);
	run->end_ns = now_ns();
	run->state = run_state(run, true);
	release_room(s);
	if (save_metadata(s) || lost_events(run))
		s->flawed = true;
	say("%s: %.1f MB, %s lost", s->output, stored_bytes(run) / 1e6,
	    COUNT(lost_events(run), "event", "events"));
}

/* Let messages name the current trace of the chain. */
static void name_trace(struct session *s)
{
	free(s->path);
	s->path = folders_path(&s->folders);
	s->output = s->path ? s->path : s->folders.path;
}

/* Describe in the metadata how the next trace begins. Return NULL without memory. */
static char *describe_begin(const struct session *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fprintf(out, "follows: %06lu\n", s->folders.number);
	collect_print_overlaps(&s->collector, out);
	return fclose(out) ? NULL : text;
}

/* The next trace has its metadata before the files of this one are synced, which may last. */
static struct run_facts begin_run(struct session *s)
{
	struct run_facts run = {
		.compressed = s->run.compressed,
		.state = "running",
		.command = s->set->command,
	};
	int err;

	run_begin(&run, s->run.until_ns);
	run.more = describe_begin(s);
	err = run.more ? metadata_write(s->next_dir, &s->ctl, &run) : -ENOMEM;
	if (err) {
		say("the next trace after %s: metadata: %s", s->output, strerror(-err));
		s->flawed = true;
	}
	return run;
}

/* The threads write to the next trace alone. */
static void go_on_in_next_trace(struct session *s)
{
	const struct run_facts next = begin_run(s);
	struct run_facts *run = &s->run;

	end_this(s);
	s->lost_before += lost_events(run);
	s->stored_before += stored_bytes(run);
	if (symsave_move(&s->symbols, s->next_dir) ||
	    !folders_go_on(&s->folders, s->dir, s->next_dir))
		s->flawed = true;
	close(s->dir);
	s->dir = s->next_dir;
	s->nr_places++;
	name_trace(s);
	free(run->overruns);
	free(run->streams);
	free((char *)run->more);
	*run = next;
	s->rotation = ROTATION_NONE;
	if (s->recorder->save_first && s->recorder->save_first(&s->ctl, s->dir))
		s->flawed = true;
	reserve_room(s);
}

/* Once a second. */
static void rotate_if_due(struct session *s)
{
	if (!folders_take_books(&s->folders))
		s->flawed = true;
	if (!is_due(s))
		return;
	if (!s->folders.writer)
		begin_next(s);
	else if (!s->waits)
		say("%s: goes on until its books are written", s->output);
	s->waits = s->folders.writer;
}

/* All threads have done what collect_split() or collect_cut() asked for. */
static void take_rotated(struct session *s)
{
	eventfd_t n;

	eventfd_read(s->collector.drained, &n);
	if (s->rotation == ROTATION_SPLITS)
		cut_here(s);
	else
		go_on_in_next_trace(s);
}

/* The threads have ended. */
static void end_rotation(struct session *s)
{
	if (s->rotation == ROTATION_CUTS) {
		go_on_in_next_trace(s);
	} else if (s->rotation == ROTATION_SPLITS) {
		folders_remove(&s->folders, s->next_dir);
		close(s->next_dir);
	}
	s->rotation = ROTATION_NONE;
}

/* Once a second, look for new CPUs, and for new modules if none are announced. */
static void look_around(struct session *s)
{
	if (!reads_later(s) && !s->rotation)
		start_missing_readers(s);
	if (s->symbols.uevents < 0 && symsave_update(&s->symbols))
		s->flawed = true;
	if (!s->sender.err && send_symbols(s))
		s->flawed = true;
	flush_subbufs(s);
	rotate_if_due(s);
	show_progress(s);
}

/* Return whether a thread has ended, which ends the others, too. */
static bool take_done(struct session *s)
{
	if (collect_count(&s->collector, READER_RUNS) == s->collector.n)
		return false;
	if (!collect_count(&s->collector, READER_FAILED))
		say("tracing is off, everything is read");
	return true;
}

/* Return whether the reader of the pipe has gone. */
static bool take_hangup(const struct session *s, short revents)
{
	if (!(revents & (POLLERR | POLLHUP | POLLNVAL)))
		return false;
	say("%s: its reader is gone: stopping", s->output);
	return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Return whether an event has come that ends the trace; @next: when to look, or look again. */
static bool is_over(const struct session *s, uint64_t *next)
{
	const struct recorder *r = s->recorder;

	if (!r->look_ns || !*r->look_ns || now_ns() < *next)
		return false;
	*next = now_ns() + *r->look_ns;
	return r->is_over(&s->ctl);
}

static void wait_for_end(struct session *s)
{
	const uint64_t *look_ns = s->recorder->look_ns;
	uint64_t end = s->set->limit_ns ? now_ns() + s->set->limit_ns : UINT64_MAX;
	uint64_t next = now_ns() + NSEC_PER_SEC;
	uint64_t look = look_ns && *look_ns ? now_ns() : UINT64_MAX;
	struct pollfd p[] = {
		{ .fd = s->signals.all, .events = POLLIN },
		{ .fd = s->collector.done, .events = POLLIN },
		{ .fd = s->symbols.uevents, .events = POLLIN },
		{ .fd = s->set->to_stdout ? STDOUT_FILENO : -1 },
		{ .fd = s->collector.drained, .events = POLLIN },
	};

	while (now_ns() < end && !is_over(s, &look)) {
		if (poll(p, 5, ms_until(earlier(earlier(next, look), end))) < 0)
			break;
		if (p[2].revents && symsave_uevent(&s->symbols))
			s->flawed = true;
		if (p[0].revents &&
		    (signals_take(&s->signals) || command_ended(&s->command)))
			break;
		if (take_hangup(s, p[3].revents) ||
		    (p[1].revents && take_done(s)))
			break;
		if (p[4].revents && s->rotation)
			take_rotated(s);
		else if (p[4].revents)
			take_drained(s);
		if (now_ns() >= next) {
			look_around(s);
			next = now_ns() + NSEC_PER_SEC;
		}
	}
}

/* ---- end ---- */

/* Wait until all threads have ended; another signal ends them at once. */
static void wait_for_readers(struct session *s)
{
	struct pollfd p[] = {
		{ .fd = s->collector.done, .events = POLLIN },
		{ .fd = s->signals.all, .events = POLLIN },
	};
	eventfd_t n;

	while (collect_count(&s->collector, READER_RUNS)) {
		if (poll(p, 2, -1) < 0)
			break;
		if (p[0].revents)
			eventfd_read(s->collector.done, &n);
		if (p[1].revents && signals_take(&s->signals))
			collect_stop(&s->collector);
	}
}

static void stop_tracing(struct session *s)
{
	int err = control_state(&s->ctl);

	if (err > TRACING_OFF)
		err = control_switch(&s->ctl, TRACING_OFF);
	if (err) {
		say("%s/%s: can't switch tracing off: %s", s->ctl.path,
		    s->recorder->enable, strerror(-err));
		collect_stop(&s->collector);
	}
	if (s->recorder->ended && s->recorder->ended(&s->ctl, s->dir))
		s->flawed = true;
	/* A CPU may have come up since the last look_around(). */
	if (s->ready && !reads_later(s) && !s->rotation)
		start_missing_readers(s);
	else if (s->ready && reads_later(s) && start_readers(s))
		s->flawed = true;
	wait_for_readers(s);
	s->run.end_ns = now_ns();
	/* The last announcements may be unread, one of them of a module that is gone. */
	if (symsave_uevent(&s->symbols) || symsave_update(&s->symbols))
		s->flawed = true;
}

/* Print the part of a message about overwritten events, if the trace can have any. */
static void print_overwritten(const struct run_facts *run, uint64_t events, char *text,
			      size_t size)
{
	if (run->overwrites)
		snprintf(text, size, ", %" PRIu64 " overwritten", events);
}

static void say_stream(const struct stream_result *r, void *arg)
{
	struct session *s = arg;
	struct run_facts *run = &s->run;
	struct overrun o = { 0 };
	char overwritten[64] = "";
	int i;

	run->streams[run->n_streams++] = *r;
	for (i = 0; i < s->run.n_overruns; i++)
		if (s->run.overruns[i].cpu == r->cpu)
			o = s->run.overruns[i];
	if (r->action) {
		say("%s/%s: %s: %s", s->output, r->name, r->action,
		    strerror(-r->err));
		s->flawed = true;
	}
	if (r->dropped)
		say("%s/%s: %s read but not saved",
		    s->output, r->name, COUNT(r->dropped, "byte was", "bytes were"));
	print_overwritten(run, o.overwritten, overwritten, sizeof(overwritten));
	say("cpu%d: %.1f MB, %s lost%s", r->cpu, r->bytes / 1e6,
	    COUNT(o.all.records, "event", "events"), overwritten);
}

/*
 * Advise buffers that are larger by the bytes that the CPU with the largest losses lost:
 * with those it would have lost nothing. Add a quarter, because runs differ.
 * kmemtrace-report gives the same advice.
 */
static void advise(const struct session *s)
{
	unsigned long want, most = control_max_subbufs(&s->ctl);
	uint64_t lost = 0;
	int i;

	for (i = 0; i < s->run.n_overruns; i++)
		if (s->run.overruns[i].all.bytes > lost)
			lost = s->run.overruns[i].all.bytes;
	want = s->ctl.n_subbufs + lost / s->ctl.subbuf_size + 1;
	want += want / 4;
	if (want <= most)
		say("to lose nothing, boot with %s=%lu (now %lu)",
		    s->recorder->subbufs, want, s->ctl.n_subbufs);
	else
		say("to lose nothing, %s=%lu would be needed (now %lu), but this machine's memory allows %lu; also try a faster place for -o, such as a tmpfs",
		    s->recorder->subbufs, want, s->ctl.n_subbufs, most);
}

static void say_totals(const struct session *s, uint64_t bytes, bool drained)
{
	double seconds = (s->run.end_ns - s->start_ns) / 1e9;
	uint64_t lost = s->lost_before + lost_events(&s->run);
	char overwritten[64] = "";

	print_overwritten(&s->run, overwritten_events(&s->run), overwritten,
			  sizeof(overwritten));
	say("%.1f MB in %.1f s, %.1f MB/s, %s lost%s",
	    bytes / 1e6, seconds, seconds > 0 ? bytes / 1e6 / seconds : 0,
	    COUNT(lost, "event", "events"), overwritten);
	if (s->set->compress)
		say("compressed to %.1f MB", (s->stored_before + stored_bytes(&s->run)) / 1e6);
	if (lost && !s->run.overwrites)
		advise(s);
	if (!drained)
		say("INCOMPLETE: not everything was read%s",
		    control_state(&s->ctl) == TRACING_OFF ?
		    "; the rest is still in the kernel, for another run with another -o" : "");
	else if (strcmp(s->run.state, "complete"))
		say("INCOMPLETE: not everything that was read could be saved");
}

/* Send files up to the first error. */
static int send_files(struct session *s, const char *const *names)
{
	int err = 0;

	for (; !err && *names; names++) {
		err = send_file(s, *names);
		if (err)
			say("%s/%s: %s", s->output, *names, strerror(-err));
	}
	return err;
}

/* The final metadata comes last, because the pipe may break before. */
static int send_rest(struct session *s)
{
	int err = send_symbols(s);

	return err ? err : send_files(s, s->recorder->files);
}

static int complete_trace(struct session *s)
{
	int err = s->sender.err;

	/* A message said why nothing more can be sent. */
	if (err)
		return err;
	if (s->set->to_stdout)
		err = send_rest(s);
	if (!err)
		err = save_metadata(s);
	if (!err && s->set->to_stdout) {
		err = sender_end(&s->sender);
		if (err)
			say("%s: %s", s->output, strerror(-err));
	}
	return err;
}

static enum verdict conclude_session(struct session *s)
{
	uint64_t bytes = collect_bytes(&s->collector);
	bool drained = control_state(&s->ctl) == TRACING_OFF && control_drained(&s->ctl);

	collect_join(&s->collector);
	end_rotation(s);
	s->run.end_ns = now_ns();
	read_overruns(s, drained ? EXTENT_ALL : EXTENT_CUT);
	if (s->run.n_overruns < 0) {
		say("%s/%s: %s; losses are unknown", s->ctl.path,
		    s->recorder->overruns, strerror(-s->run.n_overruns));
		s->flawed = true;
	}
	s->run.streams = calloc(s->collector.n + 1, sizeof(*s->run.streams));
	if (!s->run.streams) {
		say("%s: %s", s->output, strerror(ENOMEM));
		return INCOMPLETE;
	}
	collect_finish(&s->collector, say_stream, s);
	s->run.state = run_state(&s->run, drained);
	release_room(s);
	if (s->recorder->save_last && s->recorder->save_last(&s->ctl, s->dir))
		s->flawed = true;
	if (complete_trace(s))
		s->flawed = true;
	say_totals(s, bytes, drained);
	if (!drained || lost_events(&s->run))
		s->flawed = true;
	free(s->run.overruns);
	free(s->run.streams);
	return s->flawed ? INCOMPLETE : COMPLETE;
}

/* ---- one run ---- */

/* Open the directory of the first trace of this run. */
static int open_chain(struct session *s)
{
	int dir, err = folders_open(&s->folders, s->output, s->set->force);

	if (err)
		return err;
	dir = folders_create(&s->folders);
	if (dir < 0)
		return dir;
	s->folders.number = s->folders.next;
	name_trace(s);
	return dir;
}

static int create_trace(struct session *s)
{
	int err;

	s->dir = is_rotated(s) ? open_chain(s) : settings_open_output(s->set, &s->sender, &s->signals);
	if (s->dir < 0)
		return s->dir;
	s->places[0] = (struct store_place) { .dir = s->dir, .compress = s->set->compress };
	s->run.compressed = s->set->compress;
	s->run.command = s->set->command;
	err = collect_init(&s->collector, &s->ctl, &s->places[0], s->set->priority);
	if (err)
		say("eventfd: %s", strerror(-err));
	if (s->set->to_stdout)
		s->places[0].sender = &s->sender;
	return err;
}

/* The memory that a collector maps belongs to the kernel: killing it would free nothing. */
static void refuse_oom_killer(void)
{
	static const char never[] = "-1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	file_write_all(fd, never, strlen(never));
	close(fd);
}

static void say_logging(const struct session *s)
{
	const char *stops = s->command.argv ? "" : ", Ctrl-C stops";

	if (reads_later(s))
		say("the buffers keep the newest events, for %s%s", s->output, stops);
	else
		say("logging %zu CPU%s into %s%s", s->collector.n,
		    s->collector.n == 1 ? "" : "s", s->output, stops);
}

/* Wait until the books are written; a signal gives them up. Return false without them. */
static bool wait_for_books(struct session *s)
{
	struct pollfd p = { .fd = s->signals.all, .events = POLLIN };
	bool written = folders_take_books(&s->folders);

	if (s->folders.writer)
		say("writing the books of %s", s->output);
	while (s->folders.writer && poll(&p, 1, 1000) >= 0) {
		if (p.revents && signals_take(&s->signals))
			folders_give_up(&s->folders);
		written = folders_take_books(&s->folders);
	}
	return written;
}

static enum verdict log_trace(struct session *s)
{
	enum verdict verdict;

	if (start_tracing(s)) {
		if (is_rotated(s))
			folders_remove(&s->folders, s->dir);
		return NOTHING;
	}
	if (s->ready) {
		command_go(&s->command);
		say_logging(s);
		wait_for_end(s);
	}
	command_stop(&s->command);
	stop_tracing(s);
	command_ended(&s->command);
	verdict = conclude_session(s);
	if (!wait_for_books(s) && verdict == COMPLETE)
		verdict = INCOMPLETE;
	symsave_end(&s->symbols);
	return verdict;
}

/**
 * session_run - log the trace of a recorder
 * @recorder: the recorder
 * @set: the options
 *
 * Return: the verdict.
 */
enum verdict session_run(const struct recorder *recorder, const struct settings *set)
{
	struct session s = {
		.set = set,
		.recorder = recorder,
		.output = set->output,
		.folders = { .keep = set->keep },
		.reserve = -1,
	};
	enum verdict verdict;

	if (!settings_is_root() || signals_open(&s.signals))
		return NOTHING;
	if (control_open(&s.ctl, recorder) ||
	    check_state(&s, set->command || set->limit_ns) || check_options(&s) ||
	    command_prepare(&s.command, set->command,
			    set->to_stdout ? STDERR_FILENO : STDOUT_FILENO))
		return NOTHING;
	refuse_oom_killer();
	verdict = create_trace(&s) ? NOTHING : log_trace(&s);
	/* It undoes what prepare_recorder() did, also where that failed. */
	if (recorder->end)
		recorder->end(&s.ctl);
	free(s.path);
	free((char *)s.run.more);
	return verdict;
}

/**
 * session_main - main() of a collector
 * @recorder: the recorder
 * @prog: the program
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * Return: the exit status.
 */
int session_main(const struct recorder *recorder, const struct program *prog, int argc,
		 char **argv)
{
	const struct settings *set = settings_parse(recorder, prog, argc, argv);

	return set ? session_run(recorder, set) : NOTHING;
}
