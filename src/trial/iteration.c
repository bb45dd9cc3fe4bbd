// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/iteration.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"

void usage_read(struct usage *ret_usage)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	*ret_usage = (struct usage) {
		.user_ns = (self.ru_utime.tv_sec + children.ru_utime.tv_sec) * NS_PER_S +
			   (self.ru_utime.tv_usec + children.ru_utime.tv_usec) * NS_PER_US,
		.system_ns = (self.ru_stime.tv_sec + children.ru_stime.tv_sec) * NS_PER_S +
			     (self.ru_stime.tv_usec + children.ru_stime.tv_usec) * NS_PER_US,
		.major_faults = self.ru_majflt + children.ru_majflt,
		.minor_faults = self.ru_minflt + children.ru_minflt,
	};
}

void iterations_open(struct iterations *ret_iterations, struct shared *shared,
	const struct root *root, const struct cgroup *box)
{
	*ret_iterations = (struct iterations) { .shared = shared, .meminfo_fd = -1 };
	if (box) {
		cgroup_meter_open(&ret_iterations->meter, box);
		ret_iterations->boxed = true;
	}
	ret_iterations->meminfo_fd = root_openat(root, "/proc/meminfo", O_RDONLY);
}

static int64_t line_bytes(const char *meminfo, const char *name)
{
	const char *at = strstr(meminfo, name);

	return at ? strtoll(at + strlen(name), NULL, 10) * (int64_t)KIB : VALUE_ABSENT;
}

/* Swap in use: the box's own, else SwapTotal - SwapFree. */
static int64_t swap_used(const struct iterations *iterations)
{
	char meminfo[8192];
	int64_t total, left;

	if (iterations->boxed) {
		struct cgroup_usage usage;

		cgroup_meter_read(&iterations->meter, &usage);
		if (usage.swap_bytes != UINT64_MAX)
			return (int64_t)usage.swap_bytes;
	}
	if (iterations->meminfo_fd < 0 ||
		fd_read_whole(iterations->meminfo_fd, meminfo, sizeof(meminfo)) < 0)
		return VALUE_ABSENT;
	total = line_bytes(meminfo, "\nSwapTotal:");
	left = line_bytes(meminfo, "\nSwapFree:");
	return total == VALUE_ABSENT || left == VALUE_ABSENT ? VALUE_ABSENT : total - left;
}

void iterations_begin(struct iterations *iterations, int64_t now_ns)
{
	iterations->shared->swap_before = swap_used(iterations);
	iterations->start_ns = now_ns;
	usage_read(&iterations->start);
}

void iteration_end(struct iterations *iterations, int64_t now_ns)
{
	struct shared *shared = iterations->shared;
	const struct usage *start = &iterations->start;
	struct iteration *iteration;
	struct usage usage;

	usage_read(&usage);
	if (shared->passes < ITERATIONS_KEPT) {
		iteration = &shared->iterations[shared->passes];
		*iteration = (struct iteration) {
			.start_ns = iterations->start_ns,
			.end_ns = now_ns,
			.usage = {
				.user_ns = usage.user_ns - start->user_ns,
				.system_ns = usage.system_ns - start->system_ns,
				.major_faults = usage.major_faults - start->major_faults,
				.minor_faults = usage.minor_faults - start->minor_faults,
			},
			.swap_bytes = swap_used(iterations),
		};
		for (size_t i = 0; i < shared->n_values; i++)
			shared->iteration_values[shared->passes * shared->n_values + i] =
				atomic_load(&shared->values[i]);
	}
	shared->passes++;
	iterations->start_ns = now_ns;
	iterations->start = usage;
}
