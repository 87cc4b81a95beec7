// SPDX-License-Identifier: GPL-2.0
/*
 * faulty REPORT KIND N COMMAND...: run COMMAND, whose N-th write goes wrong, and exit with its exit
 * status, or 128 + the signal that ended it.
 *
 * A write is a system call by which a file gets a name, bytes or a size, in any process of COMMAND.
 * Messages, on the standard error, are none. KIND is
 *
 *   EIO, ENOSPC       it fails; ENOSPC lets all later ones fail, too. Pipes have no such errors
 *   SIGTERM, ...      the process gets a signal before it
 *   rough             it and all later ones: a signal interrupts one, the next has half of its bytes
 *
 * REPORT gets a line, the system call and its file, or nothing if there were fewer writes. The kernel
 * asks this program about each write (see seccomp_unotify(2)), on any architecture.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NO_TEST	99
#define EXIT_SIGNAL	128

/* Bytes of a write that is made in place of the process. */
#define MAX_SHORT	4096

/* System calls, and which of their operands are a descriptor and a path; -1: none. */
static const struct call {
	int nr;
	const char *name;
	int fd, path;
} calls[] = {
#define CALL(name, fd, path)	{ __NR_##name, #name, fd, path }
	CALL(write, 0, -1), CALL(writev, 0, -1), CALL(pwrite64, 0, -1), CALL(sendfile, 0, -1),
	CALL(ftruncate, 0, -1), CALL(fallocate, 0, -1), CALL(fsync, 0, -1),
	CALL(openat, 0, 1), CALL(mkdirat, 0, 1), CALL(linkat, 2, 3), CALL(renameat2, 2, 3),
#ifdef __NR_open
	CALL(mkdir, -1, 0), CALL(rename, -1, 1),
#endif
};

#define NR_CALLS	(sizeof(calls) / sizeof(*calls))

/* The flags of open() that create a file. */
#define CREATES	(O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

/**
 * struct fault - what goes wrong
 * @at: the number of the write
 * @error: number of an error, or 0
 * @signal: number of a signal, or 0
 * @is_rough: writes are interrupted and short
 * @report: gets a line
 * @seen: writes until now
 */
static struct fault {
	unsigned long at;
	int error, signal;
	bool is_rough;
	FILE *report;
	unsigned long seen;
} fault;

/* ---- the process that writes ---- */

/* Ask about each write. Return the descriptor that asks. */
static int install_filter(void)
{
	struct sock_filter code[2 * NR_CALLS + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	const struct sock_fprog filter = {
		.filter = code, .len = sizeof(code) / sizeof(*code),
	};
	size_t i;

	for (i = 0; i < NR_CALLS; i++) {
		code[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							       (unsigned int)calls[i].nr, 0, 1);
		code[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
							       SECCOMP_RET_USER_NOTIF);
	}
	code[2 * i + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		       &filter);
}

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void pass_descriptor(int socket, int fd)
{
	union control c = { .head = {
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(fd)),
	} };
	struct iovec byte = { "", 1 };
	struct msghdr m = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &c,
			    .msg_controllen = sizeof(c) };

	memcpy(CMSG_DATA(&c.head), &fd, sizeof(fd));
	if (sendmsg(socket, &m, 0) != 1)
		err(EXIT_NO_TEST, "sendmsg");
}

static int receive_descriptor(int socket)
{
	union control c;
	char buf;
	struct iovec byte = { &buf, 1 };
	struct msghdr m = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &c,
			    .msg_controllen = sizeof(c) };
	int fd = -1;

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) == 1 && m.msg_controllen)
		memcpy(&fd, CMSG_DATA(&c.head), sizeof(fd));
	return fd;
}

_Noreturn static void run(int socket, char **command)
{
	int listener = install_filter();

	if (listener < 0)
		err(EXIT_NO_TEST, "seccomp");
	pass_descriptor(socket, listener);
	close(listener);
	close(socket);
	execvp(*command, command);
	err(EXIT_NO_TEST, "%s", *command);
}

/* ---- its writes ---- */

static size_t read_memory(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)address, size };
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);

	return n < 0 ? 0 : n;
}

/* Return the path of a link of the process, or "?". */
static const char *link_of(pid_t pid, int fd)
{
	static char path[4096];
	char name[64];
	ssize_t len;

	snprintf(name, sizeof(name), fd == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d", pid, fd);
	len = readlink(name, path, sizeof(path) - 1);
	path[len < 0 ? 0 : len] = '\0';
	return len < 0 ? "?" : path;
}

/* Return whether a call writes: openat() may only read, and messages are none. */
static bool is_write(const struct seccomp_notif *n, const struct call *call)
{
	int fd = call->fd < 0 ? -1 : (int)n->data.args[call->fd];

	if (call->path >= 0)
		return call->nr != __NR_openat || n->data.args[2] & CREATES;
	/* An eventfd is no file, and takes 8 bytes or none. */
	return fd != STDERR_FILENO && !strstr(link_of(n->pid, fd), "anon_inode:") &&
	       !(fault.error && *link_of(n->pid, fd) != '/');
}

static void report(const struct seccomp_notif *n, const struct call *call)
{
	char path[256] = "";
	size_t len;

	if (call->path >= 0) {
		len = read_memory(n->pid, n->data.args[call->path], path, sizeof(path) - 1);
		path[len] = '\0';
	}
	fprintf(fault.report, "%s ", call->name);
	if (call->fd >= 0 && *path != '/')
		fprintf(fault.report, "%s%s", link_of(n->pid, (int)n->data.args[call->fd]),
			*path ? "/" : "");
	fprintf(fault.report, "%s\n", path);
	fflush(fault.report);
}

/* Return the process of a thread. */
static pid_t process_of(pid_t thread)
{
	char name[64], line[256];
	pid_t pid = thread;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", thread);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			break;
	if (f)
		fclose(f);
	return pid;
}

/* Write the first half of the bytes in place of the process. Return how many, or -errno. */
static int64_t write_half(const struct seccomp_notif *n, int nr)
{
	const __u64 *args = n->data.args;
	const int pid = syscall(__NR_pidfd_open, process_of(n->pid), 0);
	const int fd = syscall(__NR_pidfd_getfd, pid, (int)args[0], 0);
	size_t len = args[2] / 2 < MAX_SHORT ? args[2] / 2 : MAX_SHORT;
	char bytes[MAX_SHORT];
	ssize_t done;

	if (fd < 0 || read_memory(n->pid, args[1], bytes, len) != len)
		err(EXIT_NO_TEST, "can't write for the process");
	done = nr == __NR_write ? write(fd, bytes, len) : pwrite(fd, bytes, len, args[3]);
	if (done < 0)
		done = -errno;
	close(fd);
	close(pid);
	return done;
}

/* Let a write go wrong. */
static void disturb(const struct seccomp_notif *n, struct seccomp_notif_resp *answer)
{
	const bool has_bytes = n->data.nr == __NR_write || n->data.nr == __NR_pwrite64;

	if (fault.signal)
		kill(process_of(n->pid), fault.signal);
	if (fault.error)
		answer->error = -fault.error;
	else if (fault.is_rough && has_bytes && fault.seen % 2)
		answer->error = -EINTR;
	else if (fault.is_rough && has_bytes && n->data.args[2] > 1)
		answer->val = write_half(n, n->data.nr);
	else
		return;
	if (answer->val < 0) {
		answer->error = (int)answer->val;
		answer->val = 0;
	}
	answer->flags = 0;
}

/* Answer a question of the kernel. */
static void answer(int listener)
{
	struct seccomp_notif n = { 0 };
	struct seccomp_notif_resp a = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	const struct call *call = calls;

	/* The process may be gone. */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n))
		return;
	a.id = n.id;
	while (call->nr != n.data.nr)
		call++;
	if (is_write(&n, call)) {
		if (++fault.seen == fault.at)
			report(&n, call);
		if (fault.seen == fault.at ||
		    (fault.seen > fault.at && (fault.error == ENOSPC || fault.is_rough)))
			disturb(&n, &a);
	}
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &a);
}

/* Answer until the process that runs the command has ended. Return its status. */
static int supervise(pid_t pid, int listener)
{
	struct pollfd poll_fd = { .fd = listener, .events = POLLIN };
	int status;

	while (!waitpid(pid, &status, WNOHANG))
		if (poll(&poll_fd, 1, 10) > 0 && poll_fd.revents & POLLIN)
			answer(listener);
	return status;
}

static void parse_kind(const char *kind)
{
	static const struct {
		const char *name;
		int error, signal;
	} kinds[] = {
		{ "EIO", EIO, 0 }, { "ENOSPC", ENOSPC, 0 }, { "SIGINT", 0, SIGINT },
		{ "SIGTERM", 0, SIGTERM }, { "SIGHUP", 0, SIGHUP }, { "SIGKILL", 0, SIGKILL },
	};
	size_t i;

	fault.is_rough = !strcmp(kind, "rough");
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kind, kinds[i].name)) {
			fault.error = kinds[i].error;
			fault.signal = kinds[i].signal;
		}
	if (!fault.is_rough && !fault.error && !fault.signal)
		errx(EXIT_NO_TEST, "no kind: %s", kind);
}

int main(int argc, char **argv)
{
	int sockets[2], status;
	pid_t pid;

	if (argc < 5)
		errx(EXIT_NO_TEST, "expected REPORT KIND N COMMAND...");
	fault.report = fopen(argv[1], "we");
	if (!fault.report || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		err(EXIT_NO_TEST, "%s", argv[1]);
	parse_kind(argv[2]);
	fault.at = strtoul(argv[3], NULL, 10);
	pid = fork();
	if (!pid)
		run(sockets[1], argv + 4);
	close(sockets[1]);
	status = supervise(pid, receive_descriptor(sockets[0]));
	return WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
