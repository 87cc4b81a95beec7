// SPDX-License-Identifier: GPL-2.0
/*
 * The trend of a short series of values.
 *
 * The slope is that of Theil and Sen: the median of the slopes of all pairs. A single step, or
 * a few outliers, do not change it. The test is that of Mann and Kendall, one-sided: it uses
 * only which value of a pair is larger.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "report/trend.h"

/* Orders are counted in 64 bits. 20! is the last factorial below 2^63. */
#define MAX_ORDERS	9.2e18

#define MAX_PAIRS	(TREND_MAX * (TREND_MAX - 1) / 2)

static int by_slope(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return @y - @x; a difference of doubles would lose the low bits of large numbers. */
static double difference(uint64_t x, uint64_t y)
{
	return y > x ? (double)(y - x) : -(double)(x - y);
}

static double median_slope(const double *times, const uint64_t *values, size_t nr)
{
	double slopes[MAX_PAIRS];
	size_t i, j, n = 0;

	for (i = 0; i < nr; i++)
		for (j = i + 1; j < nr; j++)
			if (times[j] > times[i])
				slopes[n++] = difference(values[i], values[j]) /
					      (times[j] - times[i]);
	if (!n)
		return 0;
	qsort(slopes, n, sizeof(*slopes), by_slope);
	return (slopes[(n - 1) / 2] + slopes[n / 2]) / 2;
}

/**
 * struct ranks - what the test of Mann and Kendall needs
 * @nr: number of values
 * @rises: pairs of which the later value is larger
 * @falls: pairs of which it is smaller
 * @ties: how many values are the same, for each value that several have
 * @nr_ties: entries of @ties
 */
struct ranks {
	size_t nr, rises, falls;
	size_t ties[TREND_MAX / 2], nr_ties;
};

static int by_slope_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_ties(struct ranks *r, const uint64_t *values)
{
	uint64_t sorted[TREND_MAX];
	size_t i, first = 0;

	memcpy(sorted, values, r->nr * sizeof(*values));
	qsort(sorted, r->nr, sizeof(*sorted), by_slope_value);
	for (i = 1; i <= r->nr; i++) {
		if (i < r->nr && sorted[i] == sorted[first])
			continue;
		if (i - first > 1)
			r->ties[r->nr_ties++] = i - first;
		first = i;
	}
}

static void rank(struct ranks *r, const uint64_t *values, size_t nr)
{
	size_t i, j;

	*r = (struct ranks) { .nr = nr };
	for (i = 0; i < nr; i++)
		for (j = i + 1; j < nr; j++) {
			r->rises += values[j] > values[i];
			r->falls += values[j] < values[i];
		}
	find_ties(r, values);
}

static double factorial(size_t n)
{
	double product = 1;

	for (; n > 1; n--)
		product *= (double)n;
	return product;
}

/* Return the number of orders of the values that differ. */
static double count_orders(const struct ranks *r)
{
	double orders = factorial(r->nr);
	size_t i;

	for (i = 0; i < r->nr_ties; i++)
		orders /= factorial(r->ties[i]);
	return orders;
}

/*
 * Multiply a polynomial by 1 + x + ... + x^(@k - 1), which is (1 - x^@k) / (1 - x). The
 * coefficients wrap on the way, not in the result.
 */
static void multiply(uint64_t *c, size_t degree, size_t k)
{
	size_t i;

	for (i = degree; i >= k; i--)
		c[i] -= c[i - k];
	for (i = 1; i <= degree; i++)
		c[i] += c[i - 1];
}

/* Undo multiply(). */
static void divide(uint64_t *c, size_t degree, size_t k)
{
	size_t i;

	for (i = degree; i >= 1; i--)
		c[i] -= c[i - 1];
	for (i = k; i <= degree; i++)
		c[i] += c[i - k];
}

/*
 * Count the orders of the values by their number of falls: coefficient i is the number of
 * orders with i falls. Without ties, the polynomial is the product of 1 + x + ... + x^(k - 1)
 * for all k up to the number of values. Values that are the same don't fall to each other.
 * Coefficients above the pairs that differ are 0.
 */
static double exact_chance(const struct ranks *r)
{
	uint64_t orders[MAX_PAIRS + 1] = { 1 };
	size_t degree = r->rises + r->falls, i, k;
	double all = 0, such = 0;

	for (k = 2; k <= r->nr; k++)
		multiply(orders, degree, k);
	for (i = 0; i < r->nr_ties; i++)
		for (k = 2; k <= r->ties[i]; k++)
			divide(orders, degree, k);
	for (i = 0; i <= degree; i++) {
		all += (double)orders[i];
		if (i <= r->falls)
			such += (double)orders[i];
	}
	return such / all;
}

static double variance_of(size_t n)
{
	return (double)n * (double)(n - 1) * (double)(2 * n + 5) / 18;
}

/* The normal approximation, with the corrections for ties and for continuity. */
static double normal_chance(const struct ranks *r)
{
	double variance = variance_of(r->nr), s = (double)r->rises - (double)r->falls;
	size_t i;

	for (i = 0; i < r->nr_ties; i++)
		variance -= variance_of(r->ties[i]);
	return variance > 0 ? erfc((s - 1) / sqrt(2 * variance)) / 2 : 1;
}

/**
 * trend_fit - find the trend of a series
 * @times: when the values were measured, the earliest first
 * @values: the values
 * @nr: how many, up to TREND_MAX
 *
 * The chance is exact where the values have at most MAX_ORDERS orders: up to 20 values, and more
 * if so many are the same. Else it is a normal approximation.
 *
 * Return: the trend. Without two values, and if all are the same, the slope is 0 and the
 *	chance is 1.
 */
struct trend trend_fit(const double *times, const uint64_t *values, size_t nr)
{
	struct trend t = { .slope = 0, .chance = 1 };
	struct ranks r;

	rank(&r, values, nr);
	if (!r.rises && !r.falls)
		return t;
	t.slope = median_slope(times, values, nr);
	t.chance = count_orders(&r) <= MAX_ORDERS ? exact_chance(&r) : normal_chance(&r);
	return t;
}
