// SPDX-License-Identifier: GPL-2.0-or-later
/* One group: its name, its making, and who goes in. */
#include "cgroup/cgroup.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "cgroup/file.h"
#include "cgroup/handdown.h"

int cgroup_name(const struct cgroup_tree *tree, const struct cgroup *parent, const char *name,
	struct cgroup *ret_cgroup, struct error *err)
{
	struct cgroup cgroup = { .tree = tree };
	bool any = false;

	if (!*name || *name == '.' || strpbrk(name, "/\n"))
		return error_set(err, -EINVAL, "\"%s\" cannot name a group", name);
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		const char *above = parent ? parent->path[i] : tree->parent[i];

		if (!*above)
			continue;
		if (group_path(cgroup.path[i], above, name) < 0)
			return error_set(err, -ENAMETOOLONG, "%s/%s: path too long", above, name);
		any = true;
	}
	if (!any)
		return error_set(err, -EOPNOTSUPP, "no control groups can be made here");
	*ret_cgroup = cgroup;
	return 0;
}

/* v1 controllers may share one hierarchy: the group is made and entered once. */
static bool is_first(const struct cgroup *cgroup, int hierarchy)
{
	for (int i = 0; i < hierarchy; i++) {
		if (!strcmp(cgroup->path[i], cgroup->path[hierarchy]))
			return false;
	}
	return cgroup->path[hierarchy][0];
}

static void unmake(const struct cgroup *cgroup, int hierarchy)
{
	const struct root *root = cgroup->tree->root;
	const char *path = cgroup->path[hierarchy];
	char handed[HANDED_SIZE] = "";

	if (hierarchy == CGROUP_UNIFIED)
		handed_read(root, path, handed);
	unlinkat(root->fd, group_relative(path), AT_REMOVEDIR);
	if (hierarchy == CGROUP_UNIFIED)
		hand_back(root, path, handed);
}

static int make_one(const struct cgroup *cgroup, int hierarchy, struct error *err)
{
	const struct cgroup_tree *tree = cgroup->tree;
	const char *path = cgroup->path[hierarchy];
	char text[16];
	int r = 0;

	if (mkdirat(tree->root->fd, group_relative(path), 0755) < 0)
		return error_errno(err, -errno, "cannot make group %s", path);
	if (hierarchy == CGROUP_UNIFIED && tree->mode == CGROUP_V2 && tree->memory)
		r = hand_down(tree, path, err);
	if (r < 0) {
		unmake(cgroup, hierarchy);
		return r;
	}
	/* Before 5.11 a v1 group does not count what is below it unless told so. */
	if (hierarchy == CGROUP_MEMORY &&
		group_read(tree->root, path, "memory.use_hierarchy", text, sizeof(text)) > 0 &&
		text[0] == '0')
		group_write(tree->root, path, "memory.use_hierarchy", "1\n");
	return 0;
}

int cgroup_make(const struct cgroup *cgroup, struct error *err)
{
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		int r;

		if (!is_first(cgroup, i))
			continue;
		r = make_one(cgroup, i, err);
		if (r == 0)
			continue;
		while (--i >= 0) {
			if (is_first(cgroup, i))
				unmake(cgroup, i);
		}
		return r;
	}
	return 0;
}

/* snprintf(3) is not on the list of what a forked child of a threaded program may call. */
static const char *pid_line(pid_t pid, char text[16])
{
	char *at = text + 15;

	*at = '\0';
	*--at = '\n';
	do
		*--at = (char)('0' + pid % 10);
	while (pid /= 10);
	return at;
}

int cgroup_attach(const struct cgroup *cgroup, pid_t pid)
{
	char text[16];
	const char *line = pid_line(pid, text);

	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		int r;

		if (!is_first(cgroup, i))
			continue;
		r = group_write(cgroup->tree->root, cgroup->path[i], "cgroup.procs", line);
		if (r < 0)
			return r;
	}
	return 0;
}
