// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/signflip.h"

#include <errno.h>
#include <math.h>

#include "stats/memory.h"
#include "stats/permutation.h"
#include "stats/rank.h"
#include "stats/summary.h"

/* A probability that equals the limit but for rounding is not above it. */
#define ROUNDING (1 + 1e-9)
/* Up to so many pairs every shift is looked at; beyond, the limit is found by halving. */
#define SEARCH_ALL 50

static int tails_at(const double *differences, size_t n, double shift, struct tails *ret_tails)
{
	double *sizes CLEANUP(memory_free) = memory_alloc(n, sizeof(*sizes));
	uint32_t *ranks CLEANUP(memory_free) = memory_alloc(n, sizeof(*ranks));
	bool *positive CLEANUP(memory_free) = memory_alloc(n, sizeof(*positive));
	size_t signs = 0;
	int err;

	if (!sizes || !ranks || !positive)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sizes[i] = fabs(differences[i] - shift);
	err = rank_values(sizes, n, RANK_TIE, ranks);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++) {
		if (sizes[i] <= RANK_TIE)
			continue;
		ranks[signs] = ranks[i];
		positive[signs++] = differences[i] > shift;
	}
	return sign_flip_tails(ranks, positive, signs, ret_tails);
}

int signflip_test(
	const double *differences, size_t n, double shift, struct significance *ret_significance)
{
	struct tails tails;
	int err;

	if (!n)
		return -EDOM;
	err = tails_at(differences, n, shift, &tails);
	if (err)
		return err;
	*ret_significance = tails_significance(&tails);
	return 0;
}

/* All Walsh averages in ascending order. -> caller frees */
static int walsh(const double *differences, size_t n, double **ret_averages, size_t *ret_n)
{
	double *averages;
	size_t used = 0;

	if (!n)
		return -EDOM;
	if (n > SIGNFLIP_MOST)
		return -E2BIG;
	averages = memory_alloc(n * (n + 1) / 2, sizeof(*averages));
	if (!averages)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k < n; k++)
			averages[used++] = differences[i] < differences[k]
						   ? midpoint(differences[i], differences[k])
						   : midpoint(differences[k], differences[i]);
	values_sort(averages, used);
	*ret_averages = averages;
	*ret_n = used;
	return 0;
}

int signflip_estimate(const double *differences, size_t n, double *ret_estimate)
{
	double *averages CLEANUP(memory_free) = NULL;
	size_t used;
	int err = walsh(differences, n, &averages, &used);

	if (err)
		return err;
	*ret_estimate = midpoint(averages[(used - 1) / 2], averages[used / 2]);
	return 0;
}

/* Shifts at which the test can change its mind: finite averages, those that are tied once. */
static size_t candidates(double *averages, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(averages[i]) &&
			(!used || averages[i] - averages[used - 1] > 4 * RANK_TIE))
			averages[used++] = averages[i];
	return used;
}

struct search {
	const double *differences;
	size_t n;
	const double *at; /* candidates in ascending order */
	size_t n_at;
	double alpha;
	bool from_above;
};

/*
 * Is a shift accepted: place 2 i + 1 is candidate i, even places lie between candidates and
 * beyond the first and the last. 1, 0 or negative errno.
 */
static int accepted(const struct search *search, size_t place)
{
	size_t i = place / 2;
	struct tails tails;
	double shift;
	int err;

	if (!search->n_at)
		shift = 0;
	else if (place % 2)
		shift = search->at[i];
	else if (i == 0)
		shift = search->at[0] - 1;
	else if (i == search->n_at)
		shift = search->at[i - 1] + 1;
	else
		shift = midpoint(search->at[i - 1], search->at[i]);
	err = tails_at(search->differences, search->n, shift, &tails);
	if (err)
		return err;
	return (search->from_above ? tails.low : tails.high) > search->alpha / 2 * ROUNDING;
}

/* Places are counted towards the limit that is looked for. */
static int accepted_towards(const struct search *search, long place)
{
	long last = 2 * (long)search->n_at;

	return accepted(search, (size_t)(search->from_above ? place : last - place));
}

/* The last place that is accepted; -1: none. */
static int find_last(const struct search *search, long *ret_place)
{
	long low = -1, high = 2 * (long)search->n_at + 1;
	bool all = search->n <= SEARCH_ALL;

	while (high - low > 1) {
		long place = all ? high - 1 : low + (high - low) / 2;
		int is = accepted_towards(search, place);

		if (is < 0)
			return is;
		*(is ? &low : &high) = place;
	}
	*ret_place = low;
	return 0;
}

static int find_limit(const struct search *search, double *ret_limit)
{
	double infinite = search->from_above ? INFINITY : -INFINITY;
	size_t i;
	long place;
	int err;

	err = find_last(search, &place);
	if (err)
		return err;
	i = (size_t)place / 2;
	if (place < 0)
		*ret_limit = -infinite;
	else if (i == search->n_at)
		*ret_limit = infinite;
	else
		*ret_limit = search->at[search->from_above ? i : search->n_at - 1 - i];
	return 0;
}

int signflip_interval(
	const double *differences, size_t n, double level, struct interval *ret_interval)
{
	double *averages CLEANUP(memory_free) = NULL;
	struct search search = { .differences = differences, .n = n, .alpha = 1 - level };
	struct interval interval;
	size_t used;
	int err;

	err = walsh(differences, n, &averages, &used);
	if (err)
		return err;
	search.n_at = candidates(averages, used);
	search.at = averages;
	err = find_limit(&search, &interval.low);
	if (err)
		return err;
	search.from_above = true;
	err = find_limit(&search, &interval.high);
	if (err)
		return err;
	*ret_interval = interval;
	return 0;
}
