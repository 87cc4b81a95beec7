// SPDX-License-Identifier: GPL-2.0
/*
 * Read the losses that the kernel reports, in the form of each ABI version.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "daemon/control.h"
#include "daemon/kmemtrace.h"

struct interface {
	char path[64];
	struct control ctl;
};

static void put_file(struct interface *f, const char *name, const char *text)
{
	int fd = openat(f->ctl.dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* CPUs 0 and 12 have streams. */
static void set_up(struct interface *f, const char *overruns)
{
	*f = (struct interface) {
		.path = "/tmp/kmemtrace-test-XXXXXX",
		.ctl.recorder = &kmemtrace,
	};
	assert_non_null(mkdtemp(f->path));
	f->ctl.dir = open(f->path, O_RDONLY | O_DIRECTORY);
	assert_true(f->ctl.dir >= 0);
	put_file(f, "cpu0", "");
	put_file(f, "cpu12", "");
	put_file(f, "cpu_overruns", overruns);
}

static void clean_up(struct interface *f)
{
	unlinkat(f->ctl.dir, "cpu0", 0);
	unlinkat(f->ctl.dir, "cpu12", 0);
	unlinkat(f->ctl.dir, "cpu_overruns", 0);
	close(f->ctl.dir);
	assert_int_equal(rmdir(f->path), 0);
}

/* Assert the losses of CPU 12; CPU 0 has none. */
static void check_overruns(const char *text, uint64_t bytes, uint64_t records,
			   uint64_t unreported_bytes, uint64_t unreported_records)
{
	struct overrun *overruns;
	struct interface f;

	set_up(&f, text);
	assert_int_equal(control_overruns(&f.ctl, &overruns), 2);
	assert_int_equal(overruns[0].cpu, 0);
	assert_int_equal(overruns[0].all.bytes, 0);
	assert_int_equal(overruns[0].all.records, 0);
	assert_int_equal(overruns[1].cpu, 12);
	assert_int_equal(overruns[1].all.bytes, bytes);
	assert_int_equal(overruns[1].all.records, records);
	assert_int_equal(overruns[1].unreported.bytes, unreported_bytes);
	assert_int_equal(overruns[1].unreported.records, unreported_records);
	free(overruns);
	clean_up(&f);
}

static void test_overruns(void **state)
{
	(void)state;
	check_overruns("cpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu12 184 3 64 1\n",
		       184, 3, 64, 1);
	check_overruns("cpu0 0 0 0 0\ncpu12 18446744073709551615 3 0 0\n",
		       UINT64_MAX, 3, 0, 0);
}

/* Version 1 reports only bytes; records have one size, and streams report no loss. */
static void test_old_overruns(void **state)
{
	(void)state;
	check_overruns("cpu0 0\ncpu1 0\ncpu12 168\n", 168, 3, 168, 3);
}

/* Not all kernels have the file. */
static void test_flush(void **state)
{
	struct interface f;
	char byte = 0;
	int fd;

	(void)state;
	set_up(&f, "cpu0 0 0 0 0\n");
	assert_int_equal(control_flush(&f.ctl), -ENOENT);
	fd = openat(f.ctl.dir, "flush", O_RDONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(control_flush(&f.ctl), 0);
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(byte, '1');
	close(fd);
	assert_int_equal(unlinkat(f.ctl.dir, "flush", 0), 0);
	clean_up(&f);
}

/* CPU 1 has no stream, but its losses count. */
static void test_no_stream(void **state)
{
	struct overrun *overruns;
	struct interface f;

	(void)state;
	set_up(&f, "cpu0 0 0 0 0\ncpu1 56 1 56 1\ncpu2 0 0 0 0\ncpu12 0 0 0 0\n");
	assert_int_equal(control_overruns(&f.ctl, &overruns), 3);
	assert_int_equal(overruns[1].cpu, 1);
	assert_int_equal(overruns[1].unreported.records, 1);
	free(overruns);
	clean_up(&f);
}

static void check_unusable(struct interface *f, int err)
{
	struct overrun *overruns;

	assert_int_equal(control_overruns(&f->ctl, &overruns), err);
	assert_null(overruns);
}

/* Losses that can't be read are no losses of 0. */
static void test_bad_overruns(void **state)
{
	static const char *const texts[] = {
		"cpu0 0 0 0 0\ncpu1 56 1\n\ncpu12 0 0 0 0\n",
		"cpu0 0 0 0 0\n\ncpu12 184 3 64 1\n",
		"cpu0 0 0 0 0\ntotal 5\n",
		"cpu0\n",
	};
	struct interface f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		set_up(&f, texts[i]);
		check_unusable(&f, -EINVAL);
		clean_up(&f);
	}
	set_up(&f, "");
	assert_int_equal(unlinkat(f.ctl.dir, "cpu_overruns", 0), 0);
	assert_int_equal(mkdirat(f.ctl.dir, "cpu_overruns", 0700), 0);
	check_unusable(&f, -EIO);
	assert_int_equal(unlinkat(f.ctl.dir, "cpu_overruns", AT_REMOVEDIR), 0);
	clean_up(&f);
}

/* A line with the largest numbers is longer than 64 bytes. */
static void test_large_overruns(void **state)
{
	(void)state;
	check_overruns("cpu0 0 0 0 0\ncpu12 18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615\n",
		       UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
}

static void test_no_overruns(void **state)
{
	struct overrun *overruns;
	struct interface f;

	(void)state;
	set_up(&f, "");
	assert_int_equal(control_overruns(&f.ctl, &overruns), 0);
	assert_int_equal(unlinkat(f.ctl.dir, "cpu_overruns", 0), 0);
	assert_int_equal(control_overruns(&f.ctl, &overruns), -ENOENT);
	clean_up(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overruns),
		cmocka_unit_test(test_old_overruns),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_no_stream),
		cmocka_unit_test(test_bad_overruns),
		cmocka_unit_test(test_large_overruns),
		cmocka_unit_test(test_no_overruns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
