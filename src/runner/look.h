// SPDX-License-Identifier: GPL-2.0-or-later
/* A look at what has been measured so far: is everything decided? */
#ifndef RUNNER_LOOK_H
#define RUNNER_LOOK_H

#include <stdbool.h>

#include "base/error.h"
#include "plan/plan.h"

/*
 * After `block`: does the lead's Time have a verdict in every scenario, of every variant against
 * the reference? value() gives a trial's Time as outcome_time_s() does. False where no look is
 * due after this block, or nothing is compared. -ENOMEM.
 */
int look_decides(const struct plan *plan, unsigned block,
	double (*value)(void *data, const struct trial *trial), void *data, bool *ret_decides,
	struct error *err);

#endif
