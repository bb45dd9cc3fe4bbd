// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/iterations.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/unit.h"

#define SOURCE "iteration"
#define ALLOCATED "bytes_allocated"

/* As docs/record.md names them; CPU is computed. */
static const struct {
	const char *name;
	double divisor;
} readings[TERMS] = {
	[TERM_ALLOCATED] = { ALLOCATED, 1 },
	[TERM_USER] = { "user_ns", NS_PER_S },
	[TERM_SYSTEM] = { "system_ns", NS_PER_S },
	[TERM_ELAPSED] = { "elapsed_ns", NS_PER_S },
	[TERM_MAJORS] = { "major_faults", 1 },
	[TERM_MINORS] = { "minor_faults", 1 },
	[TERM_RESIDUE] = { "swap_bytes", 1 },
};

static bool counts(const struct group *group, const struct result *trial)
{
	return group_has(group, trial) && result_counts(trial);
}

static size_t count(struct results *results, const struct result *trial)
{
	struct series series CLEANUP(series_done) = { 0 };

	results_series(results, trial, SOURCE, "lead", readings[TERM_ELAPSED].name, &series);
	return series.n;
}

static void read_term(struct results *results, const struct result *trial, enum term term,
	double (*values)[TERMS], size_t n)
{
	struct series series CLEANUP(series_done) = { 0 };

	results_series(results, trial, SOURCE, "lead", readings[term].name, &series);
	for (size_t i = 0; i < n; i++) {
		bool known = i < series.n && series.values[i] != VALUE_ABSENT;

		values[i][term] = known ? (double)series.values[i] / readings[term].divisor : NAN;
	}
}

static double cpu_percent(double user, double system, double elapsed)
{
	return elapsed > 0 ? 100 * (user + system) / elapsed : NAN;
}

static void read_trial(
	struct results *results, const struct result *trial, double (*values)[TERMS], size_t n)
{
	double before = results_value(results, trial, SOURCE, "lead", "swap_before");

	for (enum term term = 0; term < TERMS; term++)
		if (readings[term].name)
			read_term(results, trial, term, values, n);
	for (size_t i = 0; i < n; i++) {
		values[i][TERM_CPU] = cpu_percent(
			values[i][TERM_USER], values[i][TERM_SYSTEM], values[i][TERM_ELAPSED]);
		values[i][TERM_RESIDUE] -= before;
	}
}

/* Notes the worst: `leak` is what the group has so far, `found` what one trial adds. */
static void leak_add(struct leak *leak, const struct leak *found, bool worse)
{
	size_t trials = leak->trials + found->trials;

	if (found->trials && (!leak->trials || worse))
		*leak = *found;
	leak->trials = trials;
}

/* Above 1 % of swap after an iteration. */
static void check_residue(struct iterations *iterations, struct results *results,
	const struct result *trial, double (*values)[TERMS], size_t n)
{
	double swap = results_value(results, trial, "trial", "", "swap_bytes");
	struct leak found = { .trial = trial, .of = swap };

	for (size_t i = 0; i < n; i++) {
		double residue = values[i][TERM_RESIDUE];

		/* False where either is absent. */
		if (!(swap > 0 && residue > swap / 100 && residue > found.bytes))
			continue;
		found.trials = 1;
		found.iteration = i + 1;
		found.bytes = residue;
	}
	leak_add(&iterations->residue, &found,
		found.bytes * iterations->residue.of > iterations->residue.bytes * found.of);
}

/* Falling from one iteration to the next. */
static void check_shrinking(struct iterations *iterations, const struct result *trial,
	double (*values)[TERMS], size_t n)
{
	struct leak found = { .trial = trial }, *worst = &iterations->shrinking;

	for (size_t i = 1; i < n; i++) {
		double before = values[i - 1][TERM_ALLOCATED], now = values[i][TERM_ALLOCATED];

		if (!(now < before && before - now > found.of - found.bytes))
			continue;
		found.trials = 1;
		found.iteration = i + 1;
		found.bytes = now;
		found.of = before;
	}
	leak_add(worst, &found, found.of - found.bytes > worst->of - worst->bytes);
}

void iterations_read(const struct group *group, struct iterations *ret_iterations)
{
	struct results *results = group->contest->results;
	struct iterations iterations = { 0 };
	size_t room = 0;

	for (size_t i = 0; i < results->n; i++)
		if (counts(group, &results->trials[i]))
			room += count(results, &results->trials[i]);
	iterations.values = arena_alloc(&results->arena, room, sizeof(*iterations.values));
	iterations.scratch = arena_alloc(&results->arena, room, sizeof(double));
	for (size_t i = 0; i < results->n && !results->arena.failed; i++) {
		const struct result *trial = &results->trials[i];
		double(*values)[TERMS] = iterations.values + iterations.n, ended;
		size_t n = counts(group, trial) ? count(results, trial) : 0;

		/* Fewer than counted: the store failed in between. */
		if (!n || n > room - iterations.n)
			continue;
		ended = results_value(results, trial, SOURCE, "lead", "iterations");
		iterations.lost += ended > (double)n ? ended - (double)n : 0;
		read_trial(results, trial, values, n);
		check_residue(&iterations, results, trial, values, n);
		check_shrinking(&iterations, trial, values, n);
		iterations.n += n;
		iterations.trials++;
	}
	*ret_iterations = iterations;
}

static double mean(const struct iterations *iterations, enum term term)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < iterations->n; i++) {
		double value = iterations->values[i][term];

		if (isnan(value))
			continue;
		sum += value;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static double extreme(
	const struct iterations *iterations, enum term term, double (*pick)(double, double))
{
	double value = NAN;

	for (size_t i = 0; i < iterations->n; i++)
		value = pick(value, iterations->values[i][term]);
	return value;
}

double iterations_statistic(
	const struct iterations *iterations, enum statistic statistic, enum term term)
{
	switch (statistic) {
	case STATISTIC_MEAN:
		if (term == TERM_CPU)
			return cpu_percent(mean(iterations, TERM_USER),
				mean(iterations, TERM_SYSTEM), mean(iterations, TERM_ELAPSED));
		return mean(iterations, term);
	case STATISTIC_MIN: return extreme(iterations, term, fmin);
	case STATISTIC_MAX: return extreme(iterations, term, fmax);
	default: break;
	}
	for (size_t i = 0; i < iterations->n; i++)
		iterations->scratch[i] = iterations->values[i][term];
	return number_median(iterations->scratch, iterations->n);
}

bool iterations_allocate(struct results *results)
{
	bool any = false;

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];

		if (trial->row.solo || !result_counts(trial))
			continue;
		if (!results_unit(results, trial, SOURCE, "lead", ALLOCATED)[0])
			return false;
		any = true;
	}
	return any;
}
