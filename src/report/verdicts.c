// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/verdicts.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "stats/fisher.h"
#include "stats/noise.h"
#include "stats/stopping.h"

static bool belongs(const struct arm *arm, const char *scenario, const struct result *trial)
{
	return result_measures(trial) && !trial->row.solo &&
	       !strcmp(trial->row.variant, arm->variant) && !strcmp(trial->row.scenario, scenario);
}

/* Outcomes that say nothing of the variant: it could not be run, or the machine was disturbed. */
static bool says_nothing(enum outcome_code code)
{
	return code == OUTCOME_SKIPPED || code == OUTCOME_VOID || code == OUTCOME_INTERRUPTED;
}

/* Medians and failures of one arm. */
static void read_arm(const struct arm *arm, struct versus *versus, double *scratch,
	double *ret_median, size_t *ret_trials, size_t *ret_failed)
{
	size_t n = 0;

	for (size_t i = 0; i < arm->results->n; i++) {
		const struct result *trial = &arm->results->trials[i];

		if (!belongs(arm, versus->scenario, trial) || says_nothing(trial->row.outcome.code))
			continue;
		(*ret_trials)++;
		*ret_failed += trial->row.outcome.code != OUTCOME_OK;
		if (result_counts(trial))
			scratch[n++] = result_window_s(trial);
	}
	*ret_median = number_median(scratch, n);
}

static void add_samples(const struct arm *arm, bool b, const char *scenario,
	struct question *question,
	double (*value)(void *data, struct results *results, const struct result *trial),
	void *data)
{
	for (size_t i = 0; i < arm->results->n; i++) {
		const struct result *trial = &arm->results->trials[i];

		if (belongs(arm, scenario, trial))
			question->values[question->n++] = (struct sample) {
				.value = value(data, arm->results, trial),
				.block = trial->row.block,
				.b = b,
			};
	}
}

/*
 * Samples of both arms, in the order in which the trials ran: of one run they are interleaved, and
 * the place tells.
 */
static bool gather(struct arena *arena, const struct versus *versus, struct question *question,
	double (*value)(void *data, struct results *results, const struct result *trial),
	void *data)
{
	struct results *a = versus->a.results, *b = versus->b.results;

	question->n = 0;
	question->values = arena_alloc(arena, a->n + b->n + 1, sizeof(struct sample));
	if (!question->values)
		return false;
	if (a != b) {
		question->design = DESIGN_APART;
		add_samples(&versus->a, false, versus->scenario, question, value, data);
		add_samples(&versus->b, true, versus->scenario, question, value, data);
		return true;
	}
	question->design = DESIGN_BLOCKS;
	for (size_t i = 0; i < a->n; i++) {
		const struct result *trial = &a->trials[i];
		bool is_b = belongs(&versus->b, versus->scenario, trial);

		if (is_b || belongs(&versus->a, versus->scenario, trial))
			question->values[question->n++] = (struct sample) {
				.value = value(data, a, trial),
				.block = trial->row.block,
				.b = is_b,
			};
	}
	return true;
}

static double time_of(void *data, struct results *results, const struct result *trial)
{
	(void)data;
	(void)results;
	return outcome_time_s(&trial->row.outcome);
}

static bool add(struct verdicts *verdicts, struct arm a, struct arm b, const char *scenario,
	double *scratch)
{
	struct versus *versus = &verdicts->all[verdicts->n];

	*versus = (struct versus) { .a = a, .b = b, .scenario = scenario, .failures_p = NAN };
	read_arm(&a, versus, scratch, &versus->median_a_s, &versus->trials_a, &versus->failed_a);
	read_arm(&b, versus, scratch, &versus->median_b_s, &versus->trials_b, &versus->failed_b);
	if (!versus->trials_a || !versus->trials_b)
		return true;
	verdicts->n++;
	fisher_test(versus->failed_a, versus->trials_a, versus->failed_b, versus->trials_b,
		&versus->failures_p);
	if (!gather(verdicts->arena, versus, &versus->time, time_of, NULL))
		return false;
	if (noise_drift(versus->time.values, versus->time.n, &versus->drift) < 0)
		versus->drift.p = NAN;
	return true;
}

/* Is it the first trial of its scenario? So each is named once. */
static bool first_of_scenario(const struct results *results, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (!strcmp(results->trials[k].row.scenario, results->trials[i].row.scenario))
			return false;
	}
	return !results->trials[i].row.solo;
}

static bool first_of_variant(const struct results *results, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (!strcmp(results->trials[k].row.variant, results->trials[i].row.variant))
			return false;
	}
	return true;
}

static int finish(struct verdicts *verdicts, struct error *err)
{
	struct question *questions =
		arena_alloc(verdicts->arena, verdicts->n + 1, sizeof(*questions));

	if (!questions)
		return error_errno(err, -ENOMEM, "verdicts");
	for (size_t i = 0; i < verdicts->n; i++)
		questions[i] = verdicts->all[i].time;
	if (decide(questions, verdicts->n, verdicts->level, verdicts->delta) < 0)
		return error_errno(err, -ENOMEM, "verdicts");
	for (size_t i = 0; i < verdicts->n; i++)
		verdicts->all[i].time = questions[i];
	return 0;
}

/* The last block in which each variant was tried: what the looks of the run went by. */
static unsigned last_block(const struct results *results)
{
	unsigned last = 0;

	for (size_t i = 0; i < results->n; i++) {
		if (result_measures(&results->trials[i]) && results->trials[i].row.block > last)
			last = results->trials[i].row.block;
	}
	return last;
}

int verdicts_of_run(struct results *results, struct verdicts *ret_verdicts, struct error *err)
{
	struct arm a = { results, results->run.reference };
	struct verdicts verdicts = {
		.arena = &results->arena,
		.blocks = last_block(results),
		.delta = results->run.delta,
		.all = arena_alloc(&results->arena, results->n + 1, sizeof(struct versus)),
	};
	double *scratch = arena_alloc(&results->arena, results->n + 1, sizeof(double));
	int r;

	if (!verdicts.all || !scratch)
		return error_errno(err, -ENOMEM, "verdicts");
	verdicts.level = stopping_level(verdicts.blocks, results->run.blocks);
	/* It ended where no look was planned: this is then the last one. */
	if (verdicts.level <= 0)
		verdicts.level = stopping_level(verdicts.blocks, verdicts.blocks);
	for (size_t s = 0; s < results->n; s++) {
		if (!first_of_scenario(results, s))
			continue;
		for (size_t v = 0; v < results->n; v++) {
			struct arm b = { results, results->trials[v].row.variant };

			if (!first_of_variant(results, v) || !strcmp(a.variant, b.variant))
				continue;
			if (!add(&verdicts, a, b, results->trials[s].row.scenario, scratch))
				return error_errno(err, -ENOMEM, "verdicts");
		}
	}
	r = finish(&verdicts, err);
	if (r == 0)
		*ret_verdicts = verdicts;
	return r;
}

int verdicts_of_arms(
	struct arm a, struct arm b, double delta, struct verdicts *ret_verdicts, struct error *err)
{
	struct arena *arena = &a.results->arena;
	size_t most = a.results->n > b.results->n ? a.results->n : b.results->n;
	struct verdicts verdicts = {
		.arena = arena,
		.level = STOPPING_ALPHA,
		.delta = delta,
		.all = arena_alloc(arena, a.results->n + 1, sizeof(struct versus)),
	};
	double *scratch = arena_alloc(arena, most + 1, sizeof(double));
	int r;

	if (!verdicts.all || !scratch)
		return error_errno(err, -ENOMEM, "verdicts");
	for (size_t s = 0; s < a.results->n; s++) {
		if (first_of_scenario(a.results, s) &&
			!add(&verdicts, a, b, a.results->trials[s].row.scenario, scratch))
			return error_errno(err, -ENOMEM, "verdicts");
	}
	r = finish(&verdicts, err);
	if (r == 0)
		*ret_verdicts = verdicts;
	return r;
}

enum verdict verdicts_worst(const struct verdicts *verdicts)
{
	enum verdict worst = VERDICT_SAME;

	for (size_t i = 0; i < verdicts->n; i++) {
		enum verdict verdict = verdicts->all[i].time.verdict;

		if (verdict == VERDICT_SLOWER)
			return verdict;
		if (verdict == VERDICT_INCONCLUSIVE || worst == VERDICT_SAME)
			worst = verdict;
	}
	return worst;
}

/* What verdicts_pointers() needs while it walks. */
struct search {
	const struct verdicts *verdicts;
	const struct versus *versus;
	struct pointer *pointers;
	size_t n, room;
};

static double metric_of(void *data, struct results *results, const struct result *trial)
{
	const struct pointer *pointer = data;

	if (!result_counts(trial))
		return NAN;
	return results_value(results, trial, pointer->source, pointer->role, pointer->name);
}

static double median_of(const struct question *question, bool b, double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < question->n; i++) {
		if (question->values[i].b == b && !isnan(question->values[i].value))
			scratch[n++] = question->values[i].value;
	}
	return number_median(scratch, n);
}

/* A number that never changes, or has no ratio, is no question. */
static bool worth_asking(const struct question *question)
{
	bool moves = false;

	for (size_t i = 0; i < question->n; i++) {
		double value = question->values[i].value;

		if (value < 0)
			return false;
		moves |= !isnan(value) && value != question->values[0].value;
	}
	return moves;
}

static int consider(void *data, const struct metric *metric, const struct origin *origin)
{
	struct search *search = data;
	struct arena *arena = search->verdicts->arena;
	const struct versus *versus = search->versus;
	double *scratch =
		arena_alloc(arena, versus->a.results->n + versus->b.results->n + 1, sizeof(double));
	struct pointer pointer = {
		.versus = versus,
		.source = arena_copy(arena, origin->source),
		.role = arena_copy(arena, origin->role),
		.name = arena_copy(arena, metric->name),
		.unit = arena_copy(arena, metric->unit),
	};

	if (metric->kind == METRIC_GAUGE)
		return 0;
	if (!scratch || arena->failed)
		return -ENOMEM;
	if (!gather(arena, versus, &pointer.question, metric_of, &pointer))
		return -ENOMEM;
	if (!worth_asking(&pointer.question))
		return 0;
	if (search->n == search->room) {
		size_t room = search->room ? 2 * search->room : 256;
		struct pointer *grown = arena_alloc(arena, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		if (search->n)
			memcpy(grown, search->pointers, search->n * sizeof(*grown));
		search->pointers = grown;
		search->room = room;
	}
	pointer.median_a = median_of(&pointer.question, false, scratch);
	pointer.median_b = median_of(&pointer.question, true, scratch);
	search->pointers[search->n++] = pointer;
	return 0;
}

/* The metrics of the first ok trial of B: what neither has is no question. */
static int search_versus(struct search *search, struct error *err)
{
	const struct arm *b = &search->versus->b;

	for (size_t i = 0; i < b->results->n; i++) {
		const struct result *trial = &b->results->trials[i];

		if (belongs(b, search->versus->scenario, trial) && result_counts(trial))
			return store_metrics(
				b->results->store, trial->row.id, consider, search, err);
	}
	return 0;
}

static int by_certainty(const void *x, const void *y)
{
	const struct pointer *a = x, *b = y;

	return (a->question.p > b->question.p) - (a->question.p < b->question.p);
}

int verdicts_pointers(const struct verdicts *verdicts, struct pointer **ret_pointers, size_t *ret_n,
	struct error *err)
{
	struct search search = { .verdicts = verdicts };
	struct question *questions;
	size_t kept = 0;

	for (size_t i = 0; i < verdicts->n; i++) {
		int r;

		search.versus = &verdicts->all[i];
		r = search_versus(&search, err);
		if (r < 0)
			return r;
	}
	questions = arena_alloc(verdicts->arena, search.n + 1, sizeof(*questions));
	if (!questions)
		return error_errno(err, -ENOMEM, "metrics");
	for (size_t i = 0; i < search.n; i++)
		questions[i] = search.pointers[i].question;
	if (decide_where_to_look(questions, search.n) < 0)
		return error_errno(err, -ENOMEM, "metrics");
	for (size_t i = 0; i < search.n; i++) {
		search.pointers[i].question = questions[i];
		if (questions[i].answered && questions[i].p <= ADJUST_LOOK_HERE)
			search.pointers[kept++] = search.pointers[i];
	}
	if (kept)
		qsort(search.pointers, kept, sizeof(*search.pointers), by_certainty);
	*ret_pointers = search.pointers;
	*ret_n = kept;
	return 0;
}
