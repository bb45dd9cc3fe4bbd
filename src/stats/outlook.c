// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/outlook.h"

#include <math.h>

/*
 * What ranks cost: after eight blocks of white noise their 90 % interval is so much wider than that
 * of normal theory with sigma known (test_stats_calibration).
 */
#define RANKS 1.08

/* Share of a normal distribution that lies above x. */
static double above(double x)
{
	return erfc(x / M_SQRT2) / 2;
}

/* Where a two-sided test at this level begins to find something, in standard deviations. */
static double critical(double level)
{
	double low = 0, high = 40;

	for (unsigned i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		*(2 * above(middle) > level ? &low : &high) = middle;
	}
	return high;
}

/*
 * Standard deviation of one trial, from trials of the same variant in one block; their mean distance
 * is 2 / sqrt pi of it. Both variants: three blocks have only three pairs of A. Below 0: no pairs.
 */
static double sigma_of(const struct sample *samples, size_t n)
{
	double sum = 0;
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = i + 1; k < n && samples[k].block == samples[i].block; k++) {
			double apart = fabs(log(samples[k].value) - log(samples[i].value));

			if (samples[k].b != samples[i].b || !isfinite(apart))
				continue;
			sum += apart;
			pairs++;
		}
	}
	return pairs ? sum / (double)pairs * sqrt(M_PI) / 2 : -1;
}

double outlook(const struct question *question, unsigned blocks, const struct plan_end *end)
{
	const struct comparison *now = &question->comparison;
	double sigma = sigma_of(question->values, question->n), size = fabs(now->estimate);
	double share = (double)blocks / end->blocks;
	double delta = log1p(end->delta / 100), error, still, far;

	if (!question->answered || question->design != DESIGN_BLOCKS || !(sigma > 0) ||
		!isfinite(size) || share >= 1)
		return 1;
	/* Of the estimate at the end; and how far that may lie from the one of today. */
	error = sigma * sqrt(share / (double)now->n_a + share / (double)now->n_b);
	still = error * sqrt((1 - share) / share);
	far = fmax(delta, RANKS * critical(end->level) * error);
	/* Half of the 90 % interval: within delta, equal variants can be the same. */
	if (RANKS * critical(0.10) * error < delta)
		return 1;
	return above((far - size) / still) + above((far + size) / still);
}

static bool is_open(const struct question *question)
{
	return question->answered && question->verdict == VERDICT_INCONCLUSIVE;
}

bool outlook_hopeless(
	const struct question *questions, size_t n, unsigned blocks, const struct plan_end *end)
{
	struct plan_end each = *end;
	size_t open = 0;

	for (size_t i = 0; i < n; i++)
		open += is_open(&questions[i]);
	if (!open)
		return false;
	each.level /= (double)open;
	for (size_t i = 0; i < n; i++) {
		if (is_open(&questions[i]) && outlook(&questions[i], blocks, &each) >= 0.5)
			return false;
	}
	return true;
}
