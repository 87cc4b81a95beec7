// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of markers.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/limits.h>
#include <linux/marker.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "marker_internal.h"

DECLARE_MARKER(test_marker,
	MARKER_PARAMS(u8 small, u64 large, const char *text),
	MARKER_ARGS(small, large, text),
	"small %hhu large %llu text %s")
DEFINE_MARKER(test_marker);

#define TEST_FORMAT	"small %hhu large %llu text %s"

/* The calls and last arguments of a typed probe. */
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

/* The calls and last record of a generic probe. */
struct caught {
	unsigned int		calls;
	struct marker_layout	layout;
	char			record[MARKER_MAX_ARGS * MARKER_STRING_SIZE];
};

static void catch(void *data, const struct marker_layout *layout,
		  const void *record)
{
	struct caught *caught = data;

	caught->calls++;
	caught->layout = *layout;
	memcpy(caught->record, record, layout->size);
}

static struct caught *alloc_caught(struct kunit *test)
{
	struct caught *caught = kunit_kzalloc(test, sizeof(*caught), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, caught);
	return caught;
}

static const struct marker_field *field(struct kunit *test,
					const struct caught *caught,
					unsigned int index)
{
	KUNIT_ASSERT_LT(test, index, caught->layout.nr_fields);
	return &caught->layout.fields[index];
}

/* Return the value of a number, extended according to its field. */
static s64 number(struct kunit *test, const struct caught *caught,
		  unsigned int index)
{
	const struct marker_field *f = field(test, caught, index);
	unsigned int unused = 64 - 8 * f->size;
	u64 value = 0;

#ifdef __BIG_ENDIAN
	memcpy((char *)&value + sizeof(value) - f->size,
	       caught->record + f->offset, f->size);
#else
	memcpy(&value, caught->record + f->offset, f->size);
#endif
	return f->is_signed ? (s64)(value << unused) >> unused : (s64)value;
}

static const char *string(struct kunit *test, const struct caught *caught,
			  unsigned int index)
{
	return caught->record + field(test, caught, index)->offset;
}

static struct marker *find_marker(const char *name)
{
	struct marker *marker;

	for (marker = __start___markers; marker < __stop___markers; marker++)
		if (!strcmp(marker->name, name))
			return marker;
	return NULL;
}

static bool marker_is_refused(const struct marker *marker)
{
	bool refused;

	mutex_lock(&marker_mutex);
	refused = marker_refused(marker);
	mutex_unlock(&marker_mutex);
	return refused;
}

/* ---- typed markers ---- */

static void marker_test_section(struct kunit *test)
{
	struct marker *marker = find_marker("test_marker");

	KUNIT_ASSERT_PTR_EQ(test, marker, &__marker_test_marker);
	KUNIT_EXPECT_STREQ(test, marker->format, TEST_FORMAT);
	KUNIT_EXPECT_EQ(test, ((char *)__stop___markers -
			       (char *)__start___markers) %
			      sizeof(struct marker), 0);
}

static void marker_test_off(struct kunit *test)
{
	unsigned int evaluated = 0;

	marker_call(test_marker, ++evaluated, 1, "off");
	trace_mark(test_off, "%u", ++evaluated);
	KUNIT_EXPECT_EQ(test, evaluated, 0);
}

static void marker_test_arguments(struct kunit *test)
{
	struct seen seen = { };

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	marker_call(test_marker, 200, U64_MAX - 1, "on");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &seen),
			0);
	marker_call(test_marker, 1, 1, "after");

	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, seen.small, 200);
	KUNIT_EXPECT_EQ(test, seen.large, U64_MAX - 1);
	KUNIT_EXPECT_STREQ(test, seen.text, "on");
}

/* The second probe gets the data of its own registration. */
static void marker_test_again(struct kunit *test)
{
	struct seen first = { }, second = { };

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &first), 0);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &first),
			0);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_two, &second),
			0);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_two, &second),
			0);
	KUNIT_EXPECT_EQ(test, first.calls, 0);
	KUNIT_EXPECT_EQ(test, second.calls, 100);
}

#define MANY	9

/* Add probes one by one, and remove them: each is called with its own data. */
static void marker_test_many(struct kunit *test)
{
	struct seen seen[MANY] = { };
	unsigned int calls = 0;

	for (int i = 0; i < MANY; i++) {
		KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one,
								  &seen[i]), 0);
		marker_call(test_marker, i, 0, "up");
		calls++;
		for (int j = 0; j <= i; j++) {
			KUNIT_EXPECT_EQ(test, seen[j].calls, calls - j);
			KUNIT_EXPECT_EQ(test, seen[j].small, i);
		}
	}
	/* Remove the probes in the order of their registration. */
	for (int i = 0; i < MANY; i++) {
		unsigned int before = seen[i].calls;

		KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one,
								    &seen[i]),
				0);
		marker_call(test_marker, 100 + i, 0, "down");
		KUNIT_EXPECT_EQ(test, seen[i].calls, before);
		for (int j = i + 1; j < MANY; j++)
			KUNIT_EXPECT_EQ(test, seen[j].small, 100 + i);
	}
	KUNIT_EXPECT_FALSE(test, __marker_enabled_test_marker());
}

static char order[MANY + 1];

static void probe_order(void *data, u8 small, u64 large, const char *text)
{
	strlcat(order, data, sizeof(order));
}

/* Probes are called in the order of their registration. */
static void marker_test_order(struct kunit *test)
{
	static char * const names[] = { "c", "a", "d", "b" };

	order[0] = '\0';
	for (int i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_order,
								  names[i]), 0);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_STREQ(test, order, "cadb");
	KUNIT_EXPECT_EQ(test, remove_marker_test_marker(probe_order, names[1]),
			0);
	order[0] = '\0';
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_STREQ(test, order, "cdb");
	for (int i = 0; i < ARRAY_SIZE(names); i++)
		remove_marker_test_marker(probe_order, names[i]);
	marker_synchronize_unregister();
}

/* Typed and generic probes, one of them with two sets of data; removed without waiting. */
static void marker_test_mixed(struct kunit *test)
{
	struct seen one = { }, other = { };
	struct caught *caught = alloc_caught(test);

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &one), 0);
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_marker",
						      TEST_FORMAT, catch,
						      caught), 0);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_two, &one), 0);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_two, &other),
			0);
	marker_call(test_marker, 7, 8, "mixed");
	KUNIT_EXPECT_EQ(test, one.calls, 101);
	KUNIT_EXPECT_EQ(test, other.calls, 100);
	KUNIT_EXPECT_EQ(test, caught->calls, 1);
	KUNIT_EXPECT_EQ(test, number(test, caught, 0), 7);
	KUNIT_EXPECT_EQ(test, number(test, caught, 1), 8);
	KUNIT_EXPECT_STREQ(test, string(test, caught, 2), "mixed");

	KUNIT_EXPECT_EQ(test, remove_marker_test_marker(probe_two, &one), 0);
	KUNIT_EXPECT_EQ(test, remove_marker_test_marker(probe_one, &one), 0);
	KUNIT_EXPECT_EQ(test, remove_marker_test_marker(probe_two, &other), 0);
	marker_synchronize_unregister();
	marker_call(test_marker, 9, 8, "generic");
	KUNIT_EXPECT_EQ(test, one.calls, 101);
	KUNIT_EXPECT_EQ(test, other.calls, 100);
	KUNIT_EXPECT_EQ(test, caught->calls, 2);
	KUNIT_EXPECT_STREQ(test, string(test, caught, 2), "generic");
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_marker", catch,
							caught), 0);
	KUNIT_EXPECT_FALSE(test, __marker_enabled_test_marker());
}

/* ---- ad-hoc markers and records ---- */

static void hit_numbers(void)
{
	trace_mark(test_numbers, "%hhd,b=%hhu %hd %hu  d: %d u(%u) %ld %lu %lld %llu",
		   (s8)-1, (u8)255, (s16)-2, (u16)65534, -3, 4000000000U,
		   LONG_MIN, ULONG_MAX, S64_MIN, U64_MAX);
}

/* An argument is stored as it is passed: a char and a short as an int. */
static void hit_others(void)
{
	struct { unsigned int bits : 3; } s = { .bits = 5 };
	char letters[] = "letters";
	s8 narrow = -5;

	trace_mark(test_others, "%c narrow=%d%% %zx %p %pS %5.3s %x %o %i %X",
		   'c', narrow, (size_t)SIZE_MAX, letters, hit_others, letters,
		   0xfeedU, s.bits, (s16)-6, 0xABCDU);
}

static void marker_test_numbers(struct kunit *test)
{
	static const s64 expected[] = {
		-1, 255, -2, 65534, -3, 4000000000, LONG_MIN, (s64)ULONG_MAX,
		S64_MIN, (s64)U64_MAX
	};
	static const char * const names[] = {
		"arg0", "b", "arg2", "arg3", "d", "u", "arg6", "arg7", "arg8",
		"arg9"
	};
	struct caught *caught = alloc_caught(test);
	unsigned int offset = 0;

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_numbers", NULL,
						      catch, caught), 0);
	hit_numbers();
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_numbers", catch,
							caught), 0);
	hit_numbers();
	KUNIT_EXPECT_EQ(test, caught->calls, 1);
	KUNIT_ASSERT_EQ(test, caught->layout.nr_fields, ARRAY_SIZE(expected));
	for (int i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct marker_field *f = field(test, caught, i);

		KUNIT_EXPECT_EQ_MSG(test, number(test, caught, i), expected[i],
				    "field %d", i);
		KUNIT_EXPECT_STREQ(test, f->name, names[i]);
		KUNIT_EXPECT_EQ(test, f->offset, offset);
		KUNIT_EXPECT_EQ(test, f->is_signed, i % 2 == 0);
		KUNIT_EXPECT_EQ(test, f->conversion, i % 2 ? 'u' : 'd');
		offset += f->size;
	}
	KUNIT_EXPECT_EQ(test, caught->layout.size, offset);
	KUNIT_EXPECT_EQ(test, offset,
			2 * (3 * sizeof(int) + sizeof(long) + 8));
}

static void marker_test_others(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_others", NULL,
						      catch, caught), 0);
	hit_others();
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_others", catch,
							caught), 0);
	KUNIT_ASSERT_EQ(test, caught->layout.nr_fields, 10);
	KUNIT_EXPECT_EQ(test, number(test, caught, 0), 'c');
	KUNIT_EXPECT_EQ(test, field(test, caught, 0)->size, sizeof(int));
	KUNIT_EXPECT_STREQ(test, field(test, caught, 1)->name, "narrow");
	KUNIT_EXPECT_EQ(test, number(test, caught, 1), -5);
	KUNIT_EXPECT_EQ(test, (size_t)number(test, caught, 2), SIZE_MAX);
	KUNIT_EXPECT_EQ(test, field(test, caught, 3)->conversion, 'p');
	KUNIT_EXPECT_EQ(test, field(test, caught, 3)->size, sizeof(void *));
	KUNIT_EXPECT_EQ(test, (unsigned long)number(test, caught, 4),
			(unsigned long)hit_others);
	KUNIT_EXPECT_EQ(test, field(test, caught, 5)->size, 4);
	KUNIT_EXPECT_STREQ(test, string(test, caught, 5), "let");
	KUNIT_EXPECT_EQ(test, number(test, caught, 6), 0xfeed);
	KUNIT_EXPECT_EQ(test, field(test, caught, 7)->conversion, 'o');
	KUNIT_EXPECT_EQ(test, number(test, caught, 7), 5);
	KUNIT_EXPECT_EQ(test, number(test, caught, 8), -6);
	KUNIT_EXPECT_EQ(test, field(test, caught, 8)->conversion, 'd');
	KUNIT_EXPECT_EQ(test, field(test, caught, 9)->conversion, 'x');
}

static void hit_string(const char *text)
{
	trace_mark(test_string, "text %s", text);
}

static void marker_test_strings(struct kunit *test)
{
	static const char long_text[] =
		"0123456789012345678901234567890123456789012345678901234567890123456789";
	struct caught *caught = alloc_caught(test);

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_string",
						      "text %s", catch, caught),
			0);
	hit_string("text");
	KUNIT_EXPECT_STREQ(test, string(test, caught, 0), "text");
	/* The rest of the field is cleared. */
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(caught->record + 4, 0,
					     MARKER_STRING_SIZE - 4), NULL);
	hit_string("");
	KUNIT_EXPECT_STREQ(test, string(test, caught, 0), "");
	hit_string(long_text);
	KUNIT_EXPECT_EQ(test, strlen(string(test, caught, 0)),
			MARKER_STRING_SIZE - 1);
	KUNIT_EXPECT_EQ(test, strncmp(string(test, caught, 0), long_text,
				      MARKER_STRING_SIZE - 1), 0);
	hit_string(NULL);
	KUNIT_EXPECT_STREQ(test, string(test, caught, 0), "(null)");
	/* UML has no protection from faults in the kernel: there, this would be a panic. */
	if (!IS_ENABLED(CONFIG_UML)) {
		hit_string(ERR_PTR(-EFAULT));
		KUNIT_EXPECT_STREQ(test, string(test, caught, 0), "(fault)");
	}
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_string", catch,
							caught), 0);
}

/* A marker with two sites, and one without arguments. */
static void marker_test_sites(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_sites", "number %d",
						      catch, caught), 0);
	trace_mark(test_sites, "number %d", 1);
	trace_mark(test_sites, "number %d", 2);
	KUNIT_EXPECT_EQ(test, caught->calls, 2);
	KUNIT_EXPECT_EQ(test, number(test, caught, 0), 2);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_sites", catch,
							caught), 0);

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_bare", "nothing",
						      catch, caught), 0);
	trace_mark(test_bare, "nothing");
	KUNIT_EXPECT_EQ(test, caught->calls, 3);
	KUNIT_EXPECT_EQ(test, caught->layout.nr_fields, 0);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_bare", catch,
							caught), 0);
}

/* ---- refusals ---- */

static void marker_test_refused(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);
	struct seen seen = { };

	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &seen),
			-ENOENT);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	KUNIT_EXPECT_EQ(test, register_marker_test_marker(probe_one, &seen),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_two, &seen),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, NULL),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, marker_generic_register("test_marker", "%d",
						      catch, caught), -EINVAL);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &seen),
			0);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_EQ(test, caught->calls, 0);
}

/* An ad-hoc marker refuses a typed probe. */
static void marker_test_kinds(struct kunit *test)
{
	struct seen seen = { };

	KUNIT_EXPECT_EQ(test, marker_probe_register("test_sites", "number %d",
						    "int number", probe_one,
						    &seen), -EINVAL);
	trace_mark(test_sites, "number %d", 3);
	KUNIT_EXPECT_EQ(test, seen.calls, 0);
	/* A typed marker with another prototype refuses it, too. */
	KUNIT_EXPECT_EQ(test, marker_probe_register("test_marker", TEST_FORMAT,
						    "int number", probe_one,
						    &seen), -EINVAL);
	KUNIT_EXPECT_EQ(test, register_marker_test_marker(NULL, &seen), -EINVAL);
}

/* Probes of a name without a marker must all have the format of the first one. */
static void marker_test_unborn(struct kunit *test)
{
	static const char * const bad[] = {
		"%*d", "%n", "%", "%y", "%d %", "%.*s", "%f",
		"%d%d%d%d%d%d%d%d%d%d%d",
	};
	struct caught *caught = alloc_caught(test);

	KUNIT_EXPECT_EQ(test, marker_generic_register("test_unborn", NULL,
						      catch, caught), -ENOENT);
	for (int i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    marker_generic_register("test_unborn",
							    bad[i], catch,
							    caught),
				    -EINVAL, "%s", bad[i]);
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_unborn", "%d",
						      catch, caught), 0);
	KUNIT_EXPECT_EQ(test, marker_generic_register("test_unborn", "%u",
						      catch, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_unborn", catch,
							caught), 0);
	/* Without probes the name is free again. */
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_unborn", "%u",
						      catch, caught), 0);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_unborn", catch,
							caught), 0);
}

/* ---- sections that come and go, without modules ---- */

static void marker_test_coming(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);
	struct marker late[] = {
		{ .name = "test_late", .format = "%d", .nr_args = 1 },
		{ .name = "test_late", .format = "%u", .nr_args = 1 },
		{ .name = "test_late", .format = "%d", .nr_args = 2 },
	};
	struct marker_section section = {
		.start = late, .end = late + ARRAY_SIZE(late), .name = "test"
	};
	u64 slots[] = { -4, 0 };

	KUNIT_ASSERT_EQ(test, marker_generic_register("test_late", "%d", catch,
						      caught), 0);
	marker_section_add(&section);
	KUNIT_EXPECT_TRUE(test, static_key_enabled(&late[0].key));
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&late[1].key));
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&late[2].key));
	for (int i = 0; i < ARRAY_SIZE(late); i++)
		marker_hit(&late[i], slots);
	KUNIT_EXPECT_EQ(test, caught->calls, 1);
	KUNIT_EXPECT_EQ(test, number(test, caught, 0), -4);
	marker_section_remove(&section);
	/* A site that is still reached calls nothing. */
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&late[0].key));
	marker_hit(&late[0], slots);
	KUNIT_EXPECT_EQ(test, caught->calls, 1);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_late", catch,
							caught), 0);
}

/* A typed and an ad-hoc marker may share a name, until it has typed probes. */
static void marker_test_shared(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);
	struct seen seen = { };
	struct marker late = {
		.name = "test_marker", .format = TEST_FORMAT, .nr_args = 3
	};
	struct marker_section section = {
		.start = &late, .end = &late + 1, .name = "test"
	};
	u64 slots[] = { 1, 2, (unsigned long)"ad-hoc" };

	/* While the ad-hoc marker exists, a typed probe is refused. */
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_marker", NULL,
						      catch, caught), 0);
	marker_section_add(&section);
	KUNIT_EXPECT_EQ(test, register_marker_test_marker(probe_one, &seen),
			-EINVAL);
	marker_call(test_marker, 1, 2, "typed");
	marker_hit(&late, slots);
	KUNIT_EXPECT_EQ(test, caught->calls, 2);
	KUNIT_EXPECT_STREQ(test, string(test, caught, 2), "ad-hoc");
	marker_section_remove(&section);

	/* While a typed probe is registered, the ad-hoc marker is refused. */
	KUNIT_EXPECT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	marker_section_add(&section);
	KUNIT_EXPECT_TRUE(test, marker_is_refused(&late));
	marker_hit(&late, slots);
	KUNIT_EXPECT_EQ(test, caught->calls, 2);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &seen),
			0);
	KUNIT_EXPECT_FALSE(test, marker_is_refused(&late));
	KUNIT_EXPECT_TRUE(test, static_key_enabled(&late.key));
	marker_hit(&late, slots);
	KUNIT_EXPECT_EQ(test, caught->calls, 3);
	marker_section_remove(&section);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_marker", catch,
							caught), 0);
}

/*
 * Add and remove @nr markers, each with a name of its own. Return the nanoseconds of
 * the fastest of three times.
 */
static u64 time_section(struct kunit *test, unsigned int nr)
{
	struct marker_section section = { .name = "test" };
	u64 start, best = U64_MAX;
	char (*names)[16];

	section.start = kvcalloc(nr, sizeof(*section.start), GFP_KERNEL);
	names = kvcalloc(nr, sizeof(*names), GFP_KERNEL);
	if (!section.start || !names) {
		KUNIT_FAIL(test, "no memory for %u markers\n", nr);
		goto out;
	}
	section.end = section.start + nr;
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(names[i], sizeof(names[i]), "test_%08x", i);
		section.start[i].name = names[i];
		section.start[i].format = "nothing";
	}
	for (int i = 0; i < 3; i++) {
		start = ktime_get_mono_fast_ns();
		marker_section_add(&section);
		marker_section_remove(&section);
		best = min(best, ktime_get_mono_fast_ns() - start);
	}
out:
	kvfree(names);
	kvfree(section.start);
	return best;
}

/*
 * 64 times the markers take 100 times the time in a tree, and up to 900 times if they no
 * longer fit into a cache. They take 4096 times the time in a list.
 */
static void marker_test_time(struct kunit *test)
{
	u64 few = time_section(test, 1000);
	u64 many = time_section(test, 64000);

	kunit_info(test, "1000 markers %llu us, 64000 markers %llu us\n",
		   div_u64(few, NSEC_PER_USEC), div_u64(many, NSEC_PER_USEC));
	KUNIT_EXPECT_LT(test, many, 2000 * few);
}

/* ---- registering from a probe ---- */

#ifdef CONFIG_PREEMPT_COUNT
static int register_in_probe, unregister_in_probe;

static void probe_greedy(void *data, u8 small, u64 large, const char *text)
{
	register_in_probe = register_marker_test_marker(probe_two, data);
	unregister_in_probe = unregister_marker_test_marker(probe_greedy, data);
}

static void marker_test_in_probe(struct kunit *test)
{
	struct seen seen = { };

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_greedy, &seen),
			0);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, register_in_probe, -EWOULDBLOCK);
	KUNIT_EXPECT_EQ(test, unregister_in_probe, -EWOULDBLOCK);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_greedy,
							    &seen), 0);
}
#endif

/* A probe can queue a work item that registers another one. */
struct changer {
	struct work_struct	work;
	struct seen		seen;
	int			ret;
};

static void change(struct work_struct *work)
{
	struct changer *changer = container_of(work, struct changer, work);

	changer->ret = register_marker_test_marker(probe_two, &changer->seen);
}

static void probe_changer(void *data, u8 small, u64 large, const char *text)
{
	struct changer *changer = data;

	schedule_work(&changer->work);
}

static void marker_test_change(struct kunit *test)
{
	struct changer *changer = kunit_kzalloc(test, sizeof(*changer),
						GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, changer);
	INIT_WORK(&changer->work, change);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_changer,
							  changer), 0);
	marker_call(test_marker, 0, 0, "");
	flush_work(&changer->work);
	KUNIT_EXPECT_EQ(test, changer->ret, 0);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_changer,
							    changer), 0);
	marker_call(test_marker, 0, 0, "");
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_two,
							    &changer->seen), 0);
	KUNIT_EXPECT_EQ(test, changer->seen.calls, 100);
}

#ifdef CONFIG_SMP
/* A probe that runs for a while on another CPU. */
struct slow {
	bool	entered;
	bool	left;
};

static void probe_slow(void *data, u8 small, u64 large, const char *text)
{
	struct slow *slow = data;

	WRITE_ONCE(slow->entered, true);
	mdelay(20);
	WRITE_ONCE(slow->left, true);
}

static int call_slow(void *unused)
{
	marker_call(test_marker, 0, 0, "");
	return 0;
}

/* Unregistering waits until the probe has returned. */
static void marker_test_wait(struct kunit *test)
{
	struct slow *slow = kunit_kzalloc(test, sizeof(*slow), GFP_KERNEL);
	struct task_struct *task;
	unsigned int other;

	KUNIT_ASSERT_NOT_NULL(test, slow);
	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_slow, slow), 0);
	/* This task would keep the other one from its CPU if it moved there. */
	migrate_disable();
	other = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	task = other < nr_cpu_ids ?
	       kthread_run_on_cpu(call_slow, NULL, other, "marker_test") :
	       ERR_PTR(-ENODEV);
	while (!IS_ERR(task) && !READ_ONCE(slow->entered))
		cpu_relax();
	migrate_enable();
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_slow, slow),
			0);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(slow->left));
}
#endif

/* Sites may be reached with interrupts off and with preemption off. */
static void marker_test_atomic(struct kunit *test)
{
	struct caught *caught = alloc_caught(test);
	struct seen seen = { };
	unsigned long flags;

	KUNIT_ASSERT_EQ(test, register_marker_test_marker(probe_one, &seen), 0);
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_sites", NULL, catch,
						      caught), 0);
	local_irq_save(flags);
	marker_call(test_marker, 1, 2, "irqs off");
	trace_mark(test_sites, "number %d", 5);
	local_irq_restore(flags);
	preempt_disable();
	marker_call(test_marker, 1, 2, "preemption off");
	trace_mark(test_sites, "number %d", 6);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_EQ(test, caught->calls, 2);
	KUNIT_EXPECT_EQ(test, marker_generic_unregister("test_sites", catch,
							caught), 0);
	KUNIT_EXPECT_EQ(test, unregister_marker_test_marker(probe_one, &seen),
			0);
}

static struct kunit_case marker_test_cases[] = {
	KUNIT_CASE(marker_test_section),
	KUNIT_CASE(marker_test_off),
	KUNIT_CASE(marker_test_arguments),
	KUNIT_CASE(marker_test_again),
	KUNIT_CASE(marker_test_many),
	KUNIT_CASE(marker_test_order),
	KUNIT_CASE(marker_test_mixed),
	KUNIT_CASE(marker_test_numbers),
	KUNIT_CASE(marker_test_others),
	KUNIT_CASE(marker_test_strings),
	KUNIT_CASE(marker_test_sites),
	KUNIT_CASE(marker_test_refused),
	KUNIT_CASE(marker_test_kinds),
	KUNIT_CASE(marker_test_unborn),
	KUNIT_CASE(marker_test_coming),
	KUNIT_CASE(marker_test_shared),
	KUNIT_CASE(marker_test_time),
#ifdef CONFIG_PREEMPT_COUNT
	KUNIT_CASE(marker_test_in_probe),
#endif
	KUNIT_CASE(marker_test_change),
#ifdef CONFIG_SMP
	KUNIT_CASE(marker_test_wait),
#endif
	KUNIT_CASE(marker_test_atomic),
	{ }
};

static struct kunit_suite marker_test_suite = {
	.name = "marker",
	.test_cases = marker_test_cases,
};

kunit_test_suite(marker_test_suite);

MODULE_DESCRIPTION("KUnit tests of markers");
MODULE_LICENSE("GPL");
