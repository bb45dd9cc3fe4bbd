// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Seeded pseudo-random numbers: the same on every machine, so that a plan and a generated tree
 * follow from the recorded seed. SplitMix64 (Steele, Lea, Flood 2014): one word of state, each
 * step a few instructions, which matters in the inner loop of a load.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t z = (random->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* A number in [0, below), free of modulo bias to within 2^-64 · below. below > 0. */
static inline uint64_t random_below(struct random *random, uint64_t below)
{
	return (uint64_t)(((unsigned __int128)random_next(random) * below) >> 64);
}

/* An independent generator for the thing numbered `index`. */
static inline struct random random_fork(const struct random *random, uint64_t index)
{
	struct random fork = { random->state ^ (index + 1) * 0xd1342543de82ef95ULL };

	random_next(&fork);
	return fork;
}

#endif
