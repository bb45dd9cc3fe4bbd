// SPDX-License-Identifier: GPL-2.0-or-later
/* How the trials of a plan went, and how long the others will take. */
#ifndef RUNNER_RAN_H
#define RUNNER_RAN_H

#include "plan/plan.h"
#include "record/metric.h"
#include "record/wire.h"

/* What came of a trial of the plan so far. */
struct ran {
	bool done;
	unsigned tries;
	struct outcome outcome;
	int64_t duration_ns; /* of this call; 0: not run by it */
};

/*
 * What is still to do of the plan, or of one block, one trial after the other, by the mean of the
 * scenario's own trials, else of all so far. ran[position] is of that trial. -1: unknown.
 */
int64_t ran_left_ns(const struct ran *ran, const struct plan *plan, bool all, unsigned block);

#endif
