// SPDX-License-Identifier: GPL-2.0-or-later
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "trial/conduct.h"

static int64_t own_major_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_majflt;
}

static int64_t own_heap(void)
{
	return (int64_t)mallinfo2().uordblks;
}

static void end_early(struct conduct *conduct, enum outcome_code code, const char *text)
{
	conduct->outcome.code = code;
	snprintf(conduct->outcome.text, sizeof(conduct->outcome.text), "%s", text);
}

/* Is there a reason to close the window before the lead ends? */
static bool must_close(struct conduct *conduct, int64_t now, int64_t deadline)
{
	char text[256];

	if (conduct->watch->interrupted && *conduct->watch->interrupted) {
		end_early(conduct, OUTCOME_INTERRUPTED, "by a signal");
		return true;
	}
	for (size_t i = 0; i < conduct->n_roles; i++) {
		struct role *role = &conduct->roles[i];
		/* One poll tells of all; waitpid() would be a system call for each at each tick. */
		bool asleep = role->exit_fd >= 0 && !conduct->ends[i].revents;

		if ((asleep || !role_dead(role)) &&
			(i == 0 || atomic_load(&role->shared->stand) != STAND_ENDED))
			continue;
		/* A load that says it ended exits within moments: its status is then known. */
		if (i > 0 && !role->died)
			continue;
		role_death(role, text, sizeof(text));
		end_early(conduct,
			i > 0			    ? OUTCOME_LOAD_DIED
			: WIFSIGNALED(role->status) ? OUTCOME_KILLED
						    : OUTCOME_BROKEN,
			text);
		return true;
	}
	if (now >= deadline) {
		snprintf(text, sizeof(text), "the lead was still running after %g s",
			(double)conduct->trial->scenario->deadline_ns / 1e9);
		end_early(conduct, OUTCOME_TIMEOUT, text);
		return true;
	}
	return false;
}

static void sample(struct conduct *conduct, bool edge)
{
	uint32_t lost = conduct->sink->lost;

	sampling_read(conduct->sampling, conduct->sink, edge);
	conduct->samples_taken += conduct->sink->lost == lost;
	conduct->samples_due++;
}

/*
 * Until the lead ends or must_close(). Ticks that passed while it was away are due, not taken. They
 * fall between two beats of the heartbeat, whose threads would else be among those that run.
 */
static void watch_window(struct conduct *conduct, int64_t open_ns)
{
	int64_t deadline = open_ns + conduct->trial->scenario->deadline_ns;
	int64_t next = open_ns + conduct->interval_ns + HEARTBEAT_INTERVAL_NS / 2;
	struct role *lead = &conduct->roles[0];
	struct pollfd *done = &conduct->ends[conduct->n_roles];

	*done = (struct pollfd) { conduct->done_fd, POLLIN, 0 };
	for (size_t i = 0; i < conduct->n_roles; i++)
		conduct->ends[i] = (struct pollfd) { conduct->roles[i].exit_fd, POLLIN, 0 };
	for (;;) {
		int64_t now = clock_now();
		int64_t until = next < deadline ? next : deadline;
		struct timespec wait = ns_timespec(until > now ? until - now : 0);

		ppoll(conduct->ends, conduct->n_roles + 1, &wait, NULL);
		if (done->revents || atomic_load(&lead->shared->stand) == STAND_ENDED)
			return;
		now = clock_now();
		if (now >= next) {
			sample(conduct, false);
			next += conduct->interval_ns;
			while (next <= now) {
				next += conduct->interval_ns;
				conduct->samples_due++;
			}
		}
		if (must_close(conduct, now, deadline))
			return;
	}
}

static void edge(struct conduct *conduct, uint64_t *progress)
{
	for (size_t i = 0; i < conduct->n_roles; i++)
		progress[i] = shared_progress(conduct->roles[i].shared);
}

void window_run(struct conduct *conduct)
{
	struct role *lead = &conduct->roles[0];
	struct outcome *outcome = &conduct->outcome;
	int64_t faults, heap, now;

	outcome->code = OUTCOME_OK;
	faults = own_major_faults();
	heap = own_heap();
	disturb_begin(&conduct->disturb);
	sample(conduct, true);
	edge(conduct, conduct->progress_before);
	outcome->open_ns = clock_now();
	heartbeat_open(conduct->heartbeat, outcome->open_ns);
	shared_set(&lead->shared->gate, GATE_OPEN);

	watch_window(conduct, outcome->open_ns);

	now = clock_now();
	heartbeat_close(conduct->heartbeat, now);
	edge(conduct, conduct->progress_after);
	sample(conduct, true);
	/* The lead's own stamp is exact; the supervisor may have been woken late. */
	outcome->close_ns =
		atomic_load(&lead->shared->stand) == STAND_ENDED ? lead->shared->end_ns : now;
	conduct->disturbed = disturb_end(&conduct->disturb);
	conduct->heap_bytes = own_heap() - heap;
	conduct->major_faults = own_major_faults() - faults;
}
