// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exact distribution of a sum of ranks when labels are dealt anew, each arrangement as likely as
 * any other.
 */
#ifndef STATS_PERMUTATION_H
#define STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/sample.h"

/* A run of things among which labels are dealt: ranks[first] to ranks[first + n - 1]. */
struct group {
	size_t first, n;
	size_t n_b; /* so many of them are B */
};

/* How likely a sum as low (as high) as the one seen is, the one seen included. */
struct tails {
	double low, high;
	bool exact;
};

/*
 * T is the sum of ranks of B; labels are dealt within each group. Exact by dynamic programming
 * up to PERMUTATION_WORK steps, which is some 50 blocks of 2 + 2, or 39 + 39 without blocks;
 * beyond that the normal approximation with the exact mean and variance.
 */
#define PERMUTATION_WORK 1e7
int rank_sum_tails(const struct group *groups, size_t n_groups, const uint32_t *ranks,
	const bool *b, struct tails *ret_tails);

/* Steps that one exact computation takes, at most. */
double rank_sum_work(const struct group *groups, size_t n_groups, const uint32_t *ranks);

/* T is the sum of ranks[i] with positive[i]; each sign is dealt anew. Exact up to this n. */
#define SIGN_FLIP_EXACT 100
int sign_flip_tails(const uint32_t *ranks, const bool *positive, size_t n, struct tails *ret_tails);

/* min(1, twice the smaller tail). */
struct significance tails_significance(const struct tails *tails);

/* Tails of a normal distribution; `half` is half the step of what is approximated. */
struct tails tails_normal(double at, double mean, double variance, double half);

/* Tails, at `at`, of the chances of 0 to top. */
struct tails tails_count(const double *chances, size_t top, size_t at);

#endif
