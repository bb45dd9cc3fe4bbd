// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many tests at once. Adjusted values are compared with the level as a single one would be: they
 * keep the order of p and are at most 1.
 */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/*
 * Holm (1979): the chance of any false alarm stays below the level, however the tests depend on
 * each other. For what decides: variants and primary metrics. ret_adjusted may be p.
 */
int adjust_holm(const double *p, size_t n, double *ret_adjusted);

/*
 * Benjamini and Hochberg (1995): of what is at or below q, a share of q may be false. For what is
 * only pointed at: all other metrics, at q = ADJUST_LOOK_HERE.
 */
#define ADJUST_LOOK_HERE 0.10
int adjust_false_discovery(const double *p, size_t n, double *ret_adjusted);

#endif
