// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of marker_channel_size.c, which includes this file. */
#include <kunit/test.h>
#include <linux/sizes.h>

struct subbufs_case {
	const char	*name;
	u64		memory;
	unsigned int	cpus;
	unsigned long	size;
	bool		given;
	unsigned long	asked;
	unsigned long	expected;
	unsigned long	boot;
};

#define SUBBUF	MARKER_CHANNEL_SUBBUF

static const struct subbufs_case subbufs_cases[] __initconst = {
	{ "default, 16 GiB, 2 CPUs", 16ULL * SZ_1G, 2, SUBBUF, false, 0, 146, 146 },
	{ "default, 1 TiB, 256 CPUs", 1024ULL * SZ_1G, 256, SUBBUF, false, 0, 146, 146 },
	{ "default, 16 GiB, 255 CPUs", 16ULL * SZ_1G, 255, SUBBUF, false, 0, 17, 146 },
	{ "default, 1 GiB, 2 CPUs", SZ_1G, 2, SUBBUF, false, 0, 146, 146 },
	{ "default, 256 MiB, 2 CPUs", SZ_256M, 2, SUBBUF, false, 0, 36, 36 },
	{ "default, 256 MiB, 16 CPUs", SZ_256M, 16, SUBBUF, false, 0, 3, 18 },
	{ "default, 128 MiB, 4 CPUs", SZ_128M, 4, SUBBUF, false, 0, 9, 9 },
	{ "default, 256 MiB, 1 CPU", SZ_256M, 1, SUBBUF, false, 0, 73, 73 },
	{ "default, tiny", SZ_8M, 8, SUBBUF, false, 0, 2, 2 },
	{ "parameter", SZ_1G, 2, SUBBUF, true, 100, 100, 100 },
	{ "parameter 0", SZ_1G, 2, SUBBUF, true, 0, 2, 2 },
	{ "parameter 1", SZ_1G, 2, SUBBUF, true, 1, 2, 2 },
	{ "parameter of an 8th", SZ_1G, 2, SUBBUF, true, 146, 146, 146 },
	{ "parameter above an 8th", SZ_1G, 2, SUBBUF, true, 147, 146, 146 },
	{ "maximum parameter", SZ_128M, 4, SUBBUF, true, ULONG_MAX, 9, 9 },
	{ "default, small ones", 16ULL * SZ_1G, 2, SZ_64K, false, 0, 1024, 1024 },
	{ "default, large ones", 16ULL * SZ_1G, 2, SZ_16M, false, 0, 4, 4 },
	{ "more than relay takes", 4096ULL * SZ_1G, 1, SUBBUF, true, ULONG_MAX, 9362, 9362 },
};

static void __init marker_channel_test_subbufs(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(subbufs_cases); i++) {
		const struct subbufs_case *c = &subbufs_cases[i];
		struct marker_channel_size asked = {
			.owner		= "test",
			.n_subbufs	= c->asked,
			.given		= c->given,
			.default_bytes	= SZ_64M,
		};
		u64 pages = c->memory >> PAGE_SHIFT;
		unsigned long boot;

		if (pages > ULONG_MAX)
			continue;
		KUNIT_EXPECT_EQ_MSG(test,
				    marker_channel_n_subbufs(&asked, pages,
							     c->cpus, c->size,
							     &boot),
				    c->expected, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, boot, c->boot, "%s, boot CPU", c->name);
	}
}

/* Many possible CPUs, most of which may not exist, take no more than an 8th. */
static void __init marker_channel_test_early(struct kunit *test)
{
	const unsigned long pages = SZ_512M >> PAGE_SHIFT;
	const unsigned long all = marker_channel_all(pages, SUBBUF);

	KUNIT_EXPECT_EQ(test, marker_channel_early(pages, SUBBUF, 2, all / 4),
			1 + (all - all / 4) / 2);
	KUNIT_EXPECT_EQ(test, marker_channel_early(pages, SUBBUF, all, all), 1);
	KUNIT_EXPECT_EQ(test, marker_channel_early(pages, SUBBUF, 2, all + 1), 1);
}

static unsigned long __init subbuf_size(unsigned long pages, unsigned int cpus,
					unsigned long size)
{
	struct marker_channel_size asked = {
		.owner = "test", .subbuf_size = size
	};

	return marker_channel_subbuf_size(&asked, pages, cpus);
}

/* Two sub-buffers fit into an 8th of the memory, but for the smallest ones. */
static void __init marker_channel_test_subbuf_size(struct kunit *test)
{
	const unsigned long gib = SZ_1G >> PAGE_SHIFT;
	const unsigned long mib64 = SZ_64M >> PAGE_SHIFT;
	const unsigned long least = MARKER_CHANNEL_MIN_SUBBUF;

	KUNIT_EXPECT_EQ(test, subbuf_size(gib, 2, 0), least);
	KUNIT_EXPECT_EQ(test, subbuf_size(gib, 2, 2 * least), 2 * least);
	KUNIT_EXPECT_EQ(test, subbuf_size(gib, 2, least + 1),
			least + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, subbuf_size(gib, 2, ULONG_MAX), SZ_16M);
	KUNIT_EXPECT_EQ(test, subbuf_size(mib64, 2, SZ_16M), SZ_2M);
	KUNIT_EXPECT_EQ(test, subbuf_size(mib64, 512, SZ_16M), least);
	KUNIT_EXPECT_EQ(test, subbuf_size(mib64, 512, SUBBUF), SUBBUF);
}

static struct kunit_case marker_channel_size_cases[] __refdata = {
	KUNIT_CASE(marker_channel_test_subbufs),
	KUNIT_CASE(marker_channel_test_early),
	KUNIT_CASE(marker_channel_test_subbuf_size),
	{ }
};

static struct kunit_suite marker_channel_size_suite = {
	.name = "marker_channel_size",
	.test_cases = marker_channel_size_cases,
};

kunit_test_init_section_suite(marker_channel_size_suite);
