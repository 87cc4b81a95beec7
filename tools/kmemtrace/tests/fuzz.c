// SPDX-License-Identifier: GPL-2.0
/*
 * Check and report must survive whatever a file holds: spoil a sound trace in
 * a thousand ways, always the same ones, and run both on each.
 *
 * fuzz DIR WORK: DIR is the sound trace, WORK a directory for spoiled ones.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "diff.h"
#include "groups.h"
#include "memory.h"
#include "outdir.h"
#include "packet.h"
#include "unpack.h"
#include "views.h"

#define RUNS		1000
#define STREAM_RUNS	200
#define MAX_FILE	(256 * 1024)

#define NR_FILES	6

static const char * const plain[NR_FILES] = {
	"cpu0.out", "cpu1.out", "metadata", "kallsyms", "modules", "slabs",
};

static const char * const compressed[NR_FILES] = {
	"cpu0.out.zst", "cpu1.out.zst", "metadata", "kallsyms", "modules", "slabs",
};

struct file {
	unsigned char data[MAX_FILE];
	size_t len;
};

static uint64_t seed = 1;

/* xorshift64 */
static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static bool is_in(const char *dir, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !access(path, F_OK);
}

/* Remove all files. */
static void clear(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	if (fd < 0 || outdir_clear(fd))
		err(EXIT_UNUSABLE, "%s", dir);
	close(fd);
}

static FILE *open_in(const char *dir, const char *name, const char *mode)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, mode);
	if (!f)
		err(EXIT_UNUSABLE, "%s", path);
	return f;
}

static void load(struct file *file, const char *dir, const char *name)
{
	FILE *f = open_in(dir, name, "r");

	file->len = fread(file->data, 1, sizeof(file->data), f);
	fclose(f);
}

static void store(const struct file *file, const char *dir, const char *name)
{
	FILE *f = open_in(dir, name, "w");

	if (fwrite(file->data, 1, file->len, f) != file->len)
		err(EXIT_UNUSABLE, "write");
	fclose(f);
}

/*
 * A flipped bit, a wild byte, a word as large as can be, a lost piece or a lost
 * end; mostly several.
 */
static void spoil(struct file *file)
{
	unsigned int n = 1 + draw(20);
	size_t at, len;

	while (n--) {
		if (!file->len)
			return;
		at = draw(file->len);
		switch (draw(16)) {
		case 0:
			file->len = at;
			break;
		case 1:
			len = draw(file->len - at + 1) % 100;
			memmove(file->data + at, file->data + at + len,
				file->len - at - len);
			file->len -= len;
			break;
		case 2:
		case 3:
			file->data[at] = draw(256);
			break;
		case 4:
			at -= at % 8;
			len = file->len - at < 8 ? file->len - at : 8;
			memset(file->data + at, 0xff, len);
			break;
		default:
			file->data[at] ^= 1 << draw(8);
		}
	}
}

static bool is_like_itself(const struct report *r, FILE *out)
{
	struct diff d;
	bool empty;

	diff_init(&d, r, r, NULL);
	diff_text(&d, out);
	empty = diff_is_empty(&d);
	diff_free(&d);
	return empty;
}

/*
 * Whatever a trace says: the peak is the highest point of the timeline, who owned it
 * then owned all of it, and the timeline ends with what is live at the end.
 */
static bool history_adds_up(const struct trace *t, enum space space)
{
	const struct history *h = &t->ledger.history;
	const struct table *sites = &t->ledger.stats.sites[space];
	struct row sum = { 0 };
	int64_t most = 0, live = 0;
	uint32_t i;

	for (i = 0; i < sites->nr; i++)
		row_add(&sum, &sites->rows[i]);
	for (i = 0; i < h->nr_steps; i++) {
		live = h->steps[i].live[space];
		if (h->steps[i].most[space] > most)
			most = h->steps[i].most[space];
	}
	return h->peaks[space].bytes == most && sum.peak == (uint64_t)most &&
	       sum.live_alloc == (uint64_t)live;
}

/* Every other time, not all is wanted. */
static struct trace_options draw_options(void)
{
	static const char * const texts[NR_FILTERS] = {
		[FILTER_SITE] = "site_*[13579]",
		[FILTER_MODULE] = "kernel",
		[FILTER_TYPE] = "kmalloc,pages,vmalloc",
		[FILTER_CPU] = "1",
		[FILTER_SIZE] = "-1K",
	};
	struct trace_options options = { .threads = 1 };
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (!draw(8))
			filter_set(&options.filter, i, texts[i]);
	return options;
}

static bool report_on(const char *dir, FILE *out)
{
	struct report r = {
		.sort = &sort_keys[0],
		.group = group_key_find("line"),
		.limit = 10,
		.style = &style_coloured,
	};
	const struct trace_options options = draw_options();
	struct trace trace;
	json_object *obj;
	bool read;
	int space;

	read = !trace_load(&trace, dir, dir, &options);
	if (read) {
		r.trace = &trace;
		for (space = 0; space < NR_SPACES; space++)
			if (!history_adds_up(&trace, space))
				errx(EXIT_FAILURE, "%s: the timeline of namespace %d doesn't add up",
				     dir, space);
		report_text(&r, out);
		report_folded(&r, out);
		if (!is_like_itself(&r, out))
			errx(EXIT_FAILURE, "%s: differs from itself", dir);
		obj = report_json(&r);
		fputs(json_object_to_json_string(obj), out);
		json_object_put(obj);
	}
	trace_free(&trace);
	return read;
}

/* A file as small packets, so that damage hits their first lines too. */
static void pack(struct file *stream, const struct file *file, const char *name)
{
	char *to = (char *)stream->data;
	size_t at, n;

	for (at = 0; at < file->len; at += n) {
		n = file->len - at < 200 ? file->len - at : 200;
		/* Metadata is one packet. */
		if (!strcmp(name, PACKET_METADATA))
			n = file->len;
		if (stream->len + n + 2 * PACKET_MAX_LINE > MAX_FILE)
			errx(EXIT_UNUSABLE, "%s: too large", name);
		stream->len += sprintf(to + stream->len, "%s %zu\n", name, n);
		memcpy(to + stream->len, file->data + at, n);
		stream->len += n;
	}
}

/* Of a stream that may be spoiled, what was unpacked of it is checked, and reported on. */
static bool try_stream(const struct file *spoiled, const char *dir, FILE *out)
{
	FILE *in = fmemopen((void *)spoiled->data, spoiled->len, "r");
	bool cut, reported = false;

	if (in && !unpack(in, dir, &cut)) {
		check_path(dir, dir);
		reported = report_on(dir, out);
	}
	if (in)
		fclose(in);
	clear(dir);
	return reported;
}

static unsigned int try_streams(const struct file *files,
				const char * const *names, const char *dir,
				FILE *out)
{
	static struct file sound, spoiled;
	unsigned int run, reported = 0;
	size_t i;

	sound.len = sprintf((char *)sound.data, PACKET_MAGIC "\n");
	for (i = 0; i < NR_FILES; i++)
		pack(&sound, &files[i], names[i]);
	sound.len += sprintf((char *)sound.data + sound.len, PACKET_END "\n");
	clear(dir);
	if (!try_stream(&sound, dir, out))
		errx(EXIT_FAILURE, "not a sound stream");
	for (run = 0; run < STREAM_RUNS; run++) {
		spoiled = sound;
		spoil(&spoiled);
		reported += try_stream(&spoiled, dir, out);
	}
	return reported;
}

int main(int argc, char **argv)
{
	static struct file sound[NR_FILES], spoiled;
	unsigned int run, verdicts[3] = { 0 }, reported = 0;
	FILE *null = fopen("/dev/null", "w");
	const char * const *names;
	size_t i;

	if (argc != 3 || !null)
		errx(EXIT_UNUSABLE, "need DIR and WORK");
	names = is_in(argv[1], compressed[0]) ? compressed : plain;
	for (i = 0; i < NR_FILES; i++) {
		load(&sound[i], argv[1], names[i]);
		store(&sound[i], argv[2], names[i]);
	}
	if (check_path(argv[2], argv[2]) != CLEAN || !report_on(argv[2], null))
		errx(EXIT_FAILURE, "%s: not a sound trace", argv[1]);

	for (run = 0; run < RUNS; run++) {
		/* The streams more often than the rest. */
		i = draw(2) ? draw(2) : draw(NR_FILES);
		spoiled = sound[i];
		spoil(&spoiled);
		store(&spoiled, argv[2], names[i]);
		verdicts[check_path(argv[2], argv[2])]++;
		reported += report_on(argv[2], null);
		store(&sound[i], argv[2], names[i]);
	}
	fprintf(stderr, "%d spoiled traces: %u clean, %u with findings, %u unusable; %u reports\n",
		RUNS, verdicts[CLEAN], verdicts[FINDINGS], verdicts[UNUSABLE],
		reported);
	run = try_streams(sound, names, argv[2], null);
	fprintf(stderr, "%d spoiled streams: %u reports\n", STREAM_RUNS, run);
	/* A fuzzer whose damage goes unseen, or that always stops, tests nothing. */
	return verdicts[FINDINGS] < RUNS / 4 || reported < RUNS / 4 ||
	       run < STREAM_RUNS / 8 || run == STREAM_RUNS;
}
