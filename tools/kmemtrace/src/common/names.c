// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - the names that the files of a trace may have
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/booksfile.h"
#include "common/counters.h"
#include "common/names.h"

/* Write the name of a CPU's stream. */
void name_stream(char name[NAME_MAX_STREAM], unsigned int cpu, bool is_compressed)
{
	snprintf(name, NAME_MAX_STREAM, "cpu%u.out%s", cpu,
		 is_compressed ? SUFFIX_COMPRESSED : "");
}

/* Write the name that a CPU's stream has by the metadata, whose compression may be NULL. */
void name_saved_stream(char name[NAME_MAX_STREAM], unsigned int cpu, const char *compression)
{
	name_stream(name, cpu, compression && strcmp(compression, "none"));
}

/* Return whether a file of this name is compressed. */
bool name_is_compressed(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strcmp(dot, SUFFIX_COMPRESSED);
}

/* Return whether the last component of a path is the name of the books. */
bool name_is_books(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, BOOKS_FILE);
}

/**
 * name_is_stream - see whether a file has the name of a CPU's stream
 * @path: path of the file
 * @cpu: result: the number of the CPU
 *
 * Leading zeros are refused: a CPU would have two names.
 *
 * Return: true if the last component is "cpu<n>.out" or "cpu<n>.out.zst".
 */
bool name_is_stream(const char *path, unsigned int *cpu)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char digits[8];
	int len = 0;

	if (sscanf(name, "cpu%7[0-9].out%n", digits, &len) != 1 ||
	    !len || (name[len] && strcmp(name + len, SUFFIX_COMPRESSED)))
		return false;
	if ((digits[0] == '0' && digits[1]) || atoi(digits) > MAX_CPU)
		return false;
	*cpu = atoi(digits);
	return true;
}

/* Return whether it is the name of books that are not whole, see newfile.c. */
static bool are_new_books(const char *name)
{
	int end = 0;

	return sscanf(name, BOOKS_FILE ".%*u.new%n", &end) == 0 && end && !name[end];
}

/**
 * name_is_trace_file - see whether a trace may have a file of this name
 * @name: the name, without a directory
 *
 * Return: whether it may.
 */
bool name_is_trace_file(const char *name)
{
	static const char * const names[] = {
		"metadata", "metadata.new", "kallsyms", "modules", "slabs", "tasks",
		"info", "info.new", "overflow", "overflow.new", BOOKS_FILE, COUNTERS_FILE,
	};
	unsigned int cpu;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strchr(name, '/') && (name_is_stream(name, &cpu) || are_new_books(name));
}
