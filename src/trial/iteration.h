// SPDX-License-Identifier: GPL-2.0-or-later
/* Iterations: what each pass of the first worker took. In the instance's process. */
#ifndef TRIAL_ITERATION_H
#define TRIAL_ITERATION_H

#include "base/root.h"
#include "cgroup/cgroup.h"
#include "trial/shared.h"

struct iterations {
	struct shared *shared;
	struct cgroup_meter meter; /* of the box */
	bool boxed; /* the meter is open */
	int meminfo_fd;
	int64_t start_ns;
	struct usage start;
};

/* Getrusage(2) of this process and of the children that it waited for. */
void usage_read(struct usage *ret_usage);

/* Opens what is read at each end. box NULL: the machine's swap. */
void iterations_open(struct iterations *ret_iterations, struct shared *shared,
	const struct root *root, const struct cgroup *box);

/* The first one begins. */
void iterations_begin(struct iterations *iterations, int64_t now_ns);

/* One ends, the next begins. */
void iteration_end(struct iterations *iterations, int64_t now_ns);

#endif
