// SPDX-License-Identifier: GPL-2.0
// trigger NAME TIMES: make the calls that meet the bug NAME, so many times.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/keyctl.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

// in_child: run @act in a process of its own
static void in_child(void (*act)(void))
{
	pid_t pid = fork();

	if (!pid) {
		act();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) < 0)
		err(1, "fork");
}

static sigjmp_buf after_fault;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(after_fault, 1);
}

// Read a mapping of a file far beyond the end of the file, at places of a page table each.
static void read_beyond_end(void)
{
	size_t table = 2 << 20;
	int fd = open("/mnt/short", O_RDWR | O_CREAT, 0600);
	char *map = mmap(NULL, 9 * table, PROT_READ, MAP_SHARED, fd, 0);

	signal(SIGBUS, on_fault);
	for (volatile int i = 1; i < 9; i++)
		if (!sigsetjmp(after_fault, 1))
			(void)*(volatile char *)(map + i * table);
}

static void fault(int i)
{
	(void)i;
	in_child(read_beyond_end);
}

// Splice more pages of the process into a pipe than it takes.
static void overfill_pipe(void)
{
	int fd[2];
	struct iovec user = { .iov_len = 16 * PAGE };

	user.iov_base = mmap(NULL, user.iov_len, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(user.iov_base, 1, user.iov_len);
	if (pipe(fd) || fcntl(fd[1], F_SETPIPE_SZ, 4 * PAGE) < 0)
		err(1, "pipe");
	vmsplice(fd[1], &user, 1, SPLICE_F_NONBLOCK);
}

static void splice_pages(int i)
{
	(void)i;
	in_child(overfill_pipe);
}

// Switch on swap space with a header whose list of bad pages is wrong.
static void swap(int i)
{
	(void)i;
	if (!swapon("/dev/badswap", 0))
		errx(1, "swapon: the bad header was taken");
}

// Ask for the id of a new network namespace, then leave it.
static void ask_for_id(void)
{
	struct {
		struct nlmsghdr header;
		struct rtgenmsg family;
		char pad[3];
		struct nlattr name;
		int fd;
	} ask = {
		.header = { .nlmsg_len = sizeof(ask), .nlmsg_type = RTM_GETNSID,
			    .nlmsg_flags = NLM_F_REQUEST },
		.name = { .nla_len = 8, .nla_type = NETNSA_FD },
	};
	char answer[512];
	int old = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	if (unshare(CLONE_NEWNET))
		err(1, "unshare");
	ask.fd = open("/proc/self/ns/net", O_RDONLY);
	if (send(old, &ask, sizeof(ask), 0) != sizeof(ask) ||
	    recv(old, answer, sizeof(answer), 0) < 0)
		err(1, "netlink");
}

static void netns(int i)
{
	(void)i;
	in_child(ask_for_id);
}

// Enter and leave a network namespace.
static void enter_netns(void)
{
	if (unshare(CLONE_NEWNET))
		err(1, "unshare");
}

static void mib(int i)
{
	(void)i;
	in_child(enter_netns);
}

// Change the IP options of a socket again and again.
static void options(int i)
{
	static int fd = -1;
	unsigned char padding[8] = { [0 ... 6] = IPOPT_NOOP };

	(void)i;
	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (setsockopt(fd, IPPROTO_IP, IP_OPTIONS, padding, sizeof(padding)))
		err(1, "IP_OPTIONS");
}

// Send to a queue that is full.
static void message(int i)
{
	static int queue = -1;
	struct {
		long type;
		char text[200];
	} note = { .type = 1 };

	(void)i;
	if (queue < 0) {
		queue = msgget(IPC_PRIVATE, 0600);
		while (!msgsnd(queue, &note, sizeof(note.text), IPC_NOWAIT))
			;
	}
	msgsnd(queue, &note, sizeof(note.text), IPC_NOWAIT);
}

// Load a kernel module from a file that is shorter than its size says.
static void read_file(int i)
{
	int fd = open("/sys/kernel/uevent_seqnum", O_RDONLY);

	(void)i;
	if (!syscall(SYS_finit_module, fd, "", 0))
		errx(1, "finit_module: no error");
	close(fd);
}

// Own a socket, and exit.
static void own_socket(void)
{
	if (fcntl(socket(AF_UNIX, SOCK_STREAM, 0), F_SETOWN, getpid()))
		err(1, "F_SETOWN");
}

static void owner(int i)
{
	(void)i;
	in_child(own_socket);
}

static void join(const char *name)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name) < 0)
		err(1, "keyctl: join a session keyring");
}

// Join the same session keyring twice, and exit. It is found by its name if all may search it.
static void join_twice(void)
{
	char name[32];

	sprintf(name, "session-%d", getpid());
	join(name);
	if (syscall(SYS_keyctl, KEYCTL_SETPERM, KEY_SPEC_SESSION_KEYRING, 0x3f3f3f3f) < 0)
		err(1, "keyctl: set the permissions of a keyring");
	join(name);
}

static void keyring(int i)
{
	(void)i;
	in_child(join_twice);
}

// Give a packet socket a ring to send from, and close it.
static void packet(int i)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	struct tpacket_req ring = { .tp_block_size = PAGE, .tp_block_nr = 8,
				    .tp_frame_size = 2048, .tp_frame_nr = 16 };

	(void)i;
	if (setsockopt(fd, SOL_PACKET, PACKET_TX_RING, &ring, sizeof(ring)))
		err(1, "PACKET_TX_RING");
	close(fd);
}

// Map a socket that has nothing to map.
static void map(int i)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));

	(void)i;
	if (mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
		errx(1, "mmap: no error");
	close(fd);
}

// Look for a file that doesn't exist, by a new name each time.
static void lookup(int i)
{
	char name[64];
	struct stat st;

	sprintf(name, "/mnt/%08x-%d.journal", i * 2654435761u, getpid());
	if (!stat(name, &st))
		errx(1, "%s exists", name);
}

static const struct {
	const char *name;
	void (*act)(int i);
} bugs[] = {
	{ "fault", fault }, { "splice", splice_pages }, { "swap", swap },
	{ "netns", netns }, { "mib", mib }, { "options", options },
	{ "message", message }, { "readfile", read_file }, { "owner", owner },
	{ "keyring", keyring }, { "packet", packet }, { "map", map },
	{ "lookup", lookup },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		errx(2, "usage: trigger NAME TIMES");
	for (size_t b = 0; b < sizeof(bugs) / sizeof(bugs[0]); b++) {
		if (strcmp(bugs[b].name, argv[1]))
			continue;
		for (int i = 0; i < atoi(argv[2]); i++)
			bugs[b].act(i);
		return 0;
	}
	errx(2, "%s: no such bug", argv[1]);
}
