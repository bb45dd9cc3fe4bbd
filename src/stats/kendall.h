// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a number go up or down with another, as a residual with time? */
#ifndef STATS_KENDALL_H
#define STATS_KENDALL_H

#include <stdbool.h>
#include <stddef.h>

struct kendall {
	double tau; /* tau-b: -1 always down, 0 no relation, 1 always up */
	double p; /* two-sided */
	bool exact;
};

/*
 * p is exact for up to 100 pairs without ties, else by the normal approximation with the variance
 * for ties and a continuity correction. Infinite numbers are ranked. -EDOM: fewer than two
 * pairs, or one of the two numbers never changes.
 */
int kendall_test(const double *x, const double *y, size_t n, struct kendall *ret_kendall);

#endif
