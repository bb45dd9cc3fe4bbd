// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Control groups: v2, v1, and the hybrid of both. A `struct cgroup` is one group in every
 * hierarchy that contend uses; what a hierarchy lacks, another gives (CPU time from v2 cpu.stat
 * even where the cpu controller is v1, since 4.15: Documentation/admin-guide/cgroup-v2.rst).
 */
#ifndef CGROUP_CGROUP_H
#define CGROUP_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/root.h"

enum cgroup_hierarchy {
	CGROUP_UNIFIED, /* v2, with or without controllers */
	CGROUP_MEMORY, /* v1 memory */
	CGROUP_CPUACCT, /* v1 cpuacct */
	CGROUP_BLKIO, /* v1 blkio */
	CGROUP_HIERARCHIES
};

enum cgroup_mode {
	CGROUP_NONE, /* no hierarchy mounted, or none that may be written to */
	CGROUP_V1, /* no v2 at all */
	CGROUP_HYBRID, /* v2 mounted, memory controlled by v1 */
	CGROUP_V2, /* memory controlled by v2 */
};

/* Hierarchies as mounted, and where contend may make groups in each. */
struct cgroup_tree {
	const struct root *root;
	enum cgroup_mode mode;
	bool memory; /* a memory limit can be set */
	/* Directory under which groups are made, below the root; "": the hierarchy is not used. */
	char parent[CGROUP_HIERARCHIES][PATH_MAX];
	/* Mount point of each hierarchy; "" when not mounted. */
	char mount[CGROUP_HIERARCHIES][PATH_MAX];
	/* This process's own group, or the mount point where that is not seen from here. */
	char self[CGROUP_HIERARCHIES][PATH_MAX];
};

/*
 * Finds the hierarchies (/proc/self/mountinfo, /proc/self/cgroup) and where groups can be made:
 * as root at the v2 root or, on v1, below the group that this process is in; else in a delegated
 * v2 group. Never fails for want of cgroups: mode is then CGROUP_NONE and `why` says what is
 * missing; so it does when there are groups, but `memory` is false. Changes nothing, except that a
 * delegated v2 group may need this process moved into a leaf (`contend-supervisor`), which is done
 * by the first cgroup_make() and undone when its group is removed.
 */
int cgroup_tree_read(const struct root *root, struct cgroup_tree *ret_tree, struct error *why);

const char *cgroup_mode_name(enum cgroup_mode mode); /* "none", "v1", "hybrid", "v2" */

struct cgroup {
	const struct cgroup_tree *tree;
	char path[CGROUP_HIERARCHIES][PATH_MAX]; /* "": not in this hierarchy */
};

/*
 * Names the group `name` below parent (NULL: below the tree's own place) without making it, so
 * that its directories can be journalled first.
 */
int cgroup_name(const struct cgroup_tree *tree, const struct cgroup *parent, const char *name,
	struct cgroup *ret_cgroup, struct error *err);

/* Makes it in every hierarchy and, on v2, hands the controllers down. -EEXIST: it is there. */
int cgroup_make(const struct cgroup *cgroup, struct error *err);

/*
 * Limits RAM, and swap beyond it (v1: memory.memsw is set to their sum). UINT64_MAX: no limit.
 * Reads back what the kernel took. -EOPNOTSUPP: this machine cannot limit that; where it is swap
 * alone, RAM is limited all the same.
 */
int cgroup_limit(
	const struct cgroup *cgroup, uint64_t ram_bytes, uint64_t swap_bytes, struct error *err);

/* Moves a process (0: the caller) into it, in every hierarchy. Async-signal-safe. */
int cgroup_attach(const struct cgroup *cgroup, pid_t pid);

/* Number of processes in it and below, or -errno. */
int cgroup_population(const struct cgroup *cgroup);

/*
 * SIGKILL for everything in it and below (cgroup.kill since 5.14, else by pid until none is
 * left), and waits until it is empty. -EBUSY: something could not be killed within 10 s.
 */
int cgroup_kill(const struct cgroup *cgroup, struct error *err);

/*
 * Kills, then removes the group and all groups below it; on v2, takes back the controllers that
 * were handed down for it. Missing is success.
 */
int cgroup_remove(const struct cgroup *cgroup, struct error *err);

/*
 * The same for one directory in one hierarchy, which is all that a journal remembers. -EINVAL: not
 * a group that contend made: no part of the path is named "contend-...", it is no directory of a
 * cgroup filesystem (checked when the root is the machine's own), or this process is in it.
 */
int cgroup_remove_path(const struct root *root, const char *path, struct error *err);

/* What one group used; a field that the machine does not give is UINT64_MAX. Children included. */
struct cgroup_usage {
	uint64_t user_ns, system_ns;
	uint64_t major_faults;
	uint64_t oom_kills;
	uint64_t reclaim_failures; /* v1 failcnt; v2 memory.events "max" */
	uint64_t memory_bytes, memory_peak_bytes, swap_bytes;
	uint64_t throttled_ns; /* by a CPU quota */
};

/*
 * Opened before the window, so that reading it allocates nothing. v1 counts an OOM kill in the
 * victim's own group only, so the groups below are opened, too: those that there are by then.
 */
#define CGROUP_METER_GROUPS 64

struct cgroup_meter {
	int cpu_fd, cpuacct_fd, cpuacct_system_fd, memory_fd, failcnt_fd, usage_fd, peak_fd,
		swap_fd;
	int events_fd[CGROUP_METER_GROUPS];
	unsigned n_events;
	enum cgroup_mode mode;
};

void cgroup_meter_open(struct cgroup_meter *ret_meter, const struct cgroup *cgroup);
void cgroup_meter_read(const struct cgroup_meter *meter, struct cgroup_usage *ret_usage);
/* User + system time alone, ns: one file instead of all. UINT64_MAX: not given. */
uint64_t cgroup_meter_cpu(const struct cgroup_meter *meter);

void cgroup_meter_close(struct cgroup_meter *meter);

/*
 * RAM and swap that a process in the group (NULL: this process) may use: the tightest limit on
 * the path to the root of each hierarchy, and the machine's own. Swap: see NUMBERS in docs.
 */
int cgroup_bounds(const struct cgroup_tree *tree, const struct cgroup *cgroup,
	uint64_t *ret_ram_bytes, uint64_t *ret_swap_bytes, struct error *err);

#endif
