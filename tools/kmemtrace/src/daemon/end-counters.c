// SPDX-License-Identifier: GPL-2.0
/*
 * end-counters.c - the kernel's counters at both ends of a trace
 *
 * /proc/meminfo has where the memory is, most of which no event allocates. A recorder may be
 * unable to list what is live when tracing begins: the other tables have the sums of that, by call
 * site and by slab cache. The trace does not depend on them: a table that the kernel does not have
 * is no error.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/file.h"
#include "common/unseen.h"
#include "daemon/control.h"
#include "daemon/end-counters.h"
#include "daemon/msg.h"
#include "daemon/readings.h"

/* From the begin to the end of a trace; NULL: it has no counters. */
static struct readings *readings;

/* Return whether a list has a word that begins with "baseline": some objects are enough. */
static bool is_baseline_unseen(const char *list)
{
	const char *prefix = unseen_word(UNSEEN_BASELINE), *word;
	size_t len;

	while ((word = unseen_next(&list, &len)))
		if (len >= strlen(prefix) && !memcmp(word, prefix, strlen(prefix)))
			return true;
	return false;
}

/* Return whether the recorder can't list all that is live, by its lines of the metadata. */
static bool lacks_baseline(const struct control *ctl)
{
	static const char key[] = "unseen:";
	char text[4096], *line, *rest = text;

	if (file_read_text(ctl->dir, "source", text, sizeof(text)) < 0)
		return false;
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, key, strlen(key)))
			return is_baseline_unseen(line + strlen(key));
	return false;
}

/* Read no other table. */
static void read_only(enum counter_table table)
{
	int i;

	for (i = 0; i < NR_COUNTER_TABLES; i++)
		if (i != (int)table)
			readings->missing[i] = -ENOENT;
}

static void close_readings(void)
{
	readings_close(readings);
	readings = NULL;
}

static int save_first(int dir)
{
	const struct store_place place = { .dir = dir };
	int err = readings_create(readings, &place);

	return err ? err : readings_save(readings);
}

/**
 * end_counters_begin - save the counters at the begin of a trace
 * @ctl: the kernel's interface, while tracing is on
 * @dir: the trace directory
 * @proc: path of the directory /proc
 *
 * Where the recorder lists what is live, /proc/meminfo is enough. Where the kernel has no counters,
 * no file is created.
 *
 * Return: 0, or -errno after a message; the trace has no counters then.
 */
int end_counters_begin(const struct control *ctl, int dir, const char *proc)
{
	int err;

	if (readings_open(&readings, proc))
		return 0;
	if (!lacks_baseline(ctl))
		read_only(COUNTER_MEMINFO);
	readings_read(readings);
	err = readings_nr_tables(readings) ? save_first(dir) : 0;
	if (err)
		say(COUNTERS_FILE ": %s; the trace has no counters of the kernel",
		    strerror(-err));
	if (!readings->saved)
		close_readings();
	return err;
}

/**
 * end_counters_end - save the counters at the end of a trace
 *
 * Without a table that the first reading had, its rows would seem to be gone: then there is
 * no second one.
 *
 * Return: 0, also if the trace has no counters; or -errno after a message.
 */
int end_counters_end(void)
{
	int err;

	if (!readings)
		return 0;
	err = readings_read(readings);
	if (!err)
		err = readings_save(readings);
	if (err)
		say(COUNTERS_FILE ": %s; the counters of the end are missing",
		    strerror(-err));
	return err;
}

/**
 * end_counters_finish - complete the file of counters
 *
 * Return: 0, also if there is none; or -errno after a message.
 */
int end_counters_finish(void)
{
	int err;

	if (!readings)
		return 0;
	err = readings_finish(readings);
	if (err)
		say(COUNTERS_FILE ": %s", strerror(-err));
	close_readings();
	return err;
}
