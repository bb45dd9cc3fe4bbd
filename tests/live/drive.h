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
	uint64_t steps; /* of each worker */
	uint64_t ram_bytes; /* the group's limit; it has no swap */
	/* In the process: before setup, and between setup and the first step. */
	void (*before_setup)(const struct place *place);
	void (*before_steps)(struct instance *instance);
};

struct drive_result {
	int code; /* of setup or of the step that failed; -EINTR: the process was killed */
	struct error error;
	unsigned left; /* processes in the group after the workload's own has ended */
	uint64_t units, passes;
	struct drive_counts setup, steps;
};

/* Is there a memory cgroup to be had? */
bool drive_possible(void);

/* Ends the test program when the drive itself fails. */
struct drive_result drive(const struct drive *drive);

/* The directory below which scratch directories and shelf lie; removed by drive_done(). */
const char *drive_dir(void);
void drive_done(void);

#endif
