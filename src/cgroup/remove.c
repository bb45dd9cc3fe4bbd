// SPDX-License-Identifier: GPL-2.0-or-later
/* Emptying groups and taking them away. */
#include "cgroup/cgroup.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cgroup/file.h"
#include "cgroup/handdown.h"
#include "cgroup/walk.h"

/* Who is in a group and below. */
struct census {
	int n;
	pid_t any; /* one of them */
	bool self; /* this process is among them */
	bool kill; /* each is sent SIGKILL as it is found */
};

static int count(const struct visit *visit, void *data)
{
	int fd CLEANUP(close_fd) = openat(visit->fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *stream CLEANUP(close_file) = fd < 0 ? NULL : fdopen(fd, "r");
	struct census *census = data;
	int pid;

	if (!stream)
		return errno == ENOENT || errno == ENODEV ? 0 : -errno;
	take_fd(&fd);
	/* 0: a process of another pid namespace. ENODEV ends the list when the group goes away. */
	while (fscanf(stream, "%d", &pid) == 1) {
		census->n++;
		census->any = pid;
		census->self = census->self || pid == getpid();
		if (census->kill && pid > 0 && pid != getpid())
			kill(pid, SIGKILL);
	}
	return 0;
}

static int count_path(const struct root *root, const char *path, struct census *census)
{
	return group_walk(root->fd, group_relative(path), count, census);
}

int cgroup_population(const struct cgroup *cgroup)
{
	int most = 0;

	/* The same processes in each hierarchy, but for one that is just being moved. */
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		struct census census = { 0 };
		int r = 0;

		if (cgroup->path[i][0])
			r = count_path(cgroup->tree->root, cgroup->path[i], &census);
		if (r < 0)
			return r;
		if (census.n > most)
			most = census.n;
	}
	return most;
}

#define KILL_WAIT (10 * NS_PER_S)

/* Rounds are this far apart, to be quicker than a process that lives only to fork the next. */
#define KILL_PAUSE (NS_PER_MS / 2)

/* One hierarchy, until it is empty or the deadline has passed. */
static int kill_path(const struct root *root, const char *path, int64_t deadline, struct error *err)
{
	for (;;) {
		struct census census = { 0 };
		int r = count_path(root, path, &census);

		if (r < 0)
			return error_errno(err, r, "cannot read who is in group %s", path);
		if (census.self)
			return error_set(err, -EINVAL, "%s holds contend itself", path);
		if (!census.n)
			return 0;
		if (clock_now() > deadline)
			return error_set(
				err, -EBUSY, "%s: process %d does not die", path, (int)census.any);
		if (group_write(root, path, "cgroup.kill", "1\n") < 0) {
			census.kill = true;
			count_path(root, path, &census);
		}
		clock_sleep_until(clock_now() + KILL_PAUSE);
	}
}

int cgroup_kill(const struct cgroup *cgroup, struct error *err)
{
	int64_t deadline = clock_now() + KILL_WAIT;

	/* v2 first: cgroup.kill leaves a fork loop no gap. The rest is then what v2 did not hold. */
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		int r = 0;

		if (cgroup->path[i][0])
			r = kill_path(cgroup->tree->root, cgroup->path[i], deadline, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int remove_group(const struct visit *visit, void *data)
{
	(void)data;
	return unlinkat(visit->parent, visit->name, AT_REMOVEDIR) < 0 && errno != ENOENT ? -errno
											 : 0;
}

static int remove_path(const struct root *root, const char *path, struct error *err)
{
	int64_t deadline = clock_now() + KILL_WAIT;
	char handed[HANDED_SIZE];
	int r;

	handed_read(root, path, handed);
	for (;;) {
		r = kill_path(root, path, deadline, err);
		if (r < 0)
			return r;
		r = group_walk(root->fd, group_relative(path), remove_group, NULL);
		/* Busy: its last process is not quite gone, or one slipped in behind the count. */
		if (r != -EBUSY || clock_now() > deadline)
			break;
		clock_sleep_until(clock_now() + KILL_PAUSE);
	}
	if (r < 0)
		return error_errno(err, r, "cannot remove group %s", path);
	hand_back(root, path, handed);
	return 0;
}

int cgroup_remove(const struct cgroup *cgroup, struct error *err)
{
	int r = cgroup_kill(cgroup, err);

	for (int i = 0; i < CGROUP_HIERARCHIES && r == 0; i++) {
		if (cgroup->path[i][0])
			r = remove_path(cgroup->tree->root, cgroup->path[i], err);
	}
	return r;
}

/* A part of the path is "contend-...", none is "..": no other group is ever meant. */
static bool is_ours(const char *path)
{
	bool ours = false;

	if (*path != '/')
		return false;
	for (; path; path = strchr(path, '/')) {
		path++;
		if (!strncmp(path, "../", 3) || !strcmp(path, ".."))
			return false;
		ours = ours || !strncmp(path, "contend-", 8);
	}
	return ours;
}

static bool is_machine(const struct root *root)
{
	struct stat ours, machine;

	return fstat(root->fd, &ours) == 0 && stat("/", &machine) == 0 &&
	       ours.st_dev == machine.st_dev && ours.st_ino == machine.st_ino;
}

/* 1: a group of contend's is there; 0: nothing is. */
static int find_ours(const struct root *root, const char *path, struct error *err)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	struct statfs fs;

	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return error_errno(err, fd, "%s", path);
	if (!is_machine(root))
		return 1;
	if (fstatfs(fd, &fs) < 0)
		return error_errno(err, -errno, "%s", path);
	if (fs.f_type != CGROUP_SUPER_MAGIC && fs.f_type != CGROUP2_SUPER_MAGIC)
		return error_set(err, -EINVAL, "%s is not on a cgroup filesystem", path);
	return 1;
}

int cgroup_remove_path(const struct root *root, const char *path, struct error *err)
{
	int r;

	if (!is_ours(path))
		return error_set(err, -EINVAL, "%s is no group that contend made", path);
	r = find_ours(root, path, err);
	return r <= 0 ? r : remove_path(root, path, err);
}
