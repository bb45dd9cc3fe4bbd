// SPDX-License-Identifier: GPL-2.0-or-later
/* The workers of an instance: the step loop. */
#ifndef TRIAL_WORK_H
#define TRIAL_WORK_H

#include "trial/iteration.h"

/*
 * Runs the workload's steps on all its workers until they are done, one fails, or the trial
 * stops. rate: units per second of all workers together, 0: no limit. Returns 0 or the error of
 * a worker, with its text in shared->error.
 */
int work(struct instance *instance, struct shared *shared, double rate,
	struct iterations *iterations);

#endif
