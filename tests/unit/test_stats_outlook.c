// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>

#include "stats/outlook.h"
#include "stats/stopping.h"

#define BLOCKS 8
#define VALUES (4 * BLOCKS)

static const struct plan_end end = { BLOCKS, 0.025, 5 };

/* Trials of a variant in a block are `apart`, B is above A by `effect`, both of logarithms. */
static struct question question_of(
	struct sample *values, unsigned blocks, double apart, double effect)
{
	struct question question = { .values = values };

	for (unsigned block = 1; block <= blocks; block++) {
		for (unsigned i = 0; i < 2; i++) {
			double a = 100 * block * exp(i * apart);

			values[question.n++] = (struct sample) { a, block, false };
			values[question.n++] = (struct sample) { a * exp(effect), block, true };
		}
	}
	assert_int_equal(decide(&question, 1, stopping_level(blocks, BLOCKS), 5), 0);
	return question;
}

/*
 * By another program, from the definition: sigma = apart * sqrt(pi) / 2; the estimate at the end is
 * normal around the one of now; a verdict is one of the two tails, 1.08 times as far out as normal.
 */
static void the_chance_is_that_of_the_normal_distribution(void **state)
{
	static const struct {
		unsigned blocks;
		double apart, effect, level, chance;
	} cases[] = {
		{ 3, 0.2, 0, 0.025, 0.060782030216203375 },
		{ 3, 0.2, 0.1, 0.025, 0.2623431572457159 },
		{ 3, 0.2, 0.1, 0.0125, 0.19715605997216878 },
		{ 5, 0.2, 0.1, 0.025, 0.14343796422711114 },
		{ 3, 0.1, 0.1, 0.025, 0.7247789597976508 },
		/* Equal variants would be the same by then. */
		{ 3, 0.05, 0.03, 0.025, 1 },
		{ 3, 0.02, 0, 0.025, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sample values[VALUES];
		struct plan_end here = { BLOCKS, cases[i].level, 5 };
		struct question question =
			question_of(values, cases[i].blocks, cases[i].apart, cases[i].effect);

		assert_float_equal(
			outlook(&question, cases[i].blocks, &here), cases[i].chance, 1e-6);
	}
}

static void what_cannot_be_foreseen_is_not_given_up(void **state)
{
	struct sample values[VALUES];
	struct question question = question_of(values, 3, 0.2, 0);

	(void)state;
	question.comparison.estimate = INFINITY;
	assert_float_equal(outlook(&question, 3, &end), 1, 0);
	question = question_of(values, 3, 0.2, 0);
	question.design = DESIGN_APART;
	assert_float_equal(outlook(&question, 3, &end), 1, 0);
	question = question_of(values, BLOCKS, 0.2, 0);
	assert_float_equal(outlook(&question, BLOCKS, &end), 1, 0);
	/* One of each to a block: no two of a kind. */
	question = question_of(values, 3, 0.2, 0);
	for (size_t i = 0; i < question.n; i++)
		values[i].block = (unsigned)(i / 2);
	assert_float_equal(outlook(&question, 3, &end), 1, 0);
}

static void a_run_is_hopeless_when_every_open_question_is(void **state)
{
	struct sample dull[VALUES], hopeful[VALUES], decided[VALUES];
	struct question all[3] = { question_of(dull, 3, 0.2, 0), question_of(decided, 3, 0, 0.2) };

	(void)state;
	assert_int_equal(all[1].verdict, VERDICT_SLOWER);
	assert_true(outlook_hopeless(all, 2, 3, &end));
	all[2] = question_of(hopeful, 3, 0.1, 0.1);
	assert_int_equal(all[2].verdict, VERDICT_INCONCLUSIVE);
	assert_false(outlook_hopeless(all, 3, 3, &end));
	/* Nothing is open, nothing is answered. */
	assert_false(outlook_hopeless(&all[1], 1, 3, &end));
	all[0].answered = false;
	assert_false(outlook_hopeless(all, 1, 3, &end));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chance_is_that_of_the_normal_distribution),
		cmocka_unit_test(what_cannot_be_foreseen_is_not_given_up),
		cmocka_unit_test(a_run_is_hopeless_when_every_open_question_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
