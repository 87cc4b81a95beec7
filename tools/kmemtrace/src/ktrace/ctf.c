// SPDX-License-Identifier: GPL-2.0
/*
 * ctf.c - write a trace in the Common Trace Format 1.8, which babeltrace2 and others read
 *
 * The file metadata describes the types in TSDL; the file of a CPU has packets of events. All
 * of it is little-endian and without padding, on any machine.
 *
 * A packet has the number of all events that were discarded up to its end: those that are
 * missing, and those that can't be decoded. A packet ends where events are missing, so that a
 * reader knows the place.
 *
 * Names of fields begin with an underscore, which readers remove: a name may be a keyword.
 */
#include "config.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "ktrace/view.h"

#define CTF_MAGIC	UINT32_C(0xc1fc1fc1)

/* Bytes of a packet that has room for no further event. */
#define PACKET_SIZE	(256 * 1024)

/* Bytes of the largest event: its record, and a longer head. */
#define MAX_EVENT	(RECORD_MAX_SIZE + 16)

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

/**
 * struct ctf - the writing of a trace
 * @t: the trace
 * @path: the folder, for messages
 * @dir: the folder
 * @fd: the file of the CPU
 * @cpu: its number
 * @packet: the packet
 * @len: bytes of it
 * @begin: time of its first event
 * @end: time of its last event
 * @sequence: its number
 * @discarded: events that were discarded up to here
 * @written: those that the last packet has
 */
struct ctf {
	struct ktrace *t;
	const char *path;
	int dir, fd;
	unsigned int cpu;
	unsigned char *packet;
	size_t len;
	uint64_t begin, end, sequence, discarded, written;
};

static int fail(struct ctf *c, const char *name, int err)
{
	context_say(c->t->ctx, "%s%s%s: %s%s", c->path, *name ? "/" : "", name, strerror(-err),
		    err == -EEXIST ? "; remove it, or name another folder" : "");
	return context_fail(c->t->ctx, err);
}

/* ---- metadata ---- */

static void print_string(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (*text >= ' ' && *text <= '~')
			putc(*text, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*text);
	}
	putc('"', out);
}

static const char trace_text[] =
	"/* CTF 1.8 */\n"
	"\n"
	"trace {\n"
	"	major = 1;\n"
	"	minor = 8;\n"
	"	byte_order = le;\n"
	"	packet.header := struct {\n"
	"		integer { size = 32; align = 8; base = 16; } magic;\n"
	"		integer { size = 32; align = 8; } stream_id;\n"
	"	};\n"
	"};\n"
	"\n";

static const char stream_text[] =
	"clock {\n"
	"	name = \"monotonic\";\n"
	"	description = \"CLOCK_MONOTONIC of the traced machine\";\n"
	"	freq = 1000000000;\n"
	"};\n"
	"\n"
	"typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time_t;\n"
	"\n"
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		time_t timestamp_begin;\n"
	"		time_t timestamp_end;\n"
	"		integer { size = 64; align = 8; } content_size;\n"
	"		integer { size = 64; align = 8; } packet_size;\n"
	"		integer { size = 64; align = 8; } packet_seq_num;\n"
	"		integer { size = 64; align = 8; } events_discarded;\n"
	"		integer { size = 32; align = 8; } cpu_id;\n"
	"	};\n"
	"	event.header := struct {\n"
	"		integer { size = 16; align = 8; } id;\n"
	"		time_t timestamp;\n"
	"	};\n"
	"};\n";

static void print_env(const struct ktrace *t, const char *key, const char *name, FILE *out)
{
	const char *value = tracedir_meta(&t->dir, key);

	if (!value)
		return;
	fprintf(out, "	%s = ", name);
	print_string(value, out);
	fputs(";\n", out);
}

static void print_environment(const struct ktrace *t, FILE *out)
{
	fputs("env {\n	domain = \"kernel\";\n	tracer_name = \"ktrace\";\n", out);
	print_env(t, "kernel_release", "kernel_release", out);
	print_env(t, "machine", "architecture", out);
	print_env(t, "cmdline", "cmdline", out);
	fprintf(out, "	byte_order = \"%s\";\n", order_name(t->order));
	fprintf(out, "	word_bits = %u;\n};\n\n", t->dir.word_bits);
}

static void print_field(const struct layout *layout, size_t i, FILE *out)
{
	const struct field *f = &layout->fields[i];
	char name[LAYOUT_NAME_LEN];
	int base = 10;

	fputs("		", out);
	if (!f->size) {
		fputs("string { encoding = UTF8; }", out);
	} else {
		if (f->conversion == 'x' || f->conversion == 'X' || f->conversion == 'p')
			base = 16;
		else if (f->conversion == 'o')
			base = 8;
		fprintf(out, "integer { size = %d; align = 8; signed = %s; base = %d; }",
			8 * f->size, f->conversion == 'd' ? "true" : "false", base);
	}
	fprintf(out, " _%s;\n", layout_name(layout, i, name));
}

static void print_type(const struct type *type, FILE *out)
{
	size_t i;

	fputs("\nevent {\n	name = ", out);
	print_string(type->name, out);
	fprintf(out, ";\n	id = %u;\n	stream_id = 0;\n	fields := struct {\n", type->id);
	for (i = 0; i < type->layout.nr; i++)
		print_field(&type->layout, i, out);
	fputs("	};\n};\n", out);
}

/* Create a file that is not there yet. Return a descriptor, or -errno after a message. */
static int create(struct ctf *c, const char *name)
{
	int fd = openat(c->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);

	return fd < 0 ? fail(c, name, -errno) : fd;
}

static int write_metadata(struct ctf *c)
{
	int err, fd = create(c, "metadata");
	struct types *types = &c->t->types;
	FILE *out;
	size_t i;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		return context_fail(c->t->ctx, -ENOMEM);
	}
	fputs(trace_text, out);
	print_environment(c->t, out);
	fputs(stream_text, out);
	for (i = 0; i < types->nr; i++)
		if (types->list[i].events)
			print_type(&types->list[i], out);
	err = fflush(out) || ferror(out) ? -errno : 0;
	if (fclose(out) && !err)
		err = -errno;
	return err ? fail(c, "metadata", err) : 0;
}

/* ---- packets ---- */

/* Times before the begin of CLOCK_MONOTONIC are in damaged streams only. */
static uint64_t clamp(int64_t time)
{
	return time < 0 ? 0 : time;
}

static void begin_packet(struct ctf *c, uint64_t time)
{
	c->len = sizeof(struct packet_head);
	c->begin = time;
	c->end = time;
}

/* Write the packet, also if it has no event. */
static int write_packet(struct ctf *c)
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
	char name[32];
	int err;

	memcpy(c->packet, &head, sizeof(head));
	c->written = c->discarded;
	err = file_write_all(c->fd, c->packet, c->len);
	if (err) {
		snprintf(name, sizeof(name), "cpu%u", c->cpu);
		return fail(c, name, err);
	}
	c->len = 0;
	return 0;
}

/* Write the packet if it has events, or if events were discarded since the last one. */
static int end_packet(struct ctf *c)
{
	return c->len > sizeof(struct packet_head) || c->discarded != c->written ?
	       write_packet(c) : 0;
}

/* Note that events are missing before @time. */
static int discard(struct ctf *c, uint64_t events, uint64_t time)
{
	int ret = 0;

	if (!events)
		return 0;
	/* A reader compares with the packet before: let there be one. */
	if (c->len)
		ret = end_packet(c);
	else
		begin_packet(c, time);
	if (!ret && !c->sequence)
		ret = write_packet(c);
	begin_packet(c, time);
	c->discarded += events;
	return ret;
}

static void put(struct ctf *c, const void *bytes, size_t len)
{
	memcpy(c->packet + c->len, bytes, len);
	c->len += len;
}

static void put_number(struct ctf *c, uint64_t number, size_t size)
{
	uint64_t le = htole64(number);

	put(c, &le, size);
}

static int put_event(struct ctf *c, const struct kevent *ev)
{
	const struct layout *layout = &ev->type->layout;
	uint64_t time = clamp(ev->time);
	size_t i;
	int ret;

	if (c->len + MAX_EVENT > PACKET_SIZE) {
		ret = end_packet(c);
		if (ret)
			return ret;
	}
	if (!c->len)
		begin_packet(c, time);
	c->end = time;
	put_number(c, ev->type->id, 2);
	put_number(c, time, 8);
	for (i = 0; i < layout->nr; i++) {
		const struct value *v = &ev->values[i];

		if (v->text)
			put(c, v->text, v->len + 1);
		else
			put_number(c, v->number, layout->fields[i].size);
	}
	return 0;
}

/* ---- streams ---- */

static int put_record(struct ctf *c, const struct kstream *s)
{
	struct kevent ev;

	switch (ktrace_decode(c->t, s, &ev)) {
	case KEVENT_SELECTED:
		return put_event(c, &ev);
	case KEVENT_UNKNOWN:
	case KEVENT_UNREADABLE:
	case KEVENT_MALFORMED:
		return discard(c, 1, clamp(s->time));
	case KEVENT_NONE:
		return discard(c, s->gap.events, clamp(s->time));
	case KEVENT_LEFT_OUT:
		break;
	}
	return context_error(c->t->ctx);
}

static int put_stream(struct ctf *c, struct kstream *s, const struct kcpu *cpu)
{
	int ret;

	while ((ret = kstream_next(s)) > 0) {
		ret = put_record(c, s);
		if (ret)
			return ret;
	}
	if (!ret)
		ret = discard(c, cpu->tail, clamp(s->time));
	return ret ? ret : end_packet(c);
}

static int write_cpu(struct ctf *c, size_t i)
{
	const struct kcpu *cpu = &c->t->cpus[i];
	struct kstream s;
	char name[32];
	int ret;

	snprintf(name, sizeof(name), "cpu%u", cpu->cpu);
	c->fd = create(c, name);
	if (c->fd < 0)
		return c->fd;
	c->cpu = cpu->cpu;
	c->len = 0;
	c->sequence = 0;
	c->discarded = 0;
	c->written = 0;
	ret = ktrace_open_stream(c->t, &s, i, PACKET_SIZE);
	s.maps = &c->t->maps;
	if (!ret)
		ret = put_stream(c, &s, cpu);
	kstream_close(&s);
	if (close(c->fd) && !ret)
		ret = fail(c, name, -errno);
	return ret;
}

static int open_folder(struct ctf *c)
{
	if (mkdir(c->path, 0700) && errno != EEXIST)
		return fail(c, "", -errno);
	c->dir = open(c->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return c->dir < 0 ? fail(c, "", -errno) : 0;
}

/**
 * ctf_write - write the events that the options choose
 * @t: the trace
 * @path: the folder, which is created if it is missing
 *
 * Return: 0, or -errno after a message.
 */
int ctf_write(struct ktrace *t, const char *path)
{
	struct ctf c = { .t = t, .path = path, .dir = -1 };
	size_t i;
	int ret;

	c.packet = context_realloc(t->ctx, NULL, 1, PACKET_SIZE);
	if (!c.packet)
		return -ENOMEM;
	ret = open_folder(&c);
	if (!ret)
		ret = write_metadata(&c);
	for (i = 0; !ret && i < t->nr_cpus; i++)
		if (t->cpus[i].file)
			ret = write_cpu(&c, i);
	if (c.dir >= 0)
		close(c.dir);
	free(c.packet);
	return ret;
}
