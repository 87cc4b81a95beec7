// SPDX-License-Identifier: GPL-2.0
/*
 * trace-copy.c - copy a trace: its streams as they are wanted, its metadata with their sizes
 */
#include "config.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace-copy.h"

static FILE *open_file(const char *dir, const char *name, const char *mode)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, mode);
	if (!f)
		err(EXIT_FAILURE, "%s", path);
	return f;
}

static void close_file(FILE *f)
{
	if (ferror(f) || fclose(f))
		err(EXIT_FAILURE, "fclose");
}

/* Copy @nr bytes, or all that are left. */
void trace_copy_bytes(FILE *in, FILE *out, uint64_t nr)
{
	char buf[65536];
	size_t len;

	for (; nr; nr -= len) {
		len = fread(buf, 1, nr < sizeof(buf) ? nr : sizeof(buf), in);
		if (!len)
			break;
		fwrite(buf, 1, len, out);
	}
}

/* Return the bytes of a stream of the copy. */
static uint64_t stream_size(const struct trace_copy *c, unsigned int cpu)
{
	char path[4096];
	struct stat st;

	snprintf(path, sizeof(path), "%s/cpu%u.out", c->to, cpu);
	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* Copy the metadata, but for the bytes of the streams. */
static void copy_metadata(const struct trace_copy *c)
{
	FILE *in = open_file(c->from, "metadata", "r"), *out = open_file(c->to, "metadata", "w");
	unsigned int cpu;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, in) > 0) {
		if (sscanf(line, "bytes.cpu%u: ", &cpu) == 1)
			fprintf(out, "bytes.cpu%u: %" PRIu64 "\n", cpu, stream_size(c, cpu));
		else
			fputs(line, out);
	}
	if (c->more)
		fputs(c->more, out);
	free(line);
	close_file(in);
	close_file(out);
}

static void copy_file(const struct trace_copy *c, const char *name)
{
	FILE *in = open_file(c->from, name, "r"), *out = open_file(c->to, name, "w");
	unsigned int cpu;
	int len = 0;

	if (sscanf(name, "cpu%u.out%n", &cpu, &len) == 1 && len && !name[len])
		c->stream(c->arg, cpu, in, out);
	else
		trace_copy_bytes(in, out, UINT64_MAX);
	close_file(in);
	close_file(out);
}

/* Copy all files. The program ends where that fails. */
void trace_copy(const struct trace_copy *c)
{
	DIR *dir = opendir(c->from);
	struct dirent *entry;

	if (mkdir(c->to, 0777) && errno != EEXIST)
		err(EXIT_FAILURE, "%s", c->to);
	if (!dir)
		err(EXIT_FAILURE, "%s", c->from);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "metadata"))
			copy_file(c, entry->d_name);
	closedir(dir);
	copy_metadata(c);
}
