// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When to look at what has been measured so far. Each look may raise a false alarm, so each has a
 * level of its own, and the levels of all looks of a plan add up to STOPPING_ALPHA.
 *
 * At a look the verdict on the primary metric is reached (verdict.h) with the level of the look.
 * The run ends when the verdict is not VERDICT_INCONCLUSIVE, when no look is left, or when its
 * time is up: what is then open stays INCONCLUSIVE.
 */
#ifndef STATS_STOPPING_H
#define STATS_STOPPING_H

#define STOPPING_ALPHA 0.05
#define STOPPING_BLOCKS 8 /* of a plan for which nobody said otherwise */

/*
 * The level of the look after so many blocks (the warm-up is none) of a plan that ends after
 * `last`; 0: no look here. Looks are after 3, 5 and 8 blocks, at .0093, .0157 and .0250; a plan
 * that ends elsewhere has its last look there, at what the looks before it have left.
 */
double stopping_level(unsigned blocks, unsigned last);

/*
 * The same for pairs over seeds, of which six are the fewest that can show anything (p = 2^-5).
 * Looks are after 6 and 8, at .03125 and .01875.
 */
double stopping_pairs_level(unsigned pairs, unsigned last);

#endif
