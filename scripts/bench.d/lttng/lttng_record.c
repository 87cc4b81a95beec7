// SPDX-License-Identifier: GPL-2.0
/*
 * lttng_record BYTES SUBBUFS EVENT... -- COMMAND...: run COMMAND while LTTng's modules record
 * EVENTs in overwrite mode, in SUBBUFS sub-buffers of BYTES for each CPU. This is what
 * LTTng's session daemon does for a session in flight-recorder mode, in which nothing
 * reads until a snapshot is taken. Fail if nothing was recorded.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lttng/abi.h>

/* Of <ringbuffer/vfs.h>, which is only for the kernel. */
#define GET_PRODUCED		_IOR(0xF6, 0x02, unsigned long)
#define SAMPLE_POSITIONS	_IO(0xF6, 0x0E)

#define MAX_CPUS 64

/* Do an ioctl and return its result, or end. */
static int request(int fd, unsigned long number, void *argument, const char *what)
{
	int result = ioctl(fd, number, argument);

	if (result < 0)
		err(1, "%s", what);
	return result;
}

static int create_channel(int session, const char *bytes, const char *subbufs)
{
	struct lttng_kernel_abi_channel channel = {
		.subbuf_size	= strtoul(bytes, NULL, 0),
		.num_subbuf	= strtoul(subbufs, NULL, 0),
		.output		= LTTNG_KERNEL_ABI_MMAP,
		.overwrite	= 1,
	};

	return request(session, LTTNG_KERNEL_ABI_CHANNEL, &channel, "channel");
}

static void enable_event(int channel, const char *name)
{
	struct lttng_kernel_abi_event event = {
		.instrumentation = LTTNG_KERNEL_ABI_TRACEPOINT,
	};
	int fd;

	snprintf(event.name, sizeof(event.name), "%s", name);
	fd = request(channel, LTTNG_KERNEL_ABI_EVENT, &event, name);
	request(fd, LTTNG_KERNEL_ABI_ENABLE, NULL, name);
}

/* Open the streams of all CPUs, and return their number. */
static int open_streams(int channel, int *streams)
{
	int cpus = 0;

	while (cpus < MAX_CPUS) {
		streams[cpus] = ioctl(channel, LTTNG_KERNEL_ABI_STREAM);
		if (streams[cpus] < 0)
			break;
		cpus++;
	}
	return cpus;
}

static int run(char **command)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	if (waitpid(pid, &status, 0) < 0)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Return the bytes that were written to all streams. */
static unsigned long produced(const int *streams, int cpus)
{
	unsigned long sum = 0, position;

	for (int i = 0; i < cpus; i++) {
		if (ioctl(streams[i], SAMPLE_POSITIONS))	/* it is empty */
			continue;
		request(streams[i], GET_PRODUCED, &position, "produced");
		sum += position;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int streams[MAX_CPUS], cpus, status, lttng, session, channel, i;
	unsigned long bytes;

	if (argc < 6)
		errx(2, "usage: lttng_record BYTES SUBBUFS EVENT... -- COMMAND...");
	lttng = open("/proc/lttng", O_RDWR);
	if (lttng < 0)
		err(1, "/proc/lttng");
	session = request(lttng, LTTNG_KERNEL_ABI_SESSION, NULL, "session");
	channel = create_channel(session, argv[1], argv[2]);
	for (i = 3; i < argc - 1 && strcmp(argv[i], "--"); i++)
		enable_event(channel, argv[i]);
	cpus = open_streams(channel, streams);
	request(session, LTTNG_KERNEL_ABI_SESSION_START, NULL, "start");
	status = run(argv + i + 1);
	request(session, LTTNG_KERNEL_ABI_SESSION_STOP, NULL, "stop");
	bytes = produced(streams, cpus);
	fprintf(stderr, "lttng_record: %lu bytes, %d CPUs\n", bytes, cpus);
	return bytes ? status : 1;
}
