// SPDX-License-Identifier: GPL-2.0-or-later
/* Do trials of B fail more often, or less often, than those of A? */
#ifndef STATS_FISHER_H
#define STATS_FISHER_H

#include <stddef.h>

/*
 * Fisher's exact test, two-sided: the chance of all tables with these margins that are no more
 * likely than the one seen. -EDOM: more failures than trials, or no trials on one side.
 */
int fisher_test(size_t a_failed, size_t a_trials, size_t b_failed, size_t b_trials, double *ret_p);

#endif
