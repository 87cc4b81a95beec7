// SPDX-License-Identifier: GPL-2.0
/*
 * metadata.c - describe the machine and the run for a reader on another machine
 */
#include "config.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "daemon/metadata.h"
#include "daemon/outdir.h"

#define SYS_CPU "/sys/devices/system/cpu"

/* Most bytes of a command: the metadata has a bound. */
#define MAX_COMMAND	1024

/* A 32-bit program may run on a 64-bit kernel: ask the kernel (6.3 and later). */
static int word_bits(void)
{
	char text[16];

	if (file_read_line(AT_FDCWD, "/sys/kernel/address_bits", text,
			   sizeof(text)))
		return 8 * sizeof(long);
	return atoi(text);
}

/* A note is a header, a name and contents, both padded to 4 bytes. */
static void print_build_id(FILE *out)
{
	FILE *f = fopen("/sys/kernel/notes", "re");
	unsigned char desc[256];
	Elf32_Nhdr note;
	char name[256];
	size_t i, namesz, descsz;

	if (!f)
		return;
	while (fread(&note, sizeof(note), 1, f) == 1) {
		namesz = (note.n_namesz + 3ul) & ~3ul;
		descsz = (note.n_descsz + 3ul) & ~3ul;
		if (namesz > sizeof(name) || descsz > sizeof(desc))
			break;
		if (fread(name, 1, namesz, f) != namesz ||
		    fread(desc, 1, descsz, f) != descsz)
			break;
		if (note.n_type != NT_GNU_BUILD_ID ||
		    note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			continue;
		fputs("build_id: ", out);
		for (i = 0; i < note.n_descsz; i++)
			fprintf(out, "%02x", desc[i]);
		fputc('\n', out);
		break;
	}
	fclose(f);
}

static void print_line_of_file(FILE *out, const char *key, const char *path)
{
	char text[4096];

	if (!file_read_line(AT_FDCWD, path, text, sizeof(text)))
		fprintf(out, "%s: %s\n", key, text);
}

/* Return the node of @cpu, 0 without NUMA; -1: no such CPU. */
static int cpu_node(int cpu)
{
	char path[64];
	struct dirent *entry;
	int found, node = 0;
	DIR *dir;

	snprintf(path, sizeof(path), SYS_CPU "/cpu%d", cpu);
	dir = opendir(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		if (sscanf(entry->d_name, "node%d", &found) == 1)
			node = found;
	closedir(dir);
	return node;
}

static void print_nodes(FILE *out)
{
	char possible[4096], *last;
	int cpu, node, max;

	if (file_read_line(AT_FDCWD, SYS_CPU "/possible", possible,
			   sizeof(possible)))
		return;
	fprintf(out, "cpus: %s\n", possible);
	last = strrchr(possible, '\0');
	while (last > possible && strchr("0123456789", last[-1]))
		last--;
	max = atoi(last);
	for (cpu = 0; cpu <= max; cpu++) {
		node = cpu_node(cpu);
		if (node >= 0)
			fprintf(out, "node.cpu%d: %d\n", cpu, node);
	}
}

static void print_this_machine(FILE *out)
{
	struct utsname u;

	fprintf(out, "byte_order: %s\n",
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big" : "little");
	fprintf(out, "word_bits: %d\n", word_bits());
	fprintf(out, "page_size: %ld\n", sysconf(_SC_PAGESIZE));
	fprintf(out, "ram_bytes: %" PRIu64 "\n",
		(uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
	if (!uname(&u)) {
		fprintf(out, "kernel_release: %s\n", u.release);
		fprintf(out, "machine: %s\n", u.machine);
		fprintf(out, "host: %s\n", u.nodename);
	}
	print_build_id(out);
	print_line_of_file(out, "boot_id", "/proc/sys/kernel/random/boot_id");
	print_line_of_file(out, "cmdline", "/proc/cmdline");
	print_nodes(out);
}

static void print_control(FILE *out, const struct control *ctl)
{
	char clock[64];

	fprintf(out, "recorder: %s\n", ctl->recorder->name);
	if (ctl->dir < 0)
		return;
	control_clock(ctl, clock, sizeof(clock));
	fprintf(out, "abi_version: %lu\n", ctl->abi_version);
	fprintf(out, "clock: %s\n", clock);
	fprintf(out, "subbuf_size: %lu\n", ctl->subbuf_size);
	fprintf(out, "n_subbufs: %lu\n", ctl->n_subbufs);
	fprintf(out, "max_subbufs: %lu\n", control_max_subbufs(ctl));
}

/*
 * A recorder that is not built into the kernel has a file with lines of the metadata:
 * what it is, and what it does not see.
 */
static void print_recorder_source(FILE *out, const struct control *ctl)
{
	char text[4096];

	/* The next line of the metadata needs a line of its own. */
	if (file_read_text(ctl->dir, "source", text, sizeof(text)) > 0)
		fputs(text, out);
}

/* The readers compare "bytes" with the size of the stream. */
static void print_streams(FILE *out, const struct run_facts *run)
{
	size_t i;

	for (i = 0; i < run->n_streams; i++) {
		const struct stream_result *r = &run->streams[i];

		fprintf(out, "bytes.cpu%d: %" PRIu64 "\n", r->cpu, r->bytes);
		fprintf(out, "stored.cpu%d: %" PRIu64 "\n", r->cpu, r->stored);
		fprintf(out, "dropped.cpu%d: %" PRIu64 "\n", r->cpu,
			r->dropped);
	}
}

static void print_losses(FILE *out, const struct run_facts *run)
{
	uint64_t total = 0;
	int i;

	for (i = 0; i < run->n_overruns; i++) {
		const struct overrun *o = &run->overruns[i];

		fprintf(out, "overruns.cpu%d: %" PRIu64 "\n", o->cpu, o->all.bytes);
		fprintf(out, "lost.cpu%d: %" PRIu64 "\n", o->cpu, o->all.records);
		total += o->all.bytes;
		if (run->overwrites)
			fprintf(out, "overwritten.cpu%d: %" PRIu64 "\n", o->cpu,
				o->overwritten);
	}
	if (run->n_overruns >= 0)
		fprintf(out, "total_overruns: %" PRIu64 "\n", total);
}

/* Print how far a trace has come whose reader follows it. */
static void print_progress(FILE *out, const struct run_facts *run)
{
	int i;

	fprintf(out, "flushed_ns: %" PRIu64 "\n", run->flushed_ns);
	for (i = 0; i < run->n_overruns; i++)
		fprintf(out, "unread.cpu%d: %" PRIu64 "\n", run->overruns[i].cpu,
			run->unread[i]);
	print_losses(out, run);
}

/* Print the words of the command, which is a line of the metadata. */
static void print_command(FILE *out, char *const *word)
{
	size_t nr = 0;
	const char *c;

	if (!word)
		return;
	fputs("command:", out);
	for (; *word; word++) {
		putc(' ', out);
		for (c = *word; *c && nr < MAX_COMMAND; c++, nr++)
			putc(*c == '\n' ? ' ' : *c, out);
	}
	putc('\n', out);
}

static void print_run(FILE *out, const struct run_facts *run)
{
	if (run->more)
		fputs(run->more, out);
	print_command(out, run->command);
	fprintf(out, "compression: %s\n", run->compressed ? "zstd" : "none");
	if (run->overwrites)
		fputs("overwrites: yes\n", out);
	fprintf(out, "start_ns: %" PRIu64 "\n", run->start_ns);
	fprintf(out, "realtime_ns: %" PRIu64 "\n", run->realtime_ns);
	fprintf(out, "utc_offset: %ld\n", run->utc_offset);
	if (run->until_ns)
		fprintf(out, "until_ns: %" PRIu64 "\n", run->until_ns);
	if (run->end_ns) {
		fprintf(out, "end_ns: %" PRIu64 "\n", run->end_ns);
		print_losses(out, run);
		print_streams(out, run);
	} else if (run->flushed_ns) {
		print_progress(out, run);
	}
	fprintf(out, "state: %s\n", run->state);
}

/**
 * run_begin - note when a run begins
 * @run: the run
 * @start_ns: CLOCK_MONOTONIC, now or shortly before
 */
void run_begin(struct run_facts *run, uint64_t start_ns)
{
	struct timespec real;
	struct tm local;

	clock_gettime(CLOCK_REALTIME, &real);
	run->start_ns = start_ns;
	run->realtime_ns = (uint64_t)real.tv_sec * NSEC_PER_SEC + real.tv_nsec -
			   (now_ns() - start_ns);
	run->utc_offset = localtime_r(&real.tv_sec, &local) ? local.tm_gmtoff : 0;
}

/**
 * run_state - name the state that a run has at its end
 * @run: the run; its streams are closed
 * @drained: the kernel has no records left
 *
 * Return: "complete" if all records were saved, else "interrupted".
 */
const char *run_state(const struct run_facts *run, bool drained)
{
	size_t i;

	for (i = 0; i < run->n_streams; i++)
		if (run->streams[i].action || run->streams[i].dropped)
			return "interrupted";
	return drained ? "complete" : "interrupted";
}

/**
 * struct description - what the metadata describe
 * @ctl: the kernel's interface
 * @run: the run
 */
struct description {
	const struct control *ctl;
	const struct run_facts *run;
};

static int print_metadata(FILE *out, void *arg)
{
	const struct description *d = arg;

	print_control(out, d->ctl);
	print_recorder_source(out, d->ctl);
	print_this_machine(out);
	print_run(out, d->run);
	return 0;
}

/**
 * metadata_write - write the metadata of a trace, or replace it atomically
 * @dir: the trace directory
 * @ctl: the kernel's interface; if it is not open, its recorder counts only
 * @run: this run
 *
 * Return: 0 or -errno; after an error the old metadata is still there.
 */
int metadata_write(int dir, const struct control *ctl, const struct run_facts *run)
{
	return outdir_replace(dir, "metadata", print_metadata, &(struct description) { ctl, run });
}
