// SPDX-License-Identifier: GPL-2.0
/*
 * The names of gfp flags, by release.
 */
#include "test.h"

#include "read/gfp.h"

static const struct {
	const char *release;
	uint64_t flags;
	const char *names;
} cases[] = {
	{ "6.12.0-test", 0xcc0, "GFP_KERNEL" },
	{ "6.12", 0xdc0, "GFP_KERNEL|__GFP_ZERO" },
	{ "6.12", 0x400dc0, "GFP_KERNEL_ACCOUNT|__GFP_ZERO" },
	{ "6.12", 0x500cc0, "GFP_USER|__GFP_ACCOUNT" },
	{ "6.12", 0x1c24ca, "GFP_TRANSHUGE" },
	{ "6.12", 0x0, "0" },
	/* Flags that differ between releases, or are missing in one. */
	{ "6.1.0-25-amd64", 0xa20, "GFP_ATOMIC" },
	{ "6.12", 0xa20, "GFP_ATOMIC|0x200" },
	{ "6.12", 0x820, "GFP_ATOMIC" },
	{ "6.1", 0x820, "GFP_NOWAIT|__GFP_HIGH" },
	{ "6.12", 0x2800, "GFP_NOWAIT" },
	{ "6.12", 0x800, "__GFP_KSWAPD_RECLAIM" },
	{ "6.1", 0x8000cc0, "GFP_KERNEL|__GFP_NOLOCKDEP" },
	{ "6.12", 0x1000cc0, "GFP_KERNEL|0x1000000" },
	{ "7.2.13+", 0x502dc0, "GFP_USER|__GFP_ZERO|__GFP_NOWARN|__GFP_ACCOUNT" },
	{ "7.2", 0x820, "GFP_ATOMIC" },
	{ "7.2", 0x1000cc0, "GFP_KERNEL|0x1000000" },
	{ "6.10.0", 0xcc0, NULL },
	{ "5.12", 0xcc0, NULL },
	{ "of my own", 0xcc0, NULL },
	{ NULL, 0xcc0, NULL },
};

static void test_names(void **state)
{
	char buf[GFP_NAMES_LEN];
	const char *names;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		names = gfp_names(buf, cases[i].release, cases[i].flags);
		if (cases[i].names)
			assert_string_equal(names, cases[i].names);
		else
			assert_null(names);
	}
}

/* The buffer has room for all flags at once. */
static void test_all(void **state)
{
	char buf[GFP_NAMES_LEN];

	(void)state;
	gfp_names(buf, "6.1", UINT64_MAX);
	assert_non_null(strstr(buf, "__GFP_NOLOCKDEP|0xfffffffff0000000"));
}

static void test_migratetype(void **state)
{
	(void)state;
	assert_int_equal(gfp_migratetype("6.12", 0xcc0), MIGRATETYPE_UNMOVABLE);
	/* GFP_HIGHUSER_MOVABLE */
	assert_int_equal(gfp_migratetype("6.12", 0x100cca), MIGRATETYPE_MOVABLE);
	/* GFP_KERNEL|__GFP_RECLAIMABLE */
	assert_int_equal(gfp_migratetype("6.1.0-25-amd64", 0xcd0),
			 MIGRATETYPE_RECLAIMABLE);
	assert_int_equal(gfp_migratetype("7.2", 0x100cca), MIGRATETYPE_MOVABLE);
	assert_int_equal(gfp_migratetype("6.12", 0x18), MIGRATETYPE_UNKNOWN);
	assert_int_equal(gfp_migratetype("5.12", 0xcc0), MIGRATETYPE_UNKNOWN);
	assert_int_equal(gfp_migratetype(NULL, 0xcc0), MIGRATETYPE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_migratetype),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
