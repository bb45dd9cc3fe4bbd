// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/disturb.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

void disturb_open(struct disturb *ret_disturb, const struct root *root)
{
	*ret_disturb = (struct disturb) { .stat_fd = root_openat(root, "/proc/stat", O_RDONLY) };
}

void disturb_close(struct disturb *disturb)
{
	close_fd(&disturb->stat_fd);
	disturb->stat_fd = -1;
}

/*
 * The first line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)); what
 * follows, guest and guest_nice, is contained in user and nice.
 */
static void ticks_read(int fd, uint64_t *ret_steal, uint64_t *ret_all)
{
	unsigned long long t[8] = { 0 };
	char line[512];
	ssize_t n = fd < 0 ? -1 : pread(fd, line, sizeof(line) - 1, 0);

	*ret_steal = *ret_all = 0;
	if (n <= 0)
		return;
	line[n] = '\0';
	if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3],
		    &t[4], &t[5], &t[6], &t[7]) < 8)
		return;
	*ret_steal = t[7];
	for (int i = 0; i < 8; i++)
		*ret_all += t[i];
}

void disturb_begin(struct disturb *disturb)
{
	int64_t now = clock_now();

	disturb->boot_ns = clock_read(CLOCK_BOOTTIME) - now;
	disturb->real_ns = clock_read(CLOCK_REALTIME) - now;
	ticks_read(disturb->stat_fd, &disturb->steal_ticks, &disturb->all_ticks);
}

struct disturb_result disturb_end(const struct disturb *disturb)
{
	int64_t now = clock_now();
	struct disturb_result result = {
		.suspend_ns = clock_read(CLOCK_BOOTTIME) - now - disturb->boot_ns,
		.step_ns = clock_read(CLOCK_REALTIME) - now - disturb->real_ns,
	};
	uint64_t steal, all;

	/* A suspend moves both clocks; only what is left is a step. */
	result.step_ns -= result.suspend_ns;
	ticks_read(disturb->stat_fd, &steal, &all);
	if (all > disturb->all_ticks && steal >= disturb->steal_ticks + DISTURB_STEAL_TICKS)
		result.steal =
			(double)(steal - disturb->steal_ticks) / (double)(all - disturb->all_ticks);
	return result;
}

const char *disturb_reason(
	const struct disturb_result *result, unsigned steal_percent, char *buf, size_t size)
{
	if (result->suspend_ns >= DISTURB_SUSPEND_NS)
		snprintf(buf, size, "the machine was suspended for %.1f s",
			result->suspend_ns / 1e9);
	else if (llabs(result->step_ns) >= DISTURB_STEP_NS)
		snprintf(buf, size, "the clock was set by %+.1f s", result->step_ns / 1e9);
	else if (steal_percent && 100 * result->steal >= steal_percent)
		snprintf(buf, size, "the hypervisor took %.1f %% of the CPU time",
			100 * result->steal);
	else
		return NULL;
	return buf;
}
