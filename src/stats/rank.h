// SPDX-License-Identifier: GPL-2.0-or-later
/* Mid-ranks: what is tied shares the mean of the ranks that it takes. */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Logarithms that differ by less are the same number: far above the rounding of log() (4e-15 for
 * nanoseconds), far below what a clock tells apart (1 ns in 10 s).
 */
#define RANK_TIE 1e-10

/* A number and where it comes from. */
struct slot {
	double value;
	size_t index;
};

/* In ascending order; equal values by index. */
void slots_sort(struct slot *slots, size_t n);

/*
 * Sorts the slots and sets ret_ranks[index] of each to twice its mid-rank: 2, 4, 6, ... without
 * ties; always whole. Numbers that follow each other within `tie` are tied; so are equal
 * infinities.
 */
void rank_slots(struct slot *slots, size_t n, double tie, uint32_t *ret_ranks);

/* The same for plain numbers. Returns 0 or -ENOMEM. */
int rank_values(const double *values, size_t n, double tie, uint32_t *ret_ranks);

#endif
