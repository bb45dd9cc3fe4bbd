// SPDX-License-Identifier: GPL-2.0-or-later
/* From numbers to a word. */
#ifndef STATS_VERDICT_H
#define STATS_VERDICT_H

#include "stats/sample.h"

#define VERDICT_DELTA 5.0 /* per cent: what nobody would care about, unless told otherwise */

enum verdict {
	VERDICT_INCONCLUSIVE,
	VERDICT_SAME,
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_CODES
};

/* What is known of B against A. Differences are of logarithms, as everywhere in this room. */
struct evidence {
	double p; /* adjusted for the number of comparisons that decide */
	double level; /* of this look: stopping_level() */
	double estimate;
	struct interval interval90;
	double delta; /* per cent */
	double floor; /* noise_floor(); INFINITY when there is no A-A pair: then it is not used */
	bool more_is_better; /* work done, not time taken */
};

/*
 * FASTER and SLOWER: p is at most the level, and the estimate at least as far from 0 as delta and
 * as the floor. SAME: the 90 % interval lies within delta on either side. Else INCONCLUSIVE.
 *
 * The floor raises only the first bar. If it widened SAME, too, a noisier machine would find
 * more things to be the same.
 */
enum verdict verdict_reach(const struct evidence *evidence);

/* "FASTER", ... */
const char *verdict_name(enum verdict verdict);

/*
 * The number of trials of each variant that would settle an INCONCLUSIVE: with so many, an effect
 * of delta is found 4 times in 5 at noise sigma. If there are that many already, the truth
 * lies near delta, and the number is what tells the estimate from delta. Always more than `have`;
 * 0: more than VERDICT_MOST_TRIALS, or sigma is not known (below 0).
 */
#define VERDICT_MOST_TRIALS 10000
unsigned verdict_trials(const struct evidence *evidence, double sigma, unsigned have);

#endif
