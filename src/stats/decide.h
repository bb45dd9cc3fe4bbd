// SPDX-License-Identifier: GPL-2.0-or-later
/* Several questions answered together: the verdicts of one look at a run. */
#ifndef STATS_DECIDE_H
#define STATS_DECIDE_H

#include "stats/compare.h"
#include "stats/verdict.h"

/* "Is B different from A in this metric?" */
struct question {
	struct sample *values; /* as compare_samples() takes them */
	size_t n;
	enum design design;
	bool more_is_better;

	/* The answer. */
	bool answered; /* false: nothing to compare; the verdict is then INCONCLUSIVE */
	struct comparison comparison; /* zeroes without an answer */
	double p; /* adjusted */
	enum verdict verdict;
	unsigned trials; /* of each variant, that would settle an INCONCLUSIVE; 0: unknown */
};

/*
 * Answers questions that decide: p is adjusted by Holm over all of them that have an answer, and
 * compared with the level of this look. delta in per cent. -ENOMEM.
 */
int decide(struct question *questions, size_t n, double level, double delta);

/*
 * Answers questions that only point somewhere: p by Benjamini-Hochberg, estimates without
 * intervals, and no verdict.
 */
int decide_where_to_look(struct question *questions, size_t n);

#endif
