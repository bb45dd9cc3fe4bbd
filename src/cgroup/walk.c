// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "cgroup/file.h"

int group_walk(int parent, const char *name, int (*visit)(const struct visit *visit, void *data),
	void *data)
{
	int fd CLEANUP(close_fd) =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory CLEANUP(close_directory) = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!directory)
		return errno == ENOENT || errno == ENODEV ? 0 : -errno;
	take_fd(&fd);
	while ((entry = readdir(directory))) {
		int r;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
			!strcmp(entry->d_name, ".."))
			continue;
		r = group_walk(dirfd(directory), entry->d_name, visit, data);
		if (r < 0)
			return r;
	}
	return visit(&(struct visit) { parent, dirfd(directory), name }, data);
}
