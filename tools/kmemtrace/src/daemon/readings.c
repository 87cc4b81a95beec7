// SPDX-License-Identifier: GPL-2.0
/*
 * readings.c - read the kernel's counters, and save what was read
 *
 * A reading writes the rows that changed. A full one follows whenever those rows have
 * taken as much text as all rows: a reader that starts there finds everything.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "daemon/procfs.h"
#include "daemon/readings.h"

/* Bytes of text in a frame. */
#define FRAME		((size_t)256 * 1024)

/**
 * readings_open - find the tables of counters that the kernel has
 * @readings: result, to be closed with readings_close()
 * @proc: path of the directory /proc
 *
 * A table that is not there is no error; @missing says why.
 *
 * Return: 0; or -errno if the directory can't be opened.
 */
int readings_open(struct readings **readings, const char *proc)
{
	struct readings *r;
	int i, fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	r = calloc(1, sizeof(*r));
	if (!r) {
		close(fd);
		return -ENOMEM;
	}
	r->proc = fd;
	for (i = 0; i < NR_COUNTER_TABLES; i++)
		if (faccessat(r->proc, counter_table_name(i), R_OK, AT_EACCESS))
			r->missing[i] = -errno;
	*readings = r;
	return 0;
}

/* Return how many tables are read. */
size_t readings_nr_tables(const struct readings *r)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_COUNTER_TABLES; i++)
		nr += !r->missing[i];
	return nr;
}

/**
 * readings_create - create the file
 * @r: the readings
 * @place: where it goes; the file is compressed in any case
 *
 * Return: 0 or -errno.
 */
int readings_create(struct readings *r, const struct store_place *place)
{
	r->place = *place;
	r->place.compress = true;
	return store_open_file(&r->store, &r->place, COUNTERS_FILE, FRAME);
}

/* ---- a reading ---- */

/**
 * readings_read - read all tables
 * @r: the readings
 *
 * A table that can't be read is not read again.
 *
 * Return: 0, or the first -errno of a table; @missing has all of them.
 */
int readings_read(struct readings *r)
{
	struct timespec now;
	int i, err = 0;

	r->time = now_ns();
	clock_gettime(CLOCK_REALTIME, &now);
	r->seconds = now.tv_sec;
	changes_begin(&r->rows);
	for (i = 0; i < NR_COUNTER_TABLES; i++) {
		if (r->missing[i])
			continue;
		r->missing[i] = procfs_read(r->proc, i, changes_take, &r->rows);
		err = err ? err : r->missing[i];
	}
	return err;
}

static bool is_full_due(const struct readings *r)
{
	return r->is_full_due || r->delta_bytes >= r->full_bytes ||
	       r->rows.ids > COUNTER_MAX_ROWS;
}

static void write_reading(struct readings *r, bool full, FILE *out)
{
	if (full)
		fprintf(out, COUNTERS_MAGIC "\n");
	fprintf(out, "reading %s %" PRIu64 " %" PRIu64 "\n", full ? "full" : "delta",
		r->time, r->seconds);
	changes_write(&r->rows, full, out);
	fprintf(out, "end\n");
}

/* Append text. Return 0 or -errno. */
static int append_frames(struct readings *r, const char *text, size_t size)
{
	size_t len;
	int err = 0;

	for (; !err && size; text += len, size -= len) {
		len = size < FRAME ? size : FRAME;
		err = store_reserve(r->store);
		if (!err)
			err = store_append(r->store, text, len);
	}
	return err;
}

/* After an error, the file may end within a reading: a full one follows. */
static void note_saved(struct readings *r, bool full, size_t size, int err)
{
	r->is_full_due = err;
	if (err) {
		r->unsaved++;
		return;
	}
	r->saved++;
	r->text_bytes += size;
	if (full)
		r->full_bytes = size;
	r->delta_bytes = full ? 0 : r->delta_bytes + size;
}

/**
 * readings_save - append what readings_read() has read to the file
 * @r: the readings, after readings_create()
 *
 * Return: 0 or -errno; the next call saves all rows then.
 */
int readings_save(struct readings *r)
{
	bool full = is_full_due(r);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err = -ENOMEM;

	if (out) {
		write_reading(r, full, out);
		err = fclose(out) ? -ENOMEM : append_frames(r, text, size);
	}
	free(text);
	note_saved(r, full, size, err);
	return err;
}

/* ---- end ---- */

/**
 * readings_finish - complete the file
 * @r: the readings, after readings_create()
 *
 * A reading that could not be sent ends the stream: a part of a packet can't be revoked.
 *
 * Return: 0 or -errno.
 */
int readings_finish(struct readings *r)
{
	int err = r->unsaved && r->place.sender ? -EPIPE : store_finish(r->store);
	int closed = store_close(r->store);

	r->store = NULL;
	return err ? err : closed;
}

/* Release all; a file that is not finished is removed. */
void readings_close(struct readings *r)
{
	if (r->store)
		store_remove(r->store);
	changes_free(&r->rows);
	close(r->proc);
	free(r);
}
