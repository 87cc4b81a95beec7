// SPDX-License-Identifier: GPL-2.0
/*
 * A trace that comes as one stream becomes a directory; packet.h has the format.
 *
 * Nothing of the stream is believed: a name has to be one that a file of a trace may
 * have, and a length is but a number of bytes to copy.
 */
#include "config.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/names.h"
#include "common/packet.h"
#include "common/tempdir.h"
#include "common/text.h"
#include "common/unpack.h"

/* Bytes to copy at a time. */
#define CHUNK		(64 * 1024)

/**
 * struct unpacker - a stream that is taken apart
 * @in: the stream
 * @offset: how far it was read
 * @dir: where its files go
 * @look: as for unpack_stdin()
 * @cut: it has ended before the trace does
 * @names: of the files so far
 * @nr: how many of them
 */
struct unpacker {
	FILE *in;
	uint64_t offset;
	int dir;
	bool (*look)(uint64_t bytes);
	bool cut;
	char (*names)[PACKET_MAX_LINE];
	size_t nr;
};

/* ---- packets ---- */

/* Does somebody want no more of it? */
static bool is_ended(struct unpacker *u)
{
	if (!u->cut && u->look && u->look(u->offset))
		u->cut = true;
	return u->cut;
}

static int end_of_input(struct unpacker *u)
{
	if (is_ended(u))
		return 0;
	if (ferror(u->in)) {
		warn("%s: offset %" PRIu64, STDIN_NAME, u->offset);
		return -EIO;
	}
	warnx("%s: offset %" PRIu64 ": ends here, but the trace doesn't",
	      STDIN_NAME, u->offset);
	u->cut = true;
	return 0;
}

static int refuse(const struct unpacker *u, const char *line)
{
	char text[PACKET_MAX_LINE];

	warnx("%s: offset %" PRIu64 ": '%s' has no place in a kmemtrace stream",
	      STDIN_NAME, u->offset, text_printable(text, sizeof(text), line));
	return -EILSEQ;
}

/* Returns 1 with a line, without its newline; 0 at the end of the input. */
static int read_line(struct unpacker *u, char *line)
{
	size_t len = 0;
	int c;

	do {
		c = getc(u->in);
		line[len++] = c;
	} while (c != EOF && c != '\n' && len < PACKET_MAX_LINE);
	line[len - 1] = '\0';
	if (c == EOF)
		return end_of_input(u);
	if (c != '\n' || strlen(line) != len - 1)
		return refuse(u, line);
	return 1;
}

/* "<name> <length>"; @line becomes the name. */
static bool parse_header(char *line, uint64_t *len)
{
	char *end, *space = strchr(line, ' ');

	if (!space || !isdigit((unsigned char)space[1]))
		return false;
	errno = 0;
	*len = strtoull(space + 1, &end, 10);
	if (errno || *end)
		return false;
	*space = '\0';
	return name_is_trace_file(line);
}

/*
 * To be done before the file is created. A signal may look at the names at any time,
 * but while they change.
 */
static int add_name(struct unpacker *u, const char *name)
{
	char (*names)[PACKET_MAX_LINE];
	sigset_t all, before;

	if (!faccessat(u->dir, name, F_OK, 0))
		return 0;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	names = reallocarray(u->names, u->nr + 1, sizeof(*names));
	if (names) {
		u->names = names;
		snprintf(names[u->nr++], sizeof(*names), "%s", name);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return names ? 0 : -ENOMEM;
}

/* Returns 1 when all of it was there, 0 at the end of the input. */
static int copy(struct unpacker *u, int fd, uint64_t len)
{
	char buf[CHUNK];
	size_t n, want;
	int err;

	for (; len; len -= n) {
		want = len < sizeof(buf) ? len : sizeof(buf);
		n = fread(buf, 1, want, u->in);
		u->offset += n;
		err = file_write_all(fd, buf, n);
		if (err)
			return err;
		if (n < want)
			return end_of_input(u);
		if (is_ended(u))
			return 0;
	}
	return 1;
}

/* Metadata is replaced at one blow, once all of it is there. */
static int take_packet(struct unpacker *u, const char *name, uint64_t len)
{
	bool replace = !strcmp(name, PACKET_METADATA);
	const char *file = replace ? PACKET_METADATA ".new" : name;
	int fd, ret = add_name(u, name);

	if (!ret)
		ret = add_name(u, file);
	if (ret)
		return ret;
	fd = openat(u->dir, file, O_WRONLY | O_CREAT | O_CLOEXEC |
		    (replace ? O_TRUNC : O_APPEND), 0600);
	if (fd < 0)
		return -errno;
	ret = copy(u, fd, len);
	if (close(fd) && ret >= 0)
		ret = -errno;
	if (ret > 0 && replace && renameat(u->dir, file, u->dir, name))
		ret = -errno;
	return ret;
}

/* Returns 1 after a packet, 0 after the last. */
static int next_packet(struct unpacker *u)
{
	char line[PACKET_MAX_LINE] = "", name[PACKET_MAX_LINE];
	uint64_t len;
	int ret = read_line(u, line);

	if (ret <= 0 || !strcmp(line, PACKET_END))
		return ret < 0 ? ret : 0;
	memcpy(name, line, sizeof(name));
	if (!parse_header(name, &len))
		return refuse(u, line);
	u->offset += strlen(line) + 1;
	ret = take_packet(u, name, len);
	if (ret < 0)
		warnx("%s: %s: %s", STDIN_NAME, name, strerror(-ret));
	return ret;
}

static int take_apart(struct unpacker *u)
{
	char line[PACKET_MAX_LINE];
	int ret = read_line(u, line);

	if (ret > 0 && strcmp(line, PACKET_MAGIC))
		return refuse(u, line);
	u->offset += strlen(line) + 1;
	while (ret > 0)
		ret = next_packet(u);
	return ret;
}

/**
 * unpack - make a directory of a stream
 * @in: the stream, which messages call the standard input
 * @dir: the directory
 * @cut: result: the stream ends before the trace does; what there is was unpacked
 *
 * Return: 0, or -errno after a message.
 */
int unpack(FILE *in, const char *dir, bool *cut)
{
	struct unpacker u = { .in = in };
	int ret;

	u.dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (u.dir < 0) {
		ret = -errno;
		warn("%s", dir);
		return ret;
	}
	ret = take_apart(&u);
	*cut = u.cut;
	close(u.dir);
	free(u.names);
	return ret;
}

/* ---- the standard input ---- */

/* In file scope for the sake of signals. */
static struct unpacker from_stdin = { .dir = -1 };
static char *path;

/* Does nothing that a signal handler may not. */
static void clean_up(void)
{
	size_t i;

	for (i = 0; i < from_stdin.nr; i++)
		unlinkat(from_stdin.dir, from_stdin.names[i], 0);
	if (path)
		rmdir(path);
}

/**
 * unpack_die - end by a signal, from its handler
 * @sig: the signal
 */
void unpack_die(int sig)
{
	clean_up();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* What is ignored stays so, as under nohup; who has a handler calls unpack_die(). */
static void clean_up_on(int sig)
{
	struct sigaction old;

	if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_DFL)
		signal(sig, unpack_die);
}

/**
 * unpack_stdin - make a directory of the standard input
 * @look: called now and then, and when a signal comes, with the bytes that were read;
 *	true: that is enough. May be NULL
 * @cut: as for unpack(), or there was enough
 *
 * The directory is removed when the program ends, also by a signal.
 *
 * Return: its path, NULL after a message.
 */
const char *unpack_stdin(bool (*look)(uint64_t bytes), bool *cut)
{
	struct unpacker *u = &from_stdin;

	if (path) {
		warnx("%s: there is but one", STDIN_NAME);
		return NULL;
	}
	path = tempdir_create();
	if (path)
		u->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (u->dir < 0) {
		warn("no directory for a while; $TMPDIR names a place");
		return NULL;
	}
	atexit(clean_up);
	clean_up_on(SIGHUP);
	clean_up_on(SIGINT);
	clean_up_on(SIGPIPE);
	clean_up_on(SIGQUIT);
	clean_up_on(SIGTERM);
	clean_up_on(SIGXCPU);
	clean_up_on(SIGXFSZ);
	u->in = stdin;
	u->look = look;
	if (take_apart(u))
		return NULL;
	*cut = u->cut;
	return path;
}
