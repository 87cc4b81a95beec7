// SPDX-License-Identifier: GPL-2.0
/*
 * packets.c - the header line of a packet
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "read/packets.h"

/**
 * packet_parse - parse "<name> <length>"
 * @line: the line, without its newline; becomes the name
 * @len: result: the length
 *
 * Return: false if the line is no such header, or if no trace has a file of this name.
 */
bool packet_parse(char *line, uint64_t *len)
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
