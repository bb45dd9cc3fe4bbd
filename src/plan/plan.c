// SPDX-License-Identifier: GPL-2.0-or-later
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/random.h"

/* More than anyone waits for; keeps products of counts far from overflow. */
#define MOST_TRIALS 1000000

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->trials);
	free(plan);
}

void plan_cleanup(struct plan **plan)
{
	plan_free(*plan);
}

/* Fisher and Yates: each order is as likely as any other. Things of `size` bytes. */
static void shuffle(void *things, size_t n, size_t size, struct random *random)
{
	char *at = things;

	for (size_t i = n; i > 1; i--) {
		char *last = at + (i - 1) * size, *taken = at + random_below(random, i) * size;

		for (size_t byte = 0; byte < size; byte++) {
			char kept = last[byte];

			last[byte] = taken[byte];
			taken[byte] = kept;
		}
	}
}

/* Trials of one variant of one scenario in a block. */
static size_t copies(const struct config *config, size_t variant)
{
	if (config->n_variants == 1 || config->box.exact)
		return 1;
	return variant == config->reference || config->n_variants == 2 ? 2 : 1;
}

static bool warms_up(const struct config *config)
{
	return config->n_variants > 1 && !config->box.exact;
}

static size_t trials_of_scenario(const struct config *config)
{
	size_t n = 0;

	for (size_t v = 0; v < config->n_variants; v++)
		n += copies(config, v);
	return n;
}

bool trial_is_of(const struct trial *trial, const struct scenario *scenario)
{
	return !strcmp(trial->scenario->name, scenario->name);
}

/* The scenario numbered `scenario` under the variant numbered `variant`. */
static struct trial trial_of(const struct config *config, size_t scenario, size_t variant)
{
	const struct variant *of = &config->variants[variant];

	return (struct trial) {
		.scenario = of->scenarios ? &of->scenarios[scenario] : &config->scenarios[scenario],
		.variant = of,
	};
}

static void make_scenario(
	const struct config *config, size_t scenario, struct trial *trials, struct random *random)
{
	size_t n = 0;

	for (size_t v = 0; v < config->n_variants; v++) {
		for (size_t i = 0; i < copies(config, v); i++)
			trials[n++] = trial_of(config, scenario, v);
	}
	if (!config->box.exact)
		shuffle(trials, n, sizeof(*trials), random);
}

/*
 * Block 0 is the warm-up. A block's generator depends on its number alone, so that a run with more
 * blocks begins with those of a run with fewer. `order` has room for the scenarios.
 */
static void make_block(
	const struct config *config, struct trial *trials, size_t *order, unsigned block)
{
	struct random root = { config->seed };
	struct random random = random_fork(&root, block);
	uint64_t seed = random_next(&random);
	size_t each = block ? trials_of_scenario(config) : 1;

	for (size_t i = 0; i < config->n_scenarios; i++)
		order[i] = i;
	if (!config->box.exact)
		shuffle(order, config->n_scenarios, sizeof(*order), &random);
	for (size_t i = 0; i < config->n_scenarios; i++) {
		if (block)
			make_scenario(config, order[i], &trials[i * each], &random);
		else
			trials[i] = trial_of(config, order[i], config->reference);
	}
	for (size_t i = 0; i < config->n_scenarios * each; i++) {
		trials[i].block = block;
		trials[i].seed = seed;
	}
}

static void fill(const struct config *config, struct plan *plan, size_t *order)
{
	size_t each = config->n_scenarios * trials_of_scenario(config), used = 0;

	if (warms_up(config)) {
		make_block(config, plan->trials, order, 0);
		used = config->n_scenarios;
	}
	for (unsigned block = 1; block <= plan->blocks; block++, used += each)
		make_block(config, &plan->trials[used], order, block);
	for (size_t i = 0; i < plan->n; i++)
		plan->trials[i].position = (unsigned)i;
}

static void free_order(size_t **order)
{
	free(*order);
}

int plan_make(const struct config *config, struct plan **ret_plan, struct error *err)
{
	struct plan *plan CLEANUP(plan_cleanup) = NULL;
	size_t *order CLEANUP(free_order) = NULL;
	size_t each;

	if (config->n_scenarios > MOST_TRIALS || config->n_variants > MOST_TRIALS ||
		config->n_scenarios * trials_of_scenario(config) > MOST_TRIALS / config->runs)
		return error_set(err, -E2BIG,
			"%zu scenarios × %zu variants × %u runs: more than %d trials",
			config->n_scenarios, config->n_variants, config->runs, MOST_TRIALS);
	plan = calloc(1, sizeof(*plan));
	order = calloc(config->n_scenarios + 1, sizeof(*order));
	if (!plan || !order)
		return error_errno(err, -ENOMEM, "plan");
	each = config->n_scenarios * trials_of_scenario(config);
	plan->config = config;
	plan->blocks = config->runs;
	plan->paired = config->box.exact;
	plan->n = each * config->runs + (warms_up(config) ? config->n_scenarios : 0);
	plan->trials = calloc(plan->n + 1, sizeof(*plan->trials));
	if (!plan->trials)
		return error_errno(err, -ENOMEM, "plan");
	fill(config, plan, order);
	*ret_plan = plan;
	plan = NULL;
	return 0;
}
