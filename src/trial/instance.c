// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/instance.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "trial/child.h"

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

/* A role that is asked to stop gets this long before it is killed. */
#define GRACE_NS (500 * NS_PER_MS)

static unsigned worker_count(const struct part *part, const struct place *place)
{
	if (part->common.workers)
		return (unsigned)part->common.workers;
	return part->workload->default_workers
		       ? part->workload->default_workers(place, part->params)
		       : 1;
}

static int role_group(struct role *role, const struct stage *stage, struct error *err)
{
	int r;

	if (!stage->box)
		return 0;
	r = cgroup_name(stage->box->tree, stage->box, role->part->role, &role->cgroup, err);
	if (r < 0)
		return r;
	r = cgroup_make(&role->cgroup, err);
	if (r < 0)
		return r;
	role->grouped = true;
	cgroup_meter_open(&role->meter, &role->cgroup);
	role->metered = true;
	return 0;
}

int role_start(struct role *role, const struct part *part, const struct stage *stage, uint64_t seed,
	int done_fd, struct error *err)
{
	struct place place = {
		.ram_bytes = stage->ram_bytes,
		.swap_bytes = stage->swap_bytes,
		.cpus = stage->n_cpus,
		.shelf = stage->shelf,
		.scratch = role->scratch,
		.seed = seed,
	};
	char path[64];
	int r;

	role->part = part;
	role->exit_fd = role->stat_fd = -1;
	snprintf(role->scratch, sizeof(role->scratch), "%s/%s", stage->scratch, part->role);
	r = directory_make(role->scratch, err);
	if (r < 0)
		return r;
	r = role_group(role, stage, err);
	if (r < 0)
		return r;
	r = shared_new(part->workload, worker_count(part, &place), &role->shared, err);
	if (r < 0)
		return r;
	role->pid = fork();
	if (role->pid < 0) {
		role->pid = 0;
		return error_errno(err, -errno, "cannot start %s", part->role);
	}
	if (role->pid == 0)
		child_main(role, stage, &place, done_fd);
	role->exit_fd = (int)syscall(SYS_pidfd_open, role->pid, 0);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)role->pid);
	role->stat_fd = root_openat(stage->root, path, O_RDONLY);
	return 0;
}

bool role_dead(struct role *role)
{
	if (role->died)
		return true;
	if (!role->pid || waitpid(role->pid, &role->status, WNOHANG) != role->pid)
		return false;
	role->pid = 0;
	/* An ended lead may exit at any time; STAND_ENDED was written before that. */
	role->died = !(role->lead && atomic_load(&role->shared->stand) == STAND_ENDED);
	return role->died;
}

const char *role_death(const struct role *role, char *buf, size_t size)
{
	const char *name = role->part->role;
	const struct shared *shared = role->shared;

	if (WIFSIGNALED(role->status))
		snprintf(buf, size, "%s was killed by signal %d (%s)", name, WTERMSIG(role->status),
			strsignal(WTERMSIG(role->status)));
	else if (shared && shared->code < 0)
		snprintf(buf, size, "%s: %.180s", name, shared->error.text);
	else
		snprintf(buf, size, "%s ended by itself (exit status %d)", name,
			WEXITSTATUS(role->status));
	return buf;
}

int64_t role_cpu_ns(const struct role *role)
{
	char buf[1024];
	const char *at;
	long long ticks[4];

	if (role->metered) {
		uint64_t cpu_ns = cgroup_meter_cpu(&role->meter);

		if (cpu_ns != UINT64_MAX)
			return (int64_t)cpu_ns;
	}
	if (role->stat_fd < 0 || fd_read_whole(role->stat_fd, buf, sizeof(buf)) < 0)
		return VALUE_ABSENT;
	/* proc(5): fields 14 to 17 are utime stime cutime cstime; the name may hold anything. */
	at = strrchr(buf, ')');
	if (!at ||
		sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld",
			&ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 4)
		return VALUE_ABSENT;
	return (ticks[0] + ticks[1] + ticks[2] + ticks[3]) * (NS_PER_S / sysconf(_SC_CLK_TCK));
}

static void role_stop(struct role *role)
{
	int64_t until = clock_now() + GRACE_NS;

	shared_set(&role->shared->stop, 1);
	shared_set(&role->shared->gate, GATE_OPEN);
	while (role->pid && clock_now() < until) {
		if (waitpid(role->pid, &role->status, WNOHANG) == role->pid)
			role->pid = 0;
		else
			clock_sleep_until(clock_now() + NS_PER_MS);
	}
}

int role_end(struct role *role, struct error *err)
{
	pid_t pid = role->pid;
	int r = 0, s;

	if (!role->part)
		return 0;
	if (pid)
		role_stop(role);
	if (role->metered)
		cgroup_meter_close(&role->meter);
	if (role->grouped)
		r = cgroup_remove(&role->cgroup, err);
	else if (pid)
		kill(-pid, SIGKILL);
	if (role->pid) {
		kill(role->pid, SIGKILL);
		while (waitpid(role->pid, &role->status, 0) < 0 && errno == EINTR)
			;
		role->pid = 0;
	}
	close_fd(&role->exit_fd);
	close_fd(&role->stat_fd);
	shared_free(role->shared);
	s = tree_remove(role->scratch, r < 0 ? NULL : err);
	*role = (struct role) { .exit_fd = -1, .stat_fd = -1 };
	return r < 0 ? r : s;
}

/* SIGKILL for each process whose parent is this one. */
static void children_kill(void)
{
	DIR *proc CLEANUP(close_directory) = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		char path[300], stat[512];
		const char *at;
		int fd, parent;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		at = fd_read_whole(fd, stat, sizeof(stat)) > 0 ? strrchr(stat, ')') : NULL;
		close(fd);
		if (at && sscanf(at, ") %*c %d", &parent) == 1 && parent == getpid())
			kill(atoi(entry->d_name), SIGKILL);
	}
}

void orphans_end(void)
{
	for (int tries = 0; tries < 1000; tries++) {
		pid_t pid;

		do {
			pid = waitpid(-1, NULL, WNOHANG);
		} while (pid > 0 || (pid < 0 && errno == EINTR));
		if (pid < 0)
			return;
		/* Killing one may hand us its children: look again. */
		children_kill();
		clock_sleep_until(clock_now() + NS_PER_MS);
	}
}
