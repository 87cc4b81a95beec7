// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace.c - let trace-cmd record the kernel's tracepoints, and import what it recorded
 *
 * trace-cmd runs a command of ours while it records: it reports that recording has begun,
 * and ends when our end of its standard input is closed, also if kmemtraced is killed. So
 * trace-cmd always ends by itself, and completes its file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "daemon/command.h"
#include "daemon/ftrace.h"
#include "daemon/mounts.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/signals.h"

#define RECORDED	"trace.dat"

/* What trace-cmd runs: descriptor 3 reports the begin, the standard input the end. */
#define HOLDER		"echo >&3; exec 3>&-; exec cat >/dev/null"

/* The buffers take this part of the memory; those of a CPU have KB within these bounds. */
#define MEMORY_PART	32
#define MIN_BUFFER	1408
#define MAX_BUFFER	65536

/* Bytes that a disk has left if the last write did not fail. */
#define DISK_LEFT	(64 * 1024)

/* The tracepoints that kmemtrace-import reads, by folder; each kernel has some of them. */
static const char * const events[] = {
	"kmem/kmalloc", "kmem/kmalloc_node", "kmem/kfree",
	"kmem/kmem_cache_alloc", "kmem/kmem_cache_alloc_node", "kmem/kmem_cache_free",
	"kmem/mm_page_alloc", "kmem/mm_page_free",
	"percpu/percpu_alloc_percpu", "percpu/percpu_free_percpu",
};

#define NR_EVENTS	(sizeof(events) / sizeof(*events))

/**
 * struct ftrace - one run
 * @set: the options
 * @signals: the signals that end it
 * @command: the command, if there is one
 * @recorded: path of the file that trace-cmd writes
 * @pid: trace-cmd; 0 once it has ended
 * @status: its wait status
 * @hold: our end of its standard input; -1: it was closed
 * @begun: the pipe that reports the begin
 * @stopped: a signal came before that
 */
struct ftrace {
	const struct settings	*set;
	struct signals		signals;
	struct command		command;
	char			recorded[PATH_MAX];
	pid_t			pid;
	int			status;
	int			hold;
	int			begun;
	bool			stopped;
};

/* ---- whether it can be used ---- */

/* Open the folder of tracepoints. Return its descriptor, or -errno. */
static int open_events(void)
{
	char path[PATH_MAX - 16];
	int tracefs, dir;

	if (mounts_find("tracefs", path, sizeof(path)))
		snprintf(path, sizeof(path), "/sys/kernel/tracing");
	tracefs = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tracefs < 0)
		return -errno;
	dir = openat(tracefs, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		dir = -errno;
	close(tracefs);
	return dir;
}

static bool has_event(int dir, const char *event)
{
	return !faccessat(dir, event, F_OK, 0);
}

/* Under lockdown for confidentiality, the files can't be opened. */
static int open_error(int dir)
{
	int fd = openat(dir, "enable", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Write why there are no tracepoints, or nothing. */
static void probe_events(char *why, size_t size)
{
	int dir = open_events(), err;

	if (dir < 0) {
		snprintf(why, size, "no tracefs; try: mount -t tracefs none /sys/kernel/tracing (CONFIG_FTRACE, CONFIG_EVENT_TRACING)");
		return;
	}
	err = open_error(dir);
	if (!has_event(dir, events[0]))
		snprintf(why, size, "tracefs has no events/%s: this kernel has no tracepoints of memory",
			 events[0]);
	else if (err)
		snprintf(why, size, "events/enable in tracefs: %s%s", strerror(err),
			 err == EPERM ? ": lockdown for confidentiality forbids it" : "");
	close(dir);
}

/**
 * ftrace_probe - find out whether trace-cmd can record
 * @set: the options
 * @why: result: why not
 * @size: bytes of @why
 *
 * Return: whether it can.
 */
bool ftrace_probe(const struct settings *set, char *why, size_t size)
{
	*why = '\0';
	if (set->to_stdout)
		snprintf(why, size, "its trace can't be sent through a pipe (-o -)");
	else if (!command_is_there("trace-cmd"))
		snprintf(why, size, "trace-cmd is not installed; try: apt install trace-cmd");
	else
		probe_events(why, size);
	return !*why;
}

/* ---- trace-cmd ---- */

static unsigned long buffer_kilobytes(void)
{
	struct sysinfo si;
	uint64_t kilobytes;

	sysinfo(&si);
	kilobytes = (uint64_t)si.totalram * si.mem_unit / 1024 / MEMORY_PART /
		    sysconf(_SC_NPROCESSORS_CONF);
	if (kilobytes < MIN_BUFFER)
		return MIN_BUFFER;
	return kilobytes < MAX_BUFFER ? kilobytes : MAX_BUFFER;
}

/* Let no signal be blocked in a program that is run. */
static void unblock_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void say_not_run(const char *program)
{
	say("%s: %s", program, strerror(errno));
	_exit(127);
}

/* Ctrl-C on the terminal is for kmemtraced alone: trace-cmd has a process group of its own. */
static _Noreturn void run_trace_cmd(struct ftrace *f, const int *hold, const int *begun)
{
	char *argv[2 * NR_EVENTS + 12], names[NR_EVENTS][64], size[24];
	int dir = open_events();
	size_t n = 0, i;
	char *slash;

	setpgid(0, 0);
	if (dup2(hold[0], STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ||
	    dir < 0)
		_exit(127);
	snprintf(size, sizeof(size), "%lu", buffer_kilobytes());
	argv[n++] = "trace-cmd";
	argv[n++] = "record";
	argv[n++] = "-q";
	argv[n++] = "-C";
	argv[n++] = "mono";
	argv[n++] = "-b";
	argv[n++] = size;
	argv[n++] = "-o";
	argv[n++] = f->recorded;
	for (i = 0; i < NR_EVENTS; i++) {
		if (!has_event(dir, events[i]))
			continue;
		snprintf(names[i], sizeof(names[i]), "%s", events[i]);
		slash = strchr(names[i], '/');
		*slash = ':';
		argv[n++] = "-e";
		argv[n++] = names[i];
	}
	argv[n++] = "sh";
	argv[n++] = "-c";
	argv[n++] = HOLDER;
	argv[n] = NULL;
	close(dir);
	/* dup2() onto the same descriptor would leave it closed by execve(). */
	if (begun[1] == 3 ? fcntl(3, F_SETFD, 0) : dup2(begun[1], 3) < 0)
		_exit(127);
	unblock_signals();
	execvp(argv[0], argv);
	say_not_run(argv[0]);
}

static int start_trace_cmd(struct ftrace *f)
{
	int hold[2], begun[2];

	if (pipe2(hold, O_CLOEXEC) || pipe2(begun, O_CLOEXEC))
		return -errno;
	f->pid = fork();
	if (f->pid < 0)
		return -errno;
	if (!f->pid)
		run_trace_cmd(f, hold, begun);
	close(hold[0]);
	close(begun[1]);
	f->hold = hold[1];
	f->begun = begun[0];
	return 0;
}

/* Return whether trace-cmd has ended. */
static bool has_ended(struct ftrace *f)
{
	if (f->pid && waitpid(f->pid, &f->status, WNOHANG) == f->pid)
		f->pid = 0;
	return !f->pid;
}

/* Wait until trace-cmd records. Return whether it does. */
static bool wait_for_begin(struct ftrace *f)
{
	struct pollfd p[] = {
		{ .fd = f->begun, .events = POLLIN },
		{ .fd = f->signals.all, .events = POLLIN },
	};
	char c;

	while (poll(p, 2, -1) >= 0) {
		if (p[0].revents)
			return read(f->begun, &c, 1) == 1;
		f->stopped = signals_take(&f->signals);
		if (f->stopped || has_ended(f))
			return false;
	}
	return false;
}

static void wait_while_recording(struct ftrace *f)
{
	uint64_t end = f->set->limit_ns ? now_ns() + f->set->limit_ns : UINT64_MAX, next;
	struct pollfd p = { .fd = f->signals.all, .events = POLLIN };

	while (now_ns() < end) {
		next = now_ns() + NSEC_PER_SEC;
		if (poll(&p, 1, ms_until(next < end ? next : end)) < 0)
			return;
		if (p.revents && signals_take(&f->signals))
			return;
		if (command_ended(&f->command))
			return;
		if (has_ended(f)) {
			say("trace-cmd has ended too early");
			return;
		}
	}
}

/* Let trace-cmd complete its file; another signal kills it. */
static void stop_trace_cmd(struct ftrace *f)
{
	struct pollfd p = { .fd = f->signals.all, .events = POLLIN };

	close(f->hold);
	while (!has_ended(f) && poll(&p, 1, 100) >= 0)
		if (p.revents && signals_take(&f->signals))
			kill(-f->pid, SIGKILL);
}

/* ---- the trace ---- */

static bool is_disk_full(const char *path)
{
	struct statvfs st;

	return !statvfs(path, &st) && (uint64_t)st.f_bavail * st.f_frsize < DISK_LEFT;
}

/* Say what is wrong with the recorded file. Return whether something is. */
static bool is_flawed(const struct ftrace *f)
{
	if (is_disk_full(f->set->output)) {
		say("%s: No space left on device: the last events are missing",
		    f->recorded);
		return true;
	}
	if (WIFEXITED(f->status) && !WEXITSTATUS(f->status))
		return false;
	if (WIFSIGNALED(f->status))
		say("trace-cmd: killed by signal %d (%s)", WTERMSIG(f->status),
		    strsignal(WTERMSIG(f->status)));
	else
		say("trace-cmd: exit status %d", WEXITSTATUS(f->status));
	return true;
}

/* Wait until a process has ended; a signal ends it. Return its wait status, or -1. */
static int wait_for_import(const struct ftrace *f, pid_t pid)
{
	struct pollfd p = { .fd = f->signals.all, .events = POLLIN };
	int status = -1;

	while (!waitpid(pid, &status, WNOHANG) && poll(&p, 1, 100) >= 0)
		if (p.revents && signals_take(&f->signals))
			kill(pid, SIGKILL);
	return status;
}

/* Run kmemtrace-import. Return its wait status; -1: it could not be run. */
static int make_trace(const struct ftrace *f)
{
	static const char program[] = "kmemtrace-import";
	pid_t pid;

	if (!command_is_there(program)) {
		say("%s: not installed; it makes a trace of %s, on any machine", program,
		    f->recorded);
		return -1;
	}
	pid = fork();
	if (!pid) {
		unblock_signals();
		execlp(program, program, f->recorded, f->set->output, NULL);
		say_not_run(program);
	}
	return pid < 0 ? -1 : wait_for_import(f, pid);
}

static enum verdict import_recorded(struct ftrace *f)
{
	bool flawed = is_flawed(f);
	int status;

	if (access(f->recorded, F_OK)) {
		say("%s: %s", f->recorded, strerror(errno));
		return INCOMPLETE;
	}
	status = make_trace(f);
	if (status) {
		if (status > 0)
			say("kmemtrace-import failed; the events are in %s", f->recorded);
		return INCOMPLETE;
	}
	unlink(f->recorded);
	return flawed ? INCOMPLETE : COMPLETE;
}

static enum verdict record(struct ftrace *f)
{
	int err = start_trace_cmd(f);

	if (err) {
		say("trace-cmd: %s", strerror(-err));
		return NOTHING;
	}
	if (!wait_for_begin(f)) {
		stop_trace_cmd(f);
		say("trace-cmd recorded nothing");
		unlink(f->recorded);
		return NOTHING;
	}
	command_go(&f->command);
	say("trace-cmd records into %s%s", f->recorded,
	    f->set->command ? "" : ", Ctrl-C stops");
	wait_while_recording(f);
	command_stop(&f->command);
	stop_trace_cmd(f);
	command_ended(&f->command);
	return import_recorded(f);
}

/* trace-cmd creates files by their names, and follows links: nobody else may put one there. */
static bool is_private(int dir, const char *path)
{
	struct stat st;

	if (!fstat(dir, &st) && st.st_uid == geteuid() && !(st.st_mode & 022))
		return true;
	say("%s: others may write there; trace-cmd needs a directory of root alone", path);
	return false;
}

/**
 * ftrace_run - record with trace-cmd, and make a trace of it
 * @set: the options
 * @stopped: result: a signal ended it before anything was recorded
 *
 * Return: the verdict.
 */
enum verdict ftrace_run(const struct settings *set, bool *stopped)
{
	struct ftrace f = { .set = set };
	enum verdict verdict;
	int dir;

	if (snprintf(f.recorded, sizeof(f.recorded), "%s/" RECORDED, set->output) >=
	    (int)sizeof(f.recorded) || signals_open(&f.signals))
		return NOTHING;
	if (command_prepare(&f.command, set->command, STDOUT_FILENO))
		return NOTHING;
	dir = outdir_open(set->output, set->force);
	if (dir < 0)
		return NOTHING;
	verdict = is_private(dir, set->output) ? record(&f) : NOTHING;
	close(dir);
	*stopped = f.stopped;
	return verdict;
}
