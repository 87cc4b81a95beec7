// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - the names that the files of a trace may have
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"

/* Does the name tell that the file is compressed? */
bool name_is_compressed(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strcmp(dot, SUFFIX_COMPRESSED);
}

/**
 * name_is_stream - is this a CPU's stream, and whose?
 * @path: path of the file
 * @cpu: result
 *
 * Return: false when the last component is neither "cpu<n>.out" nor
 * "cpu<n>.out.zst"; with zeros before the number it would be a second name of one CPU.
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

/**
 * name_is_trace_file - may a file of this name be part of a trace?
 * @name: without a directory
 */
bool name_is_trace_file(const char *name)
{
	static const char * const names[] = {
		"metadata", "metadata.new", "kallsyms", "modules", "slabs",
	};
	unsigned int cpu;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strchr(name, '/') && name_is_stream(name, &cpu);
}
