// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The numbers below n in random order, each once, without a table of them, which would be memory
 * of its own: a linear congruential generator modulo a power of two visits every number below it
 * once (its multiplier is 1 mod 4, its increment odd: Hull and Dobell 1962), folding its upper half
 * onto the lower one is one to one, and numbers beyond n are passed over.
 */
#ifndef WORKLOAD_SHUFFLE_H
#define WORKLOAD_SHUFFLE_H

#include <stdint.h>

#include "base/random.h"

struct shuffle {
	uint64_t n;
	uint64_t position;
	uint64_t increment; /* odd */
	uint64_t mask; /* the power of two above n, less one */
	unsigned shift;
};

/* A new order, from a new place in it. */
static inline void shuffle_begin(struct shuffle *shuffle, struct random *random)
{
	shuffle->increment = random_next(random) | 1;
	shuffle->position = random_next(random) & shuffle->mask;
}

static inline struct shuffle shuffle_of(uint64_t n)
{
	unsigned bits = 2;

	while (bits < 63 && n > 1ULL << bits)
		bits++;
	return (struct shuffle) {
		.n = n,
		.mask = (1ULL << bits) - 1,
		.shift = (bits + 1) / 2,
	};
}

/* n calls give n different numbers. */
static inline uint64_t shuffle_next(struct shuffle *shuffle)
{
	uint64_t number;

	do {
		shuffle->position =
			(shuffle->position * 0xd1342543de82ef95ULL + shuffle->increment) &
			shuffle->mask;
		number = shuffle->position ^ shuffle->position >> shuffle->shift;
	} while (number >= shuffle->n);
	return number;
}

#endif
