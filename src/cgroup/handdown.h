// SPDX-License-Identifier: GPL-2.0-or-later
/* v2: which controllers the groups below a group have, and putting that back. */
#ifndef CGROUP_HANDDOWN_H
#define CGROUP_HANDDOWN_H

#include "cgroup/cgroup.h"

/* A list of controllers. */
#define HANDED_SIZE 64

/*
 * Hands memory and io down to the new group at path. What a group outside of contend's own had
 * not handed down before is written on the new group (an extended attribute), so that whoever
 * removes it, be it after kill -9, can put it back.
 */
int hand_down(const struct cgroup_tree *tree, const char *path, struct error *err);

/* What is written on the group; "" nothing. */
void handed_read(const struct root *root, const char *path, char handed[HANDED_SIZE]);

/* After the group is gone: takes that back from those below its parent, unless others need it. */
void hand_back(const struct root *root, const char *path, const char *handed);

#endif
