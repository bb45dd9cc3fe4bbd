// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/look.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "stats/outlook.h"
#include "stats/stopping.h"

struct look {
	const struct plan *plan;
	unsigned block; /* the last that ended */
	const double *values;
	struct question *questions;
	size_t n;
};

static void look_done(struct look *look)
{
	for (size_t i = 0; i < look->n; i++)
		free(look->questions[i].values);
	free(look->questions);
}

/* Is the trial one of the scenario's, under that variant, in a block that has ended? */
static bool belongs(const struct look *look, const struct trial *trial,
	const struct scenario *scenario, const struct variant *variant)
{
	return trial->variant == variant && trial->block && trial->block <= look->block &&
	       trial_is_of(trial, scenario);
}

/* One scenario, one variant against the reference. */
static int ask(struct look *look, const struct scenario *scenario, const struct variant *variant)
{
	const struct plan *plan = look->plan;
	const struct config *config = plan->config;
	struct question *question = &look->questions[look->n];

	/* A block has at most two of either. */
	question->values = calloc(4 * (size_t)look->block, sizeof(*question->values));
	if (!question->values)
		return -ENOMEM;
	look->n++;
	question->design = plan->paired ? DESIGN_PAIRS : DESIGN_BLOCKS;
	question->more_is_better = config->primary.more_is_better;
	for (size_t i = 0; i < plan->n; i++) {
		const struct trial *trial = &plan->trials[i];
		bool b = belongs(look, trial, scenario, variant);

		if (b || belongs(look, trial, scenario, &config->variants[config->reference]))
			question->values[question->n++] = (struct sample) {
				.value = look->values[trial->position],
				.block = trial->block,
				.b = b,
			};
	}
	return 0;
}

static int ask_all(struct look *look)
{
	const struct config *config = look->plan->config;
	int r = 0;

	look->questions = calloc(config->n_scenarios * config->n_variants, sizeof(struct question));
	if (!look->questions)
		return -ENOMEM;
	for (size_t s = 0; s < config->n_scenarios; s++) {
		for (size_t v = 0; r == 0 && v < config->n_variants; v++) {
			if (v != config->reference && !config->scenarios[s].solo)
				r = ask(look, &config->scenarios[s], &config->variants[v]);
		}
	}
	return r;
}

/* Pairs never are (outlook()): after their first look two of 8 are left. */
static bool hopeless(const struct look *look)
{
	const struct plan *plan = look->plan;
	const struct plan_end end = { plan->blocks, stopping_level(plan->blocks, plan->blocks),
		plan->config->delta };

	return !plan->config->runs_typed &&
	       outlook_hopeless(look->questions, look->n, look->block, &end);
}

int look_take(const struct plan *plan, unsigned block, const double *values,
	enum look_answer *ret_answer, struct error *err)
{
	double level = plan->paired ? stopping_pairs_level(block, plan->blocks)
				    : stopping_level(block, plan->blocks);
	struct look look CLEANUP(look_done) = { .plan = plan, .block = block, .values = values };
	size_t answered = 0, decided = 0;
	int r;

	*ret_answer = LOOK_GO_ON;
	if (!level || plan->config->n_variants < 2)
		return 0;
	r = ask_all(&look);
	if (r == 0)
		r = decide(look.questions, look.n, level, plan->config->delta);
	if (r < 0)
		return error_errno(err, r, "a look at the trials");
	for (size_t i = 0; i < look.n; i++) {
		answered += look.questions[i].answered;
		decided += look.questions[i].verdict != VERDICT_INCONCLUSIVE;
	}
	if (answered && decided == answered)
		*ret_answer = LOOK_DECIDED;
	else if (hopeless(&look))
		*ret_answer = LOOK_HOPELESS;
	return 0;
}
