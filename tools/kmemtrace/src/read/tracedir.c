// SPDX-License-Identifier: GPL-2.0
/*
 * Find out what is in a trace directory. Reads names and metadata, no stream.
 */
#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/memory.h"
#include "common/message.h"
#include "common/names.h"
#include "common/text.h"
#include "read/tracedir.h"

static bool parse_u64(const char *s, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, 10);
	return !errno && !*end;
}

static int add_cpu(struct tracedir *t, unsigned int cpu, char *path, char *name)
{
	struct trace_cpu *cpus = grow_list(t->cpus, t->nr_cpus, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	t->cpus = cpus;
	cpus[t->nr_cpus++] = (struct trace_cpu) {
		.cpu = cpu, .path = path, .name = name,
	};
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct trace_cpu *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void sort_cpus(struct tracedir *t)
{
	if (t->nr_cpus)
		qsort(t->cpus, t->nr_cpus, sizeof(*t->cpus), by_number);
}

static int add_stream(struct tracedir *t, unsigned int cpu, const char *file)
{
	char *name, *path = tracedir_file(t, file);

	if (asprintf(&name, "%s/%s", t->name, file) < 0)
		name = NULL;
	if (path && name && !add_cpu(t, cpu, path, name))
		return 0;
	free(path);
	free(name);
	return -ENOMEM;
}

/* Which of a stream's two forms is meant nobody can know. */
static int refuse_doubles(const struct tracedir *t)
{
	size_t i;

	for (i = 1; i < t->nr_cpus; i++) {
		if (t->cpus[i].cpu != t->cpus[i - 1].cpu)
			continue;
		message("%s: has cpu%u.out as well as cpu%u.out%s; remove one of them",
		      t->name, t->cpus[i].cpu, t->cpus[i].cpu,
		      SUFFIX_COMPRESSED);
		return -EEXIST;
	}
	return 0;
}

static int find_streams(struct tracedir *t)
{
	struct dirent *de;
	unsigned int cpu;
	int ret = 0;
	DIR *dir;

	dir = opendir(t->path);
	if (!dir) {
		ret = -errno;
		message_errno("%s: open", t->path);
		return ret;
	}
	while (!ret && (de = readdir(dir))) {
		if (name_is_stream(de->d_name, &cpu))
			ret = add_stream(t, cpu, de->d_name);
	}
	closedir(dir);
	sort_cpus(t);
	return ret ? ret : refuse_doubles(t);
}

/* Is this CPU among the first @nr, which are in order? */
static bool has_cpu(const struct tracedir *t, size_t nr, unsigned int cpu)
{
	struct trace_cpu key = { .cpu = cpu };

	return nr && bsearch(&key, t->cpus, nr, sizeof(key), by_number);
}

/* Of a CPU without a stream, one is enough. */
static void forget_doubles(struct tracedir *t)
{
	size_t i, nr = 0;

	for (i = 0; i < t->nr_cpus; i++)
		if (!nr || t->cpus[i].cpu != t->cpus[nr - 1].cpu)
			t->cpus[nr++] = t->cpus[i];
	t->nr_cpus = nr;
}

/*
 * Does a line of the metadata say that this CPU has a stream? One that had a
 * buffer has a line on its losses.
 */
static bool names_cpu(const struct meta *meta, uint64_t *cpu)
{
	uint64_t bytes;

	if (!strncmp(meta->key, "overruns.cpu", 12))
		return parse_u64(meta->key + 12, cpu);
	return !strncmp(meta->key, "bytes.cpu", 9) &&
	       parse_u64(meta->key + 9, cpu) &&
	       parse_u64(meta->value, &bytes) && bytes;
}

static int find_missing(struct tracedir *t)
{
	size_t i, present = t->nr_cpus;
	uint64_t cpu;
	int ret = 0;

	for (i = 0; !ret && i < t->nr_meta; i++) {
		if (names_cpu(&t->meta[i], &cpu) && cpu <= MAX_CPU &&
		    !has_cpu(t, present, cpu))
			ret = add_cpu(t, cpu, NULL, NULL);
	}
	sort_cpus(t);
	forget_doubles(t);
	t->nr_missing = t->nr_cpus - present;
	return ret;
}

/* "key: value\n" */
static int add_meta(struct tracedir *t, char *line)
{
	char *value = strstr(line, ": ");
	struct meta *meta;

	line[strcspn(line, "\n")] = '\0';
	if (!value)
		return 0;
	*value = '\0';
	meta = grow_list(t->meta, t->nr_meta, sizeof(*meta));
	if (!meta)
		return -ENOMEM;
	t->meta = meta;
	meta += t->nr_meta;
	meta->line = t->nr_meta++;
	meta->key = strdup(line);
	meta->value = strdup(value + 2);
	return meta->key && meta->value ? 0 : -ENOMEM;
}

/* Lines with one key stay as they were: the first of them counts. */
static int by_key(const void *a, const void *b)
{
	const struct meta *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void sort_meta(struct tracedir *t)
{
	if (t->nr_meta)
		qsort(t->meta, t->nr_meta, sizeof(*t->meta), by_key);
}

static int read_metadata(struct tracedir *t)
{
	char *path = tracedir_file(t, "metadata");
	char *line = NULL;
	size_t size = 0;
	FILE *f;
	int ret;

	if (!path)
		return -ENOMEM;
	ret = file_open_stream(path, &f);
	free(path);
	if (!f)
		return ret;
	t->has_metadata = true;
	while (!ret && getline(&line, &size, f) > 0)
		ret = add_meta(t, line);
	free(line);
	fclose(f);
	if (!ret)
		sort_meta(t);
	return ret;
}

static int bad_meta(const struct tracedir *t, const char *key)
{
	char value[64];

	message("%s/metadata: %s: '%s' makes no sense", t->name, key,
	      text_printable(value, sizeof(value), tracedir_meta(t, key)));
	return -EINVAL;
}

/* A key that is not there keeps its default. */
static int meta_number(const struct tracedir *t, const char *key,
		       uint64_t *value)
{
	if (!tracedir_meta(t, key) || tracedir_meta_u64(t, key, value))
		return 0;
	return bad_meta(t, key);
}

static int use_metadata(struct tracedir *t)
{
	const char *order = tracedir_meta(t, "byte_order");
	uint64_t abi = 0, bits = 0, page_size = 4096;
	int ret;

	if (order && !strcmp(order, "little"))
		t->order = ORDER_LITTLE;
	else if (order && !strcmp(order, "big"))
		t->order = ORDER_BIG;
	else if (order)
		return bad_meta(t, "byte_order");

	ret = meta_number(t, "abi_version", &abi);
	if (!ret && (abi > UINT32_MAX ||
		     (!abi && tracedir_meta(t, "abi_version"))))
		ret = bad_meta(t, "abi_version");
	if (!ret)
		ret = meta_number(t, "word_bits", &bits);
	if (!ret && bits != 0 && bits != 32 && bits != 64)
		ret = bad_meta(t, "word_bits");
	if (!ret)
		ret = meta_number(t, "page_size", &page_size);
	if (!ret && (page_size < 1024 || page_size > (1 << 20) ||
		     page_size & (page_size - 1)))
		ret = bad_meta(t, "page_size");

	t->abi_version = abi;
	t->word_bits = bits;
	t->page_size = page_size;
	return ret;
}

/**
 * tracedir_open - look into a trace directory
 * @t: result; tracedir_close() it also after an error
 * @path: the directory
 * @name: what messages call it
 *
 * Return: 0, or -errno after a message. -ENOENT: no stream is there.
 */
int tracedir_open(struct tracedir *t, const char *path, const char *name)
{
	int ret;

	memset(t, 0, sizeof(*t));
	t->name = name;
	t->path = strdup(path);
	if (!t->path)
		return -ENOMEM;
	ret = find_streams(t);
	if (!ret && !t->nr_cpus) {
		message("%s: no trace here: no file is named cpu<n>.out or cpu<n>.out.zst", name);
		ret = -ENOENT;
	}
	if (!ret)
		ret = read_metadata(t);
	if (!ret)
		ret = use_metadata(t);
	if (!ret)
		ret = find_missing(t);
	return ret;
}

/* Give back what tracedir_open() took. */
void tracedir_close(struct tracedir *t)
{
	size_t i;

	for (i = 0; i < t->nr_cpus; i++) {
		free(t->cpus[i].path);
		free(t->cpus[i].name);
	}
	free(t->cpus);
	for (i = 0; i < t->nr_meta; i++) {
		free(t->meta[i].key);
		free(t->meta[i].value);
	}
	free(t->meta);
	free(t->path);
	memset(t, 0, sizeof(*t));
}

/* Is there a stream in this directory? */
bool tracedir_holds_trace(const char *path)
{
	struct dirent *de;
	bool found = false;
	unsigned int cpu;
	DIR *dir;

	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (de = readdir(dir)))
		found = name_is_stream(de->d_name, &cpu);
	closedir(dir);
	return found;
}

/**
 * tracedir_file - the path of a file in the directory
 * @t: the directory
 * @name: name of the file, which need not exist
 *
 * Return: a string to free(), NULL without memory.
 */
char *tracedir_file(const struct tracedir *t, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", t->path, name) < 0 ? NULL : path;
}

/* The value of a metadata key, that of its first line if there are many, or NULL. */
const char *tracedir_meta(const struct tracedir *t, const char *key)
{
	size_t first = 0, end = t->nr_meta, i;

	while (first < end) {
		i = first + (end - first) / 2;
		if (strcmp(t->meta[i].key, key) < 0)
			first = i + 1;
		else
			end = i;
	}
	if (first == t->nr_meta || strcmp(t->meta[first].key, key))
		return NULL;
	return t->meta[first].value;
}

/* A number from the metadata; false when it is missing or no number. */
bool tracedir_meta_u64(const struct tracedir *t, const char *key,
		       uint64_t *value)
{
	const char *s = tracedir_meta(t, key);

	return s && parse_u64(s, value);
}

/* The same for a key that ends in a CPU number, like "overruns.cpu". */
bool tracedir_meta_cpu(const struct tracedir *t, const char *key,
		       unsigned int cpu, uint64_t *value)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%u", key, cpu);
	return tracedir_meta_u64(t, name, value);
}
