// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/supervisor.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"

#define STACK_USED (128 * 1024)

static bool oom_score_write(int score)
{
	int fd CLEANUP(close_fd) = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	char text[16];

	snprintf(text, sizeof(text), "%d", score);
	return fd >= 0 && write(fd, text, strlen(text)) > 0;
}

static int oom_score_read(void)
{
	int fd CLEANUP(close_fd) = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return 0;
	return atoi(text);
}

/* Touches the stack that the window's calls will use, so that locking finds it mapped. */
static void stack_touch(void)
{
	volatile char pages[STACK_USED];

	for (size_t i = 0; i < sizeof(pages); i += 4096)
		pages[i] = 0;
}

void supervisor_lock(void)
{
	if (mlockall(MCL_CURRENT) < 0) {
		/* Said by supervisor_rise(). */
	}
}

void supervisor_rise(struct supervisor *ret_supervisor)
{
	struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };
	struct supervisor supervisor = { .oom_score_adj = oom_score_read() };

	stack_touch();
	/* Not MCL_FUTURE: with a limit on locked memory, later mappings would fail. */
	supervisor.locked = mlockall(MCL_CURRENT) == 0;
	supervisor.fifo = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest) == 0;
	supervisor.oom_spared = oom_score_write(-1000);
	prctl(PR_SET_TIMERSLACK, 1UL);
	*ret_supervisor = supervisor;
}

void supervisor_fall(const struct supervisor *supervisor)
{
	struct sched_param none = { .sched_priority = 0 };

	prctl(PR_SET_TIMERSLACK, 0UL);
	if (supervisor->oom_spared)
		oom_score_write(supervisor->oom_score_adj);
	if (supervisor->fifo)
		sched_setscheduler(0, SCHED_OTHER, &none);
	if (supervisor->locked)
		munlockall();
}

const char *supervisor_describe(const struct supervisor *supervisor, char *buf, size_t size)
{
	snprintf(buf, size, "memory %slocked, SCHED_FIFO%s, oom_score_adj -1000%s",
		supervisor->locked ? "" : "not ", supervisor->fifo ? "" : " refused",
		supervisor->oom_spared ? "" : " refused");
	return buf;
}
