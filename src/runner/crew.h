// SPDX-License-Identifier: GPL-2.0-or-later
/* Trials side by side, as box/beside.h has them, and their records in the order of the plan. */
#ifndef RUNNER_CREW_H
#define RUNNER_CREW_H

#include <signal.h>

#include "box/beside.h"
#include "plan/plan.h"

struct crew {
	struct box *box;
	const struct plan *plan;
	unsigned width; /* so many at once */
	const volatile sig_atomic_t *interrupted;
	bool (*wanted)(void *data, const struct trial *trial); /* else it is passed over */
	void (*begun)(void *data, const struct trial *trial);
	/* In the order of the plan, whichever ends first. Negative ends it all. */
	int (*ended)(void *data, const struct trial *trial, int64_t duration_ns,
		const unsigned char *record, size_t size, struct error *err);
	void *data;
};

/*
 * The plan's trials from `first` to before `end`. When interrupted, none is begun, and those that
 * run end as such.
 */
int crew_run(const struct crew *crew, size_t first, size_t end, struct error *err);

#endif
