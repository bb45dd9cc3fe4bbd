// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/decide.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "stats/adjust.h"

static void free_numbers(double **numbers)
{
	free(*numbers);
}

/* What makes questions that decide different from those that point. */
struct manner {
	int (*compare)(const struct sample *values, size_t n, enum design design,
		struct comparison *ret_comparison);
	int (*adjust)(const double *p, size_t n, double *ret_adjusted);
};

/* Compares each; gathers the p of those that could be, in order, and their number. */
static int compare_all(
	struct question *questions, size_t n, const struct manner *manner, double *p, size_t *ret_n)
{
	size_t answered = 0;

	for (size_t i = 0; i < n; i++) {
		struct question *question = &questions[i];
		int r;

		question->comparison = (struct comparison) { 0 };
		r = manner->compare(
			question->values, question->n, question->design, &question->comparison);

		if (r == -ENOMEM)
			return r;
		question->answered = r == 0;
		question->verdict = VERDICT_INCONCLUSIVE;
		question->p = 1;
		question->trials = 0;
		if (question->answered)
			p[answered++] = question->comparison.p;
	}
	*ret_n = answered;
	return 0;
}

static int answer(struct question *questions, size_t n, const struct manner *manner)
{
	double *p CLEANUP(free_numbers) = calloc(n + 1, sizeof(*p));
	size_t answered, k = 0;
	int r;

	if (!p)
		return -ENOMEM;
	r = compare_all(questions, n, manner, p, &answered);
	if (r == 0 && answered)
		r = manner->adjust(p, answered, p);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		if (questions[i].answered)
			questions[i].p = p[k++];
	}
	return 0;
}

/* Standard deviation of one trial; below 0: not known. Two that are a pair differ by sqrt 2 of it. */
static double sigma_of(const struct question *question)
{
	const struct comparison *comparison = &question->comparison;

	if (question->design == DESIGN_PAIRS)
		return isnan(comparison->spread) ? -1 : comparison->spread / M_SQRT2;
	return comparison->noise.pairs ? comparison->noise.sigma : -1;
}

/* Trials of each that there are. */
static unsigned trials_of(const struct question *question)
{
	const struct comparison *comparison = &question->comparison;
	size_t least = comparison->n_a < comparison->n_b ? comparison->n_a : comparison->n_b;

	return (unsigned)(question->design == DESIGN_PAIRS ? comparison->blocks : least);
}

int decide(struct question *questions, size_t n, double level, double delta)
{
	static const struct manner manner = { compare_samples, adjust_holm };
	int r = answer(questions, n, &manner);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		struct question *question = &questions[i];
		const struct comparison *comparison = &question->comparison;
		const struct evidence evidence = {
			.p = question->p,
			.level = level,
			.estimate = comparison->estimate,
			.interval90 = comparison->interval90,
			.delta = delta,
			.floor = comparison->floor,
			.more_is_better = question->more_is_better,
		};

		if (!question->answered)
			continue;
		question->verdict = verdict_reach(&evidence);
		if (question->verdict == VERDICT_INCONCLUSIVE)
			question->trials =
				verdict_trials(&evidence, sigma_of(question), trials_of(question));
	}
	return 0;
}

int decide_where_to_look(struct question *questions, size_t n)
{
	static const struct manner manner = { compare_briefly, adjust_false_discovery };

	return answer(questions, n, &manner);
}
