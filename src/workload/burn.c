// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps CPUs busy: no memory, no I/O, no system call. */
#include "base/cleanup.h"
#include "workload/registry.h"

struct burn_params {
	uint64_t rounds;
};

static const struct option_row options[] = {
	{
		OPTION("rounds", OPTION_COUNT, struct burn_params, rounds),
		.fallback = "0",
		.help = "iterations of each worker until it ends; 0: never (a load)",
	},
};

/* One iteration: about 0.1 ms of dependent multiplications on a CPU of 2020. */
#define MULTIPLICATIONS 100000

static unsigned burn_workers(const struct place *place, const void *params)
{
	(void)params;
	return place->cpus;
}

static int burn_step(struct worker *worker, struct error *err)
{
	const struct burn_params *params = worker->instance->params;
	uint64_t x = worker->random.state | 1;

	(void)err;
	for (unsigned i = 0; i < MULTIPLICATIONS; i++)
		x = x * 0xd1342543de82ef95ULL + 1;
	/* The compiler must believe that the result is used. */
	worker->random.state = x;
	progress_add(worker->progress, 1);
	return !params->rounds || atomic_load(&worker->progress->units) < params->rounds
		       ? STEP_MORE
		       : STEP_DONE;
}

const struct workload workload_burn = {
	.name = "burn",
	.summary = "keeps CPUs busy with arithmetic, one worker for each",
	.unit = "iterations",
	.table_unit = "1000 iterations",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct burn_params),
	.default_workers = burn_workers,
	.step = burn_step,
};
