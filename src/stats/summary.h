// SPDX-License-Identifier: GPL-2.0-or-later
/* A handful of numbers in a few: median, quantiles, spread. */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include <stddef.h>

/* Where a trial did not finish (INFINITY), what depends on it is INFINITY: "more than". */
struct summary {
	size_t n; /* numbers, infinite ones included */
	size_t absent; /* NANs: left out */
	size_t infinite;
	double min, max;
	double mean;
	double median;
	double low, high; /* quartiles */
};

/* -EDOM: no number, or one that is -INFINITY. */
int summary_make(const double *values, size_t n, struct summary *ret_summary);

/*
 * The share q (0 to 1) of numbers in ascending order lies below it; between two of them it is
 * interpolated (Hyndman and Fan's type 7, as in R and numpy). n > 0, no NAN.
 */
double quantile_sorted(const double *sorted, size_t n, double q);

/* Sorts in ascending order, no NAN. */
void values_sort(double *values, size_t n);

#endif
