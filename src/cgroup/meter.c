// SPDX-License-Identifier: GPL-2.0-or-later
/* What one group used. */
#include "cgroup/cgroup.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "cgroup/file.h"
#include "cgroup/walk.h"

/* memory.stat of 6.18 is 2 KB; a file that outgrows this reads as absent. */
#define TEXT_SIZE 16384

static int open_file(const struct cgroup *cgroup, int hierarchy, const char *file)
{
	char path[PATH_MAX];
	int fd;

	if (!cgroup->path[hierarchy][0] || group_path(path, cgroup->path[hierarchy], file) < 0)
		return -1;
	fd = root_openat(cgroup->tree->root, path, O_RDONLY);
	return fd < 0 ? -1 : fd;
}

static int open_events(const struct visit *visit, void *data)
{
	struct cgroup_meter *meter = data;
	int fd = openat(visit->fd, "memory.oom_control", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	/* The last that is visited is the group itself: it always has a place. */
	if (meter->n_events == CGROUP_METER_GROUPS)
		close(meter->events_fd[--meter->n_events]);
	meter->events_fd[meter->n_events++] = fd;
	return 0;
}

static void open_v2(struct cgroup_meter *meter, const struct cgroup *cgroup)
{
	meter->memory_fd = open_file(cgroup, CGROUP_UNIFIED, "memory.stat");
	meter->usage_fd = open_file(cgroup, CGROUP_UNIFIED, "memory.current");
	meter->peak_fd = open_file(cgroup, CGROUP_UNIFIED, "memory.peak");
	meter->swap_fd = open_file(cgroup, CGROUP_UNIFIED, "memory.swap.current");
	meter->events_fd[0] = open_file(cgroup, CGROUP_UNIFIED, "memory.events");
	meter->n_events = meter->events_fd[0] >= 0;
}

static void open_v1(struct cgroup_meter *meter, const struct cgroup *cgroup)
{
	const char *path = cgroup->path[CGROUP_MEMORY];

	meter->memory_fd = open_file(cgroup, CGROUP_MEMORY, "memory.stat");
	meter->usage_fd = open_file(cgroup, CGROUP_MEMORY, "memory.usage_in_bytes");
	meter->peak_fd = open_file(cgroup, CGROUP_MEMORY, "memory.max_usage_in_bytes");
	meter->swap_fd = open_file(cgroup, CGROUP_MEMORY, "memory.memsw.usage_in_bytes");
	meter->failcnt_fd = open_file(cgroup, CGROUP_MEMORY, "memory.failcnt");
	if (*path)
		group_walk(cgroup->tree->root->fd, group_relative(path), open_events, meter);
}

void cgroup_meter_open(struct cgroup_meter *ret_meter, const struct cgroup *cgroup)
{
	*ret_meter = (struct cgroup_meter) {
		.cpu_fd = open_file(cgroup, CGROUP_UNIFIED, "cpu.stat"),
		.cpuacct_fd = -1,
		.cpuacct_system_fd = -1,
		.memory_fd = -1,
		.failcnt_fd = -1,
		.usage_fd = -1,
		.peak_fd = -1,
		.swap_fd = -1,
		.mode = cgroup->tree->mode,
	};
	if (ret_meter->cpu_fd < 0) {
		ret_meter->cpuacct_fd = open_file(cgroup, CGROUP_CPUACCT, "cpuacct.usage_user");
		ret_meter->cpuacct_system_fd =
			open_file(cgroup, CGROUP_CPUACCT, "cpuacct.usage_sys");
	}
	if (ret_meter->mode == CGROUP_V2)
		open_v2(ret_meter, cgroup);
	else
		open_v1(ret_meter, cgroup);
}

static bool read_text(int fd, char text[TEXT_SIZE])
{
	return fd >= 0 && fd_read_lines(fd, text, TEXT_SIZE) > 0;
}

static uint64_t read_number(int fd, char text[TEXT_SIZE])
{
	return read_text(fd, text) ? strtoull(text, NULL, 10) : UINT64_MAX;
}

static uint64_t times(uint64_t value, uint64_t factor)
{
	return value == UINT64_MAX ? value : value * factor;
}

static void read_cpu(
	const struct cgroup_meter *meter, struct cgroup_usage *usage, char text[TEXT_SIZE])
{
	if (read_text(meter->cpu_fd, text)) {
		usage->user_ns = times(text_value(text, "user_usec"), NS_PER_US);
		usage->system_ns = times(text_value(text, "system_usec"), NS_PER_US);
		usage->throttled_ns = times(text_value(text, "throttled_usec"), NS_PER_US);
	} else {
		usage->user_ns = read_number(meter->cpuacct_fd, text);
		usage->system_ns = read_number(meter->cpuacct_system_fd, text);
	}
}

static void read_events(
	const struct cgroup_meter *meter, struct cgroup_usage *usage, char text[TEXT_SIZE])
{
	uint64_t kills = UINT64_MAX;

	for (unsigned i = 0; i < meter->n_events; i++) {
		uint64_t here;

		/* A group that is gone by now reads ENODEV: its count is lost, the others' stand. */
		if (!read_text(meter->events_fd[i], text))
			continue;
		here = text_value(text, "oom_kill");
		if (here != UINT64_MAX)
			kills = kills == UINT64_MAX ? here : kills + here;
		if (meter->mode == CGROUP_V2)
			usage->reclaim_failures = text_value(text, "max");
	}
	usage->oom_kills = kills;
}

/*
 * v1 counts RAM, and RAM and swap together. memory.stat has swap alone, but may be two seconds old
 * (FLUSH_TIME, mm/memcontrol.c).
 */
static uint64_t read_swap(
	const struct cgroup_meter *meter, uint64_t memory_bytes, char text[TEXT_SIZE])
{
	uint64_t bytes = read_number(meter->swap_fd, text);

	if (meter->mode == CGROUP_V2 || bytes == UINT64_MAX)
		return bytes;
	if (memory_bytes == UINT64_MAX)
		return UINT64_MAX;
	return bytes > memory_bytes ? bytes - memory_bytes : 0;
}

void cgroup_meter_read(const struct cgroup_meter *meter, struct cgroup_usage *ret_usage)
{
	struct cgroup_usage usage;
	char text[TEXT_SIZE];
	bool v2 = meter->mode == CGROUP_V2;

	memset(&usage, 0xff, sizeof(usage));
	read_cpu(meter, &usage, text);
	/* v2 counts what is below in every field, v1 in those named total_. */
	if (read_text(meter->memory_fd, text))
		usage.major_faults = text_value(text, v2 ? "pgmajfault" : "total_pgmajfault");
	usage.memory_bytes = read_number(meter->usage_fd, text);
	usage.swap_bytes = read_swap(meter, usage.memory_bytes, text);
	usage.memory_peak_bytes = read_number(meter->peak_fd, text);
	usage.reclaim_failures = read_number(meter->failcnt_fd, text);
	read_events(meter, &usage, text);
	*ret_usage = usage;
}

uint64_t cgroup_meter_cpu(const struct cgroup_meter *meter)
{
	struct cgroup_usage usage = { .user_ns = UINT64_MAX, .system_ns = UINT64_MAX };
	char text[TEXT_SIZE];

	read_cpu(meter, &usage, text);
	if (usage.user_ns == UINT64_MAX || usage.system_ns == UINT64_MAX)
		return UINT64_MAX;
	return usage.user_ns + usage.system_ns;
}

void cgroup_meter_close(struct cgroup_meter *meter)
{
	close_fd(&meter->cpu_fd);
	close_fd(&meter->cpuacct_fd);
	close_fd(&meter->cpuacct_system_fd);
	close_fd(&meter->memory_fd);
	close_fd(&meter->failcnt_fd);
	close_fd(&meter->usage_fd);
	close_fd(&meter->peak_fd);
	close_fd(&meter->swap_fd);
	for (unsigned i = 0; i < meter->n_events; i++)
		close_fd(&meter->events_fd[i]);
}
