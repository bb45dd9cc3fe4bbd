// SPDX-License-Identifier: GPL-2.0-or-later
/* Was the machine itself disturbed in the window? Then the trial is void, whatever its result. */
#ifndef TRIAL_DISTURB_H
#define TRIAL_DISTURB_H

#include <stdint.h>

#include "base/root.h"

/* Limits. */
#define DISTURB_SUSPEND_NS (100 * 1000000LL) /* BOOTTIME - MONOTONIC grew by this */
#define DISTURB_STEP_NS (500 * 1000000LL) /* REALTIME - MONOTONIC moved by this */
#define DISTURB_STEAL_TICKS 10 /* less steal is no share of a short window */

struct disturb {
	int stat_fd;
	int64_t boot_ns, real_ns; /* minus CLOCK_MONOTONIC */
	uint64_t steal_ticks, all_ticks;
};

/* Opens /proc/stat. Before the window. */
void disturb_open(struct disturb *ret_disturb, const struct root *root);

/* Takes the state at the window's opening. Allocates nothing. */
void disturb_begin(struct disturb *disturb);

/* Difference to now. Allocates nothing. */
struct disturb_result {
	int64_t suspend_ns, step_ns;
	double steal; /* 0 to 1; 0 below DISTURB_STEAL_TICKS */
};

struct disturb_result disturb_end(const struct disturb *disturb);

void disturb_close(struct disturb *disturb);

/*
 * The reason for a person, or NULL when nothing is above its limit. That of steal is steal_percent
 * of all CPU time; 0: none.
 */
const char *disturb_reason(
	const struct disturb_result *result, unsigned steal_percent, char *buf, size_t size);

#endif
