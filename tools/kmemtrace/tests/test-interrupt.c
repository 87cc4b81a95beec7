// SPDX-License-Identifier: GPL-2.0
/*
 * If @watch interrupts the opening of a trace, it ends with -EINTR, at each call. A write that a
 * signal interrupts goes on.
 */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/compress.h"
#include "read/own.h"
#include "read/spool.h"
#include "read/streams.h"
#include "read/symbols.h"
#include "test-files.h"

#define NR_LINES	5000
#define NR_RECORDS	70000

/* The call of @watch that returns true, and the number of calls. */
static unsigned int end_at, asked;

static bool is_interrupted(void *arg)
{
	(void)arg;
	return ++asked == end_at;
}

/* Append a packet with many lines. */
static void add_lines(FILE *f, const char *name, const char *before, const char *after)
{
	char *text = NULL;
	size_t size, i;
	FILE *lines = open_memstream(&text, &size);

	assert_non_null(lines);
	for (i = 0; i < NR_LINES; i++)
		fprintf(lines, "%s%zx%s\n", before, 0x1000 + 16 * i, after);
	assert_int_equal(fclose(lines), 0);
	fprintf(f, "%s %zu\n", name, size);
	fwrite(text, 1, size, f);
	free(text);
}

/* A stream of the CPU that boots, which has no end: a clock, a phase, allocations. */
static unsigned char *make_stream(size_t *size)
{
	struct kmemtrace_event *events = calloc(NR_RECORDS, sizeof(*events));
	size_t i;

	assert_non_null(events);
	for (i = 0; i < NR_RECORDS; i++)
		events[i] = (struct kmemtrace_event) {
			.event_id = i > 1 ? KMEMTRACE_EVENT_ALLOC :
				    i ? KMEMTRACE_EVENT_PHASE : KMEMTRACE_EVENT_CLOCK,
			.type_id = i > 1 ? KMEMTRACE_TYPE_PAGES : KMEMTRACE_PHASE_ARMED,
			.event_size = sizeof(*events),
			.ptr = 4096 * i,
			.bytes_req = 4096,
			.bytes_alloc = 4096,
			.timestamp = 1000 + i,
		};
	((struct kmemtrace_clock *)events)->clock = KMEMTRACE_CLOCK_LOCAL;
	*size = NR_RECORDS * sizeof(*events);
	return (unsigned char *)events;
}

static void add_packet(FILE *f, const char *name, const void *data, size_t size)
{
	fprintf(f, "%s %zu\n", name, size);
	fwrite(data, 1, size, f);
}

/* A plain stream, and a compressed one without a table. */
static void add_streams(FILE *f)
{
	struct compressor *c;
	const void *frame;
	size_t size;
	unsigned char *stream = make_stream(&size);
	ssize_t len;

	add_packet(f, "cpu0.out", stream, size);
	c = compressor_new(size);
	assert_non_null(c);
	len = compressor_frame(c, stream, size, &frame);
	assert_true(len > 0);
	add_packet(f, "cpu1.out.zst", frame, len);
	compressor_free(c);
	free(stream);
}

static char *make_trace(size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	assert_non_null(f);
	fputs("kmemtrace-stream 1\n", f);
	add_lines(f, "metadata", "key: ", "");
	add_lines(f, "kallsyms", "", " t symbol");
	add_lines(f, "modules", "module ", " 16");
	add_streams(f);
	fputs("end\n", f);
	assert_int_equal(fclose(f), 0);
	return text;
}

static int read_all(struct context *ctx, struct files *files)
{
	struct symbols symbols = { .nr = 0 };
	struct timemaps maps = { 0 };
	struct streams s = { .nr = 0 };
	struct own own = { .nr = 0 };
	struct tracedir dir;
	int ret = tracedir_open(&dir, ctx, files);

	if (!ret)
		ret = symbols_load(&symbols, ctx, files);
	if (!ret)
		ret = streams_open(&s, &dir);
	if (!ret)
		ret = streams_find_times(&s, &dir, &maps);
	if (!ret)
		ret = own_find(&own, &s, 4096);
	own_free(&own);
	streams_close(&s);
	timemaps_close(&maps);
	symbols_free(&symbols);
	tracedir_close(&dir);
	return ret;
}

/* Open a trace, and return the result. */
static int open_trace(char *text, size_t size)
{
	struct context ctx = { .interrupt = is_interrupted };
	FILE *in = fmemopen(text, size, "r");
	struct files *files;
	int ret;

	assert_non_null(in);
	asked = 0;
	ret = files_open_stream(&files, &ctx, in, "in", NULL);
	if (!ret)
		ret = read_all(&ctx, files);
	files_put(files);
	fclose(in);
	assert_int_equal(ret, context_error(&ctx));
	return ret;
}

static void test_interrupt(void **state)
{
	size_t size;
	char *text = make_trace(&size);

	(void)state;
	end_at = 0;
	assert_int_equal(open_trace(text, size), 0);
	/* Each stage calls @watch. */
	assert_true(asked > 30);
	for (end_at = asked; end_at; end_at -= end_at > 64 ? end_at / 16 : 1)
		assert_int_equal(open_trace(text, size), -EINTR);
	free(text);
}

/* ---- signals ---- */

#define WRITTEN		300000

/* What was read of a pipe, and the signals so far. */
static unsigned char received[WRITTEN];
static size_t nr_received;
static int pipe_fds[2];
static unsigned int nr_signals;

/* Empty the pipe at each third signal, so that others interrupt a write that wrote nothing. */
static void handle_signal(int nr)
{
	ssize_t n;

	(void)nr;
	if (++nr_signals % 3)
		return;
	n = read(pipe_fds[0], received + nr_received, WRITTEN - nr_received);
	nr_received += n > 0 ? n : 0;
}

static void test_signals(void **state)
{
	const struct itimerval often = { { .tv_usec = 2000 }, { .tv_usec = 2000 } }, never = { 0 };
	const struct sigaction action = { .sa_handler = handle_signal };
	unsigned char *data = malloc(WRITTEN);
	size_t i;
	ssize_t n = 1;

	(void)state;
	assert_non_null(data);
	for (i = 0; i < WRITTEN; i++)
		data[i] = i * 7 + i / 256;
	assert_int_equal(pipe(pipe_fds), 0);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_int_equal(file_write_all(pipe_fds[1], data, WRITTEN), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	close(pipe_fds[1]);
	for (; n > 0; nr_received += n) {
		n = read(pipe_fds[0], received + nr_received, WRITTEN - nr_received);
		assert_true(n >= 0);
	}
	close(pipe_fds[0]);
	assert_int_equal(nr_received, WRITTEN);
	assert_memory_equal(received, data, WRITTEN);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
