// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks the plan: conducts each trial, stores it, tries again what was void, stops when told. */
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

#include <signal.h>

#include "box/box.h"
#include "plan/plan.h"
#include "store/store.h"

/* Where the run stands, for progress on a terminal. */
struct runner_state {
	const struct plan *plan;
	const struct trial *trial; /* the one at work or just ended */
	size_t done, total; /* trials, those of a resumed run included */
	const char *phase; /* "setup", "lead-in", "window", "" between trials */
	int64_t elapsed_ns; /* since the run began */
	int64_t left_ns; /* estimate from the trials so far; -1: none yet */
	const struct outcome *outcome; /* of the trial that just ended, else NULL */
};

struct runner_watch {
	const volatile sig_atomic_t *interrupted;
	void (*progress)(void *data, const struct runner_state *state);
	void *data;
};

struct runner_result {
	int64_t run;
	size_t trials, ok; /* of this call */
	size_t troubled; /* neither ok nor skipped, at last */
	bool interrupted;
};

/*
 * Carries the plan out in the box. The run `run` must exist in the store; trials of it that are
 * stored already and count (ok, or an outcome that trying again would not change) are passed over,
 * which is all that resuming takes.
 */
int runner_run(const struct plan *plan, struct box *box, struct store *store, int64_t run,
	const struct runner_watch *watch, struct runner_result *ret_result, struct error *err);

#endif
