// SPDX-License-Identifier: GPL-2.0
/*
 * store.c - the file of a stream
 *
 * A sub-buffer is appended as it is, or as a compressed frame. The file is valid after
 * each of them. It may be at the other end of a pipe.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "common/names.h"
#include "daemon/compress.h"
#include "daemon/outdir.h"
#include "daemon/sender.h"
#include "daemon/store.h"

/* No disk has larger blocks. */
#define DIRECT_ALIGN	4096

/**
 * struct store - the file of a stream
 * @place: where the files of all streams are
 * @name: name of the file
 * @fd: the file; -1: the stream is sent
 * @subbuf_size: bytes of a sub-buffer
 * @direct: the file bypasses the page cache
 * @compressor: makes frames; NULL: the stream is stored as it is
 * @size: bytes of the file, up to the last whole sub-buffer
 * @reserved: bytes for which the file has room on the disk
 */
struct store {
	const struct store_place	*place;
	char			name[NAME_MAX_STREAM];
	int			fd;
	size_t			subbuf_size;
	bool			direct;
	struct compressor	*compressor;
	uint64_t		size, reserved;
};

static int create_store_file(struct store *s)
{
	const struct store_place *place = s->place;

	s->fd = -1;
	if (place->sender)
		return 0;
	s->fd = outdir_create(place->dir, s->name);
	return s->fd < 0 ? s->fd : 0;
}

/**
 * store_open_file - create a file of a trace
 * @store: result, to be store_close()d or store_remove()d
 * @place: where it is
 * @name: its name
 * @max: most bytes that are appended at a time
 *
 * Allocates all memory that the file needs.
 *
 * Return: 0 or -errno.
 */
int store_open_file(struct store **store, const struct store_place *place, const char *name,
		    size_t max)
{
	struct store *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->place = place;
	s->subbuf_size = max;
	if (place->compress) {
		s->compressor = compressor_new(max);
		if (!s->compressor)
			goto free_store;
	}
	snprintf(s->name, sizeof(s->name), "%s", name);
	err = create_store_file(s);
	if (!err) {
		*store = s;
		return 0;
	}
	compressor_free(s->compressor);
free_store:
	free(s);
	return err;
}

/**
 * store_open - create the file of a stream
 * @store: as for store_open_file()
 * @place: where it is
 * @cpu: number of the CPU
 * @subbuf_size: bytes of a sub-buffer
 *
 * Return: 0 or -errno.
 */
int store_open(struct store **store, const struct store_place *place, int cpu,
	       size_t subbuf_size)
{
	char name[NAME_MAX_STREAM];

	name_stream(name, cpu, place->compress);
	return store_open_file(store, place, name, subbuf_size);
}

/* Return the name of the file, without its directory. */
const char *store_name(const struct store *s)
{
	return s->name;
}

/* Return the bytes of the file. */
uint64_t store_size(const struct store *s)
{
	return s->size;
}

static int reserve(struct store *s, size_t room)
{
	if (fallocate(s->fd, FALLOC_FL_KEEP_SIZE, s->size, room))
		return -errno;
	s->reserved = s->size + room;
	return 0;
}

/**
 * store_reserve - reserve room for the next sub-buffer
 * @s: the file
 *
 * The room includes the table of a compressed file. To find room, the file system allocates
 * memory, which is in the trace: two sub-buffers at a time need half the calls. On a file
 * system that can't reserve, the write will fail.
 *
 * Return: 0, or -ENOSPC or -EDQUOT.
 */
int store_reserve(struct store *s)
{
	size_t room = s->compressor ? compressor_room(s->compressor) :
				      s->subbuf_size;
	int err;

	if (s->fd < 0 || s->size + room <= s->reserved || !reserve(s, 2 * room))
		return 0;
	err = reserve(s, room);
	return err == -ENOSPC || err == -EDQUOT ? err : 0;
}

/* The page cache would allocate memory, which is in the trace, and is not needed. */
static void set_direct(struct store *s, bool direct)
{
	int flags = fcntl(s->fd, F_GETFL);

	if (s->direct == direct || flags < 0)
		return;
	flags = direct ? flags | O_DIRECT : flags & ~O_DIRECT;
	if (!fcntl(s->fd, F_SETFL, flags))
		s->direct = direct;
}

/**
 * store_bypass_cache - write to the disk without the page cache
 * @s: the file
 *
 * For data that begins at a page and consists of whole pages. After other data, or where
 * the file system has no direct writes, the page cache is used.
 */
void store_bypass_cache(struct store *s)
{
	if (s->fd >= 0 && !s->compressor)
		set_direct(s, true);
}

/* Truncate the file to its valid part, which also releases the room behind it. */
static int cut_to_valid(struct store *s)
{
	if (s->fd < 0)
		return 0;
	s->reserved = s->size;
	return ftruncate(s->fd, s->size) ||
	       lseek(s->fd, s->size, SEEK_SET) < 0 ? -errno : 0;
}

/*
 * EINVAL: the file system can't write directly. EFAULT: it can't from this mapping, whose
 * pages may have no struct page.
 */
static bool is_indirect(int err)
{
	return err == -EINVAL || err == -EFAULT;
}

static int write_to_disk(struct store *s, const void *data, size_t len)
{
	int err;

	if (((uintptr_t)data | len | s->size) % DIRECT_ALIGN)
		set_direct(s, false);
	err = file_write_all(s->fd, data, len);
	if (!s->direct || !is_indirect(err))
		return err;
	set_direct(s, false);
	err = cut_to_valid(s);
	return err ? err : file_write_all(s->fd, data, len);
}

/* Append all of the data, or nothing. */
static int append_or_cut(struct store *s, const void *data, size_t len)
{
	const struct store_place *place = s->place;
	int err;

	if (place->sender)
		err = sender_send(place->sender, s->name, data, len);
	else
		err = write_to_disk(s, data, len);

	if (err)
		cut_to_valid(s);
	else
		s->size += len;
	return err;
}

static int append_frame(struct store *s, const void *data, size_t len)
{
	const void *frame;
	ssize_t stored = compressor_frame(s->compressor, data, len, &frame);
	int err = stored < 0 ? stored : append_or_cut(s, frame, stored);

	if (!err)
		compressor_keep(s->compressor);
	return err;
}

/**
 * store_append - append a sub-buffer, or the flushed part of one
 * @s: the file
 * @data: the data
 * @len: its bytes
 *
 * Return: 0 or -errno; after an error the file ends with what was appended before.
 */
int store_append(struct store *s, const void *data, size_t len)
{
	if (!len)
		return 0;
	return s->compressor ? append_frame(s, data, len) : append_or_cut(s, data, len);
}

/**
 * store_finish - complete the file after the last sub-buffer
 * @s: the file
 *
 * Return: 0 or -errno.
 */
int store_finish(struct store *s)
{
	const void *table = NULL;
	size_t len = 0;
	int err;

	if (s->compressor)
		len = compressor_table(s->compressor, &table);
	/* A stream that is sent may have nothing else. */
	err = append_or_cut(s, table, len);
	return err ? err : cut_to_valid(s);
}

/**
 * store_close - wait until the file is on disk, close it
 * @s: the file
 *
 * Return: 0 or -errno.
 */
int store_close(struct store *s)
{
	int err = 0;

	if (s->fd >= 0) {
		err = fsync(s->fd) ? -errno : 0;
		if (close(s->fd) && !err)
			err = -errno;
	}
	compressor_free(s->compressor);
	free(s);
	return err;
}

/* Close the file and remove it. */
void store_remove(struct store *s)
{
	if (s->fd >= 0)
		unlinkat(s->place->dir, s->name, 0);
	store_close(s);
}
