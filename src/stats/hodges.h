// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How much B differs from A, after Hodges and Lehmann (1963), for samples in blocks: the shift
 * that makes B look like A.
 */
#ifndef STATS_HODGES_H
#define STATS_HODGES_H

#include "stats/layout.h"
#include "stats/sample.h"

/*
 * The median of all differences B - A of the aligned residuals. Infinite where most of B, but not
 * of A, did not finish (or the reverse).
 */
int hodges_estimate(const struct sample *samples, size_t n, double *ret_estimate);

/*
 * The interval that holds all shifts that aligned_test() does not reject at 1 - level (0.95 means
 * 5 %), to 1e-9. It covers the true shift with at least that probability. An end is infinite
 * where no shift is rejected on its side: there are too few blocks, or too many trials did not
 * finish.
 */
int hodges_interval(
	const struct sample *samples, size_t n, double level, struct interval *ret_interval);

/* The same on a layout, with blocks or without. */
int layout_estimate(struct layout *layout, double *ret_estimate);
int layout_interval(struct layout *layout, double level, struct interval *ret_interval);

#endif
