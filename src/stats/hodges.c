// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/hodges.h"

#include <errno.h>
#include <math.h>

#include "stats/summary.h"

#define PRECISION 1e-9
/* A probability that equals the limit but for rounding is not above it. */
#define ROUNDING (1 + 1e-9)
/* Steps of computation that the search beyond the first limit may take. */
#define WALK_WORK 1e8

int layout_estimate(struct layout *layout, double *ret_estimate)
{
	size_t n_a = layout->n - layout->n_b, n = 0;
	double *differences CLEANUP(memory_free) =
		memory_alloc(n_a * layout->n_b, sizeof(*differences));

	if (!differences)
		return -ENOMEM;
	layout_align(layout, 0);
	for (size_t i = 0; i < layout->n; i++) {
		if (!layout->b[i])
			continue;
		for (size_t k = 0; k < layout->n; k++)
			if (!layout->b[k])
				differences[n++] =
					difference(layout->residuals[i], layout->residuals[k]);
	}
	values_sort(differences, n);
	*ret_estimate = midpoint(differences[(n - 1) / 2], differences[n / 2]);
	return 0;
}

/* Is the shift too small to be rejected from above? 1, 0 or -ENOMEM. */
static int accepted(struct layout *layout, double shift, double alpha)
{
	struct tails tails;
	int err = layout_tails(layout, shift, &tails);

	return err ? err : tails.low > alpha / 2 * ROUNDING;
}

/*
 * The tail falls as the shift grows, but not strictly: ranks change blocks, and with them the
 * distribution changes. So all that lies beyond the first limit is searched, too, unless it is so
 * much that it no longer matters.
 */
static int walk_beyond(struct layout *layout, double alpha, double *limit)
{
	double at = layout_next(layout, *limit, PRECISION);
	double work = rank_sum_work(layout->groups, layout->n_groups, layout->ranks);
	size_t steps = (size_t)(WALK_WORK / (2 * work + 1));

	while (isfinite(at) && steps-- > 0) {
		double next = layout_next(layout, at, PRECISION);
		int here = accepted(layout, at, alpha);
		int behind = accepted(layout, isfinite(next) ? midpoint(at, next) : at + 1, alpha);

		if (here < 0 || behind < 0)
			return -ENOMEM;
		if (here)
			*limit = at;
		if (behind)
			*limit = next;
		at = next;
	}
	return 0;
}

/* The largest shift that is not rejected from above. */
static int upper_limit(struct layout *layout, double alpha, double *ret_limit)
{
	double high = layout_reach(layout), low = -high;
	int is;

	is = accepted(layout, high, alpha);
	if (is < 0)
		return is;
	if (is) {
		*ret_limit = INFINITY;
		return 0;
	}
	is = accepted(layout, low, alpha);
	if (is < 0)
		return is;
	if (!is) {
		*ret_limit = -INFINITY;
		return 0;
	}
	while (high - low > PRECISION) {
		double middle = midpoint(low, high);

		is = accepted(layout, middle, alpha);
		if (is < 0)
			return is;
		*(is ? &low : &high) = middle;
	}
	*ret_limit = high;
	return walk_beyond(layout, alpha, ret_limit);
}

int layout_interval(struct layout *layout, double level, struct interval *ret_interval)
{
	struct interval interval;
	int err;

	err = upper_limit(layout, 1 - level, &interval.high);
	if (err)
		return err;
	layout_swap(layout);
	err = upper_limit(layout, 1 - level, &interval.low);
	layout_swap(layout);
	if (err)
		return err;
	interval.low = -interval.low;
	*ret_interval = interval;
	return 0;
}

int hodges_estimate(const struct sample *samples, size_t n, double *ret_estimate)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	int err = layout_new(samples, n, true, &layout);

	return err ? err : layout_estimate(layout, ret_estimate);
}

int hodges_interval(
	const struct sample *samples, size_t n, double level, struct interval *ret_interval)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	int err = layout_new(samples, n, true, &layout);

	return err ? err : layout_interval(layout, level, ret_interval);
}
