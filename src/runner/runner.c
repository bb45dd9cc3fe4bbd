// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/runner.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "recorder/recorder.h"
#include "runner/crew.h"
#include "runner/look.h"
#include "runner/ran.h"
#include "runner/worth.h"
#include "stats/stopping.h"

/*
 * Tries of a trial that is void each time, before that outcome stands. Of pairs one: the same seed
 * gives the same outcome.
 */
#define VOID_TRIES 3

struct runner {
	const struct plan *plan;
	struct box *box;
	struct store *store;
	int64_t run;
	const struct runner_watch *watch;
	struct sink sink;
	unsigned width; /* trials that run at once */
	struct ran *ran; /* by position */
	double *values; /* what each is worth, by position, at the last look */
	int64_t started_ns;
	struct runner_state state;
	struct runner_result result;
};

/* Would running it again change nothing? */
static bool stands(enum outcome_code code)
{
	return code != OUTCOME_VOID && code != OUTCOME_INTERRUPTED && code != OUTCOME_BROKEN;
}

static void set_done(struct runner *runner, size_t position, bool done)
{
	struct ran *ran = &runner->ran[position];

	runner->state.done += done;
	runner->state.done -= ran->done;
	ran->done = done;
}

/* A trial that is stored already. Later tries come later, and count. */
static int mark_done(void *data, const struct trial_row *row)
{
	struct runner *runner = data;

	if (row->position >= runner->plan->n)
		return 0;
	runner->ran[row->position].outcome = row->outcome;
	set_done(runner, row->position, stands(row->outcome.code));
	return 0;
}

/* Those that run at once share the time. */
static int64_t left_ns(const struct runner *runner, bool all, unsigned block)
{
	int64_t left = ran_left_ns(runner->ran, runner->plan, all, block);

	return left < 0 ? left : left / runner->width;
}

static void progress(struct runner *runner)
{
	runner->state.left_ns = left_ns(runner, true, 0);
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

/* Stores what was measured since that time. */
static int save(struct runner *runner, const struct trial *trial, time_t started_s,
	const unsigned char *record, size_t size, struct outcome *ret_outcome, struct error *err)
{
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
		.started_s = started_s,
	};

	return recorder_save(runner->store, &row, record, size, ret_outcome, err);
}

static bool interrupted(const struct runner *runner)
{
	return runner->watch->interrupted && *runner->watch->interrupted;
}

/*
 * The trials that are compared with this one are run again with it: the same scenario in the same
 * block. Returns the position of the first.
 */
static size_t reopen(struct runner *runner, const struct trial *trial)
{
	size_t first = trial->position;

	for (size_t i = 0; i < runner->plan->n; i++) {
		const struct trial *other = &runner->plan->trials[i];

		if (!trial_is_of(other, trial->scenario) || other->block != trial->block)
			continue;
		set_done(runner, i, false);
		if (i < first)
			first = i;
	}
	return first;
}

/* It has been tried and stored. */
static void take(struct runner *runner, const struct trial *trial, const struct outcome *outcome,
	int64_t duration_ns)
{
	struct ran *ran = &runner->ran[trial->position];

	ran->duration_ns = duration_ns;
	ran->outcome = *outcome;
	ran->tries++;
	set_done(runner, trial->position, outcome->code != OUTCOME_INTERRUPTED);
	runner->result.trials++;
	runner->state.trial = trial;
	runner->state.phase = "";
	runner->state.outcome = outcome;
	progress(runner);
	runner->state.outcome = NULL;
}

static int carry_out(struct runner *runner, const struct trial *trial, struct error *err)
{
	const struct trial_watch watch = {
		.interrupted = runner->watch->interrupted,
		.phase = on_phase,
		.data = runner,
	};
	struct outcome outcome = { 0 };
	int64_t start = clock_now();
	time_t started_s = time(NULL);
	int r;

	runner->state.trial = trial;
	r = box_conduct(runner->box, trial, &watch, &runner->sink, err);
	if (r == 0)
		r = save(runner, trial, started_s, runner->sink.data, runner->sink.used, &outcome,
			err);
	if (r == 0)
		take(runner, trial, &outcome, clock_now() - start);
	return r;
}

/* Would the block's trials end behind the budget? The first that counts always runs. */
static bool over_budget(const struct runner *runner, unsigned block)
{
	int64_t budget = runner->plan->config->budget_ns;
	int64_t left = left_ns(runner, false, block);

	return budget && block > 1 && left > 0 && clock_now() - runner->started_ns + left > budget;
}

/* Between two blocks: is there a reason to end here? The note says which. */
static int between_blocks(
	struct runner *runner, unsigned ended, unsigned next, bool *ret_end, struct error *err)
{
	const struct plan *plan = runner->plan;
	const char *blocks = plan->paired ? "seeds" : "blocks";
	char text[192];
	enum look_answer answer = LOOK_GO_ON;
	int r = 0;

	if (plan->config->n_variants > 1)
		r = worth_read(runner->store, runner->run, &plan->config->primary, runner->values,
			plan->n, err);
	if (r == 0)
		r = look_take(plan, ended, runner->values, &answer, err);
	if (r < 0)
		return r;
	if (answer == LOOK_DECIDED)
		snprintf(text, sizeof(text), "ended after %u of %u %s: all verdicts are reached",
			ended, plan->blocks, blocks);
	else if (answer == LOOK_HOPELESS)
		snprintf(text, sizeof(text),
			"ended after %u of %u %s: with this noise the others would probably not "
			"decide it; --runs %u has them all",
			ended, plan->blocks, blocks, plan->blocks);
	else if (over_budget(runner, next))
		snprintf(text, sizeof(text), "ended after %u of %u %s: the budget is spent", ended,
			plan->blocks, blocks);
	else
		return 0;
	*ret_end = true;
	return store_run_note(runner->store, runner->run, text, err);
}

static int walk(struct runner *runner, struct error *err)
{
	const struct plan *plan = runner->plan;
	unsigned block = plan->n ? plan->trials[0].block : 0;
	bool end = false;

	for (size_t i = 0; i < plan->n && !end && !interrupted(runner); i++) {
		const struct trial *trial = &plan->trials[i];
		int r = 0;

		if (trial->block != block)
			r = between_blocks(runner, block, trial->block, &end, err);
		if (r < 0)
			return r;
		block = trial->block;
		if (end || runner->ran[i].done)
			continue;
		r = carry_out(runner, trial, err);
		if (r < 0)
			return r;
		if (runner->ran[i].outcome.code == OUTCOME_VOID && !plan->paired &&
			runner->ran[i].tries < VOID_TRIES)
			i = reopen(runner, trial) - 1;
	}
	return 0;
}

static bool is_wanted(void *data, const struct trial *trial)
{
	const struct runner *runner = data;

	return !runner->ran[trial->position].done;
}

static void on_begun(void *data, const struct trial *trial)
{
	struct runner *runner = data;

	runner->state.trial = trial;
	on_phase(runner, "guest");
}

static int on_ended(void *data, const struct trial *trial, int64_t duration_ns,
	const unsigned char *record, size_t size, struct error *err)
{
	struct runner *runner = data;
	struct outcome outcome = { 0 };
	int r = save(runner, trial, time(NULL) - (time_t)(duration_ns / NS_PER_S), record, size,
		&outcome, err);

	if (r == 0)
		take(runner, trial, &outcome, duration_ns);
	return r;
}

/* Can the run end after the block? The first one shows whether there is such a metric. */
static bool may_end(const struct runner *runner, unsigned block)
{
	const struct plan *plan = runner->plan;

	return plan->config->budget_ns || stopping_pairs_level(block, plan->blocks) > 0 ||
	       (block == 1 && !primary_is_time(&plan->config->primary));
}

/* As walk(), for trials that may run beside each other: up to where the run can end. */
static int walk_beside(struct runner *runner, struct error *err)
{
	const struct plan *plan = runner->plan;
	const struct crew crew = {
		.box = runner->box,
		.plan = plan,
		.width = runner->width,
		.interrupted = runner->watch->interrupted,
		.wanted = is_wanted,
		.begun = on_begun,
		.ended = on_ended,
		.data = runner,
	};
	bool end = false;
	int r = 0;

	for (size_t i = 0, next; r == 0 && i < plan->n && !end && !interrupted(runner); i = next) {
		for (next = i + 1; next < plan->n; next++) {
			unsigned block = plan->trials[next - 1].block;

			if (plan->trials[next].block != block && may_end(runner, block))
				break;
		}
		r = crew_run(&crew, i, next, err);
		if (r == 0 && next < plan->n && !interrupted(runner))
			r = between_blocks(runner, plan->trials[next - 1].block,
				plan->trials[next].block, &end, err);
	}
	return r;
}

/* How the trials ended at last. */
static void count(struct runner *runner)
{
	for (size_t i = 0; i < runner->plan->n; i++) {
		const struct ran *ran = &runner->ran[i];

		if (!ran->done)
			continue;
		runner->result.ok += ran->outcome.code == OUTCOME_OK;
		runner->result.troubled +=
			ran->outcome.code != OUTCOME_OK && ran->outcome.code != OUTCOME_SKIPPED;
	}
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
	free(runner->ran);
	free(runner->values);
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
		.ran = calloc(plan->n + 1, sizeof(struct ran)),
		.values = calloc(plan->n + 1, sizeof(double)),
		.width = plan->paired ? box_width(box, plan) : 1,
		.started_ns = clock_now(),
		.state = { .plan = plan, .total = plan->n, .phase = "" },
		.result = { .run = run },
	};
	int r;

	if (!runner.ran || !runner.values)
		return error_errno(err, -ENOMEM, "cannot walk the plan");
	r = sink_init(&runner.sink, largest_record(plan), err);
	if (r < 0)
		return r;
	r = store_trials(store, run, mark_done, &runner, err);
	if (r < 0)
		return r;
	r = runner.width > 1 ? walk_beside(&runner, err) : walk(&runner, err);
	if (r < 0)
		return r;
	count(&runner);
	runner.result.interrupted = interrupted(&runner);
	*ret_result = runner.result;
	return 0;
}
