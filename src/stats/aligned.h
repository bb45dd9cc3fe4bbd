// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is B different from A? Aligned-rank permutation test within blocks (Hodges and Lehmann 1962):
 * from each value its block's median is subtracted, all residuals are ranked together, and T is
 * the rank sum of B. Since the order of trials within a block was drawn at random, each
 * arrangement of a block's labels was equally likely, whatever the machine did meanwhile: the
 * test needs no assumption about noise.
 */
#ifndef STATS_ALIGNED_H
#define STATS_ALIGNED_H

#include "stats/sample.h"

/*
 * Tests whether B is A plus shift; shift 0 asks whether they differ at all. Blocks may differ in
 * size and in their numbers of A and B. p = min(1, 2 * min(P(T <= t), P(T >= t))); with 2 + 2 in
 * a block no smaller than 0.0556, 0.0093, 0.0015 for 2, 3, 4 blocks; with 2 of A and 1 of B
 * 0.2222, 0.0741, 0.0247, 0.0082 for 2, 3, 4, 5.
 */
int aligned_test(const struct sample *samples, size_t n, double shift,
	struct significance *ret_significance);

#endif
