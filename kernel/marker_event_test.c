// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the events of markers, with a channel of their own. */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/marker.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "marker_channel_internal.h"
#include "marker_internal.h"

DEFINE_STATIC_MARKER_CHANNEL(event_channel, &marker_event_ops);

#define EVENT_ID	1234

static const struct marker_event test_event = {
	.cpu	= &event_channel_cpu,
	.id	= EVENT_ID,
};

DECLARE_MARKER(test_event_numbers,
	MARKER_PARAMS(unsigned long a, u64 b, int c, u8 d),
	MARKER_ARGS(a, b, c, d),
	"a %lu b %llu c %d d %hhu")
DEFINE_MARKER(test_event_numbers);

DECLARE_MARKER(test_event_text,
	MARKER_PARAMS(int before, const char *text, u64 after),
	MARKER_ARGS(before, text, after),
	"before %d text %s after %llu")
DEFINE_MARKER(test_event_text);

/* The interpreter writes it, because of the precision. */
DECLARE_MARKER(test_event_precise,
	MARKER_PARAMS(int before, const char *text, u64 after),
	MARKER_ARGS(before, text, after),
	"before %d text %.63s after %llu")
DEFINE_MARKER(test_event_precise);

/* An argument is a string by its type, and a pointer by the format. */
DECLARE_MARKER(test_event_pointer,
	MARKER_PARAMS(char *pointer, u32 number),
	MARKER_ARGS(pointer, number),
	"pointer %p number %u")
DEFINE_MARKER(test_event_pointer);

static unsigned int test_cpu;
/* The next record to be read, the time that its delta counts from, and the last time. */
static const char *next;
static u64 base, last;

static struct marker_channel_cpu *cpu_part(void)
{
	return per_cpu_ptr(&event_channel_cpu, test_cpu);
}

static int event_test_init(struct kunit *test)
{
	int ret;

	test_cpu = raw_smp_processor_id();
	ret = set_cpus_allowed_ptr(current, cpumask_of(test_cpu));
	if (ret)
		return ret;
	marker_channel_init(&event_channel, SZ_64K, 2);
	event_channel.cycles = marker_clock_choose(MARKER_CLOCK_CYCLES);
	ret = marker_channel_prepare(&event_channel, false);
	if (ret)
		return ret;
	marker_channel_start(&event_channel);
	next = cpu_part()->buf->start;
	last = 0;
	return 0;
}

static void event_test_exit(struct kunit *test)
{
	marker_channel_stop(&event_channel);
	marker_channel_discard(&event_channel);
}

static void start(struct kunit *test, const char *name, const char *format)
{
	KUNIT_ASSERT_EQ(test, marker_event_register(name, format, &test_event),
			0);
}

static void stop(struct kunit *test, const char *name)
{
	KUNIT_EXPECT_EQ(test, marker_event_unregister(name, &test_event), 0);
}

/* Return the number of bytes that are written and not read. */
static size_t unread(void)
{
	return cpu_part()->pos ? cpu_part()->pos - next : 0;
}

static const struct ktrace_clock *read_clock(struct kunit *test)
{
	const struct ktrace_clock *clock = (const void *)next;

	KUNIT_ASSERT_GE(test, unread(), sizeof(*clock));
	KUNIT_ASSERT_EQ(test, clock->head.id, KTRACE_ID_CLOCK);
	KUNIT_ASSERT_EQ(test, clock->head.size, sizeof(*clock));
	KUNIT_EXPECT_EQ(test, clock->cpu, test_cpu);
	KUNIT_EXPECT_EQ(test, clock->clock, event_channel.cycles ?
			KTRACE_CLOCK_CYCLES : KTRACE_CLOCK_LOCAL);
	base = clock->timestamp;
	next += sizeof(*clock);
	return clock;
}

/* Return the arguments of the next event, which must have @size bytes with its head. */
static const char *read_event(struct kunit *test, size_t size)
{
	const struct ktrace_head *head = (const void *)next;

	KUNIT_ASSERT_GE(test, unread(), sizeof(*head));
	KUNIT_ASSERT_EQ(test, head->id, EVENT_ID);
	KUNIT_ASSERT_EQ(test, head->size, size);
	KUNIT_EXPECT_GE(test, base + head->delta, last);
	last = base + head->delta;
	next += size;
	return (const char *)(head + 1);
}

/* Expect bytes, and return what follows them. */
static const char *expect(struct kunit *test, const char *at, const void *bytes,
			  size_t size)
{
	KUNIT_EXPECT_EQ(test, memcmp(at, bytes, size), 0);
	return at + size;
}

#define EXPECT_NUMBER(_test, _at, _type, _value)			\
({									\
	_type __number = _value;					\
									\
	expect(_test, _at, &__number, sizeof(__number));		\
})

static const char *expect_text(struct kunit *test, const char *at,
			       const char *text)
{
	KUNIT_EXPECT_STREQ(test, at, text);
	return at + strlen(text) + 1;
}

static void expect_zeros(struct kunit *test, const char *at)
{
	for (; at < next; at++)
		KUNIT_EXPECT_EQ(test, *at, 0);
}

static void expect_numbers(struct kunit *test)
{
	const char *at = read_event(test, ALIGN(8 + sizeof(long) + 8 + 4 + 4, 8));

	at = EXPECT_NUMBER(test, at, unsigned long, ULONG_MAX - 1);
	at = EXPECT_NUMBER(test, at, u64, U64_MAX - 2);
	at = EXPECT_NUMBER(test, at, int, -3);
	at = EXPECT_NUMBER(test, at, int, 200);
	expect_zeros(test, at);
}

#define NUMBERS	ULONG_MAX - 1, U64_MAX - 2, -3, 200

static void event_test_typed(struct kunit *test)
{
	start(test, "test_event_numbers", NULL);
	KUNIT_EXPECT_TRUE(test, __marker_test_event_numbers.generated);
	marker_call(test_event_numbers, NUMBERS);
	marker_call(test_event_numbers, NUMBERS);
	stop(test, "test_event_numbers");
	marker_call(test_event_numbers, NUMBERS);

	KUNIT_EXPECT_EQ(test, read_clock(test)->events, 0);
	expect_numbers(test);
	expect_numbers(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
	KUNIT_EXPECT_EQ(test, cpu_part()->events, 2);
}

static noinline void hit_numbers(unsigned int *evaluated)
{
	unsigned long a = ULONG_MAX - 1;
	u8 d = 200;

	trace_mark(test_event_site, "a %lu b %llu c %d d %hhu", a,
		   (++*evaluated, U64_MAX - 2), -3, d);
}

static void event_test_site(struct kunit *test)
{
	unsigned int evaluated = 0;

	hit_numbers(&evaluated);
	KUNIT_EXPECT_EQ(test, evaluated, 0);
	start(test, "test_event_site", NULL);
	hit_numbers(&evaluated);
	stop(test, "test_event_site");
	hit_numbers(&evaluated);
	KUNIT_EXPECT_EQ(test, evaluated, 1);
	read_clock(test);
	expect_numbers(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

static void no_arguments(void)
{
	trace_mark(test_event_nothing, "nothing");
}

static void event_test_nothing(struct kunit *test)
{
	start(test, "test_event_nothing", NULL);
	no_arguments();
	stop(test, "test_event_nothing");
	read_clock(test);
	read_event(test, 8);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

/* Markers with a string: a typed one, an ad-hoc one, and both with a precision. */
static void hit_typed_text(const char *text)
{
	marker_call(test_event_text, -7, text, U64_MAX - 8);
}

static noinline void hit_site_text(const char *text)
{
	trace_mark(test_event_site_text, "before %d text %s after %llu", -7,
		   text, U64_MAX - 8);
}

static void hit_typed_precise(const char *text)
{
	marker_call(test_event_precise, -7, text, U64_MAX - 8);
}

static noinline void hit_site_precise(const char *text)
{
	trace_mark(test_event_site_precise, "before %d text %.63s after %llu",
		   -7, text, U64_MAX - 8);
}

struct text_marker {
	const char	*name;
	void		(*hit)(const char *text);
};

static const struct text_marker text_markers[] = {
	{ "test_event_text",		hit_typed_text },
	{ "test_event_site_text",	hit_site_text },
	{ "test_event_precise",		hit_typed_precise },
	{ "test_event_site_precise",	hit_site_precise },
};

static void text_marker_name(const struct text_marker *marker, char *name)
{
	strscpy(name, marker->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(text_marker, text_markers, text_marker_name);

/* Hit the marker with a string, and expect @expected in its record. */
static void hit_text(struct kunit *test, const char *text, const char *expected)
{
	const struct text_marker *marker = test->param_value;
	size_t size = ALIGN(8 + 4 + strlen(expected) + 1 + 8, 8);
	const char *at;

	marker->hit(text);
	at = read_event(test, size);
	at = EXPECT_NUMBER(test, at, int, -7);
	at = expect_text(test, at, expected);
	at = EXPECT_NUMBER(test, at, u64, U64_MAX - 8);
	expect_zeros(test, at);
}

/* Strings of each length, also at the end of a page; there is none behind it. */
static void event_test_text(struct kunit *test)
{
	const struct text_marker *marker = test->param_value;
	char *pages = __vmalloc(PAGE_SIZE, GFP_KERNEL);
	char text[MARKER_EVENT_TEXT + 10], whole[MARKER_EVENT_TEXT];

	KUNIT_ASSERT_NOT_NULL(test, pages);
	start(test, marker->name, NULL);
	marker->hit("");
	read_clock(test);
	read_event(test, ALIGN(8 + 4 + 1 + 8, 8));

	for (size_t length = 0; length < sizeof(text) - 1; length++) {
		memset(text, 'x', sizeof(text));
		text[length] = '\0';
		strscpy(whole, text, sizeof(whole));
		hit_text(test, text, whole);
		memset(pages, 'y', PAGE_SIZE);
		memcpy(pages + PAGE_SIZE - length - 1, text, length + 1);
		hit_text(test, pages + PAGE_SIZE - length - 1, whole);
	}
	hit_text(test, NULL, "(null)");
	/* UML has no protection from faults in the kernel: there, this would be a panic. */
	if (!IS_ENABLED(CONFIG_UML)) {
		hit_text(test, ERR_PTR(-EFAULT), "(fault)");
		/* On s390, for example, the kernel has other memory at addresses of user space. */
		if (IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE)) {
			hit_text(test, (char *)8, "(fault)");
			hit_text(test, (char *)(TASK_SIZE - 8), "(fault)");
		}
		/* There is no end of the string before the end of the page. */
		memset(pages, 'y', PAGE_SIZE);
		for (size_t length = 1; length < MARKER_EVENT_TEXT - 1; length++)
			hit_text(test, pages + PAGE_SIZE - length, "(fault)");
		/* The end of the page is the end of what is stored of the longest one. */
		memset(pages, 'x', PAGE_SIZE);
		hit_text(test, pages + PAGE_SIZE - (MARKER_EVENT_TEXT - 1), whole);
	}
	stop(test, marker->name);
	vfree(pages);
}

static noinline void hit_array(void)
{
	char comm[TASK_COMM_LEN] = "sixteen-letters";

	trace_mark(test_event_array, "%s %c %hd", comm, 'c', (short)-2);
}

static void event_test_array(struct kunit *test)
{
	const char *at;

	start(test, "test_event_array", NULL);
	hit_array();
	stop(test, "test_event_array");
	read_clock(test);
	at = read_event(test, 8 + 16 + 8);
	at = expect_text(test, at, "sixteen-letters");
	at = EXPECT_NUMBER(test, at, int, 'c');
	EXPECT_NUMBER(test, at, int, -2);
}

/* The interpreter writes what the types don't tell. */
static void event_test_interpreter(struct kunit *test)
{
	char *pointer = (char *)test;
	const char *at;

	start(test, "test_event_pointer", NULL);
	KUNIT_EXPECT_FALSE(test, __marker_test_event_pointer.generated);
	marker_call(test_event_pointer, pointer, 5);
	stop(test, "test_event_pointer");
	read_clock(test);
	at = read_event(test, ALIGN(8 + sizeof(long) + 4, 8));
	at = EXPECT_NUMBER(test, at, char *, pointer);
	at = EXPECT_NUMBER(test, at, u32, 5);
	expect_zeros(test, at);
}

static noinline void hit_precision(const char *text)
{
	trace_mark(test_event_precision, "%.3s|%lu", text, 9UL);
}

static void event_test_precision(struct kunit *test)
{
	const char *at;

	start(test, "test_event_precision", NULL);
	hit_precision("abcdef");
	stop(test, "test_event_precision");
	read_clock(test);
	at = read_event(test, ALIGN(8 + 4 + sizeof(long), 8));
	at = expect_text(test, at, "abc");
	EXPECT_NUMBER(test, at, unsigned long, 9);
}

static void count_numbers(void *data, unsigned long a, u64 b, int c, u8 d)
{
	++*(unsigned int *)data;
}

static void count_hits(void *data, const struct marker_layout *layout,
		       const void *record)
{
	++*(unsigned int *)data;
}

/* Each hit is recorded once and reaches each probe once, in any order of registration. */
static void event_test_probes(struct kunit *test)
{
	unsigned int typed = 0, generic = 0, site = 0, evaluated = 0;

	KUNIT_ASSERT_EQ(test, register_marker_test_event_numbers(count_numbers,
								 &typed), 0);
	start(test, "test_event_numbers", NULL);
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_event_numbers", NULL,
						      count_hits, &generic), 0);
	KUNIT_ASSERT_EQ(test, marker_generic_register("test_event_site", NULL,
						      count_hits, &site), 0);
	start(test, "test_event_site", NULL);
	KUNIT_EXPECT_EQ(test, marker_event_register("test_event_site", NULL,
						    &test_event), -EEXIST);
	for (int i = 0; i < 3; i++) {
		marker_call(test_event_numbers, NUMBERS);
		hit_numbers(&evaluated);
	}
	marker_generic_unregister("test_event_numbers", count_hits, &generic);
	unregister_marker_test_event_numbers(count_numbers, &typed);
	marker_generic_unregister("test_event_site", count_hits, &site);
	marker_call(test_event_numbers, NUMBERS);
	hit_numbers(&evaluated);
	stop(test, "test_event_numbers");
	stop(test, "test_event_site");

	KUNIT_EXPECT_EQ(test, typed, 3);
	KUNIT_EXPECT_EQ(test, generic, 3);
	KUNIT_EXPECT_EQ(test, site, 3);
	KUNIT_EXPECT_EQ(test, evaluated, 4);
	read_clock(test);
	for (int i = 0; i < 8; i++)
		expect_numbers(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

/* Before marker_settle(), too, each hit is recorded once and reaches each probe once. */
static void event_test_settle(struct kunit *test)
{
	unsigned int typed = 0, evaluated = 0;

	KUNIT_ASSERT_EQ(test, register_marker_test_event_numbers(count_numbers,
								 &typed), 0);
	KUNIT_ASSERT_EQ(test, marker_event_add("test_event_numbers", NULL,
					       &test_event), 0);
	KUNIT_ASSERT_EQ(test, marker_event_add("test_event_site", NULL,
					       &test_event), 0);
	marker_call(test_event_numbers, NUMBERS);
	unregister_marker_test_event_numbers(count_numbers, &typed);
	KUNIT_EXPECT_FALSE(test, __marker_test_event_numbers.indirect);
	stop(test, "test_event_numbers");
	KUNIT_EXPECT_EQ(test, typed, 1);

	/* other data, so that the marker needs the grace periods again */
	KUNIT_ASSERT_EQ(test, register_marker_test_event_numbers(count_numbers,
								 &typed), 0);
	unregister_marker_test_event_numbers(count_numbers, &typed);
	KUNIT_ASSERT_EQ(test, marker_event_add("test_event_numbers", NULL,
					       &test_event), 0);
	KUNIT_EXPECT_TRUE(test, __marker_test_event_numbers.indirect);
	marker_call(test_event_numbers, NUMBERS);
	hit_numbers(&evaluated);
	marker_settle();
	KUNIT_EXPECT_FALSE(test, __marker_test_event_numbers.indirect);
	marker_call(test_event_numbers, NUMBERS);
	hit_numbers(&evaluated);
	marker_event_remove("test_event_numbers", &test_event);
	marker_event_remove("test_event_site", &test_event);
	marker_settle();
	marker_synchronize_unregister();
	marker_call(test_event_numbers, NUMBERS);
	hit_numbers(&evaluated);
	KUNIT_EXPECT_EQ(test, typed, 1);
	KUNIT_EXPECT_EQ(test, evaluated, 2);
	read_clock(test);
	for (int i = 0; i < 5; i++)
		expect_numbers(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

/* A clock record precedes an event whose delta has more than 32 bits. */
static void event_test_far(struct kunit *test)
{
	const struct ktrace_clock *clock;

	start(test, "test_event_numbers", NULL);
	marker_call(test_event_numbers, NUMBERS);
	read_clock(test);
	expect_numbers(test);
	/* as if the first event had been a long time ago */
	preempt_disable();
	this_cpu_ptr(&event_channel_cpu)->base -= (u64)U32_MAX + 1;
	preempt_enable();
	marker_call(test_event_numbers, NUMBERS);
	marker_call(test_event_numbers, NUMBERS);
	stop(test, "test_event_numbers");
	clock = read_clock(test);
	KUNIT_EXPECT_EQ(test, clock->events, 1);
	KUNIT_EXPECT_EQ(test, clock->sequence, 0);
	KUNIT_EXPECT_GE(test, clock->timestamp, last);
	expect_numbers(test);
	expect_numbers(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

/* What has no room is lost and counted; the clock record of the next sub-buffer tells. */
static void event_test_lost(struct kunit *test)
{
	struct marker_channel_loss lost;
	const struct ktrace_clock *clock;
	struct rchan_buf *buf = cpu_part()->buf;
	size_t hits = 2 * SZ_64K / 8;

	start(test, "test_event_nothing", NULL);
	for (size_t i = 0; i < hits; i++)
		no_arguments();
	lost = marker_channel_lost(&event_channel, test_cpu);
	KUNIT_EXPECT_EQ(test, lost.records, 2 * sizeof(*clock) / 8);
	KUNIT_EXPECT_EQ(test, lost.bytes, lost.records * 8);
	KUNIT_EXPECT_EQ(test, cpu_part()->events, hits);
	/* as if a reader had consumed the first one */
	smp_store_release(&buf->subbufs_consumed, 1);
	no_arguments();
	stop(test, "test_event_nothing");
	next = buf->start;
	clock = read_clock(test);
	KUNIT_EXPECT_EQ(test, clock->events, hits);
	KUNIT_EXPECT_EQ(test, clock->sequence, 2);
	read_event(test, 8);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

static void event_test_stopped(struct kunit *test)
{
	start(test, "test_event_nothing", NULL);
	marker_channel_stop(&event_channel);
	no_arguments();
	stop(test, "test_event_nothing");
	KUNIT_EXPECT_EQ(test, marker_channel_lost(&event_channel,
						  test_cpu).records, 0);
	KUNIT_EXPECT_EQ(test, cpu_part()->events, 0);
}

#define NESTED_SIZE	96

/* Reserve a record of @NESTED_SIZE bytes, and one behind it. */
static struct marker_event_slot nest(void)
{
	struct marker_event_slot outer, inner;

	outer = marker_event_reserve(&test_event, NESTED_SIZE);
	if (outer.head) {
		memset(outer.head + 1, 0xaa, NESTED_SIZE - sizeof(*outer.head));
		inner = marker_event_reserve(&test_event, 8);
		inner.head->size = 8;
	}
	return outer;
}

/* A record that another one follows keeps its size, and its rest is cleared. */
static void event_test_nested(struct kunit *test)
{
	struct marker_event_slot outer;
	unsigned long flags;
	const char *at;

	local_irq_save(flags);
	outer = nest();
	if (outer.head)
		marker_event_trim(outer, marker_event_text((char *)(outer.head + 1),
							   "outer"),
				  NESTED_SIZE);
	local_irq_restore(flags);
	read_clock(test);
	at = read_event(test, NESTED_SIZE);
	expect_zeros(test, expect_text(test, at, "outer"));
	read_event(test, 8);
	KUNIT_EXPECT_EQ(test, unread(), 0);
}

/* A record that is given up leaves nothing, or a pad if another one follows. */
static void event_test_abandoned(struct kunit *test)
{
	const struct ktrace_head *pad;
	struct marker_event_slot slot;
	unsigned long flags;

	local_irq_save(flags);
	slot = marker_event_reserve(&test_event, NESTED_SIZE);
	if (slot.head)
		marker_event_abandon(slot, NESTED_SIZE);
	local_irq_restore(flags);
	read_clock(test);
	KUNIT_EXPECT_EQ(test, unread(), 0);
	KUNIT_EXPECT_EQ(test, cpu_part()->events, 0);

	local_irq_save(flags);
	slot = nest();
	if (slot.head)
		marker_event_abandon(slot, NESTED_SIZE);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, cpu_part()->events, 1);
	KUNIT_ASSERT_EQ(test, unread(), NESTED_SIZE + 8);
	pad = (const void *)next;
	KUNIT_EXPECT_EQ(test, pad->id, KTRACE_ID_PAD);
	KUNIT_EXPECT_EQ(test, pad->size, NESTED_SIZE);
	KUNIT_EXPECT_EQ(test, pad->delta, 0);
	next += NESTED_SIZE;
	expect_zeros(test, (const char *)(pad + 1));
	read_event(test, 8);
}

static struct kunit_case marker_event_cases[] = {
	KUNIT_CASE(event_test_typed),
	KUNIT_CASE(event_test_site),
	KUNIT_CASE(event_test_nothing),
	KUNIT_CASE_PARAM(event_test_text, text_marker_gen_params),
	KUNIT_CASE(event_test_array),
	KUNIT_CASE(event_test_interpreter),
	KUNIT_CASE(event_test_precision),
	KUNIT_CASE(event_test_probes),
	KUNIT_CASE(event_test_settle),
	KUNIT_CASE(event_test_far),
	KUNIT_CASE(event_test_lost),
	KUNIT_CASE(event_test_stopped),
	KUNIT_CASE(event_test_nested),
	KUNIT_CASE(event_test_abandoned),
	{ }
};

static struct kunit_suite marker_event_suite = {
	.name = "marker_event",
	.init = event_test_init,
	.exit = event_test_exit,
	.test_cases = marker_event_cases,
};

kunit_test_suite(marker_event_suite);
