// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conducts one trial here: sets lead and loads up in processes and cgroups of their own, proves
 * the loads moving, opens the window, samples, closes it, and ends everything. docs/trial.md
 * says what happens in which order and what is measured when.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"
#include "cgroup/cgroup.h"
#include "plan/plan.h"
#include "record/sink.h"
#include "setting/journal.h"

/* Where it is conducted: given by the box. */
struct stage {
	const struct root *root;
	const struct cgroup *box; /* NULL: no cgroups, processes are ended by process group */
	struct journal *journal;
	uint64_t ram_bytes, swap_bytes; /* of the box */
	const cpu_set_t *cpus; /* allowed, of cpus_size bytes */
	size_t cpus_size;
	unsigned n_cpus;
	const char *scratch; /* the run's directory; instances get directories below it */
	const char *shelf;
	bool can_drop_caches;
};

/* How the runner follows and stops it. Called outside the window only. */
struct trial_watch {
	const volatile sig_atomic_t *interrupted;
	void (*phase)(void *data, const char *phase);
	void *data;
};

/* Room that the record of this trial needs at most, for sink_init(). */
size_t trial_record_size(const struct trial *trial);

/*
 * Fills the sink with a whole stream that ends in an outcome; whatever goes wrong with the
 * workloads is an outcome, too. Negative only when nothing could be recorded. When it returns,
 * every process that the trial started has ended and its files are gone.
 */
int trial_conduct(const struct trial *trial, const struct stage *stage,
	const struct trial_watch *watch, struct sink *sink, struct error *err);

#endif
