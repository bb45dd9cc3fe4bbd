// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/permutation.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "stats/memory.h"

struct significance tails_significance(const struct tails *tails)
{
	return (struct significance) {
		.p = fmin(1, 2 * fmin(tails->low, tails->high)),
		.exact = tails->exact,
	};
}

struct tails tails_normal(double at, double mean, double variance, double half)
{
	double scale = sqrt(2 * variance);

	if (!(variance > 0))
		return (struct tails) { 1, 1, false };
	return (struct tails) {
		.low = erfc((mean - at - half) / scale) / 2,
		.high = erfc((at - mean - half) / scale) / 2,
	};
}

struct tails tails_count(const double *chances, size_t top, size_t at)
{
	struct tails tails = { .exact = true };

	for (size_t i = 0; i <= top; i++) {
		if (i <= at)
			tails.low += chances[i];
		if (i >= at)
			tails.high += chances[i];
	}
	tails.low = fmin(1, tails.low);
	tails.high = fmin(1, tails.high);
	return tails;
}

/* Ranks of a group count from the lowest in it, in steps of 1: without ties all are even. */
struct scale {
	uint32_t low, high;
	uint32_t step;
};

static uint32_t common_step(const struct group *groups, size_t n_groups, const uint32_t *ranks)
{
	for (size_t g = 0; g < n_groups; g++)
		for (size_t i = 0; i < groups[g].n; i++)
			if (ranks[groups[g].first + i] % 2)
				return 1;
	return 2;
}

static struct scale scale_of(const struct group *group, const uint32_t *ranks, uint32_t step)
{
	struct scale scale = { ranks[group->first], ranks[group->first], step };

	for (size_t i = 1; i < group->n; i++) {
		uint32_t rank = ranks[group->first + i];

		scale.low = rank < scale.low ? rank : scale.low;
		scale.high = rank > scale.high ? rank : scale.high;
	}
	return scale;
}

/* No sum of the group's B is larger: each of them the highest. */
static size_t scale_top(const struct scale *scale, const struct group *group)
{
	return group->n_b * ((scale->high - scale->low) / scale->step);
}

struct extent {
	size_t top; /* of all groups' sums */
	size_t table; /* cells of the largest group's table */
	double work;
};

static struct extent extent_of(
	const struct group *groups, size_t n_groups, const uint32_t *ranks, uint32_t step)
{
	struct extent extent = {};

	for (size_t g = 0; g < n_groups; g++) {
		struct scale scale = scale_of(&groups[g], ranks, step);
		size_t top = scale_top(&scale, &groups[g]);
		size_t table = (groups[g].n_b + 1) * (top + 1);

		extent.work += (double)groups[g].n * (double)table;
		/* Sums of the group differ by its ranks: no more of them than arrangements. */
		extent.work += fmin((double)top, pow(2, (double)groups[g].n)) * (double)extent.top;
		extent.top += top;
		extent.table = table > extent.table ? table : extent.table;
	}
	return extent;
}

double rank_sum_work(const struct group *groups, size_t n_groups, const uint32_t *ranks)
{
	return extent_of(groups, n_groups, ranks, common_step(groups, n_groups, ranks)).work;
}

/* table[k][sum]: in how many ways k of the group's ranks add up to sum. -> ways of n_b of them */
static double *count_group(
	const struct group *group, const uint32_t *ranks, const struct scale *scale, double *table)
{
	size_t width = scale_top(scale, group) + 1, n_b = group->n_b;

	memset(table, 0, (n_b + 1) * width * sizeof(*table));
	table[0] = 1;
	for (size_t i = 0; i < group->n; i++) {
		size_t rank = (ranks[group->first + i] - scale->low) / scale->step;

		for (size_t k = n_b < i + 1 ? n_b : i + 1; k > 0; k--) {
			double *to = &table[k * width];
			const double *from = &table[(k - 1) * width];

			for (size_t sum = rank; sum < width; sum++)
				to[sum] += from[sum - rank];
		}
	}
	return &table[n_b * width];
}

/* Adds the group's sum to `total`, whose last possible sum is `top`. */
static void add_group(
	double *total, size_t top, const double *ways, size_t group_top, double *scratch)
{
	double all = 0;

	for (size_t sum = 0; sum <= group_top; sum++)
		all += ways[sum];
	memcpy(scratch, total, (top + 1) * sizeof(*total));
	memset(total, 0, (top + group_top + 1) * sizeof(*total));
	for (size_t sum = 0; sum <= group_top; sum++) {
		double chance = ways[sum] / all;

		if (chance > 0)
			for (size_t i = 0; i <= top; i++)
				total[i + sum] += chance * scratch[i];
	}
}

static int exact_tails(const struct group *groups, size_t n_groups, const uint32_t *ranks,
	const bool *b, uint32_t step, const struct extent *extent, struct tails *ret_tails)
{
	double *cells CLEANUP(memory_free) =
		memory_alloc(2 * (extent->top + 1) + extent->table, sizeof(*cells));
	double *total = cells, *scratch, *table;
	size_t top = 0, seen = 0, lowest = 0;

	if (!cells)
		return -ENOMEM;
	scratch = total + extent->top + 1;
	table = scratch + extent->top + 1;
	total[0] = 1;
	for (size_t g = 0; g < n_groups; g++) {
		const struct group *group = &groups[g];
		struct scale scale = scale_of(group, ranks, step);
		const double *ways = count_group(group, ranks, &scale, table);
		size_t group_top = scale_top(&scale, group);

		/* Sums that cannot be are cut off at both ends. */
		while (!ways[group_top])
			group_top--;
		for (; !*ways; ways++, group_top--)
			lowest++;
		add_group(total, top, ways, group_top, scratch);
		top += group_top;
		for (size_t i = group->first; i < group->first + group->n; i++)
			seen += b[i] ? (ranks[i] - scale.low) / step : 0;
	}
	*ret_tails = tails_count(total, top, seen - lowest);
	return 0;
}

/* Mean and variance are those of drawing n_b of n without putting back, ties or not. */
static struct tails approximate_tails(const struct group *groups, size_t n_groups,
	const uint32_t *ranks, const bool *b, uint32_t step)
{
	double seen = 0, mean = 0, variance = 0;

	for (size_t g = 0; g < n_groups; g++) {
		const struct group *group = &groups[g];
		double n = (double)group->n, n_b = (double)group->n_b, sum = 0, squares = 0;

		for (size_t i = group->first; i < group->first + group->n; i++) {
			sum += ranks[i];
			seen += b[i] ? ranks[i] : 0;
		}
		for (size_t i = group->first; i < group->first + group->n; i++)
			squares += (ranks[i] - sum / n) * (ranks[i] - sum / n);
		mean += n_b * sum / n;
		variance += n > 1 ? n_b * (n - n_b) / (n * (n - 1)) * squares : 0;
	}
	return tails_normal(seen, mean, variance, step / 2.0);
}

int rank_sum_tails(const struct group *groups, size_t n_groups, const uint32_t *ranks,
	const bool *b, struct tails *ret_tails)
{
	uint32_t step = common_step(groups, n_groups, ranks);
	struct extent extent = extent_of(groups, n_groups, ranks, step);

	if (extent.work <= PERMUTATION_WORK)
		return exact_tails(groups, n_groups, ranks, b, step, &extent, ret_tails);
	*ret_tails = approximate_tails(groups, n_groups, ranks, b, step);
	return 0;
}

/* The chance of each sum of positive ranks: halves what is there and adds it one rank higher. */
static void flip_all(double *chances, const uint32_t *ranks, size_t n)
{
	size_t top = 0;

	chances[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t sum = top + 1; sum-- > 0;) {
			chances[sum] /= 2;
			chances[sum + ranks[i]] += chances[sum];
		}
		top += ranks[i];
	}
}

static int exact_flips(
	const uint32_t *ranks, size_t n, size_t top, size_t seen, struct tails *ret_tails)
{
	double *chances CLEANUP(memory_free) = memory_alloc(top + 1, sizeof(*chances));

	if (!chances)
		return -ENOMEM;
	flip_all(chances, ranks, n);
	*ret_tails = tails_count(chances, top, seen);
	return 0;
}

int sign_flip_tails(const uint32_t *ranks, const bool *positive, size_t n, struct tails *ret_tails)
{
	double variance = 0;
	size_t top = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		top += ranks[i];
		seen += positive[i] ? ranks[i] : 0;
		variance += (double)ranks[i] * ranks[i] / 4;
	}
	if (n <= SIGN_FLIP_EXACT)
		return exact_flips(ranks, n, top, seen, ret_tails);
	*ret_tails = tails_normal((double)seen, (double)top / 2, variance, 1);
	return 0;
}
