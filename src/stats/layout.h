// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples sorted into blocks, aligned and ranked: the common part of the tests that deal labels
 * within blocks. Made once, evaluated at many shifts.
 */
#ifndef STATS_LAYOUT_H
#define STATS_LAYOUT_H

#include "stats/memory.h"
#include "stats/permutation.h"
#include "stats/rank.h"
#include "stats/sample.h"

struct layout {
	size_t n, n_groups, n_b;
	struct group *groups; /* blocks that have both A and B */
	double *values; /* block by block */
	bool *b;
	/* of the last evaluation */
	double *residuals; /* value, less shift if B, less the block's centre */
	double *rates; /* how a residual changes when the shift grows: -1 to 1 */
	struct slot *slots; /* residuals in ascending order */
	uint32_t *ranks; /* twice the mid-ranks of residuals */
};

/*
 * Without blocks (by_block false) all samples are one. A block that lacks A or B says nothing
 * about their difference and is left out; -EDOM when none is left.
 */
int layout_new(const struct sample *samples, size_t n, bool by_block, struct layout **ret_layout);
void layout_free(struct layout *layout);
void layout_cleanup(struct layout **layout);

/* A becomes B and B becomes A. */
void layout_swap(struct layout *layout);

/*
 * Takes shift from the values of B and aligns: from each block its median is subtracted, or,
 * where that is infinite, the finite value nearest to the middle. This does not look at labels,
 * so a test on residuals stays exact.
 */
void layout_align(struct layout *layout, double shift);

/* Aligns and ranks; tails of the rank sum of B. */
int layout_tails(struct layout *layout, double shift, struct tails *ret_tails);

/* The smallest shift above `shift` by more than `gap` at which the order of residuals changes. */
double layout_next(struct layout *layout, double shift, double gap);

/* A shift beyond which, on either side, the order of residuals changes no more. */
double layout_reach(const struct layout *layout);

#endif
