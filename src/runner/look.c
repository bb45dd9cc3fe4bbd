// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/look.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "stats/decide.h"
#include "stats/stopping.h"

struct look {
	struct question *questions;
	struct sample *samples; /* of all questions, one after the other */
	size_t n, used;
};

static void look_done(struct look *look)
{
	free(look->questions);
	free(look->samples);
}

/* One scenario, one variant against the reference. */
static void ask(struct look *look, const struct plan *plan, const struct scenario *scenario,
	const struct variant *variant, unsigned last,
	double (*value)(void *data, const struct trial *trial), void *data)
{
	const struct variant *reference = &plan->config->variants[plan->config->reference];
	struct question *question = &look->questions[look->n++];

	*question = (struct question) { .values = look->samples + look->used };
	for (size_t i = 0; i < plan->n; i++) {
		const struct trial *trial = &plan->trials[i];

		if (trial->scenario != scenario || !trial->block || trial->block > last ||
			(trial->variant != variant && trial->variant != reference))
			continue;
		question->values[question->n++] = (struct sample) {
			.value = value(data, trial),
			.block = trial->block,
			.b = trial->variant == variant,
		};
	}
	look->used += question->n;
}

int look_decides(const struct plan *plan, unsigned block,
	double (*value)(void *data, const struct trial *trial), void *data, bool *ret_decides,
	struct error *err)
{
	const struct config *config = plan->config;
	double level = stopping_level(block, plan->blocks);
	struct look look CLEANUP(look_done) = { 0 };
	bool decides = true;

	*ret_decides = false;
	if (!level || config->n_variants < 2)
		return 0;
	look.questions = calloc(config->n_scenarios * config->n_variants, sizeof(struct question));
	look.samples = calloc(plan->n * config->n_variants + 1, sizeof(struct sample));
	if (!look.questions || !look.samples)
		return error_errno(err, -ENOMEM, "a look at the trials");
	for (size_t s = 0; s < config->n_scenarios; s++) {
		for (size_t v = 0; v < config->n_variants; v++) {
			if (v != config->reference && !config->scenarios[s].solo)
				ask(&look, plan, &config->scenarios[s], &config->variants[v], block,
					value, data);
		}
	}
	if (decide(look.questions, look.n, level, config->delta) < 0)
		return error_errno(err, -ENOMEM, "a look at the trials");
	for (size_t i = 0; i < look.n; i++)
		decides &= look.questions[i].verdict != VERDICT_INCONCLUSIVE;
	*ret_decides = decides && look.n;
	return 0;
}
