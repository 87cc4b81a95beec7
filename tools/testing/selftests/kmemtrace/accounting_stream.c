// SPDX-License-Identifier: GPL-2.0
/*
 * Read the streams of a trace of this machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../kselftest.h"
#include "accounting_stream.h"

static bool is_event(const struct kmemtrace_event *event)
{
	return event->event_id == KMEMTRACE_EVENT_ALLOC ||
	       event->event_id == KMEMTRACE_EVENT_FREE ||
	       event->event_id == KMEMTRACE_EVENT_FAILED;
}

/* Return the record at stream->at, or NULL at the end. A PAD has 8 bytes at least. */
static const struct kmemtrace_event *record_at(const struct stream *stream)
{
	const void *at = stream->data + stream->at;
	const struct kmemtrace_event *event = at;
	size_t rest = stream->size - stream->at;

	if (!rest)
		return NULL;
	if (rest < sizeof(struct kmemtrace_pad) || event->event_size % 8 ||
	    event->event_size < sizeof(struct kmemtrace_pad) ||
	    event->event_size > rest ||
	    (event->event_id != KMEMTRACE_EVENT_PAD &&
	     event->event_size < sizeof(*event)))
		ksft_exit_fail_msg("cpu%u: no record at %zu\n", stream->cpu,
				   stream->at);
	return event;
}

/* Stop at the next record that is not a PAD. */
static void look_ahead(struct stream *stream)
{
	const struct kmemtrace_event *event;

	while ((event = record_at(stream)) &&
	       event->event_id == KMEMTRACE_EVENT_PAD)
		stream->at += event->event_size;
	if (event)
		stream->ahead = event->timestamp;
}

static void open_stream(struct stream *stream, const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	stream->cpu = strtoul(strstr(path, "/cpu") + 4, NULL, 10);
	stream->size = st.st_size;
	if (!stream->size)
		return;
	stream->data = mmap(NULL, stream->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (stream->data == MAP_FAILED)
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	close(fd);
	look_ahead(stream);
}

void open_streams(struct streams *streams, const char *dir)
{
	char pattern[4096];
	glob_t files;

	memset(streams, 0, sizeof(*streams));
	snprintf(pattern, sizeof(pattern), "%s/cpu*.out", dir);
	if (glob(pattern, 0, NULL, &files) || files.gl_pathc > MAX_CPUS)
		ksft_exit_fail_msg("%s: no streams, or too many\n", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++)
		open_stream(&streams->cpus[i], files.gl_pathv[i]);
	streams->nr = files.gl_pathc;
	globfree(&files);
}

static struct stream *earliest(struct streams *streams)
{
	struct stream *found = NULL;

	for (unsigned int i = 0; i < streams->nr; i++) {
		struct stream *stream = &streams->cpus[i];

		if (stream->at < stream->size &&
		    (!found || stream->ahead < found->ahead))
			found = stream;
	}
	return found;
}

static void count_record(struct stream *stream, const struct kmemtrace_event *event)
{
	const void *record = event;
	const struct kmemtrace_lost *lost = record;

	if (event->event_id == KMEMTRACE_EVENT_CLOCK)
		memcpy(&stream->clock, record, sizeof(stream->clock));
	else if (event->event_id == KMEMTRACE_EVENT_LOST)
		stream->lost += lost->records;
	else if (is_event(event))
		stream->events++;
}

const struct kmemtrace_event *next_record(struct streams *streams)
{
	struct stream *stream = earliest(streams);
	const struct kmemtrace_event *event;

	streams->last = stream;
	if (!stream)
		return NULL;
	event = record_at(stream);
	count_record(stream, event);
	stream->at += event->event_size;
	look_ahead(stream);
	return event;
}

uint64_t monotonic_time(const struct streams *streams,
			const struct kmemtrace_event *event)
{
	const struct kmemtrace_clock *clock = &streams->last->clock;
	int64_t since = event->timestamp - clock->timestamp;

	/* Early in the boot the frequency is inexact, but no file is copied then. */
	if (clock->clock == KMEMTRACE_CLOCK_CYCLES && clock->frequency)
		since = since * 1e9 / clock->frequency;
	return clock->monotonic + since;
}
