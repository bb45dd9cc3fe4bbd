// SPDX-License-Identifier: GPL-2.0-or-later
/* All that is said about one metric of B against A, from the trials' numbers. */
#ifndef STATS_COMPARE_H
#define STATS_COMPARE_H

#include "stats/noise.h"
#include "stats/sample.h"

/* How trials of A and B were arranged; this decides what may be computed. */
enum design {
	DESIGN_BLOCKS, /* shuffled within blocks: aligned.h, hodges.h */
	DESIGN_APART, /* not interleaved: mannwhitney.h; a report must warn */
	DESIGN_PAIRS, /* one A and one B to a block, on the same seed: signflip.h */
};

/* Differences are of logarithms: ratio_percent() of them is what people read. */
struct comparison {
	size_t n_a, n_b; /* trials that have the metric, those that did not finish included */
	size_t blocks; /* that have both; DESIGN_PAIRS: pairs */
	double p;
	bool exact;
	double estimate;
	struct interval interval90, interval95;
	double spread; /* DESIGN_PAIRS: standard deviation of the differences; NAN: not to be had */
	double least, most; /* DESIGN_PAIRS: of the differences */
	struct noise noise; /* .pairs is 0 where no two of A are comparable */
	double floor; /* INFINITY without such a pair */
};

/*
 * values are as measured, in the order in which the trials ran: INFINITY for a trial that did
 * not finish, NAN for one without the metric. -EDOM: a value below 0, or no two trials that can
 * be compared.
 */
int compare_samples(const struct sample *values, size_t n, enum design design,
	struct comparison *ret_comparison);

/*
 * The same without intervals, which are what takes time: each is a search that makes the test
 * again at every step. They are then open at both ends.
 */
int compare_briefly(const struct sample *values, size_t n, enum design design,
	struct comparison *ret_comparison);

#endif
