// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does nothing for a while: the lead of a solo trial, in which a load is measured alone, and the
 * way to see what contend itself costs.
 */
#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/registry.h"

struct null_params {
	int64_t seconds_ns;
};

struct null_state {
	_Atomic int64_t due_ns; /* 0 until the first step */
};

static const struct option_row options[] = {
	{
		OPTION("seconds", OPTION_DURATION, struct null_params, seconds_ns),
		.fallback = "1",
		.max = "1000h",
		.help = "how long it lasts, as a lead",
	},
};

/* Long enough to cost nothing, short enough that a stop is noticed. */
#define NAP_NS (10 * NS_PER_MS)

static int null_step(struct worker *worker, struct error *err)
{
	const struct null_params *params = worker->instance->params;
	struct null_state *state = worker->instance->state;
	int64_t now = clock_now();

	(void)err;
	/* A load goes on for ever. */
	if (worker->instance->role == WORKLOAD_LOAD) {
		clock_sleep_until(now + NAP_NS);
		progress_add(worker->progress, 1);
		return STEP_MORE;
	}
	if (!state->due_ns)
		state->due_ns = now + params->seconds_ns;
	clock_sleep_until(state->due_ns < now + NAP_NS ? state->due_ns : now + NAP_NS);
	progress_add(worker->progress, 1);
	return clock_now() < state->due_ns ? STEP_MORE : STEP_DONE;
}

const struct workload workload_null = {
	.name = "null",
	.summary = "does nothing: as a lead for a stated time, as a load for as long as it lasts",
	.unit = "naps",
	.table_unit = "naps",
	.table_divisor = 1,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct null_params),
	.state_size = sizeof(struct null_state),
	.step = null_step,
};
