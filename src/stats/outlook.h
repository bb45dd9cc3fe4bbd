// SPDX-License-Identifier: GPL-2.0-or-later
/* Is it worth going on? Whether a plan's end will have an answer, from what is there so far. */
#ifndef STATS_OUTLOOK_H
#define STATS_OUTLOOK_H

#include "stats/decide.h"

struct plan_end {
	unsigned blocks;
	double level; /* of the last look */
	double delta; /* per cent */
};

/*
 * The chance that a question which decide() left INCONCLUSIVE after so many blocks is FASTER or
 * SLOWER at the plan's end: what is still to come is taken to be as uncertain as the estimate and
 * the noise make it (normal distribution). The noise is that of A next to A and of B next to B in
 * their blocks.
 *
 * 1 where SAME is within reach, because at this noise equal variants would have their 90 % interval
 * within delta by then; and where nothing can be told: no such pairs, an estimate without a value,
 * another design.
 */
double outlook(const struct question *question, unsigned blocks, const struct plan_end *end);

/*
 * After decide(): is at least one question open, and each that is open more likely than not to be
 * still so at the plan's end? Their number shares the level, as Holm has it at the worst.
 */
bool outlook_hopeless(
	const struct question *questions, size_t n, unsigned blocks, const struct plan_end *end);

#endif
