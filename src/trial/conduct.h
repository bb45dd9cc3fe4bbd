// SPDX-License-Identifier: GPL-2.0-or-later
/* One trial at work: what the files of this room share. */
#ifndef TRIAL_CONDUCT_H
#define TRIAL_CONDUCT_H

#include <poll.h>

#include "trial/disturb.h"
#include "trial/heartbeat.h"
#include "trial/instance.h"
#include "trial/sampling.h"
#include "trial/supervisor.h"
#include "trial/surroundings.h"

struct conduct {
	const struct trial *trial;
	const struct stage *stage;
	const struct trial_watch *watch;
	struct sink *sink;

	int done_fd; /* eventfd: the lead has ended */
	struct role *roles; /* [0] is the lead */
	size_t n_roles;
	struct pollfd *ends; /* each role's exit_fd, then done_fd */
	struct surroundings *surroundings;
	struct sampling *sampling;
	struct heartbeat *heartbeat;
	struct disturb disturb;
	struct supervisor supervisor;
	int64_t interval_ns; /* between samples */

	/* Taken at the window's edges. */
	uint64_t *oom_before; /* each role */
	uint64_t *progress_before, *progress_after;
	uint64_t samples_due, samples_taken;
	int64_t major_faults, heap_bytes; /* of the supervisor, growth */
	struct disturb_result disturbed;
	struct heartbeat_result beats;
	struct outcome outcome;
};

/*
 * The window: opens it, samples, watches, closes it. Fills the fields above and outcome's window
 * and, where it ended otherwise than by the lead's end, its code and text. Allocates nothing.
 */
void window_run(struct conduct *conduct);

/* Makes the trial cold: drops caches, and proves it. What cannot be had becomes an event. */
void cold_make(struct conduct *conduct);

/* Says that a phase begins: an event in the record, and to who watches. */
void conduct_phase(struct conduct *conduct, const char *name);

/* Can the parts run here at all? False: the outcome says why not. */
bool setup_probe(struct conduct *conduct);

/* Starts the role numbered i and waits until it is set up. False: the outcome says why not. */
bool setup_role(struct conduct *conduct, size_t i, struct error *err);

/* Loads alone: started, proved moving, and left to themselves for the lead-in. False: as above. */
bool setup_lead_in(struct conduct *conduct);

void outcome_set(struct conduct *conduct, enum outcome_code code, const char *text);

/* OOM kills in the role's cgroup so far; 0 where the kernel does not count them. */
uint64_t role_oom_kills(const struct role *role);

/*
 * Whose process did the OOM killer take since the trial began? Then the outcome is `killed`,
 * also when the role went on with what was left. Returns whether it was so.
 */
bool outcome_blame_oom(struct conduct *conduct);

/* After the window: was the trial what it claims to be? */
void outcome_judge(struct conduct *conduct);

/* Writes the figures of roles and trial. */
void record_results(struct conduct *conduct);

/*
 * Waits until the role stands at `wanted` or beyond. 0; -EINTR interrupted; -ETIMEDOUT; -ECHILD
 * it died or its setup failed.
 */
int role_wait(struct conduct *conduct, struct role *role, uint32_t wanted, int64_t timeout_ns);

#endif
