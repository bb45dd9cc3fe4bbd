// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/verdicts.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "stats/fisher.h"
#include "stats/noise.h"
#include "stats/stopping.h"

bool arm_has(const struct arm *arm, const char *scenario, const struct result *trial)
{
	return result_measures(trial) && !trial->row.solo &&
	       !strcmp(trial->row.variant, arm->variant) && !strcmp(trial->row.scenario, scenario);
}

void versus_visit(const struct versus *versus,
	void (*visit)(void *data, const struct arm *arm, const struct result *trial, bool b),
	void *data)
{
	const struct arm *arms[] = { &versus->a, &versus->b };
	bool one_run = versus->a.results == versus->b.results;

	for (size_t run = 0; run < (one_run ? 1 : 2); run++) {
		const struct results *results = arms[run]->results;

		for (size_t i = 0; i < results->n; i++) {
			for (size_t k = one_run ? 0 : run; k <= (one_run ? 1 : run); k++) {
				if (arm_has(arms[k], versus->scenario, &results->trials[i]))
					visit(data, arms[k], &results->trials[i], k == 1);
			}
		}
	}
}

/* Outcomes that say nothing of the variant: it could not be run, or the machine was disturbed. */
static bool says_nothing(enum outcome_code code)
{
	return code == OUTCOME_SKIPPED || code == OUTCOME_VOID || code == OUTCOME_INTERRUPTED;
}

/* What is read of the trials of one comparison. */
struct reading {
	struct versus *versus;
	const struct primary *primary;
	struct sample *samples;
	double *windows; /* of each sample */
	size_t n;
	double *ok[2]; /* values of ok trials of A and of B */
	size_t n_ok[2];
	size_t listed[2]; /* trials, those that say nothing included */
};

static void read_trial(void *data, const struct arm *arm, const struct result *trial, bool b)
{
	struct reading *reading = data;
	struct versus *versus = reading->versus;
	double value = results_primary(arm->results, trial, reading->primary);

	reading->listed[b]++;
	if (trial->row.outcome.code == OUTCOME_SKIPPED)
		versus->skipped = trial->row.outcome.text;
	reading->windows[reading->n] = result_window_s(trial);
	reading->samples[reading->n++] = (struct sample) { value, trial->row.block, b };
	if (result_counts(trial))
		reading->ok[b][reading->n_ok[b]++] = value;
	if (says_nothing(trial->row.outcome.code))
		return;
	*(b ? &versus->trials_b : &versus->trials_a) += 1;
	*(b ? &versus->failed_b : &versus->failed_a) += trial->row.outcome.code != OUTCOME_OK;
}

static bool reading_alloc(struct reading *reading, struct arena *arena, size_t n)
{
	reading->samples = arena_alloc(arena, n + 1, sizeof(struct sample));
	reading->windows = arena_alloc(arena, n + 1, sizeof(double));
	reading->ok[0] = arena_alloc(arena, n + 1, sizeof(double));
	reading->ok[1] = arena_alloc(arena, n + 1, sizeof(double));
	return !arena->failed;
}

/* The estimate when the unfinished trials of one side count as long as they ran. */
static double estimate_with(
	struct arena *arena, const struct reading *reading, enum design design, bool b)
{
	struct sample *samples = arena_alloc(arena, reading->n + 1, sizeof(*samples));
	struct comparison comparison;

	if (!samples)
		return NAN;
	for (size_t i = 0; i < reading->n; i++) {
		samples[i] = reading->samples[i];
		if (samples[i].b == b && isinf(samples[i].value))
			samples[i].value = reading->windows[i];
	}
	if (compare_briefly(samples, reading->n, design, &comparison) < 0)
		return NAN;
	return comparison.estimate;
}

/* They would have taken longer than they ran: that much is known of an infinite estimate. */
static void measure_bound(struct versus *versus, struct arena *arena, const struct reading *reading)
{
	const struct question *primary = &versus->primary;
	struct comparison comparison;
	double bound;

	versus->bound = NAN;
	if (compare_briefly(primary->values, primary->n, primary->design, &comparison) < 0 ||
		!isinf(comparison.estimate))
		return;
	bound = estimate_with(arena, reading, primary->design, comparison.estimate > 0);
	if (isfinite(bound))
		versus->bound = bound;
}

/* Drift is asked of what did not jump from one run to another, and of logarithms. */
static void measure_drift(struct versus *versus, struct arena *arena)
{
	const struct question *primary = &versus->primary;
	struct sample *logs = arena_alloc(arena, primary->n + 1, sizeof(*logs));
	size_t n;

	versus->drift.p = NAN;
	if (!logs || primary->design != DESIGN_BLOCKS ||
		samples_log(primary->values, primary->n, logs, &n) < 0 ||
		noise_drift(logs, n, &versus->drift) < 0)
		versus->drift.p = NAN;
}

/* Adds the comparison, unless one of the arms has no trial of the scenario. */
static bool add(struct verdicts *verdicts, struct arm a, struct arm b, const char *scenario)
{
	struct versus *versus = &verdicts->all[verdicts->n];
	struct reading reading = { .versus = versus, .primary = &verdicts->primary };

	*versus = (struct versus) { .a = a, .b = b, .scenario = scenario, .failures_p = NAN };
	if (!reading_alloc(&reading, verdicts->arena, a.results->n + b.results->n))
		return false;
	versus_visit(versus, read_trial, &reading);
	if (!reading.listed[0] || !reading.listed[1])
		return true;
	verdicts->n++;
	if (versus->trials_a && versus->trials_b)
		versus->skipped = NULL;
	else if (!versus->skipped)
		versus->skipped = "no trial of it was undisturbed";
	versus->primary = (struct question) {
		.values = reading.samples,
		.n = reading.n,
		.design = verdicts->design,
		.more_is_better = verdicts->primary.more_is_better,
	};
	versus->span_a = span_of(reading.ok[0], reading.n_ok[0]);
	versus->span_b = span_of(reading.ok[1], reading.n_ok[1]);
	versus->median_a = number_median(reading.ok[0], reading.n_ok[0]);
	versus->median_b = number_median(reading.ok[1], reading.n_ok[1]);
	fisher_test(versus->failed_a, versus->trials_a, versus->failed_b, versus->trials_b,
		&versus->failures_p);
	measure_drift(versus, verdicts->arena);
	measure_bound(versus, verdicts->arena, &reading);
	return !verdicts->arena->failed;
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

/* The last block of which anything was tried: what the looks of the run went by. */
static unsigned last_block(const struct results *results)
{
	unsigned last = 0;

	for (size_t i = 0; i < results->n; i++) {
		if (result_measures(&results->trials[i]) && results->trials[i].row.block > last)
			last = results->trials[i].row.block;
	}
	return last;
}

/* Two exact runs of one seed have the same seeds in the same blocks. */
static enum design design_of(struct results *a, struct results *b)
{
	if (a == b)
		return results_exact(a) ? DESIGN_PAIRS : DESIGN_BLOCKS;
	return a->run.seed == b->run.seed && results_exact(a) && results_exact(b) ? DESIGN_PAIRS
										  : DESIGN_APART;
}

/* The level of the look with which a run ended. */
static double level_of(const struct results *results, const struct verdicts *verdicts)
{
	unsigned blocks = verdicts->blocks;
	double (*look)(unsigned blocks, unsigned last) =
		verdicts->design == DESIGN_PAIRS ? stopping_pairs_level : stopping_level;
	double level = look(blocks, results->run.blocks);

	/* It ended where no look was planned: this is then the last one. */
	return level > 0 ? level : look(blocks, blocks);
}

/* The first trial that has the metric says in what it is counted. */
static const char *unit_of(struct results *results, const struct primary *primary)
{
	const char *unit = "";

	if (primary_is_time(primary))
		return "s";
	for (size_t i = 0; i < results->n && !*unit; i++)
		unit = results_unit(results, &results->trials[i], primary->source, primary->role,
			primary->name);
	return unit;
}

static int begin(struct results *results, size_t most, struct verdicts *verdicts, struct error *err)
{
	const char *primary = results->run.primary;

	verdicts->arena = &results->arena;
	verdicts->all = arena_alloc(verdicts->arena, most + 1, sizeof(struct versus));
	if (!verdicts->all)
		return error_errno(err, -ENOMEM, "verdicts");
	if (primary_parse(primary, &verdicts->primary, err) < 0)
		return error_prefix(err, -EINVAL, "run %lld", (long long)results->run.id);
	verdicts->unit = unit_of(results, &verdicts->primary);
	return 0;
}

static int finish(struct verdicts *verdicts, struct error *err)
{
	struct question *questions =
		arena_alloc(verdicts->arena, verdicts->n + 1, sizeof(*questions));

	if (!questions)
		return error_errno(err, -ENOMEM, "verdicts");
	for (size_t i = 0; i < verdicts->n; i++)
		questions[i] = verdicts->all[i].primary;
	if (decide(questions, verdicts->n, verdicts->level, verdicts->delta) < 0)
		return error_errno(err, -ENOMEM, "verdicts");
	for (size_t i = 0; i < verdicts->n; i++)
		verdicts->all[i].primary = questions[i];
	return 0;
}

int verdicts_of_run(
	struct results *results, double delta, struct verdicts *ret_verdicts, struct error *err)
{
	struct arm a = { results, results->run.reference };
	struct verdicts verdicts = {
		.blocks = last_block(results),
		.delta = delta > 0 ? delta : results->run.delta,
	};
	int r;

	r = begin(results, results->n, &verdicts, err);
	if (r < 0)
		return r;
	verdicts.design = design_of(results, results);
	verdicts.level = level_of(results, &verdicts);
	for (size_t s = 0; s < results->n; s++) {
		if (!first_of_scenario(results, s))
			continue;
		for (size_t v = 0; v < results->n; v++) {
			struct arm b = { results, results->trials[v].row.variant };

			if (!first_of_variant(results, v) || !strcmp(a.variant, b.variant))
				continue;
			if (!add(&verdicts, a, b, results->trials[s].row.scenario))
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
	struct verdicts verdicts = {
		.level = STOPPING_ALPHA,
		.delta = delta > 0 ? delta : a.results->run.delta,
	};
	int r;

	if (strcmp(a.results->run.primary, b.results->run.primary))
		return error_set(err, -EINVAL,
			"run %lld was decided by %s, run %lld by %s: they have no common answer",
			(long long)a.results->run.id, a.results->run.primary,
			(long long)b.results->run.id, b.results->run.primary);
	r = begin(a.results, a.results->n, &verdicts, err);
	if (r < 0)
		return r;
	verdicts.design = design_of(a.results, b.results);
	if (verdicts.design != DESIGN_APART)
		verdicts.blocks = last_block(a.results);
	if (a.results == b.results)
		verdicts.level = level_of(a.results, &verdicts);
	for (size_t s = 0; s < a.results->n; s++) {
		if (first_of_scenario(a.results, s) &&
			!add(&verdicts, a, b, a.results->trials[s].row.scenario))
			return error_errno(err, -ENOMEM, "verdicts");
	}
	r = finish(&verdicts, err);
	if (r == 0)
		*ret_verdicts = verdicts;
	return r;
}

int verdicts_worst(const struct verdicts *verdicts, enum verdict *ret_worst, struct error *err)
{
	const char *why = "no trial of either in the same block";
	enum verdict worst = VERDICT_SAME;
	bool answered = false;

	for (size_t i = 0; i < verdicts->n; i++) {
		const struct versus *versus = &verdicts->all[i];
		enum verdict verdict = versus->primary.verdict;

		answered |= versus->primary.answered;
		why = versus->skipped ? versus->skipped : why;
		if (versus->skipped || worst == VERDICT_SLOWER)
			continue;
		if (verdict == VERDICT_SLOWER || verdict == VERDICT_INCONCLUSIVE ||
			worst == VERDICT_SAME)
			worst = verdict;
	}
	if (!answered)
		return error_set(err, -ENODATA, "nothing could be compared: %s", why);
	*ret_worst = worst;
	return 0;
}
