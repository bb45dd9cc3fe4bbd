// SPDX-License-Identifier: GPL-2.0-or-later
/* Where groups may be made. */
#include "cgroup/cgroup.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "cgroup/file.h"
#include "cgroup/mount.h"

const char *cgroup_mode_name(enum cgroup_mode mode)
{
	static const char *const names[] = {
		[CGROUP_NONE] = "none",
		[CGROUP_V1] = "v1",
		[CGROUP_HYBRID] = "hybrid",
		[CGROUP_V2] = "v2",
	};

	return names[mode];
}

/* By the effective user, as mkdir(2) and write(2) will be judged. */
static bool may_write(const struct root *root, const char *path, int mode)
{
	return faccessat(root->fd, group_relative(path), mode, AT_EACCESS) == 0;
}

static bool may_write_file(const struct root *root, const char *dir, const char *file)
{
	char path[PATH_MAX];

	return group_path(path, dir, file) == 0 && may_write(root, path, W_OK);
}

/*
 * A process moves between v2 groups only with the right to write cgroup.procs of the group that
 * holds both (cgroup-v2.rst, "Delegation Containment"): of this one, for those below it.
 */
static bool may_hold_groups(const struct root *root, const char *dir)
{
	return may_write(root, dir, W_OK | X_OK) && may_write_file(root, dir, "cgroup.procs");
}

/* The root of the hierarchy itself: no other group lacks cgroup.events (4.5). */
static bool is_top(const struct root *root, const char *dir)
{
	return !group_file_exists(root, dir, "cgroup.events");
}

/*
 * Can groups below have the memory controller? It is handed down already, or it can be: from the
 * top always, from another group only when no process is directly in it, which this one leaves.
 */
static bool can_limit(const struct root *root, const char *dir)
{
	if (group_lists(root, dir, "cgroup.subtree_control", "memory"))
		return true;
	return group_lists(root, dir, "cgroup.controllers", "memory") &&
	       may_write_file(root, dir, "cgroup.subtree_control") &&
	       (is_top(root, dir) || group_holds(root, dir) != GROUP_OTHERS);
}

/* The own group; for a process that sits in its leaf already, the one above. */
static void place_of_self(const struct cgroup_tree *tree, char path[PATH_MAX])
{
	char *slash;

	strcpy(path, tree->self[CGROUP_UNIFIED]);
	slash = strrchr(path, '/');
	if (slash && !strcmp(slash + 1, SUPERVISOR_LEAF))
		*slash = '\0';
}

/*
 * At the top where that is allowed; else the nearest group, from the own one upwards, below which
 * memory can be limited; else the nearest that may hold groups at all, for killing and CPU time.
 */
static void choose_unified(struct cgroup_tree *tree)
{
	const char *mount = tree->mount[CGROUP_UNIFIED];
	char *parent = tree->parent[CGROUP_UNIFIED];
	size_t length = strlen(mount);
	char path[PATH_MAX];
	bool memory = false;

	if (is_top(tree->root, mount) && may_hold_groups(tree->root, mount)) {
		strcpy(parent, mount);
		memory = can_limit(tree->root, mount);
	} else {
		place_of_self(tree, path);
		for (; strlen(path) >= length && !memory; group_parent(path)) {
			if (!may_hold_groups(tree->root, path))
				continue;
			memory = can_limit(tree->root, path);
			if (memory || !parent[0])
				strcpy(parent, path);
		}
	}
	if (tree->mode == CGROUP_V2)
		tree->memory = memory;
}

static void choose_v1(struct cgroup_tree *tree, int hierarchy)
{
	if (may_write(tree->root, tree->self[hierarchy], W_OK | X_OK))
		strcpy(tree->parent[hierarchy], tree->self[hierarchy]);
}

static void explain_v2(const struct cgroup_tree *tree, struct error *why)
{
	const char *mount = tree->mount[CGROUP_UNIFIED];
	const char *parent = tree->parent[CGROUP_UNIFIED];

	if (!parent[0])
		error_set(why, -EACCES,
			"this user may make no groups in or above %s (a delegated one: systemd-run "
			"--user --scope -p Delegate=yes)",
			tree->self[CGROUP_UNIFIED]);
	else if (!group_lists(tree->root, mount, "cgroup.controllers", "memory"))
		error_set(why, -EOPNOTSUPP, "%s/cgroup.controllers does not list memory", mount);
	else
		error_set(why, -EBUSY,
			"%s hands no memory controller down: it is not delegated, or has other "
			"processes in it",
			parent);
}

/* Why no memory limit can be set. */
static void explain(
	const struct cgroup_tree *tree, const struct cgroup_mounts *mounts, struct error *why)
{
	int memory = tree->mode == CGROUP_V2 ? CGROUP_UNIFIED : CGROUP_MEMORY;
	bool any = false;

	for (int i = 0; i < CGROUP_HIERARCHIES; i++)
		any = any || tree->mount[i][0];
	if (!any)
		error_set(why, -EOPNOTSUPP, "no control groups are mounted");
	else if (!tree->mount[memory][0])
		error_set(
			why, -EOPNOTSUPP, "no control groups with a memory controller are mounted");
	else if (!mounts->writable[memory])
		error_set(why, -EROFS, "%s is mounted read-only", tree->mount[memory]);
	else if (memory == CGROUP_UNIFIED)
		explain_v2(tree, why);
	else
		error_set(why, -EACCES, "this user may make no groups in %s", tree->self[memory]);
}

int cgroup_tree_read(const struct root *root, struct cgroup_tree *ret_tree, struct error *why)
{
	struct cgroup_mounts mounts;
	bool v2, any = false;

	cgroup_mounts_read(root, &mounts);
	memset(ret_tree, 0, sizeof(*ret_tree));
	ret_tree->root = root;
	v2 = mounts.point[CGROUP_UNIFIED][0];
	if (v2)
		ret_tree->mode = mounts.point[CGROUP_MEMORY][0] ? CGROUP_HYBRID : CGROUP_V2;
	else
		ret_tree->mode = CGROUP_V1;
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		strcpy(ret_tree->mount[i], mounts.point[i]);
		strcpy(ret_tree->self[i], mounts.self[i][0] ? mounts.self[i] : mounts.point[i]);
		if (!mounts.writable[i])
			continue;
		if (i == CGROUP_UNIFIED)
			choose_unified(ret_tree);
		else
			choose_v1(ret_tree, i);
		any = any || ret_tree->parent[i][0];
	}
	if (ret_tree->mode != CGROUP_V2)
		ret_tree->memory = ret_tree->parent[CGROUP_MEMORY][0];
	if (!ret_tree->memory)
		explain(ret_tree, &mounts, why);
	if (!any)
		ret_tree->mode = CGROUP_NONE;
	return 0;
}
