// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/shelf.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#include "base/cleanup.h"
#include "base/file.h"

static int name(const char *shelf, const char *key, const char *suffix, char *path, size_t size,
	struct error *err)
{
	if (snprintf(path, size, "%s/%s%s", shelf, key, suffix) >= (int)size)
		return error_set(err, -ENAMETOOLONG, "%s: the shelf's path is too long", key);
	return 0;
}

/* Waits for whoever is making the same thing. The lock goes with the descriptor. */
static int lock(const char *shelf, const char *key, int *ret_fd, struct error *err)
{
	char path[PATH_MAX];
	int fd, r = name(shelf, key, ".lock", path, sizeof(path), err);

	if (r < 0)
		return r;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_errno(err, -errno, "cannot create %s", path);
	while (flock(fd, LOCK_EX) < 0) {
		if (errno == EINTR)
			continue;
		r = error_errno(err, -errno, "cannot lock %s", path);
		close_fd(&fd);
		return r;
	}
	*ret_fd = fd;
	return 0;
}

int shelf_find(const struct place *place, const char *key,
	int (*make)(const char *path, const void *data, struct error *err), const void *data,
	char *path, size_t size, struct error *err)
{
	int held CLEANUP(close_fd) = -1;
	char half[PATH_MAX];
	int r;

	if (!*key || *key == '.' || strchr(key, '/'))
		return error_set(err, -EINVAL, "\"%s\" cannot be a name on the shelf", key);
	r = name(place->shelf, key, "", path, size, err);
	if (r < 0)
		return r;
	r = name(place->shelf, key, ".half", half, sizeof(half), err);
	if (r < 0)
		return r;
	r = lock(place->shelf, key, &held, err);
	if (r < 0)
		return r;
	if (access(path, F_OK) == 0)
		return 0;
	/* Left by a maker that was killed: its lock went with it. */
	r = tree_remove(half, err);
	if (r < 0)
		return r;
	r = make(half, data, err);
	if (r < 0) {
		tree_remove(half, NULL);
		return r;
	}
	if (rename(half, path) < 0)
		return error_errno(err, -errno, "cannot rename %s", half);
	return 0;
}
