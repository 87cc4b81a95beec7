// SPDX-License-Identifier: GPL-2.0
/*
 * A trace as one stream: the files from it, and the streams that are refused.
 */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "common/packet.h"
#include "read/spool.h"
#include "test-files.h"

#define MAGIC	PACKET_MAGIC "\n"

static struct files *files;

/* Read a stream of these bytes. */
static int spool_bytes(const char *bytes, size_t len)
{
	FILE *in = fmemopen((void *)bytes, len, "r");
	int ret;

	assert_non_null(in);
	ret = files_open_stream(&files, &test_ctx, in, "in", NULL);
	fclose(in);
	return ret;
}

static int spool_text(const char *text)
{
	return spool_bytes(text, strlen(text));
}

static bool is_cut(void)
{
	return files_stream(files)->is_cut;
}

static void assert_file(const char *name, const char *expected)
{
	char out[256] = "";
	struct file f;
	size_t i, len;

	assert_int_equal(file_open(&f, files, &test_ctx, name), 0);
	len = strlen(expected);
	assert_int_equal(f.size, len);
	for (i = 0; i <= len; i++) {
		assert_int_equal(file_read(&f, out, sizeof(out), i), len - i);
		assert_memory_equal(out, expected + i, len - i);
	}
	file_close(&f);
}

static int count(void *nr, const char *name)
{
	(void)name;
	++*(int *)nr;
	return 0;
}

static int count_files(void)
{
	int nr = 0;

	assert_int_equal(files_each(files, &test_ctx, count, &nr), 0);
	return nr;
}

static void test_whole(void **state)
{
	(void)state;
	assert_int_equal(spool_text(MAGIC
		"metadata 8\nstate: a"
		"cpu0.out 3\nabc"
		"cpu12.out.zst 2\n\n\n"
		"cpu0.out 0\n"
		"cpu0.out 2\nde"
		"kallsyms 1\nk" "modules 1\nm" "slabs 0\n"
		"metadata 6\nstate:"
		"end\nnot read"), 0);
	assert_false(is_cut());
	assert_file("metadata", "state:");
	assert_file("cpu0.out", "abcde");
	assert_file("cpu12.out.zst", "\n\n");
	assert_file("kallsyms", "k");
	assert_file("slabs", "");
	assert_int_equal(count_files(), 6);
	files_put(files);
}

/* More packets than names, in turns: each file has its own parts in their order. */
static void check_turns(void)
{
	enum { NR = 5000, CPUS = 7 };
	static const char * const pieces[] = { "", "a", "bc" };
	static char text[NR * 24], expected[CPUS][NR];
	size_t len = sprintf(text, MAGIC), i;
	char name[16];

	memset(expected, 0, sizeof(expected));
	for (i = 0; i < NR; i++) {
		len += sprintf(text + len, "cpu%zu.out %zu\n%s", i % CPUS, i % 3,
			       pieces[i % 3]);
		strcat(expected[i % CPUS], pieces[i % 3]);
	}
	sprintf(text + len, "end\n");
	assert_int_equal(spool_text(text), 0);
	for (i = 0; i < CPUS; i++) {
		struct file f;
		char out[NR];

		sprintf(name, "cpu%zu.out", i);
		assert_int_equal(file_open(&f, files, &test_ctx, name), 0);
		assert_int_equal(file_read(&f, out, sizeof(out), 0), strlen(expected[i]));
		assert_memory_equal(out, expected[i], strlen(expected[i]));
		file_close(&f);
	}
}

/* A small stream stays in memory. */
static void test_turns(void **state)
{
	(void)state;
	check_turns();
	assert_int_equal(files_stream(files)->fd, -1);
	files_put(files);
}

/* What has no room in memory goes to a temporary file. */
static void test_temporary(void **state)
{
	const uint64_t room = spool_room;

	(void)state;
	spool_room = 512;
	check_turns();
	assert_true(files_stream(files)->fd >= 0);
	files_put(files);
	spool_room = room;
}

/* Read all of a stream. Return its file cpu0.out. */
static struct spooled *begin_blocks(struct spool *s, FILE *in)
{
	spool_begin(s, &test_ctx, in, "in", NULL);
	while (spool_pull(s) > 0)
		;
	assert_true(s->is_over);
	return spool_find(s, "cpu0.out");
}

static void assert_block(const struct spool *s, const struct spooled *f, unsigned int nr)
{
	char out[512];

	assert_int_equal(spooled_read(s, f, out, sizeof(out), nr * sizeof(out)), sizeof(out));
	assert_int_equal(out[0], (char)nr);
	assert_int_equal(out[511], (char)nr);
}

/* Bytes that were read can be forgotten, in memory and in the temporary file. */
static void test_forget(void **state)
{
	enum { BLOCKS = 200 };
	static char text[64 + BLOCKS * 512];
	const uint64_t room = spool_room;
	struct spooled *f;
	struct spool s;
	size_t len, i;
	FILE *in;

	(void)state;
	len = sprintf(text, MAGIC "cpu0.out %d\n", BLOCKS * 512);
	for (i = 0; i < BLOCKS; i++, len += 512)
		memset(text + len, i, 512);
	len += sprintf(text + len, "end\n");
	in = fmemopen(text, len, "r");
	assert_non_null(in);
	spool_room = 64 * 512;
	f = begin_blocks(&s, in);
	assert_true(s.held <= spool_room + 8192);
	assert_true(s.stored > 0);
	for (i = 0; i < BLOCKS; i++) {
		assert_block(&s, f, i);
		if (i + 1 < BLOCKS)
			assert_block(&s, f, BLOCKS - 1);
		spooled_forget(&s, f, i * 512);
	}
	assert_true(s.held <= 8192);
	assert_int_equal(s.written, 0);
	assert_int_equal(lseek(s.fd, 0, SEEK_END), 0);
	spool_free(&s);
	fclose(in);
	spool_room = room;
}

/* For any cut, the files have all earlier data, but no partial metadata. */
static void test_cut(void **state)
{
	static const char text[] = MAGIC "metadata 3\nold" "cpu0.out 3\nabc"
		"metadata 3\nnew" "end\n";
	size_t len;

	(void)state;
	for (len = 1; len + 1 < sizeof(text); len++) {
		assert_int_equal(spool_bytes(text, len), 0);
		assert_true(is_cut());
		if (len >= strlen(MAGIC "metadata 3\nold"))
			assert_file("metadata", len < sizeof(text) - 1 -
				    strlen("end\n") ? "old" : "new");
		if (len == strlen(MAGIC "metadata 3\nold" "cpu0.out 3\nab"))
			assert_file("cpu0.out", "ab");
		files_put(files);
	}
}

/* A stream may be fed byte by byte. A packet of a text counts once all of it is there. */
static void test_fed(void **state)
{
	static const char text[] = MAGIC "metadata 3\nold" "modules 2\na\n" "cpu0.out 3\nabc"
		"modules 2\nb\n" "metadata 4\nnew\n" "end\nnot read";
	const size_t first = strlen(MAGIC "metadata 3\nold" "modules 2\na\n"),
		     second = first + strlen("cpu0.out 3\nabc" "modules 2\nb\n"),
		     end = strlen(text) - strlen("not read");
	struct spool *s;
	size_t i;

	(void)state;
	assert_int_equal(files_begin_stream(&files, &test_ctx, NULL, "in", NULL), 0);
	s = files_stream(files);
	for (i = 0; i < strlen(text); i++) {
		assert_int_equal(spool_put(s, text + i, 1), 0);
		assert_int_equal(s->read, i < end ? i + 1 : end);
		assert_int_equal(s->is_over, i + 1 >= end);
		if (i + 1 < first)
			assert_null(spool_find(s, "modules"));
		else
			assert_file("modules", i + 1 < second ? "a\n" : "a\nb\n");
		if (i + 1 == first + strlen("cpu0.out 3\na"))
			assert_file("cpu0.out", "a");
	}
	assert_file("metadata", "new\n");
	assert_int_equal(count_files(), 3);
	assert_int_equal(s->fd, -1);
	spool_end(s);
	assert_false(is_cut());
	files_put(files);
}

/* A stream that is fed ends early where nothing more follows. */
static void test_fed_cut(void **state)
{
	(void)state;
	assert_int_equal(files_begin_stream(&files, &test_ctx, NULL, "in", NULL), 0);
	assert_int_equal(spool_put(files_stream(files), MAGIC "cpu0.out 3\na",
				   strlen(MAGIC "cpu0.out 3\na")), 0);
	spool_end(files_stream(files));
	assert_true(files_stream(files)->is_over);
	assert_true(is_cut());
	assert_file("cpu0.out", "a");
	files_put(files);
}

static void test_refused(void **state)
{
	static const char * const lines[] = {
		"../cpu0.out 1", "/tmp/cpu0.out 1", "./cpu0.out 1", "x/cpu0.out 1",
		"cpu0.out/x 1", ".. 1", ". 1", " 1", "1", "", "cpu0.out",
		"cpu0.out ", "cpu0.out  1", "cpu0.out -1", "cpu0.out +1",
		"cpu0.out 1x", "cpu0.out 0x1", "cpu0.out 1 1",
		"cpu0.out 18446744073709551616",
		"cpu00.out 1", "cpu65536.out 1", "cpu-1.out 1", "cpu0.out.gz 1",
		"verdict 1", "metadata\t1", "End", "end 0",
		"cpu0.out 000000000000000000000000000000000000000000000000000000000000001",
	};
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		snprintf(text, sizeof(text), MAGIC "%s\nxend\n", lines[i]);
		assert_int_equal(spool_text(text), -EILSEQ);
		assert_null(files);
	}
	assert_int_equal(spool_text("kmemtrace-stream 2\nend\n"), -EILSEQ);
	assert_int_equal(spool_text("\nend\n"), -EILSEQ);
	assert_int_equal(spool_bytes(MAGIC "cpu0.out 1\0\nxend\n", 36), -EILSEQ);
}

/* No memory is allocated for a claimed length. */
static void test_absurd(void **state)
{
	(void)state;
	assert_int_equal(spool_text(MAGIC
		"cpu0.out 18446744073709551615\nabc"), 0);
	assert_true(is_cut());
	assert_file("cpu0.out", "abc");
	files_put(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_temporary),
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_fed),
		cmocka_unit_test(test_fed_cut),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_absurd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
