// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/bisect_search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "stats/mannwhitney.h"
#include "stats/signflip.h"

const char *const bisect_moved_names[] = { "either", "slower", "faster", NULL };

const char *bisect_mark_name(enum bisect_mark mark)
{
	static const char *const names[] = { "unknown", "good", "bad", "undecided" };

	return names[mark];
}

void bisect_bounds(const enum bisect_mark *marks, size_t n, size_t *ret_good, size_t *ret_bad)
{
	size_t good = 0, bad = 1;

	while (bad < n - 1 && marks[bad] != BISECT_BAD)
		bad++;
	for (size_t i = 0; i < bad; i++) {
		if (marks[i] == BISECT_GOOD)
			good = i;
	}
	*ret_good = good;
	*ret_bad = bad;
}

size_t bisect_next(const enum bisect_mark *marks, size_t n)
{
	size_t good, bad, best = n, distance = n;

	bisect_bounds(marks, n, &good, &bad);
	for (size_t i = good + 1; i < bad; i++) {
		size_t middle = good + (bad - good) / 2;
		size_t away = i < middle ? middle - i : i - middle;

		if (marks[i] == BISECT_UNKNOWN && away < distance) {
			distance = away;
			best = i;
		}
	}
	return best;
}

double bisect_least_p(bool pairs, size_t n)
{
	double p = 2;

	for (size_t i = 1; i <= n; i++)
		p *= pairs ? 0.5 : (double)i / (double)(n + i);
	return fmin(p, 1);
}

static void free_samples(struct sample **samples)
{
	free(*samples);
}

static void free_numbers(double **numbers)
{
	free(*numbers);
}

static int judge_pairs(
	const struct sample *logs, size_t n, double level, struct bisect_answer *answer)
{
	double *differences CLEANUP(free_numbers) = calloc(n + 1, sizeof(*differences));
	struct significance significance;
	int r;

	if (!differences)
		return -ENOMEM;
	r = samples_pair(logs, n, differences, &n);
	if (r == 0)
		r = signflip_test(differences, n, 0, &significance);
	if (r == 0)
		r = signflip_estimate(differences, n, &answer->estimate);
	if (r == 0)
		r = signflip_interval(differences, n, 1 - 2 * level, &answer->interval);
	if (r < 0)
		return r;
	answer->p = significance.p;
	answer->n = n;
	return 0;
}

static int judge_apart(
	const struct sample *logs, size_t n, double level, struct bisect_answer *answer)
{
	struct significance significance;
	size_t others = 0;
	int r = mannwhitney_test(logs, n, 0, &significance);

	if (r == 0)
		r = mannwhitney_estimate(logs, n, &answer->estimate);
	if (r == 0)
		r = mannwhitney_interval(logs, n, 1 - 2 * level, &answer->interval);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		others += logs[i].b;
	answer->p = significance.p;
	answer->n = others < n - others ? others : n - others;
	return 0;
}

static int answer_logs(const struct sample *logs, size_t n, const struct bisect_rule *rule,
	struct bisect_answer *answer)
{
	struct evidence evidence;
	int r = rule->pairs ? judge_pairs(logs, n, rule->level, answer)
			    : judge_apart(logs, n, rule->level, answer);

	if (r < 0)
		return r == -EDOM ? 0 : r;
	evidence = (struct evidence) {
		.p = answer->p,
		.level = rule->level,
		.estimate = answer->estimate,
		.interval90 = answer->interval,
		.delta = rule->delta,
		.floor = INFINITY,
		.more_is_better = rule->more_is_better,
	};
	answer->verdict = verdict_reach(&evidence);
	return 0;
}

int bisect_judge(const double *first, const double *other, size_t n, const struct bisect_rule *rule,
	struct bisect_answer *ret_answer)
{
	struct sample *samples CLEANUP(free_samples) = calloc(2 * n + 1, sizeof(*samples));
	struct bisect_answer answer = {
		.p = 1,
		.interval = { -INFINITY, INFINITY },
		.verdict = VERDICT_INCONCLUSIVE,
	};
	int r;

	if (!samples)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		samples[2 * i] = (struct sample) { first[i], (unsigned)i, false };
		samples[2 * i + 1] = (struct sample) { other[i], (unsigned)i, true };
	}
	r = samples_log(samples, 2 * n, samples, &n);
	if (r == 0)
		r = answer_logs(samples, n, rule, &answer);
	if (r == 0)
		*ret_answer = answer;
	return r;
}

enum bisect_mark bisect_mark_of(enum verdict verdict, enum bisect_moved moved)
{
	if (verdict == VERDICT_INCONCLUSIVE)
		return BISECT_SKIPPED;
	if (verdict == VERDICT_SAME)
		return BISECT_GOOD;
	if (moved == BISECT_EITHER || (moved == BISECT_SLOWER) == (verdict == VERDICT_SLOWER))
		return BISECT_BAD;
	return BISECT_GOOD;
}
