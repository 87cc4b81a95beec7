// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - get symbols out of libtraceevent, and into it
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event-parse.h>

#include "common/file.h"
#include "common/memory.h"
#include "import/bounded.h"
#include "import/item.h"
#include "import/symbols.h"

/* Print the symbols as the library does, into a file: it has no other way to list them. */
static FILE *print_symbols(struct tep_handle *tep)
{
	int out = dup(STDOUT_FILENO), fd = bounded_tempfile();

	if (fd < 0 || out < 0 || fflush(stdout) || dup2(fd, STDOUT_FILENO) < 0)
		return NULL;
	tep_print_funcs(tep);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	lseek(fd, 0, SEEK_SET);
	return fdopen(fd, "r");
}

/**
 * symbols_list - write the symbols of a file as items
 * @tep: has them: lines "ADDRESS NAME [MODULE]"
 * @to: where items go
 *
 * Return: 0; or -errno after an ITEM_ERROR.
 */
int symbols_list(struct tep_handle *tep, FILE *to)
{
	char *line = NULL, *name;
	size_t size = 0;
	FILE *from;
	int nr;

	if (!tep_get_function_count(tep))
		return 0;
	from = print_symbols(tep);
	if (!from) {
		nr = errno;
		item_text(to, ITEM_ERROR, "no temporary file in $TMPDIR or /var/tmp for its symbols: %s",
			  strerror(nr));
		return -nr;
	}
	while (getline(&line, &size, from) > 0) {
		name = strchr(line, ' ');
		if (name)
			item_text(to, ITEM_SYMBOL, "%.*s t%s", (int)(name - line), line, name);
	}
	free(line);
	fclose(from);
	return 0;
}

/**
 * symbols_parse - give the library symbols
 * @tep: gets them
 * @from: a copy of /proc/kallsyms; it is ignored where it can't be read
 */
void symbols_parse(struct tep_handle *tep, int from)
{
	struct stat st;
	ssize_t len;
	char *text;

	if (fstat(from, &st) || st.st_size <= 0)
		return;
	text = must_calloc(1, st.st_size + 1);
	len = file_read_at(from, text, st.st_size, 0);
	if (len > 0)
		tep_parse_kallsyms(tep, text);
	free(text);
}
