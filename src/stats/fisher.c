// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/fisher.h"

#include <errno.h>
#include <math.h>

/* Tables that are as likely as the one seen but for rounding count with it (as in R). */
#define ROUNDING (1 + 1e-7)

static double log_choose(size_t n, size_t k)
{
	int sign;

	return lgamma_r((double)n + 1, &sign) - lgamma_r((double)k + 1, &sign) -
	       lgamma_r((double)(n - k) + 1, &sign);
}

int fisher_test(size_t a_failed, size_t a_trials, size_t b_failed, size_t b_trials, double *ret_p)
{
	size_t failed = a_failed + b_failed, trials = a_trials + b_trials;
	size_t lowest = failed > a_trials ? failed - a_trials : 0;
	size_t highest = failed < b_trials ? failed : b_trials;
	double all, seen, p = 0;

	if (!a_trials || !b_trials || a_failed > a_trials || b_failed > b_trials)
		return -EDOM;
	all = log_choose(trials, failed);
	seen = exp(log_choose(a_trials, a_failed) + log_choose(b_trials, b_failed) - all);
	for (size_t i = lowest; i <= highest; i++) {
		double chance =
			exp(log_choose(a_trials, failed - i) + log_choose(b_trials, i) - all);

		if (chance <= seen * ROUNDING)
			p += chance;
	}
	*ret_p = fmin(1, p);
	return 0;
}
