// SPDX-License-Identifier: GPL-2.0
/*
 * Does each record of a trace keep the rules of the ABI?
 *
 * Looks at every stream on its own; what several records say of one object is
 * the ledger's business.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "check/check-rules.h"
#include "check/check.h"
#include "common/names.h"

/* Bytes to read at a time. */
#define BUF_SIZE	(256 * 1024)

/* kmemtraced says how much it saved; older ones did not. */
static void check_file_size(struct check *c)
{
	uint64_t saved;

	if (c->dir && tracedir_meta_cpu(c->dir, "bytes.cpu", c->r->cpu,
					&saved) && c->r->in.size != saved)
		finding(c, RULE_FILE_SIZE, "%" PRIu64 " bytes, expected the %" PRIu64 " that were saved",
			c->r->in.size, saved);
}

static void check_end(struct check *c)
{
	uint64_t left = c->r->in.size - c->r->offset;

	if (c->r->fault == READER_TRUNCATED)
		finding(c, RULE_TAIL, "%" PRIu64 " bytes left, fewer than a record has",
			left);
	else if (c->r->fault == READER_BAD_SIZE)
		finding(c, RULE_EVENT_SIZE, "out of %zu to %d: the %" PRIu64 " bytes from here on can't be read",
			EVENT_MIN_SIZE, EVENT_MAX_SIZE, left);
	else if (c->r->fault == READER_CUT)
		finding(c, RULE_FRAME, "cut short: no whole one from byte %" PRIu64 " of the file on, and no table of them",
			c->r->in.fault_at);
	else if (c->r->fault == READER_DAMAGED)
		finding(c, RULE_FRAME, "the one at byte %" PRIu64 " of the file is damaged, nothing from there on can be read",
			c->r->in.fault_at);
	check_file_size(c);
}

static enum verdict summary(const struct check *c)
{
	uint64_t findings = check_summary(c);

	printf("%s: %" PRIu64 " records, ", c->r->path, c->records);
	if (c->lost)
		printf("%" PRIu64 " lost, ", c->lost);
	if (!findings) {
		puts("clean");
		return CLEAN;
	}
	printf("%" PRIu64 " findings\n", findings);
	return FINDINGS;
}

static enum verdict check_stream(struct context *ctx, struct files *files,
				 const char *name, int64_t cpu,
				 const struct tracedir *dir)
{
	struct check c = {
		.dir = dir, .cpu = cpu, .clock = -1, .last = INT64_MIN,
	};
	struct reader r;
	int ret;

	c.r = &r;
	c.abi = dir ? dir->abi_version : 0;
	ret = reader_open(&r, ctx, files, name, cpu < 0 ? 0 : cpu,
			  dir ? dir->order : ORDER_UNKNOWN, BUF_SIZE);
	while (!ret && (ret = reader_next_any(&r)) > 0) {
		if (r.rec.ev)
			check_record(&c, &r.rec);
		else
			check_pad(&c, &r.rec);
		ret = 0;
	}
	if (!ret)
		check_end(&c);
	if (!ret)
		ret = summary(&c);
	else
		ret = UNUSABLE;
	reader_close(&r);
	return ret;
}

/* The worse of two. */
enum verdict worse(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

static enum verdict check_streams(const struct tracedir *dir)
{
	enum verdict verdict = CLEAN;
	size_t i;

	if (dir->abi_version > KMEMTRACE_ABI_VERSION) {
		warnx("%s: ABI version %u: this program knows %d", dir->name,
		      dir->abi_version, KMEMTRACE_ABI_VERSION);
		return UNUSABLE;
	}
	for (i = 0; i < dir->nr_cpus; i++) {
		const struct trace_cpu *c = &dir->cpus[i];

		if (c->file) {
			verdict = worse(verdict, check_stream(dir->ctx, dir->files,
							      c->file, c->cpu, dir));
			continue;
		}
		warnx("%s: cpu%u.out is missing: the metadata has this CPU",
		      dir->name, c->cpu);
		verdict = UNUSABLE;
	}
	return verdict;
}

/* Check all streams of a trace. */
enum verdict check_files(struct context *ctx, struct files *files)
{
	enum verdict verdict = UNUSABLE;
	struct tracedir dir;

	if (!tracedir_open(&dir, ctx, files))
		verdict = check_streams(&dir);
	tracedir_close(&dir);
	return verdict;
}

static enum verdict check_dir(struct context *ctx, const char *path)
{
	enum verdict verdict = UNUSABLE;
	struct files *files;

	if (!files_open(&files, ctx, path, path))
		verdict = check_files(ctx, files);
	files_put(files);
	return verdict;
}

static enum verdict check_file(struct context *ctx, const char *path)
{
	enum verdict verdict;
	struct files *files;
	unsigned int cpu;

	if (files_open_here(&files, ctx))
		return UNUSABLE;
	verdict = check_stream(ctx, files, path,
			       name_is_stream(path, &cpu) ? (int64_t)cpu : -1, NULL);
	files_put(files);
	return verdict;
}

/**
 * check_path - check a stream, or all streams of a trace directory
 * @path: file or directory
 *
 * Prints findings and a line for each stream to the standard output.
 *
 * Return: the worst verdict on any of them.
 */
enum verdict check_path(const char *path)
{
	struct context ctx = { .say = NULL };
	struct stat st;

	if (stat(path, &st) < 0) {
		warn("%s", path);
		return UNUSABLE;
	}
	return S_ISDIR(st.st_mode) ? check_dir(&ctx, path) :
				     check_file(&ctx, path);
}
