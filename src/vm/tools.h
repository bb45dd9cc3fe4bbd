// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What of the host a trial's workloads need in a guest: an image of a filesystem in which each file
 * has the path that it has here, kept in the cache.
 */
#ifndef VM_TOOLS_H
#define VM_TOOLS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "plan/plan.h"

struct tools {
	char path[PATH_MAX]; /* "": the trial needs nothing but contend */
	uint64_t bytes; /* in whole JOB_DISK_UNIT */
	bool fresh; /* it was not in the cache */
};

/*
 * Finds or makes the image for lead and loads of a scenario. What the host lacks is not in it:
 * the workload will say so in the guest.
 */
int tools_find(const struct scenario *scenario, const char *cache, struct tools *ret_tools,
	struct error *err);

#endif
