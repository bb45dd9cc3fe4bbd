// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/verdict.h"

#include <math.h>

static const char *const names[VERDICT_CODES] = {
	[VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
	[VERDICT_SAME] = "SAME",
	[VERDICT_FASTER] = "FASTER",
	[VERDICT_SLOWER] = "SLOWER",
};

const char *verdict_name(enum verdict verdict)
{
	return names[verdict];
}

/* A probability that equals the level but for rounding is at most the level. */
static bool at_most(double p, double level)
{
	return p <= level * (1 + 1e-9);
}

static bool far_enough(const struct evidence *evidence)
{
	double size = fabs(evidence->estimate);

	if (fabs(ratio_percent(evidence->estimate)) < evidence->delta)
		return false;
	return isinf(evidence->floor) || size >= evidence->floor;
}

enum verdict verdict_reach(const struct evidence *evidence)
{
	bool more = evidence->estimate > 0;

	if (evidence->level > 0 && at_most(evidence->p, evidence->level) && far_enough(evidence))
		return more == evidence->more_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
	if (ratio_percent(evidence->interval90.low) >= -evidence->delta &&
		ratio_percent(evidence->interval90.high) <= evidence->delta)
		return VERDICT_SAME;
	return VERDICT_INCONCLUSIVE;
}

/*
 * Trials of each variant at which a two-sided test at 5 % finds `size` 4 times in 5 (1.960 and
 * 0.842 standard deviations); pi / 3 more than Student's t needs, as ranks do.
 */
static double trials_for(double size, double sigma)
{
	double ratio = (1.960 + 0.842) * sigma / size;

	return 2 * ratio * ratio * M_PI / 3;
}

unsigned verdict_trials(const struct evidence *evidence, double sigma, unsigned have)
{
	const double least = 6; /* three blocks, or six pairs: fewer cannot be significant */
	double delta = log1p(evidence->delta / 100), needed;

	if (!(sigma >= 0) || !(delta > 0))
		return 0;
	needed = fmax(least, ceil(trials_for(delta, sigma)));
	if (needed <= have && isfinite(evidence->estimate)) {
		double apart = fabs(fabs(evidence->estimate) - delta);

		needed = apart > 0 ? ceil(trials_for(apart, sigma)) : INFINITY;
	}
	needed = fmax(needed, have + 1.0);
	return needed <= VERDICT_MOST_TRIALS ? (unsigned)needed : 0;
}
