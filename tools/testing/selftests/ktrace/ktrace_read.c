// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace_read [-p INFO] FOLDER ID...: read all buffers in FOLDER to the end, by mmap() and
 * ioctl(), as Documentation/ABI/testing/debugfs-ktrace describes them, and no library.
 *
 * Read until recording is off. For each ID, print the number of its events and the sum of the
 * first 8 bytes of their arguments. Then print the number of all events and of those that
 * are missing. Fail at the first contradiction.
 *
 * -p: print each event of the IDs first, by its format in the file INFO: the name, and
 * word=value for each argument. The formats are words and conversions in turn.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/ktrace.h>

/* The tables of the interface. */
static_assert(_IOR(0xF5, 0, uint64_t) == KTRACE_BUF_GET_SIZE, "nr 0");
static_assert(_IOR(0xF5, 1, uint64_t) == KTRACE_BUF_GET_PRODUCED, "nr 1");
static_assert(_IOR(0xF5, 2, uint64_t) == KTRACE_BUF_GET_CONSUMED, "nr 2");
static_assert(_IO(0xF5, 3) == KTRACE_BUF_PUT_PRODUCED, "nr 3");
static_assert(_IOW(0xF5, 4, uint64_t) == KTRACE_BUF_PUT_CONSUMED, "nr 4");

#define MAX_IDS		65536
#define MAX_CPUS	256

static uint64_t count[MAX_IDS], sum[MAX_IDS];
static uint64_t events, missing;
/* Of the events to print. */
static char *names[MAX_IDS], *formats[MAX_IDS];

static void fail(const char *what, int cpu)
{
	fprintf(stderr, "ktrace_read: cpu%d: %s\n", cpu, what);
	exit(1);
}

/* The state of a stream: events are counted from the first clock record on. */
struct stream {
	int		cpu, fd;
	const char	*map;
	uint64_t	expected;
	uint64_t	sequence;
	uint64_t	base, last;
	int		begun;
};

static void read_clock(struct stream *s, const char *at, uint16_t size, int first)
{
	uint64_t number, sequence;
	uint32_t cpu;

	if (size != 64)
		fail("a clock record has not 64 bytes", s->cpu);
	memcpy(&s->base, at + 8, 8);
	memcpy(&number, at + 32, 8);
	memcpy(&sequence, at + 40, 8);
	memcpy(&cpu, at + 48, 4);
	if (cpu != (uint32_t)s->cpu)
		fail("a clock record is of another CPU", s->cpu);
	if (number < s->expected)
		fail("fewer events than records", s->cpu);
	if (s->begun && sequence != s->sequence + !!first)
		fail("sub-buffers are missing or out of order", s->cpu);
	missing += number - s->expected;
	s->expected = number;
	s->sequence = sequence;
	s->begun = 1;
}

/* Print the value of an argument. Return its bytes. */
static size_t print_value(struct stream *s, const char *conversion, const char *at,
			  const char *end)
{
	char letter = conversion[strlen(conversion) - 1];
	size_t size = strstr(conversion, "ll") ? 8 :
		strpbrk(conversion, "lz") ? sizeof(long) : 4;
	uint64_t value = 0;
	uint32_t low;

	if (letter == 's') {
		size = strnlen(at, end - at) + 1;
		if (size > (size_t)(end - at))
			fail("a string has no end", s->cpu);
		printf("%s", at);
		return size;
	}
	if (size > (size_t)(end - at))
		fail("an event is too short for its format", s->cpu);
	memcpy(size == 8 ? (void *)&value : (void *)&low, at, size);
	if (size == 4)
		value = letter == 'd' ? (uint64_t)(int32_t)low : low;
	printf(letter == 'd' ? "%lld" : letter == 'x' ? "%llx" : "%llu",
	       (unsigned long long)value);
	return size;
}

static void print_event(struct stream *s, const char *at, const char *end, uint16_t id)
{
	const char *format = formats[id];
	char word[64], conversion[16];
	int n;

	fputs(names[id], stdout);
	while (sscanf(format, "%63s %15s%n", word, conversion, &n) == 2) {
		printf(" %s=", word);
		at += print_value(s, conversion, at, end);
		format += n;
	}
	putchar('\n');
}

static void read_event(struct stream *s, const char *at, uint16_t id, uint16_t size)
{
	uint64_t value = 0;
	uint32_t delta;

	memcpy(&delta, at + 4, 4);
	if (s->base + delta < s->last)
		fail("time goes back", s->cpu);
	s->last = s->base + delta;
	if (size >= 16)
		memcpy(&value, at + 8, 8);
	count[id]++;
	sum[id] += value;
	if (names[id])
		print_event(s, at + 8, at + size, id);
	events++;
	s->expected++;
}

/* Read the records of a sub-buffer, or of the rest of one. */
static void read_records(struct stream *s, const char *at, uint64_t bytes)
{
	int first = 1;

	while (bytes) {
		uint16_t id, size;

		if (bytes < 8)
			fail("a record is cut off", s->cpu);
		memcpy(&id, at, 2);
		memcpy(&size, at + 2, 2);
		if (size < 8 || size % 8 || size > bytes)
			fail("the size of a record is wrong", s->cpu);
		if (first && id != 1)
			fail("a sub-buffer does not begin with a clock record", s->cpu);
		if (id == 1)
			read_clock(s, at, size, first);
		else if (id >= 16)
			read_event(s, at, id, size);
		else if (id)
			fail("an id that is reserved", s->cpu);
		first = 0;
		at += size;
		bytes -= size;
	}
}

/* Map the buffer, again if it was replaced. Return false if there is none at present. */
static int map_cpu(struct stream *s, uint64_t size)
{
	if (s->map)
		munmap((void *)s->map, size);
	s->map = mmap(NULL, size, PROT_READ, MAP_SHARED, s->fd, 0);
	if (s->map == MAP_FAILED)
		s->map = NULL;
	return !!s->map;
}

/* Read the oldest sub-buffer of a CPU. */
static void read_cpu(struct stream *s)
{
	uint64_t size, produced, consumed;

	if (ioctl(s->fd, KTRACE_BUF_GET_SIZE, &size))
		fail("GET_SIZE", s->cpu);
	if (!s->map && !map_cpu(s, size))
		fail("mmap", s->cpu);
	if (ioctl(s->fd, KTRACE_BUF_GET_CONSUMED, &consumed)) {
		if (errno != ESTALE || !map_cpu(s, size))
			fail("GET_CONSUMED", s->cpu);
		return;
	}
	if (ioctl(s->fd, KTRACE_BUF_GET_PRODUCED, &produced))
		fail("GET_PRODUCED", s->cpu);
	if (produced <= consumed || produced - consumed > size)
		fail("positions without bytes between them", s->cpu);
	read_records(s, s->map + consumed % size, produced - consumed);
	produced++;
	if (!ioctl(s->fd, KTRACE_BUF_PUT_CONSUMED, &produced) || errno != EINVAL)
		fail("PUT_CONSUMED takes a wrong position", s->cpu);
	produced--;
	if (ioctl(s->fd, KTRACE_BUF_PUT_CONSUMED, &produced))
		fail("PUT_CONSUMED", s->cpu);
}

/* Open the files of all CPUs; return their number. */
static int open_all(const char *folder, struct stream *streams, struct pollfd *polls)
{
	char path[256];
	int n = 0;

	for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
		snprintf(path, sizeof(path), "%s/cpu%d", folder, cpu);
		polls[n].fd = open(path, O_RDONLY);
		if (polls[n].fd < 0)
			continue;
		polls[n].events = POLLIN;
		streams[n].cpu = cpu;
		streams[n].fd = polls[n].fd;
		n++;
	}
	return n;
}

/* Read the names and formats of all events from the file INFO. */
static void read_formats(const char *path)
{
	char line[1024], name[256], format[512];
	FILE *file = fopen(path, "r");
	unsigned int id;

	if (!file)
		fail(path, -1);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%u %*c %255s \"%511[^\"]\"", &id, name, format) != 3)
			continue;
		names[id % MAX_IDS] = strdup(name);
		formats[id % MAX_IDS] = strdup(format);
	}
	fclose(file);
}

/* Forget the names of all but the given IDs. */
static void keep_names(char **ids, int n)
{
	static char keep[MAX_IDS];

	for (int i = 0; i < n; i++)
		keep[atoi(ids[i]) % MAX_IDS] = 1;
	for (int id = 0; id < MAX_IDS; id++)
		if (!keep[id])
			names[id] = NULL;
}

int main(int argc, char **argv)
{
	static struct stream streams[MAX_CPUS];
	static struct pollfd polls[MAX_CPUS];
	int n, left;

	if (argc > 2 && !strcmp(argv[1], "-p")) {
		read_formats(argv[2]);
		argc -= 2;
		argv += 2;
		keep_names(argv + 2, argc - 2);
	}
	if (argc < 2)
		return 2;
	n = open_all(argv[1], streams, polls);
	left = n;
	while (left) {
		if (poll(polls, n, -1) < 0)
			fail("poll", -1);
		for (int i = 0; i < n; i++) {
			if (polls[i].revents & POLLIN) {
				read_cpu(&streams[i]);
			} else if (polls[i].revents & POLLHUP) {
				polls[i].fd = -1;
				left--;
			}
		}
	}
	for (int i = 2; i < argc; i++) {
		unsigned int id = atoi(argv[i]) % MAX_IDS;

		printf("%u %llu %llu\n", id, (unsigned long long)count[id],
		       (unsigned long long)sum[id]);
	}
	printf("all %llu missing %llu\n", (unsigned long long)events,
	       (unsigned long long)missing);
	return 0;
}
