// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/ran.h"

/*
 * Mean duration of the scenario's own trials, else of all so far; -1 before the first. `trial`
 * is one that is still to come.
 */
static int64_t expected_ns(
	const struct ran *ran, const struct plan *plan, const struct trial *trial)
{
	int64_t sum = 0, own = 0;
	size_t n = 0, n_own = 0;

	for (size_t i = 0; i < plan->n; i++) {
		if (!ran[i].duration_ns)
			continue;
		sum += ran[i].duration_ns;
		n++;
		if (trial_is_of(&plan->trials[i], trial->scenario)) {
			own += ran[i].duration_ns;
			n_own++;
		}
	}
	return n_own ? own / (int64_t)n_own : n ? sum / (int64_t)n : -1;
}

int64_t ran_left_ns(const struct ran *ran, const struct plan *plan, bool all, unsigned block)
{
	int64_t left = 0;

	for (size_t i = 0; i < plan->n; i++) {
		const struct trial *trial = &plan->trials[i];
		int64_t expected;

		if (ran[i].done || (!all && trial->block != block))
			continue;
		expected = expected_ns(ran, plan, trial);
		if (expected < 0)
			return -1;
		left += expected;
	}
	return left;
}
