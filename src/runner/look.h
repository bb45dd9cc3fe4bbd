// SPDX-License-Identifier: GPL-2.0-or-later
/* A look at what has been measured so far: is everything decided? */
#ifndef RUNNER_LOOK_H
#define RUNNER_LOOK_H

#include <stdbool.h>

#include "base/error.h"
#include "plan/plan.h"

/*
 * After `block`: has the primary metric a verdict in every scenario, of every variant against the
 * reference? values[position] is what a trial is worth, as store_primary() has it; NAN for one
 * that has not run. What cannot be compared, because all trials of a variant were skipped, is not
 * waited for, as long as something can. False where no look is due after this block, or nothing
 * is compared. -ENOMEM.
 */
int look_decides(const struct plan *plan, unsigned block, const double *values, bool *ret_decides,
	struct error *err);

#endif
