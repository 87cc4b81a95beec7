// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of markers.
 */
#include <kunit/test.h>
#include <linux/marker.h>
#include <linux/string.h>

DECLARE_MARKER(test_marker,
	MARKER_PARAMS(u8 small, u64 large, const char *text),
	MARKER_ARGS(small, large, text),
	"small %hhu large %llu text %s")
DEFINE_MARKER(test_marker);

/* What a probe was called with. */
struct seen {
	unsigned int	calls;
	u8		small;
	u64		large;
	const char	*text;
};

static void probe_one(void *data, u8 small, u64 large, const char *text)
{
	struct seen *seen = data;

	seen->calls++;
	seen->small = small;
	seen->large = large;
	seen->text = text;
}

static void probe_two(void *data, u8 small, u64 large, const char *text)
{
	struct seen *seen = data;

	seen->calls += 100;
}

static struct marker *find_marker(const char *name)
{
	struct marker *marker;

	for (marker = __start___markers; marker < __stop___markers; marker++)
		if (!strcmp(marker->name, name))
			return marker;
	return NULL;
}

static void marker_test_section(struct kunit *test)
{
	struct marker *marker = find_marker("test_marker");

	KUNIT_ASSERT_PTR_EQ(test, marker, &__marker_test_marker);
	KUNIT_EXPECT_STREQ(test, marker->format,
			   "small %hhu large %llu text %s");
	KUNIT_EXPECT_EQ(test, ((char *)__stop___markers -
			       (char *)__start___markers) %
			      sizeof(struct marker), 0);
}

static void marker_test_off(struct kunit *test)
{
	unsigned int evaluated = 0;

	marker_call(test_marker, ++evaluated, 1, "off");
	KUNIT_EXPECT_EQ(test, evaluated, 0);
}

static void marker_test_arguments(struct kunit *test)
{
	struct seen seen = { };

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	marker_call(test_marker, 200, U64_MAX - 1, "on");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one), 0);
	marker_call(test_marker, 1, 1, "after");

	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, seen.small, 200);
	KUNIT_EXPECT_EQ(test, seen.large, U64_MAX - 1);
	KUNIT_EXPECT_STREQ(test, seen.text, "on");
}

static void marker_test_refused(struct kunit *test)
{
	struct seen seen = { };

	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one), -ENOENT);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	KUNIT_EXPECT_EQ(test, register_marker_test_marker(probe_two, &seen),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_two), -ENOENT);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one), 0);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
}

/* The second registration's data reach the second probe. */
static void marker_test_again(struct kunit *test)
{
	struct seen first = { }, second = { };

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &first), 0);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one), 0);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_two, &second),
			0);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_two), 0);
	KUNIT_EXPECT_EQ(test, first.calls, 0);
	KUNIT_EXPECT_EQ(test, second.calls, 100);
}

static struct kunit_case marker_test_cases[] = {
	KUNIT_CASE(marker_test_section),
	KUNIT_CASE(marker_test_off),
	KUNIT_CASE(marker_test_arguments),
	KUNIT_CASE(marker_test_refused),
	KUNIT_CASE(marker_test_again),
	{ }
};

static struct kunit_suite marker_test_suite = {
	.name = "marker",
	.test_cases = marker_test_cases,
};

kunit_test_suite(marker_test_suite);

MODULE_DESCRIPTION("KUnit tests of markers");
MODULE_LICENSE("GPL");
