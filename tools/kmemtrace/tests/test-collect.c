// SPDX-License-Identifier: GPL-2.0
/*
 * The collector: the files that it saves, and their metadata. Pipes stand for the files
 * of the kernel.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common/file.h"
#include "daemon/collect.h"
#include "daemon/kmemtrace.h"
#include "daemon/metadata.h"
#include "daemon/outdir.h"
#include "daemon/sender.h"
#include "daemon/slabs.h"
#include "daemon/store.h"
#include "daemon/symsave.h"
#include "linux/kmemtrace.h"
#include "linux/marker_channel.h"
#include "read/input.h"
#include "read/spool.h"
#include "save-files.h"
#include "test-files.h"

#define MAX_CPUS	256
#define SUBBUF_SIZE	5600

/* CPUs that the kernel shows. */
static int nr_cpus = 2;
static int pipes[MAX_CPUS];

int control_cpus(const struct control *ctl, int **cpus)
{
	int i;

	(void)ctl;
	*cpus = calloc(nr_cpus, sizeof(**cpus));
	assert_non_null(*cpus);
	for (i = 0; i < nr_cpus; i++)
		(*cpus)[i] = i;
	return nr_cpus;
}

int control_open_cpu(const struct control *ctl, int cpu)
{
	(void)ctl;
	return pipes[cpu];
}

/*
 * The buffer of CPU 0 that can be mapped: a file of @map_subbufs sub-buffers, and how many
 * of them were consumed. No sub-buffers: lockdown.
 */
static int map_fd, map_subbufs;
static uint64_t map_consumed;

int control_open_map(const struct control *ctl, int cpu)
{
	(void)ctl;
	return !cpu && map_subbufs ? map_fd : -EPERM;
}

static int next_subbuf(struct marker_channel_subbuf *subbuf)
{
	if (map_consumed == (uint64_t)map_subbufs) {
		errno = EAGAIN;
		return -1;
	}
	*subbuf = (struct marker_channel_subbuf) {
		.generation = 1,
		.sequence = map_consumed,
		.offset = map_consumed * SUBBUF_SIZE,
		.bytes = SUBBUF_SIZE,
	};
	return 0;
}

/* After the last sub-buffer, poll() returns no more data. */
static int consume_subbuf(const struct marker_channel_subbuf *subbuf)
{
	char byte;

	assert_int_equal(subbuf->generation, 1);
	assert_int_equal(subbuf->sequence, map_consumed);
	if (++map_consumed == (uint64_t)map_subbufs)
		assert_int_equal(read(pipes[0], &byte, 1), 1);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	assert_int_equal(fd, map_fd);
	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == MARKER_CHANNEL_NEXT)
		return next_subbuf(arg);
	assert_int_equal(request, MARKER_CHANNEL_CONSUME);
	return consume_subbuf(arg);
}

void control_clock(const struct control *ctl, char *text, size_t size)
{
	(void)ctl;
	snprintf(text, size, "sundial");
}

unsigned long control_max_subbufs(const struct control *ctl)
{
	(void)ctl;
	return 123;
}

/* No test asks the kernel for anything. */
int control_write(const struct control *ctl, const char *name, const char *text)
{
	(void)ctl;
	(void)name;
	(void)text;
	fail();
	return -ENOENT;
}

int control_resize(struct control *ctl, unsigned long n_subbufs)
{
	(void)ctl;
	(void)n_subbufs;
	fail();
	return -ENOENT;
}

/* Number of calls that will fail, as on a broken disk. */
static int sync_failures;

int fsync(int fd)
{
	if (!sync_failures)
		return syscall(SYS_fsync, fd);
	sync_failures--;
	errno = EIO;
	return -1;
}

/* A disk with room for so many bytes of a file, of which the file has so many. */
#define ANY_ROOM	((off_t)1 << 62)
static off_t disk_room = ANY_ROOM;
static _Atomic off_t reserved;
static atomic_uint times_asked;

int fallocate(int fd, int mode, off_t offset, off_t len)
{
	(void)fd;
	assert_int_equal(mode, FALLOC_FL_KEEP_SIZE);
	times_asked++;
	if (offset + len > disk_room) {
		errno = ENOSPC;
		return -1;
	}
	reserved = offset + len;
	return 0;
}

/* Random bytes, which can't be compressed. */
static char data[4 * SUBBUF_SIZE];

static int fill_data(void **state)
{
	(void)state;
	return getrandom(data, sizeof(data), 0) != sizeof(data);
}

/* Make a pipe with data, whose writer has closed it. */
static int stream_of(size_t bytes)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], data, bytes), bytes);
	close(fds[1]);
	return fds[0];
}

/* No signal comes. */
static const struct signals no_signals = { .all = -1, .interrupts = -1, .taken = -1 };

struct saved {
	char dir[64];
	int fd;
	struct stream_result streams[MAX_CPUS];
	struct tally reported[2];
	struct overrun overruns[2];
	struct run_facts run;
	struct store_place place;
	int refused;
};

static void keep_result(const struct stream_result *r, void *arg)
{
	struct saved *s = arg;

	s->streams[r->cpu] = *r;
	s->run.n_streams++;
}

/* Let the collector save two streams of these sizes. */
static void run_collector(struct saved *s, const struct control *ctl, size_t cpu0,
			  size_t cpu1)
{
	struct cpu_readers c;
	struct pollfd p;
	eventfd_t n;

	pipes[0] = stream_of(cpu0);
	pipes[1] = stream_of(cpu1);
	assert_int_equal(collect_init(&c, ctl, &s->place, 1), 0);
	assert_int_equal(collect_start(&c), 0);
	s->refused = c.refused;
	p = (struct pollfd) { .fd = c.done, .events = POLLIN };
	while (collect_count(&c, READER_RUNS)) {
		assert_int_equal(poll(&p, 1, 10000), 1);
		eventfd_read(c.done, &n);
	}
	s->reported[0] = collect_reported(&c, 0);
	s->reported[1] = collect_reported(&c, 1);
	collect_finish(&c, keep_result, s);
}

static void make_place(struct saved *s, bool compress)
{
	*s = (struct saved) {
		.dir = "/tmp/kmemtrace-test-XXXXXX",
		.overruns = {
			{ .cpu = 0 },
			{ .cpu = 1, .all = { 184, 3 } },
		},
	};
	s->run.streams = s->streams;
	s->run.overruns = s->overruns;
	s->run.n_overruns = 2;
	s->run.end_ns = 1;
	assert_non_null(mkdtemp(s->dir));
	s->fd = open(s->dir, O_RDONLY | O_DIRECTORY);
	assert_true(s->fd >= 0);
	s->place = (struct store_place) { .dir = s->fd, .compress = compress };
	s->run.compressed = compress;
}

static const struct control control = {
	.recorder = &kmemtrace, .subbuf_size = SUBBUF_SIZE, .n_subbufs = 4,
};

/* Save two streams of these sizes; no file may be larger than @limit. */
static void save_as(struct saved *s, bool compress, size_t cpu0, size_t cpu1,
		    rlim_t limit)
{
	struct rlimit before, rlimit;

	make_place(s, compress);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	rlimit = before;
	rlimit.rlim_cur = limit;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &rlimit), 0);
	run_collector(s, &control, cpu0, cpu1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);

	s->run.state = run_state(&s->run, true);
	assert_int_equal(metadata_write(s->fd, &control, &s->run), 0);
}

static void save(struct saved *s, size_t cpu0, size_t cpu1, rlim_t limit)
{
	save_as(s, false, cpu0, cpu1, limit);
}

static void clean_up(struct saved *s)
{
	assert_int_equal(outdir_clear(s->fd), 0);
	close(s->fd);
	assert_int_equal(rmdir(s->dir), 0);
}

static void assert_size(const struct saved *s, const char *name, off_t size)
{
	int fd = openat(s->fd, name, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), size);
	close(fd);
}

/* Assert that a file of the trace has this line. */
static void assert_line_in(const struct saved *s, const char *name,
			   const char *line)
{
	int fd = openat(s->fd, name, O_RDONLY);
	static char text[65536];
	ssize_t len;

	assert_true(fd >= 0);
	len = read(fd, text + 1, sizeof(text) - 2);
	close(fd);
	assert_true(len > 0);
	/* Each line has a newline on both sides. */
	text[0] = '\n';
	text[len + 1] = '\0';
	if (!strstr(text, line))
		fail_msg("no '%s' in: %s", line + 1, text);
}

static void assert_line(const struct saved *s, const char *line)
{
	assert_line_in(s, "metadata", line);
}

/* Assert that the stream of CPU 0 is exactly the first @len bytes of the data. */
static void assert_stream(const struct saved *s, size_t len)
{
	static char out[sizeof(data) + 1];
	struct input in;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", s->dir, s->streams[0].name);
	assert_int_equal(input_open(&in, &test_ctx, test_files(), path, NULL), 0);
	assert_int_equal(in.size, len);
	assert_int_equal(input_read(&in, out, sizeof(out), 0), len);
	assert_int_equal(in.fault, INPUT_OK);
	assert_memory_equal(out, data, len);
	input_close(&in);
	assert_size(s, s->streams[0].name, s->streams[0].stored);
}

/* Assert that a line has the key, and the value of this machine. */
static void assert_machine(const struct saved *s)
{
	char host[256], line[512], boot_id[64];

	assert_int_equal(gethostname(host, sizeof(host)), 0);
	snprintf(line, sizeof(line), "\nhost: %s\n", host);
	assert_line(s, line);
	assert_int_equal(file_read_line(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot_id,
					sizeof(boot_id)), 0);
	snprintf(line, sizeof(line), "\nboot_id: %s\n", boot_id);
	assert_line(s, line);
}

static void test_saved(void **state)
{
	struct saved s;

	(void)state;
	save(&s, 3 * SUBBUF_SIZE + 56, 0, RLIM_INFINITY);
	assert_size(&s, "cpu0.out", 3 * SUBBUF_SIZE + 56);
	assert_size(&s, "cpu1.out", 0);
	assert_line(&s, "\nbytes.cpu0: 16856\n");
	assert_line(&s, "\ndropped.cpu0: 0\n");
	assert_line(&s, "\nbytes.cpu1: 0\n");
	assert_line(&s, "\noverruns.cpu0: 0\n");
	assert_line(&s, "\nlost.cpu0: 0\n");
	assert_line(&s, "\noverruns.cpu1: 184\n");
	assert_line(&s, "\nlost.cpu1: 3\n");
	assert_line(&s, "\ntotal_overruns: 184\n");
	assert_line(&s, "\nmax_subbufs: 123\n");
	assert_line(&s, "\nrecorder: kmemtrace\n");
	assert_line(&s, "\nclock: sundial\n");
	assert_machine(&s);
	assert_line(&s, "\nstate: complete\n");
	assert_string_equal(run_state(&s.run, false), "interrupted");
	clean_up(&s);
}

/* Write the beginning of a sub-buffer, which reports a loss unless @records is 0. */
static void begin_subbuf(int subbuf, uint64_t bytes, uint64_t records)
{
	const struct kmemtrace_clock clock = {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.event_size = sizeof(clock),
	};
	const struct kmemtrace_lost lost = {
		.event_id = records ? KMEMTRACE_EVENT_LOST :
				      KMEMTRACE_EVENT_ALLOC,
		.event_size = sizeof(lost),
		.bytes = bytes,
		.records = records,
	};
	char *to = data + subbuf * SUBBUF_SIZE;

	memcpy(to, &clock, sizeof(clock));
	memcpy(to + sizeof(clock), &lost, sizeof(lost));
}

/* Only losses that the saved part of a stream reports are counted. */
static void test_reported(void **state)
{
	struct saved s;

	(void)state;
	begin_subbuf(0, 0, 0);
	begin_subbuf(1, 128, 2);
	begin_subbuf(2, 0, 0);
	begin_subbuf(3, 56, 1);
	save(&s, 4 * SUBBUF_SIZE, 2 * SUBBUF_SIZE, RLIM_INFINITY);
	assert_int_equal(s.reported[0].lost.bytes, 184);
	assert_int_equal(s.reported[0].lost.records, 3);
	assert_int_equal(s.reported[1].lost.bytes, 128);
	assert_int_equal(s.reported[1].lost.records, 2);
	clean_up(&s);
	signal(SIGXFSZ, SIG_IGN);
	save(&s, 4 * SUBBUF_SIZE, 0, 3 * SUBBUF_SIZE);
	assert_int_equal(s.reported[0].lost.records, 2);
	assert_int_equal(s.reported[1].lost.records, 0);
	clean_up(&s);
}

static void test_compressed(void **state)
{
	struct saved s;

	(void)state;
	save_as(&s, true, 3 * SUBBUF_SIZE + 56, 0, RLIM_INFINITY);
	assert_string_equal(s.streams[0].name, "cpu0.out.zst");
	assert_stream(&s, 3 * SUBBUF_SIZE + 56);
	assert_line(&s, "\ncompression: zstd\n");
	assert_line(&s, "\nbytes.cpu0: 16856\n");
	/* A table of no frames. */
	assert_size(&s, "cpu1.out.zst", 17);
	assert_line(&s, "\nbytes.cpu1: 0\n");
	assert_line(&s, "\nstored.cpu1: 17\n");
	assert_line(&s, "\nstate: complete\n");
	clean_up(&s);
}

/* On a large machine, each CPU has a thread and files. */
static void test_many(void **state)
{
	struct cpu_readers c;
	struct saved s;
	eventfd_t n;
	int i;

	(void)state;
	make_place(&s, false);
	nr_cpus = MAX_CPUS;
	for (i = 0; i < MAX_CPUS; i++)
		pipes[i] = stream_of(2 * SUBBUF_SIZE);
	assert_int_equal(collect_init(&c, &control, &s.place, 1), 0);
	assert_int_equal(collect_start(&c), 0);
	while (collect_count(&c, READER_RUNS))
		eventfd_read(c.done, &n);
	collect_finish(&c, keep_result, &s);
	nr_cpus = 2;
	assert_int_equal(s.run.n_streams, MAX_CPUS);
	for (i = 0; i < MAX_CPUS; i++) {
		assert_null(s.streams[i].action);
		assert_size(&s, s.streams[i].name, 2 * SUBBUF_SIZE);
	}
	clean_up(&s);
}

/* A CPU whose file exists does not keep the others from being saved. */
static void test_one_fails(void **state)
{
	struct cpu_readers c;
	struct saved s;
	eventfd_t n;
	int i, fd;

	(void)state;
	make_place(&s, false);
	fd = openat(s.fd, "cpu1.out", O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	nr_cpus = 3;
	for (i = 0; i < nr_cpus; i++)
		pipes[i] = stream_of(2 * SUBBUF_SIZE);
	assert_int_equal(collect_init(&c, &control, &s.place, 1), 0);
	assert_int_equal(collect_start(&c), -EEXIST);
	assert_int_equal(c.unstarted, 1);
	while (collect_count(&c, READER_RUNS))
		eventfd_read(c.done, &n);
	collect_finish(&c, keep_result, &s);
	nr_cpus = 2;
	assert_int_equal(s.run.n_streams, 2);
	assert_size(&s, "cpu0.out", 2 * SUBBUF_SIZE);
	assert_size(&s, "cpu1.out", 0);
	assert_size(&s, "cpu2.out", 2 * SUBBUF_SIZE);
	clean_up(&s);
}

/* Save the first @nr sub-buffers of the data, which can be mapped if @map. */
static void save_mapped(struct saved *s, bool map, int nr, rlim_t limit)
{
	map_consumed = 0;
	map_subbufs = nr;
	map_fd = map ? memfd_create("subbufs", MFD_CLOEXEC) :
		       open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_true(map_fd >= 0);
	if (map)
		assert_int_equal(write(map_fd, data, sizeof(data)), sizeof(data));
	/* Without a map, the data is read from the pipe. */
	save(s, map ? 1 : nr * SUBBUF_SIZE, 0, limit);
	map_subbufs = 0;
}

/* A mapped sub-buffer is consumed after it was saved. */
static void test_mapped(void **state)
{
	struct saved s;

	(void)state;
	save_mapped(&s, true, 3, RLIM_INFINITY);
	assert_int_equal(map_consumed, 3);
	assert_stream(&s, 3 * SUBBUF_SIZE);
	assert_line(&s, "\nstate: complete\n");
	clean_up(&s);
}

/* A sub-buffer that can't be saved stays in the kernel. */
static void test_mapped_full(void **state)
{
	struct saved s;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	save_mapped(&s, true, 4, 2 * SUBBUF_SIZE + 100);
	assert_int_equal(map_consumed, 2);
	assert_stream(&s, 2 * SUBBUF_SIZE);
	assert_string_equal(s.streams[0].action, "write");
	assert_line(&s, "\ndropped.cpu0: 0\n");
	assert_line(&s, "\nstate: interrupted\n");
	clean_up(&s);
}

/* A buffer that can't be mapped is read. */
static void test_not_mapped(void **state)
{
	struct saved s;

	(void)state;
	save_mapped(&s, false, 3, RLIM_INFINITY);
	assert_int_equal(map_consumed, 0);
	assert_stream(&s, 3 * SUBBUF_SIZE);
	assert_line(&s, "\nstate: complete\n");
	clean_up(&s);
}

/* Room is reserved for two sub-buffers at a time: each call allocates, which is traced. */
static void test_room(void **state)
{
	struct saved s;

	(void)state;
	times_asked = 0;
	save(&s, 4 * SUBBUF_SIZE, 0, RLIM_INFINITY);
	assert_stream(&s, 4 * SUBBUF_SIZE);
	assert_int_equal(times_asked, 2);
	clean_up(&s);
}

/*
 * A full disk is detected before a sub-buffer is read, so nothing is lost, and the file is
 * valid. Where two sub-buffers have no room, one may have.
 */
static void check_full(bool compress)
{
	struct saved s;

	disk_room = 7 * SUBBUF_SIZE / 2;
	save_as(&s, compress, 4 * SUBBUF_SIZE, 0, RLIM_INFINITY);
	disk_room = ANY_ROOM;
	assert_string_equal(s.streams[0].action, "write");
	assert_int_equal(s.streams[0].err, -ENOSPC);
	assert_stream(&s, 3 * SUBBUF_SIZE);
	assert_true(s.streams[0].stored <= (uint64_t)reserved);
	assert_line(&s, "\nbytes.cpu0: 16800\n");
	assert_line(&s, "\ndropped.cpu0: 0\n");
	assert_line(&s, "\nstate: interrupted\n");
	clean_up(&s);
}

static void test_full(void **state)
{
	(void)state;
	check_full(false);
	check_full(true);
}

/* A trace goes through a pipe. */
static void check_sent(bool compress)
{
	struct sender sender;
	struct saved s;
	struct files *files;
	int fds[2];
	FILE *in;

	make_place(&s, compress);
	assert_int_equal(pipe(fds), 0);
	sender_init(&sender, fds[1], &no_signals);
	s.place.sender = &sender;
	run_collector(&s, &control, 3 * SUBBUF_SIZE + 56, 0);
	s.run.state = run_state(&s.run, true);
	assert_int_equal(metadata_write(s.fd, &control, &s.run), 0);
	assert_int_equal(sender_send_file(&sender, s.fd, "metadata"), 0);
	assert_int_equal(sender_send_file(&sender, s.fd, "kallsyms"), 0);
	assert_int_equal(sender_end(&sender), 0);
	close(fds[1]);
	assert_int_equal(unlinkat(s.fd, "metadata", 0), 0);

	in = fdopen(fds[0], "r");
	assert_int_equal(files_open_stream(&files, &test_ctx, in, "in", NULL), 0);
	assert_false(files_stream(files)->is_cut);
	assert_int_equal(getc(in), EOF);
	save_files(files, &test_ctx, s.dir);
	files_put(files);
	fclose(in);
	assert_stream(&s, 3 * SUBBUF_SIZE + 56);
	assert_size(&s, s.streams[1].name, compress ? 17 : 0);
	assert_line(&s, "\nbytes.cpu0: 16856\n");
	assert_int_equal(faccessat(s.fd, "kallsyms", F_OK, 0), -1);
	clean_up(&s);
}

static void test_sent(void **state)
{
	(void)state;
	check_sent(false);
	check_sent(true);
}

/* What was appended to a file is sent, and nothing twice. */
static void test_sent_rest(void **state)
{
	char got[256] = "";
	struct sender sender;
	size_t sent = 0;
	struct saved s;
	int fds[2], fd;

	(void)state;
	make_place(&s, false);
	assert_int_equal(pipe(fds), 0);
	sender_init(&sender, fds[1], &no_signals);
	assert_int_equal(sender_send_rest(&sender, s.fd, "modules", &sent), 0);
	fd = openat(s.fd, "modules", O_WRONLY | O_CREAT | O_APPEND, 0600);
	assert_int_equal(write(fd, "abc\n", 4), 4);
	assert_int_equal(sender_send_rest(&sender, s.fd, "modules", &sent), 0);
	assert_int_equal(sender_send_rest(&sender, s.fd, "modules", &sent), 0);
	assert_int_equal(write(fd, "de\n", 3), 3);
	assert_int_equal(sender_send_rest(&sender, s.fd, "modules", &sent), 0);
	assert_int_equal(sent, 7);
	close(fds[1]);
	assert_true(read(fds[0], got, sizeof(got) - 1) > 0);
	assert_string_equal(got, "kmemtrace-stream 1\nmodules 4\nabc\nmodules 3\nde\n");
	close(fds[0]);
	close(fd);
	clean_up(&s);
}

/* A regular file is like the kernel's: without data, read() returns 0. */
static int endless_stream(size_t len)
{
	char name[] = "/tmp/kmemtrace-test-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(pwrite(fd, data, len, 0), len);
	return fd;
}

/* collect_drain() is done when all threads have stored what was readable. */
static void test_drain(void **state)
{
	struct cpu_readers c;
	struct saved s;
	struct pollfd p;
	eventfd_t n;

	(void)state;
	make_place(&s, false);
	pipes[0] = endless_stream(3 * SUBBUF_SIZE);
	pipes[1] = endless_stream(0);
	assert_int_equal(collect_init(&c, &control, &s.place, 0), 0);
	assert_false(collect_drain(&c));
	assert_int_equal(collect_start(&c), 0);
	assert_true(collect_drain(&c));
	p = (struct pollfd) { .fd = c.drained, .events = POLLIN };
	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(eventfd_read(c.drained, &n), 0);
	assert_int_equal(collect_bytes(&c), 3 * SUBBUF_SIZE);
	assert_int_equal(collect_unread(&c, 0), 3 * SUBBUF_SIZE);
	assert_int_equal(collect_unread(&c, 0), 0);
	assert_int_equal(collect_unread(&c, 1), 0);
	assert_true(collect_drain(&c));
	assert_int_equal(poll(&p, 1, 10000), 1);
	collect_stop(&c);
	collect_finish(&c, keep_result, &s);
	clean_up(&s);
}

/**
 * struct rotated - two traces, one after the other
 * @c: their collector
 * @old: the first one
 * @new: the second one
 * @writer: fills the stream of CPU 0
 */
struct rotated {
	struct cpu_readers c;
	struct saved old, new;
	int writer;
};

static void wait_until_drained(struct cpu_readers *c)
{
	struct pollfd p = { .fd = c->drained, .events = POLLIN };
	eventfd_t n;

	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(eventfd_read(c->drained, &n), 0);
}

static void write_subbuf(const struct rotated *r)
{
	assert_int_equal(write(r->writer, data, SUBBUF_SIZE), SUBBUF_SIZE);
}

/* Store two sub-buffers in the first trace, and one in both. */
static void begin_rotation(struct rotated *r, bool compress)
{
	char name[32];

	make_place(&r->old, compress);
	make_place(&r->new, compress);
	pipes[0] = endless_stream(0);
	pipes[1] = endless_stream(0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", pipes[0]);
	r->writer = open(name, O_WRONLY | O_APPEND);
	assert_true(r->writer >= 0);
	assert_int_equal(collect_init(&r->c, &control, &r->old.place, 0), 0);
	assert_int_equal(collect_start(&r->c), 0);
	write_subbuf(r);
	write_subbuf(r);
	assert_true(collect_drain(&r->c));
	wait_until_drained(&r->c);
	assert_int_equal(collect_split(&r->c, &r->new.place), 0);
	wait_until_drained(&r->c);
	write_subbuf(r);
}

static void end_rotated(struct rotated *r)
{
	close(r->writer);
	clean_up(&r->old);
	clean_up(&r->new);
}

/* The sub-buffers of the moment in between are in both traces. */
static void test_rotated(void **state)
{
	char text[64] = "";
	struct rotated r;
	FILE *out;

	(void)state;
	begin_rotation(&r, false);
	collect_cut(&r.c);
	wait_until_drained(&r.c);
	collect_take(&r.c, &r.new.place, keep_result, &r.old);
	assert_int_equal(r.old.run.n_streams, 2);
	assert_int_equal(r.old.streams[0].bytes, 3 * SUBBUF_SIZE);
	assert_int_equal(collect_begun(&r.c), SUBBUF_SIZE);
	out = fmemopen(text, sizeof(text), "w");
	assert_non_null(out);
	collect_print_overlaps(&r.c, out);
	fclose(out);
	assert_string_equal(text, "overlap.cpu0: 5600\noverlap.cpu1: 0\n");

	write_subbuf(&r);
	assert_true(collect_drain(&r.c));
	wait_until_drained(&r.c);
	collect_stop(&r.c);
	collect_finish(&r.c, keep_result, &r.new);
	assert_int_equal(r.new.streams[0].bytes, 2 * SUBBUF_SIZE);
	assert_size(&r.old, "cpu0.out", 3 * SUBBUF_SIZE);
	assert_size(&r.new, "cpu0.out", 2 * SUBBUF_SIZE);
	assert_size(&r.new, "cpu1.out", 0);
	end_rotated(&r);
}

/* A trace that only began is removed. */
static void test_rotation_ends(void **state)
{
	struct rotated r;

	(void)state;
	begin_rotation(&r, false);
	collect_stop(&r.c);
	collect_finish(&r.c, keep_result, &r.old);
	assert_int_equal(faccessat(r.new.fd, "cpu0.out", F_OK, 0), -1);
	end_rotated(&r);
}

/* Threads that have ended can't be asked, but both traces have what was stored. */
static void test_rotation_late(void **state)
{
	struct rotated r;
	struct pollfd p;
	eventfd_t n;

	(void)state;
	begin_rotation(&r, true);
	assert_true(collect_drain(&r.c));
	wait_until_drained(&r.c);
	collect_stop(&r.c);
	p = (struct pollfd) { .fd = r.c.done, .events = POLLIN };
	while (collect_count(&r.c, READER_RUNS)) {
		assert_int_equal(poll(&p, 1, 10000), 1);
		eventfd_read(r.c.done, &n);
	}
	collect_cut(&r.c);
	collect_join(&r.c);
	collect_take(&r.c, &r.new.place, keep_result, &r.old);
	assert_int_equal(r.old.streams[0].bytes, 3 * SUBBUF_SIZE);
	collect_finish(&r.c, keep_result, &r.new);
	assert_int_equal(r.new.streams[0].bytes, SUBBUF_SIZE);
	assert_size(&r.new, "cpu0.out.zst", r.new.streams[0].stored);
	end_rotated(&r);
}

/* Lines that the recorder has for the metadata; the last one is incomplete. */
static void test_source(void **state)
{
	static const char text[] = "source: module\nunseen: boot moves\nmissed: 3\nmi";
	struct control module = control;
	struct saved s;
	int fd;

	(void)state;
	save(&s, 0, 0, RLIM_INFINITY);
	module.dir = s.fd;
	fd = openat(s.fd, "source", O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(metadata_write(s.fd, &module, &s.run), 0);
	assert_int_equal(unlinkat(s.fd, "source", 0), 0);
	assert_line(&s, "\nsource: module\nunseen: boot moves\nmissed: 3\nbyte_order: ");
	clean_up(&s);
}

/* The metadata of a trace that is followed. */
static void test_progress(void **state)
{
	uint64_t unread[] = { 5600, 0 };
	struct saved s;

	(void)state;
	make_place(&s, false);
	s.run.end_ns = 0;
	s.run.flushed_ns = 1234567;
	s.run.unread = unread;
	s.run.state = "running";
	assert_int_equal(metadata_write(s.fd, &control, &s.run), 0);
	assert_line(&s, "\nflushed_ns: 1234567\n");
	assert_line(&s, "\nunread.cpu0: 5600\n");
	assert_line(&s, "\nunread.cpu1: 0\n");
	assert_line(&s, "\nlost.cpu1: 3\n");
	assert_line(&s, "\ntotal_overruns: 184\n");
	assert_line(&s, "\nstate: running\n");
	clean_up(&s);
}

/* The reader has closed the pipe. */
static void test_hangup(void **state)
{
	struct sender sender;
	struct saved s;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	make_place(&s, false);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	sender_init(&sender, fds[1], &no_signals);
	s.place.sender = &sender;
	run_collector(&s, &control, SUBBUF_SIZE, 0);
	assert_string_equal(s.streams[0].action, "write");
	assert_int_equal(s.streams[0].err, -EPIPE);
	assert_int_equal(s.streams[0].dropped, SUBBUF_SIZE);
	assert_string_equal(run_state(&s.run, true), "interrupted");
	assert_int_equal(sender_end(&sender), -EPIPE);
	close(fds[1]);
	clean_up(&s);
}

/* The reader takes nothing from the pipe: a signal ends the collector. */
static void test_stuck(void **state)
{
	struct signals signals = no_signals;
	struct sender sender;
	struct saved s;
	int fds[2];

	(void)state;
	make_place(&s, false);
	assert_int_equal(pipe(fds), 0);
	assert_true(fcntl(fds[1], F_SETPIPE_SZ, 4096) > 0);
	signals.taken = eventfd(1, EFD_CLOEXEC);
	assert_true(signals.taken >= 0);
	sender_init(&sender, fds[1], &signals);
	s.place.sender = &sender;
	run_collector(&s, &control, 2 * SUBBUF_SIZE, SUBBUF_SIZE);
	assert_string_equal(s.streams[0].action, "write");
	assert_int_equal(s.streams[0].err, -ECANCELED);
	assert_int_equal(s.streams[1].err, -ECANCELED);
	close(signals.taken);
	close(fds[0]);
	close(fds[1]);
	clean_up(&s);
}

/* All records were read, but not all could be written. */
static void test_write_fails(void **state)
{
	struct saved s;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	save(&s, 2 * SUBBUF_SIZE, SUBBUF_SIZE, SUBBUF_SIZE + 1000);
	assert_size(&s, "cpu0.out", SUBBUF_SIZE);
	assert_string_equal(s.streams[0].action, "write");
	assert_int_equal(s.streams[0].err, -EFBIG);
	assert_null(s.streams[1].action);
	assert_line(&s, "\nbytes.cpu0: 5600\n");
	assert_line(&s, "\ndropped.cpu0: 5600\n");
	assert_line(&s, "\nbytes.cpu1: 5600\n");
	assert_line(&s, "\ndropped.cpu1: 0\n");
	assert_line(&s, "\nstate: interrupted\n");
	clean_up(&s);
}

/* The same with compression: the frames that fit are there, with their table. */
static void test_compressed_fails(void **state)
{
	struct saved s;

	(void)state;
	save_as(&s, true, 2 * SUBBUF_SIZE, 0, SUBBUF_SIZE + 1000);
	assert_stream(&s, SUBBUF_SIZE);
	assert_string_equal(s.streams[0].action, "write");
	assert_line(&s, "\nbytes.cpu0: 5600\n");
	assert_line(&s, "\ndropped.cpu0: 5600\n");
	assert_line(&s, "\nstate: interrupted\n");
	clean_up(&s);
}

/* Data that did not reach the disk is not reported as saved. */
static void test_sync_fails(void **state)
{
	struct saved s;

	(void)state;
	sync_failures = 1;
	save(&s, SUBBUF_SIZE, SUBBUF_SIZE, RLIM_INFINITY);
	assert_int_equal(sync_failures, 0);
	assert_string_equal(s.streams[0].action, "sync");
	assert_int_equal(s.streams[0].err, -EIO);
	assert_null(s.streams[1].action);
	assert_line(&s, "\nstate: interrupted\n");
	clean_up(&s);
}

static int give_up_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[2] = { };
	const struct rlimit limit = { 0, 0 };

	return setrlimit(RLIMIT_RTPRIO, &limit) ?:
	       syscall(SYS_capset, &header, none);
}

/* Without permission for a real-time priority, the trace is saved without it. */
static void test_no_realtime(void **state)
{
	struct saved s;
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (give_up_capabilities())
			_exit(2);
		save(&s, SUBBUF_SIZE, 56, RLIM_INFINITY);
		assert_size(&s, "cpu0.out", SUBBUF_SIZE);
		assert_size(&s, "cpu1.out", 56);
		clean_up(&s);
		_exit(s.refused != -EPERM);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Links are aliases of a cache; other files are not. */
static void test_slabs(void **state)
{
	char sysfs[] = "/tmp/kmemtrace-test-XXXXXX";
	struct saved s;
	int fd;

	(void)state;
	save(&s, 0, 0, RLIM_INFINITY);
	assert_int_equal(slabs_save(s.fd, "/nonexistent"), 0);
	assert_int_equal(faccessat(s.fd, "slabs", F_OK, 0), -1);

	assert_non_null(mkdtemp(sysfs));
	fd = open(sysfs, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mkdirat(fd, ":0000192", 0700), 0);
	assert_int_equal(symlinkat(":0000192", fd, "kmalloc-192"), 0);
	assert_int_equal(symlinkat(":0000192", fd, "a name"), 0);
	assert_int_equal(slabs_save(s.fd, sysfs), 0);
	assert_line_in(&s, "slabs", "\nkmalloc-192 :0000192\n");
	assert_line_in(&s, "slabs", "\na name :0000192\n");
	assert_size(&s, "slabs", 21 + 16);
	clean_up(&s);
	assert_int_equal(unlinkat(fd, "kmalloc-192", 0), 0);
	assert_int_equal(unlinkat(fd, "a name", 0), 0);
	assert_int_equal(unlinkat(fd, ":0000192", AT_REMOVEDIR), 0);
	close(fd);
	assert_int_equal(rmdir(sysfs), 0);
}

/* An old trace is removed; files with other names stay. */
static void test_clear(void **state)
{
	/* Version 0.1 wrote an index beside a trace. */
	static const char * const ours[] = {
		"cpu0.out", "cpu10.out", "slabs", "cpu1.out.zst", "info", "overflow",
		"kmemtrace.index",
	};
	static const char * const others[] = {
		"cpu01.out", "cpu-1.out", "cpu.out", "cpu1.out.zst.zst", "inf", "info1",
		"kmemtrace.index1",
	};
	char dir[] = "/tmp/kmemtrace-test-XXXXXX";
	int i, fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	for (i = 0; i < 7; i++) {
		close(openat(fd, ours[i], O_WRONLY | O_CREAT, 0600));
		close(openat(fd, others[i], O_WRONLY | O_CREAT, 0600));
	}
	assert_int_equal(outdir_clear(fd), 0);
	for (i = 0; i < 7; i++) {
		assert_int_equal(faccessat(fd, ours[i], F_OK, 0), -1);
		assert_int_equal(unlinkat(fd, others[i], 0), 0);
	}
	close(fd);
	assert_int_equal(rmdir(dir), 0);
}

/* ---- a directory of another user ---- */

#define NOBODY	65534

static const char secret[] = "not to be touched\n";

/* Make a file, and a directory of another user that has links to it. */
static char *plant(struct saved *s, const char * const *names)
{
	char *target = test_file(secret, strlen(secret));

	make_place(s, false);
	if (!geteuid())
		assert_int_equal(chown(s->dir, NOBODY, NOBODY), 0);
	for (; *names; names++)
		assert_int_equal(symlinkat(target, s->fd, *names), 0);
	return target;
}

static void assert_untouched(char *target)
{
	char out[sizeof(secret)] = "";
	FILE *f = fopen(target, "r");

	assert_non_null(f);
	assert_int_equal(fread(out, 1, sizeof(out), f), strlen(secret));
	assert_string_equal(out, secret);
	fclose(f);
	test_file_remove(target);
}

static void assert_regular(const struct saved *s, const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(s->fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_uid, geteuid());
	assert_int_equal(st.st_mode & 0777, 0600);
}

/* A link in the place of a file is an error, and is not followed. */
static void test_planted(void **state)
{
	static const char * const names[] = {
		"cpu0.out", "cpu1.out.zst", "kallsyms", "metadata", "metadata.new",
		"modules", "slabs", NULL
	};
	struct symsave symbols;
	struct store *store;
	struct saved s;
	char *target = plant(&s, names);

	(void)state;
	assert_int_equal(store_open(&store, &s.place, 0, SUBBUF_SIZE), -EEXIST);
	s.place.compress = true;
	assert_int_equal(store_open(&store, &s.place, 1, SUBBUF_SIZE), -EEXIST);
	assert_int_equal(slabs_save(s.fd, "/sys"), -EEXIST);
	assert_int_equal(symsave_begin(&symbols, s.fd), -EEXIST);
	assert_int_equal(symsave_update(&symbols), -ENOENT);
	symsave_end(&symbols);
	/* This one is replaced each time. */
	s.run.state = "running";
	assert_int_equal(metadata_write(s.fd, &control, &s.run), 0);
	assert_regular(&s, "metadata");
	assert_untouched(target);
	clean_up(&s);
}

/* Links with the names of a trace are refused as a trace, or removed by -f. */
static void test_planted_trace(void **state)
{
	static const char * const names[] = { "kallsyms", "slabs", NULL };
	struct symsave symbols;
	struct saved s;
	char *target = plant(&s, names);

	(void)state;
	assert_int_equal(outdir_open(s.dir, false), -EEXIST);
	close(s.fd);
	s.fd = outdir_open(s.dir, true);
	assert_true(s.fd >= 0);
	assert_int_equal(slabs_save(s.fd, "/sys"), 0);
	assert_int_equal(symsave_begin(&symbols, s.fd), 0);
	/* A link that comes later doesn't matter: files stay open. */
	assert_int_equal(unlinkat(s.fd, "kallsyms", 0), 0);
	assert_int_equal(symlinkat(target, s.fd, "kallsyms"), 0);
	assert_int_equal(symsave_update(&symbols), 0);
	symsave_end(&symbols);
	assert_regular(&s, "slabs");
	assert_regular(&s, "modules");
	assert_untouched(target);
	clean_up(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved),
		cmocka_unit_test(test_reported),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_one_fails),
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_mapped_full),
		cmocka_unit_test(test_not_mapped),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_sent),
		cmocka_unit_test(test_sent_rest),
		cmocka_unit_test(test_drain),
		cmocka_unit_test(test_rotated),
		cmocka_unit_test(test_rotation_ends),
		cmocka_unit_test(test_rotation_late),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_hangup),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_write_fails),
		cmocka_unit_test(test_compressed_fails),
		cmocka_unit_test(test_sync_fails),
		cmocka_unit_test(test_no_realtime),
		cmocka_unit_test(test_slabs),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_planted_trace),
	};

	return cmocka_run_group_tests(tests, fill_data, NULL);
}
