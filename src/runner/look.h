// SPDX-License-Identifier: GPL-2.0-or-later
/* A look at what has been measured so far: is everything decided, or nothing more to hope for? */
#ifndef RUNNER_LOOK_H
#define RUNNER_LOOK_H

#include "base/error.h"
#include "plan/plan.h"

enum look_answer {
	LOOK_GO_ON,
	LOOK_DECIDED,
	LOOK_HOPELESS, /* more blocks of this plan would probably not decide what is open */
};

/*
 * After `block`: has the primary metric a verdict in every scenario, of every variant against the
 * reference? values[position] is what a trial is worth, as store_primary() has it; NAN for one
 * that has not run. What cannot be compared, because all trials of a variant were skipped, is not
 * waited for, as long as something can. LOOK_GO_ON where no look is due after this block, or
 * nothing is compared; LOOK_HOPELESS only where the number of blocks is contend's choice. -ENOMEM.
 */
int look_take(const struct plan *plan, unsigned block, const double *values,
	enum look_answer *ret_answer, struct error *err);

#endif
