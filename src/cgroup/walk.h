// SPDX-License-Identifier: GPL-2.0-or-later
/* Over the groups below a group. */
#ifndef CGROUP_WALK_H
#define CGROUP_WALK_H

/* A group on the walk: its directory, open, and how its parent finds it. */
struct visit {
	int parent, fd;
	const char *name;
};

/*
 * Calls visit for the groups below, and after them for the group itself. One that goes away
 * meanwhile is passed over. Ends at the first negative that visit returns, and returns it.
 */
int group_walk(int parent, const char *name, int (*visit)(const struct visit *visit, void *data),
	void *data);

#endif
