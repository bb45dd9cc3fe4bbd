// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dbench (Tridgell), which replays what file server clients ask of a filesystem. It reports once
 * a second, so progress comes in steps of a second. A unit is one line of its load file that one
 * client has carried out.
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "workload/program.h"
#include "workload/registry.h"

/* Longer than any trial. dbench spends a fifth of it on what it calls warm-up: the same work. */
#define SECONDS "10000000"

/* What it replays unless it is told another (package dbench). */
#define LOADFILE "/usr/share/dbench/client.txt"

struct dbench_params {
	uint64_t clients;
};

struct dbench_state {
	struct program program;
	uint64_t operations; /* as last reported */
};

static const struct option_row options[] = {
	{
		OPTION("clients", OPTION_COUNT, struct dbench_params, clients),
		.fallback = "0",
		.max = "10000",
		.help = "client processes; 0: 4 for each CPU",
	},
};

static int dbench_probe(const struct place *place, const void *params, struct error *err)
{
	(void)place;
	(void)params;
	if (!program_exists("dbench"))
		return error_set(err, -EOPNOTSUPP, "no program dbench; install the package dbench");
	return 0;
}

static int dbench_setup(struct instance *instance, struct error *err)
{
	if (instance->workers > 1)
		return error_set(err, -EINVAL,
			"dbench has one worker; clients=N sets how many clients it has");
	return 0;
}

static int dbench_start(struct instance *instance, struct error *err)
{
	const struct dbench_params *params = instance->params;
	const struct place *place = instance->place;
	struct dbench_state *state = instance->state;
	const struct program_how how = { .temporary = place->scratch };
	char clients[32];
	const char *const argv[] = { "dbench", "-t", SECONDS, "-D", place->scratch, clients, NULL };

	snprintf(clients, sizeof(clients), "%llu",
		(unsigned long long)(params->clients ? params->clients : 4ULL * place->cpus));
	state->operations = 0;
	return program_start(&state->program, argv, &how, err);
}

static int dbench_step(struct worker *worker, struct error *err)
{
	struct dbench_state *state = worker->instance->state;
	unsigned long long operations;
	char line[256];
	int status, r;

	if (!state->program.pid) {
		r = dbench_start(worker->instance, err);
		return r < 0 ? r : STEP_MORE;
	}
	r = program_follow(&state->program, &status, err);
	if (r < 0)
		return r;
	if (r == 0)
		return program_failure(&state->program, "dbench", status, err);
	/* "   2    67787   766.22 MB/sec  execute   1 sec  latency 5.021 ms"; clients do not end. */
	program_line(&state->program, line, sizeof(line));
	if (sscanf(line, "%*u %llu %*f MB/sec", &operations) == 1 &&
		operations > state->operations) {
		progress_add(worker->progress, operations - state->operations);
		state->operations = operations;
	}
	return STEP_MORE;
}

static void dbench_teardown(struct instance *instance)
{
	struct dbench_state *state = instance->state;

	program_kill(&state->program);
}

static void dbench_needs(
	const void *params, void (*visit)(void *data, const char *path), void *data)
{
	char path[PATH_MAX];

	(void)params;
	if (program_find("dbench", path))
		visit(data, path);
	visit(data, LOADFILE);
}

const struct workload workload_dbench = {
	.name = "dbench",
	.summary = "runs dbench: what clients ask of a file server",
	.unit = "operations",
	.table_unit = "1000 operations",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct dbench_params),
	.state_size = sizeof(struct dbench_state),
	.probe = dbench_probe,
	.setup = dbench_setup,
	.step = dbench_step,
	.teardown = dbench_teardown,
	.needs = dbench_needs,
};
