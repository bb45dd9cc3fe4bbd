// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the supervisor asks for, so that it still runs when memory thrashes: locked memory, a
 * real-time class, no OOM kill. It takes what it gets and says which.
 */
#ifndef TRIAL_SUPERVISOR_H
#define TRIAL_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

struct supervisor {
	bool locked, fifo, oom_spared;
	int oom_score_adj; /* as it was */
};

/*
 * Locks what is mapped now, ahead of supervisor_rise(): before caches are dropped, so that
 * contend's own program need not be read again between that and the window.
 */
void supervisor_lock(void);

/* Takes the privileges, for the calling thread and all memory that is mapped now. */
void supervisor_rise(struct supervisor *ret_supervisor);

/* Gives them back. */
void supervisor_fall(const struct supervisor *supervisor);

/* "memory locked, SCHED_FIFO, oom_score_adj -1000 refused" */
const char *supervisor_describe(const struct supervisor *supervisor, char *buf, size_t size);

#endif
