// SPDX-License-Identifier: GPL-2.0
/*
 * spread.c - the standard error of a sum over a sample of objects
 */
#include "config.h"

#include "common/number.h"
#include "sums/spread.h"

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
	return number_root(squares * SPREAD_GROUPS / (SPREAD_GROUPS - 1));
}
