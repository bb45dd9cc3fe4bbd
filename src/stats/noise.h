// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the trials of A say about the machine: two trials of the same variant in one block differ
 * by noise alone.
 */
#ifndef STATS_NOISE_H
#define STATS_NOISE_H

#include "stats/kendall.h"
#include "stats/sample.h"

struct noise {
	size_t pairs; /* A next to A in a block, both finite */
	/*
	 * Standard deviation of one trial, from the median of |A - A| (times 1.4826 / sqrt 2, as
	 * for a normal distribution), so that a few spikes do not count.
	 */
	double sigma;
	/*
	 * Order effect: how much the later one of a pair exceeds the earlier one (median of Walsh
	 * averages), and how sure that is (sign-flip test).
	 */
	double order;
	double order_p;
};

/* Samples stand in the order in which they ran. -EDOM: no such pair. */
int noise_measure(const struct sample *samples, size_t n, struct noise *ret_noise);

/*
 * The floor: a comparison of A with itself, with so many trials on either side, stays within it
 * 19 times in 20. As a difference, like sigma. INFINITY when a side has none.
 */
double noise_floor(double sigma, size_t n_a, size_t n_b);

/*
 * Drift: Kendall's tau of residuals (values less the median of their variant) against their
 * place in time. -EDOM as kendall_test().
 */
int noise_drift(const struct sample *samples, size_t n, struct kendall *ret_drift);

#endif
