// SPDX-License-Identifier: GPL-2.0-or-later
/* What /proc/self says of the hierarchies: where they are mounted, and this process's groups. */
#ifndef CGROUP_MOUNT_H
#define CGROUP_MOUNT_H

#include "cgroup/cgroup.h"

struct cgroup_mounts {
	char point[CGROUP_HIERARCHIES][PATH_MAX]; /* "": not mounted */
	char self[CGROUP_HIERARCHIES][PATH_MAX]; /* own group, below the root; "": not seen */
	bool writable[CGROUP_HIERARCHIES]; /* not mounted read-only */
};

/* Of several mounts of a hierarchy the first that may be written to and shows the own group. */
void cgroup_mounts_read(const struct root *root, struct cgroup_mounts *ret_mounts);

#endif
