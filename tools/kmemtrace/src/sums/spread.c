// SPDX-License-Identifier: GPL-2.0
/*
 * spread.c - the standard error of a sum over a sample of objects
 */
#include "config.h"

#include "sums/spread.h"

/* Return a rounded square root, by Newton's method: the library doesn't need libm. */
static uint64_t root(double square)
{
	double next = square > 1 ? square : 1, last;

	if (square <= 0)
		return 0;
	do {
		last = next;
		next = (last + square / last) / 2;
	} while (next < last);
	return last + 0.5;
}

/**
 * spread_error - estimate the standard error of a sum
 * @s: the sum, by group
 *
 * Random groups: K. M. Wolter, Introduction to Variance Estimation, chapter 2. With the sums
 * T_g of k groups and their sum T, the variance of T is k / (k - 1) * sum((T_g - T / k)^2).
 *
 * Return: the standard error, rounded.
 */
uint64_t spread_error(const struct spread *s)
{
	double mean = 0, squares = 0;
	int i;

	for (i = 0; i < SPREAD_GROUPS; i++)
		mean += (double)s->sums[i] / SPREAD_GROUPS;
	for (i = 0; i < SPREAD_GROUPS; i++)
		squares += ((double)s->sums[i] - mean) * ((double)s->sums[i] - mean);
	return root(squares * SPREAD_GROUPS / (SPREAD_GROUPS - 1));
}

/* Return the standard error of the sum of two figures that don't depend on each other. */
uint64_t spread_join(uint64_t a, uint64_t b)
{
	return a && b ? root((double)a * (double)a + (double)b * (double)b) : a + b;
}
