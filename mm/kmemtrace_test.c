// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of mm/kmemtrace.c, which includes this file.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

struct subbufs_case {
	const char	*name;
	u64		memory;
	unsigned int	cpus;
	bool		given;
	unsigned long	asked;
	unsigned long	expected;
};

/* For sub-buffers of 448 KiB. */
static const struct subbufs_case subbufs_cases[] __initconst = {
	{ "default, 16 GiB, 2 CPUs", 16ULL * SZ_1G, 2, false, 0, 256 },
	{ "default, 1 GiB, 2 CPUs", SZ_1G, 2, false, 0, 146 },
	{ "default, 256 MiB, 2 CPUs", SZ_256M, 2, false, 0, 36 },
	{ "default, 128 MiB, 4 CPUs", SZ_128M, 4, false, 0, 9 },
	{ "default, tiny", SZ_8M, 8, false, 0, 2 },
	{ "asked", SZ_1G, 2, true, 100, 100 },
	{ "asked for 0", SZ_1G, 2, true, 0, 2 },
	{ "asked for 1", SZ_1G, 2, true, 1, 2 },
	{ "asked for an 8th", SZ_1G, 2, true, 146, 146 },
	{ "asked for more", SZ_1G, 2, true, 147, 146 },
	{ "asked for everything", SZ_128M, 4, true, ULONG_MAX, 9 },
	{ "more than relay takes", 4096ULL * SZ_1G, 1, true, ULONG_MAX, 9362 },
};

static void __init kmemtrace_test_subbufs(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(subbufs_cases); i++) {
		const struct subbufs_case *c = &subbufs_cases[i];
		u64 pages = c->memory >> PAGE_SHIFT;

		if (pages > ULONG_MAX)
			continue;
		KUNIT_EXPECT_EQ_MSG(test,
				    kmemtrace_n_subbufs(pages, c->cpus,
							c->given, c->asked),
				    c->expected, "%s", c->name);
	}
}

static struct kunit_case kmemtrace_test_cases[] __refdata = {
	KUNIT_CASE(kmemtrace_test_subbufs),
	{ }
};

static struct kunit_suite kmemtrace_test_suite = {
	.name = "kmemtrace",
	.test_cases = kmemtrace_test_cases,
};

kunit_test_init_section_suite(kmemtrace_test_suite);
