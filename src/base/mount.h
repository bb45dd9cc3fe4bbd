// SPDX-License-Identifier: GPL-2.0-or-later
/* What is mounted where a path lies, and which areas swap goes to. */
#ifndef BASE_MOUNT_H
#define BASE_MOUNT_H

#include <limits.h>
#include <stdint.h>

#include "base/root.h"

/* One line of /proc/self/mountinfo (Documentation/filesystems/proc.rst). */
struct mount {
	unsigned major, minor; /* major 0: the filesystem stands on no block device of its own */
	char type[64];
	char source[PATH_MAX]; /* "/dev/sda1", "tmpfs" */
	char options
		[1024]; /* of the mount, then of the filesystem: "rw,noatime rw,compress=zstd" */
};

/* The mount that holds `path`. -ENOENT: none does. */
int mount_find(const struct root *root, const char *path, struct mount *ret_mount);

/* One line of /proc/swaps. */
struct swap_area {
	char path[PATH_MAX];
	char type[16]; /* "file", "partition" */
	int64_t bytes, used_bytes;
	int priority;
};

/* Calls visit() for each in order until it returns other than 0, which is returned. */
int swap_areas_visit(const struct root *root,
	int (*visit)(void *data, const struct swap_area *area), void *data);

#endif
