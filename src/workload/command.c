// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any command line, by /bin/sh. As a lead it ends with the command; as a load the command is
 * started again whenever it ends. A status that is not 0 is a failure in both.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/program.h"
#include "workload/registry.h"

enum {
	COUNT_RUNS,
	COUNT_LINES
};

static const char *const counts[] = { "runs", "lines", NULL };

struct command_params {
	char run[4096];
	int count;
};

/* Of one worker. */
struct command {
	struct program program;
	uint64_t counted; /* of its lines */
};

struct command_state {
	struct command *commands;
};

static const struct option_row options[] = {
	{
		OPTION("run", OPTION_TEXT, struct command_params, run),
		.fallback = "",
		.argument = "COMMAND",
		.help = "the command line, as sh reads it",
	},
	{
		OPTION("count", OPTION_CHOICE, struct command_params, count),
		.fallback = "runs",
		.choices = counts,
		.help = "what is counted: finished runs, or lines of output as they come",
	},
};

static int command_probe(const struct place *place, const void *data, struct error *err)
{
	const struct command_params *params = data;

	(void)place;
	return *params->run ? 0 : error_set(err, -EINVAL, "command: run=COMMAND is missing");
}

static int command_setup(struct instance *instance, struct error *err)
{
	struct command_state *state = instance->state;

	state->commands = calloc(instance->workers, sizeof(*state->commands));
	return state->commands ? 0 : error_errno(err, -ENOMEM, "command");
}

static int command_step(struct worker *worker, struct error *err)
{
	struct instance *instance = worker->instance;
	const struct command_params *params = instance->params;
	struct command_state *state = instance->state;
	struct command *command = &state->commands[worker->index];
	const struct program_how how = { .temporary = instance->place->scratch, .merged = true };
	const char *const argv[] = { "/bin/sh", "-c", params->run, NULL };
	int status, r;

	if (!command->program.pid) {
		command->counted = 0;
		r = program_start(&command->program, argv, &how, err);
		return r < 0 ? r : STEP_MORE;
	}
	r = program_follow(&command->program, &status, err);
	if (params->count == COUNT_LINES)
		progress_add(worker->progress, command->program.lines - command->counted);
	command->counted = command->program.lines;
	if (r != 0)
		return r < 0 ? r : STEP_MORE;
	if (status)
		return program_failure(&command->program, "the command", status, err);
	if (params->count == COUNT_RUNS)
		progress_add(worker->progress, 1);
	return instance->role == WORKLOAD_LEAD ? STEP_DONE : STEP_PASS;
}

static void command_teardown(struct instance *instance)
{
	struct command_state *state = instance->state;

	for (unsigned i = 0; state->commands && i < instance->workers; i++)
		program_kill(&state->commands[i].program);
	free(state->commands);
}

/* The shell, and each word of the command that is a program's name or a file's path. */
static void command_needs(
	const void *data, void (*visit)(void *data, const char *path), void *visit_data)
{
	const struct command_params *params = data;
	char words[sizeof(params->run)], path[PATH_MAX], *rest = words, *word;

	visit(visit_data, "/bin/sh");
	memcpy(words, params->run, sizeof(words));
	while ((word = strsep(&rest, " \t\n;|&<>(){}'\"`$"))) {
		if (*word == '/')
			visit(visit_data, word);
		else if (*word && !strchr(word, '/') && program_find(word, path))
			visit(visit_data, path);
	}
}

const struct workload workload_command = {
	.name = "command",
	.summary = "runs a command line: once as a lead, again and again as a load",
	.unit = "runs or lines",
	.table_unit = "runs or lines",
	.table_divisor = 1,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct command_params),
	.state_size = sizeof(struct command_state),
	.probe = command_probe,
	.setup = command_setup,
	.step = command_step,
	.teardown = command_teardown,
	.needs = command_needs,
};
