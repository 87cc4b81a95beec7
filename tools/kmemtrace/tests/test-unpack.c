// SPDX-License-Identifier: GPL-2.0
/*
 * A trace as one stream: what is unpacked, and what is refused.
 */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>

#include "common/packet.h"
#include "common/unpack.h"

#define MAGIC	PACKET_MAGIC "\n"

static char dir[64];
static bool cut;

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/kmemtrace-test-XXXXXX");
	return !mkdtemp(dir);
}

static char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* How many files are there? They are gone then. */
static int count_files(void)
{
	struct dirent *entry;
	int n = 0;
	DIR *d;

	d = opendir(dir);
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		n++;
		unlink(path_of(entry->d_name));
	}
	closedir(d);
	return n;
}

static int remove_dir(void **state)
{
	(void)state;
	count_files();
	return rmdir(dir);
}

static int unpack_bytes(const char *bytes, size_t len)
{
	FILE *in = fmemopen((void *)bytes, len, "r");
	int ret;

	assert_non_null(in);
	cut = false;
	ret = unpack(in, dir, &cut);
	fclose(in);
	return ret;
}

static int unpack_text(const char *text)
{
	return unpack_bytes(text, strlen(text));
}

static void assert_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "r");
	char out[256] = "";

	assert_non_null(f);
	assert_int_equal(fread(out, 1, sizeof(out) - 1, f), strlen(text));
	assert_string_equal(out, text);
	fclose(f);
}

static void test_whole(void **state)
{
	(void)state;
	assert_int_equal(unpack_text(MAGIC
		"metadata 8\nstate: a"
		"cpu0.out 3\nabc"
		"cpu12.out.zst 2\n\n\n"
		"cpu0.out 0\n"
		"cpu0.out 2\nde"
		"kallsyms 1\nk" "modules 1\nm" "slabs 0\n"
		"metadata 6\nstate:"
		"end\nnot read"), 0);
	assert_false(cut);
	assert_file("metadata", "state:");
	assert_file("cpu0.out", "abcde");
	assert_file("cpu12.out.zst", "\n\n");
	assert_file("kallsyms", "k");
	assert_file("slabs", "");
	assert_int_equal(count_files(), 6);
}

/* Wherever it is cut, what came before is there; but no half metadata. */
static void test_cut(void **state)
{
	static const char text[] = MAGIC "metadata 3\nold" "cpu0.out 3\nabc"
		"metadata 3\nnew" "end\n";
	size_t len;

	(void)state;
	for (len = 1; len + 1 < sizeof(text); len++) {
		assert_int_equal(unpack_bytes(text, len), 0);
		assert_true(cut);
		if (len >= strlen(MAGIC "metadata 3\nold"))
			assert_file("metadata", len < sizeof(text) - 1 -
				    strlen("end\n") ? "old" : "new");
		if (len == strlen(MAGIC "metadata 3\nold" "cpu0.out 3\nab"))
			assert_file("cpu0.out", "ab");
		count_files();
	}
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
		assert_int_equal(unpack_text(text), -EILSEQ);
		assert_int_equal(count_files(), 0);
	}
	assert_int_equal(unpack_text("kmemtrace-stream 2\nend\n"), -EILSEQ);
	assert_int_equal(unpack_text("\nend\n"), -EILSEQ);
	assert_int_equal(unpack_bytes(MAGIC "cpu0.out 1\0\nxend\n", 36), -EILSEQ);
	assert_int_equal(count_files(), 0);
}

/* A length is no size of anything that is allocated. */
static void test_absurd(void **state)
{
	(void)state;
	assert_int_equal(unpack_text(MAGIC
		"cpu0.out 18446744073709551615\nabc"), 0);
	assert_true(cut);
	assert_file("cpu0.out", "abc");
	count_files();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_absurd),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
