// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/results.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/unit.h"

static const char *copy(struct results *results, const char *text)
{
	return arena_copy(&results->arena, text ? text : "");
}

static int keep_run(void *data, const struct run_row *run)
{
	struct results *results = data;

	results->run = *run;
	results->run.title = copy(results, run->title);
	results->run.command = copy(results, run->command);
	results->run.version = copy(results, run->version);
	results->run.box = copy(results, run->box);
	results->run.reference = copy(results, run->reference);
	results->run.primary = copy(results, run->primary);
	return 0;
}

static int keep_trial(void *data, const struct trial_row *row)
{
	struct results *results = data;
	struct result *trials = results->trials, *trial;

	/* Grows when n reaches a power of two. */
	if ((results->n & (results->n - 1)) == 0) {
		trials = reallocarray(trials, results->n ? 2 * results->n : 1, sizeof(*trials));
		if (!trials)
			return -ENOMEM;
		results->trials = trials;
	}
	trial = &trials[results->n++];
	*trial = (struct result) { .row = *row, .try = 1 };
	trial->row.scenario = copy(results, row->scenario);
	trial->row.lead = copy(results, row->lead);
	trial->row.loads = copy(results, row->loads);
	trial->row.variant = copy(results, row->variant);
	trial->row.assignments = copy(results, row->assignments);
	if (results->n > 1 && trial[-1].row.position == row->position) {
		trial->try = trial[-1].try + 1;
		trial[-1].superseded = true;
	}
	return 0;
}

int results_open(struct store *store, int64_t run, struct results *ret_results, struct error *err)
{
	struct results results = { .store = store };
	int r;

	r = store_run_visit(store, run, keep_run, &results, err);
	if (r == 0)
		r = store_trials(store, run, keep_trial, &results, err);
	if (r == -ENOMEM || (r == 0 && results.arena.failed))
		r = error_set(
			err, -ENOMEM, "out of memory for the trials of run %lld", (long long)run);
	if (r < 0) {
		results_done(&results);
		return r;
	}
	*ret_results = results;
	return 0;
}

void results_done(struct results *results)
{
	arena_done(&results->arena);
	free(results->trials);
	*results = (struct results) { 0 };
}

int results_check(const struct results *results, struct error *err)
{
	if (results->failed)
		return error_set(err, results->failed, "%s", results->error.text);
	return results->arena.failed ? error_set(err, -ENOMEM, "out of memory") : 0;
}

/* Remembers a failure other than "there is none". Returns whether there is a result. */
static bool found(struct results *results, int r, const struct error *error)
{
	if (r >= 0)
		return true;
	if (r != -ENOENT && !results->failed) {
		results->failed = r;
		results->error = *error;
	}
	return false;
}

double results_value(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name)
{
	struct error error = { "" };
	int64_t value;
	int r;

	if (results->failed)
		return NAN;
	r = store_value(results->store, trial->row.id, source, role, name, &value, &error);
	return found(results, r, &error) && value != VALUE_ABSENT ? (double)value : NAN;
}

double results_primary(
	struct results *results, const struct result *trial, const struct primary *primary)
{
	struct error error = { "" };
	double value = NAN;
	int r;

	if (results->failed)
		return NAN;
	r = store_primary(results->store, &trial->row, primary, &value, &error);
	return found(results, r, &error) ? value : NAN;
}

bool results_series(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name, struct series *ret_series)
{
	struct error error = { "" };
	int r;

	*ret_series = (struct series) { 0 };
	if (results->failed)
		return false;
	r = store_series(results->store, trial->row.id, source, role, name, ret_series, &error);
	return found(results, r, &error);
}

void results_histograms(struct results *results, const struct result *trial,
	int (*visit)(
		void *data, const char *role, const char *name, const struct histogram *histogram),
	void *data)
{
	struct error error = { "" };

	if (!results->failed)
		found(results, store_histograms(results->store, trial->row.id, visit, data, &error),
			&error);
}

const char *results_unit(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name)
{
	struct error error = { "" };
	char unit[256];
	int r;

	if (results->failed)
		return "";
	r = store_unit(
		results->store, trial->row.id, source, role, name, unit, sizeof(unit), &error);
	return found(results, r, &error) ? copy(results, unit) : "";
}

struct lookup {
	struct results *results;
	const char *key, *text;
};

static int look_up(void *data, const char *key, const char *text)
{
	struct lookup *lookup = data;

	if (!lookup->text && !strcmp(key, lookup->key))
		lookup->text = copy(lookup->results, text);
	return 0;
}

const char *results_environment(
	struct results *results, const struct result *trial, const char *key)
{
	struct lookup lookup = { results, key, NULL };
	struct error error = { "" };

	if (!results->failed)
		found(results,
			store_environment(results->store, trial->row.id, look_up, &lookup, &error),
			&error);
	return lookup.text;
}

bool result_measures(const struct result *trial)
{
	return !trial->superseded && trial->row.block;
}

bool result_counts(const struct result *trial)
{
	return result_measures(trial) && trial->row.outcome.code == OUTCOME_OK;
}

double result_window_s(const struct result *trial)
{
	const struct outcome *outcome = &trial->row.outcome;

	if (!outcome->open_ns)
		return NAN;
	return (double)(outcome->close_ns - outcome->open_ns) / NS_PER_S;
}

/* A run has one box: the first trial that says where it ran speaks for all. */
bool results_exact(struct results *results)
{
	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];
		const char *mode = results_environment(results, trial, "contend.vm.mode");

		if (mode)
			return !strcmp(mode, "exact");
		if (results_environment(results, trial, "kernel.release"))
			return false;
	}
	return false;
}

const char *results_kernels(struct results *results)
{
	const char *kernels = "", *last = "";

	for (size_t i = 0; i < results->n && kernels; i++) {
		const char *release =
			results_environment(results, &results->trials[i], "kernel.release");

		if (!release || !strcmp(release, last) || strstr(kernels, release))
			continue;
		kernels = arena_format(
			&results->arena, "%s%s%s", kernels, kernels[0] ? " and " : "", release);
		last = release;
	}
	return kernels ? kernels : "";
}

static const char *date(int64_t seconds, char *buf, size_t size)
{
	time_t time = seconds;
	struct tm tm;

	if (!gmtime_r(&time, &tm) || !strftime(buf, size, "%Y-%m-%d %H:%M UTC", &tm))
		return "";
	return buf;
}

static const char *state_name(enum run_state state)
{
	switch (state) {
	case RUN_RUNNING: return "running";
	case RUN_FINISHED: return "finished";
	case RUN_INTERRUPTED: return "interrupted";
	}
	return "?";
}

/* "27 trials", "27 trials, 26 ok" */
static void count_trials(struct results *results, struct model *model)
{
	size_t n = 0, ok = 0;
	char phrase[80];

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];

		n += !trial->superseded;
		ok += !trial->superseded && trial->row.outcome.code == OUTCOME_OK;
	}
	if (ok == n)
		snprintf(phrase, sizeof(phrase), "%zu trial%s", n, n == 1 ? "" : "s");
	else
		snprintf(phrase, sizeof(phrase), "%zu trial%s, %zu ok", n, n == 1 ? "" : "s", ok);
	model_fact_number(model, "trials", (double)n, phrase);
	model_fact_number(model, "trials_ok", (double)ok, "");
}

void results_title(struct results *results, struct model *model)
{
	const struct run_row *run = &results->run;
	const char *kernels = results_kernels(results);
	char seed[24], phrase[600];

	model_title(model, "Run %lld: %s", (long long)run->id, run->title);
	model_fact_number(model, "run", (double)run->id, "");
	model_fact_number(model, "started_s", (double)run->started_s,
		date(run->started_s, phrase, sizeof(phrase)));
	snprintf(phrase, sizeof(phrase), "%s%s", kernels[0] ? "Linux " : "", kernels);
	model_fact_text(model, "kernel", kernels[0] ? kernels : NULL, phrase);
	model_fact_text(model, "box", run->box, run->box);
	count_trials(results, model);
	/* A text: JSON's readers round a number of 64 bits. */
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)run->seed);
	snprintf(phrase, sizeof(phrase), "seed %s", seed);
	model_fact_text(model, "seed", seed, phrase);
	model_fact_text(model, "state", state_name(run->state),
		run->state == RUN_FINISHED ? "" : state_name(run->state));
	model_fact_text(model, "reference", run->reference, "");
	model_fact_text(model, "command", run->command, "");
	model_fact_text(model, "version", run->version, "");
}
