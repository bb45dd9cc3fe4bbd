// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same for data without blocks (imported, or kernels that could not be interleaved): the
 * exact Mann-Whitney test, its Hodges-Lehmann shift and interval; ties are exact, too. The
 * blocks of samples are not looked at. The test supposes that nothing but the variant changed
 * between the trials of A and those of B: any drift of the machine counts as an effect, and a
 * report must say so.
 */
#ifndef STATS_MANNWHITNEY_H
#define STATS_MANNWHITNEY_H

#include "stats/sample.h"

/* As aligned_test(). No smaller than 0.1, 0.0286, 0.0079 for 3, 4, 5 of each. */
int mannwhitney_test(const struct sample *samples, size_t n, double shift,
	struct significance *ret_significance);

/* The median of all differences B - A. */
int mannwhitney_estimate(const struct sample *samples, size_t n, double *ret_estimate);

/* As hodges_interval(). */
int mannwhitney_interval(
	const struct sample *samples, size_t n, double level, struct interval *ret_interval);

#endif
