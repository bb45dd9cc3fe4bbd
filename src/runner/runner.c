// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/runner.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "recorder/recorder.h"
#include "store/query.h"

/* A trial that was void is run again this often before its outcome stands. */
#define VOID_TRIES 3

struct runner {
	const struct plan *plan;
	struct box *box;
	struct store *store;
	int64_t run;
	const struct runner_watch *watch;
	struct sink sink;
	bool *done; /* by position */
	int64_t *durations; /* ns of each position, 0: not run by this call */
	int64_t started_ns;
	struct runner_state state;
	struct runner_result result;
};

/* Would running it again change nothing? */
static bool stands(enum outcome_code code)
{
	return code != OUTCOME_VOID && code != OUTCOME_INTERRUPTED && code != OUTCOME_BROKEN;
}

static int mark_done(void *data, const struct trial_row *row)
{
	struct runner *runner = data;

	if (row->position < runner->plan->n && stands(row->outcome.code) &&
		!runner->done[row->position]) {
		runner->done[row->position] = true;
		runner->state.done++;
	}
	return 0;
}

/*
 * Mean duration of the scenario's own trials, else of all so far; -1 before the first. `trial`
 * is one that is still to come.
 */
static int64_t expected_ns(const struct runner *runner, const struct trial *trial)
{
	int64_t sum = 0, own = 0;
	size_t n = 0, n_own = 0;

	for (size_t i = 0; i < runner->plan->n; i++) {
		if (!runner->durations[i])
			continue;
		sum += runner->durations[i];
		n++;
		if (runner->plan->trials[i].scenario == trial->scenario) {
			own += runner->durations[i];
			n_own++;
		}
	}
	return n_own ? own / (int64_t)n_own : n ? sum / (int64_t)n : -1;
}

static void progress(struct runner *runner)
{
	int64_t left = 0;

	for (size_t i = 0; i < runner->plan->n; i++) {
		int64_t expected;

		if (runner->done[i])
			continue;
		expected = expected_ns(runner, &runner->plan->trials[i]);
		left = expected < 0 || left < 0 ? -1 : left + expected;
	}
	runner->state.left_ns = left;
	runner->state.elapsed_ns = clock_now() - runner->started_ns;
	if (runner->watch->progress)
		runner->watch->progress(runner->watch->data, &runner->state);
}

static void on_phase(void *data, const char *phase)
{
	struct runner *runner = data;

	runner->state.phase = phase;
	progress(runner);
}

/* Conducts it once and stores it. */
static int conduct(struct runner *runner, const struct trial *trial, struct outcome *ret_outcome,
	struct error *err)
{
	const struct trial_watch watch = {
		.interrupted = runner->watch->interrupted,
		.phase = on_phase,
		.data = runner,
	};
	char loads[4096], assignments[4096];
	struct trial_row row = {
		.run = runner->run,
		.position = trial->position,
		.block = trial->block,
		.scenario = trial->scenario->name,
		.lead = trial->scenario->lead.spelled,
		.loads = loads_spell(trial->scenario, loads, sizeof(loads)),
		.variant = trial->variant->name,
		.assignments = assignments_spell(trial->variant, assignments, sizeof(assignments)),
		.solo = trial->scenario->solo,
		.cold = trial->scenario->cold,
		.seed = trial->seed,
		.deadline_ns = trial->scenario->deadline_ns,
		.started_s = time(NULL),
	};
	int r;

	r = box_conduct(runner->box, trial, &watch, &runner->sink, err);
	if (r < 0)
		return r;
	return recorder_save(
		runner->store, &row, runner->sink.data, runner->sink.used, ret_outcome, err);
}

static bool interrupted(const struct runner *runner)
{
	return runner->watch->interrupted && *runner->watch->interrupted;
}

/* One trial, again while it is void. */
static int carry_out(struct runner *runner, const struct trial *trial, struct error *err)
{
	struct outcome outcome = { .code = OUTCOME_VOID };
	int64_t start = clock_now();

	runner->state.trial = trial;
	for (int i = 0; i < VOID_TRIES && outcome.code == OUTCOME_VOID && !interrupted(runner);
		i++) {
		int r = conduct(runner, trial, &outcome, err);

		if (r < 0)
			return r;
		runner->result.trials++;
	}
	runner->durations[trial->position] = clock_now() - start;
	if (outcome.code != OUTCOME_INTERRUPTED) {
		runner->done[trial->position] = true;
		runner->state.done++;
	}
	runner->result.ok += outcome.code == OUTCOME_OK;
	runner->result.troubled += outcome.code != OUTCOME_OK && outcome.code != OUTCOME_SKIPPED;
	runner->state.phase = "";
	runner->state.outcome = &outcome;
	progress(runner);
	runner->state.outcome = NULL;
	return 0;
}

static bool budget_spent(const struct runner *runner)
{
	int64_t budget = runner->plan->config->budget_ns;

	return budget && clock_now() - runner->started_ns >= budget;
}

static int walk(struct runner *runner, struct error *err)
{
	for (size_t i = 0; i < runner->plan->n && !interrupted(runner); i++) {
		int r;

		if (runner->done[i])
			continue;
		if (budget_spent(runner))
			return store_run_note(runner->store, runner->run,
				"the budget was spent before all trials were run", err);
		r = carry_out(runner, &runner->plan->trials[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static size_t largest_record(const struct plan *plan)
{
	size_t largest = 0;

	for (size_t i = 0; i < plan->n; i++) {
		size_t size = trial_record_size(&plan->trials[i]);

		largest = size > largest ? size : largest;
	}
	return largest;
}

static void runner_done(struct runner *runner)
{
	sink_done(&runner->sink);
	free(runner->done);
	free(runner->durations);
}

int runner_run(const struct plan *plan, struct box *box, struct store *store, int64_t run,
	const struct runner_watch *watch, struct runner_result *ret_result, struct error *err)
{
	struct runner runner CLEANUP(runner_done) = {
		.plan = plan,
		.box = box,
		.store = store,
		.run = run,
		.watch = watch,
		.done = calloc(plan->n + 1, sizeof(bool)),
		.durations = calloc(plan->n + 1, sizeof(int64_t)),
		.started_ns = clock_now(),
		.state = { .plan = plan, .total = plan->n, .phase = "" },
		.result = { .run = run },
	};
	int r;

	if (!runner.done || !runner.durations)
		return error_errno(err, -ENOMEM, "cannot walk the plan");
	r = sink_init(&runner.sink, largest_record(plan), err);
	if (r < 0)
		return r;
	r = store_trials(store, run, mark_done, &runner, err);
	if (r < 0)
		return r;
	r = walk(&runner, err);
	if (r < 0)
		return r;
	runner.result.interrupted = interrupted(&runner);
	*ret_result = runner.result;
	return 0;
}
