// SPDX-License-Identifier: GPL-2.0
/*
 * ctf.c - write a folder of the Common Trace Format, and the packets of each CPU
 *
 * A file is open only while a packet is written: a trace may have more CPUs than a process may
 * have open files.
 */
#include "config.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "ctf/ctf.h"

#define CTF_MAGIC	UINT32_C(0xc1fc1fc1)

/* Bytes of an event's number and time. */
#define HEAD_SIZE	10

/* The beginning of a packet. */
struct packet_head {
	uint32_t magic;
	uint32_t stream_id;
	uint64_t begin, end;
	uint64_t content_bits, packet_bits;
	uint64_t sequence;
	uint64_t discarded;
	uint32_t cpu;
} __attribute__((packed));

/* ---- the folder ---- */

/**
 * ctf_fail - say why a file can't be written
 * @ctf: the trace
 * @name: name of the file; empty: the folder
 * @error: why, as -errno
 *
 * Return: @error.
 */
int ctf_fail(struct ctf *ctf, const char *name, int error)
{
	context_say(ctf->ctx, "%s%s%s: %s%s", ctf->path, *name ? "/" : "", name,
		    strerror(-error),
		    error == -EEXIST ? "; remove it, or name another folder" : "");
	return context_fail(ctf->ctx, error);
}

/**
 * ctf_open - open the folder of a trace
 * @ctf: result, for ctf_close() even after an error
 * @ctx: receives messages and errors
 * @path: the folder, which is created if it is missing
 *
 * Return: 0 or -errno.
 */
int ctf_open(struct ctf *ctf, struct context *ctx, const char *path)
{
	*ctf = (struct ctf) { .ctx = ctx, .path = path, .dir = -1, .file.fd = -1 };
	ctf->is_new = !mkdir(path, 0700);
	if (!ctf->is_new && errno != EEXIST)
		return ctf_fail(ctf, "", -errno);
	ctf->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return ctf->dir < 0 ? ctf_fail(ctf, "", -errno) : 0;
}

/* A file of a CPU. */
struct cpu_name {
	char text[16];
};

static struct cpu_name name_of_cpu(unsigned int cpu)
{
	struct cpu_name name;

	snprintf(name.text, sizeof(name.text), "cpu%u", cpu);
	return name;
}

/* Remove what was created. */
static void remove_folder_of(struct ctf *ctf)
{
	while (ctf->nr_cpus)
		unlinkat(ctf->dir, name_of_cpu(ctf->cpus[--ctf->nr_cpus]).text, 0);
	if (ctf->is_new)
		rmdir(ctf->path);
}

/**
 * ctf_close - close the folder, or remove what was written to it
 * @ctf: the trace
 * @error: why it is not whole, as -errno, after a message; 0: it is
 *
 * Return: @error, or -errno.
 */
int ctf_close(struct ctf *ctf, int error)
{
	int ret = file_finish(ctf->metadata, error);

	ret = newfile_end(&ctf->file, ret);
	if (ret && !error)
		ctf_fail(ctf, "metadata", ret);
	if (ret)
		remove_folder_of(ctf);
	free(ctf->cpus);
	if (ctf->dir >= 0)
		close(ctf->dir);
	return ret;
}

/* ---- packets ---- */

/* Times before the begin of CLOCK_MONOTONIC are in damaged streams only. */
static uint64_t time_or_zero(int64_t time)
{
	return time < 0 ? 0 : time;
}

static void begin_ctf_packet(struct ctf_cpu *c, uint64_t time)
{
	c->len = sizeof(struct packet_head);
	c->begin = time;
	c->end = time;
}

/* Append the packet to the file of the CPU. */
static int append_packet(struct ctf_cpu *c)
{
	const struct cpu_name name = name_of_cpu(c->cpu);
	int ret = context_check(c->ctf->ctx);

	if (ret)
		return ret;
	ret = file_append(c->ctf->dir, name.text, c->packet, c->len);
	return ret ? ctf_fail(c->ctf, name.text, ret) : 0;
}

/* Write the packet, also if it has no event. */
static int write_packet(struct ctf_cpu *c)
{
	const struct packet_head head = {
		.magic = htole32(CTF_MAGIC),
		.begin = htole64(c->begin),
		.end = htole64(c->end),
		.content_bits = htole64(8 * (uint64_t)c->len),
		.packet_bits = htole64(8 * (uint64_t)c->len),
		.sequence = htole64(c->sequence++),
		.discarded = htole64(c->discarded),
		.cpu = htole32(c->cpu),
	};
	int ret;

	memcpy(c->packet, &head, sizeof(head));
	c->written = c->discarded;
	ret = append_packet(c);
	if (!ret)
		c->len = 0;
	return ret;
}

/* ---- events ---- */

/* Create the file of a CPU, which is not there yet. */
static int create_cpu(struct ctf *ctf, unsigned int cpu)
{
	const struct cpu_name name = name_of_cpu(cpu);
	uint32_t *cpus = context_realloc(ctf->ctx, ctf->cpus, ctf->nr_cpus + 1, sizeof(*cpus));
	int fd;

	if (!cpus)
		return -ENOMEM;
	ctf->cpus = cpus;
	fd = openat(ctf->dir, name.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return ctf_fail(ctf, name.text, -errno);
	ctf->cpus[ctf->nr_cpus++] = cpu;
	close(fd);
	return 0;
}

/**
 * ctf_cpu_open - begin the events of a CPU
 * @c: result, for ctf_cpu_close() even after an error
 * @ctf: the trace
 * @cpu: number of the CPU
 * @room: bytes of its packets; must suffice for one event
 *
 * Return: 0 or -errno.
 */
int ctf_cpu_open(struct ctf_cpu *c, struct ctf *ctf, unsigned int cpu, size_t room)
{
	*c = (struct ctf_cpu) { .ctf = ctf, .cpu = cpu, .room = room };
	c->packet = context_realloc(ctf->ctx, NULL, 1, room);
	return c->packet ? create_cpu(ctf, cpu) : -ENOMEM;
}

/**
 * ctf_cpu_end - write the packet if it has events, or if events were discarded since the last
 * @c: the CPU
 *
 * Return: 0 or -errno.
 */
int ctf_cpu_end(struct ctf_cpu *c)
{
	return c->len > sizeof(struct packet_head) || c->discarded != c->written ?
	       write_packet(c) : 0;
}

/**
 * ctf_discard - note that events are missing
 * @c: the CPU
 * @events: how many
 * @time: of the next event
 *
 * Return: 0 or -errno.
 */
int ctf_discard(struct ctf_cpu *c, uint64_t events, int64_t time)
{
	int ret = 0;

	if (!events)
		return 0;
	/* A reader compares with the packet before: let there be one. */
	if (c->len)
		ret = ctf_cpu_end(c);
	else
		begin_ctf_packet(c, time_or_zero(time));
	if (!ret && !c->sequence)
		ret = write_packet(c);
	begin_ctf_packet(c, time_or_zero(time));
	c->discarded += events;
	return ret;
}

/**
 * ctf_begin_event - begin an event
 * @c: the CPU
 * @id: number of its type
 * @time: when
 * @max: its fields have no more bytes
 *
 * Return: 0 or -errno.
 */
int ctf_begin_event(struct ctf_cpu *c, unsigned int id, int64_t time, size_t max)
{
	int ret;

	if (c->len + HEAD_SIZE + max > c->room) {
		ret = ctf_cpu_end(c);
		if (ret)
			return ret;
	}
	if (!c->len)
		begin_ctf_packet(c, time_or_zero(time));
	c->end = time_or_zero(time);
	ctf_put_number(c, id, 2);
	ctf_put_number(c, time_or_zero(time), 8);
	return 0;
}

/* Add bytes to the event. */
void ctf_put(struct ctf_cpu *c, const void *bytes, size_t len)
{
	memcpy(c->packet + c->len, bytes, len);
	c->len += len;
}

/* Add a number of @size bytes, 8 at most, to the event. */
void ctf_put_number(struct ctf_cpu *c, uint64_t number, size_t size)
{
	uint64_t le = htole64(number);

	ctf_put(c, &le, size);
}

/**
 * ctf_put_native - add a number in the byte order of this machine to the event
 * @c: the CPU
 * @number: the number, at any alignment; NULL: 0
 * @size: its bytes: 1, 2, 4 or 8
 */
void ctf_put_native(struct ctf_cpu *c, const void *number, size_t size)
{
	uint16_t n16 = 0;
	uint32_t n32 = 0;
	uint64_t n64 = 0;

	switch (number ? size : 0) {
	case sizeof(uint8_t):
		n64 = *(const uint8_t *)number;
		break;
	case sizeof(n16):
		memcpy(&n16, number, sizeof(n16));
		n64 = n16;
		break;
	case sizeof(n32):
		memcpy(&n32, number, sizeof(n32));
		n64 = n32;
		break;
	case sizeof(n64):
		memcpy(&n64, number, sizeof(n64));
	}
	ctf_put_number(c, n64, size);
}

/* Free the memory of a CPU. */
void ctf_cpu_close(struct ctf_cpu *c)
{
	free(c->packet);
}
