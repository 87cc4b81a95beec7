// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel says of its losses, in the words of each ABI version.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>

#include "control.h"

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
	*f = (struct interface) { .path = "/tmp/kmemtrace-test-XXXXXX" };
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

/* CPU 12 lost @bytes and @records, and CPU 0 nothing. */
static void check_overruns(const char *text, uint64_t bytes, uint64_t records)
{
	struct overrun *overruns;
	struct interface f;

	set_up(&f, text);
	assert_int_equal(control_overruns(&f.ctl, &overruns), 2);
	assert_int_equal(overruns[0].cpu, 0);
	assert_int_equal(overruns[0].bytes, 0);
	assert_int_equal(overruns[0].records, 0);
	assert_int_equal(overruns[1].cpu, 12);
	assert_int_equal(overruns[1].bytes, bytes);
	assert_int_equal(overruns[1].records, records);
	free(overruns);
	clean_up(&f);
}

static void test_overruns(void **state)
{
	(void)state;
	check_overruns("cpu0 0 0\ncpu1 99 9\ncpu12 184 3\n", 184, 3);
	check_overruns("cpu0 0 0\ncpu1 99 9\ncpu12 18446744073709551615 3\n",
		       UINT64_MAX, 3);
}

/* Version 1 has bytes only, in records of one size. */
static void test_old_overruns(void **state)
{
	(void)state;
	check_overruns("cpu0 0\ncpu1 56\ncpu12 168\n", 168, 3);
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
		cmocka_unit_test(test_no_overruns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
