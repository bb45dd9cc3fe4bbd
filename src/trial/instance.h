// SPDX-License-Identifier: GPL-2.0-or-later
/* One workload in its process: started, let go, stopped, ended. The supervisor's side. */
#ifndef TRIAL_INSTANCE_H
#define TRIAL_INSTANCE_H

#include <stdbool.h>

#include "trial/shared.h"
#include "trial/trial.h"

struct role {
	const struct part *part;
	bool lead;
	struct cgroup cgroup;
	bool grouped; /* cgroup is there */
	struct cgroup_meter meter;
	bool metered;
	struct shared *shared;
	char scratch[PATH_MAX];
	pid_t pid; /* 0: not started, or reaped */
	int status; /* of waitpid(2), once reaped */
	bool died; /* it ended without being asked to */
	int exit_fd; /* pidfd, readable once it exits; -1: before Linux 5.3 (pidfd_open(2)) */
	int stat_fd; /* /proc/PID/stat */
};

/*
 * Forks the instance's process into its own cgroup and session, and has it set up. done_fd is an
 * eventfd that a lead writes when its workers have ended. Returns at once: wait for STAND_READY.
 */
int role_start(struct role *role, const struct part *part, const struct stage *stage, uint64_t seed,
	int done_fd, struct error *err);

/*
 * Has the process ended? Reaps it. Allocates nothing. A lead that has said STAND_ENDED has not
 * died.
 */
bool role_dead(struct role *role);

/* How it ended, for a person: "io was killed by signal 9 (Killed)". */
const char *role_death(const struct role *role, char *buf, size_t size);

/*
 * Ends it: asks, waits a moment, kills everything in its cgroup or process group, reaps, removes
 * cgroup and scratch directory, frees. Takes a role that was never started.
 */
int role_end(struct role *role, struct error *err);

/*
 * After all roles have ended: kills and reaps whatever of theirs had left its session and came to
 * this process, which must be their subreaper, as an orphan.
 */
void orphans_end(void);

/* CPU time of its whole process tree so far, ns, or VALUE_ABSENT. Allocates nothing. */
int64_t role_cpu_ns(const struct role *role);

#endif
