// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/handdown.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "cgroup/file.h"

/*
 * io is needed for the group's io.stat, and beside memory for its dirty pages to be throttled
 * (cgroup-v2.rst, "Writeback"). cpu.stat has the group's CPU time without the cpu controller.
 */
static const char *const wanted[] = { "memory", "io" };

/* User attributes on groups since 5.7; trusted ones before that, for root. */
static const char *const attributes[] = { "user.contend.handed", "trusted.contend.handed" };

static int open_group(const struct root *root, const char *path)
{
	return root_openat(root, path, O_RDONLY | O_DIRECTORY);
}

static void handed_write(const struct root *root, const char *path, const char *handed)
{
	int fd CLEANUP(close_fd) = open_group(root, path);

	for (size_t i = 0; fd >= 0 && i < ARRAY_SIZE(attributes); i++) {
		if (fsetxattr(fd, attributes[i], handed, strlen(handed), 0) == 0)
			return;
	}
}

void handed_read(const struct root *root, const char *path, char handed[HANDED_SIZE])
{
	int fd CLEANUP(close_fd) = open_group(root, path);

	handed[0] = '\0';
	for (size_t i = 0; fd >= 0 && i < ARRAY_SIZE(attributes); i++) {
		ssize_t n = fgetxattr(fd, attributes[i], handed, HANDED_SIZE - 1);

		if (n >= 0) {
			handed[n] = '\0';
			return;
		}
	}
}

static int switch_controller(
	const struct root *root, const char *parent, char sign, const char *name)
{
	char text[32];

	snprintf(text, sizeof(text), "%c%s\n", sign, name);
	return group_write(root, parent, "cgroup.subtree_control", text);
}

/* A group other than the top has processes directly in it, or hands controllers down: not both. */
static int move_to_leaf(const struct root *root, const char *parent, struct error *err)
{
	char leaf[PATH_MAX];
	int r;

	if (!group_file_exists(root, parent, "cgroup.events") ||
		group_holds(root, parent) != GROUP_SELF)
		return 0;
	r = group_path(leaf, parent, SUPERVISOR_LEAF);
	if (r < 0)
		return error_errno(err, r, "%s/" SUPERVISOR_LEAF, parent);
	if (mkdirat(root->fd, group_relative(leaf), 0755) < 0 && errno != EEXIST)
		return error_errno(err, -errno, "cannot make group %s", leaf);
	r = group_write(root, leaf, "cgroup.procs", "0\n");
	if (r < 0)
		return error_errno(err, r, "cannot move contend into %s", leaf);
	return 0;
}

int hand_down(const struct cgroup_tree *tree, const char *path, struct error *err)
{
	char parent[PATH_MAX], missing[HANDED_SIZE] = "";
	bool outer;
	int r;

	strcpy(parent, path);
	group_parent(parent);
	outer = !strcmp(parent, tree->parent[CGROUP_UNIFIED]);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (group_lists(tree->root, parent, "cgroup.subtree_control", wanted[i]) ||
			!group_lists(tree->root, parent, "cgroup.controllers", wanted[i]))
			continue;
		if (*missing)
			strcat(missing, " ");
		strcat(missing, wanted[i]);
	}
	if (!*missing)
		return 0;
	if (outer) {
		handed_write(tree->root, path, missing);
		r = move_to_leaf(tree->root, parent, err);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!words_have(missing, wanted[i]))
			continue;
		r = switch_controller(tree->root, parent, '+', wanted[i]);
		if (r < 0 && !strcmp(wanted[i], "memory"))
			return error_errno(err, r, "%s cannot hand the memory controller down%s",
				parent, r == -EBUSY ? " (processes are in it)" : "");
	}
	return 0;
}

/* Is there another group of contend's below the parent? */
static bool is_shared(const struct root *root, const char *parent)
{
	int fd CLEANUP(close_fd) = open_group(root, parent);
	DIR *directory CLEANUP(close_directory) = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!directory)
		return false;
	take_fd(&fd);
	while ((entry = readdir(directory))) {
		if (entry->d_type == DT_DIR && !strncmp(entry->d_name, "contend-", 8) &&
			strcmp(entry->d_name, SUPERVISOR_LEAF))
			return true;
	}
	return false;
}

void hand_back(const struct root *root, const char *path, const char *handed)
{
	char parent[PATH_MAX], leaf[PATH_MAX];

	strcpy(parent, path);
	group_parent(parent);
	if (!*handed || is_shared(root, parent))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (words_have(handed, wanted[i]))
			switch_controller(root, parent, '-', wanted[i]);
	}
	if (group_path(leaf, parent, SUPERVISOR_LEAF) < 0)
		return;
	if (group_holds(root, leaf) == GROUP_SELF)
		group_write(root, parent, "cgroup.procs", "0\n");
	unlinkat(root->fd, group_relative(leaf), AT_REMOVEDIR);
}
