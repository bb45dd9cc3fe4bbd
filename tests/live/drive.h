// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a workload's setup and a number of its steps in a process of its own, in a memory cgroup
 * of its own, and says what the workload counted and what the kernel did.
 */
#ifndef LIVE_DRIVE_H
#define LIVE_DRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "workload/workload.h"

/* The kernel's numbers of the process; the last one with all its descendants. */
struct drive_counts {
	uint64_t rchar, wchar, read_bytes, write_bytes; /* /proc/PID/io */
	uint64_t minor_faults, major_faults;
	uint64_t voluntary_switches;
};

struct drive {
	const char *workload;
	const char *options;
	unsigned workers; /* 0: one */
	enum workload_roles role; /* 0: a load */
	uint64_t steps; /* of each worker, at most */
	uint64_t ram_bytes, swap_bytes; /* the group's limits */
	/* In the process: before setup, before the first step, and before teardown. */
	void (*before_setup)(const struct place *place);
	void (*before_steps)(struct instance *instance);
	void (*after_steps)(struct instance *instance);
};

/* The workload's own metrics, of which the result keeps the first this many. */
#define DRIVE_VALUES 8

struct drive_result {
	int code; /* of setup or of the step that failed; -EINTR: the process was killed */
	struct error error;
	unsigned left; /* processes in the group after the workload's own has ended */
	bool done; /* the last step said that the work is over */
	uint64_t units, passes;
	int64_t values[DRIVE_VALUES];
	struct drive_counts setup, steps;
};

/* Is there a memory cgroup to be had? */
bool drive_possible(void);

/* Ends the test program when the drive itself fails. */
struct drive_result drive(const struct drive *drive);

/* For before_setup: a disk of 8 MiB in place of the scratch directory, which this process alone sees. */
void drive_small_disk(const struct place *place);

/* The directory below which scratch directories and shelf lie; removed by drive_done(). */
const char *drive_dir(void);
void drive_done(void);

#endif
