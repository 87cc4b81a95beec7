// SPDX-License-Identifier: GPL-2.0
/*
 * collect.c - move the kernel's streams to disk
 *
 * Each thread runs on the CPU whose stream it moves, because the data is in the caches and
 * the memory of that CPU. A thread stores what the kernel has completed at once: whole
 * sub-buffers, or the flushed part of one.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/collect.h"
#include "daemon/feed.h"
#include "daemon/recorder.h"

/**
 * struct piece - the file of a stream, and what it has
 * @out: the file; NULL: there is none
 * @bytes: stored
 * @tally: what the stored part reports
 */
struct piece {
	struct store	*out;
	uint64_t	bytes;
	struct tally	tally;
};

/**
 * struct cpu_reader - one thread
 * @c: the collector
 * @cpu: number of the CPU
 * @in: the stream in the kernel
 * @thread: the thread
 * @tick: eventfd, written by collect_drain()
 * @drains: the next time that nothing is left to read, collect_drain() is done
 * @unread: the most bytes found unread at a time since collect_unread()
 * @lock: protects the pieces
 * @now: the file
 * @next: from collect_split() to collect_cut(), the file of the next trace, which gets the
 *	stream, too
 * @old: after collect_cut(), the file of the trace before; it is complete
 * @cuts: the next time that nothing is left to read, @next becomes the file
 * @overlap: bytes of @now that @old has at its end
 * @bytes: moved; written by the thread, read by all
 * @state: enum reader_state; the thread changes it at its end
 * @dropped: bytes that could not be written; valid once @state isn't
 *	READER_RUNS, like the rest
 * @action: what failed; NULL: nothing
 * @err: the reason, -errno
 */
struct cpu_reader {
	struct cpu_readers	*c;
	int			cpu;
	struct feed		*in;
	pthread_t		thread;
	int			tick;
	bool			drains;
	_Atomic uint64_t	unread;
	pthread_mutex_t		lock;
	struct piece		now, next, old;
	_Atomic bool		cuts;
	uint64_t		overlap;
	_Atomic uint64_t	bytes;
	_Atomic int		state;
	uint64_t		dropped;
	const char		*action;
	int			err;
};

/* No thread can be pinned to a CPU that is offline; it runs anywhere then. */
static void pin(int cpu)
{
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	size_t size = CPU_ALLOC_SIZE(cpu + 1);

	if (!set)
		return;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	sched_setaffinity(0, size, set);
	CPU_FREE(set);
}

static int failed(struct cpu_reader *r, const char *action, int err)
{
	r->action = action;
	r->err = err;
	return READER_FAILED;
}

/* The counter of a reader is written by its thread alone. */
static uint64_t read_counter(const _Atomic uint64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

static void add_to_counter(_Atomic uint64_t *number, uint64_t n)
{
	atomic_store_explicit(number, read_counter(number) + n, memory_order_relaxed);
}

/*
 * Reserve room before a read, because the kernel doesn't have the data any more
 * afterwards. The table of a compressed file needs room in any case.
 */
static int reserve_for_read(struct cpu_reader *r)
{
	bool needed = !feed_is_mapped(r->in) || r->c->place->compress;
	int err = needed ? store_reserve(r->now.out) : 0;
	struct store *next;

	pthread_mutex_lock(&r->lock);
	next = r->next.out;
	pthread_mutex_unlock(&r->lock);
	if (!err && needed && next)
		err = store_reserve(next);
	return err ? failed(r, "write", err) : READER_RUNS;
}

static int append_to_piece(struct cpu_reader *r, struct piece *piece, const void *data, size_t len)
{
	int err = store_append(piece->out, data, len);

	if (err)
		return err;
	piece->bytes += len;
	r->c->ctl->recorder->count(&piece->tally, data, len);
	return 0;
}

static int append_all(struct cpu_reader *r, const void *data, size_t len)
{
	int err;

	pthread_mutex_lock(&r->lock);
	err = append_to_piece(r, &r->now, data, len);
	if (!err && r->next.out)
		err = append_to_piece(r, &r->next, data, len);
	pthread_mutex_unlock(&r->lock);
	return err;
}

static int save(struct cpu_reader *r, const void *data, size_t len)
{
	int err = append_all(r, data, len);

	if (err) {
		r->dropped = feed_is_mapped(r->in) ? 0 : len;
		return failed(r, "write", err);
	}
	add_to_counter(&r->bytes, len);
	err = feed_done(r->in);
	return err ? failed(r, "release the sub-buffer", err) : READER_RUNS;
}

/* Go on with the next file. */
static void take_next(struct cpu_reader *r)
{
	r->old = r->now;
	r->now = r->next;
	r->next = (struct piece) { .out = NULL };
	r->overlap = r->now.bytes;
	r->cuts = false;
}

/* Complete the file, and go on with the next one. */
static int begin_next_file(struct cpu_reader *r)
{
	int err;

	pthread_mutex_lock(&r->lock);
	err = store_finish(r->now.out);
	take_next(r);
	pthread_mutex_unlock(&r->lock);
	return err ? failed(r, "write", err) : READER_RUNS;
}

/* The same for a thread that has ended before it was asked to. Its file is complete. */
static void cut_late(struct cpu_reader *r)
{
	int err;

	take_next(r);
	err = store_finish(r->now.out);
	if (err)
		failed(r, "write", err);
}

/* collect_drain() is done for this thread. */
static int end_drain(struct cpu_reader *r)
{
	int state = READER_RUNS;

	if (!r->drains)
		return state;
	if (r->cuts)
		state = begin_next_file(r);
	if (atomic_fetch_sub(&r->c->behind, 1) == 1)
		eventfd_write(r->c->drained, 1);
	r->drains = false;
	return state;
}

/* Move the data that is there now, at most @limit bytes. */
static int move(struct cpu_reader *r, uint64_t limit)
{
	const void *data;
	uint64_t moved;
	ssize_t n;
	int state = READER_RUNS;

	for (moved = 0; state == READER_RUNS && moved < limit; moved += n) {
		state = reserve_for_read(r);
		if (state != READER_RUNS)
			break;
		n = feed_next(r->in, &data);
		if (n < 0)
			return failed(r, "read from the kernel", n);
		if (!n)
			break;
		state = save(r, data, n);
	}
	if (moved > read_counter(&r->unread))
		atomic_store_explicit(&r->unread, moved, memory_order_relaxed);
	if (state == READER_RUNS && moved < limit)
		state = end_drain(r);
	return state;
}

/*
 * Each turn moves at most what the kernel can hold. Otherwise the thread would not notice
 * that it shall stop while the kernel writes faster than the thread.
 */
static int move_records(struct cpu_reader *r)
{
	const struct control *ctl = r->c->ctl;
	uint64_t limit = (uint64_t)ctl->subbuf_size * ctl->n_subbufs;
	struct pollfd p[] = {
		{ .fd = feed_fd(r->in), .events = POLLIN },
		{ .fd = r->c->stop, .events = POLLIN },
		{ .fd = r->tick, .events = POLLIN },
	};
	eventfd_t n;
	int state;

	for (;;) {
		if (poll(p, 3, r->drains ? 0 : -1) < 0)
			return failed(r, "wait for the kernel", -errno);
		if (sched_getcpu() != r->cpu)
			pin(r->cpu);
		state = READER_RUNS;
		if (p[2].revents && !eventfd_read(r->tick, &n))
			r->drains = true;
		if (p[0].revents & POLLIN || r->drains)
			state = move(r, limit);
		if (state != READER_RUNS)
			return state;
		if (p[1].revents)
			return READER_STOPPED;
		if ((p[0].revents & (POLLIN | POLLHUP)) == POLLHUP)
			return READER_DRAINED;
		if (p[0].revents & (POLLERR | POLLNVAL))
			return failed(r, "wait for the kernel", -EIO);
	}
}

static void *reader_thread(void *arg)
{
	struct cpu_reader *r = arg;
	int state, err;

	pin(r->cpu);
	state = move_records(r);
	/* The kernel can't free a buffer that is mapped. */
	feed_close(r->in);
	if (r->cuts)
		begin_next_file(r);
	err = store_finish(r->now.out);
	if (err && state != READER_FAILED)
		state = failed(r, "write", err);
	atomic_store(&r->state, state);
	eventfd_write(r->c->done, 1);
	return NULL;
}

static bool has_reader(const struct cpu_readers *c, int cpu)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->readers[i]->cpu == cpu)
			return true;
	return false;
}

/*
 * Give the thread a real-time priority. On a busy machine a thread that waits for its turn
 * loses events. It sleeps whenever there is nothing to move.
 */
static int create_thread(struct cpu_reader *r)
{
	struct cpu_readers *c = r->c;
	const struct sched_param param = { .sched_priority = c->priority };
	pthread_attr_t attr;
	int err;

	if (!c->priority)
		return -pthread_create(&r->thread, NULL, reader_thread, r);
	err = pthread_attr_init(&attr);
	if (err)
		return -err;
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	err = pthread_create(&r->thread, &attr, reader_thread, r);
	pthread_attr_destroy(&attr);
	if (err != EPERM)
		return -err;
	c->refused = -err;
	c->priority = 0;
	return create_thread(r);
}

static int open_store(struct cpu_reader *r, struct store **out, const struct store_place *place)
{
	int err = store_open(out, place, r->cpu, r->c->ctl->subbuf_size);

	if (!err && feed_is_mapped(r->in))
		store_bypass_cache(*out);
	return err;
}

static int start_reader(struct cpu_readers *c, int cpu)
{
	struct cpu_reader **more, *r;
	int err;

	more = reallocarray(c->readers, c->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	c->readers = more;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->c = c;
	r->cpu = cpu;
	pthread_mutex_init(&r->lock, NULL);
	r->tick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->tick < 0) {
		err = -errno;
		goto free_reader;
	}
	err = feed_open(&r->in, c->ctl, cpu);
	if (err)
		goto close_tick;
	err = open_store(r, &r->now.out, c->place);
	if (err)
		goto close_in;
	err = create_thread(r);
	if (err)
		goto remove_out;
	c->readers[c->n++] = r;
	return 0;

remove_out:
	store_remove(r->now.out);
close_in:
	feed_close(r->in);
close_tick:
	close(r->tick);
free_reader:
	free(r);
	return err;
}

/* A CPU needs five open files: a large machine needs more than the usual limit of 1024. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/**
 * collect_init - prepare a collector, start no thread
 * @c: result
 * @ctl: the kernel's interface
 * @place: where the streams go
 * @priority: real-time priority of the threads, 0: none
 *
 * Return: 0 or -errno.
 */
int collect_init(struct cpu_readers *c, const struct control *ctl,
		 const struct store_place *place, int priority)
{
	*c = (struct cpu_readers) {
		.ctl = ctl,
		.place = place,
		.priority = priority,
	};
	raise_file_limit();
	c->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->stop < 0)
		return -errno;
	c->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->done < 0)
		return -errno;
	c->drained = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return c->drained < 0 ? -errno : 0;
}

/**
 * collect_start - start a thread for each stream that has none
 * @c: the collector
 *
 * Call it now and then: a CPU that comes up for the first time has a new stream. If the
 * thread of a CPU fails to start, the other CPUs get theirs all the same.
 *
 * Return: 0; or the first error as -errno, and @c->unstarted is set.
 */
int collect_start(struct cpu_readers *c)
{
	int *cpus, n = control_cpus(c->ctl, &cpus);
	int i, err, first = 0;

	c->unstarted = -1;
	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		err = has_reader(c, cpus[i]) ? 0 : start_reader(c, cpus[i]);
		if (!err || first)
			continue;
		first = err;
		c->unstarted = cpus[i];
	}
	free(cpus);
	return first;
}

/**
 * collect_count - count the threads in a state
 * @c: the collector
 * @state: the state
 *
 * Return: their number.
 */
size_t collect_count(const struct cpu_readers *c, enum reader_state state)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		n += atomic_load(&c->readers[i]->state) == (int)state;
	return n;
}

/**
 * collect_drain - ask the threads to store all that is readable now
 * @c: the collector
 *
 * When all have done so, @c->drained is written. A thread that ends never does.
 *
 * Return: false if they are still busy with the last call; then nothing is asked for.
 */
bool collect_drain(struct cpu_readers *c)
{
	size_t i, none = 0;

	if (!c->n || !atomic_compare_exchange_strong(&c->behind, &none, c->n))
		return false;
	for (i = 0; i < c->n; i++)
		eventfd_write(c->readers[i]->tick, 1);
	return true;
}

/**
 * collect_unread - get the most bytes that a thread found unread at a time
 * @c: the collector
 * @cpu: number of the CPU
 *
 * Return: the bytes since the last call; 0 if there is no such stream.
 */
uint64_t collect_unread(struct cpu_readers *c, int cpu)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->readers[i]->cpu == cpu)
			return atomic_exchange(&c->readers[i]->unread, 0);
	return 0;
}

/**
 * collect_bytes - add up the bytes that were stored
 * @c: the collector
 *
 * Return: bytes over all CPUs.
 */
uint64_t collect_bytes(const struct cpu_readers *c)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		sum += read_counter(&c->readers[i]->bytes);
	return sum;
}

/**
 * collect_reported - get what the stored part of a stream reports
 * @c: the collector
 * @cpu: number of the CPU
 *
 * Return: the tally; zeros if there is no such stream.
 */
struct tally collect_reported(const struct cpu_readers *c, int cpu)
{
	struct tally tally = { 0 };
	struct cpu_reader *r;
	size_t i;

	for (i = 0; i < c->n; i++) {
		r = c->readers[i];
		if (r->cpu != cpu)
			continue;
		pthread_mutex_lock(&r->lock);
		tally = r->now.tally;
		pthread_mutex_unlock(&r->lock);
		break;
	}
	return tally;
}

/**
 * collect_stop - end the threads although tracing goes on
 * @c: the collector
 *
 * Without it they end once tracing is off and everything is read.
 */
void collect_stop(struct cpu_readers *c)
{
	eventfd_write(c->stop, 1);
}

/* Close a file; an error here means that some of it may not be on disk. */
static void close_piece(struct cpu_reader *r, struct piece *piece)
{
	int err = store_close(piece->out);

	if (err && !r->action)
		failed(r, "sync", err);
	piece->out = NULL;
}

static struct stream_result result_of(const struct cpu_reader *r, const struct piece *piece)
{
	struct stream_result result = {
		.cpu = r->cpu,
		.bytes = piece->bytes,
		.stored = store_size(piece->out),
		.lost = piece->tally.lost,
	};

	snprintf(result.name, sizeof(result.name), "%s", store_name(piece->out));
	return result;
}

/* ---- one trace after another ---- */

/* No thread writes to these. */
static void remove_next(struct cpu_readers *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (c->readers[i]->next.out)
			store_remove(c->readers[i]->next.out);
		c->readers[i]->next.out = NULL;
	}
}

/* Open the files of the next trace: all of them, or none. */
static int open_next(struct cpu_readers *c, const struct store_place *place, struct store **files)
{
	size_t i;
	int err;

	for (i = 0; i < c->n; i++) {
		err = open_store(c->readers[i], &files[i], place);
		if (!err)
			continue;
		while (i)
			store_remove(files[--i]);
		return err;
	}
	return 0;
}

/**
 * collect_split - let the threads write their streams to the next trace, too
 * @c: the collector; all threads run
 * @place: where the next trace is; it stays there until the collector is finished
 *
 * When all do so, @c->drained is written. Then call collect_cut().
 *
 * Return: 0, or -errno: then nothing has changed.
 */
int collect_split(struct cpu_readers *c, const struct store_place *place)
{
	struct store **files = calloc(c->n + 1, sizeof(*files));
	int err = files ? 0 : -ENOMEM;
	size_t i;

	if (!err && (!c->n || c->behind))
		err = -EBUSY;
	if (!err)
		err = open_next(c, place, files);
	for (i = 0; !err && i < c->n; i++) {
		pthread_mutex_lock(&c->readers[i]->lock);
		c->readers[i]->next = (struct piece) { .out = files[i] };
		pthread_mutex_unlock(&c->readers[i]->lock);
	}
	free(files);
	if (!err)
		collect_drain(c);
	return err;
}

/**
 * collect_cut - let the threads store all that is readable now, and go on with the next trace
 * @c: the collector, after collect_split() and its @c->drained
 *
 * When all have done so, @c->drained is written. Then call collect_take().
 */
void collect_cut(struct cpu_readers *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		c->readers[i]->cuts = true;
	collect_drain(c);
}

/**
 * collect_take - close the files of the trace before
 * @c: the collector, after collect_cut() and its @c->drained, or when all threads have ended
 * @place: that of collect_split()
 * @fn: called for each of its streams
 * @arg: for @fn
 */
void collect_take(struct cpu_readers *c, const struct store_place *place, collect_fn *fn,
		  void *arg)
{
	struct stream_result result;
	size_t i;

	for (i = 0; i < c->n; i++) {
		struct cpu_reader *r = c->readers[i];

		if (!r->old.out)
			continue;
		result = result_of(r, &r->old);
		close_piece(r, &r->old);
		result.action = r->action;
		result.err = r->err;
		fn(&result, arg);
	}
	c->place = place;
}

/**
 * collect_print_overlaps - print which bytes the trace before and this one both have
 * @c: the collector, after collect_take()
 * @out: the metadata of this trace
 */
void collect_print_overlaps(const struct cpu_readers *c, FILE *out)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		fprintf(out, "overlap.cpu%d: %" PRIu64 "\n", c->readers[i]->cpu,
			c->readers[i]->overlap);
}

/**
 * collect_begun - add up the bytes of the trace that the threads write now
 * @c: the collector
 *
 * Return: bytes over all CPUs.
 */
uint64_t collect_begun(const struct cpu_readers *c)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		pthread_mutex_lock(&c->readers[i]->lock);
		sum += c->readers[i]->now.bytes;
		pthread_mutex_unlock(&c->readers[i]->lock);
	}
	return sum;
}

/**
 * collect_join - wait until all threads have ended
 * @c: the collector
 *
 * A trace that collect_split() began, and no collect_cut() did, is removed.
 */
void collect_join(struct cpu_readers *c)
{
	size_t i;

	for (i = 0; !c->joined && i < c->n; i++) {
		pthread_join(c->readers[i]->thread, NULL);
		if (c->readers[i]->cuts)
			cut_late(c->readers[i]);
	}
	c->joined = true;
	remove_next(c);
}

/**
 * collect_finish - wait until all threads have ended, report results, release all
 * @c: the collector
 * @fn: called for each CPU
 * @arg: for @fn
 */
void collect_finish(struct cpu_readers *c, collect_fn *fn, void *arg)
{
	size_t i;

	collect_join(c);
	for (i = 0; i < c->n; i++) {
		struct cpu_reader *r = c->readers[i];
		struct stream_result result = result_of(r, &r->now);

		result.dropped = r->dropped;
		close_piece(r, &r->now);
		result.action = r->action;
		result.err = r->err;
		fn(&result, arg);
		close(r->tick);
		free(r);
	}
	free(c->readers);
	close(c->stop);
	close(c->done);
	close(c->drained);
}
