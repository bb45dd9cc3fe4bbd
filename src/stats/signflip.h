// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is B different from A when trials come in pairs, as on the same seed of an exact box? Sign-flip
 * permutation on the differences B - A of pairs: without an effect each difference was as likely
 * to come with the other sign. What is summed are the signed mid-ranks of |difference|
 * (Wilcoxon's), so that a trial that did not finish can take part. A difference of 0 keeps
 * its rank and has no sign (Pratt 1959).
 *
 * Exact for up to 100 pairs, normal approximation beyond. -E2BIG: more than SIGNFLIP_MOST.
 */
#ifndef STATS_SIGNFLIP_H
#define STATS_SIGNFLIP_H

#include "stats/sample.h"

#define SIGNFLIP_MOST 4000

/* p is no smaller than 2^(1-n): 0.0625 for 5 pairs, 0.0313 for 6, 0.0078 for 8. */
int signflip_test(
	const double *differences, size_t n, double shift, struct significance *ret_significance);

/* The median of the Walsh averages: means of any two differences, each with itself included. */
int signflip_estimate(const double *differences, size_t n, double *ret_estimate);

/* From the smallest to the largest shift that the test does not reject at 1 - level. */
int signflip_interval(
	const double *differences, size_t n, double level, struct interval *ret_interval);

#endif
