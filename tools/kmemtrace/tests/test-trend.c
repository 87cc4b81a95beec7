// SPDX-License-Identifier: GPL-2.0
/*
 * The trend of a series, against values that were counted over all orders of the values.
 */
#include "test.h"

#include "report/trend.h"

#define FIT(...)	fit((const uint64_t[]) { __VA_ARGS__ }, \
			    sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t))

/* Fit values at the times 0, 1 and so on. */
static struct trend fit(const uint64_t *values, size_t nr)
{
	double times[TREND_MAX];
	size_t i;

	for (i = 0; i < nr; i++)
		times[i] = (double)i;
	return trend_fit(times, values, nr);
}

static void assert_near(double got, double want)
{
	double difference = got > want ? got - want : want - got;
	double size = want < 0 ? -want : want;

	if (difference > size / 1e9)
		fail_msg("%.12g, expected %.12g", got, want);
}

static void assert_trend(struct trend t, double slope, double chance)
{
	assert_near(t.slope, slope);
	assert_near(t.chance, chance);
}

static void test_few(void **state)
{
	(void)state;
	assert_trend(FIT(7), 0, 1);
	assert_trend(FIT(1, 2), 1, 1 / 2.);
	assert_trend(FIT(2, 1), -1, 1);
	assert_trend(FIT(1, 2, 3), 1, 1 / 6.);
	assert_trend(FIT(1, 3, 2), 0.5, 3 / 6.);
	assert_trend(FIT(1, 2, 3, 4), 1, 1 / 24.);
	assert_trend(FIT(0, 10, 30, 60, 100), 25, 1 / 120.);
	assert_trend(FIT(5, 1, 4, 2, 3), -0.5, 91 / 120.);
	assert_trend(FIT(10, 12, 11, 15, 14, 13, 18, 20), 4 / 3., 285 / 40320.);
}

/* Values that are the same have no order. */
static void test_ties(void **state)
{
	(void)state;
	assert_trend(FIT(5, 5, 5, 5), 0, 1);
	assert_trend(FIT(1, 2, 2), 0.5, 1 / 3.);
	assert_trend(FIT(1, 1, 1, 2, 2), 7 / 24., 1 / 10.);
	assert_trend(FIT(3, 3, 4, 4, 5, 5, 9), 0.5, 1 / 630.);
	/* One step and nothing else. */
	assert_trend(FIT(0, 4, 4, 4, 4), 0, 1 / 5.);
	assert_trend(FIT(0, 0, 1, 5, 2, 2, 3, 3, 4, 4, 1, 5, 6, 6, 7, 7, 8, 8, 9, 9), 0.5,
		     2.6400806059648156 / 1e9);
}

/* 20 values are the most that are counted, and more if many are the same. */
static void test_most(void **state)
{
	uint64_t values[TREND_MAX] = { 0 };
	size_t i;

	(void)state;
	values[TREND_MAX - 1] = 1;
	assert_trend(fit(values, TREND_MAX), 0, 1 / 64.);
	values[TREND_MAX - 1] = 0;
	values[TREND_MAX - 2] = 1;
	assert_trend(fit(values, TREND_MAX), 0, 2 / 64.);
	values[TREND_MAX - 1] = 2;
	assert_trend(fit(values, TREND_MAX), 0, 1 / (64. * 63));
	for (i = 0; i < TREND_MAX; i++)
		values[i] = i >= TREND_MAX / 2;
	assert_near(fit(values, TREND_MAX).chance, 1 / 1832624140942590534.);
	assert_near(FIT(0, 7, 14, 1, 8, 15, 2, 9, 16, 3, 10, 17, 4, 11, 18, 5, 12, 19, 6,
			13).chance, 0.01988106835034411);
}

static void test_normal(void **state)
{
	uint64_t values[TREND_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < 21; i++)
		values[i] = i;
	assert_trend(fit(values, 21), 1, 1.3847878005729874 / 1e10);
	for (i = 0; i < 30; i++)
		values[i] = i * 7 % 11 + i / 4;
	assert_trend(fit(values, 30), 0.2727272727272727, 0.002844583410253589);
	for (i = 0; i < TREND_MAX; i++)
		values[i] = i / 3;
	assert_trend(fit(values, TREND_MAX), 1 / 3., 5.002335589196005 / 1e30);
	for (i = 0; i < TREND_MAX; i++)
		values[i] = TREND_MAX - i;
	assert_near(fit(values, TREND_MAX).slope, -1);
}

/* Times that are not even, one time twice, and values that a double doesn't hold. */
static void test_times(void **state)
{
	const double times[] = { 0, 1, 3, 7 }, same[] = { 2, 2, 2 };
	const uint64_t values[] = { 100, 90, 400, 500 };
	const uint64_t large[] = { UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX };

	(void)state;
	assert_trend(trend_fit(times, values, 4), (400 / 7. + 410 / 6.) / 2, 1 / 6.);
	assert_trend(trend_fit(same, large, 3), 0, 1 / 6.);
	assert_trend(fit(large, 3), 1, 1 / 6.);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
