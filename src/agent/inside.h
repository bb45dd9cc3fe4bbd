// SPDX-License-Identifier: GPL-2.0-or-later
/* The steps of agent_run(). */
#ifndef AGENT_INSIDE_H
#define AGENT_INSIDE_H

#include <stdbool.h>

#include "vm/job.h"
#include "vm/region.h"

/* Mounts what a Linux system has: proc, sysfs, devtmpfs, cgroup2, and tmpfs on /run and /tmp. */
int agent_mount(struct error *err);

/* Loads the modules of the initramfs in their order. One that has nothing to drive is no error. */
int agent_load_modules(struct error *err);

/* Maps the memory that is shared with the host. *ret_size: of the mapping. */
int agent_map_region(struct region **ret_region, size_t *ret_size, struct error *err);

#define AGENT_SCRATCH "/scratch"

/* The part of the guest's memory that stands for one. */
#define AGENT_DISK "/dev/pmem0"
#define SECTOR 512

#define AGENT_NOTES 4

struct agent_notes {
	char text[AGENT_NOTES][160]; /* things that were wanted and not had */
	size_t n;
};

void agent_note(struct agent_notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Makes the disk: swap on, a filesystem on AGENT_SCRATCH. */
int agent_make_disk(const struct job_disk *disk, struct agent_notes *notes, struct error *err);

/*
 * Makes what the host has lent it, if anything, the root directory: with all that is mounted, and
 * the kernel's configuration.
 */
int agent_enter_tools(const struct job_disk *disk, struct error *err);

/*
 * A part of a block device as a device of its own, /dev/mapper/NAME by its number in path: as it
 * is, or with a delay of each request (delay_ms > 0). Sizes are in sectors of 512 bytes.
 */
struct mapping {
	const char *name, *device;
	uint64_t start, sectors;
	unsigned delay_ms;
	bool fixed; /* it cannot be written to */
};

int mapping_make(const struct mapping *mapping, char path[static 64], struct error *err);

#endif
