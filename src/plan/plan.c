// SPDX-License-Identifier: GPL-2.0-or-later
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Fisher and Yates: each order is as likely as any other. */
static void shuffle(struct trial *trials, size_t n, struct random *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = random_below(random, i);
		struct trial taken = trials[i - 1];

		trials[i - 1] = trials[k];
		trials[k] = taken;
	}
}

/*
 * A block's generator depends on its number alone, so that a run with more blocks begins with
 * those of a run with fewer.
 */
static void make_block(const struct config *config, struct trial *trials, size_t n, unsigned block)
{
	struct random root = { config->seed };
	struct random random = random_fork(&root, block);
	uint64_t seed = random_next(&random);

	for (size_t i = 0; i < n; i++) {
		trials[i] = (struct trial) {
			.scenario = &config->scenarios[i / config->n_variants],
			.variant = &config->variants[i % config->n_variants],
			.block = block,
			.seed = seed,
		};
	}
	shuffle(trials, n, &random);
	for (size_t i = 0; i < n; i++)
		trials[i].position = (unsigned)(block * n + i);
}

int plan_make(const struct config *config, struct plan **ret_plan, struct error *err)
{
	struct plan *plan CLEANUP(plan_cleanup) = calloc(1, sizeof(*plan));
	size_t n;

	if (!plan)
		return error_errno(err, -ENOMEM, "plan");
	if (config->n_scenarios > MOST_TRIALS || config->n_variants > MOST_TRIALS ||
		config->n_scenarios * config->n_variants > MOST_TRIALS / config->runs)
		return error_set(err, -E2BIG,
			"%zu scenarios × %zu variants × %u runs: more than %d trials",
			config->n_scenarios, config->n_variants, config->runs, MOST_TRIALS);
	n = config->n_scenarios * config->n_variants;
	plan->config = config;
	plan->blocks = config->runs;
	plan->n = n * config->runs;
	plan->trials = calloc(plan->n ? plan->n : 1, sizeof(*plan->trials));
	if (!plan->trials)
		return error_errno(err, -ENOMEM, "plan");
	for (unsigned block = 0; block < plan->blocks; block++)
		make_block(config, &plan->trials[block * n], n, block);
	*ret_plan = plan;
	plan = NULL;
	return 0;
}
