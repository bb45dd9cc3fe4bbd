// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/kendall.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "stats/memory.h"
#include "stats/permutation.h"
#include "stats/summary.h"

#define MOST_EXACT 100

/* Sums over groups of t equal numbers, as the variance needs them. */
struct ties {
	double pairs; /* t (t - 1) / 2 */
	double triples; /* t (t - 1) (t - 2) */
	double weight; /* t (t - 1) (2 t + 5) */
};

static int count_ties(const double *values, size_t n, struct ties *ret_ties)
{
	double *sorted CLEANUP(memory_free) = memory_alloc(n, sizeof(*sorted));
	struct ties ties = {};

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, values, n * sizeof(*sorted));
	values_sort(sorted, n);
	for (size_t first = 0, last; first < n; first = last) {
		double t;

		for (last = first + 1; last < n && sorted[last] == sorted[first]; last++)
			;
		t = (double)(last - first);
		ties.pairs += t * (t - 1) / 2;
		ties.triples += t * (t - 1) * (t - 2);
		ties.weight += t * (t - 1) * (2 * t + 5);
	}
	*ret_ties = ties;
	return 0;
}

static int sign(double a, double b)
{
	return (a > b) - (a < b);
}

/* Pairs that agree less pairs that disagree. */
static double score_of(const double *x, const double *y, size_t n)
{
	double score = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			score += sign(x[i], x[k]) * sign(y[i], y[k]);
	return score;
}

/* Chances of 0 to n (n - 1) / 2 disagreements: the i-th adds any of 0 to i - 1. */
static void count_inversions(double *chances, double *scratch, size_t n)
{
	size_t top = 0;

	chances[0] = 1;
	for (size_t i = 2; i <= n; i++) {
		memcpy(scratch, chances, (top + 1) * sizeof(*chances));
		memset(chances, 0, (top + i) * sizeof(*chances));
		for (size_t add = 0; add < i; add++)
			for (size_t k = 0; k <= top; k++)
				chances[k + add] += scratch[k] / (double)i;
		top += i - 1;
	}
}

static int exact_tails(double score, size_t n, struct tails *ret_tails)
{
	size_t top = n * (n - 1) / 2;
	double *chances CLEANUP(memory_free) = memory_alloc(2 * (top + 1), sizeof(*chances));

	if (!chances)
		return -ENOMEM;
	count_inversions(chances, chances + top + 1, n);
	*ret_tails = tails_count(chances, top, (size_t)(((double)top - score) / 2));
	return 0;
}

/* Kendall, Rank Correlation Methods (1970), chapter 5. */
static struct tails approximate_tails(
	double score, double n, const struct ties *x, const struct ties *y)
{
	double variance = (n * (n - 1) * (2 * n + 5) - x->weight - y->weight) / 18 +
			  2 * x->pairs * y->pairs / (n * (n - 1));

	if (n > 2)
		variance += x->triples * y->triples / (9 * n * (n - 1) * (n - 2));
	return tails_normal(score, 0, variance, 1);
}

int kendall_test(const double *x, const double *y, size_t n, struct kendall *ret_kendall)
{
	double score, all = (double)n * ((double)n - 1) / 2;
	struct significance significance;
	struct ties x_ties, y_ties;
	struct tails tails;

	if (n < 2)
		return -EDOM;
	if (count_ties(x, n, &x_ties) || count_ties(y, n, &y_ties))
		return -ENOMEM;
	if (x_ties.pairs == all || y_ties.pairs == all)
		return -EDOM;
	score = score_of(x, y, n);
	if (x_ties.pairs || y_ties.pairs || n > MOST_EXACT)
		tails = approximate_tails(score, (double)n, &x_ties, &y_ties);
	else if (exact_tails(score, n, &tails))
		return -ENOMEM;
	significance = tails_significance(&tails);
	*ret_kendall = (struct kendall) {
		.tau = score / sqrt((all - x_ties.pairs) * (all - y_ties.pairs)),
		.p = significance.p,
		.exact = significance.exact,
	};
	return 0;
}
