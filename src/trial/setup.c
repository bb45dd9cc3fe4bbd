// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything before the window: can the parts run, are they set up, do the loads move. */
#include <stdio.h>

#include "base/clock.h"
#include "trial/conduct.h"

/* Building a tree or writing a file of RAM size on a slow disk takes minutes, not more. */
#define SETUP_NS (20 * 60 * NS_PER_S)

/* A load may need this long beyond the lead-in to show its first unit. */
#define FIRST_UNIT_NS (30 * NS_PER_S)

#define LOOK_NS (20 * NS_PER_MS)

static bool interrupted(const struct conduct *conduct)
{
	return conduct->watch->interrupted && *conduct->watch->interrupted;
}

int role_wait(struct conduct *conduct, struct role *role, uint32_t wanted, int64_t timeout_ns)
{
	int64_t until = clock_now() + timeout_ns;

	for (;;) {
		uint32_t stand = atomic_load(&role->shared->stand);

		if (stand == STAND_FAILED)
			return -ECHILD;
		if (stand >= wanted)
			return 0;
		if (role_dead(role))
			return -ECHILD;
		if (interrupted(conduct))
			return -EINTR;
		if (clock_now() >= until)
			return -ETIMEDOUT;
		shared_wait(&role->shared->stand, stand, LOOK_NS);
	}
}

static const struct part *part_of(const struct trial *trial, size_t i)
{
	return i == 0 ? &trial->scenario->lead : &trial->scenario->loads[i - 1];
}

/* A role that could not be set up or that died before the window. */
static void fail_early(struct conduct *conduct, struct role *role, int code)
{
	char text[256];

	if (code == -EINTR) {
		outcome_set(conduct, OUTCOME_INTERRUPTED, "by a signal");
		return;
	}
	if (outcome_blame_oom(conduct))
		return;
	if (code == -ETIMEDOUT) {
		snprintf(text, sizeof(text), "%s was not ready in time", role->part->role);
		outcome_set(conduct, OUTCOME_BROKEN, text);
		return;
	}
	if (atomic_load(&role->shared->stand) == STAND_FAILED)
		snprintf(text, sizeof(text), "%s: %.200s", role->part->role,
			role->shared->error.text);
	else
		role_death(role, text, sizeof(text));
	if (role->shared->code == -EOPNOTSUPP)
		outcome_set(conduct, OUTCOME_SKIPPED, text);
	else
		outcome_set(conduct, role->lead ? OUTCOME_BROKEN : OUTCOME_LOAD_DIED, text);
}

bool setup_role(struct conduct *conduct, size_t i, struct error *err)
{
	struct role *role = &conduct->roles[i];
	int r;

	role->lead = i == 0;
	r = role_start(role, part_of(conduct->trial, i), conduct->stage, conduct->trial->seed,
		conduct->done_fd, err);
	if (r < 0) {
		outcome_set(conduct, OUTCOME_BROKEN, err->text);
		return false;
	}
	conduct->oom_before[i] = role_oom_kills(role);
	r = role_wait(conduct, role, STAND_READY, SETUP_NS);
	if (r < 0)
		fail_early(conduct, role, r);
	return r == 0;
}

/* The load works: has it done its first unit? */
static bool moves(struct conduct *conduct, struct role *role, int64_t until)
{
	while (shared_progress(role->shared) == 0) {
		char text[256];

		if (role_dead(role) || atomic_load(&role->shared->stand) == STAND_ENDED) {
			clock_sleep_until(clock_now() + LOOK_NS);
			role_dead(role);
			fail_early(conduct, role, -ECHILD);
			return false;
		}
		if (interrupted(conduct)) {
			fail_early(conduct, role, -EINTR);
			return false;
		}
		if (clock_now() >= until) {
			snprintf(text, sizeof(text), "%s did nothing before the window",
				role->part->role);
			outcome_set(conduct, OUTCOME_NO_PROGRESS, text);
			return false;
		}
		clock_sleep_until(clock_now() + NS_PER_MS);
	}
	return true;
}

bool setup_lead_in(struct conduct *conduct)
{
	int64_t end = clock_now() + conduct->trial->scenario->lead_in_ns;

	if (conduct->n_roles == 1)
		return true;
	conduct_phase(conduct, "lead-in");
	for (size_t i = 1; i < conduct->n_roles; i++)
		shared_set(&conduct->roles[i].shared->gate, GATE_OPEN);
	for (size_t i = 1; i < conduct->n_roles; i++) {
		if (!moves(conduct, &conduct->roles[i], end + FIRST_UNIT_NS))
			return false;
	}
	while (clock_now() < end && !interrupted(conduct)) {
		int64_t next = clock_now() + LOOK_NS;

		clock_sleep_until(next < end ? next : end);
	}
	for (size_t i = 0; i < conduct->n_roles; i++) {
		struct role *role = &conduct->roles[i];

		if (role_dead(role)) {
			fail_early(conduct, role, -ECHILD);
			return false;
		}
	}
	if (interrupted(conduct))
		outcome_set(conduct, OUTCOME_INTERRUPTED, "by a signal");
	return !interrupted(conduct);
}

bool setup_probe(struct conduct *conduct)
{
	const struct stage *stage = conduct->stage;
	struct place place = {
		.ram_bytes = stage->ram_bytes,
		.swap_bytes = stage->swap_bytes,
		.cpus = stage->n_cpus,
		.scratch = stage->scratch,
		.shelf = stage->shelf,
		.seed = conduct->trial->seed,
	};

	for (size_t i = 0; i < conduct->n_roles; i++) {
		const struct part *part = part_of(conduct->trial, i);
		struct error why;
		char text[256];
		int r = part->workload->probe ? part->workload->probe(&place, part->params, &why)
					      : 0;

		if (r == 0)
			continue;
		snprintf(text, sizeof(text), "%s: %.200s", part->role, why.text);
		outcome_set(conduct, r == -EOPNOTSUPP ? OUTCOME_SKIPPED : OUTCOME_BROKEN, text);
		return false;
	}
	return true;
}
